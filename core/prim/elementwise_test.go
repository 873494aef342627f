package prim_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/golden"
	"github.com/weft-go/weft/internal/test/goldenfile"
)

func avals(t *testing.T, list ...string) []core.ShapedArray {
	t.Helper()
	var out []core.ShapedArray
	for _, s := range list {
		out = append(out, golden.Aval(t, s))
	}
	return out
}

// records returns the lines of a file of the golden data, or of its subset in testdata.
func records(t *testing.T, path, subset string) (lines [][]byte) {
	t.Helper()
	for line := range goldenfile.Lines(t, goldenfile.Open(t, path, "testdata/"+subset)) {
		lines = append(lines, bytes.Clone(line))
	}
	return lines
}

// call is a line of avals.jsonl.
type call struct {
	Level, Src string
	In, Out    []string
	Error, Msg string
	X64        bool
}

var callForm = regexp.MustCompile(`^lax\.(\w+)\((.*)\)$`)

// laxNames maps the names of JAX's lax functions to the names of the primitives where they differ.
var laxNames = map[string]string{
	"bitwise_and": "and", "bitwise_or": "or", "bitwise_xor": "xor", "bitwise_not": "not",
}

var plain = map[string]core.Primitive{}

func init() {
	for _, p := range []core.Primitive{
		prim.AbsP{}, prim.AcosP{}, prim.AcoshP{}, prim.AddP{}, prim.AndP{}, prim.AsinP{}, prim.AsinhP{}, prim.AtanP{},
		prim.Atan2P{}, prim.AtanhP{}, prim.CbrtP{}, prim.CeilP{}, prim.ClampP{}, prim.ClzP{}, prim.ComplexP{},
		prim.CosP{}, prim.CoshP{}, prim.DigammaP{}, prim.DivP{}, prim.EqP{}, prim.ErfP{}, prim.ErfInvP{},
		prim.ErfcP{}, prim.ExpP{}, prim.Exp2P{}, prim.Expm1P{}, prim.FloorP{}, prim.GeP{}, prim.GtP{}, prim.ImagP{},
		prim.IsFiniteP{}, prim.LeP{}, prim.LgammaP{}, prim.LogP{}, prim.Log1pP{}, prim.LogisticP{}, prim.LtP{},
		prim.MaxP{}, prim.MinP{}, prim.MulP{}, prim.NeP{}, prim.NegP{}, prim.NextafterP{}, prim.NotP{}, prim.OrP{},
		prim.PolygammaP{}, prim.PopulationCountP{}, prim.PowP{}, prim.RealP{}, prim.RemP{}, prim.RoundP{}, prim.RsqrtP{}, prim.SelectNP{},
		prim.ShiftLeftP{}, prim.ShiftRightArithmeticP{}, prim.ShiftRightLogicalP{}, prim.SignP{}, prim.SinP{},
		prim.SinhP{}, prim.SqrtP{}, prim.SquareP{}, prim.StopGradientP{}, prim.SubP{}, prim.TanP{}, prim.TanhP{},
		prim.XorP{},
	} {
		plain[p.Name()] = p
	}
}

// apply returns the call's primitive and operand types; ok is false for calls of other
// families.
func apply(t *testing.T, c call) (p core.Primitive, in []core.ShapedArray, ok bool) {
	m := callForm.FindStringSubmatch(c.Src)
	if m == nil {
		return nil, nil, false
	}
	name, args := m[1], strings.Split(m[2], ", ")
	if n, ok := laxNames[name]; ok {
		name = n
	}
	in = avals(t, c.In...)
	number := func(i int) int {
		n, err := strconv.Atoi(args[i])
		require.NoError(t, err)
		return n
	}
	switch name {
	case "conj":
		return prim.ConjP{InputDType: in[0].DType}, in, true
	case "integer_pow":
		return prim.IntegerPowP{Y: number(1)}, in, true
	case "reciprocal":
		return prim.IntegerPowP{Y: -1}, in, true
	case "reduce_precision":
		return prim.ReducePrecisionP{ExponentBits: number(1), MantissaBits: number(2)}, in, true
	case "select":
		return prim.SelectNP{}, []core.ShapedArray{in[0], in[2], in[1]}, true
	case "bitcast_convert_type", "convert_element_type":
		dt := pythonDType(t, args[1], c.X64)
		if name == "bitcast_convert_type" {
			return prim.BitcastConvertTypeP{NewDType: dt}, in, true
		}
		return prim.ConvertElementTypeP{NewDType: dt}, in, true
	}
	if p, ok = plain[name]; !ok {
		return nil, nil, false
	}
	if len(args) == 2 && strings.HasPrefix(m[2], "np.ones(3, ") {
		return nil, nil, false
	}
	var operands []core.ShapedArray
	for rest := m[2]; rest != ""; {
		var a core.ShapedArray
		a, rest = pythonOperand(t, rest, in, c.X64)
		operands = append(operands, a)
	}
	return p, operands, true
}

