package wasm

import (
	"github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/schedule"
)

// micro implements [native.MicroPatterns].
type micro struct {
	native.LoadStore
	relaxed bool
	masks   map[int]native.VReg // numbers of lanes, in general registers
	rows    []native.VReg       // addresses of A's rows in a tile
	quick   *quick              // of a tile
}

// Micro returns the patterns of micro-kernels.
func (g *simd) Micro(w *native.Micro) native.MicroPatterns {
	return &micro{LoadStore: native.LoadStore{Micro: w}, relaxed: g.relaxed, masks: map[int]native.VReg{}}
}

func (w *micro) op(op Op, d, x, y native.VReg) { w.Put(native.Inst{Op: op, D: d, A: x, B: y}) }

func (w *micro) bytes(b []byte) native.Mem {
	at := len(w.Pool)
	w.Pool = append(w.Pool, b...)
	return native.Mem{Pool: true, Disp: int32(at)}
}

// shuffle sets element i of d to element from[i] of x and y, where the elements of y follow those of x.
func (w *micro) shuffle(d, x, y native.VReg, size int, from ...int) {
	b := make([]byte, 0, vectorBytes)
	for _, f := range from {
		for i := range size {
			b = append(b, byte(f*size+i))
		}
	}
	w.Put(native.Inst{Op: i8x16Shuffle, D: d, A: x, B: y, Imm: int64(w.bytes(b).Disp)})
}

func (w *micro) Zero(d native.VReg) { w.LoadV(d, w.Constant(0, vectorBytes)) }

func (w *micro) Same(d native.VReg, m native.Mem) {
	w.Put(m.Of(native.Inst{Op: v128Load8Splat + Op(native.Log2(w.Size)), D: d}))
}

func (w *micro) FMA(d, x, y native.VReg) { fma(w.Draft, w.relaxed, w.Size, d, x, y, d) }

func (w *micro) FMASame(d, x native.VReg, m native.Mem, temp native.VReg) {
	w.Same(temp, m)
	w.fmaEqual(d, x, temp)
}

// fmaEqual is FMA where all lanes of y are equal, which are then converted once.
func (w *micro) fmaEqual(d, x, y native.VReg) {
	w.FMA(d, x, y)
	w.List[len(w.List)-1].Imm = 1
}

func (w *micro) Plus(d, x, y native.VReg) {
	if w.Type.Float() {
		w.op(ofFloat(f32x4Add, w.Size), d, x, y)
	} else {
		w.op(ofSize(i8x16Add, w.Size), d, x, y)
	}
}

func (w *micro) NaNs(d native.VReg) { w.LoadV(d, w.Constant(w.NaN(), vectorBytes)) }

func (w *micro) Canonical(d, nan, temp native.VReg) {
	w.op(ofFloat(f32x4Eq, w.Size), temp, d, d)
	w.Put(native.Inst{Op: v128Bitselect, D: d, A: d, B: nan, C: temp, Third: true})
}

func (w *micro) Magnitudes(d native.VReg) {
	w.LoadV(d, w.Constant(w.UpperMagnitude(), vectorBytes))
}

func (w *micro) Largest(most, bits, x native.VReg) {
	w.op(v128And, x, bits, x)
	w.op(i32x4MaxU, most, most, x)
}

// Masks are numbers of lanes in general registers.

// lanes returns the register with the number of lanes of a mask.
func (w *micro) lanes(k native.Mask) native.VReg {
	if w.masks[k.Number] == 0 {
		w.masks[k.Number] = w.NewG()
	}
	return w.masks[k.Number]
}

func (w *micro) ArgMask(k native.Mask, m native.Mem) { w.Load(w.lanes(k), m) }

func (w *micro) FirstMask(k native.Mask, n, _ native.VReg) { w.Move(w.lanes(k), n) }

