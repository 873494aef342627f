package amd64

// word returns the operand of a word of the arguments.
func word(i int) Mem { return at(RDI, int32(8*i)) }

// times returns [base + n·ld + disp], n < 4.
func times(base, ld, ld3 Reg, n int, disp int32) Mem {
	switch n {
	case 0:
		return at(base, disp)
	case 1:
		return indexed(base, ld, 0, disp)
	case 2:
		return indexed(base, ld, 1, disp)
	}
	return indexed(base, ld3, 0, disp)
}

// operandA returns the place of row r of A at contracted element k from the current one.
func (w *tileWriter) operandA(r, k int) Mem {
	size := int32(w.Elem.Size())
	if w.Down {
		return times(tileA, tileLda, tileLda3, k, int32(r)*size)
	}
	base, disp := tileA, int32(k)*size
	if r >= 9 {
		base, r = tileA9, r-9
	}
	switch r {
	case 0, 1, 2, 3:
		return times(base, tileLda, tileLda3, r, disp)
	case 4:
		return indexed(base, tileLda, 2, disp)
	case 5:
		return indexed(base, tileLda5, 0, disp)
	case 6:
		return indexed(base, tileLda3, 1, disp)
	case 7:
		return indexed(base, tileLda7, 0, disp)
	}
	return indexed(base, tileLda, 3, disp)
}

func (w *tileWriter) operandB(v, k int) Mem {
	return times(tileB, tileLdb, tileLdb3, k, int32(v*w.isa.vectorBytes()))
}

// loadB loads a vector of B, the last one under the mask.
func (w *tileWriter) loadB(r Reg, v int, m Mem) {
	switch {
	case v < w.Vecs-1:
		w.vectorMem(Vmovups, r, 0, m)
	default:
		w.loadMasked(r, m)
	}
}

func (w *tileWriter) loadMasked(r Reg, m Mem) {
	wide := w.Elem.Size() == 8
	switch {
	case w.isa == AVX512 && wide:
		w.Emit(&Inst{Op: Vmovupd, Len: L512, R: r, UseMem: true, Mem: m, K: 1, Zero: true})
	case w.isa == AVX512:
		w.Emit(&Inst{Op: Vmovups, Len: L512, R: r, UseMem: true, Mem: m, K: 1, Zero: true})
	case wide:
		w.vectorMem(VmaskmovpdL, r, w.mask, m)
	default:
		w.vectorMem(VmaskmovpsL, r, w.mask, m)
	}
}

func (w *tileWriter) storeMasked(m Mem, r Reg) {
	wide := w.Elem.Size() == 8
	switch {
	case w.isa == AVX512 && wide:
		w.Emit(&Inst{Op: VmovupdS, Len: L512, R: r, UseMem: true, Mem: m, K: 1})
	case w.isa == AVX512:
		w.Emit(&Inst{Op: VmovupsS, Len: L512, R: r, UseMem: true, Mem: m, K: 1})
	case wide:
		w.Emit(&Inst{Op: VmaskmovpdS, Len: L256, R: r, V: w.mask, UseMem: true, Mem: m})
	default:
		w.Emit(&Inst{Op: VmaskmovpsS, Len: L256, R: r, V: w.mask, UseMem: true, Mem: m})
	}
}

// element adds the products of contracted element k from the current one.
func (w *tileWriter) element(k int) {
	if w.inMemory() {
		t := w.broadcast(w.operandA(0, k))
		if w.Ahead > 0 {
			w.requestB(k)
		}
		for v := range w.Vecs - 1 {
			w.vectorMem(w.fma(), w.acc(0, v), t, w.operandB(v, k))
		}
		w.loadB(w.b[0], w.Vecs-1, w.operandB(w.Vecs-1, k))
		w.vector(w.fma(), w.acc(0, w.Vecs-1), t, w.b[0])
		return
	}
	for v := range w.Vecs {
		w.loadB(w.b[v], v, w.operandB(v, k))
	}
	for r := range w.Rows {
		m := w.operandA(r, k)
		switch {
		case w.Elem.Float() && w.isa == AVX512 && w.Vecs == 1:
			w.Emit(&Inst{Op: w.fma(), Len: L512, R: w.acc(r, 0), V: w.b[0], UseMem: true, Mem: m, Bcast: true})
		case w.Elem.Float():
			t := w.broadcast(m)
			for v := range w.Vecs {
				w.vector(w.fma(), w.acc(r, v), t, w.b[v])
			}
		default:
			w.integers(r, m)
		}
	}
}

// broadcast loads an element of A into all lanes of a register.
func (w *tileWriter) broadcast(m Mem) Reg {
	t := w.temps[w.turn%len(w.temps)]
	w.turn++
	w.spread(t, m)
	return t
}

func (w *tileWriter) spread(t Reg, m Mem) {
	op := Vbroadcastss
	if w.Elem.Size() == 8 {
		op = Vbroadcastsd
	}
	w.vectorMem(op, t, 0, m)
}
