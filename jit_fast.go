package weft

import (
	"reflect"
	"sync"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/leaves"
	"github.com/weft-go/weft/runtime"
)

// The usual signatures, one to three arrays in and one or two out, are called
// without reflection. A call whose types and settings are those of the call before
// finds its program by comparing them.

// fast returns the wrapped function for the usual signatures.
func (j *jitted) fast(f any) (any, bool) { return withoutReflection(f, j.callArrays) }

// withoutReflection returns a function of f's type that calls call with the numbers of
// arguments and results, if f has one of the usual signatures.
func withoutReflection(f any, call func(n, m int, x, y, z Array) (a, b Array)) (any, bool) {
	switch f.(type) {
	case func(Array) Array:
		return func(x Array) Array { a, _ := call(1, 1, x, Array{}, Array{}); return a }, true
	case func(Array, Array) Array:
		return func(x, y Array) Array { a, _ := call(2, 1, x, y, Array{}); return a }, true
	case func(Array, Array, Array) Array:
		return func(x, y, z Array) Array { a, _ := call(3, 1, x, y, z); return a }, true
	case func(Array) (Array, Array):
		return func(x Array) (Array, Array) { return call(1, 2, x, Array{}, Array{}) }, true
	case func(Array, Array) (Array, Array):
		return func(x, y Array) (Array, Array) { return call(2, 2, x, y, Array{}) }, true
	case func(Array, Array, Array) (Array, Array):
		return func(x, y, z Array) (Array, Array) { return call(3, 2, x, y, z) }, true
	}
	return nil, false
}

// callLists are the arguments and results of a call.
type callLists struct {
	in  [3]*runtime.Array
	out [2]*runtime.Array
}

var callListsPool = sync.Pool{New: func() any { return new(callLists) }}

// callArrays calls the function with its first n arguments; it has m results.
func (j *jitted) callArrays(n, m int, x, y, z Array) (a, b Array) {
	args := [3]Array{x, y, z}
	l := callListsPool.Get().(*callLists)
	if t := j.steady(args[:n], l.in[:n]); t != nil {
		j.run(t, l.in[:n], l.out[:m])
		a = wrap(l.out[0])
		if m > 1 {
			b = wrap(l.out[1])
		}
		*l = callLists{}
		callListsPool.Put(l)
		return a, b
	}
	out := j.callAny(append([]Array(nil), args[:n]...))
	if a = out[0]; m > 1 {
		b = out[1]
	}
	return a, b
}

// run runs a program on concrete arguments.
func (j *jitted) run(t *traced, in, out []*runtime.Array) {
	defer j.label.Begin().End()
	t.caller.Run(in, out)
}

// steady returns the program of the latest call if it is for arguments of these types,
// all of them concrete, which it stores in out; else nil.
func (j *jitted) steady(args []Array, out []*runtime.Array) *traced {
	t := j.last.Load()
	if t == nil || t.caller == nil || len(t.avals) != len(args) || core.Tracing() {
		return nil
	}
	if s := runtime.Current(); s.DebugKeys || t.settings != s.Tracing {
		return nil
	}
	if !concreteAs(t.avals, args, out) {
		return nil
	}
	return t
}

// concreteAs reports whether all arrays are concrete and of the given types, and stores
// them in out.
func concreteAs(avals []core.ShapedArray, args []Array, out []*runtime.Array) bool {
	for i, x := range args {
		if x.v == nil {
			return false
		}
		switch v := (*x.v).(type) {
		case *runtime.Array:
			out[i] = v
		case core.Literal:
			out[i] = runtime.FromLiteral(v)
		default:
			return false
		}
		if out[i].Aval() != avals[i] {
			return false
		}
	}
	return true
}

// callAny calls the function with arrays only, of any kind.
func (j *jitted) callAny(args []Array) []Array {
	vals := make([]core.Value, len(args))
	for i, x := range args {
		if x.IsZero() {
			core.FailOp(core.ErrTree, j.Op, nil, "argument %d is the zero Array, which has no value (was it not set?); set it", i)
		}
		vals[i] = *x.v
	}
	t := j.known(vals)
	if t == nil {
		a := &leaves.Args[Array]{At: make([]reflect.Value, len(args)), Counts: make([]int, len(args)), Leaves: vals}
		for i := range args {
			a.At[i], a.Counts[i] = reflect.ValueOf(&args[i]), 1
		}
		var err error
		if t, err = j.program("", a); err != nil {
			panic(err)
		}
	}
	return arraysOf(j.bind(t, nil, vals))
}

// known returns the program of the last miss, if it is for these types and settings.
func (j *jitted) known(vals []core.Value) *traced {
	t := j.last.Load()
	if t == nil || len(t.avals) != len(vals) || t.settings != runtime.Current().Tracing || core.Tracing() {
		return nil
	}
	for i, v := range vals {
		if v.Aval() != t.avals[i] {
			return nil
		}
	}
	if len(t.closed) > 0 {
		return nil
	}
	return t
}
