package amd64_test

import (
	"strings"
	"testing"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/native/amd64"
	"github.com/weft-go/weft/lower/scalar"
)

// Negated operands of fused multiplications and additions are part of the instruction; negations that
// others read, too, are computed.
func TestSums(t *testing.T) {
	for _, c := range []struct {
		neg  [3]bool
		read bool // something else reads the negations
		name string
	}{
		{[3]bool{}, false, "vfmadd"},
		{[3]bool{true, false, false}, false, "vfnmadd"},
		{[3]bool{false, true, false}, false, "vfnmadd"},
		{[3]bool{true, true, false}, false, "vfmadd"},
		{[3]bool{false, false, true}, false, "vfmsub"},
		{[3]bool{true, false, true}, false, "vfnmsub"},
		{[3]bool{true, true, true}, false, "vfmsub"},
		{[3]bool{true, false, false}, true, "vfmadd"},
	} {
		for _, isa := range []amd64.ISA{amd64.AVX512, amd64.AVX2} {
			for _, dt := range []scalar.Type{scalar.F32, scalar.F64} {
				b := ir.NewBuilder("sum")
				var in [3]int
				for i, name := range []string{"x", "y", "z"} {
					in[i] = b.Buffer(name, ir.In, dt, ir.Const(64))
				}
				out := b.Buffer("r", ir.Out, dt, ir.Const(64))
				b.Vector(ir.Const(64), nil, func(i ir.Axis) {
					at := elements(i)
					var args [3]ir.Ref
					for k := range args {
						args[k] = b.Load(at(in[k]))
						if c.neg[k] {
							args[k] = b.Op(scalar.Inst{Op: scalar.OpNeg, Type: dt, Args: [3]ir.Ref{args[k]}})
						}
					}
					r := b.Op(scalar.Inst{Op: scalar.OpFMA, Type: dt, Args: args})
					if c.read {
						r = b.Op(scalar.Inst{Op: scalar.OpAdd, Type: dt, Args: [3]ir.Ref{r, args[0]}})
					}
					b.Store(at(out), r)
				})
				code, err := native.Compile(b.Finish(), native.Options{ISA: isa, Listing: true})
				if err != nil {
					t.Fatal(err)
				}
				for _, name := range []string{"vfmadd", "vfmsub", "vfnmadd", "vfnmsub"} {
					if got, want := strings.Contains(code.Listing, name), name == c.name; got != want {
						t.Errorf("%v %v, %v: got %s: %t, want %t\n%s", isa, dt, c, name, got, want, code.Listing)
					}
				}
				if got := strings.Contains(code.Listing, "vxorp"); got != c.read {
					t.Errorf("%v %v, %v: got a negation: %t, want %t\n%s", isa, dt, c, got, c.read, code.Listing)
				}
			}
		}
	}
}
