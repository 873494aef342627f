package kernel

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"math/cmplx"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/goldenfile"
	"github.com/weft-go/weft/lower/internal/truth"
	"github.com/weft-go/weft/lower/scalar"
)

// goldenArray is an array as the golden data writes it.
type goldenArray struct {
	DType string
	Shape []int
	Bits  string
}

// tensor reads the array.
func (g *goldenArray) tensor(t *testing.T) *Tensor {
	t.Helper()
	dt, ok := core.ParseDType(g.DType)
	if !ok {
		t.Fatalf("dtype %q", g.DType)
	}
	x := NewTensor(core.Aval(dt, g.Shape...))
	b, err := hex.DecodeString(g.Bits)
	if err != nil || len(b) != len(x.Data) {
		t.Fatalf("%d bytes for %v: %v", len(b), x, err)
	}
	copy(x.Data, b)
	copy(x.Data, littleEndian(x)) // turned where the host's order is another
	extend(x)                     // the data has the bits of i4 and i2 without their sign
	return x
}

// cornerRecord is a line of corners.jsonl.
type cornerRecord struct {
	ID        int
	Prim      string
	DType     string
	Params    map[string]any
	In        []goldenArray
	Jit       json.RawMessage
	IEEE      *goldenArray
	Exact     *goldenArray
	ExactMask string `json:"exact_mask"` // 1 where exact holds
	C99       *goldenArray
	Numpy     *goldenArray
	Scipy     *goldenArray
	Error     string
	Case      string
}

// readCorners calls f for each record of the golden file that is there: the whole
// under WEFT_GOLDEN, else the subset in testdata.
func readCorners(t *testing.T, f func(r *cornerRecord)) {
	t.Helper()
	for r := range goldenfile.Records[*cornerRecord](t, goldenfile.Open(t, "jax/corners.jsonl.gz", "testdata/corners.jsonl.gz")) {
		f(r)
	}
}

// cornerPrim returns the primitive of a record, nil if it is none of ours.
func cornerPrim(t *testing.T, r *cornerRecord) core.Primitive {
	num := func(k string) int { return int(r.Params[k].(float64)) }
	dt := func(k string) core.DType {
		d, ok := core.ParseDType(r.Params[k].(string))
		if !ok {
			t.Fatalf("dtype %v", r.Params[k])
		}
		return d
	}
	switch r.Prim {
	case "eq_to":
		return prim.LeToP{} // see cornerResult
	case "integer_pow":
		return prim.IntegerPowP{Y: num("y")}
	case "round":
		return prim.RoundP{Method: prim.Rounding(num("rounding_method"))}
	case "reduce_precision":
		return prim.ReducePrecisionP{ExponentBits: num("exponent_bits"), MantissaBits: num("mantissa_bits")}
	case "conj":
		d, _ := core.ParseDType(r.DType)
		return prim.ConjP{InputDType: d}
	case "convert_element_type":
		return prim.ConvertElementTypeP{NewDType: dt("new_dtype")}
	case "bitcast_convert_type":
		return prim.BitcastConvertTypeP{NewDType: dt("new_dtype")}
	}
	for _, p := range elementwiseSamples() {
		if p.Name() == r.Prim {
			return p
		}
	}
	return nil
}

