package simt

import "github.com/weft-go/weft/lower/scalar"

// windows copies the elements of windows to shared memory. A thread copies those of rows line,
// line + lineStep, … at depths depth, depth + depthStep, ….
type windows struct {
	*conv
	count                 int // neighbouring features of one access
	lineStep, lineCount   int
	depthStep, depthCount int
	taken                 int // threads that take part
	depth, to             Reg
	rows                  []window
	first                 []Reg // by row: where A has position 0 of the window; nil: see linear
	masks                 []Reg // by row: bits of the positions that are elements
	exist                 []Reg // by row: whether C has it; nil: C has all
}

// mostBits is the greatest number of positions of a window for which masks are made.
const mostBits = 32

// windows emits what the fetches of a tile's windows have in common.
func (c *conv) windows(group Reg) *windows {
	w := &windows{conv: c, count: 1}
	threads := c.Slice()
	across := min(8, c.Depth, threads)
	if c.a.deep && c.p.Channels%c.vec == 0 && c.p.Features%c.vec == 0 && c.length(0)%int64(c.vec) == 0 {
		w.count = c.vec
		across = min(c.Depth/w.count, threads)
	}
	for across < c.Depth/w.count && threads/across > c.a.lines {
		across *= 2
	}
	w.depthStep, w.lineStep = across*w.count, min(threads/across, c.a.lines)
	w.taken = across * w.lineStep
	w.lineCount, w.depthCount = c.a.lines/w.lineStep, c.Depth/w.depthStep
	w.depth = c.times(c.rest(c.lane, int64(across)), int64(w.count))
	line := c.over(c.lane, int64(across))
	if c.a.deep {
		w.to = c.sum(c.times(line, int64(c.a.stride)), w.depth)
	} else {
		w.to = c.sum(c.times(w.depth, int64(c.a.stride)), line)
	}
	_, _, positions := c.p.sizes()
	for i := range w.lineCount {
		row := c.plus(c.sum(c.row, line), int64(i*w.lineStep))
		x := c.window(group, row)
		w.rows = append(w.rows, x)
		exists := NoReg
		if c.m%c.a.lines != 0 {
			exists = c.less(row, c.num(int64(c.m)))
			w.exist = append(w.exist, exists)
		}
		if !c.linear() {
			continue
		}
		zeros := make([]Reg, len(c.p.Axes))
		for d := range zeros {
			zeros[d] = c.num(0)
		}
		at, _ := c.place(x, zeros)
		w.first = append(w.first, at)
		if c.p.padded() && positions <= mostBits {
			w.masks = append(w.masks, c.mask(x, positions, exists))
		}
	}
	return w
}

// linear reports whether no axis has gaps: then each element of a window is as far from the window's first element as
// in any other window.
func (c *conv) linear() bool {
	for _, a := range c.p.Axes {
		if a.Gap > 1 {
			return false
		}
	}
	return true
}

// mask returns a word whose bit i is set if position i of the window is an element of A. It is 0 if C does not have
// the row.
func (c *conv) mask(w window, positions int, exists Reg) Reg {
	bits := c.constant(scalar.U32, 0)
	for i := range positions {
		offsets := make([]Reg, len(c.p.Axes))
		at := i
		for d := len(offsets) - 1; d >= 0; d-- {
			a := c.p.Axes[d]
			offsets[d] = c.num(int64(at % a.Size * a.Dilation))
			at /= a.Size
		}
		_, inside := c.place(w, offsets)
		bits = c.op(scalar.OpOr, scalar.U32, bits, c.choose(inside, c.u32(1<<i), c.u32(0)))
	}
	if exists != NoReg {
		bits = c.choose(exists, bits, c.u32(0))
	}
	return bits
}

// fetch emits the copies of Depth elements of the windows from k on.
func (w *windows) fetch(k, stage Reg) {
	c := w.conv
	to := c.sum(c.stage(&c.a, stage), w.to)
	c.sharing(w.taken, func() {
		if c.p.Channels%c.Depth == 0 { // all depths have one position
			position, channel := c.quotient(k, int64(c.p.Channels))
			w.at(position, c.sum(channel, w.depth), to, 0, w.depthCount, c.exists(k))
			return
		}
		for d := range w.depthCount {
			deep := c.plus(c.sum(k, w.depth), int64(d*w.depthStep))
			position, channel := c.quotient(deep, int64(c.p.Channels))
			w.at(position, channel, to, d*w.depthStep, 1, c.exists(deep))
		}
	})
}

