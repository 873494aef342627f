package stablehlo

import (
	"math"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/core/prim"
)

// maxPrimeFFT is the largest prime factor of a length: a transform of that length
// multiplies by a matrix of its square.
const maxPrimeFFT = 2048

// maxFFT is the largest length.
const maxFFT = 1 << 22

// fftOp transforms the last axes: by matrices for the prime factors of each length.
func fftOp(f *frame, o *op, in []core.Value) []core.Value {
	f.want(in, 1)
	kind := f.text(o, f.either(o, "type", "fft_type"))
	lengths := f.ints(o, f.either(o, "length", "fft_length"))
	out := f.resultAval(o)
	x := in[0]
	a := x.Aval()
	k := len(lengths)
	if k < 1 || k > a.Rank() {
		f.fail(core.ErrShape, "%d lengths do not fit %s", k, typeText(a))
	}
	first := a.Rank() - k
	last := a.Rank() - 1
	for i, n := range lengths {
		if n < 0 || n > maxFFT {
			f.fail(core.ErrShape, "a length of %d is not supported (at most %d)", n, maxFFT)
		}
		want := n
		if kind == "IRFFT" && i == k-1 {
			want = n/2 + 1
		}
		if got := a.Shape.At(first + i); got != want && a.Size() > 0 {
			f.fail(core.ErrShape, "axis %d of %s must have %d elements for a length of %d", first+i, typeText(a), want, n)
		}
	}
	if out.Size() == 0 || a.Size() == 0 {
		return []core.Value{prim.Zeros(out)}
	}
	complexType := map[core.DType]core.DType{core.Float32: core.Complex64, core.Float64: core.Complex128}
	switch kind {
	case "FFT", "IFFT":
		if !a.DType.IsComplex() {
			f.fail(core.ErrDType, "%s takes complex numbers, got %s", kind, typeText(a))
		}
		for i, n := range lengths {
			x = f.dft(x, first+i, n, kind == "IFFT")
		}
		return []core.Value{x}
	case "RFFT":
		dt, ok := complexType[a.DType]
		if !ok {
			f.fail(core.ErrDType, "RFFT takes f32 or f64, got %s", typeText(a))
		}
		n := lengths[k-1]
		x = f.dft(convert(x, dt), last, n, false)
		x = firstOf(x, last, n/2+1)
		for i, n := range lengths[:k-1] {
			x = f.dft(x, first+i, n, false)
		}
		return []core.Value{x}
	case "IRFFT":
		if !a.DType.IsComplex() {
			f.fail(core.ErrDType, "IRFFT takes complex numbers, got %s", typeText(a))
		}
		for i, n := range lengths[:k-1] {
			x = f.dft(x, first+i, n, true)
		}
		n := lengths[k-1]
		if rest := n - (n/2 + 1); rest > 0 { // X[n−k] = conj X[k]
			lo, hi := make([]int, a.Rank()), x.Aval().Shape.Ints()
			lo[last], hi[last] = 1, 1+rest
			tail := prim.Conj(prim.Rev(prim.Slice(x, dims(lo), dims(hi), core.Dims{}), dims([]int{last})))
			x = prim.Concatenate(last, x, tail)
		}
		return []core.Value{prim.Real(f.dft(x, last, n, true))}
	}
	f.fail(core.ErrCheck, "there is no transform %q", kind)
	return nil
}

// firstOf takes the first n elements along an axis.
func firstOf(x core.Value, axis, n int) core.Value {
	s := x.Aval().Shape
	hi := s.Ints()
	hi[axis] = n
	return prim.Slice(x, dims(make([]int, s.Len())), dims(hi), core.Dims{})
}

// dft is the transform along one axis. The inverse is divided by n.
func (f *frame) dft(x core.Value, axis, n int, inverse bool) core.Value {
	a := x.Aval()
	r := a.Rank()
	perm := core.Range(0, r).Remove(axis).Append(axis)
	shape := perm.Map(a.Shape.At)
	flat := prim.Reshape(prim.Transpose(x, perm), dims([]int{a.Size() / n, n}))
	y := f.rows(flat, inverse)
	if inverse {
		y = prim.Div(y, core.Lit(core.FloatNumber(float64(n)), a.DType))
	}
	back := core.Range(0, axis).Append(r - 1).Append(core.Range(axis, r-1).Ints()...)
	return prim.Transpose(prim.Reshape(y, shape), back)
}

// rows transforms each row: n = p·m, transforms of m elements p apart, twiddle factors,
// transforms of p.
func (f *frame) rows(x core.Value, inverse bool) core.Value {
	s := x.Aval().Shape
	rows, n := s.At(0), s.At(1)
	p := smallestFactor(n)
	if p == n || n <= 16 {
		if n > maxPrimeFFT {
			f.fail(core.ErrShape, "a length with a prime factor of %d is not supported (at most %d)", n, maxPrimeFFT)
		}
		return prim.DotGeneral(x, f.roots(n, n, n, inverse, x.Aval().DType), prim.DotGeneralP{LhsContract: dims([]int{1}), RhsContract: dims([]int{0})})
	}
	m := n / p
	y := prim.Transpose(prim.Reshape(x, dims([]int{rows, m, p})), dims([]int{0, 2, 1})) // row, b, a
	y = f.rows(prim.Reshape(y, dims([]int{rows * p, m})), inverse)
	y = prim.Reshape(y, dims([]int{rows, p, m})) // row, b, k2
	y = prim.Mul(y, prim.BroadcastInDim(f.roots(p, m, n, inverse, x.Aval().DType), dims([]int{rows, p, m}), dims([]int{1, 2})))
	z := f.rows(prim.Reshape(prim.Transpose(y, dims([]int{0, 2, 1})), dims([]int{rows * m, p})), inverse)
	z = prim.Transpose(prim.Reshape(z, dims([]int{rows, m, p})), dims([]int{0, 2, 1}))
	return prim.Reshape(z, s)
}

func smallestFactor(n int) int {
	for p := 2; p*p <= n; p++ {
		if n%p == 0 {
			return p
		}
	}
	return n
}

// roots are the powers exp(∓2πi·jk/n) as a matrix.
func (f *frame) roots(rows, cols, n int, inverse bool, dt core.DType) core.Value {
	v, buf := f.opt.Array(core.Aval(dt, rows, cols))
	size := dt.Size()
	for j := range rows {
		for k := range cols {
			c := root(int(uint64(j)*uint64(k)%uint64(n)), n)
			if inverse {
				c = complex(real(c), -imag(c))
			}
			elem.Put(buf[(j*cols+k)*size:], core.ComplexNumber(c), dt)
		}
	}
	return v
}

// root is exp(−2πi·k/n), exact at multiples of an eighth of a turn but for √½.
func root(k, n int) complex128 {
	// Reduce to the first eighth of a turn.
	octant := 8 * k / n
	r := float64(8*k-octant*n) / float64(8*n) // of a turn, below 1/8
	angle := 2 * math.Pi * r
	if octant%2 == 1 {
		angle = 2 * math.Pi * float64((octant+1)*n-8*k) / float64(8*n)
	}
	s, c := math.Sincos(angle)
	switch octant {
	case 0:
	case 1:
		c, s = s, c
	case 2:
		c, s = -s, c
	case 3:
		c = -c
	case 4:
		c, s = -c, -s
	case 5:
		c, s = -s, -c
	case 6:
		c, s = s, -c
	case 7:
		s = -s
	}
	return complex(c, -s)
}
