package ptx

import (
	"fmt"
	"strings"

	"github.com/weft-go/weft/lower/simt"
)

// gathered is an operand whose elements' positions are sums of two shares: one of the digits of a row's or column's number, one of
// the digits of k. For each row of windows an entry in shared memory holds its share, which all stages use.
type gathered struct {
	lines, deep []digit
	axes        []simt.WindowAxis
	scale       int // strides count parts of an element
	entries     int // where the entries begin in shared memory; 0: there are none
	words       int // of an entry
}

type digit struct{ n, axis, step, stride int }

// A spot is the share that a row, a column or k has in an element's position: an offset, positions along the axes, and whether
// the operand has that row, column or k. Offsets and positions that are "" are 0, and inside is "" if it is always true.
type spot struct {
	at     string
	x      []string
	inside string
}

func (t *tensor) inParts() bool { return t.Windows != nil && t.Windows.Parts > 1 }

// gather returns how an operand of several strides is read.
func (t *mma) gather(side int) *gathered {
	w := t.Windows
	g := &gathered{scale: 1}
	if side == 1 {
		g.lines = []digit{{w.Col.N, -1, 0, w.Col.B}}
		for _, d := range w.Deep {
			g.deep = append(g.deep, digit{d.N, -1, 0, d.B})
		}
		return g
	}
	g.axes, g.scale = w.Axes, w.Scale()
	g.entries, g.words = t.Stages*t.StageBytes(), w.EntryWords()
	for _, d := range w.Rows {
		g.lines = append(g.lines, digit{d.N, d.Axis, d.Step, w.Scaled(d)})
	}
	for _, d := range w.Deep {
		g.deep = append(g.deep, digit{d.N, d.Axis, d.Step, w.Scaled(d)})
	}
	return g
}

// spot prints the share of number i in an element's place.
func (t *tensor) spot(g *gathered, digits []digit, i string) spot {
	p := spot{x: make([]string, len(g.axes))}
	for n := len(digits) - 1; n >= 0; n-- {
		d, x := digits[n], i
		if n > 0 {
			x, i = t.calc(half, "rem.u32", i, d.n), t.calc(half, "div.u32", i, d.n)
		}
		add := func(sum string, step int) string {
			switch {
			case step == 0:
				return sum
			case sum != "":
				return t.calc(half, "mad.lo.u32", x, step, sum)
			case step == 1:
				return x
			}
			return t.calc(half, "mul.lo.u32", x, step)
		}
		p.at = add(p.at, d.stride)
		if d.axis >= 0 {
			p.x[d.axis] = add(p.x[d.axis], d.step)
		}
	}
	return p
}

// sum prints the sum of two numbers, "" being 0.
func (t *tensor) sum(x, y string) string {
	switch {
	case x == "":
		return y
	case y == "":
		return x
	}
	return t.calc(half, "add.u32", x, y)
}

// both prints whether two conditions hold, "" being one that always does.
func (t *tensor) both(x, y string) string {
	switch {
	case x == "":
		return y
	case y == "":
		return x
	}
	return t.calc(predicate, "and.pred", x, y)
}

func (t *tensor) below(x string, limit any) string { return t.calc(predicate, "setp.lt.u32", x, limit) }

// startWindows prints what a tile's copies have in common: the range of k, and the entries of the tile's rows.
func (t *mma) startWindows(batch string) {
	w := t.Windows
	if t.inParts() {
		part := batch
		if w.Group.N > 1 {
			part = t.calc(half, "div.u32", batch, w.Group.N)
		}
		t.line("mul.lo.u32 %s, %s, %d", t.k, part, w.PartK)
		end := t.calc(half, "add.u32", t.k, w.PartK)
		t.line("min.u32 %s, %s, %d", t.end, end, t.K)
	}
	g, left := t.sides[0].gathered, t.sides[0]
	for first := 0; first < left.lines; first += t.Threads() {
		entry := func() {
			line := t.calc(half, "add.u32", t.tid, first)
			p := t.spot(g, g.lines, t.calc(half, "add.u32", left.first, line))
			words := make([]string, g.words)
			for i := range words {
				words[i] = "0"
			}
			words[0] = t.sum(p.at, fmt.Sprint(uint32(int32(w.Start()))))
			for i, a := range g.axes {
				words[1+i] = t.sum(p.x[i], fmt.Sprint(uint32(int32(-a.Low))))
			}
			for i, x := range words {
				if !strings.HasPrefix(x, "%") {
					words[i] = t.calc(half, "mov.u32", x)
				}
			}
			to := t.calc(half, "mad.lo.u32", line, 4*g.words, t.base)
			if g.words == 1 {
				t.line("st.shared.u32 [%s+%d], %s", to, g.entries, words[0])
			} else {
				t.line("st.shared.v%d.u32 [%s+%d], {%s}", g.words, to, g.entries, strings.Join(words, ", "))
			}
		}
		if first+t.Threads() > left.lines {
			t.ifTrue(t.below(t.tid, left.lines-first), entry)
		} else {
			entry()
		}
	}
	t.line("bar.sync 0")
}

