package ptx

import (
	"fmt"
	"math"

	"github.com/weft-go/weft/lower/simt"
)

// attention prints an attention by mma.sync. Each of four warps computes the results of 16 queries:
// it keeps their scores with a block of keys, their maxima, sums and results in registers. The next
// keys are copied while scores become weights, the next values while scores are computed.
type attention struct {
	*printer
	*simt.Attention
	tid, lane, warp string
	pair            string // the first column of the lane in a block of eight
	low, one, two   string // bits of the lane: the last three, the fourth, the fifth
	copies          [4]*rowCopy
	read            [3]string // addresses from which the lane reads Q, K and V
	block           int       // rows that are computed with at a time
	scores, sums    []string
	most, total     [2]string // maxima and sums of the lane's rows, which are 8 apart
	index           []string  // of the item along each batch axis
	first           string    // the first query of the tile
	keys            string    // the first key of the block that is computed with
	limit           string    // of a causal attention: the first key that no query of the tile has
	row             [2]string // the lane's queries
	near            [6][2]string
}

// rowCopy is how the group copies rows of an operand to shared memory.
type rowCopy struct {
	operand, extent  int
	rows             int
	at               int    // offset in shared memory
	pieces           int    // pieces of 16 bytes of a row
	line, from, next string // row and offset in it that the thread copies first, and the address that it copies next
	to               string
}

func (t *attention) print() {
	t.block = t.Block()
	t.lanes(t.calc(half, "mov.u32", "%tid.x"))
	base := t.calc(half, "mov.u32", t.name+"_s")
	at := 0
	for i, extent := range []int{t.T, t.S, t.S} {
		rows := t.block
		if i == simt.Queries {
			rows = simt.AttentionQueries
		}
		at = t.layOut(base, i, extent, rows, at)
	}
	t.read = [3]string{t.asRows(base, simt.Queries), t.asColumns(base, simt.Keys), t.asMixed(base, simt.Values)}
	t.scores, t.sums = t.floats(t.block/2), t.floats(t.D/2)
	for h := range 2 {
		t.most[h], t.total[h] = t.temp(single), t.temp(single)
	}
	t.keys = t.temp(half)
	if t.Causal {
		t.limit = t.temp(half)
	}
	i, count := t.calc(half, "mov.u32", "%ctaid.x"), t.calc(half, "mov.u32", "%nctaid.x")
	t.loopWhile(func() string { return t.calc(predicate, "setp.lt.u32", i, t.Batches()*t.Tiles()) }, func() {
		t.item(i)
		t.begin()
		t.loopWhile(func() string { return t.before(t.keys) }, t.step)
		t.end()
		t.line("add.u32 %s, %s, %s", i, i, count)
	})
}

func (t *attention) floats(n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = t.temp(single)
	}
	return all
}

// lanes prints the numbers of a thread in its group and its warp.
func (t *attention) lanes(tid string) {
	t.tid = tid
	t.lane, t.warp = t.calc(half, "and.b32", t.tid, 31), t.calc(half, "shr.u32", t.tid, 5)
	t.pair = t.calc(half, "shl.b32", t.calc(half, "and.b32", t.lane, 3), 1)
	t.low = t.calc(half, "and.b32", t.lane, 7)
	t.one = t.calc(half, "and.b32", t.calc(half, "shr.u32", t.lane, 3), 1)
	t.two = t.calc(half, "shr.u32", t.lane, 4)
}

// layOut prints which pieces of an operand's rows the thread copies to shared memory, where the rows begin at offset `at`. It
// returns the offset behind the rows.
func (t *attention) layOut(base string, operand, extent, rows, at int) (end int) {
	c := &rowCopy{operand: operand, extent: extent, rows: rows, at: at, pieces: (t.Pitch(operand) - 16) / 16}
	c.line = t.calc(half, "div.u32", t.tid, c.pieces)
	piece := t.calc(half, "rem.u32", t.tid, c.pieces)
	c.to = t.calc(half, "mad.lo.u32", c.line, t.Pitch(operand), base)
	c.to = t.calc(half, "mad.lo.u32", piece, 16, c.to)
	c.from, c.next = t.calc(full, "mul.wide.u32", piece, 16), t.temp(full)
	t.copies[operand] = c
	return at + rows*t.Pitch(operand)
}

// matrix prints the address from which a lane reads its row of matrices of 8 rows of 16 bytes.
func (t *attention) matrix(base string, operand int, eights, byte16 string) string {
	line := t.calc(half, "mad.lo.u32", eights, 8, t.low)
	x := t.calc(half, "mad.lo.u32", line, t.Pitch(operand), base)
	x = t.calc(half, "mad.lo.u32", byte16, 16, x)
	return t.calc(half, "add.u32", x, t.copies[operand].at)
}

