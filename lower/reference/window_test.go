package reference

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/windows"
	"github.com/weft-go/weft/lower/reference/internal/block"
	"github.com/weft-go/weft/lower/scalar"
)

// windowCase returns a random window over an array.
func windowCase(r *rand.Rand, dilated bool) (w windows.Window, shape core.Dims) {
	n := 1 + r.IntN(3)
	var s, size, strides, padding, bd, wd []int
	for range n {
		s = append(s, 1+r.IntN(6))
		size = append(size, 1+r.IntN(4))
		strides = append(strides, 1+r.IntN(3))
		padding = append(padding, r.IntN(4)-1, r.IntN(4)-1)
		b, d := 1, 1
		if dilated {
			b, d = max(1, r.IntN(4)-1), max(1, r.IntN(4)-1)
		}
		bd, wd = append(bd, b), append(wd, d)
	}
	d := core.MakeDims
	return windows.Window{Dims: d(size...), Strides: d(strides...), Padding: d(padding...), BaseDilation: d(bd...), WindowDilation: d(wd...)}, d(s...)
}

// underWindow lists the elements of an array of the given shape under the window at
// a place, in row-major order of the window.
func underWindow(w windows.Window, shape core.Dims, place []int) []int {
	var found []int
	s := block.RowMajor(nil, shape)
next:
	for k := range w.Dims.Size() {
		at := 0
		for i, p := range unravel(k, w.Dims) {
			pos := place[i]*w.Strides.At(i) + p*w.WindowDilation.At(i) - w.Padding.At(2*i)
			if pos < 0 || pos%w.BaseDilation.At(i) != 0 || pos/w.BaseDilation.At(i) >= shape.At(i) {
				continue next
			}
			at += pos / w.BaseDilation.At(i) * s[i]
		}
		found = append(found, at)
	}
	return found
}

func TestWindowOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 5))
	for range 500 {
		w, shape := windowCase(r, true)
		x := block.NewTensor(core.ShapedArray{Shape: shape, DType: []core.DType{core.Float32, core.BFloat16}[r.IntN(2)]})
		draw(r, x, r.IntN(3) == 0)
		f, _ := floatsOf(x)
		sum := apply(t, windows.ReduceWindowSumP{Window: w}, x)[0]
		top := apply(t, windows.ReduceWindowMaxP{Window: w}, x)[0]
		wantSum, wantTop := make([]float64, sum.Size()), make([]float64, sum.Size())
		for i := range wantSum {
			acc, hi := float32(0), float32(math.Inf(-1))
			for _, at := range underWindow(w, shape, unravel(i, sum.Shape)) {
				acc += float32(f[at])
				hi = scalar.Max32(hi, float32(f[at]))
			}
			wantSum[i], wantTop[i] = float64(acc), float64(hi)
		}
		a, b := block.NewTensor(sum.ShapedArray), block.NewTensor(sum.ShapedArray)
		setFloats(a, wantSum)
		setFloats(b, wantTop)
		if !sameBits(sum, a) || !sameBits(top, b) {
			t.Errorf("%v, %+v: got %x and %x, want %x and %x", x, w, sum.Data, top.Data, a.Data, b.Data)
		}
	}
}

func TestWindowSelect(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 5))
	for range 300 {
		sel := []windows.Select{windows.SelectGe, windows.SelectLe}[r.IntN(2)]
		w, shape := windowCase(r, true)
		dt := []core.DType{core.Float32, core.BFloat16, core.Int8}[r.IntN(3)]
		x, tg := block.NewTensor(core.ShapedArray{Shape: shape, DType: dt}), block.NewTensor(core.ShapedArray{Shape: shape, DType: dt})
		draw(r, x, r.IntN(3) == 0)
		draw(r, tg, false)
		got := apply(t, windows.SelectAndGatherAddP{Select: sel, Window: w}, tg, x)[0]
		pick := func(place []int, w windows.Window) int {
			at := -1
			for _, i := range underWindow(w, shape, place) {
				if at < 0 || !selects(sel, x, at, i) {
					at = i
				}
			}
			return at
		}
		for i := range got.Size() {
			want := make([]byte, dt.Size())
			if at := pick(unravel(i, got.Shape), w); at >= 0 {
				want = vector(tg, at, 1).Data
			}
			if string(vector(got, i, 1).Data) != string(want) {
				t.Fatalf("%v, %+v: place %d is %x, want %x", x, w, i, vector(got, i, 1).Data, want)
			}
		}

		// And back: the source's elements are added in row-major order of the places.
		plain, _ := windowCase(r, false)
		if plain.Dims.Len() != shape.Len() {
			continue
		}
		p := windows.SelectAndScatterAddP{Select: sel, Dims: plain.Dims, Strides: plain.Strides, Padding: plain.Padding}
		places := core.AbstractOf(windows.ReduceWindowSumP{Window: plain}, []core.ShapedArray{x.ShapedArray})[0]
		src := block.NewTensor(places)
		draw(r, src, false)
		y := apply(t, p, src, x)[0]
		f := make([]float64, 0, src.Size())
		if dt == core.Int8 {
			for i := range src.Size() {
				f = append(f, float64(indexAt(src, i)))
			}
		} else {
			f, _ = floatsOf(src)
		}
		acc := make([]float64, y.Size())
		for i, v := range f {
			if at := pick(unravel(i, src.Shape), plain); at >= 0 {
				acc[at] = float64(float32(acc[at]) + float32(v))
			}
		}
		want := block.NewTensor(y.ShapedArray)
		if dt == core.Int8 {
			for i, v := range acc {
				block.View[int8](want)[i] = int8(int(v))
			}
		} else {
			setFloats(want, acc)
		}
		if !sameBits(y, want) {
			t.Errorf("%v, %+v: got %x, want %x", x, p, y.Data, want.Data)
		}
	}
}

// selects returns the comparison of elements a and b of x.
func selects(sel windows.Select, x *block.Tensor, a, b int) bool {
	var u, v float64
	if f, ok := floatsOf(x); ok {
		u, v = f[a], f[b]
	} else {
		u, v = float64(indexAt(x, a)), float64(indexAt(x, b))
	}
	if sel == windows.SelectGe {
		return u >= v
	}
	return u <= v
}

// TestWindowGigantic: what a huge window reads is little, and takes no longer.
func TestWindowGigantic(t *testing.T) {
	d := core.MakeDims
	x := block.NewTensor(core.Aval(core.Float32, 3, 2))
	for i := range block.View[float32](x) {
		block.View[float32](x)[i] = float32(i + 1)
	}
	const huge = 1 << 30
	w := windows.Window{Dims: d(huge, 1), Strides: d(1, 1), Padding: d(huge-3, 0, 0, 0), BaseDilation: d(1, 1), WindowDilation: d(1, 1)}
	y := apply(t, windows.ReduceWindowSumP{Window: w}, x)[0]
	if got := block.View[float32](y); len(got) != 2 || got[0] != 9 || got[1] != 12 {
		t.Errorf("got %v %v", y, got)
	}
}
