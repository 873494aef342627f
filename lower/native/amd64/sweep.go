package amd64

import (
	"fmt"
	"slices"

	"github.com/weft-go/weft/lower/native"
)

// A Sweep is a micro-kernel of the product of a row with a matrix that is larger than the
// cache,
//
//	C[j] += Σₖ X[k] · B[k, j],
//
// which reads four rows of B from their start to their end at a time: memory is fastest so. The
// sums of a chain lie in the first cache meanwhile. A call takes at most the contracted elements
// of a chain. The order of operations is that of Tile.
type Sweep struct {
	ISA  ISA
	Elem TileElem // TileF32 or TileF64
}

// The words of the block of arguments, 8 bytes each.
const (
	SweepX     = iota // address of X
	SweepB            // address of B
	SweepC            // address of C
	SweepSums         // address of memory for the sums, as long as C
	SweepStepX        // bytes from element to element of X
	SweepLdB          // bytes from row to row of B
	SweepBytes        // bytes of C, whole vectors, at least one
	SweepK            // contracted elements, at least 1
	SweepFlags        // TileAccumulate, TileFinal
	SweepArgs
)

// String returns the name of the micro-kernel.
func (k Sweep) String() string { return fmt.Sprintf("sweep_%v", k.Elem) }

// CompileSweep returns the code of a micro-kernel. It takes a block of SweepArgs words.
func CompileSweep(k Sweep) (*native.Code, error) {
	if k.Elem > TileF64 {
		return nil, fmt.Errorf("BUG: amd64: no product of a row of %v with a matrix", k.Elem)
	}
	w := &sweepWriter{assembler: assembler{isa: k.ISA}, Sweep: k}
	w.code()
	bytes, n := w.Finish()
	return &native.Code{Name: k.String(), ISA: k.ISA, Bytes: slices.Clone(bytes), Size: n, Args: SweepArgs}, nil
}

type sweepWriter struct {
	assembler
	Sweep
}

// Registers of a Sweep.
const (
	sweepX    = RSI
	sweepSums = Reg(8)
	sweepC    = Reg(9)
	sweepLd   = Reg(10)
	sweepEnd  = Reg(11) // bytes of C
	sweepStep = Reg(12)
	sweepK    = Reg(13)
	sweepWide = Reg(14) // where no whole group of vectors begins any more
	sweepPos  = RAX
	sweepSum  = Reg(4) // vector registers of sums; those of X's elements are before
)

// sweepRows are the addresses of rows of B.
var sweepRows = [4]Reg{RDX, RCX, RBX, 15}

// sweepVecs is the number of vectors of a row that are read together.
const sweepVecs = 4

func (w *sweepWriter) code() {
	for _, a := range []struct {
		r Reg
		n int
	}{{sweepX, SweepX}, {sweepRows[0], SweepB}, {sweepC, SweepC}, {sweepSums, SweepSums}, {sweepStep, SweepStepX}, {sweepLd, SweepLdB}, {sweepEnd, SweepBytes}, {sweepK, SweepK}} {
		w.load(a.r, word(a.n))
	}
	bytes := int64(w.assembler.isa.vectorBytes())
	w.general(Mov, sweepWide, sweepEnd)
	w.immediate(SubI, sweepWide, bytes*(sweepVecs-1))
	w.zero(sweepSum)
	w.over(func() { w.vectorMem(VmovupsS, sweepSum, 0, indexed(sweepSums, sweepPos, 0, 0)) })
	several, few, one, done := w.NewLabel(), w.NewLabel(), w.NewLabel(), w.NewLabel()
	w.immediate(SubI, sweepK, 4)
	w.Jump(Jl, few)
	w.Bind(several)
	w.rows(4)
	w.immediate(SubI, sweepK, 4)
	w.Jump(Jge, several)
	w.Bind(few)
	w.immediate(AddI, sweepK, 4)
	w.Jump(Je, done)
	w.Bind(one)
	w.rows(1)
	w.immediate(SubI, sweepK, 1)
	w.Jump(Jne, one)
	w.Bind(done)
	w.update()
	w.end()
}

