package trace

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
)

// stageCall records a call with rules of the user's: its function becomes a
// program, the rules stay Go functions that run when a derivative is taken. What
// the function closes over becomes leading operands, which the rules do not receive.
func (r *Recorder) stageCall(p core.Closureful, in []core.Value) (out []core.Value, ok bool) {
	stage := func(name string, f func([]core.Value) []core.Value) (*jaxpr.Jaxpr, []core.Value, []core.Value) {
		j := StageAt(name, in, f)
		consts := HoistAll(j)
		for _, v := range consts {
			// Only differentiation passes a call on without handling the values that its function
			// closes over.
			if t, ok := v.(core.Tracer); ok && t.Interpreter().Level() > r.level {
				RefuseClosure(name, v.Aval())
			}
		}
		return j, consts, slices.Concat(consts, in)
	}
	switch p := p.(type) {
	case *jaxpr.CustomJVP:
		f, ok := p.Function()
		if !ok {
			return nil, false
		}
		j, consts, all := stage(p.Fn, f)
		q := *p
		q.Jaxpr, q.NumConsts = j, p.NumConsts+len(consts)
		return r.write(&q, all), true
	case *jaxpr.CustomVJP:
		f, ok := p.Function()
		if !ok {
			return nil, false
		}
		j, consts, all := stage(p.Fn, f)
		q := *p
		q.Jaxpr, q.NumConsts = j, p.NumConsts+len(consts)
		return r.write(&q, all), true
	case *jaxpr.CustomVmap:
		f, ok := p.Function()
		if !ok {
			return nil, false
		}
		j, consts, all := stage(p.Fn, f)
		q := *p
		q.Jaxpr, q.NumConsts = j, p.NumConsts+len(consts)
		return r.write(&q, all), true
	}
	return nil, false
}

// RefuseClosure panics: a function with a custom derivative rule closes over a value that is
// being differentiated, whose derivative would be lost silently.
func RefuseClosure(fn string, a core.ShapedArray) {
	core.FailOp(core.ErrCustomRule, fn, []core.ShapedArray{a},
		"a function with a custom derivative rule closes over a value (%s) that is being differentiated; pass it as an argument, so that the rule can give its derivative, or put it under StopGradient", a.Full())
}
