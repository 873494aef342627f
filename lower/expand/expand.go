package expand

import (
	"reflect"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/scalar"
)

// An Elem is an element of an array within a program: its dtype, and the values that represent it, as they are
// stored. Im is NoRef in an element that is not complex, and Re, too, in one of float0.
type Elem struct {
	DType  core.DType
	Re, Im scalar.Ref
}

// Has reports whether p has an expansion.
func Has(p core.Primitive) bool { return expansions[reflect.TypeOf(p)] != nil }

// Into writes into b what the elementwise primitive p does with one element of
// each operand, and returns the element of the result, which has dtype out. ok is
// false if p has no expansion.
func Into(b *scalar.Builder, p core.Primitive, in []Elem, out core.DType) (e Elem, ok bool) {
	f, ok := expansions[reflect.TypeOf(p)]
	if !ok {
		return Elem{}, false
	}
	x := &expander{builder: builder{b}, prim: p, out: out}
	e = f(x, in)
	if e.DType != out {
		panic("BUG: the expansion of " + p.Name() + " returns " + e.DType.String() + ", not " + out.String())
	}
	return e, true
}

// Program returns the program of p alone.
func Program(p core.Primitive, in []core.DType, out core.DType) (*scalar.Prog, bool) {
	b := scalar.NewBuilder(in...)
	elems := make([]Elem, len(in))
	for i, dt := range in {
		elems[i] = Param(b, i, dt)
	}
	e, ok := Into(b, p, elems, out)
	if !ok {
		return nil, false
	}
	return b.Finish([]core.DType{out}, e.refs()), true
}

// Param returns the element of operand i, of type dt.
func Param(b *scalar.Builder, i int, dt core.DType) Elem {
	e := Elem{dt, scalar.NoRef, scalar.NoRef}
	switch scalar.Components(dt) {
	case 2:
		e.Im = b.Param(i, 1)
		fallthrough
	case 1:
		e.Re = b.Param(i, 0)
	}
	return e
}

func (e Elem) refs() []scalar.Ref { return []scalar.Ref{e.Re, e.Im}[:scalar.Components(e.DType)] }
