package weft

import (
	"context"
	"fmt"
	"reflect"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/tree"
	"github.com/weft-go/weft/internal/leaves"
	"github.com/weft-go/weft/internal/proflabel"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/trace"
)

// A JitOption changes how Jit works.
type JitOption interface{ jit(*jitOptions) }

type jitOptions struct {
	name   string
	donate []int
	on     runtime.Executor
}

// NameOption names a function in IR text: see [Name].
type NameOption string

func (n NameOption) jit(o *jitOptions) { o.name = string(n) }

// Name returns the name that IR text shows for a wrapped function, instead of the Go
// function's own.
func Name(name string) NameOption { return NameOption(name) }

type donateOption []int

func (d donateOption) jit(o *jitOptions) { o.donate = d }

// Donate returns the buffers of the arguments at the given positions to the call: the
// arrays are dead afterwards. In a call that is traced it does nothing.
func Donate(args ...int) JitOption { return donateOption(args) }

// Jit returns f, traced once for each form and types of its arguments and then run as
// one program. It keeps f's type.
//
// Arguments are trees of arrays; anything else in them, and arguments that hold
// no array, are static: part of the program, and of the key under which it is kept.
// Captured arrays are read once, when the function is traced: what changes must be
// an argument. What f's Go code does besides (printing, writing variables) happens
// while tracing only. Behind pointers and in slices and maps among its arguments the
// function may put other arrays: the caller finds them there when the call succeeds.
func Jit[F any](f F, opts ...JitOption) F {
	j := newJitted("Jit", f, opts)
	if fast, ok := j.fast(any(f)); ok {
		return fast.(F)
	}
	return reflect.MakeFunc(j.fn.Type(), j.call).Interface().(F)
}

// jitted is a wrapped function and the programs that it was traced to.
type jitted struct {
	fn         reflect.Value
	op, name   string
	said       string           // the name in messages
	donate     []bool           // by argument
	on         runtime.Executor // nil is the default one
	label      *proflabel.Label // in CPU profiles
	in         []*tree.Plan[Array]
	static     []bool // arguments that hold no array
	context    int    // index of a context argument, or −1
	shared     []bool // arguments through which the function may change what is the caller's
	holdsFuncs bool   // some argument may hold a function
	out        []*tree.Plan[Array]
	hasErr     bool

	programs programCache
	last     atomic.Pointer[traced] // the program of the latest call, where it closes over nothing

	mu     sync.Mutex
	recent *traced // the last one made, to explain what differs
	misses int     // in a row, because of another function as a static
}

var contextType = reflect.TypeFor[context.Context]()

// bind runs the program of a call. A context among the arguments is asked while it
// runs; its error is behind the one that is returned.
func (j *jitted) bind(t *traced, at []reflect.Value, leaves []core.Value) (outs []core.Value) {
	in := append(t.closed[:len(t.closed):len(t.closed)], leaves...)
	run := func() { outs = core.Bind(t.prim, in...) }
	switch ctx := j.contextOf(at); {
	case core.ActiveRecorder() != nil: // nothing runs here
		return core.Bind(t.prim, in...)
	case ctx != nil:
		runtime.Ask(ctx)
		With(Context(ctx), func() { j.label.DoContext(ctx, run) })
	default:
		j.label.Do(run)
	}
	return outs
}

// contextOf returns the context among the arguments of a call, or nil.
func (j *jitted) contextOf(at []reflect.Value) context.Context {
	if j.context < 0 {
		return nil
	}
	ctx, _ := at[j.context].Elem().Interface().(context.Context)
	return ctx
}

// traced is one program of a jitted function.
type traced struct {
	key      string // in the cache
	form     string // of the arguments: the first part of the key
	prim     *jaxpr.Jit
	caller   *runtime.Caller // calls it on concrete arguments; nil where closed is not empty
	outs     int             // number of the program's results
	avals    []core.ShapedArray
	settings runtime.Tracing
	closed   []core.Value  // leading operands: tracers that the function closes over
	within   core.Recorder // what was being traced, where closed is not empty
	defs     []defOf       // of the results
	counts   []int
	written  []bool           // leaves that were changed in what is the caller's: they lead the results
	args     []reflect.Value  // the arguments of the first call without arrays, for explanations
	keep     []defOf          // keeps the addresses in the key alive
	held     []unsafe.Pointer // keeps those behind static pointers alive
	writes   bool             // some leaf is written
}

