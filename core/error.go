package core

import (
	"errors"
	"fmt"
	"strings"
)

// The kinds of mistakes, for errors.Is.
var (
	ErrShape      = errors.New("shape")
	ErrDType      = errors.New("dtype")
	ErrPromotion  = errors.New("promotion")
	ErrIndex      = errors.New("index")
	ErrConcrete   = errors.New("concrete value")
	ErrEscaped    = errors.New("escaped tracer")
	ErrAxis       = errors.New("axis name")
	ErrTree       = errors.New("tree")
	ErrStatic     = errors.New("static argument")
	ErrNoRule     = errors.New("no rule")
	ErrCustomRule = errors.New("custom rule")
	ErrParse      = errors.New("parse")
	ErrCheck      = errors.New("check")
	ErrNaN        = errors.New("NaN")
	ErrKeyReuse   = errors.New("key reuse")
	ErrDevice     = errors.New("device")
)

// Error is a mistake in the user's program: what was requested, the operands'
// types, the user's line, and the fix. Operations panic with it; functions that return
// an error return it instead.
type Error struct {
	Kind  error         // one of the kinds above
	Op    string        // the name of the operation; "" if unknown
	Pos   string        // file:line of the user's call, or a place in a text that was read; "" if unknown
	Avals []ShapedArray // the operands' types
	Msg   string        // a sentence, the fix included
	Err   error         // the error of another package that is the cause, if there is one
}

// Error returns the position, the operation and the message.
func (e *Error) Error() string {
	var b strings.Builder
	if e.Pos != "" {
		b.WriteString(e.Pos)
		b.WriteString(": ")
	}
	if e.Op != "" {
		b.WriteString(e.Op)
		b.WriteString(": ")
	}
	b.WriteString(e.Msg)
	if e.Err != nil {
		fmt.Fprintf(&b, ": %v", e.Err) // survives an Error method that panics
	}
	return b.String()
}

// Unwrap returns the kind and the error behind e.
func (e *Error) Unwrap() []error {
	var u []error
	if e.Kind != nil {
		u = append(u, e.Kind)
	}
	if e.Err != nil {
		u = append(u, e.Err)
	}
	return u
}

// Failf panics with an Error of the given kind at the user's line. Rules of
// primitives leave the operation's name to their callers: see [Guard].
func Failf(kind error, format string, args ...any) {
	panic(&Error{Kind: kind, Pos: HerePos(), Msg: fmt.Sprintf(format, args...)})
}

// FailOp is Failf with the operation's name and the operands' types.
func FailOp(kind error, op string, avals []ShapedArray, format string, args ...any) {
	panic(&Error{Kind: kind, Op: op, Avals: avals, Pos: HerePos(), Msg: fmt.Sprintf(format, args...)})
}

// AbstractOf returns the result types of p for operands of the types in. Its errors name p and
// the operands' types.
func AbstractOf(p Primitive, in []ShapedArray) []ShapedArray {
	defer func() {
		if r := recover(); r != nil {
			if e, ok := r.(*Error); ok {
				if e.Op == "" {
					e.Op = p.Name()
				}
				if e.Avals == nil {
					e.Avals = append([]ShapedArray(nil), in...)
				}
			}
			panic(r)
		}
	}()
	return abstract(p, in)
}

// Guard adds p's name and the operands' types to an *Error that a rule of p panics with. The
// rule's caller defers it. in may contain nils.
func Guard(p Primitive, in []Value) {
	r := recover()
	if r == nil {
		return
	}
	if e, ok := r.(*Error); ok {
		if e.Op == "" {
			e.Op = p.Name()
		}
		if e.Avals == nil {
			for _, v := range in {
				if v != nil {
					e.Avals = append(e.Avals, v.Aval())
				}
			}
		}
	}
	panic(r)
}

// Catch runs f and returns the *Error that it panicked with; other panics go on.
func Catch(f func()) (err error) {
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(*Error)
			if !ok {
				panic(r)
			}
			err = e
		}
	}()
	f()
	return nil
}

// Mismatch returns the kind of error for two types that should agree: ErrShape if their shapes
// differ, otherwise ErrDType.
func Mismatch(a, b ShapedArray) error {
	if a.Shape != b.Shape {
		return ErrShape
	}
	return ErrDType
}

// AvalsOf lists the types of values.
func AvalsOf(vs []Value) []ShapedArray {
	out := make([]ShapedArray, len(vs))
	for i, v := range vs {
		out[i] = v.Aval()
	}
	return out
}