// asRows prints the address from which a lane reads its warp's 16 rows of an operand, which is the left operand of scores.
func (t *attention) asRows(base string, operand int) string {
	return t.calc(half, "mad.lo.u32", t.warp, 16*t.Pitch(operand), t.matrix(base, operand, t.one, t.two))
}

// asColumns prints the address of an operand each of whose rows is a column of scores.
func (t *attention) asColumns(base string, operand int) string {
	return t.matrix(base, operand, t.two, t.one)
}

// asMixed prints the address of an operand whose rows are added with weights.
func (t *attention) asMixed(base string, operand int) string {
	if t.Kind != simt.TF32 {
		return t.matrix(base, operand, t.one, t.two)
	}
	x := t.calc(half, "mad.lo.u32", t.pair, t.Pitch(operand), base)
	x = t.calc(half, "mad.lo.u32", t.calc(half, "shr.u32", t.lane, 2), 4, x)
	return t.calc(half, "add.u32", x, t.copies[operand].at)
}

// locate prints which queries item i has.
func (t *attention) locate(i string) {
	b := t.calc(half, "div.u32", i, t.Tiles())
	t.first = t.calc(half, "mul.lo.u32", t.calc(half, "rem.u32", i, t.Tiles()), t.Queries())
	t.index = make([]string, len(t.Batch))
	t.indices(b, 0, len(t.Batch))
}

// item prints which queries item i has, and the addresses of its operands.
func (t *attention) item(i string) {
	t.locate(i)
	t.lines()
	for i, c := range t.copies[:simt.Mixed] {
		if i == simt.Queries {
			t.place(i, t.first)
			continue
		}
		t.line("mad.lo.s64 %s, %s, %d, %s", c.next, t.calc(full, "cvt.u64.u32", c.line), t.Row[i]*t.Kind.Size(), t.calc(full, "add.u64", t.start(i, t.Kind.Size()), c.from))
	}
	t.aim()
}

// aim prints the addresses of bias and mask for the lane's rows and its first column.
func (t *attention) aim() {
	for _, o := range t.scored() {
		start := t.start(o.operand, o.size)
		start = t.calc(full, "mad.lo.s64", t.calc(full, "cvt.u64.u32", t.pair), t.Column[o.operand]*o.size, start)
		for h, row := range t.row {
			t.near[o.operand][h] = t.calc(full, "mad.lo.s64", t.calc(full, "cvt.u64.u32", row), t.Row[o.operand]*o.size, start)
		}
	}
}

// indices prints the index along each of the batch axes from, …, to−1. b is the number of the item among these axes; the
// index along the last axis changes fastest.
func (t *attention) indices(b string, from, to int) {
	for d := to - 1; d >= from; d-- {
		if t.index[d] = b; d > from {
			t.index[d], b = t.calc(half, "rem.u32", b, t.Batch[d].N), t.calc(half, "div.u32", b, t.Batch[d].N)
		}
	}
}

// lines prints the lane's two rows of the tile.
func (t *attention) lines() {
	g := t.calc(half, "mad.lo.u32", t.warp, 16, t.calc(half, "shr.u32", t.lane, 2))
	for h := range t.row {
		t.row[h] = t.calc(half, "add.u32", t.first, t.calc(half, "add.u32", g, 8*h))
	}
}

// place prints the address from which the thread copies next: its piece of an operand's rows from row `first` on.
func (t *attention) place(operand int, first string) {
	c, size := t.copies[operand], t.Kind.Size()
	at := t.calc(full, "add.u64", t.start(operand, size), c.from)
	line := t.calc(half, "add.u32", c.line, first)
	t.line("mad.lo.s64 %s, %s, %d, %s", c.next, t.calc(full, "cvt.u64.u32", line), t.Row[operand]*size, at)
}

// scored is an operand that has an element for each score.
type scored struct{ operand, size int }

func (t *attention) scored() []scored {
	var all []scored
	if t.Biased {
		all = append(all, scored{simt.Bias, 4})
	}
	if t.Masked {
		all = append(all, scored{simt.Mask, 1})
	}
	return all
}

// start prints the address of the first element of an operand for the item.
func (t *attention) start(operand, size int) string {
	at := t.calc(full, "add.u64", fmt.Sprintf("%%base%d", t.Buffer(operand)), t.Offset[operand]*size)
	for d, b := range t.Batch {
		if b.Steps[operand] != 0 && b.N > 1 {
			at = t.calc(full, "mad.lo.s64", t.calc(full, "cvt.u64.u32", t.index[d]), b.Steps[operand]*size, at)
		}
	}
	return at
}

