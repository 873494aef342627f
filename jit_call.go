package weft

import (
	"context"
	"reflect"
	"sync"
	"unsafe"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/tree"
	"github.com/weft-go/weft/internal/leaves"
	"github.com/weft-go/weft/runtime"
)

// Jitted and compiled functions are called in one of two ways.
//
// A steady call has concrete arguments of the form and types of the call before, under its
// settings. It runs that call's program at once: it searches no cache, and its lists of arguments
// and results reuse the memory of earlier calls. Functions of one to three arrays with one or two
// results do it without reflection.
//
// Any other call flattens its arguments and finds or traces their program, which is bound as an
// operation: it may be recorded, differentiated or batched.

// function returns a function of f's type that calls j.
func (j *jitted) function(f any) any {
	call := j.callArrays
	switch f.(type) {
	case func(Array) Array:
		return func(x Array) Array { a, _ := call(1, 1, x, Array{}, Array{}); return a }
	case func(Array, Array) Array:
		return func(x, y Array) Array { a, _ := call(2, 1, x, y, Array{}); return a }
	case func(Array, Array, Array) Array:
		return func(x, y, z Array) Array { a, _ := call(3, 1, x, y, z); return a }
	case func(Array) (Array, Array):
		return func(x Array) (Array, Array) { return call(1, 2, x, Array{}, Array{}) }
	case func(Array, Array) (Array, Array):
		return func(x, y Array) (Array, Array) { return call(2, 2, x, y, Array{}) }
	case func(Array, Array, Array) (Array, Array):
		return func(x, y, z Array) (Array, Array) { return call(3, 2, x, y, z) }
	}
	return reflect.MakeFunc(j.Fn.Type(), j.callTrees).Interface()
}

// steady returns the program of the latest call if concrete arguments of its form and types may
// run it at once, else nil. A program that was compiled ahead of time is for all settings.
func (j *jitted) steady() *traced {
	t := j.last.Load()
	if t == nil || t.caller == nil || t.writes || j.context >= 0 {
		return nil
	}
	if j.compiled != nil {
		return t
	}
	if core.Tracing() {
		return nil
	}
	if s := runtime.Current(); s.DebugKeys || t.settings != s.Tracing {
		return nil
	}
	return t
}

// concrete returns the array that a value is, nil if it is a value of a transformation.
func concrete(v core.Value) *runtime.Array {
	switch v := v.(type) {
	case *runtime.Array:
		return v
	case core.Literal:
		return runtime.FromLiteral(v)
	}
	return nil
}

// concreteAs stores the arrays behind args in out. It reports whether all are concrete and of the
// given types.
func concreteAs(types []core.ShapedArray, args []Array, out []*runtime.Array) bool {
	for i, x := range args {
		if x.v == nil {
			return false
		}
		if out[i] = concrete(*x.v); out[i] == nil || out[i].Aval() != types[i] {
			return false
		}
	}
	return true
}

// run runs a program on concrete arguments. It reports false, without a run, where a program that
// was compiled ahead of time needs copies between memories.
func (j *jitted) run(t *traced, in, out []*runtime.Array) bool {
	if j.compiled != nil {
		return j.compiled.RunInto(in, out)
	}
	defer j.label.Begin().End()
	t.caller.Run(in, out)
	return true
}

// callLists are the arguments and results of a steady call with arrays.
type callLists struct {
	in  [3]*runtime.Array
	out [2]*runtime.Array
}

var callListsPool = sync.Pool{New: func() any { return new(callLists) }}

// callArrays calls the function with the first n of x, y and z; it has m results.
func (j *jitted) callArrays(n, m int, x, y, z Array) (a, b Array) {
	args := [3]Array{x, y, z}
	if t := j.steady(); t != nil && len(t.avals) == n {
		l := callListsPool.Get().(*callLists)
		if concreteAs(t.avals, args[:n], l.in[:n]) && j.run(t, l.in[:n], l.out[:m]) {
			a = wrap(l.out[0])
			if m > 1 {
				b = wrap(l.out[1])
			}
			*l = callLists{}
			callListsPool.Put(l)
			return a, b
		}
	}
	out := j.callAny(append([]Array(nil), args[:n]...))
	if a = out[0]; m > 1 {
		b = out[1]
	}
	return a, b
}

