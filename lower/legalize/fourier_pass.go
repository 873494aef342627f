package legalize

import (
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// loaded converts the operand to complex numbers, if that has not been done.
func (f *fourier) loaded() {
	if f.at != FourierOperand {
		return
	}
	w := f.writer("fft_load")
	x := f.operand(w)
	y := w.complexes("y", ir.Out, f.count)
	i := w.Grid(ir.Const(int64(f.count)))
	w.write(y, f.convert(w, x, term(i, 1)), along(2, f.count, 0, term(i, 1)))
	f.add(w.Finish(), FourierOperand, FourierScratch0)
	f.moved(FourierScratch0, f.count)
}

func (f *fourier) operand(w fourierWriter) int {
	dt := f.in.DType
	return w.Buffer("x", ir.In, scalar.Stored(dt), ir.Const(int64(scalar.Components(dt)*f.count)))
}

// convert returns a number of the operand as a complex number, conjugated if the transform is inverse.
func (f *fourier) convert(w fourierWriter, x int, at ...ir.Term) complexNumber {
	parts := scalar.Components(f.in.DType)
	part := func(k int) ir.Ref {
		r := w.Load(ir.Access{Buffer: x, Offset: ir.Const(int64(k)), Coords: []ir.Coord{along(parts, f.count, 0, at...)}})
		if w.TypeOf(r) != f.typ {
			r = w.op(scalar.OpConvert, f.typ, r)
		}
		return r
	}
	v := complexNumber{part(0), w.num(0)}
	if parts == 2 {
		v.im = part(1)
	}
	if f.inverse {
		v = w.conj(v)
	}
	return v
}

// store writes the first kept numbers of each row of width to the result.
func (f *fourier) store(rows, width, kept int) {
	f.loaded()
	w := f.writer("fft_store")
	x := w.complexes("x", ir.In, rows*width)
	y := f.result(w)
	o, i := w.Grid(ir.Const(int64(rows))), w.Grid(ir.Const(int64(kept)))
	f.keep(w, y, w.read(x, along(2, rows*width, 0, term(o, width), term(i, 1))), func(parts int) []ir.Coord {
		return []ir.Coord{along(parts, rows*kept, 0, term(o, kept), term(i, 1))}
	})
	f.add(w.Finish(), f.at, FourierResult)
}

func (f *fourier) result(w fourierWriter) int {
	dt := f.out.DType
	return w.Buffer("y", ir.Out, scalar.Stored(dt), ir.Const(int64(scalar.Components(dt)*f.out.Size())))
}

// keep writes a number to the result, for an inverse transform its conjugate divided by f.scale. `at` returns the
// number's coordinates in an array whose numbers have the given number of parts.
func (f *fourier) keep(w fourierWriter, y int, v complexNumber, at func(parts int) []ir.Coord) {
	dt := f.out.DType
	t, parts := scalar.Stored(dt), scalar.Components(dt)
	if f.inverse {
		v = w.conj(v)
		v = complexNumber{w.div(v.re, w.num(f.scale)), w.div(v.im, w.num(f.scale))}
	}
	for k, r := range []ir.Ref{v.re, v.im}[:parts] {
		if t != f.typ {
			r = w.op(scalar.OpConvert, t, r)
		}
		w.Store(ir.Access{Buffer: y, Offset: ir.Const(int64(k)), Coords: at(parts)}, w.op(scalar.OpCanon, t, r))
	}
}

// trim keeps only the first kept numbers of each row of width.
func (f *fourier) trim(rows, width, kept int) {
	f.loaded()
	w := f.writer("fft_trim")
	x, y := w.complexes("x", ir.In, rows*width), w.complexes("y", ir.Out, rows*kept)
	o, i := w.Grid(ir.Const(int64(rows))), w.Grid(ir.Const(int64(kept)))
	w.write(y, w.read(x, along(2, rows*width, 0, term(o, width), term(i, 1))), along(2, rows*kept, 0, term(o, kept), term(i, 1)))
	f.pass(w.Finish(), rows*kept)
}

// complete extends the first halves of the spectra of real numbers to whole rows of n numbers.
func (f *fourier) complete(rows, n int) {
	f.loaded()
	w := f.writer("fft_complete")
	half := n/2 + 1
	x, y := w.complexes("x", ir.In, rows*half), w.complexes("y", ir.Out, rows*n)
	o, k := w.Grid(ir.Const(int64(rows))), w.Grid(ir.Const(int64(n)))
	word := func(x int) ir.Ref { return w.Const(scalar.I64, uint64(x)) }
	at := w.Index(scalar.I64, ir.Const(0), term(k, 1))
	mirror := w.Index(scalar.I64, ir.Const(int64(n)), term(k, -1))
	second := w.le(word(half), at)
	from := along(2, half, 0)
	from.Mode, from.Value = ir.Clamp, w.sel(second, mirror, at)
	v := w.read(x, along(2*half, rows, 0, term(o, 1)), from)
	isReal := w.or(w.eq(at, word(0)), w.eq(w.add(at, at), word(n)))
	im := w.sel(second, w.neg(v.im), v.im)
	w.write(y, complexNumber{v.re, w.sel(isReal, w.num(0), im)}, along(2, rows*n, 0, term(o, n), term(k, 1)))
	f.pass(w.Finish(), rows*n)
}

// convolution is a step of Bluestein's algorithm.
type convolution int

const (
	into    convolution = iota // times the chirp, filled up with zeros
	through                    // times the chirp's transform, conjugated
	outOf                      // conjugated, scaled, times the chirp
)

// convolve adds a step of Bluestein's algorithm for n numbers through transforms of m.
func (f *fourier) convolve(n, m, outer, inner int, step convolution) {
	w := f.writer("fft_chirp")
	from, to, table, which := m, m, n, chirp
	switch step {
	case into:
		from = n
	case through:
		table, which = m, chirpTransform
	case outOf:
		to = n
	}
	x, y := w.complexes("x", ir.In, outer*from*inner), w.complexes("y", ir.Out, outer*to*inner)
	c := w.complexes("c", ir.In, table)
	o, k, i := w.Grid(ir.Const(int64(outer))), w.Grid(ir.Const(int64(to))), w.Grid(ir.Const(int64(inner)))
	at, factor := along(2*inner, from, 0, term(k, 1)), along(2, table, 0, term(k, 1))
	if step == into {
		at.Mode, factor.Mode = ir.Drop, ir.Drop // zeros
	}
	v := w.read(x, along(2*inner*from, outer, 0, term(o, 1)), at, along(2, inner, 0, term(i, 1)))
	if step == outOf {
		scale := w.num(1 / float64(m))
		v = w.conj(v)
		v = complexNumber{w.mul(v.re, scale), w.mul(v.im, scale)}
	}
	v = w.complexMul(v, w.read(c, factor))
	if step == through {
		v = w.conj(v)
	}
	w.write(y, v, along(2, outer*to*inner, 0, term(o, to*inner), term(k, inner), term(i, 1)))
	f.pass(w.Finish(), outer*to*inner, f.table(n, which))
}