func pythonDType(t *testing.T, s string, x64 bool) core.DType {
	switch s {
	case "bool":
		return core.Bool
	case "int":
		s = "int64"
	case "float":
		s = "float64"
	case "complex":
		s = "complex128"
	}
	s = s[strings.Index(s, ".")+1:]
	dt, ok := core.ParseDType(strings.TrimSuffix(s, "_"))
	require.True(t, ok, "cannot read the dtype %q", s)
	return width(dt, x64)
}

// width returns dt as JAX's 32- or 64-bit mode has it where the type was not that of an
// operand.
func width(dt core.DType, x64 bool) core.DType {
	narrow := map[core.DType]core.DType{core.Int64: core.Int32, core.Uint64: core.Uint32, core.Float64: core.Float32, core.Complex128: core.Complex64}
	if n, ok := narrow[dt]; ok && !x64 {
		return n
	}
	return dt
}

var operandForms = []struct {
	form *regexp.Regexp
	aval string
}{
	{regexp.MustCompile(`^-?\d+(, |$)`), "~i64[]"},
	{regexp.MustCompile(`^-?\d+\.\d+(, |$)`), "~f64[]"},
	{regexp.MustCompile(`^\d+j(, |$)`), "~c128[]"},
	{regexp.MustCompile(`^(True|np\.bool_\(\w+\))(, |$)`), "bool[]"},
	{regexp.MustCompile(`^np\.arange\(3\)(, |$)`), "i64[3]"},
	{regexp.MustCompile(`^np\.ones\(3, np\.float32\)(, |$)`), "f32[3]"},
}

var scalarForm = regexp.MustCompile(`^np\.(\w+)\([^)]*\)(, |$)`)

// pythonOperand reads an operand from the head of a list.
func pythonOperand(t *testing.T, s string, in []core.ShapedArray, x64 bool) (core.ShapedArray, string) {
	for i, v := range []string{"x", "y", "z"} {
		if s == v || strings.HasPrefix(s, v+", ") {
			return in[i], strings.TrimPrefix(s[1:], ", ")
		}
	}
	for _, f := range operandForms {
		if m := f.form.FindString(s); m != "" {
			a := golden.Aval(t, f.aval)
			return a.WithDType(width(a.DType, x64)), s[len(m):]
		}
	}
	m := scalarForm.FindStringSubmatch(s)
	require.NotNil(t, m, "cannot read the operand %q", s)
	return core.Aval(pythonDType(t, "np."+m[1], x64)), s[len(m[0]):]
}

func TestElementwiseTypes(t *testing.T) {
	typesAgree(t, "elementwise_avals.jsonl", apply, func(core.Primitive, call, []core.ShapedArray, error) bool { return false })
}

// typesAgree compares the types of calls with JAX's: read makes a call's primitive, if it
// reads the call; excepted checks by itself what is meant to differ.
func typesAgree(t *testing.T, subset string, read func(*testing.T, call) (core.Primitive, []core.ShapedArray, bool), excepted func(p core.Primitive, c call, in []core.ShapedArray, err error) bool) {
	t.Helper()
	n := 0
	for _, line := range records(t, "jax/avals.jsonl", subset) {
		var c call
		require.NoError(t, json.Unmarshal(line, &c))
		if c.Level != "lax" {
			continue
		}
		p, in, ok := read(t, c)
		if !ok {
			continue
		}
		n++
		var out []core.ShapedArray
		err := core.Catch(func() { out = core.AbstractOf(p, in) })
		what := c.Src + " " + strings.Join(c.In, " ")
		if excepted(p, c, in, err) {
			continue
		}
		switch {
		case c.Error != "" && err == nil:
			t.Errorf("%s: accepted, but JAX refuses: %s", what, c.Msg)
		case c.Error == "" && err != nil:
			t.Errorf("%s: refused, but JAX returns %v: %v", what, c.Out, err)
		case c.Error == "":
			require.Equal(t, avals(t, c.Out...), out, what)
		default:
			var e *core.Error
			require.True(t, errors.As(err, &e))
			require.NotEmpty(t, e.Op)
			require.NotEmpty(t, e.Avals)
		}
	}
	t.Log(n, "calls")
	require.Greater(t, n, 40)
}

