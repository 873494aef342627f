package ptx

import (
	"strings"

	"github.com/weft-go/weft/lower/simt"
)

// tcgen05 prints a product by tcgen05, whose sums are in tensor memory. That has 128 lanes, one for
// each row of a tile, and columns of 32 bits. Four warps store a tile of sums, 32 rows each.
// Meanwhile a thread of the fifth warp starts the copies by TMA, and a thread of the sixth starts
// the products of the other tile. Each tile of sums has two barriers, which follow those of the
// stages: one for its products, and one for the four warps that have read it.
type tcgen05 struct{ copied }

// Warps of a group.
const (
	storingWarps    = 4
	multiplyingWarp = 5
)

func (t *tcgen05) print() {
	tid := t.calc(half, "mov.u32", "%tid.x")
	t.base = t.aligned()
	warp, lane := t.calc(half, "shr.u32", tid, 5), t.calc(half, "and.b32", tid, 31)
	t.ifTrue(t.calc(predicate, "setp.eq.u32", tid, 0), func() {
		t.barriers(0, t.Stages, 1)
		t.barriers(t.Stages, simt.Accumulators, storingWarps)
		t.line("fence.mbarrier_init.release.cluster")
	})
	multiplies := t.calc(predicate, "setp.eq.u32", warp, multiplyingWarp)
	place := t.calc(half, "add.u32", t.base, t.Stages*t.StageBytes()+16*(t.Stages+simt.Accumulators))
	t.ifTrue(multiplies, func() {
		t.line("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%s], %d", place, t.TensorColumns())
		t.line("tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned")
		t.line("tcgen05.fence::before_thread_sync")
	})
	t.line("bar.sync 0")
	memory := t.calc(half, "ld.shared.u32", "["+place+"]")
	leads := t.calc(predicate, "setp.eq.u32", lane, 0)
	store, product, done, end := t.label(), t.label(), t.label(), t.label()
	t.line("@%s bra %s", t.calc(predicate, "setp.lt.u32", warp, storingWarps), store)
	t.line("@!%s bra %s", leads, done)
	t.line("@%s bra %s", multiplies, product)
	s, n := t.copy(), t.calc(half, "mov.u32", 0)
	// The products that have read a stage arrive at its barrier before the group ends.
	t.loopWhile(func() string { return t.calc(predicate, "setp.lt.u32", n, t.Stages) }, func() {
		t.wait(t.full(s.stage), 8, s.parity)
		t.next(s, t.Stages)
		t.line("add.u32 %s, %s, 1", n, n)
	})
	t.line("bra %s", done)
	t.at(product)
	t.multiply(memory)
	t.at(done)
	t.line("bar.warp.sync -1")
	t.line("bra %s", end)
	t.at(store)
	t.storeTiles(memory, warp, lane, leads)
	t.at(end)
	t.line("bar.sync 0")
	t.ifTrue(multiplies, func() {
		t.line("tcgen05.fence::after_thread_sync")
		t.line("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %s, %d", memory, t.TensorColumns())
	})
}

// sums prints the barriers of a tile of sums, and its address in tensor memory.
func (t *tcgen05) sums(tile, memory string) (bar, at string) {
	return t.full(t.calc(half, "add.u32", tile, t.Stages)), t.calc(half, "mad.lo.u32", tile, t.Tile[1], memory)
}

// reached prints a wait until a stage or a tile of sums is full, which orders accesses to tensor memory.
func (t *tcgen05) reached(bar, parity string) {
	t.wait(bar, 0, parity)
	t.line("tcgen05.fence::after_thread_sync")
}

// describe returns the instruction's descriptor: sums in f32, the operands' format and orders, and the tile's size.
func (t *tcgen05) describe() uint32 {
	format := map[simt.TensorKind]uint32{simt.F16: 0, simt.BF16: 1, simt.TF32: 2}[t.Kind]
	return 1<<4 | format<<7 | format<<10 | uint32(bit(t.transposed(0)))<<15 | uint32(bit(t.transposed(1)))<<16 | uint32(t.Tile[1]/8)<<17 | uint32(t.Tile[0]/16)<<24
}

