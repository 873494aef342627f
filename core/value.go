package core

import "iter"

// Value is anything that stands for an array: a concrete array, a [Literal], or
// a tracer.
type Value interface {
	Aval() ShapedArray
}

// Tracer is a value made by an interpreter, which handles the operations on it.
type Tracer interface {
	Value
	Interpreter() Interpreter
}

// HasTracer reports whether some value is a tracer.
func HasTracer(vs []Value) bool {
	for _, v := range vs {
		if _, ok := v.(Tracer); ok {
			return true
		}
	}
	return false
}

// Interpreter defines the meaning of primitives. The younger of two has the higher level.
type Interpreter interface {
	// Level comes from NextLevel; that of Bottom is 0.
	Level() int64
	// Live reports whether the interpreter still takes operations. If it does not, its tracers
	// have escaped.
	Live() bool
	// Interpret applies p to operands that belong to this interpreter, to older ones or to
	// none. It may call Bind: meanwhile the stack has only the older interpreters.
	Interpret(p Primitive, in []Value) []Value
}

// Recorder marks interpreters that take every primitive bound on their goroutine,
// whether or not an operand is theirs: tracing records everything.
type Recorder interface {
	Interpreter
	// Records reports whether the interpreter takes every primitive now. A tape, for example, takes
	// only the operations on its own values.
	Records() bool
}

// AxisBinder marks interpreters that bind named axes.
type AxisBinder interface {
	Interpreter
	// BindsAxis reports whether the interpreter binds the axis, and its size.
	BindsAxis(name string) (size int, ok bool)
}

// Resolver is a tracer that may have become an ordinary value, such as a tracer of a finished trace
// whose value is known. Bind calls Resolve for an operand whose owner is no longer live; the error tells
// where the tracer came from.
type Resolver interface {
	Tracer
	Resolve() (Value, error)
}

// Concrete is a value whose elements exist. Tracing reads the number of a scalar from it without
// knowing how arrays are stored.
type Concrete interface {
	Value
	// Scalar is the number of a rank-0 array; ok is false for other ranks and
	// for dtypes without numbers.
	Scalar() (n Number, ok bool)
}

// Primitive is an operation: a comparable Go type whose fields are its parameters and whose
// methods are its meaning. A primitive that contains programs holds pointers to them.
type Primitive interface {
	// Name is the operation's name in IR text.
	Name() string
	// Abstract computes the types of the results from those of the operands. It panics with
	// *Error when they do not fit: see [Failf].
	Abstract(in []ShapedArray) []ShapedArray
}

// JVPer is a primitive with a forward derivative. in and out are the operands and
// results, t the operands' tangents, nil where zero; at least one is not. The
// rule returns the results' tangents, nil where zero.
type JVPer interface {
	Primitive
	JVP(in, out, t []Value) []Value
}

// ZeroJVP is a primitive whose derivative is declared to be zero.
type ZeroJVP interface {
	Primitive
	ZeroJVP()
}

// NoJVP is a primitive that declares that it cannot be differentiated, and why.
type NoJVP interface {
	Primitive
	NoJVP() string
}

// Transposer is a primitive that is linear in some of its operands. lin marks
// them; in contains the others (nil where lin), av the types of all, ct the
// cotangents of the results, nil where zero; at least one is not. The rule
// returns a cotangent for each linear operand, nil where zero or not linear, and
// keeps none of the slices.
type Transposer interface {
	Primitive
	Transpose(ct, in []Value, lin []bool, av []ShapedArray) []Value
}

// Batcher is a primitive that works on a batch. mapped marks the operands with an
// additional leading axis of size n; there is at least one. The rule returns results
// with a leading axis of size n where outMapped.
type Batcher interface {
	Primitive
	Batch(n int, in []Value, mapped []bool) (out []Value, outMapped []bool)
}

// Elementwise marks primitives that act on each element alone and whose operands are of one shape,
// apart from scalars and axes of size 1, which are broadcast. Such primitives need no batching rule.
type Elementwise interface {
	Primitive
	Elementwise()
}

// Expander is a primitive that is defined by other primitives. An executor without a kernel for it
// runs the expansion.
type Expander interface {
	Primitive
	Expand(in []Value) []Value
}

// Paramer is a primitive with parameters that IR text shows.
type Paramer interface {
	Primitive
	// Params are the shown parameters, in the order in which they print.
	Params() []Param
}

// Param is a parameter as IR text shows it. A value is a string or Stringer
// printed as it is, or a program or list of programs (see package jaxpr).
type Param struct {
	Key   string
	Value any
}

// Effect is a set of the ways in which a primitive does more than compute results.
type Effect uint8

// The effects. An equation with an effect is kept although nothing uses its results, and equal
// ones are not merged.
const (
	EffectDebug     Effect = 1 << iota // prints, or calls a function that only looks at values
	EffectIO                           // calls the host, in any order
	EffectOrderedIO                    // calls the host, in program order
	EffectRef                          // reads or writes a reference
)

// Effecter is a primitive with effects.
type Effecter interface {
	Primitive
	Effects() Effect
}

// AxisNamer is a primitive that names axes, itself or within its programs. Bind passes it to the
// youngest interpreter that binds one of these axes. AxisNames may yield a name more than once.
type AxisNamer interface {
	Primitive
	AxisNames() iter.Seq[string]
}

// Closureful is a primitive that carries Go functions, which may close over
// tracers that are not among its operands. The youngest interpreter of the
// goroutine gets it first.
type Closureful interface {
	Primitive
	// Closureful reports whether p, or a program within it, carries such functions.
	Closureful() bool
}

// IsClosureful reports whether p carries Go functions.
func IsClosureful(p Primitive) bool {
	c, ok := p.(Closureful)
	return ok && c.Closureful()
}

// EffectsOf returns the set of p's effects.
func EffectsOf(p Primitive) Effect {
	if e, ok := p.(Effecter); ok {
		return e.Effects()
	}
	return 0
}

// AxisNamesOf ranges over the axes that p names.
func AxisNamesOf(p Primitive) iter.Seq[string] {
	if a, ok := p.(AxisNamer); ok {
		return a.AxisNames()
	}
	return func(func(string) bool) {}
}

// NamesAxes reports whether p names an axis.
func NamesAxes(p Primitive) bool {
	if a, ok := p.(AxisNamer); ok {
		for range a.AxisNames() {
			return true
		}
	}
	return false
}
