package hostile_test

import (
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/fft"
	"github.com/weft-go/weft/image"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/lax"
	"github.com/weft-go/weft/nn"
	"github.com/weft-go/weft/special"
)

// Axes that contain themselves are refused, not followed until the stack ends.
func TestRecursiveAxes(t *testing.T) {
	list := []any{0, 0}
	list[0], list[1] = list, list
	tree := weft.Axes{}
	tree["a"] = tree
	for name, option := range map[string]weft.VmapOption{"In of a list": weft.In(list), "In of Axes": weft.In(tree), "Out": weft.Out(list)} {
		t.Run(name, func(t *testing.T) {
			testcheck.Fails(t, core.ErrAxis, func() { weft.Vmap(weft.Sin, option) }, "contain themselves")
		})
	}
}

func TestZeroArrayIsRefusedByName(t *testing.T) {
	var none weft.Array
	x := weft.Zeros(3)
	for name, call := range map[string]func(){
		"Conj":     func() { weft.Conj(none) },
		"Real":     func() { none.Real() },
		"Imag":     func() { none.Imag() },
		"Vdot":     func() { weft.Vdot(none, x) },
		"HFFT":     func() { fft.HFFT(none) },
		"At.Apply": func() { x.At(0).Apply(func(weft.Array) weft.Array { return none }) },
	} {
		t.Run(name, func(t *testing.T) { testcheck.Fails(t, core.ErrTree, call, "the zero Array has no value") })
	}
}

func TestNilFunctionsOfLax(t *testing.T) {
	var f func(weft.Array) weft.Array
	var g func(a, b weft.Array) weft.Array
	x := weft.Zeros(3)
	for name, call := range map[string]func(){
		"Cond":            func() { lax.Cond(true, f, weft.Sin, x) },
		"Switch":          func() { lax.Switch(0, x, weft.Sin, f) },
		"WhileLoop":       func() { lax.WhileLoop(f, f, x) },
		"ForiLoop":        func() { lax.ForiLoop(0, 3, g, x) },
		"Scan":            func() { lax.Scan((func(c, x weft.Array) (weft.Array, weft.Array))(nil), x, x) },
		"Map":             func() { lax.Map(f, x) },
		"MapBatches":      func() { lax.MapBatches(f, x, 2) },
		"AssociativeScan": func() { lax.AssociativeScan(g, x, 0, false) },
		"ScatterApply":    func() { lax.ScatterApply(x, weft.Of(0).Reshape(1, 1), f, []int{1}, lax.ScatterConfig{}) },
		"Reduce":          func() { lax.Reduce(x, weft.Scalar(float32(0)), g, 0) },
		"ReduceWindow":    func() { lax.ReduceWindow(x, weft.Scalar(float32(0)), g, lax.WindowConfig{Dims: []int{2}}) },
	} {
		t.Run(name, func(t *testing.T) { testcheck.Fails(t, core.ErrTree, call, "is nil") })
	}
}

// Recurrences and sums over an argument end.
func TestTermsAreBounded(t *testing.T) {
	x := weft.Zeros(2)
	testcheck.Fails(t, core.ErrShape, func() { special.MultiGammaln(x, 1<<62) }, "MultiGammaln", "too high")
	testcheck.Fails(t, core.ErrShape, func() { special.SphHarm(1<<62, -2, x, x) }, "SphHarm", "too high")
}

// The indices of a resized image are not allocated before its size is checked.
func TestResizeBeyondMemory(t *testing.T) {
	for _, x := range []weft.Array{weft.Zeros(2, 3), weft.Zeros(0, 3)} {
		testcheck.Fails(t, core.ErrShape, func() {
			image.Resize(x, image.ResizeConfig{Method: image.Nearest}, x.Dim(0), 1<<42)
		}, "Resize", "does not fit in memory")
	}
}

// A layer that was not made by NewMultiHead, or gets an array without heads, refuses it.
func TestMultiHeadWithoutHeads(t *testing.T) {
	w := weft.Zeros(4, 4)
	none := nn.MultiHead{K: nn.Linear{W: w}, V: nn.Linear{W: w}}
	testcheck.Fails(t, core.ErrShape, func() { none.NewCache(2) }, "NewCache", "0 heads do not divide 4 features")
	odd := nn.MultiHead{K: nn.Linear{W: w}, V: nn.Linear{W: w}, Heads: 3}
	testcheck.Fails(t, core.ErrShape, func() { odd.NewCache(2) }, "NewCache", "3 heads do not divide 4 features")
	for _, y := range []weft.Array{weft.Zeros(), weft.Zeros(4)} {
		testcheck.Fails(t, core.ErrShape, func() { none.Merge(y) }, "MultiHead", "reshape it")
	}
}

// A function that combines batches must return batches of the same size.
func TestAssociativeScanOfOtherShape(t *testing.T) {
	one := func(a, b weft.Array) weft.Array { return weft.Zeros() }
	row := func(a, b weft.Array) weft.Array { return a.Index(weft.R(0, 1)) }
	for name, f := range map[string]func(a, b weft.Array) weft.Array{"scalar": one, "first": row} {
		t.Run(name, func(t *testing.T) {
			testcheck.Fails(t, core.ErrShape, func() { lax.AssociativeScan(f, weft.Zeros(8, 2), 0, false) }, "AssociativeScan", "another shape")
			testcheck.Fails(t, core.ErrShape, func() { weft.AssociativeScan(f, weft.Zeros(8, 2)) }, "AssociativeScan", "another shape")
		})
	}
}

// All arrays that MapBatches slices have the axis that it slices along.
func TestMapBatchesOfUnequalLengths(t *testing.T) {
	type pair struct{ A, B weft.Array }
	for _, b := range []weft.Array{weft.Scalar(1.), weft.Ones(2)} {
		testcheck.Fails(t, core.ErrShape, func() {
			lax.MapBatches(func(p pair) weft.Array { return p.A }, pair{weft.Ones(3), b}, 2)
		}, "MapBatches", "no leading axis of size 3")
	}
}

func TestFillWithNil(t *testing.T) {
	testcheck.Fails(t, core.ErrDType, func() { weft.Ones(3).At(0).Fill(nil).Get() }, "nil")
}