// elementwiseSamples returns a primitive of every name in the table of expansions, and of those
// whose kernel computes each element alone.
func elementwiseSamples() []core.Primitive {
	return []core.Primitive{
		prim.NegP{}, prim.SignP{}, prim.FloorP{}, prim.CeilP{}, prim.RoundP{}, prim.IsFiniteP{},
		prim.ExpP{}, prim.Exp2P{}, prim.LogP{}, prim.Log1pP{}, prim.Expm1P{}, prim.TanhP{}, prim.LogisticP{},
		prim.SinP{}, prim.CosP{}, prim.TanP{}, prim.AsinP{}, prim.AcosP{}, prim.AtanP{},
		prim.SinhP{}, prim.CoshP{}, prim.AsinhP{}, prim.AcoshP{}, prim.AtanhP{},
		prim.SqrtP{}, prim.RsqrtP{}, prim.CbrtP{}, prim.SquareP{}, prim.IntegerPowP{Y: 3}, prim.AbsP{},
		prim.ErfP{}, prim.ErfcP{}, prim.ErfInvP{}, prim.LgammaP{}, prim.DigammaP{}, prim.PolygammaP{},
		prim.IgammaP{}, prim.IgammacP{}, prim.RegularizedIncompleteBetaP{}, prim.ZetaP{}, prim.BesselI0eP{}, prim.BesselI1eP{},
		prim.RealP{}, prim.ImagP{}, prim.ComplexP{}, prim.NotP{}, prim.PopulationCountP{}, prim.ClzP{},
		prim.AddP{}, prim.SubP{}, prim.MulP{}, prim.DivP{}, prim.RemP{}, prim.MaxP{}, prim.MinP{}, prim.PowP{},
		prim.Atan2P{}, prim.NextafterP{}, prim.MulHiP{}, prim.AddAnyP{}, prim.AndP{}, prim.OrP{}, prim.XorP{},
		prim.ShiftLeftP{}, prim.ShiftRightLogicalP{}, prim.ShiftRightArithmeticP{},
		prim.EqP{}, prim.NeP{}, prim.LtP{}, prim.LeP{}, prim.GtP{}, prim.GeP{}, prim.LtToP{}, prim.LeToP{},
		prim.SelectNP{}, prim.ClampP{}, prim.CopyP{}, prim.StopGradientP{}, prim.NameP{Label: "a"},
		prim.ReducePrecisionP{ExponentBits: 5, MantissaBits: 10}, prim.ConvertElementTypeP{NewDType: core.Float32},
	}
}

// accuracy returns how many ulps an operation may be off, by name; the others are exact.
func accuracy(name string, dt core.DType) float64 {
	low := dt == core.Float64
	switch name {
	case "exp", "exp2", "log", "rsqrt":
		if low {
			return 2
		}
		return 1
	case "log1p", "expm1", "tanh", "logistic", "sin", "cos", "tan", "asin", "acos", "atan",
		"sinh", "cosh", "asinh", "acosh", "atanh", "cbrt", "pow", "atan2":
		if low || dt == core.Float32 {
			return 2
		}
		return 1
	case "igamma", "igammac", "regularized_incomplete_beta", "zeta":
		return 1
	case "bessel_i0e", "bessel_i1e":
		switch dt {
		case core.Float32:
			return 3
		case core.Float64:
			return 5
		}
		return 1
	case "erf", "erfc", "erf_inv", "lgamma", "digamma", "polygamma":
		if low {
			return 4
		}
		return 2
	}
	return 0
}

// TestCorners compares every record about an elementwise operation to its value, and states
// of all others why they are left out.
func TestCorners(t *testing.T) {
	seen, left, ops := 0, map[string]int{}, map[string]bool{}
	excuses := newExceptions(t)
	elements := 0
	readCorners(t, func(r *cornerRecord) {
		p := cornerPrim(t, r)
		if why := leftOut(t, p, r); why != "" {
			left[why]++
			return
		}
		var jit goldenArray
		if err := json.Unmarshal(r.Jit, &jit); err != nil {
			t.Fatal(err)
		}
		seen++
		ops[r.Prim] = true
		t.Run(fmt.Sprintf("%s/%s/%d", r.Prim, r.DType, r.ID), func(t *testing.T) {
			in := cornerOperands(t, r)
			out := cornerResult(t, r, p, in)
			elements += out.Size()
			checkCorner(t, r, in, out, &jit, excuses)
		})
	})
	t.Logf("%d records of %d operations, %d elements; left out:", seen, len(ops), elements)
	for why, n := range left {
		t.Logf("%5d records: %s", n, why)
	}
	excuses.check(t)
	if !goldenfile.Whole() {
		return
	}
	want := map[string]int{
		"a loop's: TestLoopCorners":                         921,
		"bits of NaN: TestCornersOfNaN":                     11,
		"refused by both":                                   36,
		"a type that XLA does not compile":                  114,
		"an expression of jax.numpy: TestComposedCorners":   141,
		"an expansion: runtime's TestCornersOfCumlogsumexp": 72,
	}
	if diff := cmp.Diff(want, left); diff != "" {
		t.Errorf("records left out (-want +got):\n%s", diff)
	}
}

