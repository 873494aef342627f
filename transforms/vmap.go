package transforms

import (
	"slices"
	"sync/atomic"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
)

// vmap is the interpreter of batches. The array of a mapped value has one more axis, of size n
// and in front, than the value's type shows.
type vmap struct {
	level atomic.Int64
	live  atomic.Int32 // how many times it is entered: user-defined rules enter it again
	n     int
	axis  string // name of the axis, "" if it has none
	part  *Part  // of the named axis that the batch holds; nil: all

	devices bool // the batch is the devices of a mesh
}

type batched struct {
	i    *vmap
	v    Value
	aval core.ShapedArray // without the batch axis; cached: nested batches need it at every level
}

func newVmap(n int, axis string) *vmap {
	b := &vmap{n: n, axis: axis}
	b.level.Store(core.NextLevel())
	return b
}

func (b *vmap) Level() int64 { return b.level.Load() }
func (b *vmap) Live() bool   { return b.live.Load() > 0 }

// AxisNameAndSize returns the batch's axis: part of what programs traced within it depend on.
func (b *vmap) AxisNameAndSize() (string, int) { return b.axis, b.size() }

func (b *vmap) size() int {
	if b.part != nil {
		return b.part.N
	}
	return b.n
}

// BindsAxis reports whether name is this batch's axis, and the size of that axis.
func (b *vmap) BindsAxis(name string) (int, bool) {
	return b.size(), b.axis != "" && name == b.axis
}

func (x *batched) Aval() core.ShapedArray { return x.aval }

func (x *batched) Interpreter() core.Interpreter { return x.i }

// Mapped reports whether x cannot be looked at because its batch is live: see [trace.IsMapped].
func (x *batched) Mapped() bool { return x.i.Live() }

func (x *batched) String() string { return "Batched<" + x.Aval().Full() + ">" }

func (b *vmap) box(v Value, mapped bool) Value {
	if !mapped {
		return v
	}
	a := v.Aval()
	return &batched{b, v, a.WithShape(a.Shape.Slice(1, a.Rank()))}
}

// unbox returns the values in boxes of the batch and whether each was in one.
func (b *vmap) unbox(vs []Value) (vals []Value, mapped []bool) {
	vals, mapped = make([]Value, len(vs)), make([]bool, len(vs))
	for k, v := range vs {
		vals[k], mapped[k] = b.unboxSingle(v)
	}
	return vals, mapped
}

// unboxSingle returns the value in a box of the batch and true, or v itself.
func (b *vmap) unboxSingle(v Value) (inner Value, mapped bool) {
	if t, ok := v.(core.Tracer); ok && !t.Interpreter().Live() {
		v = core.Resolve(t)
	}
	if x, ok := v.(*batched); ok && x.i == b {
		return x.v, true
	}
	return v, false
}

// enter runs f with the batch live and younger than everything else. User-defined rules are Go
// functions that hold its values. They may run long after Vmap has returned, under younger
// interpreters, and then enter it again.
func (b *vmap) enter(f func() []Value) []Value {
	old := b.level.Swap(core.NextLevel())
	b.live.Add(1)
	defer func() {
		b.level.Store(old)
		b.live.Add(-1)
	}()
	defer core.Enter(b)()
	return f()
}

func (b *vmap) Interpret(p core.Primitive, in []Value) []Value {
	defer b.rewriteErrors(p, in)
	if !core.IsClosureful(p) {
		return b.interpret(p, in)
	}
	var outs []Value
	jaxpr.WithinThoseOf(p, func() { outs = b.interpret(p, in) })
	return outs
}

func (b *vmap) interpret(p core.Primitive, in []Value) []Value {
	requireWhole(p)
	vals, mapped := b.unbox(in)
	if c, ok := p.(core.Closureful); ok {
		if outs, outMapped, ok := b.batchCustom(c, vals, mapped); ok {
			return b.boxAll(outs, outMapped)
		}
	}
	inside := core.IsClosureful(p)
	names := b.axis != "" && b.names(p)
	if !anyTrue(mapped) && !names && !inside {
		return core.Bind(p, vals...)
	}
	outs, outMapped := b.batch(p, in, vals, mapped, names)
	return b.boxAll(outs, outMapped)
}

