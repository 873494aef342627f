package amd64_test

import (
	"strings"
	"testing"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/native/amd64"
	"github.com/weft-go/weft/lower/scalar"
)

// Elements that are equally far apart are read and written without a loop over lanes, and without
// offsets in memory.
func TestStrided(t *testing.T) {
	for _, dt := range []scalar.Type{scalar.F32, scalar.F64, scalar.I32, scalar.I64} {
		b := ir.NewBuilder("strided")
		x := b.Buffer("x", ir.In, dt, ir.Const(64*20))
		y := b.Buffer("y", ir.Out, dt, ir.Const(64*20))
		b.Vector(ir.Const(64), nil, func(i ir.Axis) {
			at := func(buffer int) ir.Access {
				return ir.Access{Buffer: buffer, Offset: ir.Const(3), Coords: []ir.Coord{{Stride: ir.Const(20), Bound: ir.Const(64),
					Terms: []ir.Term{{Axis: i, Coeff: ir.Const(1)}}, Value: ir.NoRef}}}
			}
			b.Store(at(y), b.Load(at(x), ir.NoRef))
		})
		code, err := native.Compile(b.Finish(), native.Options{ISA: amd64.AVX2, Listing: true})
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(code.Listing, "\tjl "); n != 1 || strings.Contains(code.Listing, "vpmovsxdq") {
			t.Errorf("%v: got %d loops, want one, without offsets in memory\n%s", dt, n, code.Listing)
		}
	}
}
