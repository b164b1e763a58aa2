package main

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// workload is what is done with the events.
type workload struct {
	spec string // in the folder specs
	keys int    // of the load
	// tables and bare are the bare loop's: what it writes into, and a transaction of it.
	tables map[string]string
	bare   func(ctx context.Context, tx pgx.Tx, schema string, events []sold) error
}

var workloads = map[string]workload{
	"upserts":  {spec: "upserts", keys: 100_000, tables: map[string]string{"tickets": ticketColumns}, bare: upsertTickets},
	"distinct": {spec: "upserts", tables: map[string]string{"tickets": ticketColumns}, bare: upsertTickets},
	"counters": {spec: "counters", keys: 100_000, tables: map[string]string{"sales": salesColumns}, bare: countSales},
	"exact": {spec: "exact", keys: 100_000, tables: map[string]string{"sales": salesColumns, "ids": "(id text PRIMARY KEY)"},
		bare: countExactly},
	"six": {spec: "six", keys: 100_000, tables: map[string]string{"tickets1": ticketColumns, "tickets2": ticketColumns,
		"tickets3": ticketColumns, "tickets4": ticketColumns, "tickets5": ticketColumns, "tickets6": ticketColumns}, bare: upsertSix},
	"poison":  {spec: "poison"},
	"ordered": {spec: "ordered"},
}

// compared are the workloads that have a bare loop, with what is said of them.
var compared = []struct{ name, title string }{
	{"upserts", "upserts, 100,000 keys"},
	{"distinct", "upserts, all keys distinct"},
	{"counters", "counters, window of ids"},
	{"exact", "counters, exact dedup"},
	{"six", "six groups at once"},
}
