package ptx

import (
	"fmt"
	"strings"

	"github.com/weft-go/weft/lower/simt"
)

// attentionWGMMA prints an attention by wgmma. One thread of the first four warps starts the copies
// by TMA. The next four warps, and the four after them, compute the results of 64 queries each,
// whose scores with a block of keys, maxima, sums and results are in registers. While four warps
// weigh their scores, the other four can multiply. Queries, and each stage of keys and of values,
// have two barriers: one for the bytes that arrive, and one for the eight warps that have read
// them.
type attentionWGMMA struct {
	attention
	base string // of shared memory: queries, stages of keys and values, barriers
}

// line is the number of bytes of a line of shared memory: 64 features.
const line = 128

func (t *attentionWGMMA) rows(operand int) int {
	if operand == simt.Queries {
		return t.Queries()
	}
	return t.block
}

func (t *attentionWGMMA) linesOf(operand int) int {
	if operand == simt.Values {
		return t.D * t.Kind.Size() / line
	}
	return t.H * t.Kind.Size() / line
}

func (t *attentionWGMMA) bytes(operand int) int { return line * t.rows(operand) * t.linesOf(operand) }

// stage prints where an operand is in shared memory, and its barriers, for a stage.
func (t *attentionWGMMA) stage(operand int, stage string) (at, bar string) {
	both, q := t.bytes(simt.Keys)+t.bytes(simt.Values), t.bytes(simt.Queries)
	bars := q + simt.AttentionStages*both
	if operand == simt.Queries {
		return t.base, t.calc(half, "add.u32", t.base, bars)
	}
	from := q
	if operand == simt.Values {
		from += t.bytes(simt.Keys)
	}
	at = t.calc(half, "mad.lo.u32", stage, both, t.calc(half, "add.u32", t.base, from))
	return at, t.calc(half, "mad.lo.u32", stage, 32, t.calc(half, "add.u32", t.base, bars+16*operand))
}

func (t *attentionWGMMA) print() {
	t.block = t.Block()
	tid := t.calc(half, "mov.u32", "%tid.x")
	t.base = t.aligned()
	first := t.calc(predicate, "setp.eq.u32", tid, 0)
	t.ifTrue(first, func() {
		_, bar := t.stage(simt.Queries, "")
		for i := range 1 + 2*simt.AttentionStages {
			t.line("mbarrier.init.shared::cta.b64 [%s+%d], 1", bar, 16*i)
			t.line("mbarrier.init.shared::cta.b64 [%s+%d], %d", bar, 16*i+8, t.Queries()/16)
		}
		t.line("fence.mbarrier_init.release.cluster")
	})
	t.line("bar.sync 0")
	role := t.calc(predicate, "setp.lt.u32", tid, 128)
	multiply, end := t.label(), t.label()
	t.line("@!%s bra %s", role, multiply)
	t.line("setmaxnreg.dec.sync.aligned.u32 %d", copierRegisters)
	t.line("@!%s bra %s", first, end)
	t.keys = t.temp(half)
	if t.Causal {
		t.limit = t.temp(half)
	}
	t.fetch()
	t.line("bra %s", end)
	t.at(multiply)
	t.line("setmaxnreg.inc.sync.aligned.u32 %d", multiplierRegisters)
	t.compute(t.calc(half, "sub.u32", tid, 128))
	t.at(end)
}

// fetch prints the loop that copies the operands of all items.
func (t *attentionWGMMA) fetch() {
	zero := t.calc(half, "mov.u32", 0)
	s, q := state{t.calc(half, "mov.u32", 0), t.calc(half, "mov.u32", 1)}, t.calc(half, "mov.u32", 1)
	var maps [3]string
	for i := range maps {
		maps[i] = t.calc(full, "cvta.param.u64", t.calc(full, "mov.b64", fmt.Sprintf("%s_m%d", t.name, i)))
	}
	t.eachItem(func() {
		copy := func(operand int, stage, row, parity string) {
			at, bar := t.stage(operand, stage)
			t.wait(bar, 8, parity)
			t.line("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%s], %d", bar, t.bytes(operand))
			for l := range t.linesOf(operand) {
				c := append([]string{t.calc(half, "mov.u32", l*line/t.Kind.Size()), row}, t.coords(operand)...)
				t.line("cp.async.bulk.tensor.%dd.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%s+%d], [%s, {%s}], [%s]",
					len(c), at, l*line*t.rows(operand), maps[operand], strings.Join(c, ", "), bar)
			}
		}
		copy(simt.Queries, zero, t.first, q)
		t.line("xor.b32 %s, %s, 1", q, q)
		t.eachBlock(func() {
			copy(simt.Keys, s.stage, t.keys, s.parity)
			copy(simt.Values, s.stage, t.keys, s.parity)
			t.next(s, simt.AttentionStages)
		})
	})
}

