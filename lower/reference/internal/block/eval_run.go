package block

import (
	"unsafe"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/scalar"
)

type frame struct {
	mem  []uint64
	ptr  []unsafe.Pointer
	flag []bool
	ops  []operand
}

func (pl *Plan) newFrame() *frame {
	f := &frame{
		mem:  make([]uint64, (pl.bytes+63)/8),
		ptr:  make([]unsafe.Pointer, pl.nptr),
		flag: make([]bool, pl.flags),
		ops:  make([]operand, len(pl.params)),
	}
	for _, k := range pl.consts {
		f.ptr[k.ptr] = f.At(k.buf)
		fill(f.ptr[k.ptr], int(k.size), k.bits, blockLen)
	}
	for _, t := range pl.temps {
		f.ptr[t.ptr] = f.At(t.buf)
	}
	return f
}

func (f *frame) At(offset int) unsafe.Pointer {
	return unsafe.Pointer(&f.mem[offset/8])
}

// Prog returns the program that the plan runs.
func (pl *Plan) Prog() *scalar.Prog { return pl.prog }

// Run computes the results of all elements.
func (pl *Plan) Run(in, out []*Tensor) {
	if len(out) > 0 {
		pl.RunRange(in, out, 0, out[0].Size())
	}
}

// RunRange computes the elements of the results from lo up to, not including, hi,
// in row-major order. Goroutines may compute ranges of one result side by side;
// ranges should begin at multiples of 64.
func (pl *Plan) RunRange(in, out []*Tensor, lo, hi int) {
	if lo >= hi {
		return
	}
	f := pl.frames.Get().(*frame)
	defer pl.put(f)
	shape := core.Dims{}
	if len(out) > 0 {
		shape = out[0].Shape
	}
	for i, q := range pl.params {
		f.ops[i].bind(f, q, in[q.operand], shape, min(hi-lo, blockLen))
	}
	for at := lo; at < hi; at += blockLen {
		n := min(blockLen, hi-at)
		for i, q := range pl.params {
			f.ptr[q.ptr] = f.ops[i].load(at, n)
		}
		for _, o := range pl.outs {
			if o.direct {
				f.ptr[o.ptr] = unsafe.Pointer(&out[o.result].Data[at*o.size])
			}
		}
		pl.block(f, n)
		for _, o := range pl.outs {
			if !o.direct {
				o.store(f.ptr[o.from], unsafe.Pointer(&out[o.result].Data[0]), at, n)
			}
		}
	}
}

func (pl *Plan) put(f *frame) {
	for _, q := range pl.params {
		f.ptr[q.ptr] = nil
	}
	for i := range f.ops {
		f.ops[i].base = nil
	}
	for _, o := range pl.outs {
		if o.direct {
			f.ptr[o.ptr] = nil
		}
	}
	pl.frames.Put(f)
}

func (pl *Plan) block(f *frame, n int) {
	ptr := f.ptr
	for i := 0; i < len(pl.Steps); i++ {
		s := &pl.Steps[i]
		switch s.Kind {
		case stepLoop:
			s.fn(ptr[s.d], ptr[s.a], ptr[s.b], ptr[s.c], n)
		case stepTest:
			f.flag[s.flag] = anyTrue(ptr[s.a], n)
		case StepSkip:
			if !f.flag[s.flag] {
				i = int(s.To) - 1
			}
		case stepRare:
			if f.flag[s.flag] {
				s.fn(ptr[s.d], ptr[s.a], ptr[s.b], ptr[s.c], n)
			} else {
				copyOf(int(s.size))(ptr[s.d], ptr[s.c], nil, nil, n)
			}
		}
	}
}
