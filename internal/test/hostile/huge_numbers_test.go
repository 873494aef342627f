package hostile_test

import (
	"math"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/fft"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/lax"
)

// A stride beyond the array's end takes the first element, and its gradient goes there.
func TestHugeStrides(t *testing.T) {
	x := weft.Of(float32(1), 2, 3)
	for _, stride := range []int{3, math.MaxInt/2 + 1, math.MaxInt} {
		take := func(x weft.Array) weft.Array { return lax.Slice(x, []int{0}, []int{3}, []int{stride}) }
		for name, got := range map[string]weft.Array{"Slice": take(x), "SliceInDim": lax.SliceInDim(x, 0, 3, stride, 0), "Jit": weft.Jit(take)(x)} {
			if want := weft.Of(float32(1)); !got.Equal(want) {
				t.Errorf("%s by %d: got %v, want %v", name, stride, got, want)
			}
		}
		if got, want := weft.Grad(func(x weft.Array) weft.Array { return take(x).Sum() })(x), weft.Of(float32(1), 0, 0); !got.Equal(want) {
			t.Errorf("the gradient by %d: got %v, want %v", stride, got, want)
		}
	}
}

// Errors of sizes that no memory has name the function that was called. What is only traced may have any
// size: a program need not store it.
func TestHugeSizesNameTheFunction(t *testing.T) {
	x := weft.Of(float32(1), 2, 3)
	for name, f := range map[string]func(n int){
		"Vander": func(n int) { weft.Vander(x, n) },
		"Freq":   func(n int) { fft.Freq(n, 1) },
		"RFreq":  func(n int) { fft.RFreq(n, 1) },
	} {
		for _, n := range []int{math.MaxInt, math.MaxInt / 2, 1 << 45} {
			testcheck.Fails(t, core.ErrShape, func() { f(n) }, name+":")
		}
	}
	for _, n := range []int{math.MaxInt, math.MinInt} {
		testcheck.Fails(t, core.ErrShape, func() { weft.Diag(x, n) }, "Diag:")
	}
	ir, err := weft.Jaxpr(func(x weft.Array) weft.Array { return weft.Repeat(x, 1<<45, 0).Sum() }, x)
	if err != nil || ir == nil {
		t.Errorf("a repetition that is traced: %v", err)
	}
}
