package weft

import (
	"errors"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/leaves"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
)

// Error is a mistake in a program: the operation, the user's line, the operands' types, and the
// fix. Test its kind with errors.Is and [core.ErrShape] or another of package core's errors.
type Error = core.Error

// Try runs f and returns the mistake that it panicked with as an error. Other panics propagate.
func Try[T any](f func() T) (v T, err error) {
	leaves.RequireNonNil("Try", f)
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(error)
			var known *core.Error
			if !ok || !errors.As(e, &known) {
				panic(r)
			}
			err = e
		}
	}()
	return f(), nil
}

// Now runs f at once, even while a function is traced: operations that depend on no argument are
// executed instead of recorded, and their results are constants of the program.
func Now[T any](f func() T) T {
	leaves.RequireNonNil("Now", f)
	return core.Suspended(f)
}

// Call returns a function that computes f and appears in programs as a call of its own
// (core_call), which derivatives and batches of the program keep. It only groups operations:
// unlike [Jit] it compiles nothing, and f may read the values of its arguments wherever its
// caller may. Outside of transformations the function is f itself.
func Call[P, O any](f func(P) O, names ...NameOption) func(P) O {
	leaves.RequireNonNil("Call", f)
	name := leaves.FuncName(f)
	if len(names) > 0 {
		name = string(names[0])
	}
	fp, fo := formOf[P]("Call"), formOf[O]("Call")
	return func(p P) O {
		if !core.Tracing() {
			return f(p)
		}
		vals, def := fp.Values("Call", &p)
		var out defOf
		flat := leaves.Flat("Call", def, f, fp, fo, &out)
		var program *jaxpr.Jaxpr
		if core.ActiveRecorder() != nil {
			program = trace.Stage(name, core.AvalsOf(vals), flat)
		} else { // eager differentiation keeps the group too, so that cotangents are added in the same order
			program = trace.StageAt(name, vals, flat)
		}
		consts := trace.HoistTracers(program)
		outs := core.Bind(&jaxpr.CoreCall{Fn: name, Jaxpr: program}, append(consts, vals...)...)
		return together[O](out, outs)
	}
}
