package cpu

import (
	"testing"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/native/amd64"
	"github.com/weft-go/weft/lower/scalar"
)

// A launch is divided by the estimate until a call was measured, and by what was measured
// then; calls that were interrupted count for little.
func TestLaunchesAreDividedByMeasuredTime(t *testing.T) {
	l := launch{points: 1000, each: 1e3, threads: 2, rate: &rate{}}
	check := func(what string, threads int, chunk int64) {
		t.Helper()
		if n, c := l.divide(); n != threads || c != chunk {
			t.Errorf("%s: got %d threads and %d points a call, want %d and %d", what, n, c, threads, chunk)
		}
	}
	check("by the estimate", 2, 100)
	l.rate.note(100, 1) // too short to be measured
	check("after a short call", 2, 100)
	l.rate.note(1e6, 100)
	check("ten times the estimate", 2, 10)
	for range 40 {
		l.rate.note(1e3, 100)
	}
	check("little work", 1, min(1000, int64(callTime/l.rate.get())))
	if r := l.rate.get(); r < 10 || r > 10.2 {
		t.Errorf("got %v ns a point after forty calls of 10", r)
	}
	l.rate.note(1e9, 100)
	if r := l.rate.get(); r > 13 {
		t.Errorf("got %v ns a point after an interrupted call, want at most a quarter more than 10", r)
	}
	l.rate = nil
	check("without measurement", 2, 100)
	l.points, l.each = 3, 1e6
	check("few large points", 2, 1)
}

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
		body := func(i ir.Axis) { b.Store(at(y, 1, i), b.Load(at(x, stride, i), ir.NoRef)) }
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
		isa    amd64.ISA
	}{
		{"f32", scalar.F32, 1, ir.Vector, amd64.AVX512},
		{"f32 with AVX2", scalar.F32, 1, ir.Vector, amd64.AVX2},
		{"f64 with AVX2", scalar.F64, 1, ir.Vector, amd64.AVX2},
		{"strided", scalar.F64, 2, ir.Vector, amd64.AVX2},
		{"one by one", scalar.F64, 1, ir.Sequential, amd64.AVX2},
	} {
		got := perPoint(copies(c.typ, c.stride, c.kind), c.isa, nil)
		if got <= last {
			t.Errorf("%s: got %v ns, want more than the %v before", c.name, got, last)
		}
		last = got
	}
}