// cornerResult computes a record by the primitive's kernel. eq_to, the equality of the total
// order, is no primitive here: x ≤ y ≤ x is.
func cornerResult(t *testing.T, r *cornerRecord, p core.Primitive, in []*Tensor) *Tensor {
	t.Helper()
	if r.Prim == "eq_to" {
		le := apply(t, prim.LeToP{}, in...)[0]
		ge := apply(t, prim.LeToP{}, in[1], in[0])[0]
		return apply(t, prim.AndP{}, le, ge)[0]
	}
	return apply(t, p, in...)[0]
}

func cornerOperands(t *testing.T, r *cornerRecord) (in []*Tensor) {
	for i := range r.In {
		in = append(in, r.In[i].tensor(t))
	}
	return in
}

// leftOut returns why a record is not looked at by TestCorners, "" if it is. An operation
// that JAX refuses must be refused here too, or be named.
func leftOut(t *testing.T, p core.Primitive, r *cornerRecord) string {
	switch {
	case loopNames()[r.Prim]:
		return "a loop's: TestLoopCorners"
	case r.Prim == "compose":
		return "an expression of jax.numpy: TestComposedCorners"
	case r.Prim == "cumlogsumexp":
		return "an expansion: runtime's TestCornersOfCumlogsumexp"
	case r.Case == "NaN payloads":
		return "bits of NaN: TestCornersOfNaN"
	case p == nil:
		return "no primitive here: " + r.Prim
	case r.Error == "":
		return ""
	case strings.HasPrefix(r.Error, "JaxRuntimeError"):
		return "a type that XLA does not compile"
	}
	err := refusal(p, cornerOperands(t, r))
	if err == nil {
		return "refused by JAX only: " + r.Prim + " " + r.DType
	}
	return "refused by both"
}

// refusal returns how a primitive refuses its operands, nil if it does not.
func refusal(p core.Primitive, in []*Tensor) error {
	return core.Catch(func() { core.AbstractOf(p, avalsOf(in)) })
}

// TestCornersOfNaN compares the bits of NaN to our rule, which is not XLA's: what computes
// makes the canonical NaN, what only moves numbers or changes their sign keeps the payload.
func TestCornersOfNaN(t *testing.T) {
	n := 0
	readCorners(t, func(r *cornerRecord) {
		if r.Case != "NaN payloads" {
			return
		}
		n++
		p, in := cornerPrim(t, r), cornerOperands(t, r)
		canonical := uint64(scalar.NaNBits32)
		switch r.Prim {
		case "add", "mul", "max":
			in = append(in, in[0])
		case "convert":
			p, canonical = prim.ConvertElementTypeP{NewDType: core.Float16}, 0x7e00
		case "convert64":
			p, canonical = prim.ConvertElementTypeP{NewDType: core.Float64}, scalar.NaNBits64
		}
		out := NewTensor(core.AbstractOf(p, avalsOf(in))[0])
		elementwise(p, in, []*Tensor{out})
		for i := range out.Size() {
			x, want := loadBits(in[0], i), canonical
			switch r.Prim {
			case "neg":
				want = x ^ 1<<31
			case "abs":
				want = x &^ (1 << 31)
			case "copy":
				want = x
			}
			if got := loadBits(out, i); got != want {
				t.Errorf("%s of NaN %#x is %#x, want %#x", r.Prim, x, got, want)
			}
		}
	})
	t.Logf("%d operations", n)
}

func avalsOf(ts []*Tensor) []core.ShapedArray {
	var a []core.ShapedArray
	for _, x := range ts {
		a = append(a, x.ShapedArray)
	}
	return a
}

