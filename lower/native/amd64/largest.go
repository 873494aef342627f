package amd64

import (
	"fmt"
	"slices"

	"github.com/weft-go/weft/lower/native"
)

// A Largest finds the largest magnitude of floats, to determine whether all are finite.
type Largest struct {
	ISA  ISA
	Size int // bytes of an element: 4 or 8
}

// The words of the block of arguments.
const (
	LargestSrc   = iota // address of the elements
	LargestCount        // at least 1
	LargestOut          // eight words: for each lane of 32 bits, the largest of the upper halves of f64 or of f32, as integers without sign
	LargestArgs  = LargestOut + 8
)

// String returns the name of the micro-kernel.
func (l Largest) String() string { return fmt.Sprintf("largest_%d", l.Size) }

// CompileLargest returns the code. It takes a block of LargestArgs words, whose Out it
// updates.
func CompileLargest(l Largest) (*native.Code, error) {
	if l.Size != 4 && l.Size != 8 {
		return nil, fmt.Errorf("BUG: amd64: no floats of %d bytes", l.Size)
	}
	t := &turner{assembler: assembler{isa: l.ISA}, size: l.Size}
	t.largest()
	bytes, n := t.Finish()
	return &native.Code{Name: l.String(), ISA: l.ISA, Bytes: slices.Clone(bytes), Size: n, Args: LargestArgs}, nil
}

func (t *turner) largest() {
	const (
		src, left, table = RSI, RCX, RBX
		temp             = RAX
		most, x, magn    = Reg(0), Reg(1), Reg(2)
		mask             = Reg(15) // AVX2
	)
	and := Vpand
	if t.isa == AVX512 {
		and = Vpandd
	}
	bits := uint64(0x7fffffff)
	if t.size == 8 {
		bits = 0x7fffffff00000000
	}
	if t.isa == AVX2 {
		t.lea(table, t.maskTable())
	}
	t.vectorMem(Vmovups, magn, 0, t.constant(bits, t.size))
	t.vectorMem(Vmovups, most, 0, word(LargestOut))
	t.load(src, word(LargestSrc))
	t.load(left, word(LargestCount))
	loop, rest, done := t.NewLabel(), t.NewLabel(), t.NewLabel()
	lanes := int64(t.lanes())
	t.immediate(SubI, left, lanes)
	t.Jump(Jl, rest)
	t.Align(32)
	t.Bind(loop)
	t.vectorMem(and, x, magn, at(src, 0))
	t.vector(Vpmaxud, most, most, x)
	t.immediate(AddI, src, int64(t.isa.vectorBytes()))
	t.immediate(SubI, left, lanes)
	t.Jump(Jge, loop)
	t.Bind(rest)
	t.immediate(AddI, left, lanes)
	t.Jump(Jle, done)
	t.maskOf(1, mask, left, temp, table)
	if t.isa == AVX512 {
		t.Emit(&Inst{Op: [2]Op{Vmovups, Vmovupd}[t.size/8], Len: L512, R: x, UseMem: true, Mem: at(src, 0), K: 1, Zero: true})
	} else {
		t.vectorMem([2]Op{VmaskmovpsL, VmaskmovpdL}[t.size/8], x, mask, at(src, 0))
	}
	t.vector(and, x, magn, x)
	t.vector(Vpmaxud, most, most, x)
	t.Bind(done)
	t.vectorMem(VmovupsS, most, 0, word(LargestOut))
	t.end()
}
