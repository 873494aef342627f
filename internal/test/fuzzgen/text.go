package fuzzgen

import (
	"fmt"
	"strings"

	"github.com/weft-go/weft/core"
)

// String returns the program as text for people.
func (p *Program) String() string {
	var b strings.Builder
	for i, a := range p.Args {
		fmt.Fprintf(&b, "%v = %v\n", p.Main.Params[i], a.Elems)
	}
	p.Main.write(&b, "")
	return b.String()
}

// String returns the variable's name and type.
func (v *Var) String() string { return fmt.Sprintf("v%d:%v", v.ID, v.Type) }

// String returns the variable's name, or the literal.
func (a Arg) String() string {
	switch {
	case a.None():
		return "none"
	case a.Var != nil:
		return fmt.Sprintf("v%d", a.Var.ID)
	}
	s := a.Lit.String()
	if a.Lit.Weak {
		s = "~" + s
	}
	return s
}

func names(vs []*Var) string {
	var s []string
	for _, v := range vs {
		s = append(s, v.String())
	}
	return strings.Join(s, " ")
}

func (fn *Func) write(b *strings.Builder, indent string) {
	fmt.Fprintf(b, "%sf%d(%s)\n", indent, fn.ID, names(fn.Params))
	indent += "  "
	for _, n := range fn.Body {
		fmt.Fprintf(b, "%s%s = %s", indent, names(n.Out), n.Op)
		if n.W != nil && n.Op == "" {
			b.WriteString(n.W.Kind.String())
		}
		for _, l := range [][]int{n.A, n.B, n.C} {
			if l != nil {
				fmt.Fprintf(b, " %v", l)
			}
		}
		if n.N != 0 {
			fmt.Fprintf(b, " n=%d", n.N)
		}
		if n.DType != core.Invalid {
			fmt.Fprintf(b, " %v", n.DType)
		}
		if n.Flag {
			b.WriteString(" flag")
		}
		if n.Name != "" {
			fmt.Fprintf(b, " %q", n.Name)
		}
		fmt.Fprintf(b, " %v", n.In)
		w := n.W
		if w == nil {
			b.WriteString("\n")
			continue
		}
		fmt.Fprint(b, w.details())
		b.WriteString("\n")
		if n.Op == "call" {
			fmt.Fprintf(b, "%s  (f%d)\n", indent, w.Fs[0].ID)
			continue
		}
		for _, g := range w.Fs {
			g.write(b, indent+"  ")
		}
	}
	fmt.Fprintf(b, "%sreturn %v\n", indent, fn.Outs)
}

func (w *Wrap) details() string {
	var b strings.Builder
	if w.Active != nil {
		fmt.Fprintf(&b, " active=%v", w.Active)
	}
	if w.Along != nil {
		fmt.Fprintf(&b, " along=%v mode=%d", w.Along, w.Mode)
	}
	if w.Again != nil {
		fmt.Fprintf(&b, " again=%v", w.Again)
	}
	switch w.Kind {
	case Vmap:
		fmt.Fprintf(&b, " size=%d in=%v out=%v axis=%q mesh=%t", w.Size, w.InAxes, w.OutAxes, w.Axis, w.Mesh)
	case Scan:
		fmt.Fprintf(&b, " length=%d carry=%d reverse=%v", w.Length, w.NumCarry, w.Reverse)
	case ForI:
		fmt.Fprintf(&b, " bounds=%v", w.Bounds)
	case RematPolicy:
		fmt.Fprintf(&b, " policy=%s", w.Policy)
	case CustomVJP:
		fmt.Fprintf(&b, " residuals=%d", w.NumRes)
	}
	if w.OneByOne {
		b.WriteString(" one by one")
	}
	if w.Symbolic {
		b.WriteString(" symbolic zeros")
	}
	return b.String()
}