// checkCorner compares by the rule ieee > exact > c99 > jit, element by element: exact
// holds where its mask states so, and c99 of products and powers is NumPy's. Elements that differ and
// have an excuse are noted.
func checkCorner(t *testing.T, r *cornerRecord, in []*Tensor, got *Tensor, jit *goldenArray, excuses *exceptions) {
	t.Helper()
	bound := accuracy(r.Prim, in[0].DType)
	tensor := func(g *goldenArray) *Tensor {
		if g == nil {
			return nil
		}
		return g.tensor(t)
	}
	ieee, exact, c99, numpy, scipy, last := tensor(r.IEEE), tensor(r.Exact), tensor(r.C99), tensor(r.Numpy), tensor(r.Scipy), tensor(jit)
	bad := 0
	for i := range got.Size() {
		w, standard := last, false
		switch {
		case ieee != nil:
			w, standard = ieee, true
		case exact != nil && (r.ExactMask == "" || r.ExactMask[i] == '1'):
			w, standard = exact, true
		case c99 != nil:
			w, standard = c99, true
		case numpy != nil:
			w = numpy
		case scipy != nil:
			w = scipy
		}
		recorded := w
		if r.Prim == "pow" && in[0].DType.IsComplex() {
			w = truePower(w, in, i) // what is recorded has NumPy's errors
		}
		if msg := differ(got, w, i, bound, unitOf(r, in, i), r.Prim, standard); msg != "" {
			if why := excused(r, in, got, recorded, i, standard); why != "" {
				excuses.note(r, why, i)
				continue
			}
			if bad++; bad <= 12 {
				var args []string
				for _, x := range in {
					args = append(args, elemText(x, min(i, x.Size()-1)))
				}
				t.Errorf("%s(%s) = %s, want %s: %s", r.Prim, strings.Join(args, ", "), elemText(got, i), elemText(w, i), msg)
			}
		}
	}
	if bad > 12 {
		t.Errorf("%d of %d elements wrong", bad, got.Size())
	}
}

// truePower returns a copy of w, in which element i is the power by math/big where that
// is an ordinary number.
func truePower(w *Tensor, in []*Tensor, i int) *Tensor {
	at := func(x *Tensor) complex128 {
		i := min(i, x.Size()-1)
		return complex(realAt(x, i, 0), realAt(x, i, 1))
	}
	z, e := at(in[0]), at(in[1])
	if v := complex(realAt(w, i, 0), realAt(w, i, 1)); z == 0 || v == 0 || !finite(z) || !finite(e) || !finite(v) {
		return w
	}
	p := truth.PowC(120, truth.NumC(z), truth.NumC(e))
	re, _ := p.Re.Float64()
	im, _ := p.Im.Float64()
	c := NewTensor(w.ShapedArray)
	if w.DType == core.Complex64 {
		View[complex64](c)[i] = complex64(complex(re, im))
	} else {
		View[complex128](c)[i] = complex(re, im)
	}
	return c
}

func finite(z complex128) bool { return !cmplx.IsInf(z) && !cmplx.IsNaN(z) }

// unitOf returns the number whose ulps count near the zeros of a function, 0 if all zeros
// are to be relatively right.
func unitOf(r *cornerRecord, in []*Tensor, i int) float64 {
	switch r.Prim {
	case "lgamma", "digamma":
		return 1
	case "polygamma":
		// Between the poles below zero those of even order have zeros: there the
		// terms of the nearest poles cancel, n!/½ⁿ⁺¹ each.
		if n := realAt(in[0], i, 0); realAt(in[1], i, 0) < 0 {
			return math.Gamma(n+1) * math.Ldexp(1, int(n)+1)
		}
	}
	return 0
}