func newJitted(op string, f any, opts []JitOption) *jitted {
	v := reflect.ValueOf(f)
	if !v.IsValid() || v.Kind() != reflect.Func {
		core.FailOp(core.ErrStatic, op, nil, "takes a function; this is %s: did you call it? Pass the function itself", describe(f))
	}
	if v.IsNil() {
		core.FailOp(core.ErrTree, op, nil, "takes a function; this one is nil")
	}
	j := &jitted{fn: v, op: op, context: -1}
	var o jitOptions
	for _, opt := range opts {
		requireOption(op, opt == nil)
		opt.jit(&o)
	}
	if j.name = o.name; j.name == "" {
		c := leaves.NameOf(f)
		j.name, j.said = c.Short, c.Function()
	} else {
		j.said = o.name
	}
	j.on, j.label = o.on, proflabel.New(j.name)
	t := v.Type()
	for i := range t.NumIn() {
		j.addArgument(t.In(i))
	}
	for _, k := range o.donate {
		if k < 0 || k >= len(j.in) || j.static[k] {
			core.FailOp(core.ErrIndex, op, nil, "Donate names argument %d, which is no argument with arrays, of %d; name one that has some", k, len(j.in))
		}
		if j.donate == nil {
			j.donate = make([]bool, len(j.in))
		}
		j.donate[k] = true
	}
	n := t.NumOut()
	if n > 0 && t.Out(n-1) == errorType {
		j.hasErr = true
		n--
	}
	for i := range n {
		j.out = append(j.out, planOf(op, t.Out(i)))
	}
	return j
}

func planOf(op string, t reflect.Type) *tree.Plan[Array] {
	p, err := tree.For[Array](t)
	if err != nil {
		if e, ok := err.(*core.Error); ok {
			e.Op = op
		}
		panic(err)
	}
	return p
}

func (j *jitted) addArgument(t reflect.Type) {
	i := len(j.in)
	if t == contextType {
		if j.context >= 0 || i != 0 {
			core.FailOp(core.ErrStatic, j.op, nil, "argument %d is a context.Context; a context is the first argument or none", i)
		}
		j.context = 0
		j.in, j.static, j.shared = append(j.in, nil), append(j.static, true), append(j.shared, false)
		return
	}
	switch t.Kind() {
	case reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
		core.FailOp(core.ErrStatic, j.op, nil, "argument %d is a bare %v, so every new value would trace again; take a weft.Array and pass weft.Scalar(v), or put the number into a struct if it is configuration", i, t)
	}
	p := planOf(j.op, t)
	j.holdsFuncs = j.holdsFuncs || holdsFunc(t, map[reflect.Type]bool{})
	j.in, j.static = append(j.in, p), append(j.static, p.Static())
	j.shared = append(j.shared, leaves.HoldsShared[Array](t) && (!p.Static() || t.Kind() == reflect.Pointer))
}

// call returns the function with arguments of any type.
func (j *jitted) call(args []reflect.Value) (results []reflect.Value) {
	if j.hasErr {
		defer func() {
			if r := recover(); r != nil {
				e, ok := r.(*core.Error)
				if !ok {
					panic(r)
				}
				results = j.failed(e)
			}
		}()
	}
	if results, ok := j.again(args); ok {
		return results
	}
	flat, at, counts, leaves := j.flatten(args)
	t, err := j.program(string(flat.Key()), flat.Held(), at, counts, leaves)
	if err != nil {
		return j.failed(err)
	}
	j.refuseAliases(t, at)
	return j.finish(t, at, counts, flat, j.bind(t, at, leaves))
}

