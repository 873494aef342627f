package kernel

import (
	"bufio"
	"compress/gzip"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
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
	extend(x) // the data has the bits of i4 and i2 without their sign
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
	Error     string
}

// readCorners calls f for each record of the golden file that is there: the whole
// under WEFT_GOLDEN, else the subset in testdata.
func readCorners(t *testing.T, f func(r *cornerRecord)) {
	t.Helper()
	name := filepath.Join("testdata", "corners.jsonl.gz")
	if dir := os.Getenv("WEFT_GOLDEN"); dir != "" {
		name = filepath.Join(dir, "jax", "corners.jsonl.gz")
	}
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	z, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	s := bufio.NewScanner(z)
	s.Buffer(nil, 1<<26)
	for s.Scan() {
		r := new(cornerRecord)
		if err := json.Unmarshal(s.Bytes(), r); err != nil {
			t.Fatal(err)
		}
		f(r)
	}
	if s.Err() != nil {
		t.Fatal(s.Err())
	}
}

// cornerPrim is the primitive of a record, nil if it is none of ours.
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

// elementwiseSamples is a primitive of every name in the table of expansions.
func elementwiseSamples() []core.Primitive {
	return []core.Primitive{
		prim.NegP{}, prim.SignP{}, prim.FloorP{}, prim.CeilP{}, prim.RoundP{}, prim.IsFiniteP{},
		prim.ExpP{}, prim.Exp2P{}, prim.LogP{}, prim.Log1pP{}, prim.Expm1P{}, prim.TanhP{}, prim.LogisticP{},
		prim.SinP{}, prim.CosP{}, prim.TanP{}, prim.AsinP{}, prim.AcosP{}, prim.AtanP{},
		prim.SinhP{}, prim.CoshP{}, prim.AsinhP{}, prim.AcoshP{}, prim.AtanhP{},
		prim.SqrtP{}, prim.RsqrtP{}, prim.CbrtP{}, prim.SquareP{}, prim.IntegerPowP{Y: 3}, prim.AbsP{},
		prim.ErfP{}, prim.ErfcP{}, prim.ErfInvP{}, prim.LgammaP{}, prim.DigammaP{}, prim.PolygammaP{},
		prim.RealP{}, prim.ImagP{}, prim.ComplexP{}, prim.NotP{}, prim.PopulationCountP{}, prim.ClzP{},
		prim.AddP{}, prim.SubP{}, prim.MulP{}, prim.DivP{}, prim.RemP{}, prim.MaxP{}, prim.MinP{}, prim.PowP{},
		prim.Atan2P{}, prim.NextafterP{}, prim.MulHiP{}, prim.AddAnyP{}, prim.AndP{}, prim.OrP{}, prim.XorP{},
		prim.ShiftLeftP{}, prim.ShiftRightLogicalP{}, prim.ShiftRightArithmeticP{},
		prim.EqP{}, prim.NeP{}, prim.LtP{}, prim.LeP{}, prim.GtP{}, prim.GeP{}, prim.EqToP{}, prim.LtToP{}, prim.LeToP{},
		prim.SelectNP{}, prim.ClampP{}, prim.CopyP{}, prim.StopGradientP{}, prim.NameP{Label: "a"},
		prim.ReducePrecisionP{ExponentBits: 5, MantissaBits: 10}, prim.ConvertElementTypeP{NewDType: core.Float32},
	}
}

