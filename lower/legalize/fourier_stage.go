package legalize

import (
	"fmt"
	"math"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

type complexNumber struct{ re, im ir.Ref }

// complexMul returns a·b. In f64 an fma computes the first product of each part and adds it to the second
// one, which is rounded before; in f32 each product and each sum is rounded.
func (w writer) complexMul(a, b complexNumber) complexNumber {
	if w.TypeOf(a.re) == scalar.F32 {
		return complexNumber{w.sub(w.mul(a.re, b.re), w.mul(a.im, b.im)), w.add(w.mul(a.re, b.im), w.mul(a.im, b.re))}
	}
	return complexNumber{w.fma(a.re, b.re, w.neg(w.mul(a.im, b.im))), w.fma(a.re, b.im, w.mul(a.im, b.re))}
}

func (w writer) complexAdd(a, b complexNumber) complexNumber {
	return complexNumber{w.add(a.re, b.re), w.add(a.im, b.im)}
}

func (w writer) complexSub(a, b complexNumber) complexNumber {
	return complexNumber{w.sub(a.re, b.re), w.sub(a.im, b.im)}
}

func (w writer) conj(a complexNumber) complexNumber { return complexNumber{a.re, w.neg(a.im)} }

func term(a ir.Axis, n int) ir.Term { return ir.Term{Axis: a, Coeff: ir.Const(int64(n))} }

// along returns the coordinate base + Σ terms of numbers with the given number of parts.
func along(parts, bound, base int, terms ...ir.Term) ir.Coord {
	return ir.Coord{Stride: ir.Const(int64(parts)), Bound: ir.Const(int64(bound)), Base: ir.Const(int64(base)), Terms: terms, Value: ir.NoRef}
}

func (w writer) read(buffer int, at ...ir.Coord) complexNumber {
	return complexNumber{
		w.Load(ir.Access{Buffer: buffer, Coords: at}),
		w.Load(ir.Access{Buffer: buffer, Offset: ir.Const(1), Coords: at}),
	}
}

func (w writer) write(buffer int, v complexNumber, at ...ir.Coord) {
	w.Store(ir.Access{Buffer: buffer, Coords: at}, v.re)
	w.Store(ir.Access{Buffer: buffer, Offset: ir.Const(1), Coords: at}, v.im)
}

type fourierWriter struct {
	writer
	t scalar.Type
}

func (f *fourier) writer(name string) fourierWriter {
	return fourierWriter{writer{ir.NewBuilder(name)}, f.typ}
}

func (w fourierWriter) num(x float64) ir.Ref {
	if w.t == scalar.F32 {
		return w.Const(scalar.F32, uint64(math.Float32bits(float32(x))))
	}
	return w.Const(scalar.F64, math.Float64bits(x))
}

func (w fourierWriter) complexes(name string, role ir.Role, n int) int {
	return w.Buffer(name, role, w.t, ir.Const(int64(2*n)))
}

// A stage joins q transforms at a time, in l groups of q rows of m numbers: after stages of factors
// with product l, element j of the transform of x[t], x[t + n/l], … lies at j·n/l + t.
type stage struct {
	f                        *fourier
	n, q, l, m, outer, inner int
}

// A stageWriter writes the kernel of a stage. Axes o, j and i number the transforms, the groups,
// and the m·inner numbers of a row.
type stageWriter struct {
	fourierWriter
	stage
	o, j, i   ir.Axis
	src, dst  int
	roots     int
	row, size int // numbers of a row, and of a transform
}

func (s stage) begin(name string) *stageWriter {
	w := &stageWriter{fourierWriter: s.f.writer(fmt.Sprintf("fft_%s%d", name, s.q)), stage: s, row: s.m * s.inner, size: s.n * s.inner}
	w.src, w.dst = w.complexes("x", ir.In, s.outer*w.size), w.complexes("y", ir.Out, s.outer*w.size)
	w.roots = w.complexes("w", ir.In, s.n)
	w.o, w.j, w.i = w.Grid(ir.Const(int64(s.outer))), w.Grid(ir.Const(int64(s.l))), w.Grid(ir.Const(int64(w.row)))
	return w
}

// operand returns number r of a group, where r is base + Σ terms.
func (w *stageWriter) operand(base int, terms ...ir.Term) complexNumber {
	ts := []ir.Term{term(w.o, w.size), term(w.j, w.q*w.row), term(w.i, 1)}
	for _, t := range terms {
		ts = append(ts, ir.Term{Axis: t.Axis, Coeff: ir.Const(t.Coeff.Value * int64(w.row))})
	}
	return w.read(w.src, along(2, w.outer*w.size, base*w.row, ts...))
}

// result stores result base + Σ terms of a group.
func (w *stageWriter) result(v complexNumber, base int, terms ...ir.Term) {
	ts := []ir.Term{term(w.o, w.size), term(w.j, w.row), term(w.i, 1)}
	part := w.l * w.row
	for _, t := range terms {
		ts = append(ts, ir.Term{Axis: t.Axis, Coeff: ir.Const(t.Coeff.Value * int64(part))})
	}
	w.write(w.dst, v, along(2, w.outer*w.size, base*part, ts...))
}

// twiddle returns e^(−2πi·j·r/(l·q)).
func (w *stageWriter) twiddle(r int) complexNumber {
	return w.read(w.roots, along(2, w.n, 0, term(w.j, r*w.m)))
}

// kernel returns the kernel of a stage whose q is 2 or 4.
func (s stage) kernel() *ir.Kernel {
	w := s.begin("stage")
	v := make([]complexNumber, s.q)
	for r := range v {
		if v[r] = w.operand(r); r > 0 && (s.l > 1 || w.t == scalar.F64) {
			v[r] = w.complexMul(v[r], w.twiddle(r))
		}
	}
	for r, x := range w.join(v) {
		w.result(x, r)
	}
	return w.Finish()
}

// join returns the transform of two or four numbers.
func (w writer) join(v []complexNumber) []complexNumber {
	if len(v) == 2 {
		return []complexNumber{w.complexAdd(v[0], v[1]), w.complexSub(v[0], v[1])}
	}
	ac, bd := w.complexAdd(v[0], v[2]), w.complexAdd(v[1], v[3])
	amc, bmd := w.complexSub(v[0], v[2]), w.complexSub(v[1], v[3])
	return []complexNumber{
		w.complexAdd(ac, bd), {w.add(amc.re, bmd.im), w.sub(amc.im, bmd.re)}, // −i·(b − d)
		w.complexSub(ac, bd), {w.sub(amc.re, bmd.im), w.add(amc.im, bmd.re)},
	}
}

// twiddled returns number r = base ± (1 + axis) of a group, times its twiddle.
func (w *stageWriter) twiddled(base int, sign int, axis ir.Axis) complexNumber {
	v := w.operand(base+sign, term(axis, sign))
	if w.l == 1 {
		return v
	}
	word := func(x int) ir.Ref { return w.Const(scalar.I64, uint64(x)) }
	j := w.Index(scalar.I64, ir.Const(0), term(w.j, 1))
	r := w.Index(scalar.I64, ir.Const(int64(base+sign)), term(axis, sign))
	at := along(2, w.n, 0)
	at.Mode, at.Value = ir.Clamp, w.mul(r, w.mul(j, word(w.m)))
	t := w.complexMul(v, w.read(w.roots, at))
	first := w.eq(j, word(0))
	return complexNumber{w.sel(first, v.re, t.re), w.sel(first, v.im, t.im)}
}

// sums returns the kernel of result 0 of a stage whose q is an odd prime.
func (s stage) sums() *ir.Kernel {
	w := s.begin("sums")
	v := w.operand(0)
	r := w.Loop(ir.Const(int64(s.q/2)), []ir.Ref{v.re, v.im}, func(r ir.Axis, c []ir.Ref) []ir.Ref {
		a := w.complexAdd(w.twiddled(0, 1, r), w.twiddled(s.q, -1, r))
		sum := w.complexAdd(complexNumber{c[0], c[1]}, a)
		return []ir.Ref{sum.re, sum.im}
	})
	w.result(complexNumber{r[0], r[1]}, 0)
	return w.Finish()
}

// pairs returns the kernel of results k and q − k, 0 < k < q/2, of a stage whose q is an odd prime.
func (s stage) pairs() *ir.Kernel {
	w := s.begin("pairs")
	half := ir.Const(int64(s.q / 2))
	kAxis := w.Grid(half)
	word := func(x int) ir.Ref { return w.Const(scalar.I64, uint64(x)) }
	k := w.Index(scalar.I64, ir.Const(1), term(kAxis, 1))
	v, zero := w.operand(0), w.num(0)
	c := w.Loop(half, []ir.Ref{v.re, v.im, zero, zero}, func(r ir.Axis, c []ir.Ref) []ir.Ref {
		x, y := w.twiddled(0, 1, r), w.twiddled(s.q, -1, r)
		a, b := w.complexAdd(x, y), w.complexSub(x, y)
		at := along(2, s.n, 0)
		product := w.mul(w.Index(scalar.I64, ir.Const(1), term(r, 1)), k)
		at.Mode, at.Value = ir.Clamp, w.mul(w.op(scalar.OpRem, scalar.I64, product, word(s.q)), word(s.n/s.q))
		t := w.read(w.roots, at)
		return []ir.Ref{w.fma(a.re, t.re, c[0]), w.fma(a.im, t.re, c[1]), w.fma(b.re, t.im, c[2]), w.fma(b.im, t.im, c[3])}
	})
	w.result(complexNumber{w.sub(c[0], c[3]), w.add(c[1], c[2])}, 1, term(kAxis, 1))
	w.result(complexNumber{w.add(c[0], c[3]), w.sub(c[1], c[2])}, s.q-1, term(kAxis, -1))
	return w.Finish()
}
