package promote

import (
	"encoding/xml"
	"flag"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// drawn returns the graphs of the package and random ones.
func drawn() map[string]*Graph {
	out := map[string]*Graph{}
	for _, s := range append(Systems(), Graphs()...) {
		if g := GraphOf(s); g != nil {
			out[s.Name()] = g
		}
	}
	r := rand.New(rand.NewPCG(7, 8))
	for i := range 60 {
		out[fmt.Sprint("random", i)] = randomGraph(r, 1+r.IntN(20), 0.05+0.2*r.Float64())
	}
	return out
}

// In both pictures every edge goes up, or to the right, no two nodes overlap, and no edge runs
// through a node that is not its end.
func TestNoEdgeThroughANode(t *testing.T) {
	for name, g := range drawn() {
		for _, across := range []bool{false, true} {
			noEdgeThroughANode(t, fmt.Sprintf("%s, across %v", name, across), g, across)
		}
	}
}

func noEdgeThroughANode(t *testing.T, name string, g *Graph, across bool) {
	l, err := newPicture(g, across)
	if err != nil {
		t.Fatal(name, err)
	}
	for k := 1; k < len(l.middles); k++ {
		if gap := l.middles[k] - l.depths[k]/2 - l.middles[k-1] - l.depths[k-1]/2; gap < 39.9 {
			t.Errorf("%s: layers %d and %d are too near, %g", name, k-1, k, gap)
		}
	}
	for p, a := range l.at {
		for q, b := range l.at[:p] {
			if a.layer == b.layer && math.Abs(a.x-b.x) < (a.width+b.width)/2+17.9 {
				t.Errorf("%s: places %d and %d of layer %d are too near", name, p, q, a.layer)
			}
		}
	}
	ports := l.ports()
	if len(l.chains) != len(g.has) {
		t.Errorf("%s: %d edges drawn of %d", name, len(l.chains), len(g.has))
	}
	for e, chain := range l.chains {
		from, to := chain[0], chain[len(chain)-1]
		if !g.has[[2]int{l.at[from].node, l.at[to].node}] || l.at[from].layer >= l.at[to].layer {
			t.Errorf("%s: edge %d goes from %v to %v", name, e, l.at[from], l.at[to])
		}
		reached := math.Inf(-1)
		for _, s := range l.curve(chain, ports[e]) {
			for i := range 41 {
				aside, along := s.point(float64(i) / 40)
				if along < reached-1e-9 {
					t.Errorf("%s: edge %d turns back", name, e)
				}
				reached = along
				for p, a := range l.at {
					if a.node >= 0 && p != from && p != to &&
						math.Abs(aside-a.x) < a.width/2+2 && math.Abs(along-l.middle(p)) < l.depth(p)/2 {
						t.Fatalf("%s: edge %s → %s runs through %s", name, g.names[l.at[from].node], g.names[l.at[to].node], g.names[a.node])
					}
				}
			}
		}
		for _, end := range []struct {
			p int
			x float64
		}{{from, ports[e].from}, {to, ports[e].to}} {
			if a := l.at[end.p]; math.Abs(end.x-a.x) > a.width/2 {
				t.Errorf("%s: edge %d ends beside its node", name, e)
			}
		}
	}
}

// point returns a point of the segment as SVG draws it.
func (s segment) point(u float64) (aside, along float64) {
	mid := (s.along0 + s.along1) / 2
	b := func(p0, p1, p2, p3 float64) float64 {
		v := 1 - u
		return v*v*v*p0 + 3*v*v*u*p1 + 3*v*u*u*p2 + u*u*u*p3
	}
	return b(s.aside0, s.aside0, s.aside1, s.aside1), b(s.along0, mid, mid, s.along1)
}

// The text picture contains exactly the graph: following its lines finds every edge.
func TestTextPicture(t *testing.T) {
	for name, g := range drawn() {
		text, err := Text(g)
		if err != nil {
			t.Fatal(name, err)
		}
		var want []string
		for _, e := range g.Edges() {
			want = append(want, e.From+"<"+e.To)
		}
		sort.Strings(want)
		if got := followLines(text); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: the lines are\n%v, want\n%v\n%s", name, got, want, text)
		}
	}
}

// followLines finds the edges of a text picture.
func followLines(text string) []string {
	var rows [][]rune
	for _, line := range strings.Split(text, "\n") {
		rows = append(rows, []rune(line))
	}
	at := func(r, c int) rune {
		if r < 0 || r >= len(rows) || c < 0 || c >= len(rows[r]) {
			return ' '
		}
		return rows[r][c]
	}
	arms := map[rune]int{'│': above | below, '┘': above | leftward, '┐': below | leftward, '┤': above | below | leftward,
		'└': above | rightward, '┌': below | rightward, '├': above | below | rightward, '─': leftward | rightward,
		'┴': above | leftward | rightward, '┬': below | leftward | rightward, '┼': above | below | leftward | rightward, '▲': above | below}
	type token struct {
		name      string
		r, c0, c1 int
	}
	var nodes []token
	for r, row := range rows {
		for c := 0; c < len(row); c++ {
			start := c
			for c < len(row) && row[c] != ' ' && arms[row[c]] == 0 {
				c++
			}
			if c > start {
				nodes = append(nodes, token{strings.Trim(string(row[start:c]), "·"), r, start, c - 1})
			}
		}
	}
	over := func(r, c int) string {
		for _, n := range nodes {
			if n.r == r && n.c0-1 <= c && c <= n.c1+1 {
				return n.name
			}
		}
		return "nothing"
	}
	var out []string
	for _, n := range nodes {
		seen := map[[2]int]bool{}
		var walk func(r, c int)
		walk = func(r, c int) {
			if seen[[2]int{r, c}] {
				return
			}
			seen[[2]int{r, c}] = true
			if at(r, c) == '▲' && arms[at(r-1, c)] == 0 {
				out = append(out, n.name+"<"+over(r-1, c))
				return
			}
			a := arms[at(r, c)]
			if a&above != 0 {
				walk(r-1, c)
			}
			if a&below != 0 && r+1 < n.r {
				walk(r+1, c)
			}
			for _, side := range []struct{ arm, back, step int }{{leftward, rightward, -1}, {rightward, leftward, 1}} {
				if a&side.arm != 0 {
					d := c + side.step
					for arms[at(r, d)]&side.back == 0 { // under an upright line
						d += side.step
					}
					walk(r, d)
				}
			}
		}
		for c := n.c0; c <= n.c1; c++ {
			if arms[at(n.r-1, c)]&below != 0 {
				walk(n.r-1, c)
			}
		}
	}
	sort.Strings(out)
	return out
}

