package weft

import (
	"reflect"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/hostcall"
	"github.com/weft-go/weft/internal/leaves"
	"github.com/weft-go/weft/internal/nd"
)

// DebugPrint prints a text when the program reaches it, also inside [Jit], in the branch that
// runs and in every iteration of a loop. In format, {} stands for the next value, {0} for the
// first, and {:.3f} for the next one with that verb. Values are Arrays or Go numbers. With the
// option [Ordered] among the values, the prints keep the order of the program. DebugPrint prints
// to the writer that runtime.SetOutput sets.
func DebugPrint(format string, values ...any) {
	var vs []core.Value
	var o callbackOptions
	for _, v := range values {
		if opt, ok := v.(CallbackOption); ok {
			opt.callback(&o)
			continue
		}
		vs = append(vs, nd.Operand("DebugPrint", unwrap(v)))
	}
	if o.vmap != "" {
		core.FailOp(core.ErrStatic, "DebugPrint", nil, "VmapMethod is an option of PureCallback; leave it out")
	}
	hostcall.DebugPrint(format, o.ordered, vs, nil, nil)
}

// DebugCallback calls f with p's arrays, which are concrete, wherever the program reaches the
// call. It is for inspecting values: the calls may happen in any order. An error that f returns
// ends the program, as for [PureCallback].
func DebugCallback[P any, F interface{ ~func(P) | ~func(P) error }](f F, p P) {
	leaves.RequireNonNil("DebugCallback", f)
	vals, host := hostOf("DebugCallback", f, p, func(p P) []core.Value {
		if g, ok := funcAs[func(P)](f); ok {
			g(p)
			return nil
		}
		g, _ := funcAs[func(P) error](f)
		requireSuccess("DebugCallback", f, g(p))
		return nil
	})
	hostcall.DebugCallback(host, false, vals...)
}

// A CallbackOption changes how a Go function is called from a program.
type CallbackOption interface{ callback(*callbackOptions) }

type callbackOption func(*callbackOptions)

func (f callbackOption) callback(o *callbackOptions) { f(o) }

type callbackOptions struct {
	vmap    string
	ordered bool
}

// VmapMethod sets how PureCallback is called under Vmap. "sequential", the default, calls it for
// each element in order; "sequential_unrolled" does so with an equation for each element.
// "expand_dims" and "broadcast_all" call it once, with a leading axis on every array. Where an
// array is not mapped, that axis has size 1 with "expand_dims" and the size of the batch with
// "broadcast_all".
func VmapMethod(method string) CallbackOption {
	return callbackOption(func(o *callbackOptions) { o.vmap = method })
}

// Ordered makes the calls of IOCallback and DebugPrint happen in the order of the program.
func Ordered() CallbackOption { return callbackOption(func(o *callbackOptions) { o.ordered = true }) }

// PureCallback returns f(p), where f is a Go function outside of the program: it receives
// concrete arrays and returns arrays of the form and types of like. It must have no effects,
// because calls may be repeated or left out. It has no derivative; see custom.JVP and custom.VJP.
//
// An error that f returns ends the program. The jitted function returns it if its last result is
// an error; else [Try] does. errors.Is and errors.As find f's error behind it.
func PureCallback[P, O any, F interface {
	~func(P) O | ~func(P) (O, error)
}](f F, like O, p P, opts ...CallbackOption) O {
	var o callbackOptions
	for _, opt := range opts {
		requireOption("PureCallback", opt == nil)
		opt.callback(&o)
	}
	leaves.RequireNonNil("PureCallback", f)
	if o.ordered {
		core.FailOp(core.ErrStatic, "PureCallback", nil, "a function without effects has no order; use IOCallback")
	}
	vals, avals, host, build := resultsOf("PureCallback", f, like, p)
	return build(hostcall.PureCallback(host, avals, o.vmap, vals...))
}

// IOCallback returns f(p), where f is a Go function with effects: it is called exactly once each
// time the program reaches it. Its results have the form and types of like; for none pass
// []weft.Array(nil). An error that f returns ends the program, as for [PureCallback].
func IOCallback[P, O any, F interface {
	~func(P) O | ~func(P) (O, error)
}](f F, like O, p P, opts ...CallbackOption) O {
	var o callbackOptions
	for _, opt := range opts {
		requireOption("IOCallback", opt == nil)
		opt.callback(&o)
	}
	leaves.RequireNonNil("IOCallback", f)
	if o.vmap != "" {
		core.FailOp(core.ErrStatic, "IOCallback", nil, "VmapMethod applies to PureCallback only, because effects happen once for each element, in order; remove the option")
	}
	vals, avals, host, build := resultsOf("IOCallback", f, like, p)
	return build(hostcall.IOCallback(host, avals, o.ordered, vals...))
}

// hostOf returns p's arrays, and call as a function of them.
func hostOf[P any](op string, f any, p P, call func(P) []core.Value) ([]core.Value, *hostcall.HostFunc) {
	vals, def := formOf[P](op).Values(op, &p)
	return vals, &hostcall.HostFunc{Name: leaves.FuncName(f), Op: op, Title: leaves.NameOf(f).Function(), Call: func(in []core.Value) []core.Value {
		return call(together[P](def, in))
	}}
}

func resultsOf[P, O, F any](op string, f F, like O, p P) (vals []core.Value, avals []core.ShapedArray, host *hostcall.HostFunc, build func([]core.Value) O) {
	fo := formOf[O](op)
	shape, def := fo.Values(op, &like)
	avals = core.AvalsOf(shape)
	for i := range avals {
		avals[i].Weak = false
	}
	vals, host = hostOf(op, f, p, func(p P) []core.Value {
		out := fallible[P, O](op, f)(p)
		fo.RequireSame(op, "the example and the result of the function", &like, &out)
		vs, _ := fo.Returned(op, leaves.NameOf(f).Function(), &out)
		return vs
	})
	host.Path = func(i int) string { return fo.Path(&like, i) }
	return vals, avals, host, func(vs []core.Value) O { return together[O](def, vs) }
}

// fallible returns f as a function with one result, which panics if f returns an error.
func fallible[P, O any](op string, f any) func(P) O {
	if g, ok := funcAs[func(P) O](f); ok {
		return g
	}
	g, _ := funcAs[func(P) (O, error)](f)
	return func(p P) O {
		out, err := g(p)
		requireSuccess(op, f, err)
		return out
	}
}

// funcAs returns f as a G, if f's type is G or a named type of that form.
func funcAs[G any](f any) (g G, ok bool) {
	if g, ok = f.(G); ok {
		return g, true
	}
	t := reflect.TypeFor[G]()
	if v := reflect.ValueOf(f); v.Type().ConvertibleTo(t) {
		return v.Convert(t).Interface().(G), true
	}
	return g, false
}

func requireSuccess(op string, f any, err error) {
	if err != nil {
		panic(&core.Error{Op: op, Pos: core.HerePos(), Msg: leaves.NameOf(f).Function() + " returned an error", Err: err})
	}
}
