package core

import "sync/atomic"

var level atomic.Int64

// NextLevel returns a level above all levels that it returned before.
func NextLevel() int64 { return level.Add(1) }

// Bottom evaluates primitives whose operands belong to no interpreter. Package runtime
// sets it; its level is 0 and it is always live.
var Bottom Interpreter

// Bind applies p to the operands. The youngest of these interprets it: the
// owners of the operands; the youngest Recorder of this goroutine; for a primitive
// that carries Go functions, the youngest interpreter of this goroutine; for one
// that names an axis, the youngest that binds it. Without any of them, [Bottom] does.
func Bind(p Primitive, in ...Value) []Value {
	var top Interpreter
	topLevel := int64(0)
	for i, v := range in {
		t, ok := v.(Tracer)
		if !ok {
			continue
		}
		owner := t.Interpreter()
		if !owner.Live() {
			// Resolve may itself return a tracer of an older, live interpreter.
			r := resolve(p, t)
			if i < len(in) {
				in = append([]Value(nil), in...)
				in[i] = r
			}
			if t, ok = r.(Tracer); !ok {
				continue
			}
			owner = t.Interpreter()
		}
		if l := owner.Level(); l > topLevel {
			top, topLevel = owner, l
		}
	}
	s := current()
	if s != nil {
		if s.top != nil && s.top.region.Checks() {
			q, operands, results := Conform(s.top.region, p, in)
			if results != nil {
				return results
			}
			p, in = q, operands
			top, topLevel = youngestOf(in)
		}
		if i := claim(s.top, p, topLevel); i != nil {
			top = i
		}
	}
	if top == nil {
		return bottom().Interpret(p, in)
	}
	if s == nil {
		return top.Interpret(p, in)
	}
	return Below(top, func() []Value { return top.Interpret(p, in) })
}

// youngestOf returns the youngest owner of operands, and its level: nil and 0 if the operands have no owner.
func youngestOf(in []Value) (top Interpreter, level int64) {
	for _, v := range in {
		if t, ok := v.(Tracer); ok {
			if i := t.Interpreter(); i.Level() > level {
				top, level = i, i.Level()
			}
		}
	}
	return top, level
}

// claim returns the youngest interpreter on the stack that takes p although it owns no operand,
// if it is younger than level.
func claim(top *entry, p Primitive, level int64) Interpreter {
	if top == nil || top.i.Level() <= level {
		return nil
	}
	closureful := IsClosureful(p)
	var named, asked bool // whether p names axes, and whether that is known
	for e := top; e != nil; e = e.outer {
		x := e.i
		if x.Level() <= level {
			return nil
		}
		if closureful {
			return x
		}
		if r, ok := x.(Recorder); ok && r.Records() {
			return x
		}
		b, ok := x.(AxisBinder)
		if ok && !asked {
			named, asked = NamesAxes(p), true
		}
		if ok && named {
			for name := range AxisNamesOf(p) {
				if _, ok := b.BindsAxis(name); ok {
					return x
				}
			}
		}
	}
	return nil
}

func resolve(p Primitive, t Tracer) Value {
	defer func() {
		if r := recover(); r != nil {
			if e, ok := r.(*Error); ok && e.Op == "" {
				e.Op = p.Name()
			}
			panic(r)
		}
	}()
	return Resolve(t)
}

// Resolve returns the value that a tracer of a finished interpreter has become, and a tracer of a
// live interpreter itself. It panics if there is no such value.
func Resolve(t Tracer) Value {
	for !t.Interpreter().Live() {
		r, ok := t.(Resolver)
		if !ok {
			FailOp(ErrEscaped, "", []ShapedArray{t.Aval()}, "a traced value %s was used after the transformation that made it had ended; return it as a result instead", t.Aval().Full())
		}
		v, err := r.Resolve()
		if err != nil {
			panic(err)
		}
		if t, ok = v.(Tracer); !ok {
			return v
		}
	}
	return t
}

// A Reviver is a tracer that can be used again after its interpreter has ended: a rule that runs
// later may close over values computed from it.
type Reviver interface {
	Tracer
	// Revive returns the value with an interpreter that lives until end is called.
	Revive() (live Value, end func())
}

// Revive returns v itself or, if v is a Reviver whose interpreter has ended, a value that lives
// until end is called.
func Revive(v Value) (live Value, end func()) {
	if r, ok := v.(Reviver); ok && !r.Interpreter().Live() {
		return r.Revive()
	}
	return v, func() {}
}

// Bind1 is [Bind] for a primitive with one result.
//
//go:noinline // keeps programs small
func Bind1(p Primitive, in ...Value) Value { return Bind(p, in...)[0] }
