package weft

import (
	"context"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/weft-go/weft/core"
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

// Name sets the name that IR text shows for a wrapped function, instead of the Go function's own.
func Name(name string) NameOption { return NameOption(name) }

type donateOption []int

func (d donateOption) jit(o *jitOptions) { o.donate = d }

// Donate lets the call reuse the memory of the arguments at the given positions. Their arrays
// must not be used afterwards. Of an argument that is a pointer, or into which the function puts
// other arrays, only the arrays that the function replaces are donated. Donating a result of an earlier
// call affects neither that call's other results, nor arguments that were not donated, nor arrays
// that f closes over. In a call that is traced Donate does nothing.
func Donate(args ...int) JitOption { return donateOption(args) }

// Jit returns a function of f's type. It traces f once for each structure of the arguments and
// types of their arrays, and then runs it as one program.
//
// Arguments are trees of arrays; anything else in them, and arguments that hold no array, are
// static: part of the program, and of the key under which it is kept. Captured arrays are read
// once, when the function is traced: an array that changes must be an argument. Other effects of
// f's Go code (printing, writing variables) happen only while tracing. f may store other arrays
// behind pointers and in slices and maps among its arguments: the caller finds them there when
// the call succeeds.
func Jit[F any](f F, opts ...JitOption) F {
	return newJitted("Jit", f, opts).function(f).(F)
}

// jitted is a wrapped function and the programs that it was traced to.
type jitted struct {
	*leaves.Func[Array]
	short      string           // the function's name in programs
	donate     []bool           // by argument
	on         runtime.Executor // nil: the default one
	label      *proflabel.Label // in CPU profiles
	context    int              // index of a context argument, or −1
	holdsFuncs bool             // some argument may hold a function

	programs programCache
	last     atomic.Pointer[traced] // the latest program that was called outside of traces and closes over no tracers
	compiled *runtime.Compiled      // if the function was compiled ahead of time; last is then its program

	mu     sync.Mutex
	recent *traced // the program traced last, to explain why another is traced
	misses int     // consecutive retraces because a static function differed
}

var contextType = reflect.TypeFor[context.Context]()

// traced is one program of a jitted function.
type traced struct {
	key      string // in the cache
	form     string // of the arguments: the first part of the key
	prim     *jaxpr.Jit
	caller   *runtime.Caller // calls the program on concrete arguments; nil if closed is not empty
	outs     int             // number of the program's results
	avals    []core.ShapedArray
	settings runtime.Tracing
	closed   []core.Value          // leading operands: tracers that the function closes over
	within   core.Recorder         // the trace in which the program was made, if closed is not empty
	results  leaves.Results[Array] // the forms of the results
	written  []bool                // by leaf: whether f replaces it in the caller's memory; the new leaves are the first results
	args     []reflect.Value       // the arguments of the first call, without their arrays, for explanations
	keep     []defOf               // keeps the addresses in the key alive
	held     []unsafe.Pointer      // keeps the targets of static pointers alive
	writes   bool                  // some leaf is written
}

func newJitted(op string, f any, opts []JitOption) *jitted {
	j := &jitted{context: -1}
	j.Func = leaves.StoringFunc(op, f, FromValue, func(i int, t reflect.Type) bool { return j.passed(op, i, t) })
	var o jitOptions
	for _, opt := range opts {
		requireOption(op, opt == nil)
		opt.jit(&o)
	}
	if j.short = o.name; j.short == "" {
		j.short = leaves.NameOf(f).Short
	} else {
		j.Name = o.name
	}
	j.on, j.label = o.on, proflabel.New(j.short)
	for _, k := range o.donate {
		if k < 0 || k >= len(j.In) || j.Static(k) {
			core.FailOp(core.ErrIndex, op, nil, "Donate names argument %d, which is no argument with arrays, of %d; name one that has some", k, len(j.In))
		}
		if j.donate == nil {
			j.donate = make([]bool, len(j.In))
		}
		j.donate[k] = true
	}
	return j
}

// passed reports whether an argument is a context, which is passed as it is. It fails for arguments
// that Jit does not take.
func (j *jitted) passed(op string, i int, t reflect.Type) bool {
	if t == contextType {
		if i != 0 {
			core.FailOp(core.ErrStatic, op, nil, "argument %d is a context.Context; a context is the first argument or none", i)
		}
		j.context = 0
		return true
	}
	switch k := t.Kind(); {
	case t == float16Type, k == reflect.Float32, k == reflect.Float64, k == reflect.Complex64, k == reflect.Complex128:
		core.FailOp(core.ErrStatic, op, nil, "argument %d is a bare %v, so every new value would trace again; take a weft.Array and pass weft.Scalar(v), or put the number into a struct if it is configuration", i, t)
	}
	j.holdsFuncs = j.holdsFuncs || holdsFunc(t, map[reflect.Type]bool{})
	return false
}

// program finds the program for a call's arguments, or traces it. Nothing is locked
// while tracing: of two first callers the first to finish wins.
func (j *jitted) program(form string, a *leaves.Args[Array]) (*traced, error) {
	avals := core.AvalsOf(a.Leaves)
	key := jitKey(form, avals)
	if t := j.programs.find(key); t != nil {
		j.used(t)
		return t, nil
	}
	j.explain(a.At, avals)
	t, err := j.trace(a, avals)
	if err != nil {
		return nil, err
	}
	t.form, t.held = form, a.Flat.Held()
	t, dropped := j.programs.add(key, t, j.last.Load())
	j.used(t)
	j.mu.Lock()
	j.recent = t
	j.mu.Unlock()
	j.explainDropped(dropped)
	return t, nil
}

// used notes the program of a call, so that the next call may be steady. The program of a call within a
// trace is not noted: named axes may be part of its key.
func (j *jitted) used(t *traced) {
	if len(t.closed) == 0 && !core.Tracing() && j.last.Load() != t {
		j.last.Store(t)
	}
}

// usable reports whether the tracers that a program closes over belong to the trace in progress.
func (t *traced) usable() bool {
	return len(t.closed) == 0 || t.within.Live() && t.within == core.ActiveRecorder()
}

func (j *jitted) trace(a *leaves.Args[Array], avals []core.ShapedArray) (*traced, error) {
	t := &traced{avals: avals, settings: runtime.Current().Tracing, args: make([]reflect.Value, len(a.At)), written: make([]bool, len(avals))}
	defs := j.Defs(a)
	for i, p := range j.In {
		if p != nil {
			// Without its arrays, which would stay alive as long as the program.
			t.args[i] = reflect.New(p.Type())
			defs[i].Rebuild(t.args[i].UnsafePointer(), make([]Array, a.Counts[i]))
		}
	}
	t.keep = defs
	outer := core.ActiveRecorder()
	var failure error
	var program *jaxpr.Jaxpr
	// Panic from here: the stack trace of an uncaught error is shorter than from where it was
	// found.
	if err := core.Catch(func() {
		j.onDevice(func() { program = trace.Stage(j.short, avals, j.body(t, a, defs, &failure)) })
	}); err != nil {
		panic(err)
	}
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
	t.prim = &jaxpr.Jit{Fn: j.short, Jaxpr: program, Donated: j.donated(a.Counts, len(t.closed), t.written)}
	if j.on != nil {
		t.prim.Device = j.on.Name()
	}
	if len(t.closed) == 0 {
		t.caller, t.outs = runtime.NewCaller(t.prim), len(program.Outs)
	}
	return t, nil
}

// body returns the function as a function of leaves. It records in t the forms of the results and
// which leaves the function changed. The new values of these leaves are the first results.
func (j *jitted) body(t *traced, a *leaves.Args[Array], defs []defOf, failure *error) func(in []core.Value) []core.Value {
	return func(in []core.Value) (outs []core.Value) {
		args, r, err := j.Call(a, defs, in)
		if err != nil {
			*failure = err
			return nil
		}
		for _, c := range j.Changes(a, args, in) {
			t.written[c.Leaf], t.writes = true, true
			outs = append(outs, c.Now)
		}
		t.results = leaves.Results[Array]{Defs: r.Defs, Counts: r.Counts}
		return append(outs, r.Leaves...)
	}
}

func (j *jitted) onDevice(f func()) {
	if j.on == nil {
		f()
		return
	}
	runtime.WithSettings(func(s *runtime.Settings) { s.Executor = j.on }, f)
}

// noRecorder is the recorder of a program that closes over tracers of a derivative or batch while
// nothing is recorded: such a program is never used again.
type noRecorder struct{ core.Recorder }

func (noRecorder) Live() bool { return false }

// donated reports which operands of the program are donated. Values that the function closes over
// are not. Of a pointer, and of an argument with leaves that are written, only the written leaves
// are donated: the caller still holds the others.
func (j *jitted) donated(counts []int, closed int, written []bool) []bool {
	if j.donate == nil {
		return nil
	}
	d := make([]bool, closed)
	for i, n := range counts {
		own := written[:n:n]
		written = written[n:]
		keeps := j.Fn.Type().In(i).Kind() == reflect.Pointer || slices.Contains(own, true)
		for _, w := range own {
			d = append(d, j.donate[i] && (w || !keeps))
		}
	}
	return d
}

func countTrue(m []bool) (n int) {
	for _, x := range m {
		if x {
			n++
		}
	}
	return n
}
