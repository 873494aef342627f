package jaxpr_test

import (
	"math"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
)

// A vocabulary of three operations on f32, and what they do to numbers.

var f32 = core.Aval(core.Float32)

type toyP struct {
	name  string
	arity int
	eff   core.Effect
}

var (
	addP  = toyP{"add", 2, 0}
	sinP  = toyP{"sin", 1, 0}
	sayP  = toyP{"say", 1, core.EffectIO}
	toyVo = jaxpr.Vocabulary{}
)

func init() {
	for _, p := range []toyP{addP, sinP, sayP} {
		toyVo[p.name] = func(*jaxpr.ParamReader) core.Primitive { return p }
	}
}

func (p toyP) Name() string         { return p.name }
func (p toyP) Effects() core.Effect { return p.eff }

func (p toyP) Abstract(in []core.ShapedArray) []core.ShapedArray {
	if len(in) != p.arity {
		core.Failf(core.ErrCheck, "takes %d operands, got %d", p.arity, len(in))
	}
	out := in[0]
	for _, a := range in[1:] {
		if !a.SameType(out) {
			core.Failf(core.ErrShape, "operands must agree, got %v and %v", out, a)
		}
		out.Weak = out.Weak && a.Weak
	}
	return []core.ShapedArray{out}
}

// num is a concrete scalar.
type num float64

func (num) Aval() core.ShapedArray { return f32 }

// toyBottom evaluates, and records in which order.
type toyBottom struct{ ran []string }

func (*toyBottom) Level() int64 { return 0 }
func (*toyBottom) Live() bool   { return true }

func (b *toyBottom) Interpret(p core.Primitive, in []core.Value) []core.Value {
	b.ran = append(b.ran, p.Name())
	x := make([]float64, len(in))
	for i, v := range in {
		switch v := v.(type) {
		case num:
			x[i] = float64(v)
		case core.Literal:
			x[i] = v.Num.Float()
		}
	}
	switch p := p.(type) {
	case *jaxpr.Jit:
		return jaxpr.Eval(p.Jaxpr, nil, in)
	case toyP:
		switch p {
		case addP:
			return []core.Value{num(x[0] + x[1])}
		case sinP:
			return []core.Value{num(math.Sin(x[0]))}
		case sayP:
			return []core.Value{in[0]}
		}
	}
	panic("no numbers for " + p.Name())
}

// withToys runs f with the toys at the bottom.
func withToys(t testing.TB, f func(*toyBottom)) {
	t.Helper()
	old := core.Bottom
	defer func() { core.Bottom = old }()
	b := &toyBottom{}
	core.Bottom = b
	f(b)
}

// parse reads a program of toys that checks.
func parse(t testing.TB, text string) *jaxpr.Jaxpr {
	t.Helper()
	j, err := jaxpr.Parse(text, toyVo)
	if err != nil {
		t.Fatal(err)
	}
	if err := jaxpr.Check(j); err != nil {
		t.Fatal(err)
	}
	return j
}
