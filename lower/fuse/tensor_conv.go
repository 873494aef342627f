package fuse

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/windows"
	"github.com/weft-go/weft/jaxpr"
)

// TensorConv is a convolution on tensor cores: the product
//
//	C[g, r, o] = Σₖ A[g, r, k] · B[g, o, k]
//
// whose operands and result lie in memory as the program has them. Row r is a window of A. The number r is split into the
// digits Rows, and k into the digits Deep, the most significant first: each digit counts along one axis, or along several
// that one stride steps through. Sums are taken as [Product].Tensor states.
type TensorConv struct {
	step
	Eqn        *jaxpr.Eqn
	Tensor     core.DType // of A and B
	Type       core.DType // of C: Tensor or Float32
	Rows, Deep []TensorDigit
	Col, Group TensorDigit
	Axes       []TensorAxis
	Offset     [2]int // of A and B, in elements
	In         [2]int
	Out        int

	// If there are several parts, C is an array of as many results, each of which sums PartK terms, the last one those that are left.
	Parts, PartK int
}

// TensorDigit is a digit with N values, and its strides in elements of A, B and C. If Axis is not −1, the digit moves by
// Step positions along that axis of [TensorConv].Axes, and the stride A is 0.
type TensorDigit struct{ N, Axis, Step, A, B, C int }

// TensorAxis is an axis of A along which windows move. Position p is an element if p − Low is from 0 to Extent−1 and a multiple of Gap.
// Stride is that from element to element.
type TensorAxis struct{ Low, Extent, Gap, Stride int }

func (s *TensorConv) Reads() []int     { return s.In[:] }
func (s *TensorConv) Writes() []int    { return []int{s.Out} }
func (*TensorConv) mayRunBefore() bool { return true }

func (s *TensorConv) write(w *planWriter) {
	w.line("convolution %v %s → %s", s, w.list(s.In[:]), w.p.name(s.Out))
}

func (s *TensorConv) String() string {
	t := fmt.Sprintf("tensor %v to %v %d×%d×%d", s.Tensor, s.Type, sizeOf(s.Rows), sizeOf(s.Deep), s.Col.N)
	for _, n := range []int{s.Group.N, s.Parts} {
		if n > 1 {
			t += fmt.Sprintf(" ×%d", n)
		}
	}
	return t
}

// Sizes returns the numbers of rows, of columns and of terms.
func (s *TensorConv) Sizes() (m, n, k int) { return sizeOf(s.Rows), s.Col.N, sizeOf(s.Deep) }

func sizeOf(ds []TensorDigit) int {
	n := 1
	for _, d := range ds {
		n *= d.N
	}
	return n
}

