package legalize

import (
	"github.com/weft-go/weft/lower/ir"
)

// A block consists of the stages that one pass computes in local memory: the stages of factors with product
// s, behind stages whose product is l. They join numbers in sets of s. With m = n/(l·s), number
// k of set (j, t), 0 ≤ j < l and 0 ≤ t < m·inner, lies at (j·s + k)·m·inner + t before the stages, and at (j +
// l·k)·m·inner + t behind them. A group computes several neighbouring sets, its columns.
type block struct {
	f                      *fourier
	n, l, s                int
	factors                []int
	outer, m, inner, width int // width = m·inner
	columns                int // sets of a group
	pitch                  int // columns and padding of a number in local memory
	along                  int // of which axis the columns are: 0 transforms, 1 j, 2 t
	groups                 [3]int
}

const (
	localNumbers = 2048 // complex numbers of f32 of a group in each piece of local memory, at most
	blockBits    = 8    // 2^blockBits is about the product of a block's factors, where one block is not enough
)

// blocks transforms along an axis of n numbers, a power of two, in blocks.
func (f *fourier) blocks(n int, factors []int, outer, inner, kept int) {
	room := localNumbers * 4 / f.typ.Size()
	each := 0 // bits of a block
	for 1<<each < n {
		each++
	}
	if n > room {
		count := (each + blockBits - 1) / blockBits
		each = (each + count - 1) / count
	}
	for l := 1; l < n; {
		b := &block{f: f, n: n, l: l, s: 1, outer: outer, inner: inner}
		for len(factors) > 0 && b.s < 1<<each {
			b.s *= factors[0]
			b.factors, factors = append(b.factors, factors[0]), factors[1:]
		}
		b.m = n / (l * b.s)
		b.width = b.m * inner
		b.divide(room)
		l *= b.s
		end := 0
		if l == n {
			end = kept
		}
		b.pass(end)
	}
}

// divide divides the sets among groups, each of which has local memory for room numbers.
func (b *block) divide(room int) {
	b.groups = [3]int{b.outer, b.l, b.width}
	pad := 0
	switch {
	case b.width > 1:
		b.along = 2
	case b.l > 1:
		b.along, pad = 1, 1
	default:
		b.along, pad = 0, 1
	}
	b.columns = max(1, min(32, room/b.s-pad, b.groups[b.along]))
	for b.groups[b.along]%b.columns != 0 {
		b.columns--
	}
	b.groups[b.along] /= b.columns
	b.pitch = b.columns
	if b.columns > 1 {
		b.pitch += pad // so that neighbouring numbers of a set lie in different banks
	}
}

type blockWriter struct {
	fourierWriter
	*block
	group  [3]ir.Axis
	column ir.Axis
}

func (b *block) writer(name string) *blockWriter {
	w := &blockWriter{fourierWriter: b.f.writer(name), block: b}
	for i, n := range b.groups {
		w.group[i] = w.Grid(ir.Const(int64(n)))
	}
	return w
}

// grid adds an axis of n points and the axis of the columns. The former is the inner one if inside is set.
func (w *blockWriter) grid(n int, inside bool) (a ir.Axis) {
	if inside {
		w.column = w.Grid(ir.Const(int64(w.columns)))
	}
	a = w.Grid(ir.Const(int64(n)))
	if !inside {
		w.column = w.Grid(ir.Const(int64(w.columns)))
	}
	return a
}

// set returns the terms of an index that has coeffs[0] for each transform, coeffs[1] for each j, and coeffs[2]
// for each t.
func (w *blockWriter) set(coeffs ...int) (ts []ir.Term) {
	for i, c := range coeffs {
		if c == 0 {
			continue
		}
		if i == w.along {
			ts = append(ts, term(w.group[i], c*w.columns), term(w.column, c))
		} else {
			ts = append(ts, term(w.group[i], c))
		}
	}
	return ts
}

// local returns the number of scalar values of each of the two pieces of local memory of a group.
func (b *block) local() int { return 2 * b.s * b.pitch }

func (w *blockWriter) locals(name string, role ir.Role) int {
	return w.Buffer(name, role, w.t, ir.Const(int64(w.groups[0]*w.groups[1]*w.groups[2]*w.local())))
}

