package arm64

import (
	"math/bits"

	"github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/schedule"
)

// Products of floats multiply columns of B by one element of a register that holds several elements of A. These are
// loaded together where they lie side by side: elements of a row or, where Down is set, of a column.

// General registers of a tile besides the registers of package native.
const (
	tileRow   = ownGeneral + iota // address of a row of A
	tileAhead                     // in tiles of one row: the address of B's columns, Ahead contracted elements after the present one
	tileStep                      // in tiles of one row: Ahead·LdB, the bytes between the two
)

func (w *micro) StartTile(t *native.TileCode) {
	if t.Ahead > 0 {
		w.Move(w.G(tileStep), t.LdB)
		w.DoI(native.ShlI, w.G(tileStep), bits.TrailingZeros(uint(t.Ahead)))
	}
}

func (w *micro) AtTile(*native.TileCode) {}

func (w *micro) Skip(t *native.TileCode, m native.Mem) { w.DoLoad(native.Add, t.A, m) }

// free returns vector i of those that are free while products are added, behind the sums and the columns.
func (w *micro) free(t *native.TileCode, i int) native.VReg {
	return w.V(t.Rows*t.Vecs + len(t.Columns) + i)
}

// freeVectors returns the number of vectors that are free while products are added.
func freeVectors(t *native.TileCode) int { return 32 - t.Rows*t.Vecs - len(t.Columns) }

func (w *micro) Products(t *native.TileCode, n int) {
	per := vectorBytes / w.Size
	switch {
	case integer(t.Elem):
		for range n {
			w.loadColumns(t, t.Columns)
			w.integers(t)
			w.nextElement(t)
		}
	case t.Down:
		for range n {
			w.down(t)
		}
	case n == 1:
		w.group(t, 1)
	default:
		for ; n > 0; n -= per {
			w.group(t, min(n, per))
		}
	}
}

// nextElement moves A and B by one contracted element.
func (w *micro) nextElement(t *native.TileCode) {
	if t.Down {
		w.Do(native.Add, t.A, t.LdA)
	} else {
		w.DoI(native.AddI, t.A, w.Size)
	}
	w.Do(native.Add, t.B, t.LdB)
}

// loadColumns loads the vectors of B at the present contracted element.
func (w *micro) loadColumns(t *native.TileCode, to []native.VReg) {
	for v := range t.Vecs {
		t.LoadColumn(to[v], native.At(t.B, v*vectorBytes), v)
	}
}

// element adds the products of a vector of B with element i of a vector of A.
func (w *micro) element(t *native.TileCode, acc, column, a native.VReg, i int) {
	op := ofSize(vMlaE, 4)
	if t.Elem.Float() {
		op = ofFloat(vFmlaE, w.Size)
	}
	w.Put(native.Inst{Op: op, D: acc, A: column, B: a, C: acc, Imm: int64(i)})
}

// loadSome loads exactly n elements of A: those of a vector, of half a vector, or one.
func (w *micro) loadSome(d native.VReg, m native.Mem, n int) {
	w.Put(m.Of(native.Inst{Op: native.LoadOp(n * w.Size), D: d}))
}

// group adds the products of n contracted elements: as many as a vector of a row of A has, or one.
func (w *micro) group(t *native.TileCode, n int) {
	switch {
	case t.Single():
		w.single(t, n)
	case freeVectors(t) >= t.Rows: // the rows of A stay in registers
		for r := range t.Rows {
			w.loadSome(w.free(t, r), w.row(t, r), n)
		}
		for k := range n {
			w.loadColumns(t, t.Columns)
			for r := range t.Rows {
				for v := range t.Vecs {
					w.element(t, t.Acc(r, v), t.Columns[v], w.free(t, r), k)
				}
			}
			w.Do(native.Add, t.B, t.LdB)
		}
		w.DoI(native.AddI, t.A, n*w.Size)
	default: // the vectors of B stay in registers
		columns := make([][]native.VReg, n)
		next := 0
		for k := range n {
			if columns[k] = t.Columns; k > 0 {
				columns[k] = nil
				for range t.Vecs {
					columns[k] = append(columns[k], w.free(t, next))
					next++
				}
			}
			w.loadColumns(t, columns[k])
			w.Do(native.Add, t.B, t.LdB)
		}
		rest := freeVectors(t) - next
		for r := range t.Rows {
			a := w.free(t, next+r%rest)
			w.loadSome(a, w.row(t, r), n)
			for k := range n {
				for v := range t.Vecs {
					w.element(t, t.Acc(r, v), columns[k][v], a, k)
				}
			}
		}
		w.DoI(native.AddI, t.A, n*w.Size)
	}
}

