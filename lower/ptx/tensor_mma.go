package ptx

import (
	"fmt"
	"strings"

	"github.com/weft-go/weft/lower/simt"
)

// mma prints a product whose operands all threads copy, stages ahead, with cp.async. By mma.sync
// each warp multiplies 64×64 elements of the tile. A line of shared memory has 128 bytes of one row
// or column along k or, where neighbours along m or n are neighbours in memory, the tile's elements
// along m or n. The pieces of 16 bytes of a line change places, so that lanes that read at once
// need different banks. For convolutions by wgmma, lines lie as its descriptors state.
type mma struct {
	tensor
	tid, lane string
	sides     [2]*side
	acc       []string
	k, end    string // the first k of a tile's sums, and the one behind the last; numbers unless sums are in parts
}

type side struct {
	simt.Operand
	buffer     int
	extent     int       // M or N
	lines      int       // of the tile: rows, or columns
	shared     int       // offset in a stage
	transposed bool      // neighbours along m or n are neighbours in memory
	aligned    bool      // pieces are whole: see simt.Side
	group      int       // where pieces are not whole: elements of a piece that are neighbours in memory; 0: not known
	shifted    bool      // groups begin anywhere
	gathered   *gathered // nil: the operand has one stride along k, and one from line to line
	first      string    // the first row or column of the tile
	from       string    // address of the 16 bytes that the thread copies first, at the current k; if gathered, of the first element
	to         []string  // offsets in a stage of the thread's first chunks, after which the order of pieces repeats
	along      string    // position of the first chunk, or of its first element, along m or n
	depth      string    // position of the first chunk along k, relative to that of the tile
	read       []string  // offsets in a stage from which the lane reads
	frag       [2][]string
}

// steps is the number of instructions along k in a tile.
const steps = 4

// pieces returns the number of pieces of 16 bytes of a line.
func (t *mma) pieces(s *side) int {
	if s.transposed {
		return s.lines * t.Kind.Size() / 16
	}
	return t.Tile[2] * t.Kind.Size() / 16
}

// rows returns the number of lines of an operand in shared memory.
func (t *mma) rows(s *side) int {
	if s.transposed {
		return t.Tile[2]
	}
	return s.lines
}

// stride returns the number of lines from one chunk that a thread copies to its next one.
func (t *mma) stride(s *side) int { return t.Threads() / t.pieces(s) }

func (t *mma) pitch(s *side) int {
	if t.Unit == simt.WGMMA {
		return 128
	}
	return 16 * t.pieces(s)
}

// period returns the number of lines after which the order of pieces repeats.
func (t *mma) period(s *side) int {
	if s.transposed && t.Kind == simt.TF32 {
		return 4
	}
	return 8
}

// place prints where a piece of a line is, from an address on.
func (t *mma) place(s *side, line, piece string, at any) string {
	at = t.calc(half, "mad.lo.u32", line, t.pitch(s), at)
	if t.pitch(s) < 16*t.pieces(s) { // lines of the next 128 bytes follow those of the first
		at = t.calc(half, "mad.lo.u32", t.calc(half, "shr.u32", piece, 3), 128*(t.rows(s)-1), at)
	}
	x := t.calc(half, "and.b32", line, t.period(s)-1)
	if t.period(s) == 4 {
		x = t.calc(half, "shl.b32", x, 1)
	}
	return t.calc(half, "mad.lo.u32", t.calc(half, "xor.b32", piece, x), 16, at)
}

