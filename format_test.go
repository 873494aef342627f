package weft_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weft-go/weft"
)

// The texts are NumPy's.
func TestString(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		x    weft.Array
		want string
	}{
		{weft.Of(1., 2.5, 3.25), "[1.   2.5  3.25]"},
		{weft.Of(1.), "[1.]"},
		{weft.Of(1e10, 1), "[1.e+10 1.e+00]"},
		{weft.Of(0.1, 0.00001), "[1.e-01 1.e-05]"},
		{weft.Of(0.098928109, 1.3170485, 1.7406157e-08), "[9.8928109e-02 1.3170485e+00 1.7406157e-08]"},
		{weft.Of(1, -20, 3), "[  1 -20   3]"},
		{weft.Of(true, false), "[ True False]"},
		{weft.Of(1i, 2-1.5i), "[0.+1.j  2.-1.5j]"},
		{weft.Of(nan, 1, -inf), "[ nan   1. -inf]"},
		{weft.Of(nan, inf), "[nan inf]"},
		{weft.Of(math.Copysign(0, -1), 1), "[-0.  1.]"},
		{weft.FromSlice([]float64{0.1, 1. / 3}), "[0.1        0.33333333]"},
		{weft.Scalar(0.1), "0.1"},
		{weft.Scalar(1e-5), "1e-05"},
		{weft.Scalar(1.), "1.0"},
		{weft.Scalar(-inf), "-inf"},
		{weft.Scalar(true), "True"},
		{weft.Scalar(3), "3"},
		{weft.Scalar(1 - 2i), "(1-2j)"},
		{weft.Of(1.5, 0.1).AsType(weft.BFloat16), "[1.5 0.1]"},
		{weft.Of(1.5, 0.1).AsType(weft.Float16), "[1.5 0.1]"},
		{weft.Zeros(0, 3), "[]"},
		{weft.Arange(2000), "[   0    1    2 ... 1997 1998 1999]"},
		{weft.Arange(24.).Reshape(2, 3, 4), `[[[ 0.  1.  2.  3.]
  [ 4.  5.  6.  7.]
  [ 8.  9. 10. 11.]]

 [[12. 13. 14. 15.]
  [16. 17. 18. 19.]
  [20. 21. 22. 23.]]]`},
		{weft.Arange(10000).Reshape(100, 100), `[[   0    1    2 ...   97   98   99]
 [ 100  101  102 ...  197  198  199]
 [ 200  201  202 ...  297  298  299]
 ...
 [9700 9701 9702 ... 9797 9798 9799]
 [9800 9801 9802 ... 9897 9898 9899]
 [9900 9901 9902 ... 9997 9998 9999]]`},
		{weft.Arange(20.).Div(7), `[0.         0.14285715 0.2857143  0.42857143 0.5714286  0.71428573
 0.85714287 1.         1.1428572  1.2857143  1.4285715  1.5714285
 1.7142857  1.8571428  2.         2.142857   2.2857144  2.4285715
 2.5714285  2.7142856 ]`},
	} {
		if d := cmp.Diff(c.want, c.x.String()); d != "" {
			t.Errorf("%v:\n%s", c.x, d)
		}
	}
}

func TestVerbs(t *testing.T) {
	x, n := weft.Of(1., 22.5), weft.Of(1, 22)
	for _, c := range []struct{ got, want string }{
		{fmt.Sprintf("%v", x), "[ 1.  22.5]"},
		{fmt.Sprintf("%s", n), "[ 1 22]"},
		{fmt.Sprintf("%.3f", x), "[ 1.000 22.500]"},
		{fmt.Sprintf("%8.2e", x), "[1.00e+00 2.25e+01]"},
		{fmt.Sprintf("%.1f", n), "[ 1.0 22.0]"},
		{fmt.Sprintf("%d", n), "[ 1 22]"},
		{fmt.Sprintf("%03d", weft.Scalar(5)), "005"},
		{fmt.Sprintf("%+v", n), "i32[2] [ 1 22]"},
		{fmt.Sprintf("%+v", weft.Scalar(2.)), "~f32[] 2.0"},
		{fmt.Sprintf("%x", weft.Of(1., -2)), "[3f800000 c0000000]"},
		{fmt.Sprintf("%x", weft.Of(1i)), "[00000000,3f800000]"},
		{fmt.Sprintf("%x", weft.Of(int16(258))), "[0102]"},
		{fmt.Sprintf("%t", n), "%!t(weft.Array [ 1 22])"},
		{fmt.Sprint(weft.Array{}), "<no Array>"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}
