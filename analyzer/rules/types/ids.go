package types

import (
	"github.com/causetc/causetc/analyzer/analysis"
	"github.com/causetc/causetc/analyzer/sites"
	"github.com/causetc/causetc/analyzer/symbols"
	"github.com/causetc/causetc/analyzer/types"
	"github.com/causetc/causetc/ir/expr"
	"github.com/causetc/causetc/spec"
)

// runIDs reports ids that are no texts or numbers, and amounts of envelopes that are no numbers.
func runIDs(p *analysis.Pass) error {
	for i := range p.Sites {
		s := &p.Sites[i]
		switch s.Place {
		case sites.EventEntity, sites.ActionEntity, sites.SubmitTarget, sites.LookupID, sites.RelationFrom, sites.RelationTo,
			sites.LockKey, sites.ParticipantEntity, sites.ProjectionEntity:
			checkID(p, s)
		case sites.ParticipantDelta, sites.SeqSource:
			if t := p.Types.Of(s.Expr); !t.MayBeNumber() {
				p.Reportf(s.Expr.Span(s.Expr.Root), "%s is %s, and an envelope counts with numbers", types.Text(s.Expr, s.Expr.Root), t.A())
			}
		}
	}
	eachOp(p, func(_ opScope, op *spec.Op) {
		for _, v := range []*spec.Value{op.TargetEntity, op.FromID, op.ToID, op.LockKey} {
			if v != nil && v.Src == nil {
				p.Reportf(v.Span(), "an id is a text or a number, not a map or a list")
			} else if v != nil && v.Const != nil && v.Const.Kind != spec.LitString && v.Const.Kind != spec.LitInt {
				p.Reportf(v.Src.Span(), "an id is a text or a number, not %s; name what identifies the entity, such as intent.%s", v.Const.Text, idName(op))
			}
		}
	})
	return nil
}

func idName(op *spec.Op) string {
	if name := symbols.Text(op.TargetStream); name != "" {
		return name + "_id"
	}
	return "id"
}

func checkID(p *analysis.Pass, s *sites.Site) {
	for _, r := range p.Types.Results(s.Expr) {
		switch r.Type.Kind {
		case expr.TypeBool, expr.TypeArray, expr.TypeObject:
			p.Reportf(s.Expr.Span(r.Node), "%s is %s, and an id is a text or a number; name what identifies the entity", types.Text(s.Expr, r.Node), r.Type.A())
		}
	}
}
