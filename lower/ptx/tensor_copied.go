package ptx

import (
	"fmt"
	"strings"

	"github.com/weft-go/weft/lower/simt"
)

// copied is the common part of products whose operands TMA copies to shared memory. Each stage has two
// barriers: it is full when the bytes have arrived, and empty when they have been read.
type copied struct{ tensor }

// transposed reports whether neighbours along m or n are neighbours in memory.
func (t *copied) transposed(side int) bool { return []simt.Operand{t.A, t.B}[side].K != 1 }

// offset returns where an operand begins in a stage.
func (t *tensor) offset(side int) int { return side * t.Tile[0] * t.Tile[2] * t.Kind.Size() }

// full prints the address of the barrier for a full stage; the barrier for the empty stage follows it.
func (t *copied) full(stage string) string {
	return t.calc(half, "mad.lo.u32", stage, 16, t.calc(half, "add.u32", t.base, t.Stages*t.StageBytes()))
}

// barriers prints the initialization of the barriers of n stages, beginning with stage `first`. A stage is empty after the given
// number of arrivals.
func (t *copied) barriers(first, n, arrivals int) {
	for s := first; s < first+n; s++ {
		at := t.Stages*t.StageBytes() + 16*s
		t.line("mbarrier.init.shared::cta.b64 [%s+%d], 1", t.base, at)
		t.line("mbarrier.init.shared::cta.b64 [%s+%d], %d", t.base, at+8, arrivals)
	}
}

// state is a stage of shared memory and the parity of its barriers.
type state struct{ stage, parity string }

// next prints the step to the next one of n stages.
func (p *printer) next(s state, n int) {
	p.line("add.u32 %s, %s, 1", s.stage, s.stage)
	last := p.calc(predicate, "setp.eq.u32", s.stage, n)
	p.line("@%s mov.u32 %s, 0", last, s.stage)
	p.line("@%s xor.b32 %s, %s, 1", last, s.parity, s.parity)
}

// wait prints a wait until the phase of a barrier with the given parity has ended.
func (p *printer) wait(bar string, offset int, parity string) {
	again, over := p.label(), p.temp(predicate)
	p.at(again)
	p.line("mbarrier.try_wait.parity.shared::cta.b64 %s, [%s+%d], %s", over, bar, offset, parity)
	p.line("@!%s bra %s", over, again)
}

// copy prints the loop that copies the operands of all tiles to the stages. It returns the stage that would be next.
func (t *copied) copy() (s state) {
	s = state{t.calc(half, "mov.u32", 0), t.calc(half, "mov.u32", 1)}
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
			t.next(s, t.Stages)
			t.line("add.u32 %s, %s, %d", k, k, t.Tile[2])
		})
	})
	return s
}

// batchCoords prints the coordinates of a product along the axes of the batch that an
// operand has, the innermost first.
func (t *copied) batchCoords(side int, batch string) []string {
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

// operand describes an operand that the unit reads from shared memory: the upper bits of its
// descriptor, which state strides and the exchange in lines of 128 bytes, and the bytes from
// one instruction along k to the next.
type operand struct {
	high uint64
	step int
}

func (t *tensor) operand(transposed bool) operand {
	const exchange, eight = 1 << 62, 1024 / 16
	if !transposed {
		return operand{exchange | eight<<32 | 1<<16, 32}
	}
	return operand{exchange | eight<<32 | uint64(128*t.Tile[2]/16)<<16, 128 * 32 / t.Kind.Size()}
}

// descriptor prints the descriptor of an operand at an address, with its upper bits.
func (p *printer) descriptor(x string, high uint64) string {
	x = p.calc(half, "and.b32", p.calc(half, "shr.u32", x, 4), 0x3fff)
	return p.calc(full, "or.b64", p.calc(full, "cvt.u64.u32", x), fmt.Sprintf("0x%x", high))
}

// storeRows prints the stores of a lane's sums in a row and in the row eight below it, from column col of a tile on.
func (t *tensor) storeRows(row, col, batch, lane string, acc []string) {
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
