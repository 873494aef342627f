package amd64_test

import (
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/native/amd64"
	"github.com/weft-go/weft/lower/scalar"
)

// A number that is narrowed to bfloat16 and widened at once stays in its register; one that is
// stored, too, is packed once.
func TestRoundings(t *testing.T) {
	for _, stored := range []bool{false, true} {
		for _, isa := range []amd64.ISA{amd64.AVX512, amd64.AVX2} {
			b := ir.NewBuilder("round")
			x := b.Buffer("x", ir.In, scalar.F32, ir.Const(64))
			y := b.Buffer("y", ir.Out, scalar.F32, ir.Const(64))
			z := b.Buffer("z", ir.Out, scalar.U16, ir.Const(64))
			b.Vector(ir.Const(64), nil, func(i ir.Axis) {
				at := elements(i)
				narrow := b.Op(scalar.Inst{Op: scalar.OpNarrow, Type: scalar.U16, DType: core.BFloat16, Args: [3]ir.Ref{b.Load(at(x)), ir.NoRef, ir.NoRef}})
				if stored {
					b.Store(at(z), narrow)
				}
				b.Store(at(y), b.Op(scalar.Inst{Op: scalar.OpWiden, Type: scalar.F32, DType: core.BFloat16, Args: [3]ir.Ref{narrow, ir.NoRef, ir.NoRef}}))
			})
			code, err := native.Compile(b.Finish(), native.Options{ISA: isa, Listing: true})
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Contains(code.Listing, "vpmovzxwd"); got != stored {
				t.Errorf("%v, stored %t: the number is packed and widened again: got %t, want %t\n%s", isa, stored, got, stored, code.Listing)
			}
		}
	}
}
