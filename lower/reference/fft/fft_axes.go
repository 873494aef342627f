package fft

import (
	"unsafe"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/lower/reference/internal/block"
	"github.com/weft-go/weft/lower/scalar"
)

// fourier transforms the last axes: see prim.FFTP.
func fourier(y, x *block.Tensor, p prim.FFTP) {
	if y.Size() == 0 {
		return
	}
	lens := p.Lengths.Ints()
	total := p.Lengths.Size()
	if total == 0 {
		clear(y.Data) // sums of nothing
		return
	}
	if isSingle(x.DType, lens) {
		fourierSingle(y, x, p)
		return
	}
	last := lens[len(lens)-1]
	f := &blockTransform{kind: p.Kind, lens: lens, last: last, width: last, plan: planFFT(last)}
	f.inverse = p.Kind == prim.FFTInverse || p.Kind == prim.FFTRealInverse
	count, in := y.Size()/total, total
	switch p.Kind {
	case prim.FFTReal:
		count = x.Size() / total
		f.width = last/2 + 1
	case prim.FFTRealInverse:
		in = total / last * (last/2 + 1)
	}
	f.space()
	size := f.inner.Size()
	if len(lens) > 1 {
		size += last
	}
	data, ld := block.Borrow[block.Complex](size)
	scratch, ls := block.Borrow[block.Complex](last)
	f.data, f.scratch = data, scratch
	out := y.Size() / count
	for b := range count {
		f.run(y, b*out, x, b*in)
	}
	ls.Back()
	ld.Back()
}

// A blockTransform transforms blocks: the elements along the axes of the transform, for each position of the other
// axes.
type blockTransform struct {
	kind    prim.FFTKind
	inverse bool
	lens    []int
	last    int // the last length
	width   int // elements of the last axis that are results
	plan    *fftPlan
	// inner has the lengths of the axes in memory. The last length is stride.
	inner  core.Dims
	stride int
	// data is a block in f64, with space for a row behind it if there are other axes; scratch is
	// one row.
	data, scratch []block.Complex
}

// space lays out a block. If there are other axes, only the results of a row are kept, and rows
// do not begin a multiple of 4 KB apart: their columns would share few lines of the cache.
func (f *blockTransform) space() {
	f.stride = f.last
	if len(f.lens) > 1 {
		if f.stride = (f.width + 3) &^ 3; f.stride%256 == 0 {
			f.stride += 4
		}
	}
	f.inner = core.MakeDims(append(append([]int(nil), f.lens[:len(f.lens)-1]...), f.stride)...)
}

// run transforms the block of x from element `at` on to the block of y from element `to` on.
func (f *blockTransform) run(y *block.Tensor, to int, x *block.Tensor, at int) {
	axes, last := len(f.lens), f.last
	if axes == 1 && !f.inverse {
		f.row(y, to, x, at)
		return
	}
	data := f.data[:f.inner.Size()]
	var store columnStore
	if f.kind == prim.FFTRealInverse { // the last axis comes last: its spectrum is completed then
		half := last/2 + 1
		for r := 0; r < len(data); r += f.stride {
			widen(data[r:r+half], x, at)
			conjugateAll(data[r : r+half])
			clear(data[r+half : r+f.stride])
			at += half
		}
		transformAxes(data, f.inner.Ints(), half, store)
		for r := 0; r < len(data); r += f.stride {
			row := data[r : r+last]
			completeSpectrum(row)
			f.plan.transform(row, row, f.scratch)
		}
	} else {
		for r := 0; r < len(data); r += f.stride {
			row := f.data[r : r+last] // the next row overwrites the elements that are not results
			in := f.plan.operand(row, f.scratch)
			widen(in, x, at)
			if f.inverse {
				conjugateAll(in)
			}
			f.plan.transform(row, in, f.scratch)
			at += last
		}
		if !f.inverse && axes > 1 {
			store = columnStore{columnStores[y.DType], y, to}
		}
		if transformAxes(data, f.inner.Ints(), f.width, store) {
			return
		}
	}
	total := 1.0
	for _, n := range f.lens {
		total *= float64(n)
	}
	for r := 0; r < len(data); r += f.stride {
		row := data[r : r+f.width]
		if f.inverse {
			conjugateAll(row)
			for i, v := range row {
				row[i] = block.Complex{Re: v.Re / total, Im: v.Im / total}
			}
		}
		narrow(y, to, row)
		to += f.width
	}
}

