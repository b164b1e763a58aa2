// Package oracle is the truth that tests hold stores to: a fold of projections written a second time, in the plainest
// way, with random programs and logs to run it on. It is for tests only.
//
// The fold sorts the distinct events into canonical order and applies one after the other to rows that are plain maps;
// it knows no orders of cells, no tombstones and no merging. It shares with the engine only the evaluation of
// expressions and the conversion to column types.
package oracle