// callAny calls the function with arrays that may be traced or of other types than before.
func (j *jitted) callAny(args []Array) []Array {
	a := &leaves.Args[Array]{At: make([]reflect.Value, len(args)), Counts: make([]int, len(args)), Leaves: make([]core.Value, len(args))}
	for i, x := range args {
		if x.IsZero() {
			core.FailOp(core.ErrTree, j.Op, nil, "argument %d is the zero Array, which has no value; set it", i)
		}
		a.At[i], a.Counts[i], a.Leaves[i] = reflect.ValueOf(&args[i]), 1, *x.v
	}
	_, outs, err := j.bind(a)
	if err != nil {
		panic(err)
	}
	return arraysOf(outs)
}

// treeCall is the memory of a steady call with trees.
type treeCall struct {
	flat    tree.Flat[Array]
	words   []unsafe.Pointer // arguments that are one word: maps and pointers
	in, out []*runtime.Array
	results []Array
}

var treeCalls = sync.Pool{New: func() any { return new(treeCall) }}

func (j *jitted) callTrees(args []reflect.Value) []reflect.Value {
	return j.Guard(func() []reflect.Value {
		if t := j.steady(); t != nil {
			if results, ok := j.callSteady(t, args); ok {
				return results
			}
		}
		a := j.Flatten(args)
		t, outs, err := j.bind(a)
		if err != nil {
			return j.Fail(err)
		}
		if t.writes {
			j.Store(a, t.written, outs)
		}
		return j.RebuildValues(t.results, outs[countTrue(t.written):])
	})
}

// callSteady runs t if the arguments are concrete and have t's form and types. If not, or if a program
// that was compiled ahead of time needs copies between memories, ok is false, and nothing has happened.
func (j *jitted) callSteady(t *traced, args []reflect.Value) (results []reflect.Value, ok bool) {
	c := treeCalls.Get().(*treeCall)
	c.flatten(j, args)
	if len(c.flat.Leaves) == len(t.avals) && string(c.flat.Key()) == t.form {
		c.in = append(c.in, make([]*runtime.Array, len(t.avals))...)
		c.out = append(c.out, make([]*runtime.Array, t.outs)...)
		if concreteAs(t.avals, c.flat.Leaves, c.in) && j.run(t, c.in, c.out) {
			for _, a := range c.out {
				c.results = append(c.results, wrap(a))
			}
			results, ok = j.Rebuild(t.results, c.results), true
		}
	}
	c.reset()
	treeCalls.Put(c)
	return results, ok
}

func (c *treeCall) flatten(j *jitted, args []reflect.Value) {
	if cap(c.words) < len(args) {
		c.words = make([]unsafe.Pointer, len(args))
	}
	words := c.words[:len(args)]
	defer leaves.NameOp(j.Op)
	for i, v := range args {
		switch v.Kind() {
		case reflect.Map, reflect.Pointer:
			words[i] = v.UnsafePointer()
			j.In[i].Flatten(&c.flat, unsafe.Pointer(&words[i]))
		default:
			a := reflect.New(j.In[i].Type())
			a.Elem().Set(v)
			j.In[i].Flatten(&c.flat, a.UnsafePointer())
		}
	}
}

func (c *treeCall) reset() {
	c.flat.Reset()
	clear(c.words)
	clear(c.in)
	clear(c.out)
	clear(c.results)
	c.in, c.out, c.results = c.in[:0], c.out[:0], c.results[:0]
}

// bind runs or records the program of a call and returns it with its results. A context among the
// arguments is checked while the program runs; the error of the call wraps the context's.
func (j *jitted) bind(a *leaves.Args[Array]) (t *traced, outs []core.Value, err error) {
	form := string(a.Flat.Key())
	if j.compiled != nil {
		t = j.last.Load()
		return t, j.runCompiled(t, form, a), nil
	}
	if t, err = j.program(form, a); err != nil {
		return nil, nil, err
	}
	if t.writes {
		j.RefuseAliases(a, t.written)
	}
	in := append(t.closed[:len(t.closed):len(t.closed)], a.Leaves...)
	run := func() { outs = core.Bind(t.prim, in...) }
	switch ctx := j.contextOf(a.At); {
	case core.ActiveRecorder() != nil: // nothing runs here
		run()
	case ctx != nil:
		runtime.Ask(ctx)
		With(Context(ctx), func() { j.label.DoContext(ctx, run) })
	default:
		j.label.Do(run)
	}
	return t, outs, nil
}

func (j *jitted) contextOf(at []reflect.Value) context.Context {
	if j.context < 0 {
		return nil
	}
	ctx, _ := at[j.context].Elem().Interface().(context.Context)
	return ctx
}
