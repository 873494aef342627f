package core

import "sync/atomic"

// Applier is an interpreter that takes the usual operations, of one result and one
// or two operands, without slices of operands and results.
type Applier interface {
	Interpreter
	// Apply is Interpret of x and y, or of x alone where y is nil. p returns one result.
	Apply(p Primitive, x, y Value) Value
}

// Apply1 computes [Bind1] of one operand. It allocates less.
func Apply1(p Primitive, x Value) Value { return apply(p, x, nil) }

// Apply2 computes [Bind1] of two operands. It allocates less.
func Apply2(p Primitive, x, y Value) Value { return apply(p, x, y) }

func apply(p Primitive, x, y Value) Value {
	var top Interpreter
	level := int64(0)
	if t, ok := x.(Tracer); ok {
		owner := t.Interpreter()
		if !owner.Live() {
			return applySlice(p, x, y)
		}
		top, level = owner, owner.Level()
	}
	if y != nil {
		if t, ok := y.(Tracer); ok {
			owner := t.Interpreter()
			if !owner.Live() {
				return applySlice(p, x, y)
			}
			if l := owner.Level(); l > level {
				top, level = owner, l
			}
		}
	}
	s := current()
	if s != nil {
		if s.top != nil && s.top.region.Checks() {
			return applySlice(p, x, y)
		}
		if i := claim(s.top, p, level); i != nil {
			top = i
		}
	}
	if top == nil {
		top = bottom()
	}
	a, ok := top.(Applier)
	if !ok {
		return applySlice(p, x, y)
	}
	if s == nil {
		return a.Apply(p, x, y)
	}
	return Below(top, func() Value { return a.Apply(p, x, y) })
}

func applySlice(p Primitive, x, y Value) Value {
	if y == nil {
		return Bind(p, x)[0]
	}
	return Bind(p, x, y)[0]
}

var watcher atomic.Pointer[Interpreter]

// Watch puts an interpreter before Bottom: what would be evaluated goes to it, and it
// passes on to Bottom. It is how a check looks at every operation that happens.
func Watch(i Interpreter) { watcher.Store(&i) }

func bottom() Interpreter {
	if w := watcher.Load(); w != nil {
		return *w
	}
	if Bottom == nil {
		panic("BUG: no bottom interpreter: import github.com/weft-go/weft/runtime")
	}
	return Bottom
}