// row transforms one row forward.
func (f *blockTransform) row(y *block.Tensor, to int, x *block.Tensor, at int) {
	dst, src := f.data, f.plan.operand(f.data, f.scratch)
	if x.DType == core.Complex128 {
		src = complexesOf(x)[at : at+f.last]
	} else {
		widen(src, x, at)
	}
	whole := y.DType == core.Complex128 && f.width == f.last
	if whole {
		dst = complexesOf(y)[to : to+f.last]
	}
	f.plan.transform(dst, src, f.scratch)
	if whole {
		canonAll(dst)
		return
	}
	narrow(y, to, dst[:f.width])
}

// completeSpectrum completes the spectrum of real numbers from its first half.
func completeSpectrum(row []block.Complex) {
	n := len(row)
	row[0].Im = 0
	if n%2 == 0 {
		row[n/2].Im = 0
	}
	for k := 1; 2*k < n; k++ {
		row[n-k] = row[k].Conj()
	}
}

func conjugateAll(x []block.Complex) {
	for i := range x {
		x[i].Im = -x[i].Im
	}
}

// columnsTogether is the number of columns that are transformed side by side: as many as a line of the cache
// has.
const columnsTogether = 4

// A columnStore writes columns of the last transform to the elements of y from element `to` on,
// in its type; store is nil where the machine has no code for it.
type columnStore struct {
	store func(to unsafe.Pointer, step int, src unsafe.Pointer, n int, columns uint)
	y     *block.Tensor
	to    int
}

// columnStores store n rows of neighbouring columns: `columns` has two bits for each column that is
// stored. columnLoad loads columns, 64 bytes of each row, while it prefetches the next ones. The rows
// of the matrix are step bytes apart. They are nil where the machine has no such code.
var (
	columnStores [core.NumDTypes]func(to unsafe.Pointer, step int, src unsafe.Pointer, n int, columns uint)
	columnLoad   func(to, src unsafe.Pointer, step, n int)
)

// transformAxes transforms along all axes but the last, the inner ones first. It transforms the
// first `width` elements of each row, and those behind them that fill four columns. Four columns
// at a time are copied side by side and back. It reports whether the results were stored.
func transformAxes(data []block.Complex, lens []int, width int, store columnStore) bool {
	last := lens[len(lens)-1]
	for axis := len(lens) - 2; axis >= 0; axis-- {
		n, inner := lens[axis], 1
		for _, k := range lens[axis+1:] {
			inner *= k
		}
		plan := planFFT(n)
		stores := axis == 0 && plan.inner == nil && store.store != nil
		lines, l := block.Borrow[block.Complex](columnsTogether * n)
		scratch, ls := block.Borrow[block.Complex](columnsTogether * n)
		for o := 0; o < len(data); o += n * inner {
			for row := 0; row < inner; row += last {
				for i := 0; i < width; i += columnsTogether {
					strip := data[o+row+i:]
					switch {
					case plan.inner != nil:
						plan.eachColumn(strip, inner, min(columnsTogether, width-i), lines, scratch)
					case stores:
						plan.columns(strip, inner, lines, scratch)
						size, columns := store.y.DType.Size(), min(columnsTogether, width-i)
						to := store.to + row/last*width + i
						store.store(unsafe.Pointer(&store.y.Data[to*size]), inner/last*width*size, unsafe.Pointer(&lines[0]), n, 1<<(2*columns)-1)
					default:
						plan.columns(strip, inner, lines, scratch)
						for k := range n {
							*(*[columnsTogether]block.Complex)(strip[k*inner:]) = *(*[columnsTogether]block.Complex)(lines[columnsTogether*k:])
						}
					}
				}
			}
		}
		ls.Back()
		l.Back()
		if stores {
			return true
		}
	}
	return false
}

