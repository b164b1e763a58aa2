package expr

import "testing"

var benchTexts = []struct{ name, text string }{
	{"path", "event.payload.amount"},
	{"comparison", "entity.status != 'open'"},
	{"condition", "entity.visible.balance < event.amount && (event.kind == 'debit' || event.amount > 100)"},
	{"call", "concat('ticket_', intent.show_id, '_', intent.seat)"},
}

func BenchmarkParse(b *testing.B) {
	for _, c := range benchTexts {
		b.Run(c.name+"/parser", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Parse(c.text)
			}
		})
		b.Run(c.name+"/declarative", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := reference.ParseString("", c.text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("path/tokens", func(b *testing.B) {
		for b.Loop() {
			parseAny("event.payload.amount")
		}
	})
	b.Run("cached", func(b *testing.B) {
		var cache Cache
		for b.Loop() {
			cache.Parse("concat('ticket_', intent.show_id, '_', intent.seat)")
		}
	})
}

func BenchmarkParseValue(b *testing.B) {
	for _, text := range []string{"blocked", "event.amount", "60 * 60", "Hello, world!"} {
		b.Run(text, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				ParseValue(text, nil)
			}
		})
	}
}
