package transforms

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
)

// Linear is the derivative of a function at a point: a linear program from
// tangents to tangents. Its constants are the residuals.
type Linear struct {
	tape   *jaxpr.Jaxpr
	in     []core.ShapedArray // of all operands of the function
	active []bool             // operands that have tangents
	out    []core.ShapedArray // of all results
	nz     []bool             // results whose tangent is not always zero
}

// Linearize evaluates f and returns its derivative there. active marks the
// operands to differentiate with respect to; integers never are.
func Linearize(f func([]Value) []Value, primals []Value, active []bool) (outs []Value, lin *Linear) {
	active = slices.Clone(active)
	for k, p := range primals {
		active[k] = active[k] && p.Aval().DType.Tangent() != core.Float0
	}
	outs, tape, nz := linearizeOn(f, primals, active, nil, nil)
	return outs, &Linear{tape: tape, in: core.AvalsOf(primals), active: active, out: core.AvalsOf(outs), nz: nz}
}

// linearizeOn runs f on duals whose tangents are tracers of a tape. want, if not
// nil, marks the results whose zero tangents are to be written out.
func linearizeOn(f func([]Value) []Value, primals []Value, active, want []bool, configure func(*trace.Recorder)) (outs []Value, tape *jaxpr.Jaxpr, nz []bool) {
	t := trace.NewTape("linearize")
	if configure != nil {
		configure(t)
	}
	defer t.Abandon()
	tangents := make([]Value, len(primals))
	for k, p := range primals {
		if active[k] {
			tangents[k] = t.Input(p.Aval().Tangent())
		}
	}
	i := newJVP()
	i.tape = true
	outs, touts := i.run(f, primals, tangents)
	if want != nil {
		instantiate(outs, touts, want)
	}
	nz = present(touts)
	// What no tangent needs is left out, and so its residuals are not kept.
	return outs, dce(t.Finish(pick(touts, nz))), nz
}

// Apply maps tangents of the active operands (nil where zero) to tangents of the
// results, nil where zero.
func (l *Linear) Apply(tangents []Value) []Value {
	in := make([]Value, 0, len(tangents))
	for k, t := range tangents {
		if !l.active[k] {
			continue
		}
		if t == nil {
			t = zerosOf(l.in[k].Tangent())
		}
		in = append(in, t)
	}
	return spread(eval(l.tape, in), l.nz)
}

// Transpose maps cotangents of the results (nil where zero) to cotangents of the
// operands, nil where zero or not active.
func (l *Linear) Transpose(cts []Value) []Value {
	for k, ct := range cts {
		if ct == nil {
			continue
		}
		if want := l.out[k].Tangent(); want.DType == core.Float0 {
			cts[k] = nil
		} else if got := ct.Aval(); !got.SameType(want) {
			core.FailOp(core.Mismatch(want, got), "VJP", []core.ShapedArray{want, got}, "the cotangent of a %s must be %s, got %s; give it the result's shape and convert it with AsType", l.out[k].Full(), want.Full(), got.Full())
		} else if more := got.Vary.Minus(want.Vary); more != 0 {
			core.FailOp(core.ErrAxis, "VJP", []core.ShapedArray{want, got}, "the cotangent %s varies along %v of the mesh, and the result does not; add it up with Psum", got.Full(), more)
		} else {
			cts[k] = prim.Pvary(ct, want.Vary)
		}
	}
	args := make([]Value, len(l.tape.Ins))
	return spread(backward(l.tape, args, all(len(args), true), pick(cts, l.nz)), l.active)
}

// Jaxpr returns the linear program and its residuals, for people to look at.
func (l *Linear) Jaxpr() *jaxpr.Jaxpr { return l.tape }

// VJP evaluates f and returns the map from cotangents to cotangents there.
func VJP(f func([]Value) []Value, primals []Value, active []bool) (outs []Value, vjp func(cts []Value) []Value) {
	outs, lin := Linearize(f, primals, active)
	return outs, lin.Transpose
}

// linearized is a program split at a point that is not known yet: fwd computes
// results and residuals, lin is linear in the tangents.
type linearized struct {
	fwd      *jaxpr.Jaxpr // extra, ins → outs, residuals that are not among the inputs
	extra    []Value      // what fwd closes over
	lin      *jaxpr.Jaxpr // linExtra, residuals, tangents → tangents
	linExtra []Value      // what lin closes over that is no residual
	res      []residual   // in the order in which lin takes them
	nz       []bool       // results with a tangent
}

// residual tells where a residual is found: among the inputs of fwd (extra first) or its outputs.
type residual struct {
	in    bool
	index int
}

// residuals collects the residuals from what fwd was applied to and returned.
func (l *linearized) residuals(ins, outs []Value) []Value {
	r := make([]Value, len(l.res))
	for k, s := range l.res {
		if s.in {
			r[k] = ins[s.index]
		} else {
			r[k] = outs[s.index]
		}
	}
	return r
}

type linearizeKey struct {
	nz, want string
	h        hoisting
}

