package runtime

import (
	"math"
	"slices"
	"sync"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/reference"
)

func init() { core.Bottom = bottom{} }

// bottom evaluates what no transformation handles, one operation at a time.
type bottom struct{}

func (bottom) Level() int64 { return 0 }

func (bottom) Live() bool { return true }

// scratch has what calls of kernels reuse: lists, and caches of prepared operations.
type scratch struct {
	avals   [4]core.ShapedArray
	in, out [4]*Array
	ops     core.OpMemo[preparedOp]
	leaves  [8]leafNote // the latest results of Executor.Leaf
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// Interpret evaluates p at once, on the goroutine's executor or where the operands are. On few
// elements in the Go heap a kernel of the reference executor runs instead, if p has one.
func (bottom) Interpret(p core.Primitive, in []core.Value) []core.Value {
	s := Current()
	s.ask()
	if call, ok := userCall(p, in); ok {
		return call
	}
	e := currentExecutor(s)
	if len(in) <= 4 && allSmaller(in, leastElements(e)) && allInHeap(in) {
		if f, ok := reference.Lookup(p); ok {
			if _, ok := reference.LookupProgram(p); !ok {
				return small(s, f, p, in)
			}
		}
	}
	arrays := make([]*Array, len(in))
	for i, v := range in {
		arrays[i] = concrete(p, v)
	}
	if q, ok := p.(*jaxpr.Jit); ok {
		types := core.AbstractOf(p, core.AvalsOf(in))
		return typed(runJit(s.context(), q, arrays), types)
	}
	avals := core.AvalsOf(in)
	types := core.AbstractOf(p, avals)
	holdable(p, avals, types)
	holdArgs(p.Name(), arrays)
	defer dropAll(arrays)
	if e = executorOf(e, p.Name(), arrays, capturedBy(p)); e != Reference {
		return typed(onExecutor(s, e, p, arrays, avals, types), types)
	}
	return typed(onReference(s, p, arrays, avals, types), types)
}

// onReference evaluates p by the reference executor. The caller holds the operands.
func onReference(s *Settings, p core.Primitive, in []*Array, avals, types []core.ShapedArray) []*Array {
	in = hostArrays(s.context(), p.Name(), in)
	if e, ok := p.(core.Expander); ok && !reference.Has(p) {
		return expand(s, e, in, avals, types)
	}
	for _, j := range jaxpr.Programs(p) {
		if held := holdConsts(j); len(held) > 0 {
			defer dropAll(held)
		}
	}
	act := actionOf(p, avals, types)
	x := newRun(s.context(), nil)
	outs := make([]*Array, len(types))
	act.run(x, in, outs)
	if x.watch != 0 {
		x.look(act, eager(p, avals, types), in, outs)
	}
	retype(outs, types)
	x.end(outs)
	return outs
}

// allSmaller reports whether all values have fewer than n elements. A small operation may
// still have a large result, as a broadcast.
func allSmaller(in []core.Value, n int) bool {
	if n == math.MaxInt {
		return true
	}
	for _, v := range in {
		if v.Aval().Size() >= n {
			return false
		}
	}
	return n > 0
}

// allInHeap reports whether all values are literals, or arrays in the Go heap.
func allInHeap(in []core.Value) bool {
	for _, v := range in {
		if a, ok := v.(*Array); ok && a.remote() != nil {
			return false
		}
	}
	return true
}

// holdable refuses results that no memory can hold, in the name of p.
func holdable(p core.Primitive, in, out []core.ShapedArray) {
	for _, t := range out {
		if why := TooLarge(t); why != "" {
			core.FailOp(core.ErrShape, p.Name(), slices.Clone(in), "the result cannot be allocated: %s", why)
		}
	}
}

// expand evaluates an operation as the operations that it consists of. Their results are
// not searched for NaNs or infinities, only its own.
func expand(s *Settings, e core.Expander, in []*Array, avals, types []core.ShapedArray) []*Array {
	vals := make([]core.Value, len(in))
	for i, a := range in {
		vals[i] = a
	}
	var vs []core.Value
	run := func() { vs = core.Suspended(func() []core.Value { return e.Expand(vals) }) }
	if s.Watch != 0 {
		WithSettings(func(s *Settings) { s.Watch = 0 }, run)
	} else {
		run()
	}
	outs := make([]*Array, len(vs))
	for i, v := range vs {
		outs[i] = concrete(e, v).ofItsOwn()
	}
	if s.Watch != 0 {
		s.Watch.look(nil, eager(e, avals, types), in, hostArrays(s.context(), e.Name(), outs))
	}
	return outs
}

// small runs a kernel of few operands without garbage beyond the results.
func small(set *Settings, f reference.Func, p core.Primitive, in []core.Value) []core.Value {
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
	holdArgs(p.Name(), s.in[:len(in)])
	set.runKernel(f, p, s.in[:len(in)], arrays)
	dropAll(s.in[:len(in)])
	set.ask()
	if w := set.Watch; w != 0 {
		w.look(nil, eager(p, s.avals[:len(in)], types), s.in[:len(in)], arrays)
	}
	clear(arrays)
	s.in, s.out = [4]*Array{}, [4]*Array{}
	scratches.Put(s)
	return outs
}

func concrete(p core.Primitive, v core.Value) *Array {
	switch v := v.(type) {
	case *Array:
		return v
	case core.Literal:
		return FromLiteral(v)
	case core.Tracer:
		panic("BUG: a traced " + v.Aval().Full() + " reached the bottom, in " + p.Name())
	}
	core.FailOp(core.ErrDevice, p.Name(), nil, "an operand is a %T, which this runtime does not support; pass an Array", v)
	return nil
}

// userCall calls the Go function of an operation with user-defined rules, if the function was
// not traced to a program.
func userCall(p core.Primitive, in []core.Value) (out []core.Value, ok bool) {
	var f func(in []core.Value) []core.Value
	switch p := p.(type) {
	case *jaxpr.CustomJVP:
		f, ok = p.Function()
	case *jaxpr.CustomVJP:
		f, ok = p.Function()
	case *jaxpr.CustomVmap:
		f, ok = p.Function()
	}
	if !ok {
		return nil, false
	}
	return f(in), true
}

// typed returns the arrays with the types of the operation's results: weak marks may differ.
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

// retype corrects the weak marks of results that nothing else refers to.
func retype(outs []*Array, types []core.ShapedArray) {
	for i, a := range outs {
		if a.refs == 1 && a.t.ShapedArray != types[i] {
			a.t.ShapedArray = types[i]
		}
	}
}
