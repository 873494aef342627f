package rng

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
)

// A sketch is an interpreter that writes operations into a program: expansions make the bodies of
// their loops with it.
type sketch struct {
	b     *jaxpr.Builder
	level int64
	ended bool
}

// sketched is an input of a sketch's program, or the result of an operation that it has written.
type sketched struct {
	*jaxpr.Var
	s *sketch
}

func (v sketched) Interpreter() core.Interpreter { return v.s }

func (s *sketch) Level() int64 { return s.level }

func (s *sketch) Live() bool { return !s.ended }

func (s *sketch) Records() bool { return true }

func (s *sketch) Interpret(p core.Primitive, in []core.Value) []core.Value {
	outs := s.b.Eqn(p, s.atoms(in)...)
	vs := make([]core.Value, len(outs))
	for i, v := range outs {
		vs[i] = sketched{v, s}
	}
	return vs
}

func (s *sketch) atoms(in []core.Value) []jaxpr.Atom {
	atoms := make([]jaxpr.Atom, len(in))
	for i, v := range in {
		switch v := v.(type) {
		case sketched:
			atoms[i] = v.Var
		case core.Literal:
			atoms[i] = v
		default:
			panic("BUG: the body of an expansion's loop refers to a value outside of it")
		}
	}
	return atoms
}

// programFor returns the program of f on operands of the given types. f may refer only to
// its operands and to literals.
func programFor(in []core.ShapedArray, f func(in []core.Value) []core.Value) *jaxpr.Jaxpr {
	s := &sketch{b: jaxpr.NewBuilder(), level: core.NextLevel()}
	defer func() { s.ended = true }()
	defer core.Enter(s)()
	vs := make([]core.Value, len(in))
	for i, a := range in {
		vs[i] = sketched{s.b.Input(a), s}
	}
	return s.b.Build(s.atoms(f(vs))...)
}
