package sql

import (
	"fmt"

	"github.com/causetc/causetc/ir"
)

// The strategies of partitioning.
const (
	strategyRange = "range"
	strategyHash  = "hash"
	strategyList  = "list"
)

// defaultHashPartitions is the number of partitions of a hash-partitioned table that names none.
const defaultHashPartitions = 8

// defaultSuffix ends the name of the partition that takes the rows which no other one does.
const defaultSuffix = "@default"

var partitionWords = map[string]string{strategyRange: "RANGE", strategyHash: "HASH", strategyList: "LIST"}

func partitionBy(part *ir.Partition) string {
	if part == nil {
		return ""
	}
	return fmt.Sprintf(" PARTITION BY %s (%s)", partitionWords[part.Strategy], Ident(part.Field))
}

// partitions returns the partitions that DDL can name without knowing any event: all of a hash-partitioned table, the
// default one of the others. The dated ones are made from the events' moments as these arrive.
func partitions(part *ir.Partition, schema, parent string) []Object {
	switch {
	case part == nil:
		return nil
	case part.Strategy == strategyHash:
		count := part.Partitions
		if count <= 0 {
			count = defaultHashPartitions
		}
		var objects []Object
		for i := range count {
			objects = append(objects, partitionOf(schema, parent, Fit(parent, fmt.Sprintf("@h%d", i)),
				fmt.Sprintf("FOR VALUES WITH (MODULUS %d, REMAINDER %d)", count, i)))
		}
		return objects
	default:
		return []Object{partitionOf(schema, parent, Fit(parent, defaultSuffix), "DEFAULT")}
	}
}

func partitionOf(schema, parent, name, bounds string) Object {
	return Object{Kind: KindTable, Schema: schema, Name: name,
		SQL: fmt.Sprintf("CREATE TABLE %s PARTITION OF %s %s", Qualified(schema, name), Qualified(schema, parent), bounds)}
}