// flatten takes the arguments of a call apart: addressable copies of them, how
// many leaves each has, and the leaves.
func (j *jitted) flatten(args []reflect.Value) (flat *tree.Flat[Array], at []reflect.Value, counts []int, leaves []core.Value) {
	flat = &tree.Flat[Array]{}
	at = make([]reflect.Value, len(args))
	counts = make([]int, len(args))
	for i, v := range args {
		c := reflect.New(j.fn.Type().In(i))
		c.Elem().Set(v)
		at[i] = c
		if j.in[i] == nil {
			continue
		}
		n := len(flat.Leaves)
		j.in[i].Flatten(flat, c.UnsafePointer())
		counts[i] = len(flat.Leaves) - n
	}
	leaves = make([]core.Value, len(flat.Leaves))
	for i, x := range flat.Leaves {
		if x.IsZero() {
			arg, path := j.locate(at, counts, i)
			core.FailOp(core.ErrTree, j.op, nil, "argument %d: leaf %q holds no array: was a field not set?", arg, path)
		}
		leaves[i] = x.Value()
	}
	return flat, at, counts, leaves
}

// finish writes changes back behind pointers and puts the results together.
func (j *jitted) finish(t *traced, at []reflect.Value, counts []int, flat *tree.Flat[Array], outs []core.Value) []reflect.Value {
	j.writeBack(t, at, counts, flat.Leaves, outs)
	outs = outs[countTrue(t.written):]
	results := make([]reflect.Value, j.fn.Type().NumOut())
	for i, p := range j.out {
		v := reflect.New(p.Type())
		t.defs[i].Rebuild(v.UnsafePointer(), arraysOf(outs[:t.counts[i]]))
		outs = outs[t.counts[i]:]
		results[i] = v.Elem()
	}
	if j.hasErr {
		results[len(results)-1] = reflect.Zero(errorType)
	}
	return results
}

// locate returns the argument and the path within it of leaf i.
func (j *jitted) locate(at []reflect.Value, counts []int, i int) (arg int, path string) {
	for arg, n := range counts {
		if i < n {
			return arg, j.in[arg].Paths(at[arg].UnsafePointer())[i]
		}
		i -= n
	}
	return -1, ""
}

func (j *jitted) failed(err error) []reflect.Value {
	if !j.hasErr {
		panic(err)
	}
	t := j.fn.Type()
	results := make([]reflect.Value, t.NumOut())
	for i := range results {
		results[i] = reflect.Zero(t.Out(i))
	}
	e := reflect.New(errorType).Elem()
	e.Set(reflect.ValueOf(err))
	results[len(results)-1] = e
	return results
}

// program finds the program for a call's arguments, or traces it. Nothing is locked
// while tracing: of two first callers the first to finish wins.
func (j *jitted) program(form string, held []unsafe.Pointer, at []reflect.Value, counts []int, leaves []core.Value) (*traced, error) {
	avals := core.AvalsOf(leaves)
	key := jitKey(form, avals)
	if t := j.programs.find(key); t != nil {
		j.used(t)
		return t, nil
	}
	j.explain(at, avals)
	t, err := j.trace(at, counts, avals)
	if err != nil {
		return nil, err
	}
	t.form, t.held = form, held
	t, dropped := j.programs.add(key, t, j.last.Load())
	j.used(t)
	j.mu.Lock()
	j.recent = t
	j.mu.Unlock()
	j.explainDropped(dropped)
	return t, nil
}

// used notes the program of a call, for the next one. The program of a call within a
// trace is not noted: named axes may be part of its key.
func (j *jitted) used(t *traced) {
	if len(t.closed) == 0 && !core.Tracing() && j.last.Load() != t {
		j.last.Store(t)
	}
}

// usable reports whether the tracers that a program closes over are those of the
// trace that is going on.
func (t *traced) usable() bool {
	return len(t.closed) == 0 || t.within.Live() && t.within == core.ActiveRecorder()
}

