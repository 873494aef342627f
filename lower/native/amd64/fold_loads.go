package amd64

// combineLoads makes vectors that are read once operands in memory of the instructions that read
// them: fewer instructions, and no register between the two.
func (*x86) combineLoads(c *code) {
	const window = 48 // instructions between a load and its use
	reads, writes := make([]uint8, len(c.regs)), make([]uint8, len(c.regs))
	count := func(n []uint8, r vreg) {
		if r > 0 && n[r] < 2 {
			n[r]++
		}
	}
	for i := range c.list {
		in := &c.list[i]
		for _, r := range [...]vreg{in.a, in.b, in.c, in.k, in.base, in.index} {
			count(reads, r)
		}
		count(writes, in.d)
	}
	for i := range c.calls {
		for _, r := range c.calls[i].args {
			count(reads, r)
			count(reads, r) // a call has no operands in memory
		}
		for _, r := range c.calls[i].results {
			count(writes, r)
		}
	}
	out := c.list[:0]
	for i := range c.list {
		in := c.list[i]
		if in.isVectorLoad() && reads[in.d] == 1 && writes[in.d] == 1 && foldLoad(c, &in, c.list[i+1:min(len(c.list), i+1+window)]) {
			continue
		}
		out = append(out, in)
	}
	c.list = out
}

// isVectorLoad reports whether an instruction does nothing but fill a vector register.
func (in *minst) isVectorLoad() bool {
	switch in.op {
	case Vmovups, Vmovdqu32, Vmovdqu64:
		return in.kind == kindOp && in.mem && !in.pool && !in.bcast && in.k == 0 && in.c == 0 && in.d > 0
	}
	return false
}

// foldLoad puts a load into the instruction that reads it, if that stands in list before anything
// that could change the memory or its address.
func foldLoad(c *code, load *minst, list []minst) bool {
	for i := range list {
		in := &list[i]
		switch in.kind {
		case kindComment, kindConst, kindMove, kindFMA, kindOp:
		default:
			return false
		}
		if in.b == load.d {
			if !takesMemory(c, in, load) {
				return false
			}
			in.mem, in.b = true, 0
			in.base, in.index, in.scale, in.disp = load.base, load.index, load.scale, load.disp
			return true
		}
		if in.a == load.d || in.c == load.d || in.k == load.d ||
			in.d != 0 && (in.d == load.base || in.d == load.index) ||
			in.kind == kindOp && in.mem && (in.d == 0 || opTable[in.op].form == formMR || opTable[in.op].form == formMVR) {
			return false
		}
	}
	return false
}

// takesMemory reports whether the operand b of an instruction can be the vector that a load reads.
func takesMemory(c *code, in, load *minst) bool {
	info := &opTable[in.op]
	return in.kind == kindOp && !in.mem && in.len == load.len && c.regs[load.d].len == load.len &&
		in.a != load.d && in.c != load.d && in.k != load.d &&
		(info.form == formRVM || info.form == formRM) && !readsOnly(in.op) &&
		(info.tuple == tupleFV || info.tuple == tupleFVM) && info.flags&regHalf == 0
}
