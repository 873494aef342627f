package weft

import (
	"reflect"
	"unsafe"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/tree"
)

// form is how values of P are taken apart into arrays.
type form[P any] struct{ plan *tree.Plan[Array] }

// formOf returns the form of P. A type that is no tree is refused, naming the operation.
func formOf[P any](op string) form[P] {
	plan, err := tree.For[Array](reflect.TypeFor[P]())
	if err != nil {
		if e, ok := err.(*core.Error); ok {
			e.Op = op
		}
		panic(err)
	}
	return form[P]{plan}
}

// apart takes p apart: its leaves, nil for the zero Array, and how to put others
// together in its form.
func (f form[P]) apart(p *P) ([]core.Value, *tree.Def[Array]) {
	var flat tree.Flat[Array]
	at := unsafe.Pointer(p)
	f.plan.Flatten(&flat, at)
	vals := make([]core.Value, len(flat.Leaves))
	for i, x := range flat.Leaves {
		if !x.IsZero() {
			vals[i] = x.Value()
		}
	}
	return vals, f.plan.Def(at)
}

// values returns apart for values in which every leaf must be an array.
func (f form[P]) values(op string, p *P) ([]core.Value, *tree.Def[Array]) {
	vals, def := f.apart(p)
	for i, v := range vals {
		if v == nil {
			core.FailOp(core.ErrTree, op, nil, "leaf %q holds no array: was a field not set?", f.path(p, i))
		}
	}
	return vals, def
}

// unwritten refuses a p whose leaves are no longer in: the function wrote behind a
// pointer or into a slice or map, and a transformation other than Jit has nobody to
// give that to.
func (f form[P]) unwritten(op string, p *P, in []core.Value) {
	if !holdsShared(f.plan.Type()) {
		return
	}
	now, _ := f.apart(p)
	if len(now) != len(in) {
		core.FailOp(core.ErrTree, op, nil, "the function changes the structure of a pointer, slice or map among its parameters; under %s nothing is written back: give what is new as a result, or change a copy", op)
	}
	for i, v := range now {
		if v != in[i] {
			core.FailOp(core.ErrTree, op, nil, "the function writes leaf %q behind a pointer, or in a slice or map; under %s nothing is written back: give what is new as a result, as with GradAux, or write into a copy", f.path(p, i), op)
		}
	}
}

// path returns the path of leaf i.
func (f form[P]) path(p *P, i int) string { return f.plan.Paths(unsafe.Pointer(p))[i] }

// together puts leaves together in the form that def describes.
func together[P any](def *tree.Def[Array], vals []core.Value) P {
	var out P
	leaves := make([]Array, len(vals))
	for i, v := range vals {
		leaves[i] = FromValue(v)
	}
	def.Rebuild(unsafe.Pointer(&out), leaves)
	return out
}

// same refuses two values of different structure or statics, naming the path.
func (f form[P]) same(op, what string, p, q *P) {
	if path, a, b, differ := f.plan.Difference(unsafe.Pointer(p), unsafe.Pointer(q)); differ {
		core.FailOp(core.ErrTree, op, nil, "%s must have the structure of the parameters: at %q there is %s in one and %s in the other; make the trees alike", what, path, a, b)
	}
}

// differentiable marks the leaves that derivatives are taken with respect to:
// floating and complex ones that are not tagged frozen.
func (f form[P]) differentiable(op string, p *P, vals []core.Value) []bool {
	frozen := f.plan.Frozen(unsafe.Pointer(p))
	active := make([]bool, len(vals))
	found := false
	for i, v := range vals {
		active[i] = v.Aval().DType.IsInexact() && (frozen == nil || !frozen[i])
		found = found || active[i]
	}
	if !found {
		avals := core.AvalsOf(vals)
		if len(avals) == 0 {
			core.FailOp(core.ErrTree, op, nil, "the parameters, %s, hold no array to differentiate with respect to; make a field or parameter an Array", core.A(reflect.TypeFor[P]()))
		}
		core.FailOp(core.ErrDType, op, avals, "the parameters are %v: integers and truth values have no derivative; make floating point numbers of them, as in weft.Arange(4.) or x.AsType(weft.Float32)", avals[0].Full())
	}
	return active
}
