package fuse

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/ir"
)

// A term is a multiple of an axis of the kernel.
type term struct {
	axis  ir.Axis
	coeff int64
}

// A coord is one coordinate of an element: base + Σ coeff·axis + value.
type coord struct {
	base  int64
	terms []term
	value ir.Ref // an i32 or i64, or NoRef
}

func constant(n int64) coord { return coord{base: n, value: ir.NoRef} }

func along(a ir.Axis) coord { return coord{terms: []term{{a, 1}}, value: ir.NoRef} }

// affine reports whether the coordinate is known from the axes alone.
func (c coord) affine() bool { return c.value == ir.NoRef }

func (c coord) plus(n int64) coord {
	c.base += n
	return c
}

// An index names an element of an array by one coordinate for each axis of a shape,
// which has as many elements as the array: row-major order relates the two.
type index struct {
	shape []int64
	co    []coord
	// If loose is set, coordinates may leave the shape. Loads then clamp them, and the values of
	// elements outside are not used.
	loose bool
}

// mapper computes indices. Values are computed by ops.
type mapper struct {
	extent []int64 // of each axis of the kernel
	blocks []blocked
	ops    valueOps
}

// A blocked describes total elements in blocks of size elements: the axis outer counts the blocks, inner the elements of
// a block.
type blocked struct {
	outer, inner ir.Axis
	size, total  int64
}

// valueOps computes with coordinates that are values of the kernel.
type valueOps interface {
	scale(r ir.Ref, n int64) ir.Ref
	sum(a, b ir.Ref) ir.Ref
}

// dryOps computes nothing: only whether an index exists matters.
type dryOps struct{}

func (dryOps) scale(r ir.Ref, n int64) ir.Ref { return r }
func (dryOps) sum(a, b ir.Ref) ir.Ref         { return a }

func (m *mapper) times(c coord, n int64) coord {
	out := coord{base: c.base * n, value: c.value}
	if n == 0 {
		return constant(0)
	}
	for _, t := range c.terms {
		out.terms = append(out.terms, term{t.axis, t.coeff * n})
	}
	if c.value != ir.NoRef && n != 1 {
		out.value = m.ops.scale(c.value, n)
	}
	return out
}

func (m *mapper) sum(a, b coord) coord {
	out := coord{base: a.base + b.base, terms: append([]term(nil), a.terms...), value: a.value}
next:
	for _, t := range b.terms {
		for i := range out.terms {
			if out.terms[i].axis == t.axis {
				out.terms[i].coeff += t.coeff
				continue next
			}
		}
		out.terms = append(out.terms, t)
	}
	if b.value != ir.NoRef {
		if out.value == ir.NoRef {
			out.value = b.value
		} else {
			out.value = m.ops.sum(out.value, b.value)
		}
	}
	return out
}

// linear returns the row-major position of the coordinates in their shape.
func (m *mapper) linear(shape []int64, co []coord) coord {
	if len(co) == 1 {
		return co[0]
	}
	out := constant(0)
	stride := int64(1)
	for i := len(co) - 1; i >= 0; i-- {
		if shape[i] != 1 || !co[i].affine() {
			out = m.sum(out, m.times(co[i], stride))
		}
		stride *= shape[i]
	}
	return out
}

// split returns the coordinates of a position in a shape; ok is false where that needs
// a division.
func (m *mapper) split(at coord, shape []int64) (co []coord, ok bool) {
	co = make([]coord, len(shape))
	for i := len(shape) - 1; i > 0; i-- {
		n := shape[i]
		if n == 1 {
			co[i] = constant(0)
			continue
		}
		if !at.affine() {
			return nil, false
		}
		in, out := constant(0), constant(0)
		in.base = at.base % n
		if in.base < 0 {
			in.base += n
		}
		out.base = (at.base - in.base) / n
		for _, t := range at.terms {
			if t.coeff%n == 0 {
				out.terms = append(out.terms, term{t.axis, t.coeff / n})
				continue
			}
			in.terms = append(in.terms, t)
		}
		if lo, hi := m.reach(in.terms); in.base+lo < 0 || in.base+hi >= n {
			return nil, false
		}
		co[i], at = in, out
	}
	if len(shape) > 0 {
		co[0] = at
	}
	return co, true
}

