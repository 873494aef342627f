package fuse

import (
	"fmt"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/windows"
	"github.com/weft-go/weft/jaxpr"
)

// Conv is a convolution whose operand and result have their features last,
//
//	C[b, s, o] = Σₖ window(A, b, s)[k] · B[k, o]
//
// where k runs over the window's positions in row-major order and within each over the
// features, in the order of operations of [Product].
type Conv struct {
	step
	Eqn        *jaxpr.Eqn // the convolution of the operands as they lie in memory
	Type       core.DType
	Chunk      int
	Batch      int // of the result
	Features   int // of A
	Channels   int // features that a window reads
	Outputs    int // features of the result
	Groups     int
	BatchGroup bool // groups divide A's batch, not its features
	Axes       []ConvAxis
	B          ProductView // Outer is the stride from output to output
	In         [2]int
	Kernel     int // the kernel as Eqn takes it: In[1], except for complex numbers
	Out        int
}

// ConvAxis is a spatial axis: output position s and tap t read position
// s·Stride + t·Dilation − Low of the input, of which every Gap-th position is an element.
type ConvAxis struct{ In, Out, Size, Stride, Low, Gap, Dilation int }

func (s *Conv) Reads() []int     { return []int{s.In[0], s.In[1], s.Kernel} }
func (s *Conv) Writes() []int    { return []int{s.Out} }
func (*Conv) MayFail() bool      { return true }
func (*Conv) mayRunBefore() bool { return true }

func (s *Conv) write(w *planWriter) {
	w.line("convolution %v %s → %s", s, w.list(s.In[:]), w.p.name(s.Out))
}

func (s *Conv) String() string {
	t := fmt.Sprintf("%v %d×", s.Type, s.Batch)
	for _, a := range s.Axes {
		t += fmt.Sprintf("%d×", a.Out)
	}
	t += fmt.Sprintf("%d, windows ", s.Outputs)
	for _, a := range s.Axes {
		t += fmt.Sprintf("%d×", a.Size)
	}
	return t + fmt.Sprint(s.Channels)
}

// Rows returns the number of windows of a group.
func (s *Conv) Rows() int {
	n := s.Batch
	for _, a := range s.Axes {
		n *= a.Out
	}
	return n
}

// K returns the number of elements of a window.
func (s *Conv) K() int {
	n := s.Channels
	for _, a := range s.Axes {
		n *= a.Size
	}
	return n
}

func convClass(e *jaxpr.Eqn) (class, string) {
	c, why := productClass(e)
	if c != product {
		return c, why
	}
	return convolution, ""
}

// lastOrder returns the axes of a specification in the order batch, spatial, feature.
func lastOrder(spec core.Dims) core.Dims {
	out := []int{spec.At(0)}
	for i := 2; i < spec.Len(); i++ {
		out = append(out, spec.At(i))
	}
	return core.MakeDims(append(out, spec.At(1))...)
}

// lastSpec returns the specification of arrays whose axes have the order batch, spatial, feature.
func lastSpec(rank int) core.Dims {
	return core.Range(1, rank-1).Prepend(0, rank-1)
}

// conv makes a step of a convolution, and equations that bring operands and result into
// its order and type.
func (p *planner) conv(e *jaxpr.Eqn) {
	if t := p.target.Tensor; t.Parts != nil && t.Parts.convolve(p, e) {
		return
	}
	q, chunk := convOf(e.Prim)
	out := e.Outs[0].Type
	if out.DType.IsComplex() {
		p.complexConv(e, q)
		return
	}
	alone := isDepthwise(e)
	if alone && e.Ins[1].Aval().Shape.At(q.RhsSpec.At(0)) != q.FeatureGroups {
		p.spreadFeatures(e, q)
		return
	}
	base, _ := productType(out.DType)
	rank := out.Rank()
	ordered := func(a jaxpr.Atom, order core.Dims) jaxpr.Atom {
		if order == core.Range(0, rank) {
			return a
		}
		t := a.Aval()
		t.Shape = order.Map(t.Shape.At)
		return p.made1(e, prim.TransposeP{Perm: order}, a, t)
	}
	x := ordered(p.converted(e, e.Ins[0], base), lastOrder(q.LhsSpec))
	w := p.converted(e, e.Ins[1], base)
	if alone { // taps, 1, features
		w = ordered(w, lastOrder(q.RhsSpec).Remove(0).Append(q.RhsSpec.At(0)))
	} else if _, _, ok := kernelRuns(w, q.RhsSpec); !ok {
		w = ordered(w, lastOrder(q.RhsSpec))
		q.RhsSpec = lastSpec(rank)
	}
	order := lastOrder(q.OutSpec)
	z := jaxpr.NewVar(core.ShapedArray{Shape: order.Map(out.Shape.At), DType: base})
	if base == out.DType && order == core.Range(0, rank) {
		z = e.Outs[0]
	}
	if alone {
		n := p.bind(z, e, 0)
		n.mem = true
		n.value = p.newValue(Value{Type: z.Type})
		n.seq = p.depthwise(x, w, q, z, base, chunk)
		p.reordered(e, z, order, base)
		return
	}
	ks, os, ok := kernelRuns(w, q.RhsSpec)
	if !ok {
		panic("BUG: a kernel with its features last has no layout")
	}
	q.LhsSpec, q.OutSpec, q.Preferred = lastSpec(rank), lastSpec(rank), core.Invalid
	s := newConv(e, q, x, w, z)
	s.Type, s.Chunk, s.B = base, chunk, ProductView{Outer: os.step[0], K: ks.step[0]}
	p.part(s.Eqn)
	s.In = [2]int{p.memory(x), p.memory(w)}
	s.Kernel = s.In[1]
	if m, ok := s.asProduct(); ok {
		p.addProduct(m, z)
	} else {
		p.addConv(s, z)
	}
	p.reordered(e, z, order, base)
}

