package trace

import (
	"fmt"
	"sync/atomic"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
)

// Tracer is a variable of a program that is being recorded.
type Tracer struct {
	rec   *Recorder
	v     *jaxpr.Var
	eqn   *jaxpr.Eqn // that bound it; nil for arguments and constants
	k     *knowledge // nil if the value is not known
	index int        // among the results of eqn
	box   core.Value // the tracer itself: see Box
}

func newTracer(t Tracer) *Tracer {
	t.box = &t
	return &t
}

// newArgument returns a tracer of a variable that no equation binds.
func newArgument(r *Recorder, a core.ShapedArray) *Tracer {
	x := &struct {
		t Tracer
		v jaxpr.Var
	}{v: jaxpr.MakeVar(a)}
	x.t = Tracer{rec: r, v: &x.v, box: &x.t}
	return &x.t
}

// Box returns the address of the tracer as a Value, without an allocation. The value there never
// changes.
func (t *Tracer) Box() *core.Value { return &t.box }

// knowledge is what can be known of an equation's results without an argument:
// how to compute them.
type knowledge struct {
	given core.Value // of a hoisted constant: the value itself
	prim  core.Primitive
	in    []core.Value
	pure  bool // no tracer of another interpreter is behind it
	drawn bool // a key of random numbers is behind it
	outs  atomic.Pointer[[]core.Value]
}

// Aval returns the type of the variable.
func (t *Tracer) Aval() core.ShapedArray { return t.v.Type }

// Interpreter returns the recorder, as core.Bind asks for it.
func (t *Tracer) Interpreter() core.Interpreter { return t.rec }

// Recorder returns the recorder, as its own type.
func (t *Tracer) Recorder() *Recorder { return t.rec }

// Var returns the variable.
func (t *Tracer) Var() *jaxpr.Var { return t.v }

// Equation returns the equation that bound the variable, nil for an argument or a
// constant.
func (t *Tracer) Equation() *jaxpr.Eqn { return t.eqn }

// String returns what fmt prints of a traced value.
func (t *Tracer) String() string { return "Traced<" + t.v.Type.Full() + ">" }

// Lookable is a tracer of an interpreter that lets people look at its values.
type Lookable interface {
	core.Tracer
	// Known reports whether the value can be computed already, without arguments of a trace.
	Known() bool
	// Look evaluates the value.
	Look() (core.Value, error)
}

// Known reports whether v can be looked at.
func Known(v core.Value) bool {
	switch x := v.(type) {
	case Lookable:
		return x.Known()
	case core.Tracer:
		return false
	}
	return true
}

// mapped is a tracer that has a value for each element of a batch.
type mapped interface {
	core.Tracer
	Mapped() bool
}

// IsMapped reports whether v cannot be looked at because it is mapped.
func IsMapped(v core.Value) bool {
	for {
		if m, ok := v.(mapped); ok && m.Mapped() {
			return true
		}
		l, ok := v.(Lookable)
		if !ok {
			return false
		}
		var err error
		if v, err = l.Look(); err != nil {
			return false
		}
	}
}

// Look returns the concrete value or literal behind v. A value that depends on an argument of a
// trace has none: the error tells where it comes from.
func Look(v core.Value) (core.Value, error) {
	for {
		t, ok := v.(core.Tracer)
		if !ok {
			return v, nil
		}
		l, ok := v.(Lookable)
		if m, mapped := v.(mapped); mapped && m.Mapped() {
			return nil, &core.Error{Kind: core.ErrConcrete, Pos: core.HerePos(), Avals: []core.ShapedArray{t.Aval()},
				Msg: fmt.Sprintf("the value of a %s is not known here: it is mapped by Vmap, and each element of the batch has its own; use Where or Cond instead of a Go if, or loop over the elements outside of Vmap", t.Aval().Full())}
		}
		if !ok {
			return nil, &core.Error{Kind: core.ErrConcrete, Pos: core.HerePos(), Avals: []core.ShapedArray{t.Aval()},
				Msg: fmt.Sprintf("the value of a traced %s is not known here; use Where or Cond instead of a Go if, or pass it as a static argument", t.Aval().Full())}
		}
		var err error
		if v, err = l.Look(); err != nil {
			return nil, err
		}
	}
}

// Known reports whether Look can evaluate the value: it depends on no unknown argument of the trace,
// no effect and no named axis.
func (t *Tracer) Known() bool { return t.k != nil }

// Look evaluates the equations that t's value depends on, and stores every value on the way. No
// program changes.
func (t *Tracer) Look() (core.Value, error) {
	if t.k == nil && !t.rec.Live() {
		v, err := t.Resolve()
		if err != nil {
			return nil, err
		}
		return Look(v)
	}
	if t.k == nil {
		return nil, &core.Error{Kind: core.ErrConcrete, Pos: core.HerePos(), Avals: []core.ShapedArray{t.Aval()}, Msg: t.provenance()}
	}
	return t.k.look(t.index)
}

