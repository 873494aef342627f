package amd64_test

import (
	"strings"
	"testing"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/native/amd64"
	"github.com/weft-go/weft/lower/scalar"
)

// (x << n) | (x >> (32 − n)) is one instruction, in either order; other shifts are not.
func TestRotation(t *testing.T) {
	for _, c := range []struct {
		up, down  uint64
		swapped   bool
		rotations int
	}{{13, 19, false, 1}, {13, 19, true, 1}, {13, 18, false, 0}} {
		b := ir.NewBuilder("rotate")
		x := b.Buffer("x", ir.In, scalar.U32, ir.Const(64))
		y := b.Buffer("y", ir.Out, scalar.U32, ir.Const(64))
		b.Vector(ir.Const(64), nil, func(i ir.Axis) {
			at := elements(i)
			op := func(o scalar.Op, p, q ir.Ref) ir.Ref {
				return b.Op(scalar.Inst{Op: o, Type: scalar.U32, Args: [3]ir.Ref{p, q, ir.NoRef}})
			}
			v := b.Load(at(x))
			l, r := op(scalar.OpShl, v, b.Const(scalar.U32, c.up)), op(scalar.OpShr, v, b.Const(scalar.U32, c.down))
			if c.swapped {
				l, r = r, l
			}
			b.Store(at(y), op(scalar.OpOr, l, r))
		})
		code, err := native.Compile(b.Finish(), native.Options{ISA: amd64.AVX512, Listing: true})
		if err != nil {
			t.Fatal(err)
		}
		rotations, shifts := strings.Count(code.Listing, "vprold"), strings.Count(code.Listing, "vpslld")
		if (rotations > 0) != (c.rotations > 0) || (shifts > 0) == (c.rotations > 0) {
			t.Errorf("shifts by %d and %d: got %d rotations and %d shifts to the left\n%s", c.up, c.down, rotations, shifts, code.Listing)
		}
	}
}

// With AVX2 whole bytes that move around are one shuffle; other rotations are shifts.
func TestRotationOfBytes(t *testing.T) {
	for _, c := range []struct {
		typ      scalar.Type
		n        uint64
		shuffles bool
	}{{scalar.U32, 8, true}, {scalar.U32, 16, true}, {scalar.U32, 24, true}, {scalar.U64, 40, true}, {scalar.U32, 13, false}} {
		b := ir.NewBuilder("rotate")
		x := b.Buffer("x", ir.In, c.typ, ir.Const(64))
		y := b.Buffer("y", ir.Out, c.typ, ir.Const(64))
		b.Vector(ir.Const(64), nil, func(i ir.Axis) {
			at := elements(i)
			op := func(o scalar.Op, p, q ir.Ref) ir.Ref {
				return b.Op(scalar.Inst{Op: o, Type: c.typ, Args: [3]ir.Ref{p, q, ir.NoRef}})
			}
			v := b.Load(at(x))
			b.Store(at(y), op(scalar.OpOr, op(scalar.OpShl, v, b.Const(c.typ, c.n)), op(scalar.OpShr, v, b.Const(c.typ, uint64(c.typ.Bits())-c.n))))
		})
		code, err := native.Compile(b.Finish(), native.Options{ISA: amd64.AVX2, Listing: true})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(code.Listing, "vpshufb"); got != c.shuffles {
			t.Errorf("%v by %d: got a shuffle: %v, want %v\n%s", c.typ, c.n, got, c.shuffles, code.Listing)
		}
	}
}

// elements returns the accesses of buffers of 64 elements at an axis.
func elements(i ir.Axis) func(buffer int) ir.Access {
	return func(buffer int) ir.Access {
		return ir.Access{Buffer: buffer, Coords: []ir.Coord{{Stride: ir.Const(1), Bound: ir.Const(64), Terms: []ir.Term{{Axis: i, Coeff: ir.Const(1)}}, Value: ir.NoRef}}}
	}
}
