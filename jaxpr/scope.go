package jaxpr

import (
	"slices"

	"github.com/weft-go/weft/core"
)

// The rules of a custom call are Go functions. They run when the call is
// differentiated or batched, which is when the program that contains the call is
// evaluated: long after the trace that recorded it. What a rule closes over of that
// trace is a variable of the program, and so has a value: the equations behind it,
// applied to the operands of the program.
//
// Each goroutine therefore records the evaluations that are going on, as a list of
// frames. It does so for programs with such rules only. A primitive that is recorded, so
// that its rules run later, takes the frames within its trace along: see [Enclosed].

// A Frame is an evaluation of a program, which assigns values to its variables.
type Frame struct {
	j            *Jaxpr
	consts, args []core.Value
	lookup       func(v *Var) (core.Value, bool) // of a program that runs in each step of a loop
}

// NewFrame returns the evaluation of j at args. Elements of args may be nil: those
// variables have no value.
func NewFrame(j *Jaxpr, args []core.Value) *Frame {
	return &Frame{j: j, consts: j.ConstVals, args: args}
}

// NewStepFrame returns the evaluation of a program that every step of a loop runs. The value of a
// variable differs from step to step: lookup returns what is used in its place.
func NewStepFrame(j *Jaxpr, lookup func(v *Var) (core.Value, bool)) *Frame {
	return &Frame{j: j, lookup: lookup}
}

// evaluation is an element of the list of the evaluations of a goroutine, innermost first. An
// element without a frame is a fence: see [Fenced].
type evaluation struct {
	frame   *Frame
	env     map[*Var]core.Value // constants, inputs, and what was computed so far
	crossed bool                // of a fence: something outside was read
	outer   *evaluation
}

func currentEvaluation() *evaluation {
	s, _ := core.Scope().(*evaluation)
	return s
}

// Within runs f within the evaluations that the frames describe, the last one
// innermost.
func Within(frames []*Frame, f func()) {
	s := currentEvaluation()
	for _, fr := range frames {
		s = &evaluation{frame: fr, outer: s}
	}
	core.WithScope(s, f)
}

// Fenced runs f and reports whether it read a variable of an evaluation that was going
// on before: then what f makes holds for that evaluation only.
func Fenced(f func()) (crossed bool) {
	outer := currentEvaluation()
	if outer == nil {
		f()
		return false
	}
	s := &evaluation{outer: outer}
	core.WithScope(s, f)
	return s.crossed
}

// frames returns the evaluations that are going on within the innermost fence, each
// once, the innermost one last.
func frames() []*Frame {
	var fs []*Frame
	for s := currentEvaluation(); s != nil && s.frame != nil; s = s.outer {
		if !slices.Contains(fs, s.frame) {
			fs = append(fs, s.frame)
		}
	}
	slices.Reverse(fs)
	return fs
}

// Enclosed is embedded in primitives that carry Go functions, themselves or in their programs. It
// contains the evaluations within which the primitive was recorded, which assign values to what
// the functions close over. [WithinThoseOf] runs the functions within them.
type Enclosed struct{ frames []*Frame }

func (e *Enclosed) enclosing() []*Frame { return e.frames }

// EnclosedBy returns an Enclosed that contains the given evaluations, the innermost one last.
func EnclosedBy(fs ...*Frame) Enclosed { return Enclosed{fs} }

func (e *Enclosed) enclose(fs []*Frame) { e.frames = append(fs, e.frames...) }

// Enclose returns p with the evaluations that are going on within the innermost fence.
// Primitives without Go functions, and those without a field Enclosed, stay as they are.
func Enclose(p core.Primitive) core.Primitive {
	if currentEvaluation() == nil || !core.IsClosureful(p) {
		return p
	}
	fs := frames()
	if len(fs) == 0 {
		return p
	}
	var q interface {
		core.Primitive
		enclose([]*Frame)
	}
	switch p := p.(type) {
	case *Jit:
		c := *p
		q = &c
	case *CoreCall:
		c := *p
		q = &c
	case *Cond:
		c := *p
		q = &c
	case *While:
		c := *p
		q = &c
	case *Scan:
		c := *p
		q = &c
	case *Remat:
		c := *p
		q = &c
	case *ShardMap:
		c := *p
		q = &c
	case *CustomJVP:
		c := *p
		q = &c
	case *CustomVJP:
		c := *p
		q = &c
	case *CustomLin:
		c := *p
		q = &c
	case *CustomVmap:
		c := *p
		q = &c
	default:
		return p
	}
	q.enclose(fs)
	return q
}

