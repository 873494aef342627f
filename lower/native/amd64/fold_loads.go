package amd64

import "github.com/weft-go/weft/lower/native"

// CombineLoads turns loads of vectors that are read once into memory operands of the instructions that read
// them: fewer instructions, and no register between the two.
func (*x86) CombineLoads(c *native.Draft) {
	const window = 48 // instructions after a load among which its use is sought
	reads, writes := make([]uint8, len(c.Regs)), make([]uint8, len(c.Regs))
	count := func(n []uint8, r native.VReg) {
		if r > 0 && n[r] < 2 {
			n[r]++
		}
	}
	for i := range c.List {
		in := &c.List[i]
		for _, r := range [...]native.VReg{in.A, in.B, in.C, in.K, in.Base, in.Index} {
			count(reads, r)
		}
		count(writes, in.D)
	}
	for i := range c.Calls {
		for _, r := range c.Calls[i].Args {
			count(reads, r)
			count(reads, r) // a call has no operands in memory
		}
		for _, r := range c.Calls[i].Results {
			count(writes, r)
		}
	}
	out := c.List[:0]
	for i := range c.List {
		in := c.List[i]
		if isVectorLoad(&in) && reads[in.D] == 1 && writes[in.D] == 1 && foldLoad(c, &in, c.List[i+1:min(len(c.List), i+1+window)]) {
			continue
		}
		out = append(out, in)
	}
	c.List = out
}

// isVectorLoad reports whether an instruction only loads a whole vector, from memory outside of the pool.
func isVectorLoad(in *native.Inst) bool {
	switch in.Op {
	case Vmovups, Vmovdqu32, Vmovdqu64:
		return in.Kind == native.KindOp && in.Mem && !in.Pool && !in.Bcast && in.K == 0 && in.C == 0 && in.D > 0
	}
	return false
}

// foldLoad makes a load an operand of the instruction that reads it, if this instruction comes in list before
// anything that could change the memory or its address.
func foldLoad(c *native.Draft, load *native.Inst, list []native.Inst) bool {
	for i := range list {
		in := &list[i]
		switch in.Kind {
		case native.KindComment, native.KindConst, native.KindMove, native.KindFMA, native.KindOp:
		default:
			return false
		}
		if in.B == load.D {
			if !takesMemory(c, in, load) {
				return false
			}
			in.Mem, in.B = true, 0
			in.Base, in.Index, in.Scale, in.Disp = load.Base, load.Index, load.Scale, load.Disp
			return true
		}
		if in.A == load.D || in.C == load.D || in.K == load.D ||
			in.D != 0 && (in.D == load.Base || in.D == load.Index) ||
			in.Kind == native.KindOp && in.Mem && (in.D == 0 || opTable[in.Op].form == formMR || opTable[in.Op].form == formMVR) {
			return false
		}
	}
	return false
}

// takesMemory reports whether the operand b of an instruction can be the vector that a load reads.
func takesMemory(c *native.Draft, in, load *native.Inst) bool {
	info := &opTable[in.Op]
	return in.Kind == native.KindOp && !in.Mem && in.Len == load.Len && c.Regs[load.D].Len == load.Len &&
		in.A != load.D && in.C != load.D && in.K != load.D &&
		(info.form == formRVM || info.form == formRM) && !readsOnly(in.Op) &&
		(info.tuple == tupleFV || info.tuple == tupleFVM) && info.flags&regHalf == 0
}
