package weft_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/weft-go/weft"
)

// The modes of padding beyond the edge, as NumPy shows them.
func TestPadModes(t *testing.T) {
	x := weft.Of(1., 2, 3)
	for _, c := range []struct {
		config weft.PadConfig
		want   weft.Array
	}{
		{weft.PadConfig{Value: 9}, weft.Of(9., 9, 9, 9, 1, 2, 3, 9)},
		{weft.PadConfig{Mode: weft.PadEdge}, weft.Of(1., 1, 1, 1, 1, 2, 3, 3)},
		{weft.PadConfig{Mode: weft.PadSymmetric}, weft.Of(3., 3, 2, 1, 1, 2, 3, 3)},
		{weft.PadConfig{Mode: weft.PadReflect}, weft.Of(1., 2, 3, 2, 1, 2, 3, 2)},
		{weft.PadConfig{Mode: weft.PadWrap}, weft.Of(3., 1, 2, 3, 1, 2, 3, 1)},
		{weft.PadConfig{Mode: weft.PadMaximum}, weft.Of(3., 3, 3, 3, 1, 2, 3, 3)},
		{weft.PadConfig{Mode: weft.PadMinimum}, weft.Of(1., 1, 1, 1, 1, 2, 3, 1)},
		{weft.PadConfig{Mode: weft.PadMean}, weft.Of(2., 2, 2, 2, 1, 2, 3, 2)},
		{weft.PadConfig{Mode: weft.PadLinearRamp, Value: -3}, weft.Of(-3., -2, -1, 0, 1, 2, 3, -3)},
	} {
		if got := weft.Pad(x, [][2]int{{4, 1}}, c.config); !got.Equal(c.want) {
			t.Errorf("mode %d: %v, want %v", c.config.Mode, got, c.want)
		}
	}
}

func TestSelectRaisesRanks(t *testing.T) {
	choose := func() string {
		return weft.Select([]weft.Array{weft.Of(true, false)}, []weft.Array{weft.Of(1., 2, 3, 4).Reshape(2, 2)}, 0.).String()
	}
	if got := choose(); got != "[[1. 0.]\n [3. 0.]]" {
		t.Errorf("got %s", got)
	}
	weft.With(weft.RankPromotion(weft.Raise), func() {
		if _, err := weft.Try(choose); err == nil || !strings.Contains(err.Error(), "Select") {
			t.Errorf("ranks 1 and 2: got %v, want an error that names Select", err)
		}
	})
}

func TestViewOfComplexNumbers(t *testing.T) {
	x := weft.Of(complex64(1+2i), 3+4i)
	if got := x.View(weft.Float32).String(); got != "[1. 2. 3. 4.]" {
		t.Errorf("parts: got %s, want [1. 2. 3. 4.]", got)
	}
	if got := x.View(weft.Float32).View(weft.Complex64); !got.Equal(x) {
		t.Errorf("and back: got %v, want %v", got, x)
	}
	if _, err := weft.Try(func() weft.Array { return x.Index(0).View(weft.Float32) }); err == nil || !strings.Contains(err.Error(), "no axis that could grow") {
		t.Errorf("scalar: got %v, want an error about the axis", err)
	}
}

func ExamplePad() {
	x := weft.Of(1, 2, 3)
	fmt.Println(weft.Pad(x, [][2]int{{2, 1}}, weft.PadConfig{}))
	fmt.Println(weft.Pad(x, [][2]int{{2, 1}}, weft.PadConfig{Mode: weft.PadReflect}))
	// Output:
	// [0 0 1 2 3 0]
	// [3 2 1 2 3 2]
}
