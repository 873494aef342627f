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

// Sizes in the picture.
const (
	nodeHeight  = 26.0
	layerPitch  = 66.0
	letterWidth = 7.9
	pictureEdge = 18.0
	titleHeight = 24.0
)

// SVG draws a graph, layered from bottom to top: an edge leads up from a type to
// what it promotes to, and runs through no node. Bare numbers are dashed. A
// cycle, or a graph too large to be read, is an error.
func SVG(g *Graph, title string) (string, error) {
	l, err := layers(g, func(i int) float64 { return boxWidth(g.names[i]) }, 10, 18)
	if err != nil {
		return "", err
	}
	width := float64(utf8.RuneCountInString(title))*letterWidth + 2*pictureEdge
	for _, p := range l.at {
		width = max(width, p.x+p.width/2+2*pictureEdge)
	}
	height := 2*pictureEdge + titleHeight + nodeHeight + layerPitch*float64(max(len(l.layers)-1, 0))
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="13">`+"\n", width, height, width, height)
	fmt.Fprintf(&b, `<title>%s</title>`+"\n", html.EscapeString(title))
	b.WriteString(`<rect width="100%" height="100%" fill="#ffffff"/>` + "\n")
	fmt.Fprintf(&b, `<text x="%.0f" y="%.0f" fill="#57606a">%s</text>`+"\n", pictureEdge, pictureEdge+10, html.EscapeString(title))
	b.WriteString(`<g fill="none" stroke="#6e7781" stroke-width="1.3">` + "\n")
	ports := l.ports()
	for e, chain := range l.chains {
		b.WriteString(`<path d="`)
		for _, s := range l.curve(chain, ports[e], height) {
			b.WriteString(s.String())
		}
		b.WriteString(`"/>` + "\n")
	}
	b.WriteString("</g>\n" + `<g fill="#6e7781">` + "\n")
	for e, chain := range l.chains {
		x, y := ports[e].to+pictureEdge, l.y(chain[len(chain)-1], height)+nodeHeight/2
		fmt.Fprintf(&b, `<path d="M%.1f %.1fl-3.6 8h7.2z"/>`+"\n", x, y)
	}
	b.WriteString("</g>\n")
	for p, at := range l.at {
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
		x, y := at.x+pictureEdge, l.y(p, height)
		fmt.Fprintf(&b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.0f" rx="%.0f" fill="%s" stroke="%s" stroke-width="1.4"%s/>`+"\n",
			x-at.width/2, y-nodeHeight/2, at.width, nodeHeight, radius, fill, stroke, dash)
		fmt.Fprintf(&b, `<text x="%.1f" y="%.1f" text-anchor="middle" fill="#1f2328">%s</text>`+"\n", x, y+4.5, html.EscapeString(name))
	}
	b.WriteString("</svg>\n")
	return b.String(), nil
}

func boxWidth(name string) float64 {
	return max(34, float64(utf8.RuneCountInString(name))*letterWidth+16)
}

// y returns the middle of a place's layer: the first layer is at the bottom.
func (l *layered) y(p int, height float64) float64 {
	return height - pictureEdge - nodeHeight/2 - layerPitch*float64(l.at[p].layer)
}

// port is where an edge leaves its lower node and where it reaches its upper one.
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

// segment is a piece of an edge: a straight line up through a layer, or an S from
// one layer to the next.
type segment struct {
	start          bool
	x0, y0, x1, y1 float64
}

func (s segment) String() string {
	move := ""
	if s.start {
		move = fmt.Sprintf("M%.1f %.1f", s.x0, s.y0)
	}
	if s.x0 == s.x1 {
		return move + fmt.Sprintf("V%.1f", s.y1)
	}
	mid := (s.y0 + s.y1) / 2
	return move + fmt.Sprintf("C%.1f %.1f %.1f %.1f %.1f %.1f", s.x0, mid, s.x1, mid, s.x1, s.y1)
}

// curve returns the way of an edge. Between layers it may go sideways; in a layer it
// goes straight up through its bend.
func (l *layered) curve(chain []int, p port, height float64) []segment {
	var out []segment
	x, y := p.from+pictureEdge, l.y(chain[0], height)-nodeHeight/2
	for i, q := range chain[1:] {
		to, bottom := l.at[q].x+pictureEdge, l.y(q, height)+nodeHeight/2
		last := i == len(chain)-2
		if last {
			to, bottom = p.to+pictureEdge, bottom+7 // the arrow's head
		}
		out = append(out, segment{i == 0, x, y, to, bottom})
		x, y = to, bottom
		if !last {
			out = append(out, segment{false, x, y, x, y - nodeHeight})
			y -= nodeHeight
		}
	}
	return out
}

// colours of a node by the kind of its type; what is no type is white.
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