// trace runs the function on tracers.
func (j *jitted) trace(at []reflect.Value, counts []int, avals []core.ShapedArray) (*traced, error) {
	t := &traced{avals: avals, settings: runtime.Current().Tracing, args: make([]reflect.Value, len(at)), written: make([]bool, len(avals))}
	defs := make([]defOf, len(at))
	for i, p := range j.in {
		if p != nil {
			defs[i] = p.Def(at[i].UnsafePointer())
			// Without its arrays, which would stay alive as long as the program.
			t.args[i] = reflect.New(p.Type())
			defs[i].Rebuild(t.args[i].UnsafePointer(), make([]Array, counts[i]))
		}
	}
	t.keep = defs
	outer := core.ActiveRecorder()
	var failure error
	var program *jaxpr.Jaxpr
	j.onDevice(func() { program = trace.Stage(j.name, avals, j.body(t, at, counts, defs, &failure)) })
	if failure != nil {
		return nil, failure
	}
	t.closed = trace.HoistTracers(program)
	if len(t.closed) > 0 {
		t.within = outer
		if outer == nil {
			t.within = noRecorder{}
		}
	}
	t.prim = &jaxpr.Jit{Fn: j.name, Jaxpr: program, Donated: j.donated(counts, len(t.closed))}
	if j.on != nil {
		t.prim.Device = j.on.Name()
	}
	if len(t.closed) == 0 {
		t.caller, t.outs = runtime.NewCaller(t.prim), len(program.Outs)
	}
	return t, nil
}

// body returns the function as one of leaves. It notes in t what form the results have.
func (j *jitted) body(t *traced, at []reflect.Value, counts []int, defs []defOf, failure *error) func(in []core.Value) []core.Value {
	return func(in []core.Value) []core.Value {
		args := make([]reflect.Value, len(at))
		tracers := arraysOf(in)
		rest := tracers
		for i := range at {
			args[i] = at[i].Elem()
			if j.in[i] != nil && (!j.static[i] || j.in[i].Type().Kind() == reflect.Pointer) {
				v := reflect.New(j.in[i].Type())
				rest = defs[i].Rebuild(v.UnsafePointer(), rest)
				args[i] = v.Elem()
			}
		}
		var results []reflect.Value
		if j.fn.Type().IsVariadic() {
			results = j.fn.CallSlice(args)
		} else {
			results = j.fn.Call(args)
		}
		if j.hasErr {
			if e := results[len(results)-1]; !e.IsNil() {
				*failure = e.Interface().(error)
				return nil
			}
		}
		outs := j.written(t, args, at, counts, in)
		for i, p := range j.out {
			c := reflect.New(p.Type())
			c.Elem().Set(results[i])
			var flat tree.Flat[Array]
			p.Flatten(&flat, c.UnsafePointer())
			for k, x := range flat.Leaves {
				if x.IsZero() {
					what := "is"
					if path := p.Paths(c.UnsafePointer())[k]; path != "" {
						what = fmt.Sprintf("has at %q", path)
					}
					core.FailOp(core.ErrTree, j.op, nil, "result %d of %s %s the zero Array, which holds no value: was it not set?", i, j.said, what)
				}
				outs = append(outs, x.Value())
			}
			t.defs, t.counts = append(t.defs, p.Def(c.UnsafePointer())), append(t.counts, len(flat.Leaves))
		}
		return outs
	}
}

// onDevice runs f with the function's device as the goroutine's, if it has one.
func (j *jitted) onDevice(f func()) {
	if j.on == nil {
		f()
		return
	}
	runtime.WithSettings(func(s *runtime.Settings) { s.Executor = j.on }, f)
}

// noRecorder stands for the trace that a program is within when there is none: one
// that closes over tracers of a derivative or batch is never used again.
type noRecorder struct{ core.Recorder }

func (noRecorder) Live() bool { return false }

func (j *jitted) donated(counts []int, closed int) []bool {
	if j.donate == nil {
		return nil
	}
	d := make([]bool, closed)
	for i, n := range counts {
		for range n {
			d = append(d, j.donate[i])
		}
	}
	return d
}
