package arm64

import (
	"strings"
	"testing"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/scalar"
)

// long returns a kernel of n additions to each element.
func long(n int) *ir.Kernel {
	b := ir.NewBuilder("long")
	size := ir.Const(100)
	x, y := b.Buffer("x", ir.In, scalar.F32, size), b.Buffer("y", ir.Out, scalar.F32, size)
	b.Vector(size, nil, func(i ir.Axis) {
		at := func(buffer int) ir.Access {
			return ir.Access{Buffer: buffer, Coords: []ir.Coord{{Stride: ir.Const(1), Bound: size, Terms: []ir.Term{{Axis: i, Coeff: ir.Const(1)}}, Value: ir.NoRef}}}
		}
		r := b.Load(at(x))
		for range n {
			r = b.Op(scalar.Inst{Op: scalar.OpAdd, Type: scalar.F32, Args: [3]ir.Ref{r, b.Const(scalar.F32, 0x3f800000), ir.NoRef}})
		}
		b.Store(at(y), r)
	})
	return b.Finish()
}

// A kernel whose jumps or constants are out of reach is refused.
func TestReach(t *testing.T) {
	if _, err := native.Compile(long(1000), native.Options{ISA: NEON{}}); err != nil {
		t.Error(err)
	}
	_, err := native.Compile(long(1<<18), native.Options{ISA: NEON{}})
	if err == nil || !strings.Contains(err.Error(), "neon: kernel long has no machine code (code of more than a megabyte)") {
		t.Errorf("got %v, want an error about the length", err)
	}
}

// A listing has a line for each instruction, with the operations that they are part of.
func TestListing(t *testing.T) {
	c, err := native.Compile(long(1), native.Options{ISA: NEON{}, Listing: true})
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	for line := range strings.Lines(c.Listing) {
		if strings.HasPrefix(line, " ") && !strings.Contains(line, ";") {
			lines++
		}
	}
	for _, want := range []string{"fadd v", "; %0 = load x", "vector loop a0: 4 lanes", "\tret\n", "b.lt L", "ldr q", ", pool+"} {
		if !strings.Contains(c.Listing, want) {
			t.Errorf("the listing has no %q:\n%s", want, c.Listing)
		}
	}
	if lines != c.Instructions || 4*lines != c.Size {
		t.Errorf("%d lines for %d instructions of %d bytes", lines, c.Instructions, c.Size)
	}
}
