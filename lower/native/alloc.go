package native

import (
	"math/bits"
)

// intervals finds where each register is live. Reads happen at even positions, writes at
// the odd ones that follow.
func (c *Draft) intervals() []VReg {
	type loop struct{ start, end int32 }
	// Ends of loops, in the order of their starts.
	ends := c.ends[:0]
	var open []int
	at := int32(0)
	for i := range c.List {
		switch in := &c.List[i]; in.Kind {
		case KindLoopStart:
			open = append(open, len(ends))
			ends = append(ends, 0)
		case KindLoopEnd:
			ends[open[len(open)-1]] = at
			open = open[:len(open)-1]
		}
		at += c.List[i].positions()
	}
	order := c.order[:0]
	c.callsAt = c.callsAt[:0]
	var loops []loop
	next := 0
	weight := float32(1)
	touch := func(r VReg, at int32) {
		if r <= 0 {
			return
		}
		v := &c.Regs[r]
		if v.start < 0 {
			v.start = at
			order = append(order, r)
		}
		v.weight += weight
		v.end = max(v.end, at)
		for _, l := range loops {
			if l.start > v.start {
				v.end = max(v.end, l.end)
				break
			}
		}
	}
	at, after := int32(0), int32(0)
	for i := range c.List {
		in := &c.List[i]
		at = after
		after += in.positions()
		switch in.Kind {
		case KindLoopStart:
			loops = append(loops, loop{at, ends[next]})
			next++
			weight *= 8
			continue
		case KindLoopEnd:
			loops = loops[:len(loops)-1]
			weight /= 8
			continue
		case KindRareStart:
			weight /= 64
			continue
		case KindRareEnd:
			weight *= 64
			continue
		case KindLabel, KindJump, KindComment:
			continue
		case KindCall:
			call := &c.Calls[in.Imm]
			c.callsAt = append(c.callsAt, at)
			for _, r := range call.Args {
				touch(r, at)
			}
			for _, r := range call.Results {
				touch(r, at+1)
			}
			continue
		case KindParams:
			for _, r := range c.functions[in.Imm].params {
				touch(r, at+1)
			}
			continue
		case KindReturn:
			for _, r := range c.functions[in.Imm].results {
				touch(r, at)
			}
			continue
		}
		if in.Op == Min || in.Op == Max { // a comparison, then a move
			touch(in.C, at)
			touch(in.B, at)
			at += 2
		}
		// Operands that a copy into a tied destination would overwrite live on through the write.
		late := at
		if in.C != 0 && in.Kind == KindOp && !in.Third && in.C != in.D {
			late = at + 1
		}
		touch(in.C, at)
		touch(in.A, late)
		touch(in.B, late)
		touch(in.K, late)
		touch(in.Base, late)
		touch(in.Index, late)
		if in.Slow {
			touch(in.Index, at+1)
			touch(in.K, at+1)
		}
		touch(in.D, at+1)
	}
	c.order, c.ends = order, ends
	return order
}

// positions returns the distance from the position of an instruction to that of the next. Branches, Min and Max
// become two instructions of the machine.
func (in *Inst) positions() int32 {
	if in.Kind == KindBranch || in.Kind == KindOp && (in.Op == Min || in.Op == Max) {
		return 4
	}
	return 2
}

// inRegisters allocates registers for the list. Where vectors or masks are spilled or reserve marks their class,
// some registers of the class are kept for spilled operands.
func (c *Draft) inRegisters(order []VReg, free [NumClasses]uint32, reserve [NumClasses]bool) {
	base := c.slots
	spilled := c.allocate(order, free, reserve)
	for k := range spilled {
		spilled[k] = spilled[k] || reserve[k]
	}
	if spilled == reserve {
		return
	}
	reserve = spilled
	c.slots = base
	spilled = c.allocate(order, free, reserve)
	for k := range spilled {
		if spilled[k] && !reserve[k] {
			c.slots = base
			c.allocate(order, free, [NumClasses]bool{true, true, true})
			return
		}
	}
}

// crosses reports whether a register is live across a call.
func (c *Draft) crosses(v *RegInfo) bool {
	lo, hi := 0, len(c.callsAt) // the first call at or behind start
	for lo < hi {
		if m := (lo + hi) / 2; c.callsAt[m] < v.start {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return lo < len(c.callsAt) && c.callsAt[lo] < v.end
}

// allocate assigns a register or a spill slot to each virtual register, and reports the classes in which some
// are spilled. free are the available registers. Some vectors or masks are kept for spilled operands if reserve
// marks their class; the general registers for these are never in free.
func (c *Draft) allocate(order []VReg, free [NumClasses]uint32, reserve [NumClasses]bool) (spilled [NumClasses]bool) {
	if reserve[ClassV] {
		free[ClassV] &= free[ClassV] >> 3
	}
	if reserve[ClassK] {
		free[ClassK] &^= 1<<c.model.MaskTemps[0] | 1<<c.model.MaskTemps[1]
	}
	c.used = [NumClasses]uint32{}
	var active [NumClasses][32]VReg
	var used [NumClasses]uint32
	for _, r := range order {
		v := &c.Regs[r]
		cl := v.Class
		for u := used[cl]; u != 0; u &= u - 1 {
			n := trailing(u)
			if c.Regs[active[cl][n]].end < v.start {
				used[cl] &^= 1 << n
			}
		}
		allowed := free[cl]
		if len(c.callsAt) > 0 && c.crosses(v) {
			allowed &^= c.clobber[cl]
		}
		avail := allowed &^ used[cl]
		v.Slot = 0
		if v.Pooled {
			v.Slot = -1
			continue
		}
		if avail == 0 {
			spilled[cl] = true
			// Spill the register with the lowest score: few uses over a long lifetime.
			worst, score := r, c.score(r)
			for u := used[cl] & allowed; u != 0; u &= u - 1 {
				if a := active[cl][trailing(u)]; c.score(a) < score {
					worst, score = a, c.score(a)
				}
			}
			w := &c.Regs[worst]
			if !w.Const {
				w.Slot = c.newSlot(w)
			} else {
				w.Slot = -1
			}
			if worst == r {
				continue
			}
			v.reg = w.reg
		} else {
			n := Reg(trailing(avail))
			for _, h := range [...]VReg{v.Hint, v.Hint2} {
				if hv := &c.Regs[max(h, 0)]; h > 0 && hv.Slot == 0 && hv.start >= 0 && hv.Class == cl && hv.start <= v.start && avail&(1<<hv.reg) != 0 {
					n = hv.reg
					break
				}
			}
			v.reg = n
		}
		active[cl][v.reg] = r
		used[cl] |= 1 << v.reg
		c.used[cl] |= 1 << v.reg
	}
	return spilled
}

// score is higher for registers that are used often relative to their lifetime.
func (c *Draft) score(r VReg) float32 {
	v := &c.Regs[r]
	w := v.weight
	if v.Const {
		w /= 4 // costs a memory operand, no store
	}
	return w / float32(v.end-v.start+2)
}

// newSlot returns 1 + the offset of a spill slot.
func (c *Draft) newSlot(v *RegInfo) int32 {
	n := int32(8)
	if v.Class == ClassV {
		n = 16 << v.Len
		c.slots = (c.slots + n - 1) &^ (n - 1)
	}
	c.slots += n
	return c.slots - n + 1
}

func trailing(x uint32) int { return bits.TrailingZeros32(x) }
