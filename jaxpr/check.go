package jaxpr

import (
	"fmt"
	"slices"
	"strings"

	"github.com/weft-go/weft/core"
)

// Check reports the first mistake in j or a program within it: a variable used before it is
// bound, bound twice, or bound elsewhere (programs are closed); an equation whose types are not
// those that its primitive computes; a primitive that hides effects or axis names of its
// programs. The error names the equation and shows it.
func Check(j *Jaxpr) error {
	c := &checker{top: j, from: map[*Jaxpr]place{j: {}}, queue: []*Jaxpr{j}}
	for len(c.queue) > 0 {
		p := c.queue[0]
		c.queue = c.queue[1:]
		c.at = -1
		if err := core.Catch(func() { c.program(p) }); err != nil {
			return c.locate(p, err.(*core.Error))
		}
	}
	return nil
}

// place is the equation in which a program stands.
type place struct {
	j   *Jaxpr
	eqn int
}

type checker struct {
	top   *Jaxpr
	from  map[*Jaxpr]place
	queue []*Jaxpr
	at    int // equation being checked, -1 before the first, len(Eqns) for the results
	types core.Types
}

func bad(format string, args ...any) {
	panic(&core.Error{Kind: core.ErrCheck, Msg: fmt.Sprintf(format, args...)})
}

func (c *checker) program(j *Jaxpr) {
	bound := NumbersFor(j)
	bind := func(v *Var) {
		if v == nil {
			bad("a binder is nil; make it with NewVar")
		}
		if _, ok := bound.Bind(v); !ok {
			bad("a variable of type %v is bound twice; make a new one", v.Type.Full())
		}
	}
	use := func(what string, i int, a Atom) core.ShapedArray {
		switch a := a.(type) {
		case *Var:
			if _, ok := bound.Of(a); !ok {
				bad("%s %d is a variable that is not bound here; bind it first", what, i)
			}
			return a.Type
		case core.Literal:
			return a.Aval()
		case nil:
			bad("%s %d is nil; pass a variable or a literal", what, i)
		}
		bad("%s %d has the wrong type (got %T); pass a variable or a literal", what, i, a)
		panic("unreachable")
	}
	if j.ConstVals != nil && len(j.ConstVals) != len(j.Consts) {
		bad("it has %s with %s", core.Count(len(j.Consts), "constant"), core.Count(len(j.ConstVals), "value"))
	}
	for i, v := range j.Consts {
		bind(v)
		if j.ConstVals != nil && !j.ConstVals[i].Aval().SameType(v.Type) {
			bad("constant %d and its variable differ in type (got %[3]v, want %[2]v); make them equal", i, v.Type.Full(), j.ConstVals[i].Aval().Full())
		}
	}
	for _, v := range j.Ins {
		bind(v)
	}
	var in []core.ShapedArray
	for i, e := range j.Eqns {
		c.at = i
		if e == nil || e.Prim == nil {
			bad("there is no primitive; set Prim")
		}
		in = in[:0]
		for k, a := range e.Ins {
			in = append(in, use("operand", k, a))
		}
		inner := c.inner(j, i, e.Prim)
		if len(e.Outs) == 1 {
			if t, ok := c.types.Known(e.Prim, in); ok && e.Outs[0] != nil && e.Outs[0].Type == t {
				bind(e.Outs[0])
				continue
			}
		}
		sameVariance(e.Prim, in)
		out := core.AbstractOf(e.Prim, in)
		c.types.Note(e.Prim, in, out)
		if len(out) != len(e.Outs) {
			bad("it returns %s and binds %d; make a variable for each", core.Count(len(out), "result"), len(e.Outs))
		}
		for k, v := range e.Outs {
			bind(v)
			if v.Type == out[k] || inner && v.Type.Fits(out[k]) {
				continue
			}
			bad("result %d is declared %v; of %s it is %v", k, v.Type.Full(), avalList(in), out[k].Full())
		}
	}
	c.at = len(j.Eqns)
	for i, a := range j.Outs {
		use("result", i, a)
	}
}

