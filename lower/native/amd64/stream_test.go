package amd64_test

import (
	"strings"
	"testing"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/native/amd64"
	"github.com/weft-go/weft/lower/scalar"
)

// Kernels that move elements to large results write past the caches; those of small results, those that
// compute, and those that read what they write do not.
func TestStreams(t *testing.T) {
	for _, c := range []struct {
		name    string
		n       int64
		role    ir.Role
		compute bool
		want    bool
	}{{"large", 1 << 22, ir.Out, false, true}, {"small", 1 << 20, ir.Out, false, false}, {"sums", 1 << 22, ir.Out, true, false}, {"in place", 1 << 22, ir.InOut, false, false}} {
		for _, isa := range []amd64.ISA{amd64.AVX512, amd64.AVX2} {
			b := ir.NewBuilder("move")
			x := b.Buffer("x", ir.In, scalar.F32, ir.Const(c.n))
			y := b.Buffer("y", c.role, scalar.F32, ir.Const(c.n))
			b.Vector(ir.Const(c.n), nil, func(i ir.Axis) {
				at := func(buffer int) ir.Access {
					return ir.Access{Buffer: buffer, Coords: []ir.Coord{{Stride: ir.Const(1), Bound: ir.Const(c.n), Terms: []ir.Term{{Axis: i, Coeff: ir.Const(1)}}, Value: ir.NoRef}}}
				}
				v := b.Load(at(x))
				if c.compute {
					v = b.Op(scalar.Inst{Op: scalar.OpAdd, Type: scalar.F32, Args: [3]ir.Ref{v, v, ir.NoRef}})
				}
				b.Store(at(y), v)
			})
			code, err := native.Compile(b.Finish(), native.Options{ISA: isa, Listing: true})
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range []string{"vmovntps", "sfence"} {
				if got := strings.Contains(code.Listing, name); got != c.want {
					t.Errorf("%s, %v: %s: got %t, want %t\n%s", c.name, isa, name, got, c.want, code.Listing)
				}
			}
		}
	}
}
