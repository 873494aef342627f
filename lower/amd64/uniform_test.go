package amd64_test

import (
	"strings"
	"testing"

	"github.com/weft-go/weft/lower/amd64"
	"github.com/weft-go/weft/lower/kernel/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// Rows that an index chooses are copied by loops that only load and store: the address of
// a row is computed in front of its loop.
func TestUniformAddresses(t *testing.T) {
	b := ir.NewBuilder("rows")
	x := b.Buffer("x", ir.In, scalar.F32, ir.Const(64*10))
	at := b.Buffer("at", ir.In, scalar.I64, ir.Const(5))
	out := b.Buffer("out", ir.Out, scalar.F32, ir.Const(64*5))
	row := b.Grid(ir.Const(5))
	r := b.Load(ir.Access{Buffer: at, Coords: []ir.Coord{{Stride: ir.Const(1), Bound: ir.Const(5), Terms: []ir.Term{{Axis: row, Coeff: ir.Const(1)}}, Value: ir.NoRef}}}, ir.NoRef)
	b.Vector(ir.Const(64), nil, func(i ir.Axis) {
		in := ir.Coord{Stride: ir.Const(1), Bound: ir.Const(64), Terms: []ir.Term{{Axis: i, Coeff: ir.Const(1)}}, Value: ir.NoRef}
		to := ir.Coord{Stride: ir.Const(64), Bound: ir.Const(5), Terms: []ir.Term{{Axis: row, Coeff: ir.Const(1)}}, Value: ir.NoRef}
		from := ir.Coord{Stride: ir.Const(64), Bound: ir.Const(10), Mode: ir.Clamp, Value: r}
		b.Store(ir.Access{Buffer: out, Coords: []ir.Coord{to, in}}, b.Load(ir.Access{Buffer: x, Coords: []ir.Coord{from, in}}, ir.NoRef))
	})
	k := b.Finish()
	for _, isa := range []amd64.ISA{amd64.AVX2, amd64.AVX512} {
		c, err := amd64.Compile(k, amd64.Options{ISA: isa, Listing: true})
		if err != nil {
			t.Fatal(err)
		}
		_, loop, ok := strings.Cut(c.Listing, "; %1 = load")
		if !ok {
			t.Fatalf("%v: no load in the listing:\n%s", isa, c.Listing)
		}
		loop, _, _ = strings.Cut(loop, "jl ")
		if strings.Contains(loop, "cmov") || strings.Contains(loop, "shl") {
			t.Errorf("%v: the loop computes the row's address:\n%s", isa, loop)
		}
	}
}