// at emits the copies of elements at one position of the windows: count features, which are
// channel, channel + depthStep, …, go to the depths deep, deep + depthStep, …. The register
// live tells whether the windows have these depths; it is NoReg if they always do.
func (w *windows) at(position, channel, to Reg, deep, count int, live Reg) {
	c := w.conv
	offsets := c.offsets(position)
	shift := NoReg
	if w.first != nil {
		step := int64(c.p.Features)
		for d := len(offsets) - 1; d >= 0; d-- {
			channel = c.sum(channel, c.times(offsets[d], step))
			step *= int64(c.p.Axes[d].In)
		}
	}
	if w.masks != nil {
		shift = c.convert(scalar.U32, position)
	}
	for i := range w.lineCount {
		cond := live
		also := func(x Reg) {
			if cond != NoReg {
				x = c.both(cond, x)
			}
			cond = x
		}
		var from Reg
		switch {
		case w.masks != nil:
			also(c.same(c.u(scalar.OpAnd, c.u(scalar.OpShr, w.masks[i], shift), c.u32(1)), c.u32(1)))
			from = c.sum(w.first[i], channel)
		default:
			if w.exist != nil {
				also(w.exist[i])
			}
			at, inside := c.place(w.rows[i], offsets)
			if inside != NoReg {
				also(inside)
			}
			if w.first != nil {
				at = w.first[i]
			}
			from = c.sum(at, channel)
		}
		for d := range count {
			c.add(&Fetch{Array: c.a.array, To: to, ToPlus: c.a.at(i*w.lineStep, deep+d*w.depthStep), Buffer: 0, From: from, FromPlus: int64(d * w.depthStep), N: w.count, If: cond})
		}
	}
}

// repair recomputes those results of a thread that are NaN. Positions that are not elements
// were zeros, which add nothing unless the other factor is an infinity or a NaN.
func (c *conv) repair(group, start Reg, step int64, atB Reg, total []Reg) {
	again := c.op(scalar.OpNe, scalar.Bool, total[0], total[0])
	for _, x := range total[1:] {
		again = c.op(scalar.OpOr, scalar.Bool, again, c.op(scalar.OpNe, scalar.Bool, x, x))
	}
	if c.Slices > 1 {
		again = c.both(again, c.same(c.sliced, c.num(0)))
	}
	each := func(s *shelf, threads int, first, mine Reg, f func(Reg)) {
		c.loop(c.num(0), c.num(int64(s.each)), c.num(1), func(i Reg) {
			vec := int64(s.vec)
			line := c.sum(c.times(c.over(i, vec), vec*int64(threads)), c.rest(i, vec))
			line = c.sum(c.sum(first, line), c.times(mine, vec))
			c.within(s, line, func() { f(line) })
		})
	}
	c.when(again, func() {
		each(&c.a, c.Y, c.row, c.y, func(row Reg) {
			w := c.window(group, row)
			each(&c.b, c.X, c.col, c.x, func(col Reg) {
				at := c.sum(c.sum(start, c.times(row, step)), col)
				x := c.reg(c.kind)
				c.add(&Load{x, 2, at})
				c.when(c.op(scalar.OpNe, scalar.Bool, x, x), func() { c.recompute(w, col, atB, at) })
			})
		})
	})
}

// recompute stores the sum over the elements of a window, without positions that are not elements.
func (c *conv) recompute(w window, col, atB, to Reg) {
	zero := c.constant(c.kind, 0)
	total := c.copied(zero)
	from, n := c.num(0), c.num(int64(c.k))
	if c.parts > 0 {
		from = c.times(c.part, int64(c.chunk))
		n = c.least(n, c.plus(from, int64(c.chunk)))
	}
	c.loop(from, n, c.num(int64(c.chunk)), func(lo Reg) {
		acc := c.copied(zero)
		c.loop(lo, c.least(n, c.plus(lo, int64(c.chunk))), c.num(1), func(k Reg) {
			position, channel := c.quotient(k, int64(c.p.Channels))
			at, inside := c.place(w, c.offsets(position))
			c.when(inside, func() {
				x, y := c.reg(c.kind), c.reg(c.kind)
				c.add(&Load{x, 0, c.sum(at, channel)})
				c.add(&Load{y, 1, c.sum(atB, c.sum(c.times(col, int64(c.p.B.Outer)), c.times(k, int64(c.p.B.K))))})
				c.move(acc, c.op(scalar.OpFMA, c.kind, x, y, acc))
			})
		})
		c.move(total, c.sum(total, acc))
	})
	c.add(&Store{2, to, c.op(scalar.OpCanon, c.kind, total)})
}
