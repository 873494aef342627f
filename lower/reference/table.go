package reference

import (
	"reflect"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/expand"
	"github.com/weft-go/weft/lower/reference/fft"
	"github.com/weft-go/weft/lower/reference/internal/block"
	"github.com/weft-go/weft/lower/reference/linalg"
	"github.com/weft-go/weft/lower/reference/special"
)

type programRow = block.TypedRow[ProgramFunc]

func onProgram[P core.Primitive](f func(p P, call Caller, in, out []*block.Tensor)) programRow {
	return programRow{Prim: reflect.TypeFor[P](), F: func(p core.Primitive, call Caller, in, out []*block.Tensor) { f(p.(P), call, in, out) }}
}

// table contains the kernels of primitives that have no expansion and contain no program.
var table = block.TypedRows(loopRows, movedRows, linalg.Rows, fft.Rows, special.Rows)

// Lookup returns the kernel of p. ok is false if there is none, or if only LookupProgram has it.
func Lookup(p core.Primitive) (f block.Func, ok bool) {
	if expand.Has(p) {
		return block.Elementwise, true
	}
	f, ok = table[reflect.TypeOf(p)]
	return f, ok
}

// Has reports whether Lookup or LookupProgram has a kernel of p.
func Has(p core.Primitive) bool {
	if _, ok := Lookup(p); ok {
		return true
	}
	_, ok := LookupProgram(p)
	return ok
}

// Prepare returns the kernel of p for operands and results of certain types. Work that depends only on the
// types is done in advance.
func Prepare(p core.Primitive, in, out []core.ShapedArray) (f block.Func, ok bool) {
	if !expand.Has(p) {
		return Lookup(p)
	}
	if len(out) != 1 || out[0].DType.Size() == 0 || out[0].Size() == 0 || in[0].DType == core.Float0 {
		return block.Elementwise, true
	}
	dts := make([]core.DType, len(in))
	for i, a := range in {
		dts[i] = a.DType
	}
	pl, planned := block.PlanOf(p, dts, out[0].DType)
	if !planned {
		return block.Elementwise, true
	}
	return func(_ core.Primitive, in, out []*block.Tensor) { pl.Run(in, out) }, true
}