func (t *mma) print() {
	t.tid = t.calc(half, "mov.u32", "%tid.x")
	t.lane = t.calc(half, "and.b32", t.tid, 31)
	t.k, t.end = "0", fmt.Sprint(t.K)
	if t.inParts() {
		t.k, t.end = t.temp(half), t.temp(half)
	}
	t.base = t.aligned()
	size := t.Kind.Size()
	t.sides = [2]*side{
		{Operand: t.A, buffer: 0, extent: t.M, lines: t.Tile[0]},
		{Operand: t.B, buffer: 1, extent: t.N, lines: t.Tile[1], shared: t.Tile[0] * t.Tile[2] * size},
	}
	warp := t.calc(half, "shr.u32", t.tid, 5)
	at := [2]string{t.calc(half, "div.u32", warp, t.Warps[1]), t.calc(half, "rem.u32", warp, t.Warps[1])}
	for i, s := range t.sides {
		x := t.Side(i)
		s.transposed, s.aligned, s.group, s.shifted = x.Transposed, x.Whole, x.Group, x.Shifted
		if x.Gathered {
			s.gathered = t.gather(i)
		}
		s.first = t.temp(half)
		s.from = t.temp(full)
		pieces := t.pieces(s)
		line, piece := t.calc(half, "div.u32", t.tid, pieces), t.calc(half, "rem.u32", t.tid, pieces)
		for at := 0; at == 0 || at < t.period(s) && at < t.rows(s); at += t.stride(s) {
			l := t.calc(half, "add.u32", line, at)
			s.to = append(s.to, t.place(s, l, piece, s.shared))
		}
		element := t.calc(half, "mul.lo.u32", piece, 16/size)
		if s.along, s.depth = line, element; s.transposed {
			s.along, s.depth = element, line
		}
		if t.Unit == simt.WGMMA {
			continue
		}
		t.reading(s, at[i], i == 0)
		for b := range s.frag {
			n := 8 // blocks of 8 rows or columns, two registers each
			for range 2 * n {
				s.frag[b] = append(s.frag[b], t.temp(half))
			}
		}
	}
	t.acc = make([]string, 128)
	if t.Unit == simt.WGMMA {
		t.acc = t.acc[:t.Tile[0]*t.Tile[1]/t.Threads()]
	}
	for i := range t.acc {
		t.acc[i] = t.temp(single)
	}
	tm, tn := t.Tiles()
	i, count := t.calc(half, "mov.u32", "%ctaid.x"), t.calc(half, "mov.u32", "%nctaid.x")
	t.loopWhile(func() string { return t.calc(predicate, "setp.lt.u32", i, tm*tn*t.Batches()) }, func() {
		row, col, batch := t.tile(i)
		t.line("mov.u32 %s, %s", t.sides[0].first, row)
		t.line("mov.u32 %s, %s", t.sides[1].first, col)
		t.start(batch)
		if t.Windows != nil {
			t.startWindows(batch)
		}
		if t.Unit == simt.WGMMA {
			t.multiplyShared(row, col, batch)
			t.line("add.u32 %s, %s, %s", i, i, count)
			return
		}
		t.multiply()
		r := t.calc(half, "mad.lo.u32", at[0], 64, row)
		r = t.calc(half, "add.u32", r, t.calc(half, "shr.u32", t.lane, 2))
		c := t.calc(half, "mad.lo.u32", at[1], 64, col)
		for m := range 4 {
			for h := range 2 {
				rr := t.calc(half, "add.u32", r, 16*m+8*h)
				inside := t.calc(predicate, "setp.lt.u32", rr, t.M)
				address := t.rowAddress(batch, rr)
				var sums []string
				for n := range 8 {
					x := 4*(8*m+n) + 2*h
					sums = append(sums, t.acc[x], t.acc[x+1])
				}
				t.storeRow(address, inside, c, t.lane, sums)
			}
		}
		if t.Windows == nil { // else the next tile waits when it has its entries
			t.line("bar.sync 0")
		}
		t.line("add.u32 %s, %s, %s", i, i, count)
	})
}

// reading prints the offsets from which a lane reads the fragments of its warp.
func (t *mma) reading(s *side, warp string, left bool) {
	const part = 64
	low := t.calc(half, "and.b32", t.lane, 7)
	idx := t.calc(half, "shr.u32", t.lane, 3)
	one, two := t.calc(half, "and.b32", idx, 1), t.calc(half, "shr.u32", idx, 1)
	if !left {
		one, two = two, one
	}
	start := t.calc(half, "mul.lo.u32", warp, part*t.Kind.Size())
	if !s.transposed {
		line := t.calc(half, "mad.lo.u32", one, 8, low)
		line = t.calc(half, "mad.lo.u32", warp, part, line)
		base := t.calc(half, "mad.lo.u32", line, t.pitch(s), s.shared)
		for j := range steps {
			piece := t.calc(half, "xor.b32", t.calc(half, "add.u32", two, 2*j), low)
			s.read = append(s.read, t.calc(half, "mad.lo.u32", piece, 16, base))
		}
		return
	}
	if t.Kind != simt.TF32 {
		line := t.calc(half, "mad.lo.u32", two, 8, low)
		base := t.calc(half, "mad.lo.u32", line, t.pitch(s), start)
		base = t.calc(half, "add.u32", base, s.shared)
		for i := range 4 {
			piece := t.calc(half, "xor.b32", t.calc(half, "add.u32", one, 2*i), low)
			s.read = append(s.read, t.calc(half, "mad.lo.u32", piece, 16, base))
		}
		return
	}
	g, k := t.calc(half, "shr.u32", t.lane, 2), t.calc(half, "and.b32", t.lane, 3)
	base := t.calc(half, "mad.lo.u32", k, t.pitch(s), start)
	base = t.calc(half, "mad.lo.u32", t.calc(half, "and.b32", g, 3), 4, base)
	base = t.calc(half, "add.u32", base, s.shared)
	for u := range 4 {
		piece := t.calc(half, "add.u32", t.calc(half, "shr.u32", g, 2), 2*u)
		piece = t.calc(half, "xor.b32", piece, t.calc(half, "shl.b32", k, 1))
		s.read = append(s.read, t.calc(half, "mad.lo.u32", piece, 16, base))
	}
}

