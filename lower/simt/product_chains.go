package simt

import (
	"slices"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// Kernel returns the product as a kernel without tiles. Kernels of products of other shapes differ from it in their sizes only.
func (p *Product) Kernel() *ir.Kernel {
	b := chained{ir.NewBuilder(p.Name), p, nil}
	for i, role := range []ir.Role{ir.In, ir.In, ir.Out} {
		b.Buffer(string(rune('a'+i)), role, p.Type, ir.Const(p.Lens[i]))
	}
	step := p.M * p.N
	for _, d := range p.Batch {
		step *= d.N
	}
	for _, d := range p.Batch {
		step /= d.N
		b.axes = append(b.axes, chainedAxis{b.Grid(ir.Const(int64(d.N))), [3]int{d.A, d.B, step}})
	}
	b.axes = append(b.axes, chainedAxis{b.Grid(ir.Const(int64(p.M))), [3]int{p.A.Outer, 0, p.N}}, chainedAxis{b.Grid(ir.Const(int64(p.N))), [3]int{0, p.B.Outer, 1}})
	sum := b.sum()
	if p.Type.IsFloat() {
		sum = b.op(scalar.OpCanon, sum)
	}
	b.Store(b.at(2, 0, 0), sum)
	return b.Finish()
}

// chained writes the kernel of a product.
type chained struct {
	*ir.Builder
	p    *Product
	axes []chainedAxis // of the result
}

// chainedAxis is an axis with its strides in A, B and C.
type chainedAxis struct {
	axis  ir.Axis
	steps [3]int
}

func (b chained) op(o scalar.Op, args ...ir.Ref) ir.Ref {
	in := scalar.Inst{Op: o, Type: b.p.Type}
	copy(in.Args[:], args)
	return b.Op(in)
}

// at returns the position in a buffer of an element of the result, or of the elements that are multiplied: number first plus others.
func (b chained) at(buffer, offset, first int, others ...chainedAxis) ir.Access {
	c := ir.Coord{Stride: ir.Const(1), Bound: ir.Const(b.p.Lens[buffer] - int64(offset)), Base: ir.Const(int64(first)), Value: ir.NoRef}
	for _, a := range slices.Concat(b.axes, others) {
		if n := a.steps[buffer]; n != 0 {
			c.Terms = append(c.Terms, ir.Term{Axis: a.axis, Coeff: ir.Const(int64(n))})
		}
	}
	return ir.Access{Buffer: buffer, Offset: ir.Const(int64(offset)), Coords: []ir.Coord{c}}
}

// pair returns two elements that are multiplied. Their number is first plus axes, each times a distance.
func (b chained) pair(first int, axes []ir.Axis, distances []int) (x, y ir.Ref) {
	var others []chainedAxis
	for i, a := range axes {
		others = append(others, chainedAxis{a, [3]int{distances[i] * b.p.A.K, distances[i] * b.p.B.K}})
	}
	return b.Load(b.at(0, b.p.A.Offset, first*b.p.A.K, others...)), b.Load(b.at(1, b.p.B.Offset, first*b.p.B.K, others...))
}

// sum sums the products of an element of the result. Floats whose chains have another length than those of ir.Chain are summed one
// chain after the other, and then a shorter one, which may be empty: +0 changes no sum, since none is −0.
func (b chained) sum() ir.Ref {
	n := b.p.Chunk
	if !b.p.Type.IsFloat() || n == ir.ChainSize {
		return b.Reduce(ir.Chain, 0, ir.Const(int64(b.p.K)), nil, func(k ir.Axis) []ir.Elem {
			x, y := b.pair(0, []ir.Axis{k}, []int{1})
			return []ir.Elem{{Op: ir.Sum, Value: x, Second: y}}
		})[0]
	}
	zero := b.Const(b.p.Type, 0)
	chain := func(total ir.Ref, n, first int, outer ...ir.Axis) ir.Ref {
		c := b.Loop(ir.Const(int64(n)), []ir.Ref{zero}, func(k ir.Axis, acc []ir.Ref) []ir.Ref {
			x, y := b.pair(first, append(outer, k), []int{b.p.Chunk, 1}[1-len(outer):])
			return []ir.Ref{b.op(scalar.OpFMA, x, y, acc[0])}
		})
		return b.op(scalar.OpAdd, total, c[0])
	}
	whole := b.Loop(ir.Const(int64(b.p.K/n)), []ir.Ref{zero}, func(c ir.Axis, total []ir.Ref) []ir.Ref {
		return []ir.Ref{chain(total[0], n, 0, c)}
	})
	return chain(whole[0], b.p.K%n, b.p.K/n*n)
}
