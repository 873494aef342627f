package promote

import (
	"math"
	"sort"
	"strings"
	"unicode/utf8"
)

// Text draws a graph in characters, layered from bottom to top. From a node one
// line leads up and branches to all that it promotes to; an arrow's head stands
// under each node that a line reaches. Where two lines cross, the upright one is
// drawn through and the other has a gap. A name that is too narrow for the
// arrows under it is drawn out with dots.
func Text(g *Graph) (string, error) {
	in := make([]int, g.Len())
	for _, e := range g.Edges() {
		in[g.index[e.To]]++
	}
	l, err := layers(g, func(i int) float64 { return float64(room(g.names[i], in[i])) }, 1, 2)
	if err != nil {
		return "", err
	}
	t := &textDrawing{l: l, left: make([]int, len(l.at)), middle: make([]int, len(l.at)), room: make([]int, len(l.at)), ports: make([][]int, len(l.at))}
	for p, at := range l.at {
		t.room[p] = int(at.width)
	}
	t.columns()
	for k := range l.layers {
		t.place(k)
	}
	var rows []string // from the top
	for k := len(l.layers) - 1; k >= 0; k-- {
		rows = append(rows, t.names(k))
		if k > 0 {
			rows = append(rows, t.channel(k-1)...)
		}
	}
	for i, r := range rows {
		rows[i] = strings.TrimRight(r, " ")
	}
	return strings.Join(rows, "\n") + "\n", nil
}

// room returns the number of columns of a node: enough for its name and its arrows. Two arrows
// have a column between them; more have one if the name is wide enough.
func room(name string, arrows int) int {
	return max(utf8.RuneCountInString(name), arrows, min(2*arrows-1, 3))
}

type textDrawing struct {
	l            *layered
	left, middle []int // columns of places
	room         []int
	ports        [][]int // by place: the columns of the lines from below, in the order of down
	width        int
}

// columns rounds the positions of places to columns, and aligns neighbours in adjacent layers.
func (t *textDrawing) columns() {
	for _, layer := range t.l.layers {
		next := 0
		for _, p := range layer {
			t.set(p, max(next, int(math.Round(t.l.at[p].x-float64(t.room[p])/2))))
			next = t.left[p] + t.room[p] + 2
		}
	}
	for range 3 {
		for k := range t.l.layers {
			t.align(k)
		}
		for k := len(t.l.layers) - 1; k >= 0; k-- {
			t.align(k)
		}
	}
}

func (t *textDrawing) set(p, left int) {
	t.left[p], t.middle[p] = left, left+t.room[p]/2
	t.width = max(t.width, left+t.room[p]+2)
}

// place fixes the columns of layer k, when those of the layers below are fixed, so that no two
// uprights in the channel beneath share a column: a line from below goes up in the middle of the
// place that it comes from, and arrives in a column where no other line goes up.
func (t *textDrawing) place(k int) {
	trunks := map[int]int{} // column → place below
	if k > 0 {
		for _, p := range t.l.layers[k-1] {
			if len(t.l.at[p].up) > 0 {
				trunks[t.middle[p]] = p
			}
		}
	}
	next := 0
	for _, p := range t.l.layers[k] {
		down := t.l.at[p].down
		sort.SliceStable(down, func(i, j int) bool { return t.middle[down[i]] < t.middle[down[j]] })
		t.set(p, max(next, t.left[p]))
		for !t.arrive(p, trunks) {
			if t.l.at[p].node >= 0 {
				t.room[p]++
				t.set(p, t.left[p])
			} else {
				t.set(p, t.left[p]+1)
			}
		}
		next = t.left[p] + t.room[p] + 2
	}
}

// arrive chooses the columns in which the lines from below reach p, as close as possible to columns
// spread evenly around p's middle. It reports whether there are enough columns.
func (t *textDrawing) arrive(p int, trunks map[int]int) bool {
	down := t.l.at[p].down
	step := 1
	if 2*len(down)-1 <= t.room[p] {
		step = 2
	}
	ports := make([]int, 0, len(down))
	after := t.left[p] - 1
	for i, q := range down {
		want := t.middle[p] + (step*(2*i-len(down)+1))/2
		best := -1
		for x := after + 1; x < t.left[p]+t.room[p]; x++ {
			if owner, ok := trunks[x]; ok && owner != q {
				continue
			}
			free := 0 // columns that remain for the others
			for y := x + 1; y < t.left[p]+t.room[p]; y++ {
				if _, ok := trunks[y]; !ok {
					free++
				}
			}
			if free >= len(down)-1-i && (best < 0 || abs(x-want) < abs(best-want)) {
				best = x
			}
		}
		if best < 0 {
			return false
		}
		ports = append(ports, best)
		after = best
	}
	if t.l.at[p].node < 0 && len(ports) > 0 {
		t.middle[p] = ports[0]
	}
	t.ports[p] = ports
	return true
}

func abs(n int) int { return max(n, -n) }