// excused returns why element i, which differs from the record, may, "" if it may not.
// standard states that the expected value is one of IEEE 754, C99 or mathematics.
func excused(r *cornerRecord, in []*Tensor, got, want *Tensor, i int, standard bool) string {
	at := func(x *Tensor) int { return min(i, x.Size()-1) }
	each := func(x *Tensor, f func(v float64) bool) bool {
		for c := range scalar.Components(x.DType) {
			if x.DType.IsInexact() && f(realAt(x, at(x), c)) {
				return true
			}
		}
		return false
	}
	subnormal := func(x *Tensor) bool {
		if x.DType == core.Float16 || x.DType.IsMinorFloat() {
			return false
		}
		least := 0x1p-126
		if x.DType.Real() == core.Float64 {
			least = 0x1p-1022
		}
		return each(x, func(v float64) bool { return v != 0 && math.Abs(v) < least })
	}
	special := func(v float64) bool { return math.IsInf(v, 0) || math.IsNaN(v) }
	beyond := func(lo, hi float64) func(v float64) bool {
		return func(v float64) bool { return v != 0 && math.Abs(v) < lo || math.Abs(v) > hi }
	}
	dt := in[0].DType
	switch {
	case !standard && (subnormal(got) || subnormal(in[0])):
		return "XLA flushes subnormals"
	case r.Prim == "integer_pow" && scalar.IsSmallFloat(dt):
		return "XLA rounds every product to the small float; see TestIntegerPow"
	case r.Prim == "population_count" && dt == core.Int4:
		return "XLA counts the copies of the sign above an i4"
	case r.Prim == "convert_element_type" && dt == core.Float4E2M1FN && math.Abs(realAt(in[0], i, 0)) == 6:
		return "XLA takes the greatest f4 for infinity"
	case r.Prim == "pow" && in[1].DType == core.Int32 && loadBits(in[1], i) == math.MaxInt32:
		return "XLA rounds the exponent 2³¹−1 to 2³¹, which is even"
	case !dt.IsComplex():
		return ""
	case (r.Prim == "exp2" || r.Prim == "logistic") && each(in[0], beyond(0, 1e15)):
		return "XLA rounds an angle of this size before it is reduced"
	case r.Prim == "sign" && each(in[0], beyond(0, 1e38)):
		return "XLA overflows in the modulus"
	case !standard && (each(in[0], special) || len(in) > 1 && each(in[1], special) || each(want, special)):
		return "neither C99 nor IEEE 754 states what this is at infinity and NaN"
	case r.Prim == "expm1" && (each(in[0], special) || each(want, special)):
		return "NumPy's expm1 makes NaN where exp − 1 has a value"
	case (r.Prim == "log1p" || r.Prim == "atan" || r.Prim == "atanh") && each(in[0], beyond(1e-300, 1e38)):
		return "NumPy overflows or loses digits on the way"
	case r.Prim == "square" && each(in[0], beyond(0, 1e38)):
		return "NumPy's products overflow otherwise"
	case each(in[0], special) && standard:
		// C99 leaves signs open: of exp(−∞ ± i∞), sinh(±∞ + i∞), sinh(±∞ + iNaN),
		// cosh(±0 + i∞), tanh(±∞ + i∞), and what is made of them.
		for c := range 2 {
			g, w := realAt(got, i, c), realAt(want, i, c)
			if math.Abs(g) == math.Abs(w) && math.Signbit(g) != math.Signbit(w) {
				switch r.Prim {
				case "exp", "sin", "cos", "tan", "sinh", "cosh", "tanh":
					if each(in[0], func(v float64) bool { return math.IsInf(v, 0) }) {
						return "C99 leaves the sign open"
					}
				}
			}
		}
	}
	return ""
}

// realAt returns component c of element i as an f64.
func realAt(x *Tensor, i, c int) float64 {
	switch dt := x.DType; {
	case dt == core.Float64:
		return View[float64](x)[i]
	case dt == core.Float32:
		return float64(View[float32](x)[i])
	case dt == core.Complex64:
		z := View[complex64](x)[i]
		return float64([]float32{real(z), imag(z)}[c])
	case dt == core.Complex128:
		z := View[complex128](x)[i]
		return []float64{real(z), imag(z)}[c]
	case scalar.IsSmallFloat(dt):
		return float64(scalar.WidenSmall(dt, uint32(loadBits(x, i))))
	}
	panic("not a float: " + x.String())
}