// convolve makes a step of a convolution on tensor cores, or of a product on them if no position needs a check. It reports
// false if the convolution may not run there, or is too small or too large.
func (TensorPlans) convolve(p *planner, e *jaxpr.Eqn) bool {
	q, ok := e.Prim.(windows.ConvP)
	if !ok {
		return false
	}
	out := e.Outs[0].Type
	fast := fastType(e, q.Precision)
	x, w := e.Ins[0].Aval().Shape, e.Ins[1].Aval().Shape
	groups := max(q.FeatureGroups, q.BatchGroups)
	batch, outputs, channels := x.At(q.LhsSpec.At(0))/q.BatchGroups, w.At(q.RhsSpec.At(0))/groups, w.At(q.RhsSpec.At(1))
	if fast == core.Invalid || out.Size() == 0 || min(out.Size()/outputs/groups, outputs, w.Size()/(outputs*groups)) < leastTensor {
		return false
	}
	if q.Strides.Len() > mostTensorAxes || !counts(x.Size(), q.LhsDilation) || max(w.Size(), out.Size()) > mostTensorSize {
		return false
	}
	a, b := p.view(p.converted(e, e.Ins[0], fast)), p.reversed(e, p.converted(e, e.Ins[1], fast))
	z := make([]int, out.Rank())
	for i, step := out.Rank()-1, 1; i >= 0; i-- {
		z[i] = step
		step *= out.Shape.At(i)
	}
	s := &TensorConv{Eqn: e, Tensor: fast, Type: out.DType, Offset: [2]int{a.offset, b.offset}, In: [2]int{a.value, b.value}, Parts: 1}
	feature := z[q.OutSpec.At(1)]
	s.Col = TensorDigit{outputs, -1, 0, 0, b.strides[q.RhsSpec.At(0)], feature}
	s.Group = TensorDigit{groups, -1, 0, channels * a.strides[q.LhsSpec.At(1)], outputs * s.Col.B, outputs * feature}
	if q.BatchGroups > 1 {
		s.Group.A = batch * a.strides[q.LhsSpec.At(0)]
	}
	s.Rows = append(s.Rows, TensorDigit{batch, -1, 0, a.strides[q.LhsSpec.At(0)], 0, z[q.OutSpec.At(0)]})
	s.Deep = append(s.Deep, TensorDigit{channels, -1, 0, a.strides[q.LhsSpec.At(1)], b.strides[q.RhsSpec.At(1)], 0})
	for i := range q.Strides.Len() {
		in, taps := x.At(q.LhsSpec.At(2+i)), w.At(q.RhsSpec.At(2+i))
		n := out.Shape.At(q.OutSpec.At(2 + i))
		axis := TensorAxis{q.Padding.At(2 * i), (in-1)*q.LhsDilation.At(i) + 1, q.LhsDilation.At(i), a.strides[q.LhsSpec.At(2+i)]}
		row := TensorDigit{n, len(s.Axes), q.Strides.At(i), 0, 0, z[q.OutSpec.At(2+i)]}
		deep := TensorDigit{taps, len(s.Axes), q.RhsDilation.At(i), 0, b.strides[q.RhsSpec.At(2+i)], 0}
		if last := (n-1)*row.Step + (taps-1)*deep.Step - axis.Low; axis.Gap == 1 && axis.Low <= 0 && last < axis.Extent { // windows read elements only, no padding and no gaps
			row.Axis, row.A, deep.Axis, deep.A = -1, row.Step*axis.Stride, -1, deep.Step*axis.Stride
			s.Offset[0] -= axis.Low * axis.Stride
		} else {
			s.Axes = append(s.Axes, axis)
		}
		s.Rows, s.Deep = append(s.Rows, row), append(s.Deep, deep)
	}
	s.order()
	result := e.Outs[0]
	if s.Type != core.Float32 && s.Type != fast {
		s.Type = core.Float32
		result = jaxpr.NewVar(core.ShapedArray{Shape: out.Shape, DType: s.Type})
	}
	if m := s.asProduct(); m != nil {
		if n := p.target.Tensor.Parts.Of(m); n > 1 {
			p.target.Tensor.Parts.inParts(p, m, n, result)
		} else {
			p.addProduct(m, result)
		}
	} else {
		p.convInParts(s, result)
	}
	if result != e.Outs[0] {
		p.eqn(&jaxpr.Eqn{Outs: e.Outs, Prim: prim.ConvertElementTypeP{NewDType: out.DType, WeakType: out.Weak}, Ins: []jaxpr.Atom{result}, Site: e.Site})
	}
	return true
}

// Bounds of convolutions on tensor cores: their kernels count elements in 32 bits, and keep the positions of a row in
// four words.
const (
	mostTensorSize = 1<<31 - 1
	mostTensorAxes = 3
)

// counts reports whether kernels can count the elements of an operand together with its gaps.
func counts(size int, gaps core.Dims) bool {
	for _, g := range gaps.All() {
		if size > mostTensorSize/g {
			return false
		}
		size *= g
	}
	return size <= mostTensorSize
}

// reversed is view for an operand that may be reversed along axes: their strides are negative.
func (p *planner) reversed(e *jaxpr.Eqn, a jaxpr.Atom) view {
	v, ok := a.(*jaxpr.Var)
	if !ok {
		return p.view(a)
	}
	n := p.of(v)
	if n.kind != virtual {
		return p.view(a)
	}
	q, ok := n.eqn.Prim.(prim.RevP)
	if !ok {
		return p.view(a)
	}
	in := p.view(n.eqn.Ins[0])
	out := view{in.value, in.offset, slices.Clone(in.strides)}
	for _, d := range q.Dims.All() {
		out.offset += (v.Type.Shape.At(d) - 1) * in.strides[d]
		out.strides[d] = -in.strides[d]
	}
	return out
}

