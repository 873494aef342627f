package nn_test

import (
	"math"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/nn"
)

// No steps spell no labels, and nothing else.
func TestCTCWithoutSteps(t *testing.T) {
	logits := weft.Arange(float32(3*4*2)).Reshape(3, 4, 2).Mul(0.25)
	labels := weft.Ones(3, 2).AsType(weft.Int32)
	c := nn.CTCConfig{Steps: weft.Of(0, 0, 1), Labels: weft.Of(0, 1, 0)}
	loss := nn.CTC(logits, labels, c)
	if got := loss.Index(0).Float(); got != 0 {
		t.Errorf("no steps for no labels: got %v, want 0", got)
	}
	if got := loss.Index(1).Float(); !math.IsInf(got, 1) {
		t.Errorf("no steps for one label: got %v, want +Inf", got)
	}
	blank := nn.LogSoftmax(logits).At(2, 0, 0).Get()
	if got, want := loss.Index(2).Float(), -blank.Float(); math.Abs(got-want) > 1e-6 {
		t.Errorf("one step for no labels: got %v, want that of the blank, %v", got, want)
	}
	d := weft.Grad(func(x weft.Array) weft.Array { return nn.CTC(x, labels, c).Index(0) })(logits)
	if d.Ne(0).Any().Bool() {
		t.Errorf("no steps: got the derivative %v, want zeros", d)
	}
}

// What comes after the labels in use counts for nothing, in derivatives, too.
func TestCTCPaddedLabels(t *testing.T) {
	logits := weft.Sin(weft.Arange(float32(4*3)).Reshape(4, 3))
	loss := func(labels ...int32) (weft.Array, weft.Array) {
		return weft.ValueAndGradAt(logits, func(x weft.Array) weft.Array {
			return nn.CTC(x, weft.Of(labels...), nn.CTCConfig{Labels: weft.Scalar(int32(1))})
		})
	}
	want, slope := loss(1, 0)
	for _, padding := range []int32{2, 7, -1, -9} {
		if got, d := loss(1, padding); got.Float() != want.Float() || !weft.AllClose(d, slope, 0, 0).Bool() {
			t.Errorf("padding %d: got %v and the derivative %v, want %v and %v", padding, got, d, want, slope)
		}
	}
}

// Lengths may be of any integer type that holds them, also where their doubles, the states, need another.
func TestCTCLengthsOfFewBits(t *testing.T) {
	logits := weft.Sin(weft.Arange(float32(200*3)).Reshape(200, 3))
	labels := weft.Arange(int32(70)).Rem(2).Add(1)
	want := nn.CTC(logits, labels, nn.CTCConfig{Steps: weft.Scalar(int32(190)), Labels: weft.Scalar(int32(66))}).Float()
	for _, dt := range []weft.DType{weft.Int8, weft.Uint8, weft.Int64} {
		c := nn.CTCConfig{Steps: weft.Scalar(int32(190)), Labels: weft.Scalar(int32(66)).AsType(dt)}
		if got := nn.CTC(logits, labels, c).Float(); got != want {
			t.Errorf("%v: got %v, want %v", dt, got, want)
		}
	}
}
