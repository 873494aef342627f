package legalize

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/reference"
	"github.com/weft-go/weft/lower/reference/fft"
	"github.com/weft-go/weft/lower/scalar"
)

// A Transform is the kernels of a Fourier transform, which run one after the other.
type Transform struct {
	Passes  []Pass
	Tables  []*reference.Tensor // constants that passes read
	Scratch int                 // bytes of each of two pieces of memory between the passes
}

// A Pass consists of kernels, its parts, that run one after the other. If there are several parts, their grids
// begin with the same FourierGroups axes, which number groups. Each group has numbers of its own in local
// memory; a part reads there what the parts before it wrote.
type Pass struct {
	Parts []Part
	Local int // scalar values of each of two pieces of local memory that a group has; 0: it has none
}

// A Part is a kernel with the memory of its buffers.
type Part struct {
	Kernel *ir.Kernel
	Memory []Memory
}

// FourierGroups is the number of axes that number the groups of a pass of several parts.
const FourierGroups = 3

// Memory is what a buffer of a part is: FourierOperand, FourierResult, scratch memory 0 or 1, local memory 0 or 1 of a
// group, or FourierTable plus the number of a table.
type Memory int

// The memory of a transform.
const (
	FourierScratch0 Memory = iota
	FourierScratch1
	FourierOperand
	FourierResult
	FourierLocal0
	FourierLocal1
	FourierTable
)

// Fourier returns the kernels of a Fourier transform; nil if it has no elements.
func Fourier(p prim.FFTP, in, out core.ShapedArray) *Transform {
	lens := p.Lengths.Ints()
	if in.Size() == 0 || out.Size() == 0 || p.Lengths.Size() == 0 {
		return nil
	}
	axes := len(lens)
	last := lens[axes-1]
	f := &fourier{t: &Transform{}, in: in, out: out, typ: scalar.F64, tables: map[int][3]Memory{}}
	if fft.FourierSingle(p, in.DType) {
		f.typ = scalar.F32
	}
	f.inverse = p.Kind == prim.FFTInverse || p.Kind == prim.FFTRealInverse
	width, kept := last, last // numbers of a row that are read, and that are written
	switch p.Kind {
	case prim.FFTReal:
		kept = last/2 + 1
	case prim.FFTRealInverse:
		width = last/2 + 1
	}
	rows := in.Size() / width
	f.at, f.count = FourierOperand, rows*width
	f.scale = 1
	for _, n := range lens {
		f.scale *= float64(n)
	}
	if p.Kind == prim.FFTRealInverse {
		f.others(lens, rows, width, false)
		f.complete(rows, last)
		f.axis(last, rows, 1, last)
	} else {
		whole := 0
		if axes == 1 {
			whole = kept
		}
		f.axis(last, rows, 1, whole)
		if kept < last && axes > 1 {
			f.trim(rows, last, kept)
			last = kept
		}
		f.others(lens, rows, kept, true)
	}
	if f.at != FourierResult {
		f.store(rows, last, kept)
	}
	return f.t
}

// fourier writes the passes of a transform. Between them complex numbers lie in one of two pieces
// of memory.
type fourier struct {
	t       *Transform
	in, out core.ShapedArray
	inverse bool
	typ     scalar.Type       // of the numbers between passes
	at      Memory            // where the numbers are
	count   int               // how many numbers the operand has
	scale   float64           // divisor of the numbers of inverse transforms
	tables  map[int][3]Memory // by length: roots, chirp, chirpTransform
}

// others transforms along all axes but the last, from the inner ones on. If end is set, no transform along another
// axis follows.
func (f *fourier) others(lens []int, rows, width int, end bool) {
	inner := width
	total := rows * width
	for a := len(lens) - 2; a >= 0; a-- {
		kept := 0
		if end && a == 0 {
			kept = lens[a]
		}
		f.axis(lens[a], total/(lens[a]*inner), inner, kept)
		inner *= lens[a]
	}
}

// axis transforms along an axis of n numbers that are inner numbers apart. If kept is not 0, this is the last
// axis to be transformed, and a transform in blocks stores the first kept numbers of it in the result.
func (f *fourier) axis(n, outer, inner, kept int) {
	plan := fft.PlanFourier(n)
	if n > 1 && n&(n-1) == 0 {
		f.blocks(n, plan.Factors, outer, inner, kept)
		return
	}
	f.loaded()
	if plan.Length == 0 {
		f.stages(n, plan.Factors, outer, inner)
		return
	}
	m := plan.Length
	f.convolve(n, m, outer, inner, into)
	f.blocks(m, fft.PlanFourier(m).Factors, outer, inner, 0)
	f.convolve(n, m, outer, inner, through)
	f.blocks(m, fft.PlanFourier(m).Factors, outer, inner, 0)
	f.convolve(n, m, outer, inner, outOf)
}

func (f *fourier) stages(n int, factors []int, outer, inner int) {
	l := 1
	for _, q := range factors {
		s := stage{f: f, n: n, q: q, l: l, m: n / (l * q), outer: outer, inner: inner}
		if q == 2 || q == 4 {
			f.pass(s.kernel(), outer*n*inner, f.table(n, roots))
		} else { // two kernels that read one piece of memory
			from := f.at
			f.pass(s.sums(), outer*n*inner, f.table(n, roots))
			f.at = from
			f.pass(s.pairs(), outer*n*inner, f.table(n, roots))
		}
		l *= q
	}
}

// The tables of a length.
const (
	roots = iota
	chirp
	chirpTransform
)

func (f *fourier) table(n, which int) Memory {
	all := f.tables[n]
	if all[which] == 0 {
		plan := fft.PlanFourier(n)
		all[which] = FourierTable + Memory(len(f.t.Tables))
		f.tables[n] = all
		f.t.Tables = append(f.t.Tables, f.constants([][]float64{plan.Roots, plan.Chirp, plan.Kernel}[which]))
	}
	return all[which]
}

func (f *fourier) constants(x []float64) *reference.Tensor {
	if f.typ == scalar.F32 {
		t := reference.NewTensor(core.Aval(core.Float32, len(x)))
		for i, v := range x {
			reference.View[float32](t)[i] = float32(v)
		}
		return t
	}
	t := reference.NewTensor(core.Aval(core.Float64, len(x)))
	copy(reference.View[float64](t), x)
	return t
}

// pass adds a pass that reads the numbers in one piece of scratch memory and writes count numbers to
// the other. The buffers of its kernel are the two, and the tables.
func (f *fourier) pass(k *ir.Kernel, count int, tables ...Memory) {
	to := FourierScratch1 - f.at
	f.add(k, append([]Memory{f.at, to}, tables...)...)
	f.moved(to, count)
}

func (f *fourier) add(k *ir.Kernel, memory ...Memory) {
	f.t.Passes = append(f.t.Passes, Pass{Parts: []Part{{k, memory}}})
}

// moved records that count complex numbers are in a piece of memory.
func (f *fourier) moved(to Memory, count int) {
	f.at = to
	f.t.Scratch = max(f.t.Scratch, 2*f.typ.Size()*count)
}
