package dataflow

import (
	"fmt"
	"strings"

	"github.com/causetc/causetc/spec"
)

// Describe names a place in a sentence, such as "payload field seat of TICKET_RESERVED".
func (l Loc) Describe() string {
	of := func(what, whole, owner string) string {
		if l.Path == "" {
			return whole + " of " + owner
		}
		return what + " " + l.Path + " of " + owner
	}
	switch l.Root.Kind {
	case Input:
		return of("input", "the input", l.Root.Owner)
	case Entity:
		return fmt.Sprintf("/%s of state %s", strings.ReplaceAll(l.Path, ".", "/"), l.Root.Owner)
	case Local:
		return "the name " + strings.TrimPrefix(l.Path, "list of ")
	case Payload:
		return of("payload field", "the payload", l.Root.Owner)
	case Column:
		return of("column", "a row", "projection "+l.Root.Owner)
	case DecisionInput:
		return of("input", "the input", "decision "+l.Root.Owner)
	case DecisionOutput:
		return of("output", "the output", "decision "+l.Root.Owner)
	case Query:
		return of("column", "the result", "query "+l.Root.Owner)
	case Amount:
		return fmt.Sprintf("what is added to column %s of projection %s", l.Path, l.Root.Owner)
	case Condition:
		return "a condition"
	}
	return l.describeID()
}

func (l Loc) describeID() string {
	switch l.Root.Kind {
	case ActionID:
		return "the entity id of action " + l.Root.Owner
	case EventID:
		return "the entity id of event " + l.Root.Owner
	case Key:
		return fmt.Sprintf("primary key column %s of projection %s", l.Path, l.Root.Owner)
	case ProjectionID:
		return "the entity of projection " + l.Root.Owner
	case TargetID:
		return "the target entity of " + l.Root.Owner
	case RelationID:
		return "an end of relationship " + l.Root.Owner
	}
	return "a value"
}

// tell says what an edge does with the value; to is where it then is.
func (e *Edge) tell(to Loc) string {
	switch e.Step {
	case StepSet:
		return "is stored in " + to.Describe()
	case StepBind:
		return "is bound to " + to.Describe()
	case StepEmit:
		return "is emitted as " + to.Describe()
	case StepDerive:
		return "fills " + to.Describe()
	case StepKey:
		return fmt.Sprintf("column %s is in the primary key of projection %s", to.Path, to.Root.Owner)
	case StepSubmit:
		return "is submitted as " + to.Describe()
	case StepDecide:
		return "is passed as " + to.Describe()
	case StepDecided:
		return "comes back as " + to.Describe()
	case StepEntityID, StepTarget, StepRelation:
		return "is " + to.Describe()
	case StepQuery:
		return "is read as " + to.Describe()
	case StepCondition:
		return "decides " + to.Describe()
	case StepAmount:
		return "is " + to.Describe()
	case StepEnvelope:
		return "is carried by the commit envelope into " + to.Describe()
	}
	return ""
}

// Flow tells a way of a value in places and words, one for each step that an author wrote.
func Flow(hops []Hop) []spec.Related {
	var flow []spec.Related
	for _, h := range hops {
		if h.Edge.Step == StepHidden {
			continue
		}
		flow = append(flow, spec.Related{Span: h.Edge.At.Span(), Message: h.Edge.tell(h.To)})
	}
	return flow
}
