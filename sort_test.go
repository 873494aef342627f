package weft_test

import (
	"fmt"
	"math"
	goruntime "runtime"
	"strings"
	"testing"

	"github.com/weft-go/weft"
)

func TestNonzeroOfAScalar(t *testing.T) {
	for name, f := range map[string]func(){
		"Nonzero":     func() { weft.Nonzero(weft.Scalar(3.)) },
		"NonzeroSize": func() { weft.NonzeroSize(weft.Scalar(3.), 1, 0) },
	} {
		_, err := weft.Try(func() int { f(); return 0 })
		if err == nil || !strings.Contains(err.Error(), name+": a scalar has no positions; give it an axis, as weft.AtLeast(x, 1)") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if at := weft.Nonzero(weft.AtLeast(weft.Scalar(3.), 1)); len(at) != 1 || !at[0].Equal(weft.Of(int32(0))) {
		t.Errorf("with an axis: %v", at)
	}
}

func ExampleTopK() {
	values, places := weft.TopK(weft.Of(3., 9, 4, 7), 2)
	fmt.Println(values, places)
	// Output: [9. 7.] [1 3]
}

func ExampleSearchSorted() {
	fmt.Println(weft.SearchSorted(weft.Of(1, 3, 5), weft.Of(0, 3, 4, 9), weft.Left))
	// Output: [0 1 2 3]
}

// IsIn takes memory for its operands, not for their pairs.
func TestIsInMemory(t *testing.T) {
	const n = 40_000
	x := weft.Arange(n)
	set := x.Mul(2)
	var before, after goruntime.MemStats
	goruntime.ReadMemStats(&before)
	got := weft.IsIn(x, set)
	goruntime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 64<<20 {
		t.Errorf("IsIn of %d in %d elements allocated %d MB, want at most 64", n, n, used>>20)
	}
	if want := weft.Arange(n).Rem(2).Eq(0); !got.Equal(want) {
		t.Error("IsIn: got other elements than the even numbers")
	}
}

// IsIn compares few elements pair by pair and sorts many: both agree.
func TestIsInManyElements(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for name, c := range map[string][2]weft.Array{
		"f32":     {weft.Of(float32(nan), -1, 0, float32(math.Copysign(0, -1)), 7, float32(inf)), weft.Of(float32(math.Copysign(0, -1)), float32(nan), 7, 1e30)},
		"zero":    {weft.Of(0., 1), weft.Of(math.Copysign(0, -1), 5)},
		"mixed":   {weft.Of(int8(-1), 3, 127), weft.Of(255., 3.5, 127)},
		"u64":     {weft.Of(uint64(1<<63), 1, math.MaxUint64), weft.Of(uint64(math.MaxUint64), 3)},
		"bool":    {weft.Of(true, false), weft.Of(true, true)},
		"complex": {weft.Of(complex64(1+2i), 1i, 3), weft.Of(complex64(1i), 1+3i, 0, 3)},
	} {
		x, set := c[0], c[1]
		want := weft.IsIn(x, set)
		many := weft.Tile(set, 2000)
		for way, f := range map[string]func(x, y weft.Array) weft.Array{"eager": weft.IsIn, "jit": weft.Jit(weft.IsIn)} {
			if got := f(x, many); !got.Equal(want) {
				t.Errorf("%s, %s: got %v among %d elements, want %v", name, way, got, many.Size(), want)
			}
		}
	}
}
