// Package leaves adapts Go functions to lists of leaves: it flattens arguments and
// results, rebuilds them, and refuses what a function must not do to them. It is generic
// in the type of the leaves, which package weft makes its Array.
package leaves

import (
	"reflect"
	"unsafe"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/tree"
)

// A Leaf is an array among the leaves of a tree. The zero leaf is no array.
type Leaf interface {
	Value() core.Value
	IsZero() bool
}

// A Form flattens values of P into leaves and rebuilds them.
type Form[P any, L Leaf] struct {
	op   string
	plan *tree.Plan[L]
	wrap func(core.Value) L
}

// Of returns the form of P. A type that is no tree is refused, naming the operation.
// wrap makes a leaf of a value.
func Of[P any, L Leaf](op string, wrap func(core.Value) L) Form[P, L] {
	return Form[P, L]{op, planOf[L](op, reflect.TypeFor[P]()), wrap}
}

// Flatten returns the leaves of p, nil for the zero Array, and the definition that [Together]
// needs to rebuild its form from other leaves.
func (f Form[P, L]) Flatten(p *P) ([]core.Value, *tree.Def[L]) {
	at := unsafe.Pointer(p)
	ls := leavesOf(f.op, f.plan, at)
	vals := make([]core.Value, len(ls))
	for i, x := range ls {
		if !x.IsZero() {
			vals[i] = x.Value()
		}
	}
	return vals, f.plan.Def(at)
}

// Values returns the leaves of p, which must all be set, and its form.
func (f Form[P, L]) Values(op string, p *P) ([]core.Value, *tree.Def[L]) {
	at := unsafe.Pointer(p)
	ls := leavesOf(op, f.plan, at)
	return appendSet(make([]core.Value, 0, len(ls)), site{op: op}, f.plan, at, ls), f.plan.Def(at)
}

// Returned returns the leaves of p, which a function has returned; they must all be set. In messages
// `by` stands for the function, such as "the body".
func (f Form[P, L]) Returned(op, by string, p *P) ([]core.Value, *tree.Def[L]) {
	at := unsafe.Pointer(p)
	ls := leavesOf(op, f.plan, at)
	return appendSet(make([]core.Value, 0, len(ls)), site{op: op, by: by}, f.plan, at, ls), f.plan.Def(at)
}

// Path returns the path of leaf i.
func (f Form[P, L]) Path(p *P, i int) string { return f.plan.Paths(unsafe.Pointer(p))[i] }

// Prefix spreads a specification over the leaves of p: see [tree.Plan.Prefix].
func (f Form[P, L]) Prefix(p *P, spec any, terminal func(any) bool) []any {
	defer NameOp(f.op)
	return f.plan.Prefix(unsafe.Pointer(p), spec, terminal)
}

// Together rebuilds a P from leaves in the form that def describes.
func Together[P any, L Leaf](def *tree.Def[L], vals []core.Value, wrap func(core.Value) L) P {
	var out P
	ls := make([]L, len(vals))
	for i, v := range vals {
		ls[i] = wrap(v)
	}
	def.Rebuild(unsafe.Pointer(&out), ls)
	return out
}

// RequireSame fails if p and q differ in structure or statics. In the error `what` stands for both, in
// this order. The error also names the path.
func (f Form[P, L]) RequireSame(op, what string, p, q *P) {
	defer NameOp(op)
	if path, a, b, differ := f.plan.Difference(unsafe.Pointer(p), unsafe.Pointer(q)); differ {
		core.FailOp(core.ErrTree, op, nil, "%s differ in structure%s (%s and %s); make the trees alike", what, AtPath(path), a, b)
	}
}

// Differentiable marks the leaves that derivatives are taken with respect to:
// floating and complex ones that are not tagged frozen. It fails if there is none.
func (f Form[P, L]) Differentiable(op string, p *P, vals []core.Value) []bool {
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
			core.FailOp(core.ErrTree, op, nil, "the parameters, %s, hold no array to differentiate with respect to; make a field or parameter an Array", core.WithArticle(reflect.TypeFor[P]()))
		}
		core.FailOp(core.ErrDType, op, avals, "the parameters are %v: integers and truth values have no derivative; make floating point numbers of them, as in weft.Arange(4.) or x.AsType(weft.Float32)", avals[0].Full())
	}
	return active
}

// Paths returns the paths of all leaves.
func (f Form[P, L]) Paths(p *P) []string { return f.plan.Paths(unsafe.Pointer(p)) }

// Invoke calls f with leaves in the form def. It fails if f writes behind a pointer or into a
// slice or map: operations other than Jit write nothing back.
func Invoke[P, O any, L Leaf](op string, fp Form[P, L], def *tree.Def[L], f func(P) O, in []core.Value) O {
	p := Together[P](def, in, fp.wrap)
	var o O
	// Panic from here: the stack trace of an uncaught error is shorter than from where it was
	// found.
	if err := core.Catch(func() { o = f(p) }); err != nil {
		panic(err)
	}
	if HoldsShared[L](fp.plan.Type()) {
		refuseWrites(site{op: op}, fp.plan, unsafe.Pointer(&p), in)
	}
	return o
}

// Flat returns f over leaves in the form that def describes. It stores the form of the
// result in out.
func Flat[P, O any, L Leaf](op string, def *tree.Def[L], f func(P) O, fp Form[P, L], fo Form[O, L], out **tree.Def[L]) func([]core.Value) []core.Value {
	return func(in []core.Value) []core.Value {
		o := Invoke(op, fp, def, f, in)
		vals, d := fo.Returned(op, "the function", &o)
		*out = d
		return vals
	}
}