// row returns the place of row r of A. It must be called for all rows in order, since it adds to the address of the
// row above.
func (w *micro) row(t *native.TileCode, r int) native.Mem {
	at := w.G(tileRow)
	switch {
	case r == 0:
		return native.At(t.A, 0)
	case r == 1:
		w.Address(at, native.Indexed(t.A, t.LdA, 0, 0))
	default:
		w.Do(native.Add, at, t.LdA)
	}
	return native.At(at, 0)
}

// single adds the products of one row, which reads each vector of B once.
func (w *micro) single(t *native.TileCode, n int) {
	w.loadSome(w.free(t, 0), native.At(t.A, 0), n)
	for k := range n {
		w.singleElement(t, k)
		w.Do(native.Add, t.B, t.LdB)
	}
	w.DoI(native.AddI, t.A, n*w.Size)
}

// singleElement adds the products of one row with element k of the first free vector.
func (w *micro) singleElement(t *native.TileCode, k int) {
	a, rest := w.free(t, 0), freeVectors(t)-1
	if t.Ahead > 0 {
		w.requestB(t)
	}
	for v := range t.Vecs {
		b := w.free(t, 1+(k*t.Vecs+v)%rest)
		t.LoadColumn(b, native.At(t.B, v*vectorBytes), v)
		w.element(t, t.Acc(0, v), b, a, k)
	}
}

// requestB requests the vectors of B that the contracted element Ahead from the present one reads. Requests
// behind the end of B have no effect.
func (w *micro) requestB(t *native.TileCode) {
	w.Address(w.G(tileAhead), native.Indexed(t.B, w.G(tileStep), 0, 0))
	for v := 0; v < t.Vecs*vectorBytes; v += 64 {
		w.Request(native.At(w.G(tileAhead), v))
	}
}

// down adds the products of one contracted element, where the elements of A that belong to it, one of each row,
// lie side by side.
func (w *micro) down(t *native.TileCode) {
	if t.Single() {
		w.loadSome(w.free(t, 0), native.At(t.A, 0), 1)
		w.singleElement(t, 0)
		w.nextElement(t)
		return
	}
	w.loadColumns(t, t.Columns)
	per := vectorBytes / w.Size
	for r := 0; r < t.Rows; {
		n := per // as many rows as an instruction loads
		for n > t.Rows-r {
			n /= 2
		}
		a := w.free(t, r/per%freeVectors(t))
		if n < per {
			a = w.free(t, (t.Rows/per+bits.TrailingZeros(uint(n)))%freeVectors(t))
		}
		w.loadSome(a, native.At(t.A, r*w.Size), n)
		for i := range n {
			for v := range t.Vecs {
				w.element(t, t.Acc(r+i, v), t.Columns[v], a, i)
			}
		}
		r += n
	}
	w.nextElement(t)
}

// integers adds the products of a contracted element by instructions that have no form for an element.
func (w *micro) integers(t *native.TileCode) {
	x, low, y, z := w.free(t, 0), w.free(t, 1), w.free(t, 2), w.free(t, 3)
	for r := range t.Rows {
		m := native.At(t.A, r*w.Size)
		if !t.Down {
			m = w.row(t, r)
		}
		w.Same(x, m)
		if t.Elem == schedule.I64 {
			w.Put(native.Inst{Op: ofSize(vXtn, 4), D: low, B: x})
		}
		for v := range t.Vecs {
			acc, b := t.Acc(r, v), t.Columns[v]
			if t.Elem == schedule.I16Pair {
				w.op(ofSize(vSmull, 2), y, b, x)
				w.op(ofSize(vSmull2, 2), z, b, x)
				w.op(ofSize(vAddp, 4), y, y, z)
				w.Plus(acc, acc, y)
				continue
			}
			// low·low + (low·high + high·low)·2³²
			w.Put(native.Inst{Op: ofSize(vRev64, 4), D: y, B: b})
			w.op(ofSize(vMul, 4), y, y, x)
			w.Put(native.Inst{Op: ofSize(vUaddlp, 4), D: y, B: y})
			w.Put(native.Inst{Op: ofSize(vShl, 8), D: y, B: y, Imm: 32})
			w.Plus(acc, acc, y)
			w.Put(native.Inst{Op: ofSize(vXtn, 4), D: y, B: b})
			w.add(ofSize(vUmlal, 4), acc, y, low)
		}
	}
}
