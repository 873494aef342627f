package ptx

import "github.com/weft-go/weft/lower/simt"

// ahead returns the number of tiles of k that are copied before they are multiplied. When wgmma starts with a tile, it may still read
// the tile before, whose stage is not free yet.
func (t *mma) ahead() int {
	if t.Unit == simt.WGMMA {
		return t.Stages - 2
	}
	return t.Stages - 1
}

// multiplyShared prints the sums of a tile of a convolution by wgmma, and their stores. Each four
// warps multiply one or more neighbouring blocks of 64 rows. All threads start the products of a
// stage, and then copy a later tile of k to the stage whose products they waited for before the
// last barrier.
func (t *mma) multiplyShared(row, col, batch string) {
	a, b := t.sides[0], t.sides[1]
	left, right := t.operand(a.transposed), t.operand(b.transposed)
	warp := t.calc(half, "shr.u32", t.tid, 5)
	four := t.calc(half, "shr.u32", warp, 2)
	sums := t.Tile[1] / 2
	blocks := len(t.acc) / sums
	first := t.calc(half, "mul.lo.u32", four, blocks) // block of 64 rows
	t.fetchFirst()
	k, start := t.calc(half, "mov.u32", t.k), t.calc(half, "mov.u32", t.k)
	stage, ahead := t.calc(half, "mov.u32", 0), t.calc(half, "mov.u32", t.ahead())
	always := t.calc(predicate, "setp.eq.u32", 0, 0)
	next := func(s string) {
		t.line("add.u32 %s, %s, 1", s, s)
		t.line("@%s mov.u32 %s, 0", t.calc(predicate, "setp.eq.u32", s, t.Stages), s)
	}
	const block = 64 * 128 // bytes of 64 rows
	t.loopWhile(func() string { return t.below(k, t.end) }, func() {
		t.line("cp.async.wait_group %d", t.ahead()-1)
		t.line("fence.proxy.async.shared::cta") // what threads have copied, and stored, is read by wgmma
		t.line("bar.sync 0")
		at := t.calc(half, "mad.lo.u32", stage, t.StageBytes(), t.base)
		from := [2]string{t.descriptor(t.calc(half, "mad.lo.u32", first, block, at), left.high), t.descriptor(t.calc(half, "add.u32", at, t.offset(1)), right.high)}
		more := t.calc(predicate, "setp.ne.u32", k, start)
		t.line("wgmma.fence.sync.aligned")
		for j := range steps {
			if j > 0 {
				from[0], from[1] = t.calc(full, "add.u64", from[0], left.step/16), t.calc(full, "add.u64", from[1], right.step/16)
				more = always
			}
			for i := range blocks {
				x := from[0]
				if i > 0 {
					x = t.calc(full, "add.u64", x, i*block/16)
				}
				t.wgmma(t.acc[i*sums:][:sums], x, from[1], more, a.transposed, b.transposed)
			}
		}
		t.line("wgmma.commit_group.sync.aligned")
		later := t.calc(half, "add.u32", k, t.ahead()*t.Tile[2])
		t.ifTrue(t.below(later, t.end), func() { t.fetch(ahead, later) })
		t.line("cp.async.commit_group")
		next(ahead)
		next(stage)
		t.line("wgmma.wait_group.sync.aligned 1")
		t.line("add.u32 %s, %s, %d", k, k, t.Tile[2])
	})
	t.line("wgmma.wait_group.sync.aligned 0")
	r := t.calc(half, "mad.lo.u32", first, 64, row)
	r = t.calc(half, "mad.lo.u32", t.calc(half, "and.b32", warp, 3), 16, r)
	r = t.calc(half, "add.u32", r, t.calc(half, "shr.u32", t.lane, 2))
	for i := range blocks {
		t.storeRows(t.calc(half, "add.u32", r, 64*i), col, batch, t.lane, t.acc[i*sums:][:sums])
	}
}
