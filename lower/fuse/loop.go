package fuse

import "github.com/weft-go/weft/jaxpr"

// loop makes a step of a while, a scan or a cond, whose programs have plans of their
// own.
func (p *planner) loop(e *jaxpr.Eqn) {
	l := &Loop{Eqn: e}
	switch q := e.Prim.(type) {
	case *jaxpr.While:
		l.Kind, l.Plans = WhileLoop, []*Plan{PlanOf(q.Cond), PlanOf(q.Body)}
	case *jaxpr.Scan:
		l.Kind, l.Plans = ScanLoop, []*Plan{PlanOf(q.Jaxpr)}
	case *jaxpr.Cond:
		l.Kind = CondCall
		for _, b := range q.Branches {
			l.Plans = append(l.Plans, PlanOf(b))
		}
	}
	l.In, l.Out = p.operands(e), p.outputs(e)
	p.made(e, p.add(l))
}

type planKey struct{}

// PlanOf returns Translate(j), memoized in j.
func PlanOf(j *jaxpr.Jaxpr) *Plan {
	return j.Memo(planKey{}, func() any { return Translate(j) }).(*Plan)
}
