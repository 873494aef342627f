package fuse

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/expand"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// Update changes some elements of an array: a scatter or a dynamic_update_slice. The step
// copies Args[0] to Out, unless both are the same memory, and then runs the kernel. If
// Ordered, the points of the kernel's grid run one after another in row-major order,
// since several of them may change one element.
type Update struct {
	step
	Eqn     *jaxpr.Eqn
	Kernel  *ir.Kernel
	Buffers []int // ids of values, by buffer of the kernel
	Args    []int // ids of the equation's operands
	Out     int
	Ordered bool
}

func (s *Update) Reads() []int          { return s.Args }
func (s *Update) Writes() []int         { return []int{s.Out} }
func (s *Update) Kernels() []*ir.Kernel { return []*ir.Kernel{s.Kernel} }
func (s *Update) reusing() []int        { return []int{s.Out} }

func (s *Update) overwrites(u *memoryUse, out int, candidate func(root int) bool) int {
	if x := u.root(s.Args[0]); u.once(s.Args, x) && candidate(x) {
		return x
	}
	return -1
}

func (s *Update) write(w *planWriter) {
	w.line("update %s%s → %s", s.Eqn.Prim.Name(), w.p.names(s.Args), w.p.name(s.Out))
}

type updateAxis struct {
	n      int
	window bool
	x      int // window: stride in the array
	at     int // else: stride in the index array
	batch  int // else: stride in the array of the batching axis that corresponds, 0 for none
	u      int // stride in the updates
}

// An updateStart is where windows begin along an axis of the array.
type updateStart struct {
	stride int // of the axis
	room   int // greatest start of a window that lies inside
	value  int // id of the index array
	base   int // element of the first index vector
	step   int // 0: the index array has one element; else windows have index vectors of their own
}

type updater struct {
	p      *planner
	e      *emitter
	name   string
	x, u   core.ShapedArray
	axes   []updateAxis
	starts []updateStart
	drop   bool         // windows that reach out change nothing; else they are moved inside
	prog   *scalar.Prog // of an element and an update; nil: the update replaces the element
}

// combinerOf returns the operation of a scatter, nil where updates replace elements.
func combinerOf(c indexed.Combiner) core.Primitive {
	switch c {
	case indexed.CombineAdd:
		return prim.AddP{}
	case indexed.CombineSub:
		return prim.SubP{}
	case indexed.CombineMul:
		return prim.MulP{}
	case indexed.CombineMin:
		return prim.MinP{}
	case indexed.CombineMax:
		return prim.MaxP{}
	}
	return nil
}

func updateClass(e *jaxpr.Eqn) (class, string) {
	if q, ok := e.Prim.(indexed.ScatterP); ok {
		if c := combinerOf(q.Combine); c != nil {
			dt := e.Outs[0].Type.DType
			if _, ok := expand.Program(c, []core.DType{dt, dt}, dt); !ok {
				return fallback, "combines elements of type " + dt.String()
			}
		}
	}
	return updating, ""
}

// rowMajor returns the strides, in elements, of an array that lies row-major and dense.
func rowMajor(shape core.Dims) []int {
	s := make([]int, shape.Len())
	step := 1
	for i := shape.Len() - 1; i >= 0; i-- {
		s[i] = step
		step *= shape.At(i)
	}
	return s
}

func (p *planner) update(e *jaxpr.Eqn) {
	s := &Update{Eqn: e, Args: p.operands(e)}
	k := &updater{p: p, name: "k" + itoa(len(p.items)) + "_update", x: e.Outs[0].Type}
	from := s.Args[1] // the updates
	switch q := e.Prim.(type) {
	case indexed.DynamicUpdateSliceP:
		k.u = e.Ins[1].Aval()
		xs, us := rowMajor(k.x.Shape), rowMajor(k.u.Shape)
		for i, n := range k.u.Shape.All() {
			k.axes = append(k.axes, updateAxis{n: n, window: true, x: xs[i], u: us[i]})
			if room := k.x.Shape.At(i) - n; room > 0 { // else they begin at 0
				k.starts = append(k.starts, updateStart{stride: xs[i], room: room, value: s.Args[2+i]})
			}
		}
	case indexed.ScatterP:
		k.u = e.Ins[2].Aval()
		k.scatter(e, q, s.Args[1])
		from, s.Ordered = s.Args[2], true
	}
	s.Out = p.outputs(e)[0]
	s.Kernel = k.kernel(s.Out, from)
	s.Buffers = k.e.buffers
	p.made(e, p.add(s))
}

