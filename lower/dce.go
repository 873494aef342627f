package lower

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/reference"
)

// dce drops equations whose results are unused, unless they have effects or an executor may
// refuse them. It also drops unused results of loops and branches, and unused constants that have
// values. Inputs stay.
func dce(j *jaxpr.Jaxpr, _ bool) *jaxpr.Jaxpr {
	t := &trimmer{}
	out, _ := jaxpr.Prune(j, nil, t.keep)
	return out
}

// largest is the number of bytes above which a result may not fit in memory, which is
// an error that must stay.
const largest int64 = 1 << 36

// removable reports whether an equation without use may go: it has no effects, and
// nothing about it can be refused.
func removable(e *jaxpr.Eqn) bool {
	if core.EffectsOf(e.Prim) != 0 {
		return false
	}
	for _, v := range e.Outs {
		n := v.Type.Size()
		if n < 0 || int64(n) > largest/int64(max(v.Type.DType.Size(), 1)) {
			return false
		}
	}
	return runnable(e.Prim)
}

// runnable reports whether every executor can run p.
func runnable(p core.Primitive) bool {
	if _, ok := reference.Lookup(p); ok {
		return true
	}
	if core.NamesAxes(p) {
		return false
	}
	switch q := p.(type) {
	case *jaxpr.CustomLin, *jaxpr.Opaque:
		return false
	case jaxpr.Holder:
		for _, j := range q.Programs() {
			if !allRunnable(j) {
				return false
			}
		}
		return true
	case core.Expander:
		return true
	}
	return callsHost(p)
}

type runnableKey struct{}

// allRunnable reports whether every equation of j is removable. It is memoized in j.
func allRunnable(j *jaxpr.Jaxpr) bool {
	return j.Memo(runnableKey{}, func() any {
		for _, e := range j.Eqns {
			if !removable(e) {
				return false
			}
		}
		return true
	}).(bool)
}
