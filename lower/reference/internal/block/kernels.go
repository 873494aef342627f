package block

import (
	"reflect"

	"github.com/weft-go/weft/core"
)

// A TypedRow is the kernel of one primitive, found by the primitive's Go type.
type TypedRow[F any] struct {
	Prim reflect.Type
	F    F
}

// A Row is the kernel of a primitive without a program.
type Row = TypedRow[Func]

// On returns the row of P.
func On[P core.Primitive](f func(p P, in, out []*Tensor)) Row {
	return Row{reflect.TypeFor[P](), func(p core.Primitive, in, out []*Tensor) { f(p.(P), in, out) }}
}

// TypedRows returns the table that the rows make.
func TypedRows[F any](lists ...[]TypedRow[F]) map[reflect.Type]F {
	m := make(map[reflect.Type]F)
	for _, rows := range lists {
		for _, r := range rows {
			if _, twice := m[r.Prim]; twice {
				panic("BUG: two kernels of " + r.Prim.String())
			}
			m[r.Prim] = r.F
		}
	}
	return m
}