func (t *mma) fetchFirst() {
	stage, k := t.calc(half, "mov.u32", 0), t.calc(half, "mov.u32", t.k)
	t.loopWhile(func() string { return t.below(stage, t.ahead()) }, func() {
		t.ifTrue(t.below(k, t.end), func() { t.fetch(stage, k) })
		t.line("cp.async.commit_group")
		t.line("add.u32 %s, %s, 1", stage, stage)
		t.line("add.u32 %s, %s, %d", k, k, t.Tile[2])
	})
}

// lineSpot prints the share of a row or a column, counted from the tile's first one.
func (t *mma) lineSpot(s *side, line string) spot {
	g := s.gathered
	var p spot
	number := t.calc(half, "add.u32", s.first, line)
	if g.entries == 0 {
		p = t.spot(g, g.lines, number)
	} else {
		words := make([]string, g.words)
		for i := range words {
			words[i] = t.temp(half)
		}
		from := t.calc(half, "mad.lo.u32", line, 4*g.words, t.base)
		if g.words == 1 {
			t.line("ld.shared.u32 %s, [%s+%d]", words[0], from, g.entries)
		} else {
			t.line("ld.shared.v%d.u32 {%s}, [%s+%d]", g.words, strings.Join(words, ", "), from, g.entries)
		}
		p = spot{at: words[0], x: words[1:][:len(g.axes)]}
	}
	if s.extent%s.lines != 0 {
		p.inside = t.below(number, s.extent)
	}
	return p
}

// deepSpot prints the share of k.
func (t *mma) deepSpot(s *side, k string) spot {
	p := t.spot(s.gathered, s.gathered.deep, k)
	if t.K%t.Tile[2] != 0 {
		p.inside = t.below(k, t.end)
	}
	return p
}

// element prints the address of the element that two shares lead to, and whether there is one: if not, the address is that of
// another element.
func (t *mma) element(s *side, x, y spot) (address, inside string) {
	g := s.gathered
	at, inside := t.sum(x.at, y.at), t.both(x.inside, y.inside)
	for i, a := range g.axes {
		n := t.sum(x.x[i], y.x[i])
		inside = t.both(inside, t.below(n, a.Extent))
		if a.Gap > 1 {
			inside = t.both(inside, t.calc(predicate, "setp.eq.u32", t.calc(half, "rem.u32", n, a.Gap), 0))
		}
	}
	if at == "" {
		at = "0"
	}
	if g.scale > 1 {
		at = t.calc(half, "div.u32", at, g.scale)
	}
	if inside != "" {
		at = t.calc(half, "selp.b32", at, 0, inside)
	}
	return t.calc(full, "mad.wide.s32", at, t.Kind.Size(), s.from), inside
}

