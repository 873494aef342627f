package promote

import (
	"fmt"
	"html"
	"math"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/weft-go/weft/core"
)

// Sizes in the picture, in SVG's units.
const (
	nodeHeight  = 26.0
	layerPitch  = 66.0
	layerGap    = 40.0 // between layers from left to right
	letterWidth = 7.9
	pictureEdge = 18.0
	titleHeight = 24.0
)

// SVG draws a graph, layered from bottom to top: an edge leads up from a type to
// what it promotes to, and runs through no node. Bare numbers are dashed. A
// cycle, or a graph too large to be read, is an error.
func SVG(g *Graph, title string) (string, error) { return draw(g, title, false) }

// SVGAcross draws a graph as [SVG] does, but from left to right. Where all bare numbers stand
// left of all other types, the two parts have captions.
func SVGAcross(g *Graph, title string) (string, error) { return draw(g, title, true) }

func draw(g *Graph, title string, across bool) (string, error) {
	d, err := newPicture(g, across)
	if err != nil {
		return "", err
	}
	captions := d.captions()
	width := float64(utf8.RuneCountInString(title))*letterWidth + 2*pictureEdge
	top := titleHeight
	if len(captions) > 0 {
		top *= 2
	}
	height := 0.0
	for p := range d.at {
		x, y := d.aside(p)+d.breadth(p)/2, d.middle(p)+d.depth(p)/2
		if across {
			x, y = y, x
		}
		width = max(width, x+2*pictureEdge)
		height = max(height, y+2*pictureEdge+top)
	}
	d.height = height
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="13">`+"\n", width, height, width, height)
	fmt.Fprintf(&b, `<title>%s</title>`+"\n", html.EscapeString(title))
	b.WriteString(`<rect width="100%" height="100%" fill="#ffffff"/>` + "\n")
	fmt.Fprintf(&b, `<text x="%.0f" y="%.0f" fill="#57606a">%s</text>`+"\n", pictureEdge, pictureEdge+10, html.EscapeString(title))
	for _, c := range captions {
		fmt.Fprintf(&b, `<text x="%.1f" y="%.0f" text-anchor="middle" fill="#1f2328" font-weight="bold">%s</text>`+"\n", c.x, pictureEdge+titleHeight+10, c.text)
	}
	b.WriteString(`<g fill="none" stroke="#6e7781" stroke-width="1.3">` + "\n")
	ports := d.ports()
	for e, chain := range d.chains {
		b.WriteString(`<path d="`)
		for _, s := range d.curve(chain, ports[e]) {
			b.WriteString(d.path(s))
		}
		b.WriteString(`"/>` + "\n")
	}
	b.WriteString("</g>\n" + `<g fill="#6e7781">` + "\n")
	for e, chain := range d.chains {
		last := chain[len(chain)-1]
		x, y := d.xy(ports[e].to, d.middle(last)-d.depth(last)/2)
		head := "l-3.6 8h7.2z"
		if across {
			head = "l-8 -3.6v7.2z"
		}
		fmt.Fprintf(&b, `<path d="M%.1f %.1f%s"/>`+"\n", x, y, head)
	}
	b.WriteString("</g>\n")
	for p, at := range d.at {
		if at.node < 0 {
			continue
		}
		name := g.names[at.node]
		fill, stroke, weak := colours(name)
		dash := ""
		radius := 4.0
		if weak {
			dash, radius = ` stroke-dasharray="4 3"`, nodeHeight/2
		}
		x, y := d.xy(d.aside(p), d.middle(p))
		w := boxWidth(name)
		fmt.Fprintf(&b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.0f" rx="%.0f" fill="%s" stroke="%s" stroke-width="1.4"%s/>`+"\n",
			x-w/2, y-nodeHeight/2, w, nodeHeight, radius, fill, stroke, dash)
		fmt.Fprintf(&b, `<text x="%.1f" y="%.1f" text-anchor="middle" fill="#1f2328">%s</text>`+"\n", x, y+4.5, html.EscapeString(name))
	}
	b.WriteString("</svg>\n")
	return b.String(), nil
}

func boxWidth(name string) float64 {
	return max(34, float64(utf8.RuneCountInString(name))*letterWidth+16)
}

// port is where an edge leaves its lower node and where it reaches its upper one: two positions
// aside, as picture defines that.
type port struct{ from, to float64 }

// ports spreads the ends of edges over the sides of the nodes, in the order in
// which they come from the left.
func (l *layered) ports() []port {
	out := make([]port, len(l.chains))
	leave, enter := map[int][]int{}, map[int][]int{}
	for e, c := range l.chains {
		leave[c[0]] = append(leave[c[0]], e)
		enter[c[len(c)-1]] = append(enter[c[len(c)-1]], e)
	}
	spread := func(p int, edges []int, towards func(e int) int, set func(e int, x float64)) {
		sort.SliceStable(edges, func(i, j int) bool { return l.at[towards(edges[i])].x < l.at[towards(edges[j])].x })
		step := min(11, (l.at[p].width-14)/float64(max(len(edges)-1, 1)))
		for i, e := range edges {
			set(e, l.at[p].x+step*(float64(i)-float64(len(edges)-1)/2))
		}
	}
	for p := range l.at {
		spread(p, leave[p], func(e int) int { return l.chains[e][1] }, func(e int, x float64) { out[e].from = x })
		spread(p, enter[p], func(e int) int { c := l.chains[e]; return c[len(c)-2] }, func(e int, x float64) { out[e].to = x })
	}
	for e, c := range l.chains { // an edge that is nearly straight is made straight
		p := &out[e]
		if len(c) > 2 || math.Abs(p.to-p.from) > 11 {
			continue
		}
		if len(enter[c[1]]) == 1 {
			p.to = p.from
		} else if len(leave[c[0]]) == 1 {
			p.from = p.to
		}
	}
	return out
}

// colours are those of a node by the kind of its type; a name that is not a type is white.
func colours(name string) (fill, stroke string, weak bool) {
	t, ok := ParseType(strings.Replace(name, "b?", "b", 1))
	if !ok {
		return "#ffffff", "#57606a", false
	}
	weak = t.Weak || strings.HasSuffix(name, "?")
	switch t.DType.Kind() {
	case core.KindBool:
		return "#eaeef2", "#57606a", weak
	case core.KindUint:
		return "#ddf4ff", "#0969da", weak
	case core.KindInt:
		return "#dafbe1", "#1a7f37", weak
	case core.KindFloat:
		return "#fff8c5", "#9a6700", weak
	case core.KindMinorFloat:
		return "#fff1e5", "#bc4c00", weak
	case core.KindComplex:
		return "#fbefff", "#8250df", weak
	}
	if t.DType == TF32 {
		return "#fff8c5", "#9a6700", weak
	}
	return "#ffffff", "#57606a", weak
}
