package weft

import (
	"reflect"
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/leaves"
	"github.com/weft-go/weft/internal/nd"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower"
	"github.com/weft-go/weft/runtime"
)

// IR is a program: what a function was traced to. Its String is the text.
type IR = jaxpr.Jaxpr

// Type is the type of an array: shape, dtype, and whether it is weak.
type Type = core.ShapedArray

// Jaxpr traces f and returns its program. The arguments are what f would be called
// with; only their forms, types and statics matter. A Go number stands for an
// array without axes.
func Jaxpr(f any, args ...any) (ir *IR, err error) {
	err = ahead(func() error {
		j := newJitted("Jaxpr", f, nil)
		t, err := j.traceFor(args)
		if err == nil {
			ir = t.prim.Jaxpr
		}
		return err
	})
	return ir, err
}

// EvalShape traces f and returns the types of its results, one a leaf. Nothing is
// computed.
func EvalShape(f any, args ...any) (types []Type, err error) {
	err = ahead(func() error {
		j := newJitted("EvalShape", f, nil)
		t, err := j.traceFor(args)
		if err == nil {
			types = t.prim.Jaxpr.OutAvals()[countTrue(t.written):]
		}
		return err
	})
	return types, err
}

// Lower traces f and returns its program as executors receive it: after the passes of
// package lower, which inline calls, fold constants, compute equal expressions once and drop
// unused equations. Inlining drops user-defined derivative rules, so differentiate the
// result of [Jaxpr], not this one.
func Lower(f any, args ...any) (*IR, error) {
	ir, err := Jaxpr(f, args...)
	if err != nil {
		return nil, err
	}
	var low *IR
	err = ahead(func() error {
		low = lower.Program(ir)
		return nil
	})
	return low, err
}

// Compiled is a function that was compiled ahead of time.
type Compiled[F any] struct {
	// Call is the function. It refuses arguments of other types than those it was
	// compiled for, and values of a transformation.
	Call F

	run *runtime.Compiled
	ir  *IR
}

// Account reports what the executor made of the function.
func (c *Compiled[F]) Account() Account {
	c.require("Compiled.Account")
	return c.run.Account()
}

// require refuses a handle that Compile did not make.
func (c *Compiled[F]) require(op string) {
	if c == nil || c.run == nil {
		core.FailOp(core.ErrTree, op, nil, "there is no compiled function; make one with weft.Compile")
	}
}

// Jaxpr returns the program as it was traced; [Lower] returns what executors receive.
func (c *Compiled[F]) Jaxpr() *IR {
	c.require("Compiled.Jaxpr")
	return c.ir
}

// Device returns the device that runs the function.
func (c *Compiled[F]) Device() Device {
	c.require("Compiled.Device")
	return Device{c.run.Executor()}
}

// Account reports the kernels and bytes of a compiled program, and the equations for
// which its executor has no code.
type Account = runtime.Account

// Compile traces f for arguments of these forms and types and compiles the program for the device
// of [On] if f is a jitted function that has one, else for that on which the arguments lie, else for
// the goroutine's. The compiled program donates nothing, and refuses arguments on other devices.
func Compile[F any](f F, args ...any) (compiled *Compiled[F], err error) {
	err = ahead(func() error {
		j := newJitted("Compile", f, nil)
		taken := j.take(args)
		t, err := j.traceTaken(taken)
		if err != nil {
			return err
		}
		if len(t.closed) > 0 {
			core.FailOp(core.ErrEscaped, "Compile", core.AvalsOf(t.closed), "%s closes over a value of a transformation, which ends; pass it as an argument", j.Name)
		}
		s := runtime.Current()
		executor, program := Device{s.Executor}.executorOrDefault(), t.prim.Jaxpr
		if inner := wholeCall(program); inner != nil && inner.Device != "" {
			if executor, err = runtime.Select(inner.Device); err != nil {
				return err
			}
			program = inner.Jaxpr
		} else {
			executor = runtime.ExecutorOf(executor, "Compile", taken.Leaves, program)
		}
		run, err := runtime.Compile(executor, &runtime.Request{Jaxpr: program, Options: s.Options, Label: j.short})
		if err != nil {
			return err
		}
		c := &compiledFunc{j: j, t: t, run: run}
		call, ok := withoutReflection(f, c.callArrays)
		if !ok {
			call = reflect.MakeFunc(j.Fn.Type(), c.call).Interface()
		}
		compiled = &Compiled[F]{Call: call.(F), run: run, ir: t.prim.Jaxpr}
		return nil
	})
	return compiled, err
}

// wholeCall returns the jitted call that is all of a program, or nil. What it closes over are
// the constants of its own program.
func wholeCall(p *IR) *jaxpr.Jit {
	if len(p.Eqns) != 1 || len(p.Consts) > 0 {
		return nil
	}
	e := p.Eqns[0]
	call, ok := e.Prim.(*jaxpr.Jit)
	if !ok || !slices.EqualFunc(e.Ins, p.Ins, isVar) || !slices.EqualFunc(p.Outs, e.Outs, isVar) {
		return nil
	}
	return call
}

func isVar(a jaxpr.Atom, v *jaxpr.Var) bool { return a == jaxpr.Atom(v) }

// ahead runs f and returns the mistake that it panicked with.
func ahead(f func() error) (err error) {
	var own error
	if err := core.Catch(func() { own = f() }); err != nil {
		return err
	}
	return own
}

// traceFor traces the function for a list of arguments.
func (j *jitted) traceFor(args []any) (*traced, error) { return j.traceTaken(j.take(args)) }

// traceTaken is traceFor of arguments that take has made of a list.
func (j *jitted) traceTaken(a *leaves.Args[Array]) (*traced, error) {
	form := string(a.Flat.Key())
	t, err := j.trace(a, core.AvalsOf(a.Leaves))
	if err == nil {
		t.key, t.held = form, a.Flat.Held()
	}
	return t, err
}

