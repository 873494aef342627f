package nd

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/runtime"
)

// AlignRanks puts axes of size 1 in front of the operand that has fewer, unless it is a scalar,
// which operations broadcast themselves.
func AlignRanks(op string, x, y core.Value) (core.Value, core.Value) {
	a, b := x.Aval(), y.Aval()
	r, s := a.Rank(), b.Rank()
	if a.Shape == b.Shape || r == 0 || s == 0 {
		return x, y
	}
	if r != s {
		refuseRanks(op, x, y)
	}
	RequireBroadcast(op, x, y)
	if r == s {
		return x, y
	}
	return prependAxes(x, max(r, s)), prependAxes(y, max(r, s))
}

// alignAllRanks is AlignRanks for many operands. If the ranks of those that are not scalars differ,
// scalars get axes, too.
func alignAllRanks(op string, vs []core.Value) []core.Value {
	top, differ := 0, false
	for _, v := range vs {
		if r := v.Aval().Rank(); r > 0 {
			differ = differ || top > 0 && r != top
			top = max(top, r)
		}
	}
	if !differ {
		return vs
	}
	refuseRanks(op, vs...)
	RequireBroadcast(op, vs...)
	out := make([]core.Value, len(vs))
	for i, v := range vs {
		out[i] = prependAxes(v, top)
	}
	return out
}

// requireFits refuses a result that would be computed at once and is too large to allocate. The error names the
// user's function op.
func requireFits(op string, result core.ShapedArray, vs ...core.Value) {
	if core.Tracing() {
		return
	}
	for _, v := range vs {
		if _, ok := v.(core.Tracer); ok {
			return
		}
	}
	if why := runtime.TooLarge(result); why != "" {
		core.FailOp(core.ErrShape, op, core.AvalsOf(vs), "the result of %s cannot be allocated: %s", List(core.AvalsOf(vs)), why)
	}
}

// RequireBroadcast refuses operands that do not broadcast to one shape, or whose common shape is
// too large to allocate. The error shows the types that the user passed.
func RequireBroadcast(op string, vs ...core.Value) {
	var sizes [8]int // size + 1, by the distance from the last axis; 0: not known yet
	for _, v := range vs {
		a := v.Aval()
		r := a.Rank()
		if r > len(sizes) {
			BroadcastShapes(op, core.AvalsOf(vs)...)
			return
		}
		for k := range r {
			n, at := a.Shape.At(k), &sizes[r-1-k]
			switch {
			case n == 1 || *at == n+1:
			case *at == 0:
				*at = n + 1
			default:
				BroadcastShapes(op, core.AvalsOf(vs)...)
			}
		}
	}
	for _, n := range sizes {
		if n == 1 { // an axis of size 0
			return
		}
	}
	const always = 1 << 30 // with at most so many elements the memory need not be checked
	total := 1
	for _, n := range sizes {
		if n > 1 && n-1 > always/total {
			a := vs[0].Aval()
			requireFits(op, a.WithShape(BroadcastShapes(op, core.AvalsOf(vs)...)), vs...)
			return
		}
		total *= max(1, n-1)
	}
}

func refuseRanks(op string, vs ...core.Value) {
	if Current().RaiseRanks {
		avals := core.AvalsOf(vs)
		core.FailOp(core.ErrShape, op, avals, "the operands have different ranks, %s, and RankPromotion(Raise) is set; put axes in front with ExpandDims or Reshape", List(avals))
	}
}

func prependAxes(v core.Value, r int) core.Value {
	return prim.ExpandDims(v, core.Range(0, r-v.Aval().Rank()))
}

func List(avals []core.ShapedArray) string {
	s := ""
	for i, a := range avals {
		switch {
		case i == 0:
		case i == len(avals)-1:
			s += " and "
		default:
			s += ", "
		}
		s += a.Full()
	}
	return s
}

// BroadcastShapes returns the shape to which operands of the given shapes broadcast.
func BroadcastShapes(op string, avals ...core.ShapedArray) core.Dims {
	r := 0
	for _, a := range avals {
		r = max(r, a.Rank())
	}
	out := make([]int, r)
	for i := range out {
		out[i] = 1
	}
	for _, a := range avals {
		for k, n := range a.Shape.All() {
			at := &out[r-a.Rank()+k]
			if n != 1 && *at != 1 && *at != n {
				core.FailOp(core.ErrShape, op, avals, "the shapes of %s do not broadcast: axis %d from the end is %d in one and %d in another; make them equal, or one of them 1", List(avals), a.Rank()-k, *at, n)
			}
			if n != 1 {
				*at = n
			}
		}
	}
	return core.MakeDims(out...)
}

// Spread broadcasts v to the given shape, aligned at the last axis.
func Spread(op string, v core.Value, shape core.Dims) core.Value {
	a := v.Aval()
	if a.Shape == shape {
		return v
	}
	off := shape.Len() - a.Rank()
	if off < 0 {
		core.FailOp(core.ErrShape, op, []core.ShapedArray{a}, "%v does not broadcast to the shape %v, which has fewer axes; drop axes with Squeeze, Index or a reduction", a.Full(), shape)
	}
	var drop, dims []int
	for k, n := range a.Shape.All() {
		switch {
		case n == shape.At(off+k):
			dims = append(dims, off+k)
		case n == 1:
			drop = append(drop, k)
		default:
			core.FailOp(core.ErrShape, op, []core.ShapedArray{a}, "%v does not broadcast to the shape %v: axis %d has %s, not 1 or %d; make the axis that is to be repeated one of size 1", a.Full(), shape, k, core.Count(n, "element"), shape.At(off+k))
		}
	}
	if len(drop) > 0 {
		v = prim.Squeeze(v, core.MakeDims(drop...))
	}
	return prim.BroadcastInDim(v, shape, core.MakeDims(dims...))
}
