package amd64

func (w *tileWriter) fma() Op {
	switch w.Elem {
	case TileF64:
		return Vfmadd231pd
	case TileBF16:
		return Vdpbf16ps
	}
	return Vfmadd231ps
}

// add returns the instruction that adds elements.
func (w *tileWriter) add() Op {
	return [...]Op{TileF32: Vaddps, TileF64: Vaddpd, TileI32: Vpaddd, TileI64: Vpaddq, TileBF16: Vaddps, TileI16: Vpaddd}[w.Elem]
}

// integers adds the products of one row.
func (w *tileWriter) integers(r int, m Mem) {
	t := w.temps
	w.spread(t[0], m)
	if w.Elem == TileI64 && w.isa == AVX2 {
		w.vectorImm(VpsrlqI, t[1], t[0], 32)
	}
	for v := range w.Vecs {
		acc, b := w.acc(r, v), w.b[v]
		switch {
		case w.Elem == TileI32:
			w.vector(Vpmulld, t[1], b, t[0])
		case w.Elem == TileI16:
			w.vector(Vpmaddwd, t[1], b, t[0])
		case w.isa == AVX512:
			w.vector(Vpmullq, t[1], b, t[0])
		default: // low·low + (low·high + high·low)·2³²
			w.vectorImm(VpsrlqI, t[2], b, 32)
			w.vector(Vpmuludq, t[2], t[2], t[0])
			w.vector(Vpmuludq, t[3], b, t[1])
			w.vector(Vpaddq, t[2], t[2], t[3])
			w.vectorImm(VpsllqI, t[2], t[2], 32)
			w.vector(Vpaddq, acc, acc, t[2])
			w.vector(Vpmuludq, t[2], b, t[0])
			w.vector(Vpaddq, acc, acc, t[2])
			continue
		}
		w.vector(w.add(), acc, acc, t[1])
	}
}

// vectorImm appends r = m shifted by a constant.
func (w *tileWriter) vectorImm(op Op, r, m Reg, n int64) {
	w.Emit(&Inst{Op: op, Len: w.length(), V: r, M: m, Imm: n})
}

// update adds the chunk's sums to C and writes them.
func (w *tileWriter) update() {
	fresh, added, stored := w.NewLabel(), w.NewLabel(), w.NewLabel()
	t := w.b[0]
	w.load(tileCol, word(tileState+2*4+2))
	w.load(tileN, word(TileArgs-1))
	w.immediate(AndI, tileN, TileAccumulate)
	w.Jump(Je, fresh)
	w.overC(func(r, v int, m Mem) {
		if v < w.Vecs-1 {
			w.vectorMem(w.add(), w.acc(r, v), w.acc(r, v), m)
			return
		}
		w.loadMasked(t, m)
		w.vector(w.add(), w.acc(r, v), w.acc(r, v), t)
	})
	w.Jump(Jmp, added)
	w.Bind(fresh)
	if w.Elem.Float() { // +0 + −0 = +0
		w.zero(t)
		for i := range w.Rows * w.Vecs {
			w.vector(w.add(), Reg(i), Reg(i), t)
		}
	}
	w.load(tileN, word(TileArgs-1))
	w.immediate(OrI, tileN, TileAccumulate)
	w.store(word(TileArgs-1), tileN)
	w.Bind(added)
	if w.Elem.Float() {
		w.more()
		w.Jump(Jne, stored)
		w.load(tileN, word(TileArgs-1))
		w.immediate(AndI, tileN, TileFinal)
		w.Jump(Je, stored)
		w.canonical()
	}
	w.Bind(stored)
	w.load(tileCol, word(tileState+2*4+2))
	w.overC(func(r, v int, m Mem) {
		if v < w.Vecs-1 {
			w.vectorMem(VmovupsS, w.acc(r, v), 0, m)
			return
		}
		w.storeMasked(m, w.acc(r, v))
	})
}

// overC calls f for every vector of C and moves the pointer to C down.
func (w *tileWriter) overC(f func(r, v int, m Mem)) {
	for r := range w.Rows {
		for v := range w.Vecs {
			f(r, v, at(tileCol, int32(v*w.isa.vectorBytes())))
		}
		if r+1 < w.Rows {
			w.general(Add, tileCol, tileLdc)
		}
	}
}

// canonical replaces every NaN by the canonical one.
func (w *tileWriter) canonical() {
	nan := w.canonicalNaN(w.Elem.Size())
	t := w.temps[0]
	w.vectorMem(Vmovups, t, 0, nan)
	for i := range w.Rows * w.Vecs {
		w.assembler.canonical(w.Elem.Size(), Reg(i), t, w.b[0])
	}
}
