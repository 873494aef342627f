package amd64_test

import (
	"strings"
	"testing"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/native/amd64"
	"github.com/weft-go/weft/lower/scalar"
)

// A vector that is read once is an operand in memory, unless something is stored between its
// load and its use.
func TestLoadsAsOperands(t *testing.T) {
	for _, storeBetween := range []bool{false, true} {
		b := ir.NewBuilder("operand")
		x := b.Buffer("x", ir.In, scalar.F32, ir.Const(64))
		y := b.Buffer("y", ir.In, scalar.F32, ir.Const(64))
		out := b.Buffer("out", ir.Out, scalar.F32, ir.Const(64))
		other := b.Buffer("other", ir.Out, scalar.F32, ir.Const(64))
		b.Vector(ir.Const(64), nil, func(i ir.Axis) {
			at := elements(i)
			p, q := b.Load(at(x)), b.Load(at(y))
			if storeBetween {
				b.Store(at(other), b.Const(scalar.F32, 0))
			}
			sum := b.Op(scalar.Inst{Op: scalar.OpAdd, Type: scalar.F32, Args: [3]ir.Ref{p, q, ir.NoRef}})
			b.Store(at(out), sum)
		})
		for _, isa := range []amd64.ISA{amd64.AVX2, amd64.AVX512} {
			code, err := native.Compile(b.Finish(), native.Options{ISA: isa, Listing: true})
			if err != nil {
				t.Fatal(err)
			}
			inMemory := false
			for line := range strings.Lines(code.Listing) {
				inMemory = inMemory || strings.Contains(line, "vaddps") && strings.Contains(line, "ptr")
			}
			if inMemory == storeBetween {
				t.Errorf("%v, store between: %v: got an operand in memory: %v\n%s", isa, storeBetween, inMemory, code.Listing)
			}
		}
	}
}
