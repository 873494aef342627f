package native

// LoadStore writes parts of micro-kernels for machines whose vector instructions, except loads, read no memory. A
// target's [MicroPatterns] embeds it.
type LoadStore struct{ *Micro }

func (w LoadStore) FMALoad(d, x VReg, m Mem, temp VReg) {
	w.LoadV(temp, m)
	w.FMA(d, x, temp)
}

func (w LoadStore) PlusLoad(d, x VReg, m Mem, temp VReg) {
	w.LoadV(temp, m)
	w.Plus(d, x, temp)
}

func (w LoadStore) LoadOne(d VReg, m Mem) { w.Put(m.Of(Inst{Op: LoadOp(w.Size), D: d})) }

func (w LoadStore) StoreOne(m Mem, s VReg) { w.Put(m.Of(Inst{Op: StoreOp(w.Size), A: s})) }

func (w LoadStore) PlusOne(d, x, y VReg) { w.Plus(d, x, y) }

func (w LoadStore) CountDown(m Mem, temp VReg, to Label) {
	w.Load(temp, m)
	w.DoI(SubI, temp, 1)
	w.Put(m.Of(Inst{Op: Store64, A: temp}))
	w.BranchOp(Ne, Inst{Op: CmpI, B: temp}, to)
}

func (w LoadStore) LargestLoad(most, bits VReg, m Mem, temp VReg) {
	w.LoadV(temp, m)
	w.Largest(most, bits, temp)
}

func (w LoadStore) StartMasks(VReg) {}

// Block loads the rows of a block, as many as a vector has lanes, and transposes them.
func (w LoadStore) Block(place func(i int) Mem, in, temp VReg, part *Mask) VReg {
	for i := range w.lanes() {
		d := in + VReg(i)
		if part == nil {
			w.LoadV(d, place(i))
		} else {
			w.LoadMask(d, place(i), *part)
		}
	}
	return w.Transposed(in, temp)
}