func (k *updater) scatter(e *jaxpr.Eqn, q indexed.ScatterP, index int) {
	xs, us := rowMajor(k.x.Shape), rowMajor(k.u.Shape)
	idx := e.Ins[1].Aval().Shape
	is := rowMajor(idx)
	sizes := make([]int, k.x.Rank()) // of a window
	var windows []int                // axes of the array along which windows extend
	for i := range sizes {
		sizes[i] = 1
		if !q.InsertedWindowDims.Has(i) && !q.OperandBatchingDims.Has(i) {
			sizes[i] = k.u.Shape.At(q.UpdateWindowDims.At(len(windows)))
			windows = append(windows, i)
		}
	}
	window, place := 0, 0
	for i, n := range k.u.Shape.All() {
		a := updateAxis{n: n, u: us[i]}
		if q.UpdateWindowDims.Has(i) {
			a.window, a.x = true, xs[windows[window]]
			window++
		} else {
			a.at = is[place]
			for j, d := range q.ScatterIndicesBatchingDims.All() {
				if d == place {
					a.batch = xs[q.OperandBatchingDims.At(j)]
				}
			}
			place++
		}
		k.axes = append(k.axes, a)
	}
	k.drop = q.Mode != indexed.Clip
	for j, d := range q.ScatterDimsToOperandDims.All() {
		k.starts = append(k.starts, updateStart{stride: xs[d], room: k.x.Shape.At(d) - sizes[d], value: index, base: j, step: 1})
	}
	if c := combinerOf(q.Combine); c != nil {
		k.prog, _ = expand.Program(c, []core.DType{k.x.DType, k.x.DType}, k.x.DType)
	}
}

// merge makes neighbouring axes one where a single stride in each array steps through both, and drops axes of size 1.
func (k *updater) merge() {
	var out []updateAxis
	for _, a := range k.axes {
		if a.n == 1 {
			continue
		}
		if n := len(out) - 1; n >= 0 {
			b := &out[n]
			if a.window == b.window && b.x == a.x*a.n && b.at == a.at*a.n && b.batch == a.batch*a.n && b.u == a.u*a.n {
				b.n, b.x, b.at, b.batch, b.u = a.n*b.n, a.x, a.at, a.batch, a.u
				continue
			}
		}
		out = append(out, a)
	}
	k.axes = out
}

// updateRun is the number of elements of a long run that a point of the grid changes. Runs of at most twice
// as many elements are not divided.
const updateRun = 4096