// accuracy is how many ulps an operation may be off, by name; the others are exact.
func accuracy(name string, dt core.DType) float64 {
	low := dt == core.Float64
	switch name {
	case "exp", "exp2", "log", "log1p", "expm1", "tanh", "logistic", "sin", "cos", "tan", "asin", "acos", "atan",
		"sinh", "cosh", "asinh", "acosh", "atanh", "rsqrt", "cbrt", "pow", "atan2":
		if low {
			return 2
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

func TestCorners(t *testing.T) {
	seen := map[string]int{}
	readCorners(t, func(r *cornerRecord) {
		p := cornerPrim(t, r)
		if p == nil || r.Error != "" {
			return
		}
		var jit goldenArray
		if err := json.Unmarshal(r.Jit, &jit); err != nil {
			t.Fatal(err)
		}
		seen[r.Prim]++
		t.Run(fmt.Sprintf("%s/%s/%d", r.Prim, r.DType, r.ID), func(t *testing.T) {
			var in []*Tensor
			for i := range r.In {
				in = append(in, r.In[i].tensor(t))
			}
			out := NewTensor(core.AbstractOf(p, avalsOf(in))[0])
			f, ok := Lookup(p)
			if !ok {
				t.Fatalf("no kernel")
			}
			f(p, in, []*Tensor{out})
			checkCorner(t, r, in, out, &jit)
		})
	})
	t.Logf("%d operations", len(seen))
}

func avalsOf(ts []*Tensor) []core.ShapedArray {
	var a []core.ShapedArray
	for _, x := range ts {
		a = append(a, x.ShapedArray)
	}
	return a
}

// checkCorner compares by the rule ieee > exact > c99 > jit.
func checkCorner(t *testing.T, r *cornerRecord, in []*Tensor, got *Tensor, jit *goldenArray) {
	t.Helper()
	bound := 0.0
	var want *Tensor
	switch {
	case r.IEEE != nil:
		want = r.IEEE.tensor(t)
	case r.Exact != nil:
		want = r.Exact.tensor(t)
		bound = accuracy(r.Prim, in[0].DType)
	default:
		want = jit.tensor(t)
		bound = accuracy(r.Prim, in[0].DType)
	}
	var second *Tensor // where the mask is off
	switch {
	case r.C99 != nil:
		second = r.C99.tensor(t)
	case r.Numpy != nil:
		second = r.Numpy.tensor(t)
	case r.ExactMask != "":
		second = jit.tensor(t)
	}
	bad := 0
	for i := range got.Size() {
		w := want
		if r.ExactMask != "" && r.ExactMask[i] == '0' || r.ExactMask == "" && second != nil {
			w = second
		}
		if msg := differ(got, w, i, bound); msg != "" {
			if bad++; bad <= 12 {
				var args []string
				for _, x := range in {
					if x.Size() == 1 {
						args = append(args, elemText(x, 0))
					} else {
						args = append(args, elemText(x, i))
					}
				}
				t.Errorf("%s(%s) = %s, want %s: %s", r.Prim, strings.Join(args, ", "), elemText(got, i), elemText(w, i), msg)
			}
		}
	}
	if bad > 12 {
		t.Errorf("%d of %d elements wrong", bad, got.Size())
	}
}

// realAt is component c of element i as an f64.
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
	case IsSmallFloat(dt):
		return float64(widenSmall(dt, uint32(loadBits(x, i))))
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

// ulpOf is the distance of neighbours of dt near v.
func ulpOf(dt core.DType, v float64) float64 {
	mant, least := 52, -1074
	switch dt = dt.Real(); {
	case dt == core.Float32:
		mant, least = 23, -149
	case IsSmallFloat(dt):
		f := smallFormats[dt]
		mant, least = f.mbits, 1-f.bias-f.mbits
	}
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return math.NaN()
	}
	if v == 0 {
		return math.Ldexp(1, least)
	}
	return math.Ldexp(1, max(math.Ilogb(v)-mant, least))
}

// differ says what is wrong with element i, "" if nothing: it may be off by bound
// ulps, complex numbers by 4 of the modulus.
func differ(got, want *Tensor, i int, bound float64) string {
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
	n := Components(dt)
	u, finite := 0.0, true
	for c := range n {
		if v := realAt(want, i, c); math.IsInf(v, 0) || math.IsNaN(v) {
			finite = false
		} else {
			u = max(u, ulpOf(dt, v))
		}
	}
	if n == 2 {
		bound = 4
	}
	for c := range n {
		g, w := realAt(got, i, c), realAt(want, i, c)
		switch {
		case math.IsNaN(w) || math.IsNaN(g):
			if math.IsNaN(w) != math.IsNaN(g) {
				return "NaN"
			}
		case w == 0 && g == 0:
			if math.Signbit(w) != math.Signbit(g) && finite {
				return "sign of zero"
			}
		case w == g:
		case math.IsInf(w, 0) || math.IsInf(g, 0):
			return "infinity"
		case n == 1 && w != 0 && g != 0 && math.Signbit(w) != math.Signbit(g):
			return "sign"
		case math.Abs(g-w) > bound*u:
			return fmt.Sprintf("%.3g ulp", math.Abs(g-w)/u)
		}
	}
	return ""
}
