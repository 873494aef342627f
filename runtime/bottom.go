package runtime

import (
	"slices"
	"sync"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/kernel"
)

func init() { core.Bottom = bottom{} }

// bottom evaluates what no transformation claims, one operation at a time.
type bottom struct{}

func (bottom) Level() int64 { return 0 }

func (bottom) Live() bool { return true }

// scratch is what a call of a kernel needs for its time.
type scratch struct {
	avals   [4]core.ShapedArray
	in, out [4]*Array
	types   core.Types
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// Interpret evaluates p at once.
func (bottom) Interpret(p core.Primitive, in []core.Value) []core.Value {
	ask()
	if f, ok := kernel.Lookup(p); ok && len(in) <= 4 {
		if _, ok := kernel.LookupProgram(p); !ok {
			return small(f, p, in)
		}
	}
	if call, ok := userCall(p, in); ok {
		return call
	}
	arrays := make([]*Array, len(in))
	avals := make([]core.ShapedArray, len(in))
	for i, v := range in {
		arrays[i] = concrete(p, v)
		avals[i] = arrays[i].t.ShapedArray
	}
	types := core.AbstractOf(p, avals)
	holdable(p, avals, types)
	var outs []*Array
	switch q := p.(type) {
	case *jaxpr.Jit:
		outs = runProgram(Context(), q, arrays)
	default:
		if e, ok := p.(core.Expander); ok && !hasKernel(p) {
			return expand(e, in, types)
		}
		act := actionOf(p, avals, types)
		x := newRun(Context(), nil)
		outs = make([]*Array, len(types))
		act.run(x, arrays, outs)
		if x.watch != 0 {
			x.look(act, eager(p, avals, types), arrays, outs)
		}
		x.end(outs)
	}
	return typed(outs, types)
}

// holdable refuses results that no memory can hold, in the name of p.
func holdable(p core.Primitive, in, out []core.ShapedArray) {
	for _, t := range out {
		if why := TooLarge(t); why != "" {
			core.FailOp(core.ErrShape, p.Name(), slices.Clone(in), "its result cannot be: %s", why)
		}
	}
}

func hasKernel(p core.Primitive) bool {
	if _, ok := kernel.Lookup(p); ok {
		return true
	}
	_, ok := kernel.LookupProgram(p)
	return ok
}

// expand evaluates an operation as what it is made of.
func expand(e core.Expander, in []core.Value, types []core.ShapedArray) []core.Value {
	var vs []core.Value
	watch := watching()
	run := func() { vs = core.Suspended(func() []core.Value { return e.Expand(in) }) }
	if watch != 0 {
		core.WithLocal(blind{Context()}, run)
	} else {
		run()
	}
	outs := make([]*Array, len(vs))
	for i, v := range vs {
		outs[i] = concrete(e, v)
	}
	if watch != 0 {
		arrays := make([]*Array, len(in))
		for i, v := range in {
			arrays[i] = concrete(e, v)
		}
		watch.look(nil, eager(e, core.AvalsOf(in), types), arrays, outs)
	}
	return typed(outs, types)
}

// small runs a kernel of few operands without garbage beyond the results.
func small(f kernel.Func, p core.Primitive, in []core.Value) []core.Value {
	s := scratches.Get().(*scratch)
	for i, v := range in {
		a := concrete(p, v)
		s.in[i] = a
		s.avals[i] = a.t.ShapedArray
	}
	types := core.AbstractOf(p, s.avals[:len(in)])
	holdable(p, s.avals[:len(in)], types)
	outs := make([]core.Value, len(types))
	arrays := s.out[:0]
	for i, t := range types {
		a := New(t)
		outs[i] = a
		arrays = append(arrays, a)
	}
	f(p, tensors(s.in[:len(in)]), tensors(arrays))
	if w := watching(); w != 0 {
		w.look(nil, eager(p, s.avals[:len(in)], types), s.in[:len(in)], arrays)
	}
	clear(arrays)
	s.in, s.out = [4]*Array{}, [4]*Array{}
	scratches.Put(s)
	return outs
}

// concrete is the array that v is.
func concrete(p core.Primitive, v core.Value) *Array {
	switch v := v.(type) {
	case *Array:
		if v.Dead() {
			core.FailOp(core.ErrDevice, p.Name(), []core.ShapedArray{v.Aval()},
				"an operand of type %v was donated to an earlier call, which has its memory now; use that call's result, or do not donate", v.Aval().Full())
		}
		return v
	case core.Literal:
		return FromLiteral(v)
	case core.Tracer:
		panic("BUG: a traced " + v.Aval().Full() + " reached the bottom, in " + p.Name())
	}
	core.FailOp(core.ErrDevice, p.Name(), nil, "an operand is a %T, which this runtime does not know", v)
	return nil
}

// userCall runs a call with rules of the user's that was not recorded: its function
// is an ordinary one here.
func userCall(p core.Primitive, in []core.Value) (out []core.Value, ok bool) {
	switch p := p.(type) {
	case *jaxpr.CustomJVP:
		if p.Jaxpr == nil {
			return p.F(in), true
		}
	case *jaxpr.CustomVJP:
		if p.Jaxpr == nil {
			return p.F(in), true
		}
	case *jaxpr.CustomVmap:
		if p.Jaxpr == nil {
			return p.F(in), true
		}
	}
	return nil, false
}

// typed gives the arrays the types that the operation's results have: weak marks
// may differ.
func typed(arrays []*Array, types []core.ShapedArray) []core.Value {
	outs := make([]core.Value, len(arrays))
	for i, a := range arrays {
		if a.t.ShapedArray != types[i] {
			a = a.WithType(types[i])
		}
		outs[i] = a
	}
	return outs
}

// Dead reports whether the array was donated.
func (a *Array) Dead() bool { return a.t.Data == nil && a.t.Size() != 0 && a.t.DType.Size() != 0 }

// donate takes the memory from donated operands. Results that are such an operand
// get it.
func donate(donated []bool, in, outs []*Array) {
	for i, d := range donated {
		if !d {
			continue
		}
		for k, o := range outs {
			if o == in[i] {
				outs[k] = FromTensor(&in[i].t)
			}
		}
	}
	for i, d := range donated {
		if d {
			in[i].t.Data = nil
		}
	}
}