// multiply prints the loop that starts the products of all tiles.
func (t *tcgen05) multiply(memory string) {
	zero := func() string { return t.calc(half, "mov.u32", 0) }
	s, sums := state{zero(), zero()}, state{zero(), t.calc(half, "mov.u32", 1)}
	left, right := t.operand(t.transposed(0)), t.operand(t.transposed(1))
	const version = 1 << 46 // in descriptors of this unit
	left.high, right.high = left.high|version, right.high|version
	steps := (t.K + t.Tile[2] - 1) / t.Tile[2]
	depth := 32 / t.Kind.Size()
	kind := "f16"
	if t.Kind == simt.TF32 {
		kind = "tf32"
	}
	what := t.calc(half, "mov.u32", t.describe())
	always := t.calc(predicate, "setp.eq.u32", 0, 0)
	t.eachTile(func(_, _, _ string) {
		bar, to := t.sums(sums.stage, memory)
		t.wait(bar, 8, sums.parity)
		k := zero()
		t.loopWhile(func() string { return t.calc(predicate, "setp.lt.u32", k, steps) }, func() {
			stage := t.full(s.stage)
			t.reached(stage, s.parity)
			at := t.calc(half, "mad.lo.u32", s.stage, t.StageBytes(), t.base)
			more := t.calc(predicate, "setp.ne.u32", k, 0)
			a, b := t.descriptor(at, left.high), t.descriptor(t.calc(half, "add.u32", at, t.offset(1)), right.high)
			for j := range t.Tile[2] / depth {
				if j > 0 {
					more = always
					a, b = t.calc(full, "add.u64", a, left.step/16), t.calc(full, "add.u64", b, right.step/16)
				}
				t.line("tcgen05.mma.cta_group::1.kind::%s [%s], %s, %s, %s, %s", kind, to, a, b, what, more)
			}
			t.commit(stage, 8)
			t.next(s, t.Stages)
			t.line("add.u32 %s, %s, 1", k, k)
		})
		t.commit(bar, 0)
		t.next(sums, simt.Accumulators)
	})
}

// commit prints that the end of all products so far arrives at a barrier.
func (t *tcgen05) commit(bar string, offset int) {
	t.line("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%s+%d]", bar, offset)
}

// storeTiles prints the loop that stores the sums of a warp's 32 rows of all tiles, 16 rows and up to 128 columns at once. A lane
// has what it would have of a product by wgmma.
func (t *tcgen05) storeTiles(memory, warp, lane, leads string) {
	sums := state{t.calc(half, "mov.u32", 0), t.calc(half, "mov.u32", 0)}
	width := min(t.Tile[1], 128)
	t.eachTile(func(row, col, batch string) {
		bar, at := t.sums(sums.stage, memory)
		t.reached(bar, sums.parity)
		at = t.calc(half, "mad.lo.u32", warp, 32<<16, at)
		row = t.calc(half, "mad.lo.u32", warp, 32, row)
		row = t.calc(half, "add.u32", row, t.calc(half, "shr.u32", lane, 2))
		for from := 0; from < 2*t.Tile[1]; from += width {
			h, c := from/t.Tile[1], from%t.Tile[1]
			acc := make([]string, width/2)
			for i := range acc {
				acc[i] = t.temp(single)
			}
			t.line("tcgen05.ld.sync.aligned.16x256b.x%d.b32 {%s}, [%s+%d]", width/8, strings.Join(acc, ", "), at, h<<20+c)
			t.line("tcgen05.wait::ld.sync.aligned")
			if from+width == 2*t.Tile[1] {
				t.line("tcgen05.fence::before_thread_sync")
				t.line("@%s mbarrier.arrive.shared::cta.b64 _, [%s+8]", leads, bar)
			}
			t.storeRows(t.calc(half, "add.u32", row, 16*h), t.calc(half, "add.u32", col, c), batch, lane, acc)
		}
		t.next(sums, simt.Accumulators)
	})
}