// take makes a call's arguments of a list of values.
func (j *jitted) take(args []any) *leaves.Args[Array] {
	ft := j.Fn.Type()
	n := ft.NumIn()
	if ft.IsVariadic() && len(args) >= n-1 {
		rest := reflect.MakeSlice(ft.In(n-1), 0, len(args)-n+1)
		for i, a := range args[n-1:] {
			rest = reflect.Append(rest, j.argument(n-1+i, a, ft.In(n-1).Elem()))
		}
		args = append(args[:n-1:n-1], rest.Interface())
	}
	if len(args) != n {
		core.FailOp(core.ErrTree, j.Op, nil, "%s takes %s, got %d; give one for each", j.Name, core.Count(n, "argument"), len(args))
	}
	values := make([]reflect.Value, n)
	for i, a := range args {
		values[i] = j.argument(i, a, ft.In(i))
	}
	return j.Flatten(values)
}

// argument returns a as a value of the type that the function takes.
func (j *jitted) argument(i int, a any, want reflect.Type) reflect.Value {
	v := reflect.ValueOf(a)
	if !v.IsValid() {
		switch want.Kind() {
		case reflect.Pointer, reflect.Interface, reflect.Map, reflect.Slice, reflect.Func:
			return reflect.Zero(want)
		}
		core.FailOp(core.ErrTree, j.Op, nil, "argument %d of %s is nil (want %s); pass one", i, j.Name, core.WithArticle(want))
	}
	if v.Type().AssignableTo(want) {
		c := reflect.New(want).Elem()
		c.Set(v)
		return c
	}
	if want == reflect.TypeFor[Array]() {
		if x, ok := asNumber(a); ok {
			return reflect.ValueOf(x)
		}
	}
	core.FailOp(core.ErrTree, j.Op, nil, "argument %d of %s has the wrong type (got %s, want %s); pass one", i, j.Name, core.WithArticle(reflect.TypeOf(a)), core.WithArticle(want))
	return v
}

// asNumber returns a Go number as an array without axes.
func asNumber(a any) (Array, bool) {
	l, ok := nd.Number(a)
	if !ok {
		return Array{}, false
	}
	return FromValue(nd.Fitting("Scalar", l)), true
}

// compiledFunc is a function that was compiled for arguments of one form.
type compiledFunc struct {
	j   *jitted
	t   *traced
	run *runtime.Compiled
}

func (c *compiledFunc) call(args []reflect.Value) []reflect.Value {
	return c.j.Guard(func() []reflect.Value { return c.invoke(args) })
}

// callArrays calls the function with its first n arguments; it has m results. A call with
// concrete arrays in host memory allocates the results alone.
func (c *compiledFunc) callArrays(n, m int, x, y, z Array) (a, b Array) {
	args := [3]Array{x, y, z}
	l := callListsPool.Get().(*callLists)
	if !c.t.writes && len(c.t.avals) == n && concreteAs(c.t.avals, args[:n], l.in[:n]) && c.run.RunInto(l.in[:n], l.out[:m]) {
		a = wrap(l.out[0])
		if m > 1 {
			b = wrap(l.out[1])
		}
		*l = callLists{}
		callListsPool.Put(l)
		return a, b
	}
	values := make([]reflect.Value, n)
	for i, x := range args[:n] {
		values[i] = reflect.ValueOf(x)
	}
	out := c.call(values)
	if a = out[0].Interface().(Array); m > 1 {
		b = out[1].Interface().(Array)
	}
	return a, b
}

func (c *compiledFunc) invoke(args []reflect.Value) []reflect.Value {
	in := c.j.Flatten(args)
	ctx := c.j.contextOf(in.At)
	if ctx == nil {
		ctx = runtime.Context()
	}
	for i, p := range c.j.In {
		if p == nil {
			continue
		}
		if path, a, b, differ := p.Difference(c.t.args[i].UnsafePointer(), in.At[i].UnsafePointer()); differ {
			core.FailOp(core.ErrStatic, "Compile", nil, "%s was compiled with argument %d%s %s, called with %s; compile it again, or use Jit", c.j.Name, i, path, a, b)
		}
	}
	if string(in.Flat.Key()) != c.t.key {
		core.FailOp(core.ErrStatic, "Compile", nil, "%s was compiled when a static pointer among its arguments pointed to other contents; compile it again, or use Jit", c.j.Name)
	}
	if c.t.writes {
		c.j.RefuseAliases(in, c.t.written)
	}
	arrays := make([]*runtime.Array, len(in.Leaves))
	for i, v := range in.Leaves {
		if a := v.Aval(); a != c.t.avals[i] {
			arg, path := c.j.Locate(in, i)
			core.FailOp(core.Mismatch(c.t.avals[i], a), "Compile", []core.ShapedArray{c.t.avals[i], a}, "%s was compiled for argument %d%s of type %s, called with %s; compile it again, or use Jit", c.j.Name, arg, path, c.t.avals[i].Full(), a.Full())
		}
		switch v := v.(type) {
		case *runtime.Array:
			arrays[i] = v
		case core.Literal:
			arrays[i] = runtime.FromLiteral(v)
		default:
			core.FailOp(core.ErrConcrete, "Compile", []core.ShapedArray{v.Aval()}, "%s is compiled and takes concrete arrays only, got a value of a transformation; use Jit inside of transformations", c.j.Name)
		}
	}
	res, err := c.run.Run(ctx, arrays)
	if err != nil {
		panic(err)
	}
	outs := make([]core.Value, len(res))
	for i, a := range res {
		outs[i] = a
	}
	return c.j.finish(c.t, in, outs)
}
