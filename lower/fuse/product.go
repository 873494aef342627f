package fuse

import (
	"fmt"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
)

// Product is a dense product of arrays in memory,
//
//	C[b, i, j] = Σₖ A[b, i, k] · B[b, j, k]
//
// with C row-major and dense. Floats are summed in chains of Chunk fused multiply-adds
// from +0, added from left to right to +0, and NaNs become canonical; integers wrap.
type Product struct {
	step
	Eqn     *jaxpr.Eqn
	Type    core.DType // of A, B and C, or of the parts of complex numbers: a float or an integer of 32 or 64 bits; see Tensor for the exceptions
	Chunk   int
	M, N, K int // at least 1
	Batch   []ProductAxis
	A, B    ProductView
	In      [2]int // ids of values
	Out     int

	// Tensor, if it is set, is the type of A and B, and Type is that of C alone. On tensor cores it
	// is BFloat16, Float16 or Float32, whose elements are rounded to tf32; Type is Tensor or
	// Float32, and sums are taken in f32 in any order. If Tensor is Int16, operands are read in
	// pairs, Type is Int32 or Uint32, and sums wrap. If it is Uint8, A has elements u8 and B i8,
	// operands are read in fours, and sums wrap, too.
	Tensor core.DType
	// If Pairs is set, K, and the offsets and strides of A and B, count words of 32 bits: neighbours of type Tensor.
	Pairs bool
}

// ProductAxis is a batch axis with its strides, in elements. C's follow from the sizes.
type ProductAxis struct{ N, A, B int }

// ProductView states where an operand's elements are, counted in elements of its array.
// Offset is the first one, Outer the stride from row to row of A or from column to column
// of B, and K the stride from one contracted element to the next. One of the two strides
// is 1, or belongs to a size of 1.
type ProductView struct{ Offset, Outer, K int }

func (s *Product) Reads() []int     { return s.In[:] }
func (s *Product) Writes() []int    { return []int{s.Out} }
func (*Product) mayRunBefore() bool { return true }

func (s *Product) joins(b *tiler) (part RowTilePart, ok bool) { return b.product(s) }

func (s *Product) write(w *planWriter) {
	w.line("product %v %s → %s", s, w.list(s.In[:]), w.p.name(s.Out))
}

func (s *Product) String() string {
	t := fmt.Sprintf("%v %d×%d×%d", s.Type, s.M, s.K*s.Word(), s.N)
	switch {
	case s.Tensor == core.Uint8:
		t = "fours of bytes to " + t
	case s.Tensor == core.Int16:
		t = fmt.Sprintf("pairs of %v to %s", s.Tensor, t)
	case s.Tensor != core.Invalid:
		t = fmt.Sprintf("tensor %v to %s", s.Tensor, t)
	}
	for _, b := range s.Batch {
		t += fmt.Sprintf(" ×%d", b.N)
	}
	return t
}

// Word returns how many neighbours K counts as one: 1 if they are not read in words.
func (s *Product) Word() int {
	if !s.Pairs {
		return 1
	}
	return wordBits / s.Tensor.Bits()
}

// wordBits is the size of the words in which neighbours are read.
const wordBits = 32

// DotChunk is the number of products of a chain.
const DotChunk = 128

// productType returns the type in which a dot_general with a result of type dt is
// computed, and whether [Product] computes such a dot_general.
func productType(dt core.DType) (core.DType, bool) {
	switch dt {
	case core.Float32, core.Float64, core.Int32, core.Int64, core.Uint32, core.Uint64:
		return dt, true
	case core.Int8, core.Int16, core.Uint8, core.Uint16, core.Bool, core.Int2, core.Int4, core.Uint2, core.Uint4:
		return core.Int32, true
	}
	return core.Float32, dt.IsFloat() // of 16 bits and fewer
}

func productClass(e *jaxpr.Eqn) (class, string) {
	if e.Outs[0].Type.DType.IsComplex() {
		return complexClass(e)
	}
	base, ok := productType(e.Outs[0].Type.DType)
	if !ok {
		return fallback, "product of type " + e.Outs[0].Type.DType.String()
	}
	for _, a := range e.Ins {
		dt := a.Aval().DType
		if t, ok := productType(dt); dt != base && (!ok || t.IsFloat() && !base.IsFloat() || t.Bits() > base.Bits()) {
			return fallback, "product of type " + dt.String()
		}
	}
	return product, ""
}

