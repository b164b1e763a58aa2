package determinism

import (
	"strings"

	"github.com/causetc/causetc/analyzer/analysis"
	"github.com/causetc/causetc/analyzer/dataflow"
	"github.com/causetc/causetc/analyzer/symbols"
)

// sinks knows the places of a program that hold ids.
type sinks struct {
	entityKeys map[dataflow.Loc]bool
	dedup      map[string]bool // projections that record applied events for others
}

func findSinks(p *analysis.Pass) *sinks {
	s := &sinks{entityKeys: map[dataflow.Loc]bool{}, dedup: map[string]bool{}}
	for _, st := range p.Program.States {
		if key := symbols.Text(st.EntityKey); key != "" {
			s.entityKeys[dataflow.Loc{Root: dataflow.Root{Kind: dataflow.Entity, Owner: symbols.Text(st.Name)}, Path: key}] = true
		}
	}
	for _, pr := range p.Program.Projections {
		if pr.Dedup != nil && !pr.Dedup.Auto && !pr.Dedup.Off {
			s.dedup[symbols.Text(pr.Dedup.Src)] = true
		}
	}
	return s
}

// id reports whether what is at a place identifies something: an entity, a row, an end of a relationship, a request.
func (s *sinks) id(l dataflow.Loc) bool {
	switch l.Root.Kind {
	case dataflow.ActionID, dataflow.EventID, dataflow.Key, dataflow.ProjectionID, dataflow.TargetID, dataflow.RelationID:
		return true
	case dataflow.Entity:
		return s.entityKeys[l]
	case dataflow.Input, dataflow.Payload:
		return isIdempotencyKey(l.Path)
	}
	return false
}

// named reports whether the name of a payload field or an input says that it holds an id. It counts only for a value that
// reaches nothing which is an id by its use.
func (s *sinks) named(l dataflow.Loc) bool {
	switch l.Root.Kind {
	case dataflow.Input, dataflow.Payload, dataflow.Column:
		name := l.Path[strings.LastIndexByte(l.Path, '.')+1:]
		return name == "id" || strings.HasSuffix(name, "_id") || strings.HasSuffix(name, "Id")
	}
	return false
}

func isIdempotencyKey(path string) bool {
	name := strings.ToLower(strings.ReplaceAll(path[strings.LastIndexByte(path, '.')+1:], "_", ""))
	return strings.HasSuffix(name, "idempotencykey")
}

// describe names the id in a sentence.
func (s *sinks) describe(l dataflow.Loc) string {
	switch {
	case l.Root.Kind == dataflow.Key && s.dedup[l.Root.Owner]:
		return "the key of the deduplication table " + l.Root.Owner
	case l.Root.Kind == dataflow.Entity:
		return "the entity key " + l.Path + " of state " + l.Root.Owner
	case isIdempotencyKey(l.Path):
		return "the idempotency key of " + l.Root.Owner
	}
	return l.Describe()
}
