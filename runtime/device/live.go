package device

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
)

// origin describes the array in a block of memory, for errors.
type origin struct {
	t   core.ShapedArray
	op  string // the primitive that computed it, "" if no equation computed it
	pos string // the user's line, "" if it is not known
}

// String returns the type and, where they are known, the operation and the line.
func (o *origin) String() string {
	text := o.t.String()
	switch {
	case o.op != "" && o.pos != "":
		text += " (" + o.op + ", " + o.pos + ")"
	case o.op != "" || o.pos != "":
		text += " (" + o.op + o.pos + ")"
	}
	return text
}

// originsOf returns the origins of a program's results: their types and, if equations compute them, the primitives and
// the lines. Eager operations get no lines, because calls at other lines use the same program.
func originsOf(j *jaxpr.Jaxpr, eager bool) []*origin {
	made := map[*jaxpr.Var]*jaxpr.Eqn{}
	for _, e := range j.Eqns {
		for _, v := range e.Outs {
			made[v] = e
		}
	}
	var all []*origin
	for _, a := range j.Outs {
		o := &origin{t: a.Aval()}
		if v, ok := a.(*jaxpr.Var); ok && made[v] != nil {
			o.op = made[v].Prim.Name()
			if !eager {
				o.pos = made[v].Site.String()
			}
		}
		all = append(all, o)
	}
	return all
}

// named bounds the descriptions of arrays in an error about memory.
const named = 5

func (p *pool) describe(b *block, o *origin) {
	p.mu.Lock()
	b.origin = o
	p.mu.Unlock()
}

// largest names the arrays that take most memory. Arrays of equal descriptions are counted and their bytes added.
func (p *pool) largest() string {
	type group struct {
		text  string
		bytes int
		n     int
	}
	var groups []*group
	by := map[string]*group{}
	p.mu.Lock()
	for b := p.lent; b != nil; b = b.after {
		if b.origin == nil {
			continue
		}
		text := b.origin.String()
		g := by[text]
		if g == nil {
			g = &group{text: text}
			by[text] = g
			groups = append(groups, g)
		}
		g.n++
		g.bytes += b.bytes
	}
	p.mu.Unlock()
	slices.SortStableFunc(groups, func(a, b *group) int { return cmp.Compare(b.bytes, a.bytes) })
	var lines []string
	for _, g := range groups[:min(named, len(groups))] {
		times := ""
		if g.n > 1 {
			times = fmt.Sprintf("%d × ", g.n)
		}
		lines = append(lines, times+g.text+", "+Bytes(g.bytes))
	}
	if len(lines) == 0 {
		return ""
	}
	return "; the largest arrays are " + strings.Join(lines, "; ")
}