// product makes a step of a dot_general, and equations that convert its operands and its
// result where it is computed in another type.
func (p *planner) product(e *jaxpr.Eqn) {
	q, _ := dotOf(e.Prim)
	out := e.Outs[0].Type
	if out.DType.IsComplex() {
		p.complexProduct(e, q)
		return
	}
	base, _ := productType(out.DType)
	in := base
	p.fast = core.Invalid
	if p.target.Tensor.Cores {
		p.fast = tensorType(e)
		if p.target.Tensor.Pairs && p.fast != core.BFloat16 {
			p.fast = core.Invalid
		}
		if p.fast != core.Invalid {
			in = p.fast
		}
	}
	if p.target.ShortPairs && shortPairs(e, q, base) {
		if p.target.ByteDots && p.bytes(e, q) {
			p.bytesOf(e, q)
			return
		}
		p.fast, in = core.Int16, core.Int16
	}
	a, b := p.converted(e, e.Ins[0], in), p.converted(e, e.Ins[1], in)
	if out.DType == base || out.DType == p.fast && !p.pairs() {
		p.productOf(e, q, a, b, e.Outs[0])
		return
	}
	wide := jaxpr.NewVar(core.ShapedArray{Shape: out.Shape, DType: base})
	p.productOf(e, q, a, b, wide)
	p.eqn(&jaxpr.Eqn{Outs: e.Outs, Prim: prim.ConvertElementTypeP{NewDType: out.DType, WeakType: out.Weak}, Ins: []jaxpr.Atom{wide}, Site: e.Site})
}

func (p *planner) converted(e *jaxpr.Eqn, a jaxpr.Atom, dt core.DType) jaxpr.Atom {
	if a.Aval().DType == dt {
		return a
	}
	return p.made1(e, prim.ConvertElementTypeP{NewDType: dt}, a, core.ShapedArray{Shape: a.Aval().Shape, DType: dt})
}

// made1 adds an equation that the program does not have and returns its result.
func (p *planner) made1(e *jaxpr.Eqn, prim core.Primitive, a jaxpr.Atom, t core.ShapedArray) *jaxpr.Var {
	v := jaxpr.NewVar(t)
	p.eqn(&jaxpr.Eqn{Outs: []*jaxpr.Var{v}, Prim: prim, Ins: []jaxpr.Atom{a}, Site: e.Site})
	return v
}

// An axisRun is neighbouring axes that one stride for each operand steps through.
type axisRun struct {
	n    int
	step [2]int
}

// runs returns the runs of n axes, from the outermost to the innermost. Axes of size 1 are dropped.
func runs(n int, size func(i int) int, steps func(i int) [2]int) []axisRun {
	var out []axisRun
	for i := range n {
		if size(i) == 1 {
			continue
		}
		r := axisRun{size(i), steps(i)}
		if k := len(out) - 1; k >= 0 && out[k].step[0] == r.step[0]*r.n && out[k].step[1] == r.step[1]*r.n {
			out[k].n *= r.n
			out[k].step = r.step
			continue
		}
		out = append(out, r)
	}
	return out
}

// single returns the only run, or a run of one element if there is none. It reports false if there are
// several.
func single(rs []axisRun) (axisRun, bool) {
	if len(rs) == 0 {
		return axisRun{n: 1}, true
	}
	return rs[0], len(rs) == 1
}

