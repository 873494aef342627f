package weft_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/rng"
)

// Go integers that 32 bits do not hold are used as they are, or refused; they never wrap.
func TestIntegersBeyond32Bits(t *testing.T) {
	if math.MaxInt == math.MaxInt32 {
		t.Skip("int has 32 bits here")
	}
	wide := math.MaxInt/2 + 1 // 1<<62: 0 in 32 bits
	x := weft.Of(1., 2, 3, 4, 5, 6).Reshape(2, 3)
	zeros, ones := weft.ZerosLike(x), weft.Ones(2, 3)
	for _, k := range []int{wide, 1 << 32, 1<<32 + 1, math.MaxInt} {
		for name, c := range map[string]struct{ got, want weft.Array }{
			"Tri": {weft.Tri(2, 3, k), ones}, "Tri below": {weft.Tri(2, 3, -k), zeros},
			"Tril": {weft.Tril(x, k), x}, "Tril below": {weft.Tril(x, -k), zeros},
			"Triu": {weft.Triu(x, k), zeros}, "Triu below": {weft.Triu(x, -k), x},
		} {
			if !c.got.Equal(c.want) {
				t.Errorf("%s at diagonal %d: got %v, want %v", name, k, c.got, c.want)
			}
		}
	}
	if got := weft.Tril(x, math.MinInt); !got.Equal(zeros) {
		t.Errorf("Tril at the least diagonal: got %v", got)
	}
	if _, err := weft.Try(func() []weft.Array { return weft.NonzeroSize(x, 7, 1<<32) }); !errors.Is(err, core.ErrDType) {
		t.Errorf("NonzeroSize filled with 1<<32: got %v, want an error that it does not fit", err)
	}
	hot := weft.OneHot(weft.Of(int8(0), 1), 300)
	if got := hot.Sum().Float(); got != 2 || hot.Index(0, 256).Float() != 0 {
		t.Errorf("OneHot of i8 in 300 classes: %v ones, want 2", got)
	}
	if a, b := weft.Roll(x, math.MinInt, 1), weft.Roll(x, math.MinInt%3, 1); !a.Equal(b) {
		t.Errorf("Roll by the least integer: got %v, want %v", a, b)
	}
}

// Logspace, Rad2Deg, Split and their derivatives return NumPy's values.
func TestLogspaceRad2DegSplit(t *testing.T) {
	nearAll(t, "Logspace", weft.Logspace(0, 3, 4), 1, 10, 100, 1000)
	nearAll(t, "Rad2Deg", weft.Rad2Deg(vec(0, 1, -3.1415927)), 0, 57.295780, -180)
	nearAll(t, "gradient of Rad2Deg", weft.Grad(weft.Rad2Deg)(s(2)), 57.295780)
	parts := weft.Split(vec(1, 2, 3, 4, 5, 6), 0, 1, 3, 2)
	if len(parts) != 3 {
		t.Fatalf("Split: got %d parts, want 3", len(parts))
	}
	nearAll(t, "Split 0", parts[0], 1)
	nearAll(t, "Split 1", parts[1], 2, 3, 4)
	nearAll(t, "Split 2", parts[2], 5, 6)
	columns := weft.Unstack(vec(1, 2, 3, 4, 5, 6).Reshape(2, 3), 1)
	if len(columns) != 3 {
		t.Fatalf("Unstack: got %d parts, want 3", len(columns))
	}
	for k, c := range columns {
		nearAll(t, "Unstack", c, float64(k+1), float64(k+4))
	}
}

// ZerosLike works for keys too, so that it takes any tree.
func TestZerosLikeOfKeys(t *testing.T) {
	k := weft.FromValue(rng.RandomSeed(weft.Of(uint32(7), 8).Index(0).Value()))
	z := weft.ZerosLike(k)
	if z.DType() != k.DType() || len(z.Shape()) != len(k.Shape()) {
		t.Errorf("%v %v", z.DType(), z.Shape())
	}
	if w := weft.FromValue(prim.RandomUnwrap(z.Value())); !w.Equal(weft.Of(uint32(0), 0)) {
		t.Errorf("the words are %v", w)
	}
}

func ExampleMeshgrid() {
	g := weft.Meshgrid(weft.GridXY, weft.Of(1, 2, 3), weft.Of(10, 20))
	fmt.Println(g[0].Add(g[1]))
	// Output:
	// [[11 12 13]
	//  [21 22 23]]
}