// The pictures are well-formed for any names of nodes.
func TestOddNames(t *testing.T) {
	g := NewGraph()
	g.Connect(`<&">`, `a\b"c`)
	g.Connect("日本", `<&">`)
	svg, err := SVG(g, `<&"`)
	if err != nil {
		t.Fatal(err)
	}
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if dot := DOT(g, `<&"`); !strings.Contains(dot, `"a\\b\"c"`) || !strings.Contains(dot, `"日本" -> "<&\">"`) {
		t.Error(dot)
	}
	text, err := Text(g)
	if err != nil || !utf8.ValidString(text) || !strings.Contains(text, "日本") {
		t.Error(text, err)
	}
}

func TestUndrawable(t *testing.T) {
	big := NewGraph()
	for i := range maxDrawnNodes + 1 {
		big.Add(fmt.Sprint(i))
	}
	dense := NewGraph()
	for i := range 60 {
		for j := range i {
			dense.Connect(fmt.Sprint(j), fmt.Sprint(i))
		}
	}
	for _, g := range []*Graph{big, dense, Chains("a < b < a")} {
		if _, err := SVG(g, ""); err == nil {
			t.Error("a picture of what cannot be drawn")
		}
		if _, err := Text(g); err == nil {
			t.Error("a text of what cannot be drawn")
		}
		if DOT(g, "") == "" {
			t.Error("no DOT")
		}
	}
	for _, g := range []*Graph{NewGraph(), Chains("alone")} {
		if svg, err := SVG(g, "t"); err != nil || !strings.HasSuffix(svg, "</svg>\n") {
			t.Error(svg, err)
		}
		if _, err := Text(g); err != nil {
			t.Error(err)
		}
	}
}

var update = flag.Bool("update", false, "write testdata anew")

// Pictures look as those of testdata: texts to the character, numbers of SVG to a tenth.
func TestPicturesGolden(t *testing.T) {
	compare := func(file, got string, same func(got, want string) bool) {
		t.Helper()
		if *update {
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !same(got, string(want)) {
			t.Errorf("%s: got\n%s\nwant\n%s", file, got, want)
		}
	}
	graphs := drawn()
	var texts strings.Builder
	for _, name := range slices.Sorted(maps.Keys(graphs)) {
		text, err := Text(graphs[name])
		if err != nil {
			t.Fatal(name, err)
		}
		fmt.Fprintf(&texts, "# %s\n%s\n", name, text)
	}
	compare("testdata/pictures.txt", texts.String(), func(got, want string) bool { return got == want })
	number := regexp.MustCompile(`\d+\.\d+`)
	for _, name := range []string{"jax", "random11"} {
		svg, err := SVG(graphs[name], name)
		if err != nil {
			t.Fatal(name, err)
		}
		compare("testdata/"+name+".svg", svg, func(got, want string) bool {
			a, b := number.FindAllString(got, -1), number.FindAllString(want, -1)
			for i := range min(len(a), len(b)) {
				x, _ := strconv.ParseFloat(a[i], 64)
				y, _ := strconv.ParseFloat(b[i], 64)
				if math.Abs(x-y) > 0.11 {
					t.Logf("number %d: got %v, want %v", i, x, y)
					return false
				}
			}
			return number.ReplaceAllString(got, "N") == number.ReplaceAllString(want, "N")
		})
	}
}

// The same graph has the same picture.
func TestPicturesAreStable(t *testing.T) {
	for name, g := range drawn() {
		a, _ := SVG(g, name)
		b, _ := SVG(g.clone(), name)
		if a != b {
			t.Errorf("%s: two pictures differ", name)
		}
	}
}

// From left to right, scalars that stand before all arrays have a caption, and so have the arrays; where they
// do not there is none.
func TestCaptions(t *testing.T) {
	for name, want := range map[string]bool{"numpy-signed": true, "jax-design": false, "within-category": false} {
		s, err := Find(name)
		if err != nil {
			t.Fatal(err)
		}
		across, err := SVGAcross(GraphOf(s), name)
		if err != nil {
			t.Fatal(err)
		}
		up, err := SVG(GraphOf(s), name)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{">scalar types<", ">array types<"} {
			if got := strings.Contains(across, text); got != want {
				t.Errorf("%s: %s is in the picture: %v, want %v", name, text, got, want)
			}
			if strings.Contains(up, text) {
				t.Errorf("%s: the picture from bottom to top has captions", name)
			}
		}
	}
}
