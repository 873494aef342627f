package kernel

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/lower/scalar"
)

// chosen returns for each place of the window the element that it chooses in x, or
// nowhere: going through the window in row-major order, the chosen one stays as long
// as the comparison of it with the next holds.
func chosen(x *Tensor, sel prim.Select, w prim.Window, places core.Dims) ([]int, *loan) {
	at, l := borrow[int](places.Size())
	fillRun(at, nowhere)
	k := walks.Get().(*windowWalk)
	k.over(w, x.Shape, places)
	defer walks.Put(k)
	switch x.DType {
	case core.Int2, core.Int4, core.Int8:
		choose(at, View[int8](x), sel, k)
	case core.Int16:
		choose(at, View[int16](x), sel, k)
	case core.Int32:
		choose(at, View[int32](x), sel, k)
	case core.Int64:
		choose(at, View[int64](x), sel, k)
	case core.Uint2, core.Uint4, core.Uint8:
		choose(at, View[uint8](x), sel, k)
	case core.Uint16:
		choose(at, View[uint16](x), sel, k)
	case core.Uint32:
		choose(at, View[uint32](x), sel, k)
	case core.Uint64:
		choose(at, View[uint64](x), sel, k)
	case core.Float64:
		choose(at, View[float64](x), sel, k)
	default:
		if x.DType != core.Float32 && !scalar.IsSmallFloat(x.DType) {
			refuse(x.DType)
		}
		e, le := elementsAs[float32](x)
		choose(at, e, sel, k)
		le.back()
	}
	return at, l
}

func choose[A number](at []int, x []A, sel prim.Select, k *windowWalk) {
	for ; !k.done; k.next() {
		var buf [fewAxes]int
		pos := counters(buf[:0], len(k.nest))
		d, s := k.d, k.s
		for more := true; more; more = advance(k.nest, pos, &d, &s) {
			switch p := at[d]; {
			case p == nowhere:
				at[d] = s
			case sel == prim.SelectGe:
				if !(x[p] >= x[s]) {
					at[d] = s
				}
			default:
				if !(x[p] <= x[s]) {
					at[d] = s
				}
			}
		}
	}
}

// selectAndGather is t where the window chooses in x, 0 where it holds nothing.
func selectAndGather(y, t, x *Tensor, p prim.SelectAndGatherAddP) {
	at, l := chosen(x, p.Select, p.Window, y.Shape)
	size := y.DType.Size()
	clear(y.Data)
	for i, from := range at {
		if from != nowhere {
			copy(y.Data[i*size:(i+1)*size], t.Data[from*size:])
		}
	}
	l.back()
}

// selectAndScatter adds to zeros, for each place of the window in row-major order,
// the source's element where the window chooses in x. Floats of fewer than 32 bits
// add up in f32 and are rounded once.
func selectAndScatter(y, source, x *Tensor, p prim.SelectAndScatterAddP) {
	at, l := chosen(x, p.Select, prim.SimpleWindow(p.Dims, p.Strides, p.Padding), source.Shape)
	numericOf(y.DType).addAt(y, source, at)
	l.back()
}

func addAt[A number](y, source []A, at []int) {
	clear(y)
	for i, to := range at {
		if to != nowhere {
			y[to] += source[i]
		}
	}
	canon(y)
}
