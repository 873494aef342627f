package amd64

import (
	"math/bits"

	"github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/schedule"
)

// General registers of a tile besides the registers of package native.
const (
	tileLdB3 = 3 // three times the stride
	tileA9   = 5 // address of row 9 of A
	tileLdA3 = 7
	tileLdA5 = 8
	tileLdA7 = 9

	tileAhead = tileA9   // in tiles of one row: the address of B's element that is Ahead elements further on
	tileStep  = tileLdA7 // in tiles of one row: bytes that Ahead elements of B take
)

func (w *micro) StartTile(t *native.TileCode) {
	w.temp = 0
	w.Address(w.G(tileLdA3), native.Indexed(t.LdA, t.LdA, 1, 0))
	w.Address(w.G(tileLdA5), native.Indexed(t.LdA, t.LdA, 2, 0))
	w.Address(w.G(tileLdA7), native.Indexed(w.G(tileLdA3), t.LdA, 2, 0))
	w.Address(w.G(tileLdB3), native.Indexed(t.LdB, t.LdB, 1, 0))
	if t.Ahead > 0 {
		w.Move(w.G(tileStep), t.LdB)
		w.DoI(ShlI, w.G(tileStep), bits.TrailingZeros(uint(t.Ahead)))
	}
}

func (w *micro) AtTile(t *native.TileCode) {
	if !t.Down && t.Rows > 9 {
		w.Address(w.G(tileA9), native.Indexed(t.A, t.LdA, 3, 0))
		w.Do(Add, w.G(tileA9), t.LdA)
	}
}

func (w *micro) Products(t *native.TileCode, n int) {
	for k := range n {
		w.element(t, k)
	}
	scale := uint8(bits.TrailingZeros(uint(n)))
	if t.Down {
		w.Address(t.A, native.Indexed(t.A, t.LdA, scale, 0))
	} else {
		w.DoI(AddI, t.A, n*w.Size)
		if t.Rows > 9 {
			w.DoI(AddI, w.G(tileA9), n*w.Size)
		}
	}
	w.Address(t.B, native.Indexed(t.B, t.LdB, scale, 0))
}

func (w *micro) Skip(t *native.TileCode, m native.Mem) {
	w.DoLoad(Add, t.A, m)
	if t.Rows > 9 {
		w.DoLoad(Add, w.G(tileA9), m)
	}
}

// times returns [base + n·ld + disp], n < 4.
func times(base, ld, ld3 native.VReg, n, disp int) native.Mem {
	switch n {
	case 0:
		return native.At(base, disp)
	case 1, 2:
		return native.Indexed(base, ld, uint8(n-1), disp)
	}
	return native.Indexed(base, ld3, 0, disp)
}

// operandA returns the place of row r of A at contracted element k from the present one.
func (w *micro) operandA(t *native.TileCode, r, k int) native.Mem {
	if t.Down {
		return times(t.A, t.LdA, w.G(tileLdA3), k, r*w.Size)
	}
	base, disp := t.A, k*w.Size
	if r >= 9 {
		base, r = w.G(tileA9), r-9
	}
	switch r {
	case 0, 1, 2, 3:
		return times(base, t.LdA, w.G(tileLdA3), r, disp)
	case 4:
		return native.Indexed(base, t.LdA, 2, disp)
	case 5:
		return native.Indexed(base, w.G(tileLdA5), 0, disp)
	case 6:
		return native.Indexed(base, w.G(tileLdA3), 1, disp)
	case 7:
		return native.Indexed(base, w.G(tileLdA7), 0, disp)
	}
	return native.Indexed(base, t.LdA, 3, disp)
}

func (w *micro) operandB(t *native.TileCode, v, k int) native.Mem {
	return times(t.B, t.LdB, w.G(tileLdB3), k, v*w.Model.VectorBytes)
}

// element adds the products of contracted element k from the present one.
func (w *micro) element(t *native.TileCode, k int) {
	last := t.Vecs - 1
	if t.Single() {
		x := w.broadcast(t, w.operandA(t, 0, k))
		if t.Ahead > 0 {
			w.requestB(t, k)
		}
		for v := range last {
			w.FMALoad(t.Acc(0, v), x, w.operandB(t, v, k), 0)
		}
		t.LoadColumn(t.Columns[0], w.operandB(t, last, k), last)
		w.FMA(t.Acc(0, last), x, t.Columns[0])
		return
	}
	for v := range t.Vecs {
		t.LoadColumn(t.Columns[v], w.operandB(t, v, k), v)
	}
	for r := range t.Rows {
		m := w.operandA(t, r, k)
		switch {
		case t.Elem.Fused() && t.Elem != schedule.ByteDot && w.isa == AVX512 && t.Vecs == 1: // a ByteDot reads i8 from memory, and A is u8
			w.FMASame(t.Acc(r, 0), t.Columns[0], m, 0)
		case t.Elem.Fused():
			x := w.broadcast(t, m)
			for v := range t.Vecs {
				w.FMA(t.Acc(r, v), x, t.Columns[v])
			}
		default:
			w.integers(t, r, m)
		}
	}
}

// broadcast loads an element of A into all lanes of one of the tile's temporaries, which take turns.
func (w *micro) broadcast(t *native.TileCode, m native.Mem) native.VReg {
	x := t.Temps[w.temp%len(t.Temps)]
	w.temp++
	w.Same(x, m)
	return x
}

// requestB requests the vectors of B that contracted element k + Ahead from the present
// one reads. Requests behind the end of B have no effect.
func (w *micro) requestB(t *native.TileCode, k int) {
	from := w.G(tileAhead)
	if k == 0 {
		w.Address(from, native.Indexed(t.B, w.G(tileStep), 0, 0))
	}
	for v := 0; v < t.Vecs*w.Model.VectorBytes; v += 64 {
		w.Request(times(from, t.LdB, w.G(tileLdB3), k, v))
	}
}

// integers adds the products of one row.
func (w *micro) integers(t *native.TileCode, r int, m native.Mem) {
	x := t.Temps
	w.Same(x[0], m)
	if t.Elem == schedule.I64 && w.isa == AVX2 {
		w.shift(VpsrlqI, x[1], x[0])
	}
	for v := range t.Vecs {
		acc, b := t.Acc(r, v), t.Columns[v]
		switch {
		case t.Elem == schedule.I32:
			w.op(Vpmulld, x[1], b, x[0])
		case t.Elem == schedule.I16Pair:
			w.op(Vpmaddwd, x[1], b, x[0])
		case w.isa == AVX512:
			w.op(Vpmullq, x[1], b, x[0])
		default: // low·low + (low·high + high·low)·2³²
			w.shift(VpsrlqI, x[2], b)
			w.op(Vpmuludq, x[2], x[2], x[0])
			w.op(Vpmuludq, x[3], b, x[1])
			w.op(Vpaddq, x[2], x[2], x[3])
			w.shift(VpsllqI, x[2], x[2])
			w.op(Vpaddq, acc, acc, x[2])
			w.op(Vpmuludq, x[2], b, x[0])
			w.op(Vpaddq, acc, acc, x[2])
			continue
		}
		w.Plus(acc, acc, x[1])
	}
}

// shift shifts by 32 bits.
func (w *micro) shift(op Op, d, x native.VReg) {
	w.Put(native.Inst{Op: op, Len: w.Len(), D: d, B: x, Imm: 32})
}