// sameVariance refuses operands that vary along different axes of a mesh, except in calls, whose
// programs say what they take.
func sameVariance(p core.Primitive, in []core.ShapedArray) {
	of := core.VaryOf(in)
	if of == 0 || core.Calls(p) {
		return
	}
	for i, a := range in {
		if a.Vary != of {
			bad("operand %d is %v, and others vary along %v; apply pvary to it", i, a.Full(), of)
		}
	}
}

// inner checks that p declares the effects and axes of the programs within it, queues these, and reports whether there are any.
func (c *checker) inner(j *Jaxpr, eqn int, p core.Primitive) bool {
	h, ok := p.(Holder)
	if !ok {
		return false
	}
	js := h.Programs()
	eff, named := core.EffectsOf(p), map[string]bool{}
	for n := range core.AxisNamesOf(p) {
		named[n] = true
	}
	for _, s := range js {
		if s == nil {
			bad("a program within it is missing; set it")
		}
		if hidden := s.Effects() &^ eff; hidden != 0 {
			bad("it hides the effects %s of a program within it; declare them", effectText(hidden))
		}
		for n := range s.AxisNames() {
			if m, ok := p.(*ShardMap); named[n] || ok && slices.Contains(m.Manual, n) {
				continue
			}
			bad("it hides that a program within it names the axis %s", n)
		}
		if _, seen := c.from[s]; !seen {
			c.from[s] = place{j, eqn}
			c.queue = append(c.queue, s)
		}
	}
	return len(js) > 0
}

func (c *checker) locate(j *Jaxpr, e *core.Error) error {
	var path []string
	where := func(j *Jaxpr, eqn int) string {
		switch {
		case eqn < 0:
			return "binders"
		case eqn >= len(j.Eqns):
			return "results"
		case j.Eqns[eqn] == nil || j.Eqns[eqn].Prim == nil:
			return fmt.Sprintf("equation %d", eqn)
		}
		return fmt.Sprintf("equation %d (%s)", eqn, j.Eqns[eqn].Prim.Name())
	}
	path = append(path, where(j, c.at))
	for p := j; p != c.top; {
		f := c.from[p]
		path = append(path, where(f.j, f.eqn))
		p = f.j
	}
	msg := strings.Join(path, " within ")
	if c.at >= 0 && c.at < len(j.Eqns) && j.Eqns[c.at] != nil {
		msg += ": " + equationText(c.top, j.Eqns[c.at])
		if pos := j.Eqns[c.at].Site.String(); pos != "" {
			e.Pos = pos
		}
	}
	return &core.Error{Kind: core.ErrCheck, Pos: e.Pos, Avals: e.Avals, Err: kindOnly(e),
		Msg: msg + ": " + strings.TrimPrefix(e.Msg, "BUG: ")}
}

func kindOnly(e *core.Error) error {
	if e.Kind == core.ErrCheck {
		return nil
	}
	return e.Kind
}

// EquationText returns the first line of an equation as the text of the whole program top has it.
// If top is nil or does not hold the equation, variables are named anew.
func EquationText(top *Jaxpr, e *Eqn) string {
	if top != nil {
		if s := equationText(top, e); s != "" {
			return s
		}
	}
	alone := &Jaxpr{Eqns: []*Eqn{e}}
	for _, a := range e.Ins {
		if v, ok := a.(*Var); ok && !slices.Contains(alone.Ins, v) {
			alone.Ins = append(alone.Ins, v)
		}
	}
	for _, v := range e.Outs {
		alone.Outs = append(alone.Outs, v)
	}
	return equationText(alone, e)
}

// equationText returns an equation as the text of the whole program has it, its
// beginning if it is long.
func equationText(top *Jaxpr, e *Eqn) string {
	p := newPrinter(top, Options{})
	p.wanted = e
	s := &textBetween{}
	p.print(s)
	const room = 160
	t := s.b.String()
	line, _, more := strings.Cut(t, "\n")
	if len(line) > room {
		line, more = strings.ToValidUTF8(line[:room], ""), true
	}
	if more {
		line += " …"
	}
	return line
}
