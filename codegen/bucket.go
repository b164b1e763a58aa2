package codegen

import (
	"strconv"

	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/spec"
)

// The columns that a bucket may write.
const (
	bucketStart = "bucket_start"
	bucketTS    = "bucket_ts"
)

// defaultInterval is the length of a bucket that names none.
const defaultInterval = "1h"

// readBucket decides which column the bucket of a projection writes: bucket_ts where the table has that column.
func (c *compiler) readBucket(t *table, p *projection) {
	b := p.src.Bucket
	if b == nil {
		return
	}
	p.bucket = bucketStart
	if t.byName[bucketTS] != nil && t.byName[bucketStart] == nil {
		p.bucket = bucketTS
	}
	at := b.Key
	if at == nil {
		at = p.src.Name
	}
	col := t.column(p.bucket)
	if col.plain == nil {
		col.plain = at
	}
	col.inferred = col.inferred.join(known(ir.TimestampTZ))
	if _, ok := intervalMillis(b); !ok {
		c.report(ruleLayout, b.Interval.Span(), "%q is not the length of a bucket, such as 5m, 1h or 1d", b.Interval.Value)
	}
	if b.Field == nil {
		c.report(ruleLayout, at.Span(), "the bucket needs field: the moment that it is taken from")
	}
}

// intervalMillis is the length of a bucket in milliseconds.
func intervalMillis(b *spec.Bucket) (int64, bool) {
	text := defaultInterval
	if b.Interval != nil {
		text = b.Interval.Value
	}
	units := map[byte]int64{'s': 1000, 'm': 60_000, 'h': 3_600_000, 'd': 86_400_000, 'w': 7 * 86_400_000}
	if len(text) < 2 {
		return 0, false
	}
	unit, ok := units[text[len(text)-1]]
	n, err := strconv.ParseInt(text[:len(text)-1], 10, 32)
	return n * unit, ok && err == nil && n > 0
}

// bucketStart is the start of the interval that holds the moment.
func (l *lowering) bucketStart() *ir.Expr {
	b := l.p.src.Bucket
	millis, ok := intervalMillis(b)
	if !ok || b.Field == nil {
		return nil // reported
	}
	moment := l.bucketMoment(b)
	if moment == nil {
		return nil
	}
	return &ir.Expr{Op: ir.OpBucket, Text: strconv.FormatInt(millis, 10), Args: []*ir.Expr{moment}}
}

// bucketMoment lowers the moment: an expression, or a lone name, which is a payload field.
func (l *lowering) bucketMoment(b *spec.Bucket) *ir.Expr {
	var moment *ir.Expr
	if name, ok := b.Field.Root.(*spec.Ident); ok {
		moment = &ir.Expr{Op: ir.OpMember, Name: name.Name, Args: []*ir.Expr{{Op: ir.OpPayload}}}
	} else if moment = l.expr(b.Field); moment == nil {
		return nil
	}
	switch t := l.typeOf(moment); t.typ.Name {
	case ir.Boolean, ir.JSONB, ir.UUID:
		l.report(ruleLayout, b.Field.Src.Span(), "a bucket is taken from a moment, which is milliseconds or RFC 3339 text, and this is a %s", t.typ)
		return nil
	}
	return moment
}
