package amd64_test

import (
	"regexp"
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
			b.Store(at(y), b.Load(at(x)))
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

// Offsets of lanes that exceed 32 bits have 64.
func TestFarApart(t *testing.T) {
	for _, apart := range []int64{1<<22 - 1, 5e6} {
		b := ir.NewBuilder("apart")
		x := b.Buffer("x", ir.In, scalar.U8, ir.Const(512))
		y := b.Buffer("y", ir.Out, scalar.U8, ir.Const(512*apart+1<<30))
		b.Vector(ir.Const(512), nil, func(i ir.Axis) {
			at := func(buffer int, stride, offset int64) ir.Access {
				return ir.Access{Buffer: buffer, Offset: ir.Const(offset), Coords: []ir.Coord{{Stride: ir.Const(stride), Bound: ir.Const(512),
					Terms: []ir.Term{{Axis: i, Coeff: ir.Const(1)}}, Value: ir.NoRef}}}
			}
			r := b.Load(at(x, 1, 0))
			for range 10 {
				r = b.Op(scalar.Inst{Op: scalar.OpAdd, Type: scalar.U8, Args: [3]ir.Ref{r, r}})
			}
			b.Store(at(y, apart, 1<<30-1), r)
		})
		code, err := native.Compile(b.Finish(), native.Options{ISA: amd64.AVX512, Listing: true})
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(code.Listing, "64 lanes, 8 copies") {
			t.Errorf("got other lanes than 64 in 8 copies\n%s", code.Listing)
		}
		if wraps := regexp.MustCompile(`vpmovsxdq|mov byte ptr \[r\w+-`).FindString(code.Listing); wraps != "" {
			t.Errorf("%d bytes apart: got %q, whose distances wrap, want offsets of 64 bits\n%s", apart, wraps, code.Listing)
		}
	}
}