// Apply is Interpret for operations of one or two operands and one result: see [core.Applier].
func (b *vmap) Apply(p core.Primitive, x, y Value) Value {
	_, elementwise := p.(core.Elementwise)
	if !elementwise || b.axis != "" || core.IsClosureful(p) {
		if y == nil {
			return b.Interpret(p, []Value{x})[0]
		}
		return b.Interpret(p, []Value{x, y})[0]
	}
	defer b.rewriteApplyErrors(p, x, y)
	x, mx := b.unboxSingle(x)
	if y == nil {
		return b.box(b.applyNested(p, x, nil), mx)
	}
	y, my := b.unboxSingle(y)
	if mx || my {
		rank := max(elementRank(x, mx), elementRank(y, my))
		x, y = withUnitAxis(b.n, p, x, mx), withUnitAxis(b.n, p, y, my)
		x, y = withRank(x, mx, rank), withRank(y, my, rank)
	}
	return b.box(b.applyNested(p, x, y), mx || my)
}

// rewriteErrors, deferred, turns an error about the types of a batch into one about the types of
// its elements, which are the types that the user's function sees.
func (b *vmap) rewriteErrors(p core.Primitive, in []Value) {
	if r := recover(); r != nil {
		panic(forElements(r, p, in))
	}
}

func (b *vmap) rewriteApplyErrors(p core.Primitive, x, y Value) {
	r := recover()
	switch {
	case r == nil:
	case y == nil:
		panic(forElements(r, p, []Value{x}))
	default:
		panic(forElements(r, p, []Value{x, y}))
	}
}

// forElements returns the error that p has for the elements' types, or the recovered value r if
// it has none.
func forElements(r any, p core.Primitive, in []Value) any {
	if _, ok := r.(*core.Error); !ok || core.IsClosureful(p) {
		return r
	}
	if err, ok := core.Catch(func() { core.AbstractOf(p, core.AvalsOf(in)) }).(*core.Error); ok {
		return err
	}
	return r
}

func (b *vmap) boxAll(outs []Value, mapped []bool) []Value {
	boxed := make([]Value, len(outs))
	for k, v := range outs {
		boxed[k] = b.box(v, mapped[k])
	}
	return boxed
}

func (b *vmap) names(p core.Primitive) bool {
	for n := range core.AxisNamesOf(p) {
		if n == b.axis {
			return true
		}
	}
	return false
}

func (b *vmap) batch(p core.Primitive, elements, in []Value, mapped []bool, names bool) ([]Value, []bool) {
	switch p := p.(type) {
	case *jaxpr.Jit, *jaxpr.CoreCall:
		return b.batchCall(p, in, mapped)
	case *jaxpr.Cond:
		return b.batchCond(p, in, mapped)
	case *jaxpr.While:
		return b.batchWhile(p, in, mapped)
	case *jaxpr.Scan:
		return b.batchScan(p, in, mapped)
	case *jaxpr.Remat:
		return b.batchRemat(p, in, mapped)
	case *jaxpr.ShardMap:
		return b.batchShardMap(p, in, mapped)
	case *jaxpr.LinearCall:
		return b.batchLinearCall(p, in, mapped)
	case *jaxpr.LinearSolve:
		return b.batchLinearSolve(p, in, mapped)
	}
	defer core.Guard(p, in)
	if !names && !core.IsClosureful(p) { // a rule may accept what its operation refuses for elements, such as axis −1
		core.AbstractOf(p, core.AvalsOf(elements))
	}
	if names {
		x, ok := p.(prim.AxisBatcher)
		if !ok {
			core.FailOp(core.ErrNoRule, p.Name(), core.AvalsOf(in), "has no rule for the named axis %q; use an axis of a Vmap around it", b.axis)
		}
		if b.part != nil {
			return job.batch(b, x, in, mapped)
		}
		return x.BatchAxis(b.axis, b.n, in, mapped)
	}
	switch p := p.(type) {
	case core.Elementwise:
		return batchElementwise(b.n, p, in, mapped)
	case core.Batcher:
		return p.Batch(b.n, in, mapped)
	}
	core.FailOp(core.ErrNoRule, p.Name(), core.AvalsOf(in), "has no batching rule; take it out of the mapped function, or use MapScan instead of Vmap")
	return nil, nil
}

// batchElementwise applies an elementwise operation to the batch: operands get axes of
// size 1 where they must be broadcast.
func batchElementwise(n int, p core.Primitive, in []Value, mapped []bool) ([]Value, []bool) {
	rank := 0
	for k, v := range in {
		rank = max(rank, elementRank(v, mapped[k]))
	}
	args := make([]Value, len(in))
	for k, v := range in {
		args[k] = withUnitAxis(n, p, v, mapped[k])
	}
	for k, v := range args {
		args[k] = withRank(v, mapped[k], rank)
	}
	outs := core.Bind(p, args...)
	return outs, all(len(outs), true)
}

func elementRank(v Value, mapped bool) int {
	r := v.Aval().Rank()
	if mapped {
		r--
	}
	return r
}

