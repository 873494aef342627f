package jaxpr

import (
	"iter"
	"slices"
	"sync"

	"github.com/weft-go/weft/core"
)

// Atom is an operand of an equation or a result of a program: a *Var or a
// core.Literal.
type Atom = core.Value

// Eqn applies a primitive to atoms and binds the results.
type Eqn struct {
	Outs []*Var
	Prim core.Primitive
	Ins  []Atom
	Site core.Site // the user's line that wrote it; 0 if unknown
}

// Jaxpr is a program: constants and inputs are bound first, then the equations in
// order. It does not change once it is built.
type Jaxpr struct {
	Consts    []*Var       // the variables of captured values; in text, before the semicolon
	ConstVals []core.Value // the captured values; nil in a program read from text
	Ins       []*Var
	Eqns      []*Eqn
	Outs      []Atom
	InNames   []string // the user's names of the inputs, such as fields of structs; nil if unknown

	mu   sync.Mutex
	memo map[any]any
	eff  effectsMemo
}

type effectsMemo struct {
	once  sync.Once
	eff   core.Effect
	axes  []string
	funcs bool
}

// InAvals returns the types of the inputs, constants excluded.
func (j *Jaxpr) InAvals() []core.ShapedArray {
	core.RequireReceiver("jaxpr.Jaxpr.InAvals", j == nil)
	return varAvals(j.Ins)
}

// OutAvals returns the types of the results.
func (j *Jaxpr) OutAvals() []core.ShapedArray {
	core.RequireReceiver("jaxpr.Jaxpr.OutAvals", j == nil)
	return core.AvalsOf(j.Outs)
}

func varAvals(vs []*Var) []core.ShapedArray {
	out := make([]core.ShapedArray, len(vs))
	for i, v := range vs {
		out[i] = v.Type
	}
	return out
}

func (j *Jaxpr) Effects() core.Effect {
	core.RequireReceiver("jaxpr.Jaxpr.Effects", j == nil)
	j.summarize()
	return j.eff.eff
}

// AxisNames ranges over the axes that equations of j name, each once, in order of first use.
func (j *Jaxpr) AxisNames() iter.Seq[string] { return axisNames(j) }

func (j *Jaxpr) axes() []string {
	core.RequireReceiver("jaxpr.Jaxpr.AxisNames", j == nil)
	j.summarize()
	return j.eff.axes
}

// Closureful reports whether equations of j carry the user's Go functions.
func (j *Jaxpr) Closureful() bool {
	core.RequireReceiver("jaxpr.Jaxpr.Closureful", j == nil)
	j.summarize()
	return j.eff.funcs
}

func (j *Jaxpr) summarize() {
	j.eff.once.Do(func() {
		var seen map[string]bool
		for _, e := range j.Eqns {
			j.eff.eff |= core.EffectsOf(e.Prim)
			j.eff.funcs = j.eff.funcs || core.IsClosureful(e.Prim)
			for n := range core.AxisNamesOf(e.Prim) {
				if seen == nil {
					seen = map[string]bool{}
				}
				if !seen[n] {
					seen[n] = true
					j.eff.axes = append(j.eff.axes, n)
				}
			}
		}
	})
}

// Memo returns the value stored under key. If there is none, it stores and returns the result of
// make. Transformed programs are memoized in the program they came from. make runs without a
// lock: of two concurrent results the first stored wins.
func (j *Jaxpr) Memo(key any, make func() any) any {
	core.RequireReceiver("jaxpr.Jaxpr.Memo", j == nil)
	if make == nil {
		core.FailOp(core.ErrTree, "jaxpr.Jaxpr.Memo", nil, "the function that makes the value is nil; give one")
	}
	j.mu.Lock()
	v, ok := j.memo[key]
	j.mu.Unlock()
	if ok {
		return v
	}
	v = make()
	j.mu.Lock()
	defer j.mu.Unlock()
	if old, ok := j.memo[key]; ok {
		return old
	}
	if j.memo == nil {
		j.memo = map[any]any{}
	}
	j.memo[key] = v
	return v
}

// Memoized returns the value stored under key.
func (j *Jaxpr) Memoized(key any) (v any, ok bool) {
	core.RequireReceiver("jaxpr.Jaxpr.Memoized", j == nil)
	j.mu.Lock()
	defer j.mu.Unlock()
	v, ok = j.memo[key]
	return v, ok
}

// Cached returns the value stored under key or, if there is none, the result of make. It stores that
// result if make read nothing of the evaluations around it and if keep accepts it: keep reports
// whether the result closes over nothing that will end.
func Cached[T any](j *Jaxpr, key any, make func() T, keep func(T) bool) T {
	if v, ok := j.Memoized(key); ok {
		return v.(T)
	}
	var v T
	crossed := Fenced(func() { v = make() })
	if !crossed && keep(v) {
		return j.Memo(key, func() any { return v }).(T)
	}
	return v
}

// Memos returns all stored values, in no order.
func (j *Jaxpr) Memos() []any {
	core.RequireReceiver("jaxpr.Jaxpr.Memos", j == nil)
	j.mu.Lock()
	defer j.mu.Unlock()
	vs := make([]any, 0, len(j.memo))
	for _, v := range j.memo {
		vs = append(vs, v)
	}
	return vs
}

// Programs lists the programs within p, in the order in which its text shows them. It panics with
// *core.Error if one of them is nil.
func Programs(p core.Primitive) []*Jaxpr {
	h, ok := p.(Holder)
	if !ok {
		return nil
	}
	js := h.Programs()
	if slices.Contains(js, nil) {
		core.FailOp(core.ErrCheck, p.Name(), nil, "the primitive lacks a program; set the fields that hold its programs")
	}
	return js
}

// Holder is a primitive that contains programs.
type Holder interface {
	core.Primitive
	Programs() []*Jaxpr
}
