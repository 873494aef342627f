package fuse

import (
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/windows"
	"github.com/weft-go/weft/jaxpr"
)

// TensorOptions tell how products run on tensor cores.
type TensorOptions struct {
	Cores  bool // run on tensor cores: see [Product].Tensor
	Pairs  bool // operands of bf16 only, whose neighbours along k are read in pairs
	AlongK bool // large products of tf32 are faster where neighbours along k are neighbours in memory

	Parts Parts // nil: no sum is divided, no attention becomes a single kernel, and no convolution runs on tensor cores
}

// Parts decides which sums are divided, and which attentions become a single kernel. Its values are
// comparable: plans are memoized by them. Its types embed [TensorPlans].
type Parts interface {
	tensorPlans
	// Attends reports whether the device has a kernel for an [Attention] with operands of type
	// tensor and the given numbers of elements in the rows of keys and of values.
	Attends(tensor core.DType, features [2]int) bool

	// AttendsGradient is Attends for the derivative of an attention. biased and masked tell whether it has a bias, and
	// a mask that is not causal.
	AttendsGradient(tensor core.DType, features [2]int, biased, masked bool) bool

	// OfConv returns in how many parts the sums of s, a *[TensorConv], are computed, and how many terms each part has
	// but the last one. s is a Step here, since a Go program without tensor cores does not contain TensorConv.
	OfConv(s Step) (parts, terms int)

	// Of returns the number of parts, a divisor of k, into which the sums of a product on tensor
	// cores are divided. The parts are computed as products of their own, and then added in
	// order.
	Of(s *Product) int
}

// leastTensor is the least size of each side of a product that tensor cores compute:
// thinner ones are bound by memory.
const leastTensor = 16

// tensorType returns the type of the operands of a dot_general that may run on tensor
// cores, Invalid if it may not: the operands' own type if it has 16 bits, else Float32, or the type
// of the algorithm that the equation requests. An equation that requests the highest
// precision keeps the exact bits, and so does one with an algorithm of another kind.
func tensorType(e *jaxpr.Eqn) core.DType {
	q, ok := e.Prim.(prim.DotGeneralP)
	if !ok {
		return core.Invalid
	}
	x, y := e.Ins[0].Aval(), e.Ins[1].Aval()
	k := q.LhsContract.Map(x.Shape.At).Size()
	batch := q.LhsBatch.Map(x.Shape.At).Size()
	if k*batch == 0 || k < leastTensor || x.Size()/(k*batch) < leastTensor || y.Size()/(k*batch) < leastTensor {
		return core.Invalid
	}
	return fastType(e, q.Precision)
}

// fastType returns the type in which the operands of a product or a convolution may be read, as [tensorType] does.
func fastType(e *jaxpr.Eqn, p string) core.DType {
	dt, out := e.Ins[0].Aval().DType, e.Outs[0].Type.DType
	if e.Ins[1].Aval().DType != dt || dt != core.Float32 && dt != core.BFloat16 && dt != core.Float16 || !out.IsFloat() || out == core.Float64 {
		return core.Invalid
	}
	switch {
	case p == "", strings.HasPrefix(p, "(") && !strings.Contains(p, "HIGHEST"):
		return dt
	case dt != core.Float32:
	case p == "TF32_TF32_F32":
		return dt
	case p == "BF16_BF16_F32":
		return core.BFloat16
	case p == "F16_F16_F32":
		return core.Float16
	}
	return core.Invalid
}

// MayRound reports whether a product or a convolution may run on tensor cores where the program permits them, as far as its types and
// its precision are concerned.
func MayRound(e *jaxpr.Eqn) bool {
	switch q := e.Prim.(type) {
	case prim.DotGeneralP:
		return fastType(e, q.Precision) != core.Invalid
	case windows.ConvP:
		return fastType(e, q.Precision) != core.Invalid
	}
	return false
}

// leastCopied is the least number of rows, or columns, for which the other operand is copied
// into a better order.
const leastCopied = 512

// alongK reports whether an operand of a product is copied such that neighbours along k are
// neighbours in memory. opposite is the number of the other operand, 0 or 1.
func (p *planner) alongK(e *jaxpr.Eqn, q prim.DotGeneralP, opposite int) bool {
	if !p.target.Tensor.AlongK || p.fast != core.Float32 {
		return false
	}
	x := e.Ins[opposite].Aval()
	taken := q.LhsContract.Append(q.LhsBatch.Ints()...)
	if opposite == 1 {
		taken = q.RhsContract.Append(q.RhsBatch.Ints()...)
	}
	return x.Size()/taken.Map(x.Shape.At).Size() >= leastCopied
}

// inParts adds a product whose sums are divided into n parts, and the equations that add the parts.
func (TensorPlans) inParts(p *planner, s *Product, n int, out *jaxpr.Var) {
	s.Type, s.K = core.Float32, s.K/n
	s.Batch = append([]ProductAxis{{n, s.K * s.A.K, s.K * s.B.K}}, s.Batch...)
	parts := jaxpr.NewVar(core.ShapedArray{Shape: out.Type.Shape.Prepend(n), DType: core.Float32})
	p.addProduct(s, parts)
	p.addParts(s.Eqn, parts, n, out)
}

// addParts adds the equations that add n parts in order.
func (p *planner) addParts(e *jaxpr.Eqn, parts *jaxpr.Var, n int, out *jaxpr.Var) {
	one := core.ShapedArray{Shape: out.Type.Shape, DType: core.Float32}
	part := func(i int) jaxpr.Atom {
		start, limit := make([]int, parts.Type.Rank()), parts.Type.Shape.Ints()
		start[0], limit[0] = i, i+1
		row := core.ShapedArray{Shape: core.MakeDims(append([]int{1}, out.Type.Shape.Ints()...)...), DType: core.Float32}
		x := p.made1(e, prim.SliceP{Start: core.MakeDims(start...), Limit: core.MakeDims(limit...)}, parts, row)
		return p.made1(e, prim.SqueezeP{Dims: core.MakeDims(0)}, x, one)
	}
	sum := part(0)
	for i := 1; i < n; i++ {
		next := out
		if i < n-1 || out.Type.DType != core.Float32 {
			next = jaxpr.NewVar(one)
		}
		p.eqn(&jaxpr.Eqn{Outs: []*jaxpr.Var{next}, Prim: prim.AddP{}, Ins: []jaxpr.Atom{sum, part(i)}, Site: e.Site})
		sum = next
	}
	if out.Type.DType != core.Float32 {
		p.eqn(&jaxpr.Eqn{Outs: []*jaxpr.Var{out}, Prim: prim.ConvertElementTypeP{NewDType: out.Type.DType, WeakType: out.Type.Weak}, Ins: []jaxpr.Atom{sum}, Site: e.Site})
	}
}
