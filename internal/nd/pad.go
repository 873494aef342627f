package nd

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
)

// PadMode selects the elements that Pad adds.
type PadMode uint8

// The modes, shown for 1 2 3 padded by two: a constant (0 0 1 2 3 0 0), the edges
// (1 1 1 2 3 3 3), the mirror image with the edge (2 1 1 2 3 3 2) or without
// (3 2 1 2 3 2 1), the other end (2 3 1 2 3 1 2), and the largest, least or mean
// element, or the points of a line from the edge to Value.
const (
	PadConstant PadMode = iota
	PadEdge
	PadSymmetric
	PadReflect
	PadWrap
	PadMaximum
	PadMinimum
	PadMean
	PadLinearRamp
)

// PadConfig configures Pad. Its zero value pads with zeros.
type PadConfig struct {
	Mode  PadMode
	Value any // of PadConstant, and the outer ends of PadLinearRamp; nil: 0
}

// Pad adds elements around x: widths has the numbers of elements before and after each axis, or one pair for
// all axes.
func Pad(x core.Value, widths [][2]int, c PadConfig) core.Value {
	v := ValueOf("Pad", x)
	a := v.Aval()
	r := a.Rank()
	fail := func(format string, args ...any) {
		core.FailOp(core.ErrShape, "Pad", []core.ShapedArray{a}, format, args...)
	}
	if len(widths) != r && len(widths) != 1 {
		fail("got %s of widths for the %s of %v; give one an axis", core.Count(len(widths), "pair"), core.Count(r, "axis"), a.Full())
	}
	if c.Value == nil {
		c.Value = ZerosOfType(a.WithShape(core.Dims{}).Strong())
	} else if c.Mode != PadConstant && c.Mode != PadLinearRamp {
		fail("Value is for PadConstant and PadLinearRamp only; leave it out")
	}
	at := func(i int) (lo, hi int) {
		w := widths[0]
		if len(widths) > 1 {
			w = widths[i]
		}
		if w[0] < 0 || w[1] < 0 {
			fail("the widths %v of axis %d are negative; cut with Index", w, i)
		}
		return w[0], w[1]
	}
	if n := ValueOf("Pad", c.Value).Aval(); n.Rank() > 0 {
		fail("Value is one number, got %v; pass a scalar", n.Full())
	}
	if c.Mode > PadLinearRamp {
		core.FailOp(core.ErrStatic, "Pad", nil, "there is no mode %d; use weft.PadConstant and its neighbours", c.Mode)
	}
	if c.Mode == PadConstant {
		fill := fitInto("Pad", v, ValueOf("Pad", c.Value))
		config := make([]int, 0, 3*r)
		for i := range r {
			lo, hi := at(i)
			config = append(config, lo, hi, 0)
		}
		return prim.Pad(v, fill, core.MakeDims(config...))
	}
	return WithJAXPromotion(func() core.Value {
		for i := range r {
			lo, hi := at(i)
			if lo+hi == 0 {
				continue
			}
			n := dim(x, i)
			if n == 0 {
				fail("axis %d of %v is empty: there is nothing to pad with; use PadConstant", i, a.Full())
			}
			s := x.Aval().Shape.Ints()
			if s[i] = n + lo + hi; s[i] < n || lo+hi < 0 {
				fail("axis %d of %v would have %d + %d + %d elements; pad by less", i, a.Full(), lo, n, hi)
			}
			Room("Pad", s, a.DType)
			Room("Pad", s[i:i+1], core.Int32) // positions on the axis
			x = c.alongAxis(x, i, lo, hi, n)
		}
		return x
	})
}

func (c PadConfig) alongAxis(x core.Value, ax, lo, hi, n int) core.Value {
	var before, after core.Value
	spread := func(part core.Value, k int) core.Value {
		s := x.Aval().Shape.Ints()
		s[ax] = k
		return BroadcastTo(part, s...)
	}
	edge := func(i int) core.Value { return prim.SliceAxis(x, ax, i, i+1, 1) }
	switch c.Mode {
	case PadEdge:
		before, after = spread(edge(0), lo), spread(edge(n-1), hi)
	case PadSymmetric, PadReflect, PadWrap:
		places := make([]int32, 0, lo+n+hi)
		for i := -lo; i < n+hi; i++ {
			places = append(places, int32(c.Mode.source(i, n)))
		}
		return Take(x, fromSlice(places), ax)
	case PadMaximum:
		m := Max(x, ax, Keep)
		before, after = spread(m, lo), spread(m, hi)
	case PadMinimum:
		m := Min(x, ax, Keep)
		before, after = spread(m, lo), spread(m, hi)
	case PadMean:
		m := Mean(x, ax, Keep)
		if !x.Aval().DType.IsInexact() {
			m = AsType(Round(m), x.Aval().DType)
		}
		before, after = spread(m, lo), spread(m, hi)
	case PadLinearRamp:
		before, after = c.ramp(x, edge(0), ax, lo, false), c.ramp(x, edge(n-1), ax, hi, true)
	}
	return Concat(ax, before, x, after)
}

// ramp returns k elements on the line from Value, outside, to the edge.
func (c PadConfig) ramp(x, edge core.Value, ax, k int, falling bool) core.Value {
	s := make([]int, x.Aval().Rank())
	for i := range s {
		s[i] = 1
	}
	s[ax] = k
	dt := x.Aval().DType
	step := Iota(core.Int32, 0, k)
	if falling {
		step = Sub(k-1, step)
	}
	end := fitInto("Pad", x, ValueOf("Pad", c.Value))
	if !dt.IsInexact() { // rounded down, as in NumPy
		end, edge, step = AsType(end, core.Int64), AsType(edge, core.Int64), Reshape(AsType(step, core.Int64), s...)
		return AsType(Add(end, FloorDiv(Mul(Sub(edge, end), step), k)), dt)
	}
	wide := AverageType(dt)
	end, edge = AsType(end, wide), AsType(edge, wide)
	t := Reshape(Div(AsType(step, wide), float64(k)), s...)
	return AsType(Add(end, Mul(Sub(edge, end), t)), dt)
}

// source returns the position within an axis of n elements that is repeated at position i outside
// of it.
func (m PadMode) source(i, n int) int {
	mod := func(i, n int) int { return (i%n + n) % n }
	switch m {
	case PadWrap:
		return mod(i, n)
	case PadSymmetric:
		if i = mod(i, 2*n); i >= n {
			i = 2*n - 1 - i
		}
		return i
	}
	if n == 1 {
		return 0
	}
	if i = mod(i, 2*n-2); i >= n {
		i = 2*n - 2 - i
	}
	return i
}
