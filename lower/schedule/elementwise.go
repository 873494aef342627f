package schedule

import (
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/expand"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// ElementwiseKernel returns the kernel of an operation for any number of elements, of operands that are scalars or have the shape of
// the result: the symbols are n and twice n. `each` writes the loop over n elements. ElementwiseKernel returns nil if the operation has no code.
func ElementwiseKernel(p core.Primitive, in []core.ShapedArray, out core.ShapedArray, each func(b *ir.Builder, n ir.Size, element func(axes ...ir.Term))) *ir.Kernel {
	dts := make([]core.DType, len(in))
	for i, a := range in {
		if dts[i] = a.DType; scalar.Components(a.DType) == 0 {
			return nil
		}
	}
	prog, ok := expand.Program(p, dts, out.DType)
	if !ok || scalar.Components(out.DType) == 0 {
		return nil
	}
	b := ir.NewBuilder(strings.ReplaceAll(p.Name(), "-", "_"))
	n, twice := b.Symbol("n"), b.Symbol("twice")
	y := len(in)
	for i, a := range append(in[:y:y], out) {
		name, role, c := "x"+string(rune('0'+i)), ir.In, scalar.Components(a.DType)
		if i == y {
			name, role = "y", ir.Out
		}
		size := ir.Const(int64(c))
		if a.Shape == out.Shape {
			if size = n; c == 2 {
				size = twice
			}
		}
		b.Buffer(name, role, scalar.Stored(a.DType), size)
	}
	access := func(buf, component int, dt core.DType, axes []ir.Term) (at ir.Access) {
		at.Buffer, at.Offset = buf, ir.Const(int64(component))
		if axes != nil {
			at.Coords = []ir.Coord{{Stride: ir.Const(int64(scalar.Components(dt))), Bound: n, Terms: axes, Value: ir.NoRef}}
		}
		return
	}
	args := make([][]ir.Ref, len(in))
	load := func(axes []ir.Term) { // scalars without axes, other operands with them
		for i, a := range in {
			if (a.Shape == out.Shape) != (axes != nil) {
				continue
			}
			for c := range scalar.Components(a.DType) {
				args[i] = append(args[i], b.Load(access(i, c, a.DType, axes)))
			}
		}
	}
	load(nil)
	each(b, n, func(axes ...ir.Term) {
		load(axes)
		for c, r := range b.Inline(prog, args) {
			b.Store(access(y, c, out.DType, axes), r)
		}
	})
	return b.Finish()
}
