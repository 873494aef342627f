package trace

import (
	"sync/atomic"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
)

// Check is called, if set, with every program that a trace has made: tests set it to jaxpr.Check.
var Check atomic.Pointer[func(*jaxpr.Jaxpr) error]

// Stage runs f on tracers of the given types and returns the program that it
// wrote. Values that f closed over are the program's constants, in order of first
// use: concrete arrays and tracers of older interpreters alike; see HoistTracers
// and HoistAll. Nothing is left behind if f panics or the goroutine exits.
func Stage(name string, in []core.ShapedArray, f func(in []core.Value) []core.Value) *jaxpr.Jaxpr {
	return stage(name, in, f, DataDependence())
}

// StageAt stages f at given operands, for a program that is applied to them once: inside
// f, an argument can be looked at if its operand can.
func StageAt(name string, in []core.Value, f func(in []core.Value) []core.Value) *jaxpr.Jaxpr {
	return newStage(name, DataDependence()).run(core.AvalsOf(in), in, f)
}

func stage(name string, in []core.ShapedArray, f func(in []core.Value) []core.Value, eager bool) *jaxpr.Jaxpr {
	return newStage(name, eager).run(in, nil, f)
}

func newStage(name string, eager bool) *Recorder {
	r := newRecorder(name, true)
	r.eager = eager
	if r.locate {
		r.site = core.HereSite()
	}
	return r
}

// run records f at arguments of the given types. at, if not nil, contains the operands that the
// program will be applied to.
func (r *Recorder) run(in []core.ShapedArray, at []core.Value, f func([]core.Value) []core.Value) *jaxpr.Jaxpr {
	started.Add(1)
	defer core.Enter(r)()
	defer r.done.Store(true)
	args, vars, tracers := make([]core.Value, len(in)), make([]jaxpr.Var, len(in)), make([]Tracer, len(in))
	r.ins = make([]*Tracer, len(in))
	for i, a := range in {
		vars[i] = jaxpr.MakeVar(a)
		t := &tracers[i]
		*t = Tracer{rec: r, v: &vars[i], box: t}
		r.ins[i] = t
		if at != nil {
			t.k = knowledgeOf(at[i])
		}
		args[i] = t
	}
	var j *jaxpr.Jaxpr
	jaxpr.Fenced(func() { j = r.Finish(f(args)) })
	if check := Check.Load(); check != nil {
		if err := (*check)(j); err != nil {
			panic(err)
		}
	}
	return j
}

var started atomic.Int64

// Started returns how many traces were started in this process so far: a cached program starts
// none.
func Started() int64 { return started.Load() }

// HoistTracers turns the constants of j that are tracers into leading inputs, and
// returns them; concrete constants stay. j must be fresh from Stage.
func HoistTracers(j *jaxpr.Jaxpr) []core.Value {
	return HoistIf(j, func(v core.Value) bool { _, ok := v.(core.Tracer); return ok })
}

// HoistAll turns all constants of j into leading inputs, and returns them. j must be
// fresh from Stage.
func HoistAll(j *jaxpr.Jaxpr) []core.Value {
	return HoistIf(j, func(core.Value) bool { return true })
}

// HoistIf turns the constants that move chooses into leading inputs, and returns
// them. j must be fresh from Stage.
func HoistIf(j *jaxpr.Jaxpr, move func(core.Value) bool) []core.Value {
	n := len(j.Consts)
	vals, vars := make([]core.Value, 0, n), make([]*jaxpr.Var, 0, n+len(j.Ins))
	var keptVals []core.Value
	var kept []*jaxpr.Var
	for i, v := range j.ConstVals {
		if move(v) {
			vals, vars = append(vals, v), append(vars, j.Consts[i])
		} else {
			keptVals, kept = append(keptVals, v), append(kept, j.Consts[i])
		}
	}
	j.Consts, j.ConstVals = kept, keptVals
	j.Ins = append(vars, j.Ins...)
	return vals
}

// Unite turns all constants of the fresh programs js into leading inputs, the same
// for each program, and returns them.
func Unite(js []*jaxpr.Jaxpr) (consts []core.Value) {
	at := map[core.Value]int{}
	for _, j := range js {
		for _, v := range j.ConstVals {
			if _, ok := at[v]; !ok {
				at[v] = len(consts)
				consts = append(consts, v)
			}
		}
	}
	for _, j := range js {
		vars := make([]*jaxpr.Var, len(consts))
		for i, v := range j.ConstVals {
			vars[at[v]] = j.Consts[i]
		}
		for i := range vars {
			if vars[i] == nil {
				vars[i] = jaxpr.NewVar(consts[i].Aval())
			}
		}
		j.Ins = append(vars, j.Ins...)
		j.Consts, j.ConstVals = nil, nil
	}
	return consts
}
