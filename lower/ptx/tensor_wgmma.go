package ptx

import (
	"fmt"
	"strings"
)

// wgmma prints a product by wgmma. One thread of the first four warps starts the copies by
// TMA; each of the other groups of four warps multiplies 64 rows of the tile. A stage is empty when
// all of their warps are done.
type wgmma struct{ copied }

// Registers of a thread that copies, and of one that multiplies 64 of 128 rows.
const (
	copierRegisters     = 40
	multiplierRegisters = 232
)

func (t *wgmma) print() {
	rows := t.Tile[0]
	tid := t.calc(half, "mov.u32", "%tid.x")
	t.base = t.aligned()
	first := t.calc(predicate, "setp.eq.u32", tid, 0)
	t.ifTrue(first, func() {
		t.barriers(0, t.Stages, rows/16)
		t.line("fence.mbarrier_init.release.cluster")
	})
	t.line("bar.sync 0")
	role := t.calc(half, "shr.u32", tid, 7)
	copies := t.calc(predicate, "setp.eq.u32", role, 0)
	multiply, end := t.label(), t.label()
	t.line("@!%s bra %s", copies, multiply)
	t.line("setmaxnreg.dec.sync.aligned.u32 %d", copierRegisters)
	t.line("@!%s bra %s", first, end)
	t.copy()
	t.line("bra %s", end)
	t.at(multiply)
	if rows == 128 {
		t.line("setmaxnreg.inc.sync.aligned.u32 %d", multiplierRegisters)
	}
	t.multiply(tid, t.calc(half, "sub.u32", role, 1))
	t.at(end)
}

// multiply prints the products of 64 rows of the tile, from row 64·part on.
func (t *wgmma) multiply(tid, part string) {
	s := state{t.calc(half, "mov.u32", 0), t.calc(half, "mov.u32", 0)}
	lane := t.calc(half, "and.b32", tid, 31)
	warp := t.calc(half, "and.b32", t.calc(half, "shr.u32", tid, 5), 3)
	leads := t.calc(predicate, "setp.eq.u32", lane, 0)
	always := t.calc(predicate, "setp.eq.u32", 0, 0)
	size := t.Kind.Size()
	acc := make([]string, t.Tile[1]/2)
	for i := range acc {
		acc[i] = t.temp(single)
	}
	left, right := t.operand(t.transposed(0)), t.operand(t.transposed(1))
	release := func(stage string) {
		t.line("@%s mbarrier.arrive.shared::cta.b64 _, [%s+8]", leads, t.full(stage))
	}
	steps := (t.K + t.Tile[2] - 1) / t.Tile[2]
	depth := 32 / size
	previous := t.temp(half)
	t.eachTile(func(row, col, batch string) {
		k := t.calc(half, "mov.u32", 0)
		t.loopWhile(func() string { return t.calc(predicate, "setp.lt.u32", k, steps) }, func() {
			t.wait(t.full(s.stage), 0, s.parity)
			at := t.calc(half, "mad.lo.u32", s.stage, t.StageBytes(), t.base)
			more := t.calc(predicate, "setp.ne.u32", k, 0)
			a := t.descriptor(t.calc(half, "mad.lo.u32", part, 64*t.Tile[2]*size, at), left.high)
			b := t.descriptor(t.calc(half, "add.u32", at, t.offset(1)), right.high)
			t.line("wgmma.fence.sync.aligned")
			for j := range t.Tile[2] / depth {
				scale := always
				if j == 0 {
					scale = more
				} else {
					a, b = t.calc(full, "add.u64", a, left.step/16), t.calc(full, "add.u64", b, right.step/16)
				}
				t.wgmma(acc, a, b, scale, t.transposed(0), t.transposed(1))
			}
			t.line("wgmma.commit_group.sync.aligned")
			t.line("wgmma.wait_group.sync.aligned 1")
			t.ifTrue(more, func() { release(previous) })
			t.line("mov.u32 %s, %s", previous, s.stage)
			t.next(s, t.Stages)
			t.line("add.u32 %s, %s, 1", k, k)
		})
		t.line("wgmma.wait_group.sync.aligned 0")
		release(previous)
		t.write(row, col, batch, lane, warp, part, acc)
	})
}

// wgmma prints the product of 64 rows by the columns of a tile, which is added to sums if a predicate holds, and else replaces them.
func (t *tensor) wgmma(acc []string, a, b, add string, left, right bool) {
	size, order := t.Kind.Size(), ""
	if size == 2 {
		order = fmt.Sprintf(", %d, %d", bit(left), bit(right))
	}
	kind := t.Kind.String()
	t.line("wgmma.mma_async.sync.aligned.m64n%dk%d.f32.%s.%s {%s}, %s, %s, %s, 1, 1%s", t.Tile[1], 32/size, kind, kind, strings.Join(acc, ", "), a, b, add, order)
}

// write prints the stores of a tile's sums.
func (t *wgmma) write(row, col, batch, lane, warp, part string, acc []string) {
	row = t.calc(half, "mad.lo.u32", part, 64, row)
	row = t.calc(half, "mad.lo.u32", warp, 16, row)
	t.storeRows(t.calc(half, "add.u32", row, t.calc(half, "shr.u32", lane, 2)), col, batch, lane, acc)
}