// fetchGathered prints the copies of an operand's tile of k to a stage at an address. places are where the thread's first chunks go. Chunks of
// the same k are copied by straight code, others, whose places take more instructions, by a loop.
func (t *mma) fetchGathered(s *side, stage string, places []string, k string) {
	n := 1 // elements of a chunk that lie apart
	if !s.aligned {
		n = 16 / t.Kind.Size()
	}
	chunk := make([]spot, n)
	depth := t.calc(half, "add.u32", k, s.depth)
	for e := 0; e < n; e += max(1, s.group) {
		if s.transposed {
			chunk[e] = t.lineSpot(s, t.calc(half, "add.u32", s.along, e))
		} else {
			chunk[e] = t.deepSpot(s, t.calc(half, "add.u32", depth, e))
		}
	}
	rows, stride := t.rows(s), t.stride(s)
	if s.aligned && !s.transposed {
		for line := 0; line < rows; line += stride {
			i := line / stride % len(places)
			from, inside := t.element(s, chunk[0], t.lineSpot(s, t.calc(half, "add.u32", s.along, line)))
			t.copied(s.cache(), places[i], (line-i*stride)*t.pitch(s), from, inside, 16)
		}
		return
	}
	first, piece := s.along, s.depth
	if s.transposed {
		first, piece = piece, first
	}
	piece = t.calc(half, "shr.u32", piece, map[int]int{2: 3, 4: 2}[t.Kind.Size()])
	line := t.calc(half, "mov.u32", 0)
	t.loopWhile(func() string { return t.below(line, rows) }, func() {
		l := t.calc(half, "add.u32", first, line)
		to := t.place(s, l, piece, stage)
		var other spot
		if s.transposed {
			other = t.deepSpot(s, t.calc(half, "add.u32", k, l))
		} else {
			other = t.lineSpot(s, l)
		}
		parts := make([]string, n)
		for e := range chunk {
			if s.group > 0 {
				break
			}
			from, inside := t.element(s, chunk[e], other)
			switch {
			case s.aligned:
				t.copied(s.cache(), to, s.shared, from, inside, 16)
			case t.Kind.Size() == 4:
				t.copied("ca", to, s.shared+4*e, from, inside, 4)
			default:
				parts[e] = t.calc(half, "mov.u32", 0)
				guard := ""
				if inside != "" {
					guard = "@" + inside + " "
				}
				t.line("%sld.global.u16 %s, [%s]", guard, parts[e], from)
			}
		}
		if s.group > 0 {
			t.fetchGroups(s, to, chunk, other)
		} else if !s.aligned && t.Kind.Size() == 2 {
			words := make([]string, 4)
			for w := range words {
				words[w] = t.calc(half, "or.b32", t.calc(half, "shl.b32", parts[2*w+1], 16), parts[2*w])
			}
			t.line("st.shared.v4.u32 [%s+%d], {%s}", to, s.shared, strings.Join(words, ", "))
		}
		t.line("add.u32 %s, %s, %d", line, line, stride)
	})
}

// cache returns where copies of an operand are kept: windows that overlap are read again by the next taps, from the multiprocessor's own cache.
func (s *side) cache() string {
	if len(s.gathered.axes) > 0 {
		return "ca"
	}
	return "cg"
}

// copied prints a copy to shared memory, of zeros where a condition does not hold.
func (t *mma) copied(cache, to string, offset int, from, inside string, size int) {
	if inside == "" {
		t.line("cp.async.%s.shared.global [%s+%d], [%s], %d", cache, to, offset, from, size)
		return
	}
	n := t.calc(half, "selp.b32", size, 0, inside)
	t.line("cp.async.%s.shared.global [%s+%d], [%s], %d, %s", cache, to, offset, from, size, n)
}

// windowAddress prints the address of column 0 of a row of a convolution's results.
func (t *tensor) windowAddress(batch, row string) string {
	w, size := t.Windows, t.Out().Size()
	at := "%base2"
	if w.First > 0 {
		at = t.calc(full, "add.u64", at, w.First*size)
	}
	group := batch
	if t.inParts() {
		part := batch
		if w.Group.N > 1 {
			part, group = t.calc(half, "div.u32", batch, w.Group.N), t.calc(half, "rem.u32", batch, w.Group.N)
		}
		at = t.calc(full, "mad.lo.u64", t.calc(full, "cvt.u64.u32", part), t.M*t.N*w.Group.N*size, at)
	}
	if w.Group.N > 1 {
		at = t.calc(full, "mad.lo.u64", t.calc(full, "cvt.u64.u32", group), w.Group.C*size, at)
	}
	for i := len(w.Rows) - 1; i >= 0; i-- {
		d, x := w.Rows[i], row
		if i > 0 {
			x, row = t.calc(half, "rem.u32", row, d.N), t.calc(half, "div.u32", row, d.N)
		}
		at = t.calc(full, "mad.lo.u64", t.calc(full, "cvt.u64.u32", x), d.C*size, at)
	}
	return at
}