// cell returns the accesses to the real and the imaginary part of number base + Σ terms of a column.
func (w *blockWriter) cell(buffer, base int, terms ...ir.Term) [2]ir.Access {
	n := w.local()
	ts := []ir.Term{term(w.group[0], w.groups[1]*w.groups[2]*n), term(w.group[1], w.groups[2]*n), term(w.group[2], n), term(w.column, 1)}
	for _, t := range terms {
		ts = append(ts, ir.Term{Axis: t.Axis, Coeff: ir.Const(t.Coeff.Value * int64(w.pitch))})
	}
	at := ir.Access{Buffer: buffer, Coords: []ir.Coord{along(1, (w.groups[0]*w.groups[1]*w.groups[2]-1)*n+n/2, base*w.pitch, ts...)}}
	im := at
	im.Offset = ir.Const(int64(n / 2))
	return [2]ir.Access{at, im}
}

func (w *blockWriter) get(at [2]ir.Access) complexNumber {
	return complexNumber{w.Load(at[0]), w.Load(at[1])}
}

func (w *blockWriter) put(at [2]ir.Access, v complexNumber) {
	w.Store(at[0], v.re)
	w.Store(at[1], v.im)
}

// pass adds the pass of the block. If kept is not 0, the block is the last one, and its pass stores the first kept
// numbers of the axis in the result.
func (b *block) pass(kept int) {
	f := b.f
	size := b.n * b.inner
	p := Pass{Local: b.local()}
	at, next := FourierLocal0, FourierLocal1

	w := b.writer("fft_read")
	x := 0
	if f.at == FourierOperand {
		x = f.operand(w.fourierWriter)
	} else {
		x = w.complexes("x", ir.In, b.outer*size)
	}
	y := w.locals("y", ir.Out)
	k := w.grid(b.s, b.along < 2)
	from := append(w.set(size, b.s*b.width, 1), term(k, b.width))
	if f.at == FourierOperand {
		w.put(w.cell(y, 0, term(k, 1)), f.convert(w.fourierWriter, x, from...))
	} else {
		w.put(w.cell(y, 0, term(k, 1)), w.read(x, along(2, b.outer*size, 0, from...)))
	}
	p.Parts = append(p.Parts, Part{w.Finish(), []Memory{f.at, at}})

	l := 1
	for _, q := range b.factors {
		p.Parts = append(p.Parts, Part{b.stage(q, l), []Memory{at, next, f.table(b.n, roots)}})
		at, next = next, at
		l *= q
	}

	w = b.writer("fft_write")
	x = w.locals("x", ir.In)
	if kept == 0 {
		y = w.complexes("y", ir.Out, b.outer*size)
		k = w.grid(b.s, b.along == 0)
		w.write(y, w.get(w.cell(x, 0, term(k, 1))), along(2, b.outer*size, 0, append(w.set(size, b.width, 1), term(k, b.l*b.width))...))
		to := FourierScratch0
		if f.at == FourierScratch0 {
			to = FourierScratch1
		}
		p.Parts = append(p.Parts, Part{w.Finish(), []Memory{at, to}})
		f.t.Passes = append(f.t.Passes, p)
		f.moved(to, b.outer*size)
		return
	}
	y = f.result(w.fourierWriter)
	k = w.grid(b.s, b.along == 0)
	f.keep(w.fourierWriter, y, w.get(w.cell(x, 0, term(k, 1))), func(parts int) []ir.Coord {
		number := along(parts*b.inner, kept, 0, append(w.set(0, 1), term(k, b.l))...)
		if kept < b.n {
			number.Mode = ir.Drop
		}
		return []ir.Coord{along(parts*kept*b.inner, b.outer, 0, w.set(1)...), number, along(parts, b.inner, 0, w.set(0, 0, 1)...)}
	})
	p.Parts = append(p.Parts, Part{w.Finish(), []Memory{at, FourierResult}})
	f.t.Passes = append(f.t.Passes, p)
	f.at = FourierResult
}

// stage returns the kernel that joins q numbers at a time, behind the block's stages with product l.
func (b *block) stage(q, l int) *ir.Kernel {
	w := b.writer("fft_join")
	x, y := w.locals("x", ir.In), w.locals("y", ir.Out)
	table := w.complexes("w", ir.In, b.n)
	row := b.s / (l * q)
	j := w.Grid(ir.Const(int64(l)))
	i := w.grid(row, false)
	v := make([]complexNumber, q)
	for r := range v {
		if v[r] = w.get(w.cell(x, r*row, term(j, q*row), term(i, 1))); r > 0 && (b.l*l > 1 || w.t.Size() == 8) {
			step := r * (b.n / (b.l * l * q))
			v[r] = w.complexMul(v[r], w.read(table, along(2, b.n, 0, append(w.set(0, step), term(j, b.l*step))...)))
		}
	}
	for r, z := range w.join(v) {
		w.put(w.cell(y, r*l*row, term(j, row), term(i, 1)), z)
	}
	return w.Finish()
}
