package wasm

import (
	"github.com/weft-go/weft/lower/native"
)

// Without relaxed_madd, a tile of f32 keeps its sums in f64 and rounds them to f32 by [writer.roundSum], but tests for
// ties once for all sums of a row. No sum is subnormal and inexact, or too large, if the magnitudes of both operands are
// zeros or lie within bounds. The tile tests that before it computes the products.

type quick struct {
	on       bool             // the code that is written keeps sums in f64
	sums     [][2]native.VReg // of each accumulator
	columns  [][2]native.VReg
	next     [][2]native.VReg // sums of a row
	row      [2]native.VReg   // the element of A; a temporary
	before   [2]native.VReg   // sums before they are rounded
	ties     native.VReg      // has a lane of 0 if a sum of the row lies in the middle of two f32
	half     native.VReg
	upper    native.VReg
	ones     native.VReg
	a, b     [2]native.VReg // extents of A and of B: twice the largest magnitude, as integers, and twice the least that is not 0, less 1
	fit      native.VReg    // all bits of each lane are set if both are within bounds
	place    native.VReg    // where the present part of B lies
	checked  native.VReg    // where the part of B lies whose extent is b
	at, left native.VReg
	steps    []native.VReg // from the first row of A to the others
}

// Bounds of the magnitudes of operands: products are multiples of 2⁻¹⁴⁸ and less than 2¹⁰⁰.
const (
	leastOperand = 2 * (127 - 51) << 23
	mostOperand  = 2 * (127 + 50) << 23
)

func (w *micro) startQuick(t *native.TileCode) {
	v := func() native.VReg { return w.NewV(0) }
	two := func() [2]native.VReg { return [2]native.VReg{v(), v()} }
	q := &quick{row: two(), before: two(), a: two(), b: two(), ties: v(), half: v(), upper: v(), fit: v(), ones: v(),
		place: w.NewG(), checked: w.NewG(), at: w.NewG(), left: w.NewG()}
	for range t.Rows * t.Vecs {
		q.sums = append(q.sums, two())
	}
	for range t.Vecs {
		q.columns, q.next = append(q.columns, two()), append(q.next, two())
	}
	for range t.Rows - 1 {
		q.steps = append(q.steps, w.NewG())
	}
	w.quick = q
	w.LoadV(q.half, w.words(halfPlace))
	w.LoadV(q.upper, w.words(upperBits))
	w.LoadV(q.ones, w.words(^uint64(0)))
	w.Put(native.Inst{Op: native.Clear, D: q.checked})
}

func (w *micro) words(x uint64) native.Mem { return w.bytes(same(x)) }

// extent updates an extent by the vector x, which it overwrites.
func (w *micro) extent(e [2]native.VReg, x native.VReg) {
	w.Put(native.Inst{Op: ofSize(i8x16Shl, 4), D: x, A: x, Imm: 1})
	w.op(i32x4MaxU, e[0], e[0], x)
	w.op(ofSize(i8x16Add, 4), x, x, w.quick.ones)
	w.op(i32x4MinU, e[1], e[1], x)
}

// startExtent begins an extent of t.K contracted elements, of which the first lies at an address.
func (w *micro) startExtent(t *native.TileCode, e [2]native.VReg, at native.VReg) {
	w.LoadV(e[0], w.words(0))
	w.LoadV(e[1], w.words(^uint64(0)))
	w.Move(w.quick.at, at)
	w.Load(w.quick.left, t.Contracted())
}

// next repeats a loop for the next contracted element.
func (w *micro) next(start native.Label) {
	w.BranchOp(native.Ne, native.Inst{Op: native.SubI, D: w.quick.left, C: w.quick.left, Imm: 1}, start)
}

// findExtents computes the extents of A and, unless it is that of the tile before, of B.
func (w *micro) findExtents(t *native.TileCode) {
	q := w.quick
	x := q.row[0]
	w.Forward(func(end native.Label) {
		w.Load(q.place, t.PlaceB)
		w.BranchOp(native.Eq, native.Inst{Op: native.Cmp, A: q.checked, B: q.place}, end)
		w.Move(q.checked, q.place)
		w.startExtent(t, q.b, t.B)
		w.Backward(func(start native.Label) {
			for v := range t.Vecs {
				t.LoadColumn(x, native.At(q.at, v*vectorBytes), v)
				w.extent(q.b, x)
			}
			w.Do(native.Add, q.at, t.LdB)
			w.next(start)
		})
	})
	w.startExtent(t, q.a, t.A)
	if t.Down {
		w.Backward(func(start native.Label) {
			for r := range t.Rows {
				w.Same(x, native.At(q.at, r*w.Size))
				w.extent(q.a, x)
			}
			w.Do(native.Add, q.at, t.LdA)
			w.next(start)
		})
	} else {
		w.rowExtents(t)
	}
	w.op(i32x4MaxU, x, q.a[0], q.b[0])
	w.LoadV(q.row[1], w.Constant(mostOperand-1, vectorBytes))
	w.op(i32x4GeU, q.fit, q.row[1], x)
	w.op(i32x4MinU, x, q.a[1], q.b[1])
	w.LoadV(q.row[1], w.Constant(leastOperand-1, vectorBytes))
	w.op(i32x4GeU, x, x, q.row[1])
	w.op(v128And, q.fit, q.fit, x)
}

