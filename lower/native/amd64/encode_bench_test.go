package amd64

import "testing"

// BenchmarkEncoder reports the time of an instruction.
func BenchmarkEncoder(b *testing.B) {
	list := []Inst{
		{Op: Vmovups, Len: L512, R: 3, UseMem: true, Mem: Mem{Base: RDI, Index: RAX, Scale: 2, Disp: 64}},
		{Op: Vfmadd231ps, Len: L512, R: 3, V: 17, M: 20},
		{Op: Vaddps, Len: L256, R: 3, V: 1, M: 2},
		{Op: Vmulps, Len: L512, R: 30, V: 1, UseMem: true, Bcast: true, Mem: Mem{Pool: true, Disp: 8}},
		{Op: VcmppsK, Len: L512, R: 3, V: 1, M: 2, Imm: 1},
		{Op: AddI, R: RAX, M: RAX, Imm: 64},
		{Op: VmovupsS, Len: L512, R: 3, K: 1, UseMem: true, Mem: Mem{Base: RDI, Index: RAX, Scale: 2, Disp: 64}},
	}
	var e Encoder
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if i&1023 == 0 {
			e.Reset()
		}
		e.Emit(&list[i%len(list)])
	}
}