func elemText(x *Tensor, i int) string {
	switch dt := x.DType; {
	case dt.IsComplex():
		return fmt.Sprintf("(%g,%g)", realAt(x, i, 0), realAt(x, i, 1))
	case dt.IsFloat():
		return fmt.Sprintf("%g", realAt(x, i, 0))
	case dt.IsSigned():
		n := 64 - dt.Bits()
		return fmt.Sprint(int64(loadBits(x, i)<<n) >> n)
	}
	return fmt.Sprint(loadBits(x, i))
}

// ulpOf returns the distance of neighbours of dt near v.
func ulpOf(dt core.DType, v float64) float64 {
	mant, least := 52, -1074
	switch dt = dt.Real(); {
	case dt == core.Float32:
		mant, least = 23, -149
	case scalar.IsSmallFloat(dt):
		f := scalar.FormatOf(dt)
		mant, least = f.MBits, 1-f.Bias-f.MBits
	}
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return math.NaN()
	}
	if v == 0 {
		return math.Ldexp(1, least)
	}
	return math.Ldexp(1, max(math.Ilogb(v)-mant, least))
}

// differ returns what is wrong with element i, "" if nothing: it may be off by bound
// ulps, complex numbers by 4 of the modulus; ulps of unit count where it is greater.
func differ(got, want *Tensor, i int, bound, unit float64, name string, standard bool) string {
	dt := got.DType
	if dt != want.DType {
		return fmt.Sprintf("dtype %v, want %v", dt, want.DType)
	}
	if !dt.IsInexact() {
		if loadBits(got, i) != loadBits(want, i) {
			return "differs"
		}
		return ""
	}
	n := scalar.Components(dt)
	u, finite := 0.0, true
	for c := range n {
		if v := realAt(want, i, c); math.IsInf(v, 0) || math.IsNaN(v) {
			finite = false
		} else {
			u = max(u, ulpOf(dt, v))
		}
	}
	switch {
	case n == 2:
		bound = 4
	case name == "abs":
		bound = 1 // of complex numbers: a square root and a sum
	case unit > 0:
		u = max(u, ulpOf(dt, unit))
	}
	for c := range n {
		g, w := realAt(got, i, c), realAt(want, i, c)
		switch {
		case math.IsNaN(w) || math.IsNaN(g):
			if math.IsNaN(w) != math.IsNaN(g) {
				return "NaN"
			}
		case w == 0 && g == 0:
			if math.Signbit(w) != math.Signbit(g) && finite && (n == 1 || standard) {
				return "sign of zero"
			}
		case w == g:
		case math.IsInf(w, 0) || math.IsInf(g, 0):
			return "infinity"
		case math.Abs(g-w) > bound*u:
			return fmt.Sprintf("%.3g ulp", math.Abs(g-w)/u)
		}
	}
	return ""
}

// TestIntegerPow compares powers of f16 and bf16 to the product in f64, rounded once.
func TestIntegerPow(t *testing.T) {
	for _, dt := range []core.DType{core.Float16, core.BFloat16} {
		for _, y := range []int{-7, -3, -2, -1, 2, 3, 4, 5, 7, 10} {
			x := NewTensor(core.Aval(dt, 1<<16))
			for i := range View[uint16](x) {
				View[uint16](x)[i] = uint16(i)
			}
			got, want := NewTensor(x.ShapedArray), NewTensor(x.ShapedArray)
			elementwise(prim.IntegerPowP{Y: y}, []*Tensor{x}, []*Tensor{got})
			for i := range want.Size() {
				v, p := realAt(x, i, 0), 1.0
				for range max(y, -y) {
					p *= v
				}
				if y < 0 {
					p = 1 / p
				}
				storeBits(want, i, uint64(scalar.NarrowSmall(dt, float32(p))))
				if a := math.Abs(p); dt == core.BFloat16 && (a < 0x1p-126 || a > 0x1p127) {
					continue // squares on the way leave the range of f32
				}
				if msg := differ(got, want, i, 1, 0, "", true); msg != "" {
					t.Fatalf("%v: %g to the power of %d is %s, want %s: %s", dt, v, y, elemText(got, i), elemText(want, i), msg)
				}
			}
		}
	}
}
