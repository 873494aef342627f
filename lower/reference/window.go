package reference

import (
	"sync"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/windows"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// A windowAxis is one axis of a window that moves over an array: output position o reads
// at tap w position o·stride + w·wdil − lo of the dilated array, of which every bdil-th
// position is an element.
type windowAxis struct {
	in, out, size          int
	stride, lo, bdil, wdil int
	first, last            int // taps before first and after last read no element at any output position
	sx, sy                 int // strides of the array and of the output
}

// A windowWalk visits the taps of a window in row-major order, leaves out those that read
// no element, and yields a loop nest for each: the output positions at which it reads
// an element, and these elements.
type windowWalk struct {
	axes []windowAxis
	at   []int
	nest []block.Axis
	d, s int // where the nest begins in the output and in the array
	done bool

	axesBuf [block.FewAxes]windowAxis
	atBuf   [block.FewAxes]int
	nestBuf [block.FewAxes]block.Axis
}

var walks = sync.Pool{New: func() any { return new(windowWalk) }}

// over starts a walk of w over an array of shape `in`, with an output of shape `out`. The
// walk contains pointers into itself, so it must not be copied.
func (k *windowWalk) over(w windows.Window, in, out core.Dims) {
	var bx, by [block.FewAxes]int
	sx, sy := block.RowMajor(bx[:0], in), block.RowMajor(by[:0], out)
	k.axes, k.at, k.nest, k.done = k.axesBuf[:0], k.atBuf[:0], k.nestBuf[:0], false
	for i := range in.Len() {
		a := windowAxis{in: in.At(i), out: out.At(i), size: w.Dims.At(i), stride: w.Strides.At(i), lo: w.Padding.At(2 * i),
			bdil: w.BaseDilation.At(i), wdil: w.WindowDilation.At(i), sx: sx[i], sy: sy[i]}
		if a.in == 0 || a.out == 0 || a.size == 0 {
			k.done = true
			return
		}
		a.first = max(0, ceilDiv(a.lo-(a.out-1)*a.stride, a.wdil))
		a.last = min(a.size-1, floorDiv(a.lo+(a.in-1)*a.bdil, a.wdil))
		if a.first > a.last {
			k.done = true
			return
		}
		k.axes, k.at = append(k.axes, a), append(k.at, a.first)
	}
	if !k.lay() {
		k.next()
	}
}

func floorDiv(a, b int) int {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

func ceilDiv(a, b int) int { return -floorDiv(-a, b) }

// taps returns the output positions at which tap w reads an element: n positions from o on,
// `step` apart, and the elements, from i on, istep apart.
func (a *windowAxis) taps(w int) (n, o, step, i, istep int) {
	shift := w*a.wdil - a.lo
	o = max(0, ceilDiv(-shift, a.stride))
	last := min(a.out-1, floorDiv((a.in-1)*a.bdil-shift, a.stride))
	step, istep = 1, a.stride
	if a.bdil > 1 {
		g := gcd(a.stride, a.bdil)
		step, istep = a.bdil/g, a.stride/g
		end := last
		if step <= last-o {
			end = o + step - 1
		}
		for o <= end && (o*a.stride+shift)%a.bdil != 0 {
			o++
		}
		if o > end {
			return 0, 0, 0, 0, 0
		}
	}
	if o > last {
		return 0, 0, 0, 0, 0
	}
	return (last-o)/step + 1, o, step, (o*a.stride + shift) / a.bdil, istep
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// lay makes the nest of the position that the walk is at; false if it is empty.
func (k *windowWalk) lay() bool {
	k.nest, k.d, k.s = k.nest[:0], 0, 0
	for j := range k.axes {
		a := &k.axes[j]
		n, o, step, i, istep := a.taps(k.at[j])
		if n == 0 {
			return false
		}
		k.d += o * a.sy
		k.s += i * a.sx
		k.nest = append(k.nest, block.Axis{N: n, D: step * a.sy, S: istep * a.sx})
	}
	k.nest, _ = block.Tidy(k.nest)
	return true
}

// next moves on to the next position that reads anything.
func (k *windowWalk) next() {
	for !k.step() && !k.done {
	}
}

func (k *windowWalk) step() bool {
	for i := len(k.at) - 1; i >= 0; i-- {
		if k.at[i]++; k.at[i] <= k.axes[i].last {
			return k.lay()
		}
		k.at[i] = k.axes[i].first
	}
	k.done = true
	return false
}

// reduceWindow folds what lies under the window at each of its positions, in row-major
// order of the window from the identity. Floats of fewer than 32 bits are f32 on the
// way and rounded once.
func reduceWindow(op foldOp, y, x *block.Tensor, w windows.Window) {
	numericOf(x.DType).window(op, y, x, w)
}

func reduceWindowInto[A any](f *fold[A], acc []A, y, x *block.Tensor, w windows.Window) {
	block.FillRun(acc, f.id)
	e, l := block.ElementsAs[A](x)
	k := walks.Get().(*windowWalk)
	for k.over(w, x.Shape, y.Shape); !k.done; k.next() {
		foldNest(f, acc, e, k.d, k.s, k.nest)
	}
	walks.Put(k)
	block.Canon(acc)
	l.Back()
}

// foldNest is acc[d+…] = acc[d+…] ∘ x[s+…] over a nest.
func foldNest[A any](f *fold[A], acc, x []A, d, s int, axes []block.Axis) {
	last := block.Axis{N: 1, D: 1, S: 1}
	if k := len(axes) - 1; k >= 0 {
		last, axes = axes[k], axes[:k]
	}
	var buf [block.FewAxes]int
	at := block.Counters(buf[:0], len(axes))
	run, l := block.Borrow[A](last.N)
	for more := true; more; more = block.Advance(axes, at, &d, &s) {
		if last.D == 1 && last.S == 1 {
			f.into(acc[d:d+last.N], x[s:s+last.N])
			continue
		}
		if last.D == 1 {
			block.MoveAs(run, x, 0, s, []block.Axis{{N: last.N, D: 1, S: last.S}})
			f.into(acc[d:d+last.N], run)
			continue
		}
		i, j := d, s
		for range last.N {
			acc[i] = f.two(acc[i], x[j])
			i += last.D
			j += last.S
		}
	}
	l.Back()
}
