package simt

import (
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// warp is the number of neighbouring threads that Ballot is among.
const warp = 32

// Ballot assigns to a U32 register the Bool registers of 32 neighbouring threads of a
// group: bit i is that of the thread whose number mod 32 is i. All threads of the group
// reach it, and their number is a multiple of 32. It makes no writes visible.
type Ballot struct{ Dst, Src Reg }

// Add adds to an element of a shared array of I32 or U32. Threads may add to one element
// at once; a barrier is between that and other uses.
type Add struct {
	Array int
	At    Reg
	Value Reg
}

// AddTo adds to an element of a buffer of integers of four or eight bytes. Threads of all groups may add to one element at
// once; nothing else in the kernel uses it.
type AddTo struct {
	Buffer int
	At     Reg
	Value  Reg
}

func (*Ballot) isStmt() {}
func (*Add) isStmt()    {}
func (*AddTo) isStmt()  {}

// ballot returns the register of a Ballot.
func (e *emitter) ballot(src Reg) Reg {
	r := e.reg(scalar.U32)
	e.add(&Ballot{r, src})
	return r
}

// addTo emits an addition to an element of a shared array.
func (e *emitter) addTo(array int, at, value Reg) { e.add(&Add{array, at, value}) }

// ballot evaluates a ballot.
func (v *evaluator) ballot(s *Ballot, mask []bool) {
	if len(mask)%warp != 0 {
		v.fail("a ballot of %d threads", len(mask))
		return
	}
	for t, m := range mask {
		if !m {
			v.fail("thread %d does not reach a ballot", t)
			return
		}
	}
	for first := 0; first < len(mask); first += warp {
		bits := uint64(0)
		for i := range warp {
			bits |= v.regs[s.Src][first+i] & 1 << i
		}
		for i := range warp {
			v.regs[s.Dst][first+i] = bits
		}
	}
}

// addTo evaluates an addition to an element of an array.
func (v *evaluator) addTo(s *Add, t int) {
	if !v.f.Arrays[s.Array].Shared {
		v.fail("array %d is not shared", s.Array)
	} else if i, ok := v.slot(s.Array, v.position(s.At, t), t, Adds); ok {
		v.arrays[s.Array][i] += v.regs[s.Value][t]
	}
}

// addToBuffer evaluates an addition to an element of a buffer.
func (v *evaluator) addToBuffer(s *AddTo, t int) {
	at := v.position(s.At, t)
	b, size := v.element(s.Buffer, at, t)
	if b == nil {
		return
	}
	if size < 4 || v.f.Kernel.Buffers[s.Buffer].Type.IsFloat() || v.f.Kernel.Buffers[s.Buffer].Role == ir.In {
		v.fail("threads add to buffer %d at once", s.Buffer)
		return
	}
	v.touch(spot{false, v.memory(s.Buffer), at}, t, Adds)
	putBits(b, size, bitsOf(b, size)+v.regs[s.Value][t])
}
