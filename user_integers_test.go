package weft_test

import (
	"errors"
	"math"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
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
