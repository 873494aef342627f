package reference

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/goldenfile"
	"github.com/weft-go/weft/lower/reference/internal/block"
	"github.com/weft-go/weft/lower/scalar"
)

// goldenArray is an array as the golden data writes it.
type goldenArray struct {
	DType string
	Shape []int
	Bits  string
}

// tensor reads the array.
func (g *goldenArray) tensor(t *testing.T) *block.Tensor {
	t.Helper()
	dt, ok := core.ParseDType(g.DType)
	if !ok {
		t.Fatalf("dtype %q", g.DType)
	}
	x := block.NewTensor(core.Aval(dt, g.Shape...))
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
	case "igamma", "igammac", "regularized_incomplete_beta":
		if low { // mostly in f64: see special/fast.go
			return 2
		}
		return 1
	case "zeta":
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
func cornerResult(t *testing.T, r *cornerRecord, p core.Primitive, in []*block.Tensor) *block.Tensor {
	t.Helper()
	if r.Prim == "eq_to" {
		le := apply(t, prim.LeToP{}, in...)[0]
		ge := apply(t, prim.LeToP{}, in[1], in[0])[0]
		return apply(t, prim.AndP{}, le, ge)[0]
	}
	return apply(t, p, in...)[0]
}

func cornerOperands(t *testing.T, r *cornerRecord) (in []*block.Tensor) {
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
func refusal(p core.Primitive, in []*block.Tensor) error {
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
		out := block.NewTensor(core.AbstractOf(p, avalsOf(in))[0])
		block.Elementwise(p, in, []*block.Tensor{out})
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

func avalsOf(ts []*block.Tensor) []core.ShapedArray {
	var a []core.ShapedArray
	for _, x := range ts {
		a = append(a, x.ShapedArray)
	}
	return a
}

// checkCorner compares by the rule ieee > exact > c99 > jit, element by element: exact
// holds where its mask states so, and c99 of products and powers is NumPy's. Elements that differ and
// have an excuse are noted.
func checkCorner(t *testing.T, r *cornerRecord, in []*block.Tensor, got *block.Tensor, jit *goldenArray, excuses *exceptions) {
	t.Helper()
	bound := accuracy(r.Prim, in[0].DType)
	tensor := func(g *goldenArray) *block.Tensor {
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