// withUnitAxis returns an operand of an elementwise operation on a batch. One that has axes and is
// not mapped gets a leading axis of size 1, so that the operation broadcasts it over the batch.
// Operands of add_any get the whole batch axis.
func withUnitAxis(n int, p core.Primitive, v Value, mapped bool) Value {
	a := v.Aval()
	switch _, strict := p.(prim.AddAnyP); {
	case strict: // broadcasts nothing
		return front(v, mapped, n)
	case !mapped && a.Rank() > 0:
		return front(v, false, 1)
	}
	return v
}

// withRank returns an operand of an elementwise operation. A batch of scalars gets trailing axes of
// size 1, as many as rank, the rank of the other operand's elements.
func withRank(v Value, mapped bool, rank int) Value {
	a := v.Aval()
	if !mapped || a.Rank() != 1 || rank == 0 {
		return v
	}
	ones := a.Shape.Ints()
	for range rank {
		ones = append(ones, 1)
	}
	return prim.BroadcastInDim(v, core.MakeDims(ones...), core.MakeDims(0))
}

// front adds a leading axis of size n to v, unless v is mapped and so has it already.
func front(v Value, mapped bool, n int) Value {
	if mapped {
		return v
	}
	a := v.Aval()
	return prim.BroadcastInDim(v, a.Shape.Prepend(n), core.Range(1, a.Rank()+1))
}

// Vmap applies f to all elements of a batch of size n at once. mapped marks the arguments that have
// a leading axis of size n; results have one where outMapped.
func Vmap(n int, axis string, f func([]Value) []Value, args []Value, mapped []bool) (outs []Value, outMapped []bool) {
	return newVmap(n, axis).apply(f, args, mapped)
}

func (b *vmap) apply(f func([]Value) []Value, args []Value, mapped []bool) (outs []Value, outMapped []bool) {
	b.enter(func() []Value {
		outs, outMapped = b.unbox(f(b.boxAll(args, mapped)))
		return nil
	})
	return outs, outMapped
}

type batchedProgram struct {
	j     *jaxpr.Jaxpr // extra, inputs → results
	extra []Value
	out   []bool // results with a leading axis
}

// batchRaw returns j over the batch, with its constants in place. want, if not nil, marks results
// that must be mapped. The program is evaluated by this very batch, entered again: custom rules
// within it may hold values of the batch.
func (b *vmap) batchRaw(j *jaxpr.Jaxpr, mapped, want []bool) *batchedProgram {
	x := &batchedProgram{}
	avals := j.InAvals()
	for k, a := range avals {
		if mapped[k] {
			avals[k] = a.WithShape(a.Shape.Prepend(b.n))
		}
	}
	x.j = trace.Stage("vmap", avals, func(in []Value) []Value {
		outs, outMapped := b.apply(func(in []Value) []Value { return eval(j, in) }, in, mapped)
		for k := range outs {
			if want != nil && want[k] {
				outs[k] = front(outs[k], outMapped[k], b.n)
				outMapped[k] = true
			}
		}
		x.out = outMapped
		return outs
	})
	return x
}

type batchKey struct {
	n            int
	axis         string
	part         string // the key of the Part of the axis
	mapped, want string
	h            hoisting
}

func (b *vmap) batchJaxpr(j *jaxpr.Jaxpr, mapped, want []bool, h hoisting) *batchedProgram {
	return jaxpr.Cached(j, batchKey{b.n, b.axis, b.part.key(), bits(mapped), bits(want), h}, func() *batchedProgram {
		x := b.batchRaw(j, mapped, want)
		x.extra = h.hoist(x.j)
		return x
	}, func(x *batchedProgram) bool { return !core.HasTracer(x.extra) && !j.Closureful() })
}

// batchBody returns a loop's body over a batch, and which of its inputs are mapped: those that
// mask marks, and the carried ones whose results are mapped. The n carried inputs begin at index
// from. The program of the last round is used if it fits: programs with user-defined rules are
// not memoized, and bodies nested d deep would be batched 2ᵈ times.
func (b *vmap) batchBody(body *jaxpr.Jaxpr, mask []bool, from, n int) ([]bool, *batchedProgram) {
	var last *batchedProgram
	var of []bool
	m := carryFixpoint(body, mask, from, n, func(j *jaxpr.Jaxpr, mask []bool) []bool {
		x := b.batchJaxpr(j, mask, nil, everything)
		if j == body {
			last, of = x, slices.Clone(mask)
		}
		return x.out
	})
	carry := m[from : from+n]
	if slices.Equal(of, m) && slices.Equal(last.out[:n], carry) {
		return m, last
	}
	return m, b.batchJaxpr(body, m, concat(carry, make([]bool, len(body.Outs)-n)), everything)
}