// kernel writes the kernel: value `out` contains the array, updates are read from value u.
func (k *updater) kernel(out, u int) *ir.Kernel {
	k.merge()
	k.e = &emitter{p: k.p, b: ir.NewBuilder(k.name), bufOf: map[int]int{}}
	e, b := k.e, k.e.b
	var terms []ir.Term // by axis: its value
	axes := k.axes
	last := len(axes) - 1
	run := last >= 0 && axes[last].window
	if run {
		axes = axes[:last]
	}
	for _, a := range axes {
		terms = append(terms, ir.Term{Axis: b.Grid(ir.Const(int64(a.n)))})
	}
	var outer ir.Axis
	split := run && k.axes[last].n > 2*updateRun
	if split {
		outer = b.Grid(ir.Const(int64((k.axes[last].n + updateRun - 1) / updateRun)))
	}
	// sum returns Σ stride·axis, where stride is a field of the axes.
	sum := func(stride func(a *updateAxis) int, extra ...ir.Term) []ir.Term {
		var ts []ir.Term
		for i := range axes {
			if n := stride(&axes[i]); n != 0 {
				ts = append(ts, ir.Term{Axis: terms[i].Axis, Coeff: ir.Const(int64(n))})
			}
		}
		return append(ts, extra...)
	}
	x := e.buffer(out, ir.InOut)
	from := e.buffer(u, ir.In)
	inside := ir.NoRef
	comps := scalar.Components(k.x.DType)
	var place []ir.Coord
	for _, s := range k.starts {
		n := int64(e.p.plan.Values[s.value].Type.Size())
		at := ir.Coord{Stride: ir.Const(1), Bound: ir.Const(n), Base: ir.Const(int64(s.base)), Value: ir.NoRef}
		if s.step != 0 {
			at.Terms = sum(func(a *updateAxis) int { return a.at })
		}
		r := e.indexValue(b.Load(ir.Access{Buffer: e.buffer(s.value, ir.In), Coords: []ir.Coord{at}}))
		if k.drop {
			inside = e.and(inside, e.within(r, int64(s.room)+1))
		}
		place = append(place, ir.Coord{Stride: ir.Const(int64(s.stride * comps)), Bound: ir.Const(int64(s.room) + 1), Mode: ir.Clamp, Value: r})
	}
	change := func(in ...ir.Term) {
		k.element(x, from, place, sum, in)
	}
	all := func() []ir.Ref {
		switch {
		case !run:
			change()
		case split:
			tail := &ir.Tail{Outer: outer, Total: ir.Const(int64(k.axes[last].n))}
			b.Vector(ir.Const(updateRun), tail, func(i ir.Axis) {
				change(ir.Term{Axis: outer, Coeff: ir.Const(updateRun)}, ir.Term{Axis: i, Coeff: ir.Const(1)})
			})
		default:
			b.Vector(ir.Const(int64(k.axes[last].n)), nil, func(i ir.Axis) { change(ir.Term{Axis: i, Coeff: ir.Const(1)}) })
		}
		return nil
	}
	if inside == ir.NoRef {
		all()
	} else {
		b.If(inside, all, func() []ir.Ref { return nil })
	}
	return b.Finish()
}

// element writes the change of one element. If the last axis is a run, `in` are the terms of
// the position in it.
func (k *updater) element(x, from int, place []ir.Coord, sum func(stride func(a *updateAxis) int, extra ...ir.Term) []ir.Term, in []ir.Term) {
	b := k.e.b
	comps := int64(scalar.Components(k.x.DType))
	scaled := func(n int) []ir.Term {
		var ts []ir.Term
		for _, t := range in {
			ts = append(ts, ir.Term{Axis: t.Axis, Coeff: ir.Const(t.Coeff.Value * int64(n))})
		}
		return ts
	}
	var last updateAxis
	if len(in) > 0 {
		last = k.axes[len(k.axes)-1]
	}
	run := func(buffer int, n int, others []ir.Term) ir.Coord {
		return ir.Coord{Stride: ir.Const(comps), Bound: ir.Const(int64(n)), Terms: others, Value: ir.NoRef}
	}
	reach := 1 // elements of the array from the first of a window to the last, at most
	for _, a := range k.axes {
		reach += (a.n - 1) * (a.x + a.batch)
	}
	inX := run(x, reach, append(sum(func(a *updateAxis) int { return a.x + a.batch }), scaled(last.x)...))
	inU := run(from, k.u.Size(), append(sum(func(a *updateAxis) int { return a.u }), scaled(last.u)...))
	var old, upd, next []ir.Ref
	access := func(c int64, buffer int, coords ...ir.Coord) ir.Access {
		return ir.Access{Buffer: buffer, Offset: ir.Const(c), Coords: coords}
	}
	coords := append(append([]ir.Coord(nil), place...), inX)
	for c := range comps {
		upd = append(upd, b.Load(access(c, from, inU)))
	}
	next = upd
	if k.prog != nil {
		for c := range comps {
			old = append(old, b.Load(access(c, x, coords...)))
		}
		next = b.Inline(k.prog, [][]ir.Ref{old, upd})
	}
	for c, r := range next {
		b.Store(access(int64(c), x, coords...), r)
	}
}

// indexValue returns an index as an i64. An index that does not fit becomes the greatest i64.
func (e *emitter) indexValue(r ir.Ref) ir.Ref {
	if e.b.TypeOf(r) == scalar.U64 {
		r = e.op(scalar.OpMin, scalar.U64, r, e.b.Const(scalar.U64, 1<<63-1))
	}
	return e.convert(scalar.I64, r)
}