// linearizeJaxpr splits j for tangents of the inputs that nz marks; want marks results whose
// tangent is requested even if zero.
//
// An earlier split that has all requested tangents is used again, so that user-defined rules in j
// run once for a pattern of tangents.
func linearizeJaxpr(j *jaxpr.Jaxpr, nz, want []bool, h hoisting) *linearized {
	if v, ok := j.Memoized(linearizeKey{bits(nz), bits(nil), h}); ok && want != nil {
		if l := v.(*linearized); covers(l.nz, want) {
			return l
		}
	}
	make := func() *linearized {
		l := linearizeRaw(j, nz, want)
		l.packPassed()
		l.extra = h.hoist(l.fwd)
		l.linExtra = h.hoist(l.lin)
		l.locate()
		return l
	}
	return jaxpr.Cached(j, linearizeKey{bits(nz), bits(want), h}, make, func(l *linearized) bool {
		return !core.HasTracer(l.extra) && !core.HasTracer(l.linExtra)
	})
}

// linearizeRaw splits j and leaves the constants of both programs in place. The residuals are
// leading inputs of lin and last outputs of fwd.
func linearizeRaw(j *jaxpr.Jaxpr, nz, want []bool) *linearized {
	l := &linearized{}
	nout := len(j.Outs)
	l.fwd = trace.Stage("linearize", j.InAvals(), func(in []Value) []Value {
		rec := core.ActiveRecorder()
		outs, lin, nzOut := linearizeOn(func(in []Value) []Value { return eval(j, in) }, in, nz, want, (*trace.Recorder).Rewrite)
		l.lin, l.nz = lin, nzOut
		res := trace.HoistIf(lin, func(v Value) bool {
			t, ok := v.(*trace.Tracer)
			return ok && t.Interpreter() == core.Interpreter(rec)
		})
		return concat(outs, res)
	})
	l.res = make([]residual, len(l.fwd.Outs)-nout)
	if !l.lin.Closureful() { // reverse rules may close over what fwd computes
		l.fwd = dce(l.fwd)
	}
	return l
}

// locate finds residuals that fwd need not return: its inputs and other results.
// It is called when the inputs of fwd are final.
func (l *linearized) locate() {
	nout := len(l.fwd.Outs) - len(l.res)
	at := jaxpr.NumbersFor(l.fwd)
	places := make([]residual, 0, len(l.fwd.Ins)+len(l.fwd.Outs)) // by number
	for k, v := range l.fwd.Ins {
		at.Bind(v)
		places = append(places, residual{true, k})
	}
	outs := slices.Clone(l.fwd.Outs[:nout])
	for k, a := range outs {
		if v, ok := a.(*jaxpr.Var); ok {
			if _, fresh := at.Bind(v); fresh {
				places = append(places, residual{false, k})
			}
		}
	}
	for k, a := range l.fwd.Outs[nout:] {
		v, ok := a.(*jaxpr.Var)
		if !ok {
			l.res[k] = residual{false, len(outs)}
			outs = append(outs, a)
			continue
		}
		n, fresh := at.Bind(v)
		if fresh {
			places = append(places, residual{false, len(outs)})
			outs = append(outs, v)
		}
		l.res[k] = places[n]
	}
	l.fwd.Outs = outs
}

func covers(m, want []bool) bool {
	for k, w := range want {
		if w && !m[k] {
			return false
		}
	}
	return true
}

type jvpd struct {
	j     *jaxpr.Jaxpr // extra, ins, tangents → outs, tangents
	extra []Value
	nz    []bool
}

// jvpRaw differentiates j and leaves its constants in place.
func jvpRaw(j *jaxpr.Jaxpr, nz, want []bool) *jvpd {
	d := &jvpd{}
	avals := j.InAvals()
	n := len(avals)
	for k, a := range avals[:n:n] {
		if nz[k] {
			avals = append(avals, a.Tangent())
		}
	}
	d.j = trace.Stage("jvp", avals, func(in []Value) []Value {
		outs, touts := newJVP().run(func(in []Value) []Value { return eval(j, in) }, in[:n], spread(in[n:], nz))
		if want != nil {
			instantiate(outs, touts, want)
		}
		d.nz = present(touts)
		return concat(outs, pick(touts, d.nz))
	})
	return d
}

type jvpKey struct {
	nz, want string
	h        hoisting
}

func jvpJaxpr(j *jaxpr.Jaxpr, nz, want []bool, h hoisting) *jvpd {
	if v, ok := j.Memoized(jvpKey{bits(nz), bits(nil), h}); ok && want != nil {
		if d := v.(*jvpd); covers(d.nz, want) {
			return d
		}
	}
	return jaxpr.Cached(j, jvpKey{bits(nz), bits(want), h}, func() *jvpd {
		d := jvpRaw(j, nz, want)
		d.extra = h.hoist(d.j)
		return d
	}, func(d *jvpd) bool { return !core.HasTracer(d.extra) })
}

// hoisting tells which constants of a new program become leading inputs.
type hoisting bool

const (
	tracersOnly hoisting = false // for calls: concrete arrays stay constants
	everything  hoisting = true  // for control flow: its programs have no constants
)

func (h hoisting) hoist(j *jaxpr.Jaxpr) []Value {
	if h == everything {
		return trace.HoistAll(j)
	}
	return trace.HoistTracers(j)
}
