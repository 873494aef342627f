package fuse

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
)

// moved returns the index of the element of e's only array operand that is the element
// x of the result, for operations that only move elements. ok is false where the index
// needs a division.
func (m *mapper) moved(e *jaxpr.Eqn, result int, x index) (y index, ok bool) {
	in := dims(e.Ins[0].Aval().Shape)
	out := dims(e.Outs[result].Type.Shape)
	y = index{shape: in, co: make([]coord, len(in)), loose: x.loose}
	switch p := e.Prim.(type) {
	case prim.ReshapeP, prim.SqueezeP:
		y, ok = m.as(x, in)
		return y, ok
	case prim.BroadcastInDimP:
		if x, ok = m.as(x, out); !ok {
			return y, false
		}
		for i, d := range p.Dims.All() {
			y.co[i] = x.co[d]
			if in[i] == 1 {
				y.co[i] = constant(0)
			}
		}
	case prim.TransposeP:
		if x, ok = m.as(x, out); !ok {
			return y, false
		}
		for i, k := range p.Perm.All() {
			y.co[k] = x.co[i]
		}
	case prim.RevP:
		if x, ok = m.as(x, out); !ok {
			return y, false
		}
		copy(y.co, x.co)
		for _, d := range p.Dims.All() {
			y.co[d] = m.times(x.co[d], -1).plus(out[d] - 1)
		}
	case prim.SliceP:
		if x, ok = m.as(x, out); !ok {
			return y, false
		}
		for i, c := range x.co {
			step := int64(1)
			if p.Strides.Len() > 0 {
				step = int64(p.Strides.At(i))
			}
			y.co[i] = m.times(c, step).plus(int64(p.Start.At(i)))
		}
	case prim.SplitP:
		if x, ok = m.as(x, out); !ok {
			return y, false
		}
		copy(y.co, x.co)
		lo := 0
		for i, n := range p.Sizes.All() {
			if i < result {
				lo += n
			}
		}
		y.co[p.Axis] = x.co[p.Axis].plus(int64(lo))
	case prim.UnstackP:
		if x, ok = m.as(x, out); !ok {
			return y, false
		}
		k := 0
		for i := range y.co {
			if i == p.Axis {
				y.co[i] = constant(int64(result))
				continue
			}
			y.co[i] = x.co[k]
			k++
		}
	default:
		panic("BUG: " + e.Prim.Name() + " moves no elements")
	}
	return y, true
}

// isMove reports whether p only moves elements of one operand.
func isMove(p core.Primitive) bool {
	switch p.(type) {
	case prim.ReshapeP, prim.SqueezeP, prim.BroadcastInDimP, prim.TransposeP, prim.RevP, prim.SliceP, prim.SplitP, prim.UnstackP:
		return true
	}
	return false
}

// aligned returns the index of the element of operand a that an elementwise operation
// reads for the element x of a result of the given shape.
func (m *mapper) aligned(a jaxpr.Atom, out []int64, x index) (index, bool) {
	in := dims(a.Aval().Shape)
	if equal(in, out) {
		return x, true
	}
	if len(in) == 0 || a.Aval().Size() == 1 {
		return zeroIndex(in), true
	}
	x, ok := m.as(x, out)
	if !ok || len(in) != len(out) {
		return x, false
	}
	y := index{shape: in, co: append([]coord(nil), x.co...), loose: x.loose}
	for i, n := range in {
		if n == 1 && out[i] != 1 {
			y.co[i] = constant(0)
		}
	}
	return y, true
}

func zeroIndex(shape []int64) index {
	x := index{shape: shape, co: make([]coord, len(shape))}
	for i := range x.co {
		x.co[i] = constant(0)
	}
	return x
}
