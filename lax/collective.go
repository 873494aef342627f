package lax

import (
	"slices"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/nd"
)

// Collectives communicate along a named axis, which a Vmap or a ShardMap around them binds.

// AxisSize returns the product of the sizes of the named axes.
func AxisSize(names ...string) int {
	n := 1
	for _, name := range names {
		n *= prim.AxisSize(name)
	}
	return n
}

// AxisIndex returns the index along a named axis.
func AxisIndex(name string) weft.Array {
	prim.AxisSize(name)
	return wrap(prim.AxisIndex(name))
}

// Psum returns the sum over named axes; for truth values, the number of true ones. A Go number is
// multiplied by the product of the axes' sizes at once.
func Psum[T weft.Operand](x T, names ...string) weft.Array {
	v := value(x)
	n := AxisSize(names...)
	if l, ok := v.(core.Literal); ok && isNumber(x) && l.Type.IsNumber() {
		return wrap(core.Literal{Num: times(l, n), Type: l.Type, Weak: l.Weak})
	}
	if v.Aval().DType.IsBool() {
		v = prim.Convert(v, core.Int32, false)
	}
	return wrap(prim.Psum(v, names...))
}

// Pvary marks x, which is the same along axes of a mesh, as a value that differs along them.
// Operations on values of both kinds mark them by themselves; the initial carry of a loop and the
// results of branches need Pvary.
func Pvary(x weft.Array, names ...string) weft.Array {
	AxisSize(names...)
	r := core.ActiveRegion()
	if !r.Checks() {
		return x
	}
	return wrap(prim.Pvary(x.Value(), r.Varying(slices.Values(names))))
}

func times(l core.Literal, n int) core.Number {
	switch {
	case l.Type.IsInteger():
		return core.IntNumber(l.Num.Int64() * int64(n))
	case l.Type.IsComplex():
		return core.ComplexNumber(l.Num.Complex() * complex(float64(n), 0))
	}
	return core.FloatNumber(l.Num.Float() * float64(n))
}

// PsumGroups is [Psum] over one named axis, within groups of its indices.
func PsumGroups(x weft.Array, name string, groups ...[]int) weft.Array {
	prim.AxisSize(name)
	return wrap(core.Bind1(prim.PsumP{Axes: prim.NamedAxes{Names: prim.MakeNames(name)}, Groups: prim.MakeGroups(groups...)}, x.Value()))
}

// Pmean returns the mean over named axes: a psum and a division by the product of their sizes. That of integers
// and truth values is a float.
func Pmean(x weft.Array, names ...string) weft.Array {
	s := nd.Floating("pmean", Psum(x, names...).Value())
	return wrap(prim.Div(s, prim.Num(s.Aval().WithShape(core.Dims{}), float64(AxisSize(names...)))))
}

// Pmax returns the largest element over named axes.
func Pmax(x weft.Array, names ...string) weft.Array {
	AxisSize(names...)
	return wrap(prim.Pmax(x.Value(), names...))
}

// Pmin returns the smallest element over named axes.
func Pmin(x weft.Array, names ...string) weft.Array {
	AxisSize(names...)
	return wrap(prim.Pmin(x.Value(), names...))
}

// Ppermute sends x along a named axis, from source to target of each pair. An index that is no
// target gets zeros.
func Ppermute(x weft.Array, name string, pairs ...[2]int) weft.Array {
	prim.AxisSize(name)
	var flat []int
	for _, p := range pairs {
		flat = append(flat, p[0], p[1])
	}
	return wrap(prim.Ppermute(x.Value(), name, core.MakeDims(flat...)))
}

// Pshuffle sends to index i of a named axis the x of index perm[i].
func Pshuffle(x weft.Array, name string, perm ...int) weft.Array {
	if n := prim.AxisSize(name); len(perm) != n {
		core.FailOp(core.ErrAxis, "pshuffle", nil, "the axis %q has size %d and needs as many indices (got %d); pass one for each", name, n, len(perm))
	}
	pairs := make([][2]int, len(perm))
	for i, from := range perm {
		pairs[i] = [2]int{from, i}
	}
	return Ppermute(x, name, pairs...)
}

// AllGather joins the x of all indices of a named axis along a new axis, or, if tiled, along an
// axis that x has.
func AllGather(x weft.Array, name string, axis int, tiled bool) weft.Array {
	return wrap(prim.AllGather(x.Value(), name, axis, tiled))
}

// PsumScatter sums over a named axis. Index i receives element i of the sum along axis, which is
// removed, or, if tiled, the i-th part.
func PsumScatter(x weft.Array, name string, axis int, tiled bool) weft.Array {
	return wrap(prim.ReduceScatter(x.Value(), name, axis, tiled))
}

// AllToAll splits x along the split axis, sends one part to each index of a named axis, and joins
// the received parts along the concat axis. If tiled, the parts are joined along an axis that x
// has; else the split axis must have the size of the named one and is removed, and the concat
// axis is new.
func AllToAll(x weft.Array, name string, split, concat int, tiled bool) weft.Array {
	v := x.Value()
	a := v.Aval()
	if tiled {
		return wrap(prim.AllToAll(v, name, split, concat, true))
	}
	n := prim.AxisSize(name)
	if split < 0 || split >= a.Rank() || concat < 0 || concat >= a.Rank() {
		core.FailOp(core.ErrShape, "all_to_all", []core.ShapedArray{a}, "axes %d and %d must be axes of %v; use axes from 0 to the rank - 1", split, concat, a.Full())
	}
	if a.Shape.At(split) != n {
		core.FailOp(core.ErrShape, "all_to_all", []core.ShapedArray{a}, "axis %d of %v must have the size %d of the named axis; tiled it may be a multiple", split, a.Full(), n)
	}
	if split == concat {
		return wrap(prim.AllToAll(v, name, split, concat, false))
	}
	// concat counts the axes of the result, from which split is gone.
	if split < concat {
		concat++
	} else {
		split++
	}
	v = prim.ExpandDims(v, core.MakeDims(concat))
	return wrap(prim.Squeeze(prim.AllToAll(v, name, split, concat, false), core.MakeDims(split)))
}