// fragments prints the reads of the operands of step j from a stage at an address.
func (t *mma) fragments(at string, j, buffer int) {
	for i, s := range t.sides {
		f := s.frag[buffer]
		for b := range 4 { // blocks of 16 rows or columns
			switch {
			case !s.transposed:
				x := t.calc(half, "add.u32", at, s.read[j])
				t.line("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%s}, [%s+%d]", strings.Join(f[4*b:4*b+4], ", "), x, 16*b*t.pitch(s))
			case t.Kind != simt.TF32:
				x := t.calc(half, "add.u32", at, s.read[b])
				t.line("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%s}, [%s+%d]", strings.Join(f[4*b:4*b+4], ", "), x, 16*j*t.pitch(s))
			default:
				// Lane 4g + k reads elements (g, k), (g+8, k), (g, k+4), (g+8, k+4) of A, and rows k and k+4 of two blocks of B.
				for r := range 4 {
					h, deep := r&1, r>>1
					if i == 1 {
						h, deep = deep, h
					}
					u := 2*b + h
					x := t.calc(half, "add.u32", at, s.read[u&3])
					t.line("ld.shared.u32 %s, [%s+%d]", f[4*b+r], x, (8*j+4*deep)*t.pitch(s)+u>>2*128)
				}
			}
		}
		if t.Kind == simt.TF32 {
			for _, r := range f {
				t.roundTF32(r, r)
			}
		}
	}
}

func (t *mma) multiply() {
	for _, a := range t.acc {
		t.line("mov.f32 %s, 0f00000000", a)
	}
	if t.Windows != nil {
		t.fetchFirst()
	} else {
		for s := range t.Stages - 1 {
			if s*t.Tile[2] < t.K {
				t.fetch(t.calc(half, "mov.u32", s), t.calc(half, "mov.u32", s*t.Tile[2]))
			}
			t.line("cp.async.commit_group")
		}
	}
	k := t.calc(half, "mov.u32", t.k)
	stage, ahead := t.calc(half, "mov.u32", 0), t.calc(half, "mov.u32", t.Stages-1)
	at := t.temp(half)
	ready := func() {
		t.line("cp.async.wait_group %d", t.Stages-2)
		t.line("bar.sync 0")
		t.line("mad.lo.u32 %s, %s, %d, %s", at, stage, t.StageBytes(), t.base)
	}
	next := func(s string) {
		t.line("add.u32 %s, %s, 1", s, s)
		p := t.calc(predicate, "setp.eq.u32", s, t.Stages)
		t.line("@%s mov.u32 %s, 0", p, s)
	}
	ready()
	t.fragments(at, 0, 0)
	t.loopWhile(func() string { return t.calc(predicate, "setp.lt.u32", k, t.end) }, func() {
		for j := range steps {
			if j == 1 {
				later := t.calc(half, "add.u32", k, (t.Stages-1)*t.Tile[2])
				t.ifTrue(t.calc(predicate, "setp.lt.u32", later, t.end), func() { t.fetch(ahead, later) })
				t.line("cp.async.commit_group")
				next(ahead)
			}
			if j == steps-1 {
				next(stage)
				ready()
			}
			t.fragments(at, (j+1)%steps, (j+1)%2)
			t.products(j % 2)
		}
		t.line("add.u32 %s, %s, %d", k, k, t.Tile[2])
	})
	t.line("cp.async.wait_group 0")
}

func (t *mma) products(buffer int) {
	a, b := t.sides[0].frag[buffer], t.sides[1].frag[buffer]
	shape := "m16n8k16"
	if t.Kind == simt.TF32 {
		shape = "m16n8k8"
	}
	kind := t.Kind.String()
	for m := range 4 {
		for n := range 8 {
			c := strings.Join(t.acc[4*(8*m+n):4*(8*m+n)+4], ", ")
			t.line("mma.sync.aligned.%s.row.col.f32.%s.%s.f32 {%s}, {%s}, {%s}, {%s}", shape, kind, kind,
				c, strings.Join(a[4*m:4*m+4], ", "), strings.Join(b[2*n:2*n+2], ", "), c)
		}
	}
}
