package simt

import (
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/schedule"
)

// radixPlace writes the kernel that sorts tiles by the digit and writes them where they belong.
// 32 neighbouring elements at a time, threads find those with the same digit by ballots.
func radixPlace(r *schedule.Radix, shift int, fresh bool) *Func {
	moves := r.Payload != scalar.NoType
	buffers := []ir.Buffer{radixElements(r, "x", ir.In, r.Element)}
	if moves && !fresh {
		buffers = append(buffers, radixElements(r, "p", ir.In, r.Payload))
	}
	n := len(buffers)
	buffers = append(buffers, radixByGroup(r, ir.In), radixByRow(r, ir.In), radixElements(r, "y", ir.Out, r.Element))
	if moves {
		buffers = append(buffers, radixElements(r, "q", ir.Out, r.Payload))
	}
	e := newRadixer(r, "sort_place", radix, shift, buffers...)
	size := int(r.Tile())
	p := &placer{radixer: e, fresh: fresh, buffer: n, payload: -1,
		counts: e.array(true, scalar.I32, radixWarps*radix), offsets: e.array(true, e.wide, radix),
		a: e.array(true, scalar.I32, radix), b: e.array(true, scalar.I32, radix), tile: e.array(true, r.Element, size)}
	if moves {
		p.payload = e.array(true, r.Payload, size)
	}
	_, _, groups := r.Tiles()
	e.points([]int64{r.Rows, groups}, func(at []Reg) {
		p.row = e.prod(e.far(at[0]), e.far(e.num(r.N)))
		p.lane, p.warp = e.rest(e.tid, warp), e.over(e.tid, warp)
		one := e.constant(scalar.U32, 1)
		p.below = e.op(scalar.OpSub, scalar.U32, e.op(scalar.OpShl, scalar.U32, one, e.convert(scalar.U32, p.lane)), one)
		line := e.sum(e.times(at[0], radix), e.tid)
		before := e.scan(e.load(n+1, line), p.a, p.b)
		p.base = e.copied(e.sum(p.row, e.far(e.sum(before, e.load(n, e.sum(e.times(line, groups), at[1]))))))
		e.ofTiles(at[1], p.sort)
	})
	return e.f
}

type placer struct {
	*radixer
	fresh         bool
	buffer        int // number of the buffer of counts by group; those of counts by row and of the results follow
	counts        int // array, by warp and digit: number of elements so far, then the place of the first one in the tile
	offsets       int // array, by digit: the place in memory less that in the tile
	a, b          int // arrays for scans
	tile, payload int // arrays of the sorted tile
	row, base     Reg // first element of the row, the place in memory of the next one with the thread's digit
	lane, warp    Reg
	below         Reg // bits of the lanes before this one
}

func (p *placer) sort(first Reg) {
	r := p.r
	for w := range int64(radixWarps) {
		p.put(p.counts, p.plus(p.tid, w*radix), p.num(0))
	}
	start := p.sum(first, p.sum(p.times(p.warp, warp*r.Each()), p.lane))
	i := p.each(func(j int64) Reg { return p.plus(start, j*warp) })
	at := func(i Reg) Reg { return p.sum(p.row, p.far(p.least(i, p.num(r.N-1)))) }
	x := p.each(func(j int64) Reg { return p.load(0, at(i[j])) })
	slots := p.times(p.warp, radix)
	// A register has an element's slot and, in the bits above, its rank.
	const above = 1 << 16
	ranks := p.each(func(j int64) Reg {
		// Elements outside of the row come last.
		slot := p.sum(slots, p.choose(p.less(i[j], p.num(r.N)), p.digit(x[j]), p.num(radix-1)))
		return p.sum(p.times(p.rank(slot), above), slot)
	})
	p.barrier()
	// Each thread sums up the counts of its digit over the warps.
	before := make([]Reg, radixWarps)
	total := p.num(0)
	for w := range before {
		before[w] = total
		total = p.sum(total, p.get(p.counts, p.plus(p.tid, int64(w)*radix)))
	}
	begin := p.scan(total, p.a, p.b)
	for w := range before {
		p.put(p.counts, p.plus(p.tid, int64(w)*radix), p.sum(begin, before[w]))
	}
	p.put(p.offsets, p.tid, p.diff(p.base, p.far(begin)))
	p.move(p.base, p.sum(p.base, p.far(total)))
	p.barrier()
	for j := range x {
		ranks[j] = p.sum(p.get(p.counts, p.rest(ranks[j], above)), p.over(ranks[j], above))
		p.put(p.tile, ranks[j], x[j])
	}
	if p.payload >= 0 {
		for j := range x {
			if j%payloadsAtOnce == 0 {
				p.barrier() // no more loads at once than there are registers for
			}
			if p.fresh {
				p.put(p.payload, ranks[j], p.convert(r.Payload, i[j]))
			} else {
				p.put(p.payload, ranks[j], p.load(1, at(i[j])))
			}
		}
	}
	p.barrier()
	count := p.diff(p.num(r.N), first)
	for j := range x {
		from := p.plus(p.tid, int64(j)*radix)
		p.when(p.less(from, count), func() {
			x := p.get(p.tile, from)
			to := p.sum(p.get(p.offsets, p.digit(x)), p.far(from))
			p.add(&Store{p.buffer + 2, to, x})
			if p.payload >= 0 {
				p.add(&Store{p.buffer + 3, to, p.get(p.payload, from)})
			}
		})
	}
	p.barrier()
}

// rank returns the number of elements of the warp, so far, that have the digit of the thread's
// element and come before it, and counts the element in the slot of warp and digit.
func (p *placer) rank(slot Reg) Reg {
	same := NoReg
	for b := range radixBits {
		bit := p.op(scalar.OpNe, scalar.Bool, p.op(scalar.OpAnd, scalar.I32, slot, p.num(1<<b)), p.num(0))
		who := p.ballot(bit)
		who = p.choose(bit, who, p.op(scalar.OpNot, scalar.U32, who))
		if same == NoReg {
			same = who
		} else {
			same = p.op(scalar.OpAnd, scalar.U32, same, who)
		}
	}
	before := p.op(scalar.OpPopCount, scalar.U32, p.op(scalar.OpAnd, scalar.U32, same, p.below))
	p.barrier()
	old := p.get(p.counts, slot)
	p.barrier()
	p.when(p.same(before, p.constant(scalar.U32, 0)), func() {
		p.put(p.counts, slot, p.sum(old, p.convert(scalar.I32, p.op(scalar.OpPopCount, scalar.U32, same))))
	})
	return p.sum(old, p.convert(scalar.I32, before))
}
