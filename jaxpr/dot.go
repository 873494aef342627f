package jaxpr

import (
	"fmt"
	"strings"

	"github.com/weft-go/weft/core"
)

// DOT returns the program as a graph for Graphviz: a node for each equation, an edge for each
// operand that is a variable, labelled with its type. Programs within equations are clusters, each drawn once, with
// a dashed edge from every equation that contains it.
func (j *Jaxpr) DOT() string {
	core.RequireReceiver("jaxpr.Jaxpr.DOT", j == nil)
	d := &dotter{cluster: map[*Jaxpr]int{j: 0}, order: []*Jaxpr{j}, names: newPrinter(j, Options{})}
	d.names.print(nowhere{}) // names variables as the text does
	d.line("digraph jaxpr {")
	d.line("  compound=true; rankdir=TB; fontname=monospace;")
	d.line("  node [fontname=monospace fontsize=10 shape=box style=rounded]; edge [fontname=monospace fontsize=8];")
	for n := 0; n < len(d.order); n++ {
		d.program(n, d.order[n])
	}
	for _, s := range d.holds {
		d.line(s)
	}
	d.line("}")
	return d.b.String()
}

type dotter struct {
	b       strings.Builder
	cluster map[*Jaxpr]int
	order   []*Jaxpr
	holds   []string
	names   *printer
}

func (d *dotter) line(s string) {
	d.b.WriteString(s)
	d.b.WriteByte('\n')
}

func (d *dotter) program(n int, j *Jaxpr) {
	indent := "  "
	if n > 0 {
		d.line(fmt.Sprintf("  subgraph cluster_%d {", n))
		if s := d.names.shared[j]; s != "" {
			d.line("    label=" + dotQuote(s) + ";")
		}
		indent = "    "
	}
	from := map[*Var]string{}
	// A node for edges to point at, even in an empty program.
	d.line(fmt.Sprintf("%sp%d [shape=point style=invis];", indent, n))
	for i, vs := range [][]*Var{j.Consts, j.Ins} {
		for k, v := range vs {
			id := fmt.Sprintf("p%d_%s%d", n, [...]string{"const", "in"}[i], k)
			from[v] = id
			d.line(fmt.Sprintf("%s%s [shape=ellipse label=%s];", indent, id, dotQuote(d.names.frame(j).name(v)+":"+v.Type.Full())))
		}
	}
	edges := func(as []Atom, id string) {
		for _, a := range as {
			if v, ok := a.(*Var); ok {
				d.line(fmt.Sprintf("%s%s -> %s [label=%s];", indent, from[v], id, dotQuote(v.Type.Full())))
			}
		}
	}
	for i, e := range j.Eqns {
		id := fmt.Sprintf("p%d_e%d", n, i)
		d.line(fmt.Sprintf("%s%s [label=%s];", indent, id, dotQuote(d.label(j, e))))
		edges(e.Ins, id)
		for _, v := range e.Outs {
			from[v] = id
		}
		for _, s := range Programs(e.Prim) {
			c, ok := d.cluster[s]
			if !ok {
				c = len(d.order)
				d.cluster[s] = c
				d.order = append(d.order, s)
			}
			d.holds = append(d.holds, fmt.Sprintf("  %s -> p%d [style=dashed lhead=cluster_%d];", id, c, c))
		}
	}
	for i, a := range j.Outs {
		id := fmt.Sprintf("p%d_out%d", n, i)
		label := a.Aval().Full()
		if l, ok := a.(core.Literal); ok {
			label = l.String()
		}
		d.line(fmt.Sprintf("%s%s [shape=ellipse style=bold label=%s];", indent, id, dotQuote(label)))
		edges([]Atom{a}, id)
	}
	if n > 0 {
		d.line("  }")
	}
}

// label returns the equation's results, its primitive, its literals and its short parameters.
func (d *dotter) label(j *Jaxpr, e *Eqn) string {
	var b strings.Builder
	for i, v := range e.Outs {
		if i > 0 {
			b.WriteString(" ")
		}
		if d.names.frame(j).blank[v] {
			b.WriteString("_")
		} else {
			b.WriteString(d.names.frame(j).name(v))
		}
	}
	if len(e.Outs) > 0 {
		b.WriteString(" = ")
	}
	b.WriteString(e.Prim.Name())
	for _, a := range e.Ins {
		if l, ok := a.(core.Literal); ok {
			b.WriteString(" " + l.Text())
		}
	}
	for _, p := range params(e.Prim) {
		if _, isProgram := programValues(p.Value); isProgram {
			continue
		}
		if s := fmt.Sprint(p.Value); len(s) <= 40 && s != "None" {
			b.WriteString("\n" + p.Key + "=" + s)
		}
	}
	return b.String()
}

func dotQuote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
}
