package simteval

import (
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/simt"
)

// warp is the number of neighbouring threads that a ballot is among.
const warp = 32

// ballot evaluates a ballot.
func (v *evaluator) ballot(s *simt.Ballot, mask []bool) {
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
func (v *evaluator) addTo(s *simt.Add, t int) {
	if !v.f.Arrays[s.Array].Shared {
		v.fail("array %d is not shared", s.Array)
	} else if i, ok := v.slot(s.Array, v.position(s.At, t), t, simt.Adds); ok {
		v.arrays[s.Array][i] += v.regs[s.Value][t]
	}
}

// addToBuffer evaluates an addition to an element of a buffer.
func (v *evaluator) addToBuffer(s *simt.AddTo, t int) {
	at := v.position(s.At, t)
	b, size := v.element(s.Buffer, at, t)
	if b == nil {
		return
	}
	if size < 4 || v.f.Kernel.Buffers[s.Buffer].Type.IsFloat() || v.f.Kernel.Buffers[s.Buffer].Role == ir.In {
		v.fail("threads add to buffer %d at once", s.Buffer)
		return
	}
	v.touch(spot{false, v.memory[s.Buffer], at}, t, simt.Adds)
	putBits(b, size, bitsOf(b, size)+v.regs[s.Value][t])
}
