// Package sql turns compiled programs into SQL for Postgres: the physical tables that a worker writes, the views that
// readers see, the control tables of a worker's schema, plain tables for the hosted worker, and parameterised SQL for
// named queries. It reads package ir only and is deterministic: one program gives the same bytes every day.
//
// # Layout
//
// All that is ours lies in one schema. A table T of a group's version N is kept in the physical table "T@N", with the
// declared columns and these beside them:
//
//   - "@created": order of the newest creating write; empty where the row was never created
//   - "@first": order of the oldest creating write, NULL for never; only where a handler updates existing rows
//   - "@deleted": order of the newest delete, empty for never; only where a handler deletes
//   - "c@" for a plain column c: NULL where c was written by the newest creating write, empty where c was never written
//     (or was reset by a delete), else the order of its newest write
//
// Orders are byte strings that compare as the writes do. The name T itself is a view with the declared columns of the
// live rows, which refuses to be written.
package sql
