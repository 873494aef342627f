package reference

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/windows"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// chosen returns for each output position of the window the element that the window chooses in x, or nowhere.
// Going through the window in row-major order, the chosen element stays as long as its comparison with the next
// element holds.
func chosen(x *block.Tensor, sel windows.Select, w windows.Window, places core.Dims) ([]int, *block.Loan) {
	at, l := block.Borrow[int](places.Size())
	block.FillRun(at, nowhere)
	k := walks.Get().(*windowWalk)
	k.over(w, x.Shape, places)
	defer walks.Put(k)
	choose := numericOf(x.DType).choose
	if choose == nil {
		block.Refuse(x.DType)
	}
	choose(at, x, sel, k)
	return at, l
}

func choose[A block.Number](at []int, x []A, sel windows.Select, k *windowWalk) {
	for ; !k.done; k.next() {
		var buf [block.FewAxes]int
		pos := block.Counters(buf[:0], len(k.nest))
		d, s := k.d, k.s
		for more := true; more; more = block.Advance(k.nest, pos, &d, &s) {
			switch p := at[d]; {
			case p == nowhere:
				at[d] = s
			case sel == windows.SelectGe:
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

// selectAndGather copies to y, for each position of the window, the element of t at the position that the
// window chooses in x; 0 if the window contains no element.
func selectAndGather(y, t, x *block.Tensor, p windows.SelectAndGatherAddP) {
	at, l := chosen(x, p.Select, p.Window, y.Shape)
	size := y.DType.Size()
	clear(y.Data)
	for i, from := range at {
		if from != nowhere {
			copy(y.Data[i*size:(i+1)*size], t.Data[from*size:])
		}
	}
	l.Back()
}

// selectAndScatter adds to zeros, for each output position of the window in row-major order, the source's
// element, at the position that the window chooses in x. Floats of fewer than 32 bits add up in f32 and are
// rounded once.
func selectAndScatter(y, source, x *block.Tensor, p windows.SelectAndScatterAddP) {
	at, l := chosen(x, p.Select, windows.SimpleWindow(p.Dims, p.Strides, p.Padding), source.Shape)
	numericOf(y.DType).addAt(y, source, at)
	l.Back()
}

func addAt[A block.Number](y, source []A, at []int) {
	clear(y)
	for i, to := range at {
		if to != nowhere {
			y[to] += source[i]
		}
	}
	block.Canon(y)
}