// eachColumn transforms columns, the rows of which are `inner` elements apart, one by one.
func (p *fftPlan) eachColumn(strip []block.Complex, inner, cols int, lines, scratch []block.Complex) {
	for c := range cols {
		line := lines[:p.n]
		for k := range line {
			line[k] = strip[k*inner+c]
		}
		p.transform(line, line, scratch)
		for k, v := range line {
			strip[k*inner+c] = v
		}
	}
}

// columns writes the transforms of four columns, the rows of which are `inner` elements apart, to
// lines.
func (p *fftPlan) columns(strip []block.Complex, inner int, lines, scratch []block.Complex) {
	in := p.operand(lines, scratch)
	if columnLoad != nil {
		columnLoad(unsafe.Pointer(&in[0]), unsafe.Pointer(&strip[:(p.n-1)*inner+columnsTogether][0]), inner*int(unsafe.Sizeof(block.Complex{})), p.n)
	} else {
		for k := range p.n {
			*(*[columnsTogether]block.Complex)(in[columnsTogether*k:]) = *(*[columnsTogether]block.Complex)(strip[k*inner:])
		}
	}
	p.run(p.sideBySide(), columnsTogether, lines, in, scratch)
}

func complexesOf(x *block.Tensor) []block.Complex {
	return unsafe.Slice((*block.Complex)(unsafe.Pointer(unsafe.SliceData(x.Data))), x.Size())
}

// wideners and narrower are the machine's code of widen and narrow for multiples of four numbers, nil where it
// has none.
var (
	wideners [core.NumDTypes]func(to, src unsafe.Pointer, n int)
	narrower func(to, src unsafe.Pointer, n int)
)

func widen(to []block.Complex, x *block.Tensor, at int) {
	n := 0
	if f := wideners[x.DType]; f != nil {
		if n = len(to) &^ 3; n > 0 {
			f(unsafe.Pointer(&to[0]), unsafe.Pointer(&x.Data[at*x.DType.Size()]), n)
		}
	}
	to, at = to[n:], at+n
	switch x.DType {
	case core.Float32:
		for i, v := range block.View[float32](x)[at : at+len(to)] {
			to[i] = block.Complex{Re: float64(v), Im: 0}
		}
	case core.Float64:
		for i, v := range block.View[float64](x)[at : at+len(to)] {
			to[i] = block.Complex{Re: v, Im: 0}
		}
	case core.Complex64:
		for i, v := range block.View[complex64](x)[at : at+len(to)] {
			to[i] = block.Complex{Re: float64(real(v)), Im: float64(imag(v))}
		}
	default:
		copy(to, complexesOf(x)[at:at+len(to)])
	}
}

// narrow writes numbers, or their real parts, to the elements of y from element `to` on.
func narrow(y *block.Tensor, to int, x []block.Complex) {
	switch y.DType {
	case core.Float32:
		row := block.View[float32](y)[to : to+len(x)]
		for i, v := range x {
			row[i] = canonical(float32(v.Re))
		}
	case core.Float64:
		row := block.View[float64](y)[to : to+len(x)]
		for i, v := range x {
			row[i] = canonical(v.Re)
		}
	case core.Complex64:
		n := 0
		if narrower != nil && len(x) >= 4 {
			n = len(x) &^ 3
			narrower(unsafe.Pointer(&block.View[complex64](y)[to : to+n][0]), unsafe.Pointer(&x[0]), n)
		}
		row := block.View[complex64](y)[to : to+len(x)]
		for i := n; i < len(x); i++ {
			row[i] = complex(canonical(float32(x[i].Re)), canonical(float32(x[i].Im)))
		}
	default:
		row := complexesOf(y)[to : to+len(x)]
		copy(row, x)
		canonAll(row)
	}
}

func canonical[A block.Float](v A) A {
	if v != v {
		return A(scalar.NaN64)
	}
	return v
}

func canonAll(x []block.Complex) {
	if n := len(x) &^ 3; n > 0 && block.Canonizer64 != nil {
		block.Canonizer64(unsafe.Pointer(&x[0]), 2*n)
		x = x[n:]
	}
	for i, v := range x {
		if v.Re != v.Re || v.Im != v.Im {
			x[i] = block.Complex{Re: canonical(v.Re), Im: canonical(v.Im)}
		}
	}
}
