package weft

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/leaves"
	"github.com/weft-go/weft/internal/nd"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower"
	"github.com/weft-go/weft/runtime"
)

// IR is the program that a function was traced to. Its String method returns the program's text.
type IR = jaxpr.Jaxpr

// Type is the type of an array: shape, dtype, and whether it is weak.
type Type = core.ShapedArray

// Jaxpr traces f and returns its program. The arguments are those of a call of f; only their
// forms, types and static values matter. A Go number is an array without axes.
func Jaxpr(f any, args ...any) (ir *IR, err error) {
	err = ahead(func() error {
		j := newJitted("Jaxpr", f, nil)
		t, err := j.traceFor(args)
		if err == nil {
			ir = t.prim.Jaxpr
			ir.InNames = j.names(args, len(ir.Ins))
		}
		return err
	})
	return ir, err
}

// names returns names of the n inputs of a program: the path of each leaf, such as Layers[0].W.
// If there are several arguments, the path begins with arg0, arg1 and so on.
func (j *jitted) names(args []any, n int) []string {
	a := j.take(args)
	if len(a.Leaves) != n { // values of other traces are inputs, too
		return nil
	}
	names := make([]string, n)
	for k := range a.Leaves {
		arg, path := j.Locate(a, k)
		if len(a.Counts) > 1 {
			path = fmt.Sprintf("arg%d%s", arg, path)
		}
		names[k] = strings.ReplaceAll(strings.TrimPrefix(path, "."), `"`, "'") // as JAX writes keys
	}
	return names
}

// EvalShape traces f and returns the types of its results, one per leaf. Nothing is computed.
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
		if len(low.Ins) == len(ir.Ins) && low.InNames == nil && low != ir {
			low.InNames = ir.InNames
		}
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

// Account reports the kernels and the memory of the compiled program.
func (c *Compiled[F]) Account() Account {
	c.require("Compiled.Account")
	return c.run.Account()
}

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

// Compile traces f for arguments of these forms and types and compiles the program. It is
// compiled for the device of [On] if f is a jitted function with that option, else for the device
// that holds the arguments, else for the goroutine's default device. The compiled program donates
// nothing, and refuses arguments on other devices.
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
		j.compiled = run
		j.last.Store(t)
		compiled = &Compiled[F]{Call: j.function(f).(F), run: run, ir: t.prim.Jaxpr}
		return nil
	})
	return compiled, err
}

// wholeCall returns the jitted call that is all of a program, or nil. Arrays that its function
// closes over are constants of the inner program.
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

// ahead runs f and returns its error, or the mistake that it panicked with.
func ahead(f func() error) (err error) {
	var own error
	if err := core.Catch(func() { own = f() }); err != nil {
		return err
	}
	return own
}

func (j *jitted) traceFor(args []any) (*traced, error) { return j.traceTaken(j.take(args)) }

// traceTaken traces the function for arguments that take returned.
func (j *jitted) traceTaken(a *leaves.Args[Array]) (*traced, error) {
	form := string(a.Flat.Key())
	t, err := j.trace(a, core.AvalsOf(a.Leaves))
	if err == nil {
		t.form, t.held = form, a.Flat.Held()
	}
	return t, err
}

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

func asNumber(a any) (Array, bool) {
	l, ok := nd.Number(a)
	if !ok {
		return Array{}, false
	}
	return FromValue(nd.Fitting("Scalar", l)), true
}

// runCompiled runs the program that the function was compiled to, or refuses the arguments.
func (j *jitted) runCompiled(t *traced, form string, a *leaves.Args[Array]) []core.Value {
	for i, p := range j.In {
		if p == nil {
			continue
		}
		if path, was, is, differ := p.Difference(t.args[i].UnsafePointer(), a.At[i].UnsafePointer()); differ {
			core.FailOp(core.ErrStatic, "Compile", nil, "%s was compiled with argument %d%s %s, called with %s; compile it again, or use Jit", j.Name, i, path, was, is)
		}
	}
	if form != t.form {
		core.FailOp(core.ErrStatic, "Compile", nil, "%s was compiled when a static pointer among its arguments pointed to other contents; compile it again, or use Jit", j.Name)
	}
	if t.writes {
		j.RefuseAliases(a, t.written)
	}
	in := make([]*runtime.Array, len(a.Leaves))
	for i, v := range a.Leaves {
		if is := v.Aval(); is != t.avals[i] {
			arg, path := j.Locate(a, i)
			core.FailOp(core.Mismatch(t.avals[i], is), "Compile", []core.ShapedArray{t.avals[i], is}, "%s was compiled for argument %d%s of type %s, called with %s; compile it again, or use Jit", j.Name, arg, path, t.avals[i].Full(), is.Full())
		}
		if in[i] = concrete(v); in[i] == nil {
			core.FailOp(core.ErrConcrete, "Compile", []core.ShapedArray{v.Aval()}, "%s is compiled and takes concrete arrays only, got a value of a transformation; use Jit inside of transformations", j.Name)
		}
	}
	ctx := j.contextOf(a.At)
	if ctx == nil {
		ctx = runtime.Context()
	}
	res, err := j.compiled.Run(ctx, in)
	if err != nil {
		panic(err)
	}
	outs := make([]core.Value, len(res))
	for i, r := range res {
		outs[i] = r
	}
	return outs
}