func (w *micro) LoadMask(d native.VReg, m native.Mem, k native.Mask) {
	w.Put(m.Of(native.Inst{Op: opLoadPart, D: d, K: w.lanes(k), Imm: int64(w.Size)}))
}

func (w *micro) StoreMask(m native.Mem, s native.VReg, k native.Mask) {
	w.Put(m.Of(native.Inst{Op: opStorePart, A: s, K: w.lanes(k), Imm: int64(w.Size)}))
}

func (w *micro) Transposed(in, temp native.VReg) native.VReg {
	if w.Size == 8 {
		w.shuffle(temp, in, in+1, 8, 0, 2)
		w.shuffle(temp+1, in, in+1, 8, 1, 3)
		return temp
	}
	for i := native.VReg(0); i < 4; i += 2 {
		w.shuffle(temp+i, in+i, in+i+1, 4, 0, 4, 1, 5)
		w.shuffle(temp+i+1, in+i, in+i+1, 4, 2, 6, 3, 7)
	}
	for i := range native.VReg(2) {
		w.shuffle(in+2*i, temp+i, temp+i+2, 8, 0, 2)
		w.shuffle(in+2*i+1, temp+i, temp+i+2, 8, 1, 3)
	}
	return in
}

func (w *micro) StartTile(t *native.TileCode) {
	w.rows = []native.VReg{t.A}
	for len(w.rows) < t.Rows && !t.Down {
		w.rows = append(w.rows, w.NewG())
	}
	if !w.relaxed && t.Elem == schedule.F32 && t.Rows > 1 && !t.Pieces {
		w.startQuick(t)
	}
}

// AtTile computes the addresses of the rows of A.
func (w *micro) AtTile(t *native.TileCode) {
	for r := 1; r < len(w.rows); r++ {
		w.Address(w.rows[r], native.Indexed(w.rows[r-1], t.LdA, 0, 0))
	}
	if w.quick != nil {
		w.findExtents(t)
	}
}

func (w *micro) Skip(t *native.TileCode, m native.Mem) {
	for _, r := range w.rows {
		w.DoLoad(native.Add, r, m)
	}
}

// Products adds the products of n contracted elements: A's elements are read to all lanes.
func (w *micro) Products(t *native.TileCode, n int) {
	a := w.V(t.Rows*t.Vecs + len(t.Columns))
	for k := range n {
		at := k * w.Size
		if t.Down {
			at = 0
		}
		if t.Single() {
			w.Same(a, native.At(t.A, at))
			for v := range t.Vecs {
				t.LoadColumn(t.Columns[0], native.At(t.B, v*vectorBytes), v)
				w.fmaEqual(t.Acc(0, v), t.Columns[0], a)
			}
		} else {
			for v := range t.Vecs {
				w.column(t, v)
			}
			for r := range t.Rows {
				m := native.At(t.A, r*w.Size)
				if !t.Down {
					m = native.At(w.rows[r], at)
				}
				w.Same(a, m)
				if w.quick != nil && w.quick.on {
					w.quickRow(t, r, a)
					continue
				}
				for v := range t.Vecs {
					w.product(t, t.Acc(r, v), t.Columns[v], a)
				}
			}
		}
		w.Do(native.Add, t.B, t.LdB)
		if t.Down {
			w.Do(native.Add, t.A, t.LdA)
		}
	}
	if !t.Down {
		for _, r := range w.rows {
			w.DoI(native.AddI, r, n*w.Size)
		}
	}
}

func (w *micro) product(t *native.TileCode, acc, x, y native.VReg) {
	p := y + 1 // behind the element of A
	switch t.Elem {
	case schedule.I32:
		w.op(i32x4Mul, p, x, y)
	case schedule.I64:
		w.op(i64x2Mul, p, x, y)
	case schedule.I16Pair:
		w.op(i32x4DotI16x8S, p, x, y)
	default:
		w.fmaEqual(acc, x, y)
		return
	}
	w.Plus(acc, acc, p)
}