// Scalars and axes of size 1 are spread, nothing else.
func TestSpreading(t *testing.T) {
	for _, c := range []struct{ in, out string }{
		{"f32[2,3] f32[2,3]", "f32[2,3]"},
		{"f32[] f32[2,3]", "f32[2,3]"},
		{"f32[2,3] f32[]", "f32[2,3]"},
		{"f32[2,1] f32[1,3]", "f32[2,3]"},
		{"f32[1] f32[0]", "f32[0]"},
		{"f32[] f32[]", "f32[]"},
		{"~f32[] f32[2]", "f32[2]"},
		{"~f32[] ~f32[2]", "~f32[2]"},
		{"f32[3] f32[2,3]", "ranks must agree, got f32[3] and f32[2,3]"},
		{"f32[2,3] f32[3,2]", "sizes along axis 0 must agree or be 1, got f32[2,3] and f32[3,2]"},
		{"f32[2] f32[0]", "sizes along axis 0 must agree"},
		{"f32[2] f64[2]", "dtypes must agree, got f32[2] and f64[2]"},
		{"bool[2] bool[2]", "takes integers, floats and complex numbers, got bool[2]"},
	} {
		var out []core.ShapedArray
		err := core.Catch(func() { out = core.AbstractOf(prim.AddP{}, avals(t, strings.Fields(c.in)...)) })
		if err != nil {
			require.ErrorContains(t, err, "add: ")
			require.ErrorContains(t, err, c.out)
			continue
		}
		require.Equal(t, c.out, out[0].Full(), c.in)
	}
}

// Refusals are sentences that name the operands and the fix.
func TestElementwiseRefusals(t *testing.T) {
	for _, c := range []struct {
		p       core.Primitive
		in, msg string
		kind    error
	}{
		{prim.SinP{}, "i32[3]", "sin: takes floats and complex numbers, got i32[3]; convert the operand first", core.ErrDType},
		{prim.AbsP{}, "u8[]", "got u8[], which is its own absolute value", core.ErrDType},
		{prim.IntegerPowP{Y: -2}, "i32[]", "integers have no negative powers", core.ErrDType},
		{prim.RoundP{Method: 2}, "f32[]", "no rounding method 2", core.ErrCheck},
		{prim.PowP{}, "f32[] f64[]", "exponent must be an integer or have the dtype of the base", core.ErrDType},
		{prim.SelectNP{}, "bool[2] f32[3] f32[3]", "which must be a scalar or have the shape of the cases", core.ErrShape},
		{prim.SelectNP{}, "bool[] f32[] f32[] f32[]", "a boolean selects from two cases, got 3", core.ErrDType},
		{prim.SelectNP{}, "f32[] f32[] f32[]", "which must be a truth value or an integer, got f32[]", core.ErrDType},
		{prim.ClampP{}, "f32[1] f32[3] f32[]", "the lower bound must be a scalar or have the operand's shape", core.ErrShape},
		{prim.ConvertElementTypeP{NewDType: core.Int32}, "key<fry>[]", "converts between booleans and numbers", core.ErrDType},
		{prim.BitcastConvertTypeP{NewDType: core.Float64}, "f32[3]", "so the last axis must have that size (got f32[3])", core.ErrShape},
		{prim.ReducePrecisionP{ExponentBits: 0}, "f32[]", "exponent_bits must be at least 1", core.ErrCheck},
		{prim.AddP{}, "f32[]", "want 2 operands, got 1", core.ErrCheck},
		{prim.NegP{}, "float0[]", "takes integers, floats and complex numbers, got float0[]", core.ErrDType},
		{prim.CopyP{}, "float0[]", "got float0[]", core.ErrDType},
	} {
		err := core.Catch(func() { core.AbstractOf(c.p, avals(t, strings.Fields(c.in)...)) })
		require.ErrorContains(t, err, c.msg)
		require.ErrorIs(t, err, c.kind)
	}
}