// over writes a loop over the vectors of C.
func (w *sweepWriter) over(body func()) {
	top := w.NewLabel()
	w.general(Xor, sweepPos, sweepPos)
	w.Bind(top)
	body()
	w.immediate(AddI, sweepPos, int64(w.assembler.isa.vectorBytes()))
	w.general(Cmp, sweepPos, sweepEnd)
	w.Jump(Jl, top)
}

// rows adds the products of n rows of B to the sums.
func (w *sweepWriter) rows(n int) {
	spread := Vbroadcastss
	if w.Elem == TileF64 {
		spread = Vbroadcastsd
	}
	for i := range n {
		w.vectorMem(spread, Reg(i), 0, at(sweepX, 0))
		w.general(Add, sweepX, sweepStep)
		if i > 0 {
			w.lea(sweepRows[i], indexed(sweepRows[i-1], sweepLd, 0, 0))
		}
	}
	wide, single, last, done := w.NewLabel(), w.NewLabel(), w.NewLabel(), w.NewLabel()
	w.general(Xor, sweepPos, sweepPos)
	w.general(Cmp, sweepPos, sweepWide)
	w.Jump(Jge, last)
	w.Align(32)
	w.Bind(wide)
	w.add(n, sweepVecs)
	w.general(Cmp, sweepPos, sweepWide)
	w.Jump(Jl, wide)
	w.Bind(last)
	w.general(Cmp, sweepPos, sweepEnd)
	w.Jump(Jge, done)
	w.Bind(single)
	w.add(n, 1)
	w.general(Cmp, sweepPos, sweepEnd)
	w.Jump(Jl, single)
	w.Bind(done)
	w.lea(sweepRows[0], indexed(sweepRows[n-1], sweepLd, 0, 0))
}

// add adds the products of n rows with some vectors at the current position to the sums,
// row by row, and moves the position behind them.
func (w *sweepWriter) add(n, vecs int) {
	bytes := w.assembler.isa.vectorBytes()
	fma := Vfmadd231ps
	if w.Elem == TileF64 {
		fma = Vfmadd231pd
	}
	for v := range vecs {
		w.vectorMem(Vmovups, sweepSum+Reg(v), 0, indexed(sweepSums, sweepPos, 0, int32(v*bytes)))
	}
	for i := range n {
		for v := range vecs {
			w.vectorMem(fma, sweepSum+Reg(v), Reg(i), indexed(sweepRows[i], sweepPos, 0, int32(v*bytes)))
		}
	}
	for v := range vecs {
		w.vectorMem(VmovupsS, sweepSum+Reg(v), 0, indexed(sweepSums, sweepPos, 0, int32(v*bytes)))
	}
	w.immediate(AddI, sweepPos, int64(vecs*bytes))
}

// update adds the chain's sums to C.
func (w *sweepWriter) update() {
	const nan, temp, sum, flags = Reg(0), Reg(1), sweepSum, RSI
	size := w.Elem.Size()
	add := Vaddps
	if size == 8 {
		add = Vaddpd
	}
	w.vectorMem(Vmovups, nan, 0, w.canonicalNaN(size))
	w.load(sweepX, word(SweepFlags))
	w.over(func() {
		fresh, stored := w.NewLabel(), w.NewLabel()
		w.zero(temp) // +0 + −0 = +0
		w.general(Mov, sweepK, flags)
		w.immediate(AndI, sweepK, TileAccumulate)
		w.Jump(Je, fresh)
		w.vectorMem(Vmovups, temp, 0, indexed(sweepC, sweepPos, 0, 0))
		w.Bind(fresh)
		w.vectorMem(add, sum, temp, indexed(sweepSums, sweepPos, 0, 0))
		w.general(Mov, sweepK, flags)
		w.immediate(AndI, sweepK, TileFinal)
		w.Jump(Je, stored)
		w.canonical(size, sum, nan, temp)
		w.Bind(stored)
		w.vectorMem(VmovupsS, sum, 0, indexed(sweepC, sweepPos, 0, 0))
	})
}