func (p *planner) productOf(e *jaxpr.Eqn, q prim.DotGeneralP, a, b jaxpr.Atom, out *jaxpr.Var) {
	if p.pairs() {
		p.pairsOf(e, q, a, b, out)
		return
	}
	if p.fewRows(e, q, a, b, out) || p.transposed(e, q, a, b, out) || p.panels(e, q, a, b, out) {
		return
	}
	_, chunk := dotOf(e.Prim)
	s := &Product{Eqn: e, Type: out.Type.DType, Chunk: chunk}
	atoms := [2]jaxpr.Atom{a, b}
	contract, batch := [2]core.Dims{q.LhsContract, q.RhsContract}, [2]core.Dims{q.LhsBatch, q.RhsBatch}
	var free [2]core.Dims
	var views [2]view
	for i, x := range atoms {
		free[i] = freeAxes(x, batch[i], contract[i])
		views[i] = p.view(x)
		alone := func(axes core.Dims) (axisRun, bool) {
			return single(runs(axes.Len(), func(j int) int { return x.Aval().Shape.At(axes.At(j)) }, func(j int) [2]int { return [2]int{views[i].strides[axes.At(j)]} }))
		}
		ks, ok := alone(contract[i])
		rows, fits := alone(free[i])
		if ok && fits && (ks.n == 1 || ks.step[0] == 1 || rows.n == 1 || rows.step[0] == 1 && !p.alongK(e, q, 1-i)) {
			continue
		}
		// A copy in the order of batch, free and contracted axes.
		perm := core.MakeDims(append(append(batch[i].Ints(), free[i].Ints()...), contract[i].Ints()...)...)
		t := x.Aval()
		t.Shape = perm.Map(t.Shape.At)
		atoms[i] = p.made1(e, prim.TransposeP{Perm: perm}, x, t)
		views[i] = p.whole(atoms[i])
		nb, nf := batch[i].Len(), free[i].Len()
		batch[i], free[i], contract[i] = core.Range(0, nb), core.Range(nb, nb+nf), core.Range(nb+nf, t.Rank())
	}
	both := func(l, r core.Dims) []axisRun {
		return runs(l.Len(), func(j int) int { return atoms[0].Aval().Shape.At(l.At(j)) }, func(j int) [2]int {
			return [2]int{views[0].strides[l.At(j)], views[1].strides[r.At(j)]}
		})
	}
	ks, ok := single(both(contract[0], contract[1]))
	if !ok {
		panic("BUG: contracted axes that merge in each operand do not in both")
	}
	s.K = ks.n
	s.A.K, s.B.K = ks.step[0], ks.step[1]
	for i := range 2 {
		r, _ := single(runs(free[i].Len(), func(j int) int { return atoms[i].Aval().Shape.At(free[i].At(j)) }, func(j int) [2]int { return [2]int{views[i].strides[free[i].At(j)]} }))
		v := []*ProductView{&s.A, &s.B}[i]
		v.Offset, v.Outer = views[i].offset, r.step[0]
		*[]*int{&s.M, &s.N}[i] = r.n
		s.In[i] = views[i].value
	}
	for _, r := range both(batch[0], batch[1]) {
		s.Batch = append(s.Batch, ProductAxis{r.n, r.step[0], r.step[1]})
	}
	if s.Tensor = p.fast; s.Tensor != core.Invalid && p.target.Tensor.Parts != nil {
		if n := p.target.Tensor.Parts.Of(s); n > 1 {
			p.target.Tensor.Parts.inParts(p, s, n, out)
			return
		}
	}
	p.addProduct(s, out)
}

func (p *planner) addProduct(s *Product, out *jaxpr.Var) {
	n := p.bind(out, s.Eqn, 0)
	n.mem = true
	n.value = p.newValue(Value{Type: out.Type})
	s.Out = n.value
	n.seq = p.add(s)
}

// A view is an array that lies in memory: strides, in elements, for each axis.
type view struct {
	value   int
	offset  int
	strides []int
}

// view returns where an operand lies. Movement that strides express costs nothing; other
// operands are written to memory.
func (p *planner) view(a jaxpr.Atom) view {
	v, ok := a.(*jaxpr.Var)
	if !ok {
		return p.whole(a)
	}
	n := p.of(v)
	if n.kind != virtual {
		return p.whole(a)
	}
	e := n.eqn
	switch q := e.Prim.(type) {
	case prim.TransposeP:
		in := p.view(e.Ins[0])
		out := view{in.value, in.offset, make([]int, q.Perm.Len())}
		for i, d := range q.Perm.All() {
			out.strides[i] = in.strides[d]
		}
		return out
	case prim.BroadcastInDimP:
		in := p.view(e.Ins[0])
		out := view{in.value, in.offset, make([]int, q.Shape.Len())}
		for i, d := range q.Dims.All() {
			if e.Ins[0].Aval().Shape.At(i) > 1 {
				out.strides[d] = in.strides[i]
			}
		}
		return out
	case prim.SqueezeP:
		in := p.view(e.Ins[0])
		out := view{in.value, in.offset, nil}
		for i, s := range in.strides {
			if !q.Dims.Has(i) {
				out.strides = append(out.strides, s)
			}
		}
		return out
	}
	return p.whole(a)
}

// whole puts an operand into memory, row-major and dense, and returns its view.
func (p *planner) whole(a jaxpr.Atom) view {
	out := view{value: p.memory(a), strides: make([]int, a.Aval().Rank())}
	step := 1
	for i := a.Aval().Rank() - 1; i >= 0; i-- {
		out.strides[i] = step
		step *= a.Aval().Shape.At(i)
	}
	return out
}