// align moves places of layer k that have exactly one neighbour below, or exactly one above, into
// its column: by at most two columns, and only where the places on either side leave space.
func (t *textDrawing) align(k int) {
	layer := t.l.layers[k]
	for i, p := range layer {
		for _, near := range [][]int{t.l.at[p].down, t.l.at[p].up} {
			if len(near) != 1 {
				continue
			}
			d := t.middle[near[0]] - t.middle[p]
			if d < -2 || d > 2 || t.left[p]+d < 0 {
				continue
			}
			if i > 0 && t.left[p]+d < t.left[layer[i-1]]+t.room[layer[i-1]]+2 {
				continue
			}
			if i+1 < len(layer) && t.left[p]+t.room[p]+d+2 > t.left[layer[i+1]] {
				continue
			}
			t.set(p, t.left[p]+d)
			break
		}
	}
}

// names returns the text row of layer k: its nodes, and a line through each bend.
func (t *textDrawing) names(k int) string {
	row := blank(t.width)
	for _, p := range t.l.layers[k] {
		n := t.l.at[p].node
		if n < 0 {
			row[t.middle[p]] = '│'
			continue
		}
		name := []rune(t.l.g.names[n])
		if t.room[p] > len(name)+1 {
			for x := range t.room[p] {
				row[t.left[p]+x] = '·'
			}
		}
		copy(row[t.middle[p]-len(name)/2:], name)
	}
	return string(row)
}

// bus is the line up from one place: upright in column trunk, then level in a row, its track, from
// column lo to hi, with branches up at ports.
type bus struct {
	trunk  int
	ports  []int // columns above
	heads  []bool
	track  int
	lo, hi int
}

// channel draws the rows between layer k and the one above it, from top to bottom.
func (t *textDrawing) channel(k int) []string {
	buses := t.buses(k)
	tracks := assignTracks(buses)
	height := max(tracks+1, 2) // row 0 contains the heads of arrows
	arms := make([][]cell, height)
	for r := range arms {
		arms[r] = make([]cell, t.width)
	}
	head := make([]bool, t.width)
	for i, b := range buses {
		if b.lo == b.hi { // straight up
			for r := range height {
				arms[r][b.trunk].join(i, above|below)
			}
		} else {
			r := height - b.track // row of the track
			for x := b.lo; x <= b.hi; x++ {
				a := leftward | rightward
				if x == b.lo {
					a &^= leftward
				}
				if x == b.hi {
					a &^= rightward
				}
				arms[r][x].join(i, a)
			}
			arms[r][b.trunk].join(i, below)
			for y := r + 1; y < height; y++ {
				arms[y][b.trunk].join(i, above|below)
			}
			for _, x := range b.ports {
				arms[r][x].join(i, above)
				for y := range r {
					arms[y][x].join(i, above|below)
				}
			}
		}
		for j, x := range b.ports {
			head[x] = head[x] || b.heads[j]
		}
	}
	rows := make([]string, height)
	for r := range arms {
		row := blank(t.width)
		for x, c := range arms[r] {
			row[x] = c.rune()
			if r == 0 && head[x] {
				row[x] = '▲'
			}
		}
		rows[r] = string(row)
	}
	return rows
}

// buses collects the lines between layer k and the one above.
func (t *textDrawing) buses(k int) []*bus {
	of := map[int]*bus{}
	var out []*bus
	for _, p := range t.l.layers[k] {
		if len(t.l.at[p].up) > 0 {
			of[p] = &bus{trunk: t.middle[p], lo: t.middle[p], hi: t.middle[p]}
			out = append(out, of[p])
		}
	}
	for _, q := range t.l.layers[k+1] {
		for i, p := range t.l.at[q].down {
			b, x := of[p], t.ports[q][i]
			b.ports = append(b.ports, x)
			b.heads = append(b.heads, t.l.at[q].node >= 0)
			b.lo, b.hi = min(b.lo, x), max(b.hi, x)
		}
	}
	return out
}

// assignTracks gives different tracks to buses that overlap, and returns the number of tracks. Wider buses
// come first, and each takes the lowest track that is free. A straight bus needs none.
func assignTracks(buses []*bus) int {
	order := append([]*bus(nil), buses...)
	sort.SliceStable(order, func(i, j int) bool { return order[i].hi-order[i].lo > order[j].hi-order[j].lo })
	n := 0
	for i, b := range order {
		if b.lo == b.hi {
			continue
		}
		taken := map[int]bool{}
		for _, c := range order[:i] {
			if c.lo != c.hi && b.lo <= c.hi && c.lo <= b.hi {
				taken[c.track] = true
			}
		}
		for b.track = 1; taken[b.track]; b.track++ {
		}
		n = max(n, b.track)
	}
	return n
}

// The arms of a line in a cell.
const (
	above = 1 << iota
	below
	leftward
	rightward
)

// cell contains the lines at one character: those of one bus, or an upright line that crosses a
// level one.
type cell struct{ arms, bus int }

func (c *cell) join(bus, arms int) {
	switch {
	case c.arms == 0 || c.bus == bus:
		c.arms, c.bus = c.arms|arms, bus
	case arms == above|below: // an upright line goes through a level one
		c.arms, c.bus = arms, bus
	}
}

func (c *cell) rune() rune { return []rune(" ╵╷│╴┘┐┤╶└┌├─┴┬┼")[c.arms] }

func blank(n int) []rune { return []rune(strings.Repeat(" ", n)) }
