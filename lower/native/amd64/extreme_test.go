package amd64_test

import (
	"strings"
	"testing"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/native/amd64"
	"github.com/weft-go/weft/lower/scalar"
)

// A choice between the operands of a comparison is one instruction, in any order of the operands;
// other choices are not.
func TestExtremes(t *testing.T) {
	for _, c := range []struct {
		swapped, other bool
		name           string
	}{{false, false, "vminps"}, {true, false, "vmaxps"}, {false, true, ""}} {
		for _, isa := range []amd64.ISA{amd64.AVX512, amd64.AVX2} {
			b := ir.NewBuilder("bound")
			x := b.Buffer("x", ir.In, scalar.F32, ir.Const(64))
			y := b.Buffer("y", ir.Out, scalar.F32, ir.Const(64))
			b.Vector(ir.Const(64), nil, func(i ir.Axis) {
				at := elements(i)
				v, bound := b.Load(at(x)), b.Const(scalar.F32, 0x42b20000)
				less := b.Op(scalar.Inst{Op: scalar.OpLt, Type: scalar.Bool, Args: [3]ir.Ref{v, bound, ir.NoRef}})
				p, q := v, bound
				if c.swapped {
					p, q = q, p
				}
				if c.other {
					q = b.Const(scalar.F32, 0x3f800000)
				}
				b.Store(at(y), b.Op(scalar.Inst{Op: scalar.OpSelect, Type: scalar.F32, Args: [3]ir.Ref{less, p, q}}))
			})
			code, err := native.Compile(b.Finish(), native.Options{ISA: isa, Listing: true})
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range []string{"vminps", "vmaxps"} {
				if got, want := strings.Contains(code.Listing, name), name == c.name; got != want {
					t.Errorf("%v, swapped %t, other %t: got %s: %t, want %t\n%s", isa, c.swapped, c.other, name, got, want, code.Listing)
				}
			}
			if got, want := strings.Contains(code.Listing, "vcmpps"), c.other; got != want {
				t.Errorf("%v, swapped %t, other %t: got a comparison: %t, want %t\n%s", isa, c.swapped, c.other, got, want, code.Listing)
			}
		}
	}
}
