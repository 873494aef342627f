package transforms

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
)

// The rules of jit and core_call: the called program is transformed, and the call
// stays a call.

func calledProgram(p core.Primitive) *jaxpr.Jaxpr { return jaxpr.Programs(p)[0] }

// recall returns a call of the same kind as p, of the program j.
func recall(p core.Primitive, j *jaxpr.Jaxpr) core.Primitive {
	switch p := p.(type) {
	case *jaxpr.Jit:
		return &jaxpr.Jit{Fn: p.Fn, Jaxpr: j, Device: p.Device, Enclosed: p.Enclosed}
	case *jaxpr.CoreCall:
		return &jaxpr.CoreCall{Fn: p.Fn, Jaxpr: j, Enclosed: p.Enclosed}
	}
	panic("BUG: not a call: " + p.Name())
}

// linearCall returns a call of the linear program of p, whose forward program was
// applied to args: reverse rules may close over what that computed.
func linearCall(p core.Primitive, l *linearized, args []Value) core.Primitive {
	q := recall(p, l.lin)
	if !l.lin.Closureful() {
		return q
	}
	enclosed := jaxpr.EnclosedBy(jaxpr.NewFrame(l.fwd, args))
	switch q := q.(type) {
	case *jaxpr.Jit:
		q.Enclosed = enclosed
	case *jaxpr.CoreCall:
		q.Enclosed = enclosed
	}
	return q
}

func jvpCall(i *jvp, p core.Primitive, in, t []Value) (outs, touts []Value) {
	nz := present(t)
	if !anyTrue(nz) {
		return core.Bind(p, in...), nil
	}
	j := calledProgram(p)
	if splits(p, t) {
		l := linearizeJaxpr(j, nz, nil, tracersOnly)
		args := concat(l.extra, in)
		outs = core.Bind(recall(p, l.fwd), args...)
		res := l.residuals(args, outs)
		outs = outs[:len(j.Outs)]
		if !anyTrue(l.nz) {
			return outs, nil
		}
		touts = core.Bind(linearCall(p, l, args), concat(l.linExtra, res, pick(t, nz))...)
		return outs, spread(touts, l.nz)
	}
	d := jvpJaxpr(j, nz, nil, tracersOnly)
	out := core.Bind(recall(p, d.j), concat(d.extra, in, pick(t, nz))...)
	return out[:len(j.Outs):len(j.Outs)], spread(out[len(j.Outs):], d.nz)
}

func transposeCall(p core.Primitive, cts, in []Value, lin []bool, _ []core.ShapedArray, _ []*jaxpr.Var) []Value {
	t := transposeJaxpr(calledProgram(p), lin, present(cts), nil, tracersOnly, nil)
	out := core.Bind(recall(p, t.j), concat(t.extra, pick(in, not(lin)), pick(cts, present(cts)))...)
	return spread(out, t.nz)
}

func (b *vmap) batchCall(p core.Primitive, in []Value, mapped []bool) ([]Value, []bool) {
	x := b.batchJaxpr(calledProgram(p), mapped, nil, tracersOnly)
	return core.Bind(recall(p, x.j), concat(x.extra, in)...), x.out
}
