package fft

import (
	"math/bits"
	"unsafe"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// singlesTogether is the number of columns that are transformed side by side in f32: as many complex numbers as
// fit in a line of the cache.
const singlesTogether = 8

// isSingle reports whether a transform computes in f32: see prim.FFTP.
func isSingle(dt core.DType, lens []int) bool {
	for _, n := range lens {
		if n&(n-1) != 0 {
			return false
		}
	}
	return dt == core.Float32 || dt == core.Complex64
}

// FourierSingle reports whether a transform to or from a type computes in f32.
func FourierSingle(p prim.FFTP, dt core.DType) bool { return isSingle(dt, p.Lengths.Ints()) }

// A singleTransform is a blockTransform in f32.
type singleTransform struct {
	kind           prim.FFTKind
	inverse        bool
	lens           []int
	last, width    int
	stride         int // of rows in data
	plan           *singlePlan
	data, scratch  []cplx32
	lines, columns []cplx32
}

func fourierSingle(y, x *block.Tensor, p prim.FFTP) {
	lens := p.Lengths.Ints()
	total, last := p.Lengths.Size(), lens[len(lens)-1]
	f := &singleTransform{kind: p.Kind, lens: lens, last: last, width: last, stride: last, plan: planSingle(bits.TrailingZeros(uint(last)))}
	f.inverse = p.Kind == prim.FFTInverse || p.Kind == prim.FFTRealInverse
	count, in := y.Size()/total, total
	switch p.Kind {
	case prim.FFTReal:
		count = x.Size() / total
		f.width = last/2 + 1
	case prim.FFTRealInverse:
		in = total / last * (last/2 + 1)
	}
	longest := 0
	if len(lens) > 1 { // rows do not begin a multiple of 4 KB apart: their columns would share few lines of the cache
		if f.stride = (f.width + singlesTogether - 1) / singlesTogether * singlesTogether; f.stride%512 == 0 {
			f.stride += singlesTogether
		}
		for _, n := range lens[:len(lens)-1] {
			longest = max(longest, n)
		}
	}
	// The last row may be longer than the part of it that is kept.
	size := total/last*f.stride + last
	memory, l := block.Borrow[cplx32](size + last + 2*singlesTogether*longest)
	f.data, f.scratch = memory[:size], memory[size:size+last]
	f.lines = memory[size+last : size+last+singlesTogether*longest]
	f.columns = memory[size+last+singlesTogether*longest:]
	out := y.Size() / count
	for b := range count {
		f.run(y, b*out, x, b*in)
	}
	l.Back()
}

// run transforms the block of x from element `at` on to the block of y from element `to` on.
func (f *singleTransform) run(y *block.Tensor, to int, x *block.Tensor, at int) {
	axes, last := len(f.lens), f.last
	if axes == 1 && f.kind == prim.FFTForward {
		f.plan.run(1, singlesOf(y)[to:to+last], singlesOf(x)[at:at+last], f.scratch, nil)
		block.Canon(block.View[complex64](y)[to : to+last])
		return
	}
	rows := 1
	for _, n := range f.lens[:axes-1] {
		rows *= n
	}
	for r := range rows {
		row := f.data[r*f.stride:]
		switch {
		case f.kind == prim.FFTRealInverse: // the last axis comes last: its spectrum is completed then
			half := last/2 + 1
			conjugateSingles(row[:half], singlesOf(x)[at:at+half])
			clear(row[half:max(half, f.stride)])
			at += half
			continue
		case f.kind == prim.FFTReal:
			f.plan.run(1, row[:last], nil, f.scratch, block.View[float32](x)[at:at+last])
		default:
			src := singlesOf(x)[at : at+last]
			if f.inverse {
				in := f.plan.operand(row[:last], f.scratch)
				conjugateSingles(in, src)
				src = in
			}
			f.plan.run(1, row[:last], src, f.scratch, nil)
		}
		at += last
	}
	kept := f.width
	if f.kind == prim.FFTRealInverse {
		kept = last/2 + 1
	}
	store := y
	if f.inverse {
		store = nil
	}
	if f.axes(kept, store, to) {
		return
	}
	for r := range rows {
		row := f.data[r*f.stride:]
		if f.kind == prim.FFTRealInverse {
			row = row[:last]
			completeSingles(row)
			f.plan.run(1, row, row, f.scratch, nil)
		}
		f.narrow(y, to, row[:f.width])
		to += f.width
	}
}

// narrow writes a row of the result to the elements of y from element `to` on.
func (f *singleTransform) narrow(y *block.Tensor, to int, row []cplx32) {
	total := float32(1)
	for _, n := range f.lens {
		total *= float32(n)
	}
	if f.kind == prim.FFTRealInverse {
		out := block.View[float32](y)[to : to+len(row)]
		for i, v := range row {
			out[i] = v.re / total
		}
		block.Canon(out)
		return
	}
	out := singlesOf(y)[to : to+len(row)]
	if copy(out, row); f.inverse {
		for i, v := range out {
			out[i] = cplx32{v.re / total, -v.im / total}
		}
	}
	block.Canon(block.View[complex64](y)[to : to+len(row)])
}

// axes transforms along all axes but the last, of which it transforms the first `width`
// elements, as transformAxes. It reports whether the results are in y, from element `to` on.
func (f *singleTransform) axes(width int, y *block.Tensor, to int) bool {
	inner := f.stride
	for axis := len(f.lens) - 2; axis >= 0; axis-- {
		n := f.lens[axis]
		plan := planSingle(bits.TrailingZeros(uint(n)))
		size := len(f.data) - f.last
		for o := 0; o < size; o += n * inner {
			for row := 0; row < inner; row += f.stride {
				for i := 0; i < width; i += singlesTogether {
					strip := f.data[o+row+i:]
					lines := f.lines[:n*singlesTogether]
					in := plan.operand(lines, f.columns)
					loadSingles(in, strip, inner, n)
					plan.run(singlesTogether, lines, in, f.columns, nil)
					if axis == 0 && y != nil {
						step := inner / f.stride * width
						storeSingles(y, to+row/f.stride*width+i, step, lines, n, min(singlesTogether, width-i))
						continue
					}
					for k := range n {
						*(*[singlesTogether]cplx32)(strip[k*inner:]) = *(*[singlesTogether]cplx32)(lines[singlesTogether*k:])
					}
				}
			}
		}
		inner *= n
		if axis == 0 && y != nil {
			return true
		}
	}
	return false
}

// loadSingles copies n rows of eight numbers, which begin `step` apart, so that they follow one another.
func loadSingles(to, from []cplx32, step, n int) {
	if columnLoad != nil {
		columnLoad(unsafe.Pointer(&to[:singlesTogether*n][0]), unsafe.Pointer(&from[:(n-1)*step+singlesTogether][0]), step*int(unsafe.Sizeof(cplx32{})), n)
		return
	}
	for k := range n {
		*(*[singlesTogether]cplx32)(to[singlesTogether*k:]) = *(*[singlesTogether]cplx32)(from[k*step:])
	}
}

// singleStore writes n rows of at most eight numbers to rows that are `step` bytes apart, and
// makes NaNs canonical. `columns` has two bits for each number of a row. It is nil where the
// machine has no code for it.
var singleStore func(to unsafe.Pointer, step int, src unsafe.Pointer, n int, columns uint)

// storeSingles writes n rows of some columns to the elements of y from element `to` on, `step`
// elements apart.
func storeSingles(y *block.Tensor, to, step int, lines []cplx32, n, columns int) {
	out := singlesOf(y)
	_ = out[to+(n-1)*step+columns-1]
	if singleStore != nil {
		singleStore(unsafe.Pointer(&out[to]), step*int(unsafe.Sizeof(cplx32{})), unsafe.Pointer(&lines[:singlesTogether*n][0]), n, 1<<(2*columns)-1)
		return
	}
	for k := range n {
		at := to + k*step
		copy(out[at:at+columns], lines[singlesTogether*k:])
		block.Canon(block.View[complex64](y)[at : at+columns])
	}
}

// completeSingles is completeSpectrum for numbers of f32.
func completeSingles(row []cplx32) {
	n := len(row)
	row[0].im = 0
	row[n/2].im = 0 // for n = 1 the first again
	for k := 1; 2*k < n; k++ {
		row[n-k] = cplx32{row[k].re, -row[k].im}
	}
}

func conjugateSingles(to, from []cplx32) {
	for i, v := range from {
		to[i] = cplx32{v.re, -v.im}
	}
}

func singlesOf(x *block.Tensor) []cplx32 {
	return unsafe.Slice((*cplx32)(unsafe.Pointer(unsafe.SliceData(x.Data))), x.Size())
}
