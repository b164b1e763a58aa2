package projections

import (
	"strings"

	"github.com/causetc/causetc/spec"
)

const both = `    fields: { show_id: TEXT, seat: TEXT }
    derive: { show_id: event.payload.show_id, seat: event.payload.seat }
    mutations:
      SEAT_TAKEN: { op: upsert }
      SEAT_FREED: { op: upsert }
`

var docImplicitUpsert = spec.RuleDoc{
	ID: "CS420", Name: "implicit-upsert", Severity: spec.Hint, Since: "0.1.0",
	Title: "A projection does not say what one of its source events does",
	Why:   "Such an event upserts the derived columns. Beside events that are named, that is easily forgotten rather than meant.",
	Bad:   seats + strings.Replace(both, "      SEAT_FREED: { op: upsert }\n", "", 1),
	Good:  seats + both,
	Fix:   "Name the event under mutations, or remove it from source_events.",
}

var docMutationParts = spec.RuleDoc{
	ID: "CS409", Name: "mutation-parts", Severity: spec.Error, Since: "0.1.0",
	Title: "A mutation lacks a part that its op needs, or has one that its op does not read",
	Why: "bulk_update writes set to all rows that match where; without where that is every row, which is a warning. increment counts in the columns of set. " +
		"The other ops write the row of the event's key, and a delete writes nothing.",
	Bad:  seats + strings.Replace(both, "SEAT_FREED: { op: upsert }", "SEAT_FREED: { op: bulk_update }", 1),
	Good: seats + strings.Replace(both, "SEAT_FREED: { op: upsert }", "SEAT_FREED: { op: bulk_update, set: { seat: none }, where: { show_id: { eq: event.payload.show_id } } }", 1),
	Fix:  "Add the part that the message names, or remove the one that has no effect.",
}

var docSerial = spec.RuleDoc{
	ID: "CS422", Name: "serial-column", Severity: spec.Hint, Since: "0.1.0",
	Title: "A column is SERIAL",
	Why:   "A sequence counts writes as they arrive, duplicates and retries included. A table that is made again would have other numbers, so the column is an INTEGER.",
	Bad:   seats + strings.Replace(strings.Replace(both, "seat: TEXT", "seat: TEXT, no: SERIAL", 1), "seat: event.payload.seat }", "seat: event.payload.seat, no: size(event.payload.seat) }", 1),
	Good:  seats + strings.Replace(strings.Replace(both, "seat: TEXT", "seat: TEXT, no: INTEGER", 1), "seat: event.payload.seat }", "seat: event.payload.seat, no: size(event.payload.seat) }", 1),
	Fix:   "Write INTEGER or BIGINT, and derive the value from the event.",
}

var docOverride = spec.RuleDoc{
	ID: "CS423", Name: "override-ignored", Severity: spec.Hint, Since: "0.1.0",
	Title: "A setting in override is ignored",
	Why:   "override holds settings of the hosted worker that no page describes. causetc reads only dedup in it.",
	Bad:   seats + both + "    override: { batch: 100 }\n",
	Good:  seats + both,
	Fix:   "Remove the setting, or keep it for the hosted worker.",
}

var docPartitionParts = spec.RuleDoc{
	ID: "CS424", Name: "partition-setting", Severity: spec.Warning, Since: "0.1.0",
	Title: "A setting of a partition does not fit its strategy",
	Why:   "interval, retention and precreate are about ranges of time, partitions is about a hash. Elsewhere they have no effect; neither have retention and precreate without an interval, nor an interval over a column that holds no time.",
	Bad:   seats + both + "    partition: { strategy: hash, field: show_id, partitions: 4, interval: 1 month }\n",
	Good:  seats + both + "    partition: { strategy: hash, field: show_id, partitions: 4 }\n",
	Fix:   "Remove the setting, or change the strategy.",
}

// looking is a projection with some lookups.
func looking(n int) string {
	var b strings.Builder
	b.WriteString(seats + "    fields: { show_id: TEXT, seat: TEXT, title: TEXT }\n    derive:\n      show_id: event.payload.show_id\n" +
		"      seat: event.payload.seat\n      title: \"coalesce(")
	b.WriteString(strings.Repeat("lookup(show, event.payload.show_id).title, ", n))
	b.WriteString("'')\"\n    mutations:\n      SEAT_TAKEN: { op: upsert }\n      SEAT_FREED: { op: upsert }\n")
	return b.String()
}

var docTooManyLookups = spec.RuleDoc{
	ID: "CS442", Name: "too-many-lookups", Severity: spec.Error, Since: "0.1.0",
	Title: "A projection has more than eight lookups",
	Why:   "Each one is a query of the platform for every event.",
	Bad:   looking(9), Good: looking(8),
	Fix: "Carry the values in the event's payload.",
}
