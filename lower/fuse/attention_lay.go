package fuse

import (
	"math"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
)

// merged returns the axes of the scores that each axis of a shape merges, in their current order;
// ok is false if an axis of the shape is not a product of whole axes of the scores.
func (a *attention) merged(shape core.Dims) (axes [][]int, ok bool) {
	rest := a.order
	for _, n := range shape.All() {
		var g []int
		for size := 1; size < n; {
			if len(rest) == 0 {
				return nil, false
			}
			size *= a.sizes[rest[0]]
			g, rest = append(g, rest[0]), rest[1:]
			if n%size != 0 {
				return nil, false
			}
		}
		axes = append(axes, g)
	}
	return axes, len(rest) == 0
}

// layScores follows the axes of the scores from the first product to the softmax, and reports whether an
// [Attention] can express the equations between.
func (a *attention) layScores(before []link, scores core.Dims, axis int) bool {
	for i, n := range a.first.Outs[0].Type.Shape.All() {
		if n == 1 {
			a.axis = append(a.axis, -1)
			continue
		}
		a.axis = append(a.axis, len(a.sizes))
		a.order = append(a.order, len(a.sizes))
		a.sizes = append(a.sizes, a.first.Outs[0].Type.Shape.At(i))
	}
	for _, l := range before {
		if !a.pass(l) {
			return false
		}
	}
	if scale := math.Abs(a.scale); scale != 0 && (scale < 0x1p-126 || scale > math.MaxFloat32) {
		return false // applied one by one, the factors underflow and overflow at other scores than their product
	}
	groups, ok := a.merged(scores)
	if !ok || len(groups[axis]) != 1 {
		return false
	}
	a.s = groups[axis][0]
	return true
}

// layWeights follows the axes from the softmax to the second product, and finds the axis of queries.
func (a *attention) layWeights(after []link) bool {
	first := a.first.Prim.(prim.DotGeneralP)
	for _, l := range after {
		if !a.pass(l) {
			return false
		}
	}
	q := a.second.Prim.(prim.DotGeneralP)
	var ok bool
	if a.weights, ok = a.merged(a.second.Ins[0].Aval().Shape); !ok {
		return false
	}
	if g := a.weights[q.LhsContract.At(0)]; len(g) != 1 || g[0] != a.s {
		return false
	}
	// The axis of queries is the longest one that only queries and the results have.
	left := map[int]bool{}
	for _, d := range freeAxes(a.second.Ins[0], q.LhsBatch, q.LhsContract).All() {
		for _, x := range a.weights[d] {
			left[x] = true
		}
	}
	batch, rows := first.LhsBatch.Len(), freeAxes(a.first.Ins[0], first.LhsBatch, first.LhsContract).Len()
	a.t = -1
	for d, x := range a.axis {
		switch {
		case x < 0:
		case x == a.s:
			if d < batch+rows { // the batch or queries have it, too
				return false
			}
		case d >= batch && d < batch+rows && left[x] && (a.t < 0 || a.sizes[x] >= a.sizes[a.t]):
			a.t = x
		}
	}
	a.hides()
	return a.t >= 0 && a.sizes[a.t] >= leastTensor && a.sizes[a.s] >= leastTensor
}

// Masked keys with scores of leastHidden or less have no weight beside keys with usual scores.
const leastHidden = -1e30

// hides decides whether the mask is causal: whole blocks of keys then have no weight. Beside a bias the keys must be
// masked by −∞, since a bias may be less than a finite number for all other keys of a row.
func (a *attention) hides() {
	fill := float64(a.fill)
	hidden := math.IsInf(fill, -1) || a.fill <= leastHidden && a.bias.x == nil
	a.causal = a.mask.x != nil && !a.fills && hidden && a.t >= 0 && a.behind == [2]int{a.t, a.s}
}