// newConv returns a step with its sizes. x and z have their features last; q.RhsSpec lists the axes of w.
func newConv(e *jaxpr.Eqn, q windows.ConvP, x, w jaxpr.Atom, z *jaxpr.Var) *Conv {
	in, window, out := x.Aval().Shape, w.Aval().Shape, z.Type.Shape
	last := out.Len() - 1
	s := &Conv{Eqn: &jaxpr.Eqn{Outs: []*jaxpr.Var{z}, Prim: q, Ins: []jaxpr.Atom{x, w}, Site: e.Site},
		Batch: out.At(0), Features: in.At(last), Channels: window.At(q.RhsSpec.At(1)), Outputs: out.At(last),
		Groups: max(q.FeatureGroups, q.BatchGroups), BatchGroup: q.BatchGroups > 1}
	for i := range q.Strides.Len() {
		s.Axes = append(s.Axes, ConvAxis{In: in.At(1 + i), Out: out.At(1 + i), Size: window.At(q.RhsSpec.At(2 + i)),
			Stride: q.Strides.At(i), Low: q.Padding.At(2 * i), Gap: q.LhsDilation.At(i), Dilation: q.RhsDilation.At(i)})
	}
	return s
}

func (p *planner) addConv(s *Conv, z *jaxpr.Var) {
	n := p.bind(z, s.Eqn, 0)
	n.mem = true
	n.value = p.newValue(Value{Type: z.Type})
	s.Out = n.value
	n.seq = p.add(s)
}

// reordered makes the result of a convolution from z, whose axes are in the given order and whose
// type is base.
func (p *planner) reordered(e *jaxpr.Eqn, z *jaxpr.Var, order core.Dims, base core.DType) {
	if z == e.Outs[0] {
		return
	}
	out, rank := e.Outs[0].Type, order.Len()
	var a jaxpr.Atom = z
	if order != core.Range(0, rank) {
		back := make([]int, rank)
		for i, d := range order.All() {
			back[d] = i
		}
		t := core.ShapedArray{Shape: out.Shape, DType: base}
		if base == out.DType {
			p.eqn(&jaxpr.Eqn{Outs: e.Outs, Prim: prim.TransposeP{Perm: core.MakeDims(back...)}, Ins: []jaxpr.Atom{a}, Site: e.Site})
			return
		}
		a = p.made1(e, prim.TransposeP{Perm: core.MakeDims(back...)}, a, t)
	}
	p.eqn(&jaxpr.Eqn{Outs: e.Outs, Prim: prim.ConvertElementTypeP{NewDType: out.DType, WeakType: out.Weak}, Ins: []jaxpr.Atom{a}, Site: e.Site})
}

// kernelRuns returns the strides of a dense kernel along the elements of a window and
// along the outputs; ok is false if a window has no single stride, or if both have several elements and neither stride is 1.
func kernelRuns(w jaxpr.Atom, spec core.Dims) (ks, os axisRun, ok bool) {
	shape := w.Aval().Shape
	strides := make([]int, shape.Len())
	step := 1
	for i := shape.Len() - 1; i >= 0; i-- {
		strides[i] = step
		step *= shape.At(i)
	}
	axes := lastOrder(spec)
	ks, ok = single(runs(axes.Len()-1, func(i int) int { return shape.At(axes.At(i + 1)) }, func(i int) [2]int { return [2]int{strides[axes.At(i+1)]} }))
	os = axisRun{n: shape.At(axes.At(0)), step: [2]int{strides[axes.At(0)]}}
	return ks, os, ok && (ks.n == 1 || ks.step[0] == 1 || os.n == 1 || os.step[0] == 1)
}