// order sorts the digits. Neighbouring rows become neighbours in C. Neighbours along k become neighbours in A if a digit has
// stride 1 there, else in B. Then order merges digits that one stride steps through.
func (s *TensorConv) order() {
	size := func(x int) int { return max(x, -x) }
	slices.SortStableFunc(s.Rows, func(x, y TensorDigit) int { return cmp.Compare(y.C, x.C) })
	along := func(d TensorDigit) bool { return d.Axis < 0 && d.A == 1 && d.N > 1 }
	slices.SortStableFunc(s.Deep, func(x, y TensorDigit) int {
		if along(x) != along(y) {
			return map[bool]int{true: 1, false: -1}[along(x)]
		}
		return cmp.Compare(size(y.B), size(x.B))
	})
	s.Rows, s.Deep = merged(s.Rows), merged(s.Deep)
}

// merged returns digits without those that have one value, and with neighbours merged that one stride steps through.
func merged(ds []TensorDigit) []TensorDigit {
	var out []TensorDigit
	for _, d := range ds {
		if d.N == 1 {
			continue
		}
		if n := len(out) - 1; n >= 0 {
			if x := out[n]; x.Axis < 0 && d.Axis < 0 && x.A == d.A*d.N && x.B == d.B*d.N && x.C == d.C*d.N {
				d.N *= x.N
				out[n] = d
				continue
			}
		}
		out = append(out, d)
	}
	if out == nil {
		out = ds[:1]
	}
	return out
}

// asProduct returns the convolution as a product if each operand has one stride along k and one along rows or columns,
// and the result is dense; nil if not.
func (s *TensorConv) asProduct() *Product {
	if len(s.Axes) > 0 || len(s.Deep) > 1 || s.Group.N > 1 {
		return nil
	}
	k, row := s.Deep[0], s.Rows[len(s.Rows)-1]
	m := &Product{Eqn: s.Eqn, Type: s.Type, Chunk: DotChunk, Tensor: s.Tensor, M: row.N, N: s.Col.N, K: k.N,
		A: ProductView{s.Offset[0], row.A, k.A}, B: ProductView{s.Offset[1], s.Col.B, k.B}, In: s.In}
	switch {
	case len(s.Rows) == 1 && s.Col.C == 1 && row.C == s.Col.N:
	case len(s.Rows) <= 2 && row.C == 1 && s.Col.C == row.N && row.N >= leastBatchRows: // of each image a product with the filter as its left operand
		m.M, m.N, m.A, m.B, m.In = m.N, m.M, m.B, m.A, [2]int{s.In[1], s.In[0]}
		if len(s.Rows) == 2 {
			if s.Rows[0].C != m.M*m.N {
				return nil
			}
			m.Batch = []ProductAxis{{s.Rows[0].N, 0, s.Rows[0].A}}
		}
	default:
		return nil
	}
	for _, v := range []ProductView{m.A, m.B} {
		if v.Outer < 0 || v.K < 0 || v.Outer != 1 && v.K != 1 {
			return nil
		}
	}
	return m
}

// convInParts adds the step of a convolution, and the equations that add its parts if it has several.
func (p *planner) convInParts(s *TensorConv, out *jaxpr.Var) {
	parts, terms := p.target.Tensor.Parts.OfConv(s)
	if parts == 1 {
		p.addTensorConv(s, out)
		return
	}
	s.Type, s.Parts, s.PartK = core.Float32, parts, terms
	all := jaxpr.NewVar(core.ShapedArray{Shape: out.Type.Shape.Prepend(parts), DType: core.Float32})
	p.addTensorConv(s, all)
	p.addParts(s.Eqn, all, parts, out)
}

func (p *planner) addTensorConv(s *TensorConv, out *jaxpr.Var) {
	n := p.bind(out, s.Eqn, 0)
	n.mem, n.value = true, p.newValue(Value{Type: out.Type})
	s.Out = n.value
	n.seq = p.add(s)
}
