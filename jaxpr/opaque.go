package jaxpr

import (
	"iter"
	"strings"

	"github.com/weft-go/weft/core"
)

// Opaque is a primitive of a text that the vocabulary does not have, or whose use there Weft does
// not support. It prints as it was read, and Check accepts it; evaluation and transformations
// refuse it with an error that names it. What it does is unknown, so it counts as having effects.
type Opaque struct {
	Op       string
	Shown    []ParsedParam
	OutAvals []core.ShapedArray
	Why      string // what about it is not supported
	Unknown  bool   // the vocabulary does not have it
}

func (p *Opaque) Name() string { return p.Op }

// Abstract returns the types that the text declared.
func (p *Opaque) Abstract(in []core.ShapedArray) []core.ShapedArray { return p.OutAvals }

func (p *Opaque) Params() []core.Param {
	ps := make([]core.Param, len(p.Shown))
	for i, q := range p.Shown {
		ps[i] = core.Param{Key: q.Key, Value: q.value()}
	}
	return ps
}

func (p ParsedParam) value() any {
	switch {
	case p.Around != nil:
		return p.Text
	case p.Tuple:
		return p.Jaxpr
	case p.Jaxpr != nil:
		return p.Jaxpr[0]
	}
	return p.Text
}

// Programs returns the programs among the parameters.
func (p *Opaque) Programs() []*Jaxpr {
	var js []*Jaxpr
	for _, q := range p.Shown {
		for _, j := range q.Jaxpr {
			js = append(js, optional(j)...)
		}
	}
	return js
}

// Effects returns EffectIO, as nothing is known of the operation, together with the effects of its programs.
func (p *Opaque) Effects() core.Effect {
	e := core.EffectIO
	for _, j := range p.Programs() {
		e |= j.Effects()
	}
	return e
}

func (p *Opaque) AxisNames() iter.Seq[string] { return axisNames(p.Programs()...) }

func (p *Opaque) outside() string { return p.Why }

// RefOp reads or writes a mutable reference, which has a notation of its own:
//
//	b:f32[] <- a[0]         get
//	a[0] <- b               swap whose result is dropped
//	c:f32[], a[0] <- a[0], b   swap
//	a[0] += b               addupdate
//
// References exist in text only; package transforms/discharge makes values of them. Operands are
// the reference, the written value if there is one, and the variables of the index.
type RefOp struct {
	Op       string   // get, swap or addupdate
	Index    []string // pieces of the index; "" stands for the next variable
	OutAvals []core.ShapedArray
}

func (p *RefOp) Name() string { return p.Op }

// Abstract returns the types that the text declared.
func (p *RefOp) Abstract(in []core.ShapedArray) []core.ShapedArray { return p.OutAvals }

func (p *RefOp) Effects() core.Effect { return core.EffectRef }

func (p *RefOp) outside() string {
	return "its mutable reference is in the way; package transforms/discharge makes a program without them"
}

// refEqn returns the notation of an equation on a reference.
func (f *frame) refEqn(r *RefOp, e *Eqn) *doc {
	vars := e.Ins[1:]
	if r.Op != "get" {
		vars = vars[1:]
	}
	ds := []*doc{f.atom(e.Ins[0]), text("[")}
	for _, s := range r.Index {
		if s != "" {
			ds = append(ds, text(s))
			continue
		}
		ds = append(ds, f.atom(vars[0]))
		vars = vars[1:]
	}
	ref := cat(append(ds, text("]"))...)
	switch {
	case r.Op == "addupdate":
		return cat(ref, text(" += "), f.atom(e.Ins[1]))
	case r.Op == "get":
		return cat(f.binders(e.Outs), text(" <- "), ref)
	case len(e.Outs) == 0:
		return cat(ref, text(" <- "), f.atom(e.Ins[1]))
	}
	return cat(f.binders(e.Outs), text(", "), ref, text(" <- "), ref, text(", "), f.atom(e.Ins[1]))
}

type outsider interface{ outside() string }

// Outside reports whether a primitive exists in text only, so that it cannot be evaluated or
// transformed, and why.
func Outside(p core.Primitive) (why string, outside bool) {
	o, ok := p.(outsider)
	if !ok {
		return "", false
	}
	return o.outside(), true
}

func effectText(e core.Effect) string {
	var names []string
	for _, x := range []struct {
		e core.Effect
		s string
	}{{core.EffectDebug, "Debug"}, {core.EffectIO, "IO"}, {core.EffectOrderedIO, "OrderedIO"}, {core.EffectRef, "Ref"}} {
		if e&x.e != 0 {
			names = append(names, x.s)
		}
	}
	return strings.Join(names, ", ")
}
