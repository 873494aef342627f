package promote

import (
	"fmt"
	"strings"
)

// DOT writes a graph for Graphviz, bottom to top, bare numbers dashed.
func DOT(g *Graph, title string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "digraph %s {\n\trankdir=BT\n\tnode [shape=box style=filled fontname=monospace]\n", quoteDOT(title))
	_, perm := canonical(g.names)
	for _, i := range perm {
		fill, stroke, weak := colours(g.names[i])
		style := "filled"
		if weak {
			style = "filled,dashed,rounded"
		}
		fmt.Fprintf(&b, "\t%s [fillcolor=%q color=%q style=%q]\n", quoteDOT(g.names[i]), fill, stroke, style)
	}
	for _, i := range perm {
		for _, j := range g.up[i] {
			fmt.Fprintf(&b, "\t%s -> %s\n", quoteDOT(g.names[i]), quoteDOT(g.names[j]))
		}
	}
	b.WriteString("}\n")
	return b.String()
}

// quoteDOT quotes as DOT does: only quotes, backslashes and new lines are escaped.
func quoteDOT(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
}
