package core

import "sync/atomic"

// Applier is an interpreter that can evaluate operations of one or two operands and one result
// without slices of values.
type Applier interface {
	Interpreter
	// Apply is Interpret for the operands x and y, or for x alone if y is nil. p has one result.
	Apply(p Primitive, x, y Value) Value
}

// Apply1 is [Bind1] for one operand, with fewer allocations.
func Apply1(p Primitive, x Value) Value { return apply(p, x, nil) }

// Apply2 is [Bind1] for two operands, with fewer allocations.
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

// Watch installs an interpreter in front of Bottom. It receives every operation that Bottom would
// evaluate, and must pass it on to Bottom. Checks that inspect every operation use it.
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