// begin prints the first copies, and the state before any key.
func (t *attention) begin() {
	q := t.copies[simt.Queries]
	t.copy(q, t.first)
	t.bound()
	zero := t.calc(half, "mov.u32", 0)
	for _, c := range t.copies[simt.Keys:simt.Mixed] {
		t.copy(c, zero)
		t.line("cp.async.commit_group")
	}
	t.clear()
}

// bound prints the initial values of keys and, for a causal attention, of limit.
func (t *attention) bound() {
	t.line("mov.u32 %s, 0", t.keys)
	if t.Causal {
		t.line("add.u32 %s, %s, %d", t.limit, t.first, t.Queries())
		t.line("min.u32 %s, %s, %d", t.limit, t.limit, t.S)
	}
}

// clear prints the state before any key.
func (t *attention) clear() {
	for _, s := range t.sums {
		t.line("mov.f32 %s, 0f00000000", s)
	}
	for h := range 2 {
		t.line("mov.f32 %s, 0f%08X", t.most[h], math.Float32bits(float32(math.Inf(-1))))
		t.line("mov.f32 %s, 0f00000000", t.total[h])
	}
}

// copy prints the copies of rows from row `first` on. Rows that do not exist become zeros.
func (t *attention) copy(c *rowCopy, first string) {
	each := simt.AttentionThreads / c.pieces // rows at once
	step := t.Row[c.operand] * t.Kind.Size()
	line := t.calc(half, "add.u32", c.line, first)
	some := "" // the threads that copy
	if each > c.rows {
		some = "@" + t.calc(predicate, "setp.lt.u32", c.line, c.rows) + " "
	}
	for r := 0; r < c.rows; r += each {
		to, from := t.calc(half, "add.u32", c.to, c.at+r*t.Pitch(c.operand)), c.next
		if r > 0 {
			from = t.calc(full, "add.u64", from, r*step)
		}
		if c.extent%c.rows == 0 {
			t.line("%scp.async.cg.shared.global [%s], [%s], 16", some, to, from)
			continue
		}
		p := t.calc(predicate, "setp.lt.u32", t.calc(half, "add.u32", line, r), c.extent)
		from = t.calc(full, "selp.b64", from, fmt.Sprintf("%%base%d", c.operand), p)
		t.line("%scp.async.cg.shared.global [%s], [%s], 16, %s", some, to, from, t.calc(half, "selp.b32", 16, 0, p))
	}
	t.line("add.u64 %s, %s, %d", c.next, c.next, c.rows*step)
}

// before prints the test whether a query of the tile has a key.
func (t *attention) before(key string) string {
	if t.Causal {
		return t.calc(predicate, "setp.lt.u32", key, t.limit)
	}
	return t.calc(predicate, "setp.lt.u32", key, t.S)
}

// step prints the work with a block of keys.
func (t *attention) step() {
	later := t.calc(half, "add.u32", t.keys, t.block)
	more := t.before(later)
	arrived := func() {
		t.line("cp.async.wait_group 1")
		t.line("bar.sync 0")
	}
	next := func(operand int) {
		t.line("bar.sync 0")
		t.ifTrue(more, func() { t.copy(t.copies[operand], later) })
		t.line("cp.async.commit_group")
	}
	arrived()
	t.fit(t.scores, t.read[simt.Queries], t.read[simt.Keys], simt.Keys)
	next(simt.Keys)
	t.weigh()
	arrived()
	t.mix(t.sums, t.scores, t.read[simt.Values], simt.Values)
	next(simt.Values)
	t.line("mov.u32 %s, %s", t.keys, later)
}

// end prints the division by the sums and the stores of the results. All copies have been waited
// for, and no thread has read shared memory since the last barrier.
func (t *attention) end() {
	start := t.start(simt.Mixed, t.Out().Size())
	size := t.Out().Size()
	at := t.calc(full, "mad.lo.s64", t.calc(full, "cvt.u64.u32", t.pair), size, start)
	for h, row := range t.row {
		t.across(t.total[h], "add.rn.f32")
		address := t.calc(full, "mad.lo.s64", t.calc(full, "cvt.u64.u32", row), t.Row[simt.Mixed]*size, at)
		inside := t.calc(predicate, "setp.lt.u32", row, t.T)
		for n := range t.D / 8 {
			x := t.calc(single, "div.rn.f32", t.sums[4*n+2*h], t.total[h])
			y := t.calc(single, "div.rn.f32", t.sums[4*n+2*h+1], t.total[h])
			place := t.calc(full, "add.u64", address, 8*n*size)
			if t.Narrow {
				t.line("@%s st.global.b32 [%s], %s", inside, place, t.calc(half, "cvt.rn."+t.Kind.String()+"x2.f32", y, x))
				continue
			}
			t.line("@%s st.global.v2.f32 [%s], {%s, %s}", inside, place, x, y)
		}
	}
}
