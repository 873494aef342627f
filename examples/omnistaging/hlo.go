package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/jaxpr"
)

// hlo returns a program in the words of XLA's HLO, for the operations of this example.
func hlo(name string, j *weft.IR) string {
	p := printer{names: map[*jaxpr.Var]string{}}
	for i, v := range j.Consts {
		value := "{...}"
		if v.Type.Rank() == 0 {
			value = weft.FromValue(j.ConstVals[i]).String()
		}
		p.names[v] = p.line("constant", v.Type, value, "")
	}
	for i, v := range j.Ins {
		p.names[v] = p.line("parameter", v.Type, fmt.Sprint(i), "")
	}
	for _, e := range j.Eqns {
		p.names[e.Outs[0]] = p.equation(e)
	}
	outs, types := make([]string, len(j.Outs)), make([]string, len(j.Outs))
	for i, a := range j.Outs {
		outs[i], types[i] = p.operand(a), hloType(a.Aval())
	}
	fmt.Fprintf(&p.b, "  ROOT tuple.%d = (%s) tuple(%s)\n", p.n+1, strings.Join(types, ", "), strings.Join(outs, ", "))
	return fmt.Sprintf("ENTRY %s.%d {\n%s}\n", name, p.n+2, p.b.String())
}

// printer writes instructions, numbered, and records which one made each variable.
type printer struct {
	b     strings.Builder
	n     int
	names map[*jaxpr.Var]string
}

func (p *printer) line(op string, t weft.Type, args, attributes string) string {
	p.n++
	id := fmt.Sprintf("%s.%d", op, p.n)
	fmt.Fprintf(&p.b, "  %s = %s %s(%s)%s\n", id, hloType(t), op, args, attributes)
	return id
}

// operand returns the instruction that made a. Every literal is an instruction of its own.
func (p *printer) operand(a jaxpr.Atom) string {
	if v, ok := a.(*jaxpr.Var); ok {
		return p.names[v]
	}
	return p.line("constant", a.Aval(), weft.FromValue(a).String(), "")
}

// spread returns the instruction for a in the shape of t: in HLO operands have one shape.
// Axes of size 1 are taken out and put in again at their new size.
func (p *printer) spread(a jaxpr.Atom, t weft.Type) string {
	from, id := a.Aval(), p.operand(a)
	if from.Shape == t.Shape {
		return id
	}
	var sizes, places []int
	for k, n := range from.Shape.Ints() {
		if n == t.Shape.At(k) {
			sizes, places = append(sizes, n), append(places, k)
		}
	}
	small := from.WithShape(weft.Zeros(sizes...).Value().Aval().Shape)
	id = p.line("reshape", small, id, "")
	return p.line("broadcast", from.WithShape(t.Shape), id, ", dimensions={"+joined(places)+"}")
}

func (p *printer) equation(e *jaxpr.Eqn) string {
	t := e.Outs[0].Type
	all := func() string { // all operands, in one shape
		ins := make([]string, len(e.Ins))
		for i, a := range e.Ins {
			ins[i] = p.spread(a, t)
		}
		if e.Prim.Name() == "select_n" { // which counts its cases from false
			slices.Reverse(ins[1:])
		}
		return strings.Join(ins, ", ")
	}
	switch op := e.Prim.Name(); op {
	case "add":
		return p.line("add", t, all(), "")
	case "mul":
		return p.line("multiply", t, all(), "")
	case "gt":
		return p.line("compare", t, all(), ", direction=GT")
	case "iota":
		return p.line("iota", t, "", ", iota_dimension="+parameter(e, "dimension"))
	case "reshape":
		return p.line("reshape", t, p.operand(e.Ins[0]), "")
	case "broadcast_in_dim":
		return p.line("broadcast", t, p.operand(e.Ins[0]), ", dimensions={"+strings.Trim(parameter(e, "broadcast_dimensions"), "(),")+"}")
	case "select_n":
		return p.line("select", t, all(), "")
	default:
		return p.line("custom-call", t, all(), fmt.Sprintf(", custom_call_target=%q", op))
	}
}

// parameter returns a parameter of an equation, as text; "" if it has its default value.
func parameter(e *jaxpr.Eqn, name string) string {
	v, ok := jaxpr.Parameter(e.Prim, name)
	if !ok {
		return ""
	}
	return fmt.Sprint(v)
}

func joined(ns []int) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(ns), "[]"), " ", ",")
}

// hloType returns a type in HLO's notation: s32[3,4].
func hloType(t weft.Type) string {
	d := t.DType.Long()
	switch {
	case t.DType == weft.Bool:
		d = "pred"
	case strings.HasPrefix(d, "int"):
		d = "s" + d[3:]
	case strings.HasPrefix(d, "uint"):
		d = "u" + d[4:]
	case strings.HasPrefix(d, "float"):
		d = "f" + d[5:]
	}
	return d + "[" + joined(t.Shape.Ints()) + "]"
}
