package promotion_test

import (
	_ "embed"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/arraycheck"
	"github.com/weft-go/weft/nn"
	"github.com/weft-go/weft/promote"
)

//go:embed testdata/weak_marks.tsv
var weakMarks string

// Results are weak where JAX's are; only truth values never are.
func TestWeakMarksOfFunctions(t *testing.T) {
	type a = weft.Array
	unary := map[string]func(a) a{"Angle": weft.Angle, "PopulationCount": weft.PopulationCount, "Imag": a.Imag, "Sinc": weft.Sinc,
		"Gelu": nn.GeluTanh, "Deg2Rad": weft.Deg2Rad, "Rad2Deg": weft.Rad2Deg}
	binary := map[string]func(a, a) a{"Hypot": weft.Hypot[a, a], "Gcd": weft.Gcd[a, a], "Lcm": weft.Lcm[a, a],
		"Copysign": weft.Copysign[a, a], "Heaviside": weft.Heaviside[a, a], "Atan2": weft.Atan2[a, a]}
	operand := func(s string) a {
		name, shape, _ := strings.Cut(strings.TrimPrefix(s, "~"), "[")
		typ, _ := promote.ParseType(name)
		x := weft.OnesOf(typ.DType)
		if shape == "2]" {
			x = weft.OnesOf(typ.DType, 2)
		}
		return weft.FromValue(prim.Convert(x.Value(), typ.DType, s[0] == '~'))
	}
	n := 0
	for line := range strings.Lines(weakMarks) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		var in []a
		for _, s := range strings.Fields(f[1]) {
			in = append(in, operand(s))
		}
		y, err := weft.Try(func() a {
			switch len(in) {
			case 1:
				return unary[f[0]](in[0])
			case 2:
				return binary[f[0]](in[0], in[1])
			}
			return weft.Interp(in[0], in[1], in[2])
		})
		if err != nil { // complex operands of what Weft has for reals only
			if !strings.Contains(f[1], "c64") && !(f[0] == "Gcd" || f[0] == "Lcm") {
				t.Errorf("%s of %s: %v", f[0], f[1], err)
			}
			continue
		}
		n++
		if f[0] == "Angle" && f[1] == "f16[]" {
			continue // JAX makes a scalar f16 an f32, and keeps an array of it
		}
		if got := arraycheck.TypeText(y); got != f[2] {
			t.Errorf("%s of %s: got %s, want %s", f[0], f[1], got, f[2])
		}
	}
	if n < 700 {
		t.Errorf("only %d calls compared", n)
	}
}