// WithinThoseOf runs f within the evaluations around p.
func WithinThoseOf(p core.Primitive, f func()) {
	if e, ok := p.(interface{ enclosing() []*Frame }); ok {
		if fs := e.enclosing(); len(fs) > 0 {
			Within(fs, f)
			return
		}
	}
	f()
}

// Recall returns the value of a variable of a program that is being evaluated on this
// goroutine. ok is false for variables of other programs, and if the value cannot be computed
// again, as behind an effect.
func Recall(v *Var) (value core.Value, ok bool) {
	var fences []*evaluation
	for s := currentEvaluation(); s != nil; s = s.outer {
		if s.frame == nil {
			fences = append(fences, s)
			continue
		}
		at, bound := s.frame.j.binder(v)
		if !bound {
			continue
		}
		if value, ok = s.value(v, at); ok {
			for _, f := range fences {
				f.crossed = true
			}
			return value, true
		}
	}
	return nil, false
}

type bindersKey struct{}

// binder returns the number of the equation of j that binds v, −1 for constants and inputs; ok is false for variables of other programs.
func (j *Jaxpr) binder(v *Var) (eqn int, ok bool) {
	at := j.Memo(bindersKey{}, func() any {
		at := make(map[*Var]int, len(j.Ins)+len(j.Eqns))
		for _, v := range j.Consts {
			at[v] = -1
		}
		for _, v := range j.Ins {
			at[v] = -1
		}
		for i, e := range j.Eqns {
			for _, v := range e.Outs {
				at[v] = i
			}
		}
		return at
	}).(map[*Var]int)
	eqn, ok = at[v]
	return eqn, ok
}

// known returns the value of v in env, if it can still be used.
func (s *evaluation) known(v *Var) (core.Value, bool) {
	x, ok := s.env[v]
	if t, traced := x.(core.Tracer); traced && !t.Interpreter().Live() {
		// Inputs stay valid; a computed value belongs to a trace that has ended.
		_, computed := s.computed(v)
		return x, ok && !computed
	}
	return x, ok
}

func (s *evaluation) computed(v *Var) (eqn int, ok bool) {
	eqn, _ = s.frame.j.binder(v)
	return eqn, eqn >= 0
}

// value returns the value of v, by evaluating the equations that it depends on. The number of the
// equation that binds v is at, −1 for a constant or an input. ok is false if v has no value.
func (s *evaluation) value(v *Var, at int) (core.Value, bool) {
	f := s.frame
	if f.lookup != nil {
		return f.lookup(v)
	}
	if s.env == nil {
		s.env = map[*Var]core.Value{}
		for i, c := range f.j.Consts {
			if i < len(f.consts) && f.consts[i] != nil {
				s.env[c] = f.consts[i]
			}
		}
		for i, in := range f.j.Ins {
			if f.args[i] != nil {
				s.env[in] = f.args[i]
			}
		}
	}
	if x, ok := s.known(v); ok {
		return x, true
	}
	need := map[*Var]bool{v: true}
	var todo []*Eqn
	for i := at; i >= 0; i-- {
		e := f.j.Eqns[i]
		if !slices.ContainsFunc(e.Outs, func(v *Var) bool { return need[v] }) {
			continue
		}
		if core.EffectsOf(e.Prim) != 0 {
			return nil, false // the effect would happen twice
		}
		todo = append(todo, e)
		for _, a := range e.Ins {
			if v, ok := a.(*Var); ok && !need[v] {
				if _, ok := s.known(v); ok {
					continue
				}
				if _, ok := s.computed(v); !ok {
					return nil, false
				}
				need[v] = true
			}
		}
	}
	inputs, end := s.revived(todo)
	defer end()
	for _, e := range slices.Backward(todo) {
		in := make([]core.Value, len(e.Ins))
		for k, a := range e.Ins {
			in[k] = a
			if v, ok := a.(*Var); ok {
				if in[k] = inputs[v]; in[k] == nil {
					in[k] = s.env[v]
				}
			}
		}
		for k, x := range core.Bind(e.Prim, in...) {
			s.env[e.Outs[k]] = x
		}
	}
	x, ok := s.env[v]
	return x, ok
}

// revived returns new values of the variables that the equations read but do not compute, where
// the interpreter of the old value has ended. The new values live until end is called.
func (s *evaluation) revived(eqns []*Eqn) (values map[*Var]core.Value, end func()) {
	values = map[*Var]core.Value{}
	var ends []func()
	for _, e := range eqns {
		for _, a := range e.Ins {
			v, ok := a.(*Var)
			if !ok || values[v] != nil || s.env[v] == nil {
				continue
			}
			x, end := core.Revive(s.env[v])
			values[v], ends = x, append(ends, end)
		}
	}
	return values, func() {
		for _, end := range ends {
			end()
		}
	}
}