// reach returns the least and the greatest sum of terms. The last block of an axis may be shorter
// than the others.
func (m *mapper) reach(ts []term) (lo, hi int64) {
	for _, t := range ts {
		last := m.extent[t.axis] - 1
		for _, b := range m.blocks {
			switch {
			case b.inner == t.axis && slices.Contains(ts, term{b.outer, t.coeff * b.size}):
				last = b.total - 1
			case b.outer == t.axis && t.coeff%b.size == 0 && slices.Contains(ts, term{b.inner, t.coeff / b.size}):
				last = 0 // last of b.inner covers this axis, too
			}
		}
		lo, hi = lo+min(0, t.coeff*last), hi+max(0, t.coeff*last)
	}
	return lo, hi
}

// as returns the same element's index in another shape of as many elements; ok is
// false where that needs a division.
func (m *mapper) as(x index, to []int64) (y index, ok bool) {
	if equal(x.shape, to) {
		return x, true
	}
	y = index{shape: to, loose: x.loose}
	i, k := 0, 0
	for i < len(x.shape) || k < len(to) {
		// The next groups of axes with equal products.
		i0, k0 := i, k
		p, q := int64(1), int64(1)
		for first := true; first || p != q; first = false {
			switch {
			case p <= q && i < len(x.shape):
				p *= x.shape[i]
				i++
			case k < len(to):
				q *= to[k]
				k++
			case i < len(x.shape):
				p *= x.shape[i]
				i++
			default:
				return y, false
			}
		}
		for i < len(x.shape) && x.shape[i] == 1 {
			i++
		}
		for k < len(to) && to[k] == 1 {
			k++
		}
		co, ok := m.regroup(x.shape[i0:i], x.co[i0:i], to[k0:k], x.loose)
		if !ok {
			return y, false
		}
		y.co = append(y.co, co...)
	}
	return y, true
}

// regroup is like as, for groups of axes that correspond to each other.
func (m *mapper) regroup(shape []int64, co []coord, to []int64, loose bool) ([]coord, bool) {
	// Coordinates of axes of size 1 are 0 in both shapes.
	var s []int64
	var c []coord
	for i, n := range shape {
		if n != 1 {
			s, c = append(s, n), append(c, co[i])
		}
	}
	big := 0
	at := -1
	for i, n := range to {
		if n != 1 {
			big++
			at = i
		}
	}
	out := make([]coord, len(to))
	for i := range out {
		out[i] = constant(0)
	}
	switch {
	case big == 0:
		return out, true
	case big == 1:
		out[at] = m.linear(s, c)
		return out, true
	case big == len(s):
		same := true
		k := 0
		for _, n := range to {
			if n != 1 {
				same = same && s[k] == n
				k++
			}
		}
		if same {
			k = 0
			for i, n := range to {
				if n != 1 {
					out[i] = c[k]
					k++
				}
			}
			return out, true
		}
	}
	if loose {
		return nil, false // a coordinate outside of its axis would change the others
	}
	return m.split(m.linear(s, c), to)
}

func equal(a, b []int64) bool {
	if len(a) != len(b) {
		return false
	}
	for i, n := range a {
		if b[i] != n {
			return false
		}
	}
	return true
}

func dims(d core.Dims) []int64 {
	out := make([]int64, d.Len())
	for i := range out {
		out[i] = int64(d.At(i))
	}
	return out
}

// same reports whether two indices have the same coordinates in the same shape.
func (x index) same(y index) bool {
	if !equal(x.shape, y.shape) || x.loose != y.loose {
		return false
	}
	for i := range x.co {
		a, b := &x.co[i], &y.co[i]
		if a.base != b.base || a.value != b.value || !slices.Equal(a.terms, b.terms) {
			return false
		}
	}
	return true
}