// provenance returns why the value is unknown and what to do.
func (t *Tracer) provenance() string {
	what := fmt.Sprintf("the value of a traced %s is not known while %s is traced", t.Aval().Full(), t.rec.describe())
	if t.eqn == nil {
		for i, in := range t.rec.ins {
			if in == t {
				what += fmt.Sprintf(": it is argument %d", i)
			}
		}
	} else {
		what += ": it comes from " + t.eqn.Prim.Name()
		if p := t.eqn.Site.String(); p != "" {
			what += " at " + p
		}
		if core.EffectsOf(t.eqn.Prim) == 0 && !core.NamesAxes(t.eqn.Prim) {
			what += ", which depends on an argument"
		}
	}
	return what + "; use Where, Cond or While instead of Go's if and for, or pass it as a static argument"
}

func (r *Recorder) describe() string {
	s := r.name
	if s == "" {
		s = "the function"
	}
	if p := r.site.String(); p != "" {
		s += " (traced at " + p + ")"
	}
	return s
}

// look evaluates without recursion: a value may depend on a chain of a million equations.
func (k *knowledge) look(index int) (core.Value, error) {
	todo := []*knowledge{k}
	for len(todo) > 0 {
		top := todo[len(todo)-1]
		if top.outs.Load() != nil {
			todo = todo[:len(todo)-1]
			continue
		}
		if top.given != nil {
			if next := pending(top.given); next != nil {
				todo = append(todo, next)
				continue
			}
			v, err := Look(top.given)
			if err != nil {
				return nil, err
			}
			top.outs.Store(&[]core.Value{v})
			continue
		}
		ready := true
		for _, v := range top.in {
			if next := pending(v); next != nil {
				todo = append(todo, next)
				ready = false
			}
		}
		if !ready {
			continue
		}
		in := make([]core.Value, len(top.in))
		for i, v := range top.in {
			var err error
			if in[i], err = Look(v); err != nil {
				return nil, err
			}
		}
		outs := core.Suspended(func() []core.Value { return core.Bind(top.prim, in...) })
		top.outs.CompareAndSwap(nil, &outs)
		todo = todo[:len(todo)-1]
	}
	return (*k.outs.Load())[index], nil
}

// pending returns the knowledge behind v, nil if there is none or it was evaluated.
func pending(v core.Value) *knowledge {
	if t, ok := v.(*Tracer); ok && t.k != nil && t.k.outs.Load() == nil {
		return t.k
	}
	return nil
}

// Resolve returns the value of a tracer of a finished trace. A known tracer has one; if it was
// computed from tracers of older interpreters, its equations are applied to them again. An unknown
// tracer has a value while its program is evaluated: see [jaxpr.Recall].
func (t *Tracer) Resolve() (core.Value, error) {
	if t.k == nil {
		if v, ok := jaxpr.Recall(t.v); ok {
			return v, nil
		}
		return nil, &core.Error{Kind: core.ErrEscaped, Pos: core.HerePos(), Avals: []core.ShapedArray{t.Aval()}, Msg: t.escape()}
	}
	if f := Explain.Load(); f != nil {
		(*f)("a traced value " + t.Aval().Full() + " of " + t.rec.describe() + " outlives its trace; it depends on no argument, so its value is used")
	}
	if t.k.pure {
		return t.Look()
	}
	return t.k.replay(t.index)
}

// replay applies the equations that the result depends on again, to the tracers that they were
// applied to: those are live or are revived.
func (k *knowledge) replay(index int) (core.Value, error) {
	done := map[*knowledge][]core.Value{}
	todo := []*knowledge{k}
	for len(todo) > 0 {
		top := todo[len(todo)-1]
		if done[top] != nil {
			todo = todo[:len(todo)-1]
			continue
		}
		if top.given != nil {
			given, end := core.Revive(top.given)
			defer end()
			done[top] = []core.Value{given}
			continue
		}
		in := make([]core.Value, len(top.in))
		ready := true
		for i, v := range top.in {
			t, ok := v.(*Tracer)
			if !ok || t.rec.Live() || t.k == nil {
				var end func()
				in[i], end = core.Revive(v)
				defer end()
				continue
			}
			if d := done[t.k]; d != nil {
				in[i] = d[t.index]
			} else {
				todo = append(todo, t.k)
				ready = false
			}
		}
		if ready {
			done[top] = core.Suspended(func() []core.Value { return core.Bind(top.prim, in...) })
		}
	}
	return done[k][index], nil
}

func (t *Tracer) escape() string {
	s := fmt.Sprintf("a traced value %s of %s was used after the trace had ended", t.Aval().Full(), t.rec.describe())
	if t.eqn != nil {
		s += "; it comes from " + t.eqn.Prim.Name()
		if p := t.eqn.Site.String(); p != "" {
			s += " at " + p
		}
	}
	return s + "; return it as a result instead of storing it outside"
}