// rowExtents updates the extent of A by vectors of its rows.
func (w *micro) rowExtents(t *native.TileCode) {
	q := w.quick
	x, lanes := q.row[0], vectorBytes/w.Size
	part := native.Mask{Number: 2}
	w.Move(w.lanes(part), q.left)
	at := func(r int) native.Mem { // the addresses of rows are those of the first one and a distance
		if r == 0 {
			return native.At(q.at, 0)
		}
		return native.Indexed(q.at, q.steps[r-1], 0, 0)
	}
	for i, d := range q.steps {
		w.Move(d, w.rows[i+1])
		w.Do(native.Sub, d, t.A)
	}
	w.Backward(func(start native.Label) {
		for r := range t.Rows {
			w.LoadMask(x, at(r), part)
			w.extent(q.a, x)
		}
		w.DoI(native.AddI, q.at, vectorBytes)
		w.BranchOp(native.Gt, native.Inst{Op: native.SubI, D: w.lanes(part), C: w.lanes(part), Imm: int64(lanes)}, start)
	})
}

// Chain implements [native.TileChains].
func (w *micro) Chain(t *native.TileCode, write func()) {
	q := w.quick
	if q == nil {
		write()
		return
	}
	w.Forward(func(done native.Label) {
		w.Forward(func(exact native.Label) {
			w.BranchOp(native.Eq, native.Inst{Op: i32x4AllTrue, B: q.fit}, exact)
			for _, s := range q.sums {
				w.LoadV(s[0], w.words(0))
				w.LoadV(s[1], w.words(0))
			}
			q.on = true
			write()
			q.on = false
			for i, s := range q.sums {
				w.narrow(w.V(i), s)
			}
			w.Put(native.Inst{Kind: native.KindJump, Label: done})
		})
		write()
	})
}

// narrow converts a pair to f32.
func (w *micro) narrow(d native.VReg, x [2]native.VReg) {
	t := w.quick.before
	for i, h := range x {
		w.Put(native.Inst{Op: f32x4DemoteF64x2Zero, D: t[i], B: h})
	}
	w.shuffle(d, t[0], t[1], 4, 0, 1, 4, 5)
}

// widen converts f32 to a pair.
func (w *micro) widen(d [2]native.VReg, x native.VReg) {
	w.shuffle(d[1], x, x, 8, 1, 1)
	w.Put(native.Inst{Op: f64x2PromoteLowF32x4, D: d[1], B: d[1]})
	w.Put(native.Inst{Op: f64x2PromoteLowF32x4, D: d[0], B: x})
}

func (w *micro) column(t *native.TileCode, v int) {
	c := t.Columns[v]
	if w.quick == nil || !w.quick.on {
		t.LoadColumn(c, native.At(t.B, v*vectorBytes), v)
		return
	}
	d := w.quick.columns[v]
	if v == t.Vecs-1 && !t.Whole {
		t.LoadColumn(c, native.At(t.B, v*vectorBytes), v)
		w.widen(d, c)
		return
	}
	for i, h := range d {
		w.Put(native.At(t.B, v*vectorBytes+8*i).Of(native.Inst{Op: v128Load64Zero, D: h}))
		w.Put(native.Inst{Op: f64x2PromoteLowF32x4, D: h, B: h})
	}
}

// quickRow adds the products of the columns and the element of A that is in all lanes of `a`.
func (w *micro) quickRow(t *native.TileCode, r int, a native.VReg) {
	q := w.quick
	x, sums := q.row[0], q.sums[r*t.Vecs:][:t.Vecs]
	w.Put(native.Inst{Op: f64x2PromoteLowF32x4, D: x, B: a})
	for v, s := range sums {
		for h, b := range q.before {
			w.op(f64x2Mul, b, q.columns[v][h], x)
			w.op(f64x2Add, b, b, s[h])
			w.Put(native.Inst{Op: opRound, D: q.next[v][h], A: q.half, B: q.upper, C: b})
		}
		if v == 0 {
			w.op(opTies, q.ties, q.before[0], q.before[1])
			continue
		}
		b := q.before[0]
		w.op(opTies, b, b, q.before[1])
		w.op(i32x4MinU, q.ties, q.ties, b)
	}
	w.Forward(func(end native.Label) {
		w.BranchOp(native.Ne, native.Inst{Op: i32x4AllTrue, B: q.ties}, end)
		y, z := t.Columns[0], q.row[1]
		for v, s := range sums {
			w.narrow(y, q.columns[v])
			w.narrow(z, s)
			w.fmaEqual(z, y, a)
			w.widen(q.next[v], z)
		}
	})
	for v, s := range sums {
		for h, x := range s {
			w.Move(x, q.next[v][h])
		}
	}
}
