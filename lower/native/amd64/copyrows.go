package amd64

import (
	"fmt"
	"slices"

	"github.com/weft-go/weft/lower/native"
)

// A RowCopy copies rows of elements that lie side by side.
type RowCopy struct {
	ISA  ISA
	Size int // bytes of an element: 4 or 8
}

// The words of the block of arguments.
const (
	CopySrc  = iota // address of the first row
	CopyDst         // address of its copy
	CopyLdS         // bytes from row to row
	CopyLdD         // bytes from copy to copy
	CopyRows        // at least 1
	CopyCols        // elements of a row, at least 1
	CopyArgs
)

// String returns the name of the micro-kernel.
func (c RowCopy) String() string { return fmt.Sprintf("copy_%d", c.Size) }

// CompileRowCopy returns the code of a copy. It takes a block of CopyArgs words.
func CompileRowCopy(c RowCopy) (*native.Code, error) {
	if c.Size != 4 && c.Size != 8 {
		return nil, fmt.Errorf("BUG: amd64: no copy of elements of %d bytes", c.Size)
	}
	w := &turner{assembler: assembler{isa: c.ISA}, size: c.Size}
	w.copyRows()
	bytes, n := w.Finish()
	return &native.Code{Name: c.String(), ISA: c.ISA, Bytes: slices.Clone(bytes), Size: n, Args: CopyArgs}, nil
}

func (t *turner) copyRows() {
	const (
		src, dst   = RSI, RDX
		lds, ldd   = Reg(9), Reg(10)
		rows, cols = Reg(11), Reg(12)
		left, pos  = Reg(13), Reg(8)
		temp       = RCX
		table      = RBX
		mask       = Reg(15) // AVX2
	)
	t.load(src, word(CopySrc))
	t.load(dst, word(CopyDst))
	t.load(lds, word(CopyLdS))
	t.load(ldd, word(CopyLdD))
	t.load(rows, word(CopyRows))
	t.load(cols, word(CopyCols))
	if t.isa == AVX2 {
		t.lea(table, t.maskTable())
	}
	// The mask of the last vector, which may be full.
	lanes := int64(t.lanes())
	t.general(Mov, left, cols)
	t.immediate(SubI, left, 1)
	t.immediate(AndI, left, lanes-1)
	t.immediate(AddI, left, 1)
	t.maskOf(1, mask, left, temp, table)
	t.general(Sub, cols, left) // in whole vectors
	row, inner, last := t.NewLabel(), t.NewLabel(), t.NewLabel()
	t.Bind(row)
	t.general(Xor, pos, pos)
	t.general(Mov, left, cols)
	t.immediate(SubI, left, lanes)
	t.Jump(Jl, last)
	t.Align(32)
	t.Bind(inner)
	t.vectorMem(Vmovups, 0, 0, indexed(src, pos, 0, 0))
	t.vectorMem(VmovupsS, 0, 0, indexed(dst, pos, 0, 0))
	t.immediate(AddI, pos, int64(t.isa.vectorBytes()))
	t.immediate(SubI, left, lanes)
	t.Jump(Jge, inner)
	t.Bind(last)
	from, to := indexed(src, pos, 0, 0), indexed(dst, pos, 0, 0)
	i := t.size / 8
	if t.isa == AVX512 {
		t.Emit(&Inst{Op: [2]Op{Vmovups, Vmovupd}[i], Len: L512, R: 0, UseMem: true, Mem: from, K: 1, Zero: true})
		t.Emit(&Inst{Op: [2]Op{VmovupsS, VmovupdS}[i], Len: L512, R: 0, UseMem: true, Mem: to, K: 1})
	} else {
		t.vectorMem([2]Op{VmaskmovpsL, VmaskmovpdL}[i], 0, mask, from)
		t.vectorMem([2]Op{VmaskmovpsS, VmaskmovpdS}[i], 0, mask, to)
	}
	t.general(Add, src, lds)
	t.general(Add, dst, ldd)
	t.immediate(SubI, rows, 1)
	t.Jump(Jg, row)
	t.end()
}
