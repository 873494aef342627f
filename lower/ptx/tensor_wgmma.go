package ptx

import (
	"fmt"
	"strings"

	"github.com/weft-go/weft/lower/simt"
)

// wgmma prints a product by wgmma. One thread of the first four warps starts the copies by
// TMA; each of the other groups of four warps multiplies 64 rows of the tile. A stage
// of shared memory has two barriers: it is full when the bytes have arrived, and empty when
// all warps that read it are done.
type wgmma struct{ tensor }

// transposed reports whether neighbours along m or n are neighbours in memory.
func (t *wgmma) transposed(side int) bool { return []simt.Operand{t.A, t.B}[side].K != 1 }

// offset returns where an operand begins in a stage.
func (t *wgmma) offset(side int) int { return side * t.Tile[0] * t.Tile[2] * t.Kind.Size() }

// full prints the address of the barrier for a full stage; the barrier for the empty stage follows it.
func (t *wgmma) full(stage string) string {
	return t.calc(half, "mad.lo.u32", stage, 16, t.calc(half, "add.u32", t.base, t.Stages*t.StageBytes()))
}

// Registers of a thread that copies, and of one that multiplies 64 of 128 rows.
const (
	copierRegisters     = 40
	multiplierRegisters = 232
)

func (t *wgmma) print() {
	rows := t.Tile[0]
	tid := t.calc(half, "mov.u32", "%tid.x")
	t.sharedBase()
	first := t.calc(predicate, "setp.eq.u32", tid, 0)
	t.ifTrue(first, func() {
		for s := range t.Stages {
			at := t.Stages*t.StageBytes() + 16*s
			t.line("mbarrier.init.shared::cta.b64 [%s+%d], 1", t.base, at)
			t.line("mbarrier.init.shared::cta.b64 [%s+%d], %d", t.base, at+8, rows/16)
		}
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

// state is a stage of shared memory and the parity of its barriers.
type state struct{ stage, parity string }

// next prints the step to the next stage.
func (t *wgmma) next(s state) {
	t.line("add.u32 %s, %s, 1", s.stage, s.stage)
	p := t.calc(predicate, "setp.eq.u32", s.stage, t.Stages)
	t.line("@%s mov.u32 %s, 0", p, s.stage)
	t.line("@%s xor.b32 %s, %s, 1", p, s.parity, s.parity)
}

// wait prints a wait until the phase of a barrier with the given parity has ended.
func (t *wgmma) wait(bar string, offset int, parity string) {
	again, p := t.label(), t.temp(predicate)
	t.at(again)
	t.line("mbarrier.try_wait.parity.shared::cta.b64 %s, [%s+%d], %s", p, bar, offset, parity)
	t.line("@!%s bra %s", p, again)
}

// eachTile prints the loop over the tiles of the launch.
func (t *tensor) eachTile(body func(row, col, batch string)) {
	tm, tn := t.Tiles()
	i, step := t.calc(half, "mov.u32", "%ctaid.x"), t.calc(half, "mov.u32", "%nctaid.x")
	t.loopWhile(func() string { return t.calc(predicate, "setp.lt.u32", i, tm*tn*t.Batches()) }, func() {
		body(t.tile(i))
		t.line("add.u32 %s, %s, %s", i, i, step)
	})
}

// copy prints the loop that copies the operands of all tiles to the stages.
func (t *wgmma) copy() {
	s := state{t.calc(half, "mov.u32", 0), t.calc(half, "mov.u32", 1)}
	var maps [2]string
	for i := range maps {
		x := t.calc(full, "mov.b64", fmt.Sprintf("%s_m%d", t.name, i))
		maps[i] = t.calc(full, "cvta.param.u64", x)
	}
	line := 128 / t.Kind.Size() // elements of a line in shared memory
	t.eachTile(func(row, col, batch string) {
		coords := [2][]string{t.batchCoords(0, batch), t.batchCoords(1, batch)}
		k := t.calc(half, "mov.u32", 0)
		t.loopWhile(func() string { return t.calc(predicate, "setp.lt.u32", k, t.K) }, func() {
			bar := t.full(s.stage)
			t.wait(bar, 8, s.parity)
			t.line("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%s], %d", bar, t.StageBytes())
			to := t.calc(half, "mad.lo.u32", s.stage, t.StageBytes(), t.base)
			for side, from := range []string{row, col} {
				piece := func(c []string, offset int) {
					c = append(c, coords[side]...)
					t.line("cp.async.bulk.tensor.%dd.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%s+%d], [%s, {%s}], [%s]",
						len(c), to, t.offset(side)+offset, maps[side], strings.Join(c, ", "), bar)
				}
				if !t.transposed(side) {
					piece([]string{k, from}, 0)
					continue
				}
				for j := 0; j < t.Tile[side]; j += line {
					piece([]string{t.calc(half, "add.u32", from, j), k}, j*t.Tile[2]*t.Kind.Size())
				}
			}
			t.next(s)
			t.line("add.u32 %s, %s, %d", k, k, t.Tile[2])
		})
	})
}

// batchCoords prints the coordinates of a product along the axes of the batch that an
// operand has, the innermost first.
func (t *wgmma) batchCoords(side int, batch string) []string {
	var c []string
	for i := len(t.Batch) - 1; i >= 0; i-- {
		b := t.Batch[i]
		x := batch
		if i > 0 {
			x, batch = t.calc(half, "rem.u32", batch, b.N), t.calc(half, "div.u32", batch, b.N)
		}
		if []int{b.A, b.B}[side] != 0 && b.N > 1 {
			c = append(c, x)
		}
	}
	return c
}

// operand describes an operand that wgmma reads from shared memory: the upper bits of its
// descriptor, which state strides and the exchange in lines of 128 bytes, and the bytes from
// one instruction along k to the next.
type operand struct {
	high uint64
	step int
}

func (t *wgmma) operand(side int) operand {
	const exchange, eight = 1 << 62, 1024 / 16
	if !t.transposed(side) {
		return operand{exchange | eight<<32 | 1<<16, 32}
	}
	return operand{exchange | eight<<32 | uint64(128*t.Tile[2]/16)<<16, 128 * 32 / t.Kind.Size()}
}

// descriptor prints the descriptor of an operand at an address.
func (t *wgmma) descriptor(x string, o operand) string {
	x = t.calc(half, "and.b32", t.calc(half, "shr.u32", x, 4), 0x3fff)
	return t.calc(full, "or.b64", t.calc(full, "cvt.u64.u32", x), fmt.Sprintf("0x%x", o.high))
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
	left, right := t.operand(0), t.operand(1)
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
			a := t.descriptor(t.calc(half, "mad.lo.u32", part, 64*t.Tile[2]*size, at), left)
			b := t.descriptor(t.calc(half, "add.u32", at, t.offset(1)), right)
			t.line("wgmma.fence.sync.aligned")
			for j := range t.Tile[2] / depth {
				scale := always
				if j == 0 {
					scale = more
				} else {
					a, b = t.calc(full, "add.u64", a, left.step/16), t.calc(full, "add.u64", b, right.step/16)
				}
				order := ""
				if size == 2 {
					order = fmt.Sprintf(", %d, %d", bit(t.transposed(0)), bit(t.transposed(1)))
				}
				kind := t.Kind.String()
				t.line("wgmma.mma_async.sync.aligned.m64n%dk%d.f32.%s.%s {%s}, %s, %s, %s, 1, 1%s", t.Tile[1], depth, kind, kind, strings.Join(acc, ", "), a, b, scale, order)
			}
			t.line("wgmma.commit_group.sync.aligned")
			t.line("wgmma.wait_group.sync.aligned 1")
			t.ifTrue(more, func() { release(previous) })
			t.line("mov.u32 %s, %s", previous, s.stage)
			t.next(s)
			t.line("add.u32 %s, %s, 1", k, k)
		})
		t.line("wgmma.wait_group.sync.aligned 0")
		release(previous)
		t.write(row, col, batch, lane, warp, part, acc)
	})
}

// write prints the stores of a tile's sums.
func (t *wgmma) write(row, col, batch, lane, warp, part string, acc []string) {
	row = t.calc(half, "mad.lo.u32", part, 64, row)
	row = t.calc(half, "mad.lo.u32", warp, 16, row)
	row = t.calc(half, "add.u32", row, t.calc(half, "shr.u32", lane, 2))
	for h := range 2 {
		r := t.calc(half, "add.u32", row, 8*h)
		inside := t.calc(predicate, "setp.lt.u32", r, t.M)
		var sums []string
		for j := range len(acc) / 4 {
			sums = append(sums, acc[4*j+2*h], acc[4*j+2*h+1])
		}
		t.storeRow(t.rowAddress(batch, r), inside, col, lane, sums)
	}
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}
