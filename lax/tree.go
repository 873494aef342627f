package lax

import (
	"reflect"
	"unsafe"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/tree"
)

// form is how values of P, trees of Arrays, are taken apart and put together.
type form[P any] struct {
	op   string
	plan *tree.Plan[weft.Array]
}

func formOf[P any](op string) form[P] {
	plan, err := tree.For[weft.Array](reflect.TypeFor[P]())
	if err != nil {
		if e, ok := err.(*core.Error); ok {
			e.Op = op
		}
		panic(err)
	}
	return form[P]{op, plan}
}

// apart returns the values in p, and how others are put together in its form.
func (f form[P]) apart(p P) ([]core.Value, *tree.Def[weft.Array]) {
	at := unsafe.Pointer(&p)
	var flat tree.Flat[weft.Array]
	f.plan.Flatten(&flat, at)
	for i, x := range flat.Leaves {
		if x.IsZero() {
			core.FailOp(core.ErrTree, f.op, nil, "leaf %q contains no array (was a field not set?); set it", f.plan.Paths(at)[i])
		}
	}
	return unwrap(flat.Leaves), f.plan.Def(at)
}

// together puts values together in the form that def describes.
func (f form[P]) together(def *tree.Def[weft.Array], vs []core.Value) P {
	var p P
	def.Rebuild(unsafe.Pointer(&p), wrapAll(vs))
	return p
}

// same refuses two values of different structure or statics.
func (f form[P]) same(what string, p, q P) {
	if path, a, b, differ := f.plan.Difference(unsafe.Pointer(&p), unsafe.Pointer(&q)); differ {
		core.FailOp(core.ErrTree, f.op, nil, "%s must all have one structure (at %q there is %s in one and %s in another); make them equal", what, path, a, b)
	}
}
