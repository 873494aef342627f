package reference

import (
	"reflect"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/expand"
)

// A typedRow is the kernel of one primitive, found by the primitive's Go type.
type typedRow[F any] struct {
	prim reflect.Type
	f    F
}

type (
	row        = typedRow[Func]
	programRow = typedRow[ProgramFunc]
)

// on returns the row of P.
func on[P core.Primitive](f func(p P, in, out []*Tensor)) row {
	return row{reflect.TypeFor[P](), func(p core.Primitive, in, out []*Tensor) { f(p.(P), in, out) }}
}

// onProgram returns the row of P, which contains a program.
func onProgram[P core.Primitive](f func(p P, call Caller, in, out []*Tensor)) programRow {
	return programRow{reflect.TypeFor[P](), func(p core.Primitive, call Caller, in, out []*Tensor) { f(p.(P), call, in, out) }}
}

// typedRows returns the table that the rows make.
func typedRows[F any](lists ...[]typedRow[F]) map[reflect.Type]F {
	m := make(map[reflect.Type]F)
	for _, rows := range lists {
		for _, r := range rows {
			if _, twice := m[r.prim]; twice {
				panic("BUG: two kernels of " + r.prim.String())
			}
			m[r.prim] = r.f
		}
	}
	return m
}

// table contains the kernels that are not expansions. Programs within programs are not
// here; executors run them.
var table = typedRows(loopRows, movedRows, specialRows)

// Lookup returns the kernel of p; ok is false where there is none.
func Lookup(p core.Primitive) (f Func, ok bool) {
	if expand.Has(p) {
		return elementwise, true
	}
	f, ok = table[reflect.TypeOf(p)]
	return f, ok
}

// Has reports whether p has a kernel, with programs of its own or without.
func Has(p core.Primitive) bool {
	if _, ok := Lookup(p); ok {
		return true
	}
	_, ok := LookupProgram(p)
	return ok
}

// Prepare returns the kernel of p for operands and results of certain types, with what
// depends on them alone computed in advance.
func Prepare(p core.Primitive, in, out []core.ShapedArray) (f Func, ok bool) {
	if !expand.Has(p) {
		return Lookup(p)
	}
	if len(out) != 1 || out[0].DType.Size() == 0 || out[0].Size() == 0 || in[0].DType == core.Float0 {
		return elementwise, true
	}
	dts := make([]core.DType, len(in))
	for i, a := range in {
		dts[i] = a.DType
	}
	pl, planned := PlanOf(p, dts, out[0].DType)
	if !planned {
		return elementwise, true
	}
	return func(_ core.Primitive, in, out []*Tensor) { pl.Run(in, out) }, true
}