// coords returns the coordinates of the item along the batch axes that an operand has, the innermost first.
func (t *attentionWGMMA) coords(operand int) []string {
	var c []string
	for d := len(t.Batch) - 1; d >= 0; d-- {
		if t.Batch[d].Steps[operand] != 0 && t.Batch[d].N > 1 {
			c = append(c, t.index[d])
		}
	}
	return c
}

func (t *attentionWGMMA) eachItem(body func()) {
	i, count := t.calc(half, "mov.u32", "%ctaid.x"), t.calc(half, "mov.u32", "%nctaid.x")
	t.loopWhile(func() string { return t.calc(predicate, "setp.lt.u32", i, t.Batches()*t.Tiles()) }, func() {
		t.locate(i)
		t.bound()
		body()
		t.line("add.u32 %s, %s, %s", i, i, count)
	})
}

func (t *attentionWGMMA) eachBlock(body func()) {
	t.loopWhile(func() string { return t.before(t.keys) }, func() {
		body()
		t.line("add.u32 %s, %s, %d", t.keys, t.keys, t.block)
	})
}

// compute prints the work of the threads that multiply, numbered from 0.
func (t *attentionWGMMA) compute(tid string) {
	t.lanes(tid)
	leads := t.calc(predicate, "setp.eq.u32", t.lane, 0)
	t.scores, t.sums = t.floats(t.block/2), t.floats(t.D/2)
	for h := range 2 {
		t.most[h], t.total[h] = t.temp(single), t.temp(single)
	}
	s, parity := state{t.calc(half, "mov.u32", 0), t.calc(half, "mov.u32", 0)}, t.calc(half, "mov.u32", 0)
	queries, asked := t.stage(simt.Queries, "")
	queries = t.calc(half, "mad.lo.u32", t.calc(half, "shr.u32", t.warp, 2), 64*line, queries)
	t.eachItem(func() {
		t.lines()
		t.aim()
		t.clear()
		t.wait(asked, 0, parity)
		t.eachBlock(func() {
			t.multiply(queries, s, leads)
			t.weigh()
			t.add(s, leads)
			t.next(s, simt.AttentionStages)
		})
		t.line("@%s mbarrier.arrive.shared::cta.b64 _, [%s+8]", leads, asked)
		t.line("xor.b32 %s, %s, 1", parity, parity)
		t.end()
	})
}

// Upper bits of descriptors: the exchange in lines, and the distance of eight lines.
const exchanged, eightLines = 1 << 62, uint64(8*line/16) << 32

// behind prints descriptor d, moved forward by a number of bytes.
func (t *attentionWGMMA) behind(d string, bytes int) string {
	if bytes == 0 {
		return d
	}
	return t.calc(full, "add.u64", d, bytes/16)
}

// multiply prints the scores of the queries with a block of keys.
func (t *attentionWGMMA) multiply(queries string, s state, leads string) {
	at, bar := t.stage(simt.Keys, s.stage)
	t.wait(bar, 0, s.parity)
	a, b := t.descriptor(queries, exchanged|eightLines|1<<16), t.descriptor(at, exchanged|eightLines|1<<16)
	kind := t.Kind.String()
	t.line("wgmma.fence.sync.aligned")
	for k := range t.H / 16 {
		l, in := k/4*line, k%4*32
		more := t.calc(predicate, "setp.ne.u32", k, 0)
		t.line("wgmma.mma_async.sync.aligned.m64n%dk16.f32.%s.%s {%s}, %s, %s, %s, 1, 1, 0, 0", t.block, kind, kind, strings.Join(t.scores, ", "),
			t.behind(a, l*t.rows(simt.Queries)+in), t.behind(b, l*t.block+in), more)
	}
	t.finish(bar, leads)
}

// add prints the sums of the values of a block with the weights, which are the left operand in registers.
func (t *attentionWGMMA) add(s state, leads string) {
	at, bar := t.stage(simt.Values, s.stage)
	kind := t.Kind.String()
	var w [][]string
	for k := range t.block / 16 {
		w = append(w, t.weights(t.scores, k))
	}
	t.wait(bar, 0, s.parity)
	b := t.descriptor(at, exchanged|eightLines|uint64(line*t.block/16)<<16)
	always := t.calc(predicate, "setp.eq.u32", 0, 0)
	t.line("wgmma.fence.sync.aligned")
	for k, a := range w {
		t.line("wgmma.mma_async.sync.aligned.m64n%dk16.f32.%s.%s {%s}, {%s}, %s, %s, 1, 1, 1", t.D, kind, kind, strings.Join(t.sums, ", "), strings.Join(a, ", "), t.behind(b, 16*line*k), always)
	}
	t.finish(bar, leads)
}

// finish prints the wait for products, after which what they have read may be overwritten.
func (t *attentionWGMMA) finish(bar, leads string) {
	t.line("wgmma.commit_group.sync.aligned")
	t.line("wgmma.wait_group.sync.aligned 0")
	t.line("@%s mbarrier.arrive.shared::cta.b64 _, [%s+8]", leads, bar)
}
