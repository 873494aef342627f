package schedule

import (
	"testing"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// Elements that lie apart cost more than neighbours, wide ones more than narrow ones, and
// AVX2 more than AVX-512.
func TestEstimates(t *testing.T) {
	copies := func(typ scalar.Type, stride int64, kind ir.Kind) *ir.Kernel {
		b := ir.NewBuilder("copy")
		n := ir.Const(64)
		x := b.Buffer("x", ir.In, typ, ir.Const(64*stride))
		y := b.Buffer("y", ir.Out, typ, n)
		at := func(buffer int, stride int64, i ir.Axis) ir.Access {
			return ir.Access{Buffer: buffer, Coords: []ir.Coord{{Stride: ir.Const(stride), Bound: n, Terms: []ir.Term{{Axis: i, Coeff: ir.Const(1)}}, Value: ir.NoRef}}}
		}
		body := func(i ir.Axis) { b.Store(at(y, 1, i), b.Load(at(x, stride, i))) }
		if kind == ir.Vector {
			b.Vector(n, nil, body)
		} else {
			b.Loop(n, nil, func(i ir.Axis, _ []ir.Ref) []ir.Ref { body(i); return nil })
		}
		return b.Finish()
	}
	last := 0.0
	for _, c := range []struct {
		name   string
		typ    scalar.Type
		stride int64
		kind   ir.Kind
		m      Processor
	}{
		{"f32", scalar.F32, 1, ir.Vector, avx512},
		{"f32 with AVX2", scalar.F32, 1, ir.Vector, avx2},
		{"f64 with AVX2", scalar.F64, 1, ir.Vector, avx2},
		{"strided", scalar.F64, 2, ir.Vector, avx2},
		{"one by one", scalar.F64, 1, ir.Sequential, avx2},
	} {
		got := c.m.PerPoint(copies(c.typ, c.stride, c.kind), nil)
		if got <= last {
			t.Errorf("%s: got %v ns, want more than the %v before", c.name, got, last)
		}
		last = got
	}
}
