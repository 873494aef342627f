package nn_test

import (
	"math"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/nn"
)

// LogCosh of close numbers has the digits of half their squared distance.
func TestLogCoshNear(t *testing.T) {
	for _, x := range []float64{1e-10, 1e-3, 0.5, 0.99, 1.01, 30} {
		want := math.Abs(x) + math.Log1p(math.Exp(-2*math.Abs(x))) - math.Ln2
		if x < 0.1 {
			want = x * x / 2 * (1 - x*x/6*(1-x*x*4/15))
		}
		for _, v := range []float64{x, -x} {
			e := weft.FromSlice([]float64{v}).Index(0)
			got := nn.LogCosh(e, weft.Scalar(0.)).Float()
			testcheck.Within(t, "LogCosh", got, want, 0x1p-50*max(want, 0x1p-3*min(x*x, 1)))
			slope := weft.GradAt(e, func(x weft.Array) weft.Array { return nn.LogCosh(x, weft.Scalar(0.)) }).Float()
			testcheck.Within(t, "the derivative of LogCosh", slope, math.Tanh(v), 0x1p-50*math.Abs(v))
		}
	}
}

// The squares of a long vector do not overflow f16, whose largest number is 65504.
func TestCosineSimilarityOfLongVectors(t *testing.T) {
	x := weft.OnesOf(weft.Float16, 70_000)
	if y := nn.CosineSimilarity(x, x.Neg()); y.Float() != -1 || y.DType() != weft.Float16 {
		t.Errorf("got %v, want -1 in f16", y)
	}
	z := weft.Of(1i)
	if _, err := weft.Try(func() weft.Array { return nn.CosineSimilarity(z, z) }); err == nil || !strings.Contains(err.Error(), "CosineSimilarity: ") {
		t.Errorf("complex vectors: got %v, want a refusal", err)
	}
}