// comparison returns two axes of the scores if mask x is true where the index along the first is not less than the index
// along the second, and −1 for other masks. axes are the axes of the scores that each axis of x merges.
func (a *attention) comparison(x jaxpr.Atom, axes [][]int) [2]int {
	other := [2]int{-1, -1}
	for {
		v, _ := x.(*jaxpr.Var)
		e := a.defs[v]
		if v == nil || e == nil {
			return other
		}
		switch q := e.Prim.(type) {
		case prim.BroadcastInDimP:
			var inner [][]int
			for i, d := range q.Dims.All() {
				if e.Ins[0].Aval().Shape.At(i) != q.Shape.At(d) {
					return other
				}
				inner = append(inner, axes[d])
			}
			x, axes = e.Ins[0], inner
		case prim.ConvertElementTypeP:
			x = e.Ins[0]
		case prim.SelectNP:
			if len(e.Ins) != 3 {
				return other
			}
			no, ok := a.number(e.Ins[1])
			yes, okay := a.number(e.Ins[2])
			if !ok || !okay || no != 0 || yes != 1 || e.Ins[0].Aval().Rank() != len(axes) {
				return other
			}
			x = e.Ins[0]
		case prim.GeP:
			for i := range other {
				v, _ := e.Ins[i].(*jaxpr.Var)
				if v == nil || a.defs[v] == nil {
					return [2]int{-1, -1}
				}
				iota, ok := a.defs[v].Prim.(prim.IotaP)
				if !ok || !v.Type.DType.IsInteger() || v.Type.DType.Bits() < 32 || len(axes[iota.Dimension]) != 1 {
					return [2]int{-1, -1}
				}
				x := axes[iota.Dimension][0]
				if v.Type.Shape.At(iota.Dimension) != a.sizes[x] {
					return [2]int{-1, -1}
				}
				other[i] = x
			}
			return other
		default:
			return other
		}
	}
}

// pass follows the axes through one equation, and notes its factor, bias or mask. It returns false if an
// [Attention] cannot express the equation.
func (a *attention) pass(l link) bool {
	out, in := l.e.Outs[0].Type, l.e.Ins[l.operand].Aval()
	if dt := out.DType; dt != core.Float32 && dt != core.BFloat16 && dt != core.Float16 {
		return false
	}
	groups, ok := a.merged(in.Shape)
	if !ok {
		return false
	}
	if len(l.e.Ins) > 1 && in.Shape != out.Shape {
		return false
	}
	var other jaxpr.Atom
	if len(l.e.Ins) == 2 {
		other = l.e.Ins[1-l.operand]
	}
	early := a.bias.x == nil && a.mask.x == nil
	switch q := l.e.Prim.(type) {
	case prim.ReshapeP:
		_, ok := a.merged(q.Shape)
		return ok
	case prim.TransposeP:
		a.order = nil
		for _, d := range q.Perm.All() {
			a.order = append(a.order, groups[d]...)
		}
	case prim.MulP, prim.DivP:
		c, ok := a.number(other)
		if !ok || !early {
			return false
		}
		if _, div := q.(prim.DivP); div {
			c = 1 / c
		}
		a.scale *= c
	case prim.AddP:
		if _, scalar := a.number(other); scalar || !early || out.DType != core.Float32 || other.Aval().Rank() != in.Rank() {
			return false
		}
		a.bias = scored{other, groups}
	case prim.SelectNP:
		which, c := l.e.Ins[0], l.e.Ins[3-l.operand]
		fill, ok := a.number(c)
		if !ok || a.mask.x != nil || which.Aval().DType != core.Bool || which.Aval().Rank() != in.Rank() {
			return false
		}
		a.mask, a.fill, a.fills = scored{which, groups}, float32(fill), l.operand == 1
		a.behind = a.comparison(which, groups)
	}
	return true
}

// number returns the number to which all elements of an operand are equal; ok is false if it is not
// known, or NaN.
func (a *attention) number(x jaxpr.Atom) (c float64, ok bool) {
	for {
		v, is := x.(*jaxpr.Var)
		if !is {
			break
		}
		e := a.defs[v]
		if e == nil {
			return 0, false
		}
		if _, spread := e.Prim.(prim.BroadcastInDimP); !spread {
			return 0, false
		}
		x = e.Ins[0]
	}
	l, ok := x.(core.Literal)
	if !ok || math.IsNaN(l.Num.Float()) {
		return 0, false
	}
	return l.Num.Float(), true
}
