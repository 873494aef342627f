package weft_test

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/cmplx"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/goldenfile"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/trace"
)

// goldenLines calls f for every line of a file of golden data; without the whole
// the test is skipped.
func goldenLines(t *testing.T, name string, f func(line []byte)) {
	t.Helper()
	for line := range goldenfile.Lines(t, goldenfile.Open(t, name, "")) {
		f(line)
	}
}

// wideType reports whether a text names a type of 64 bits, which JAX narrows unless
// it is told not to, and Weft never. The halves of a c64 have 32.
func wideType(s string) bool {
	s = strings.ReplaceAll(strings.ReplaceAll(s, "complex64", ""), "c64", "")
	return strings.Contains(s, "64") || strings.Contains(s, "128")
}

func parseAval(t *testing.T, s string) core.ShapedArray {
	t.Helper()
	var a core.ShapedArray
	s, a.Weak = strings.CutPrefix(s, "~")
	dt, dims, _ := strings.Cut(strings.TrimSuffix(s, "]"), "[")
	var ok bool
	if a.DType, ok = core.ParseDType(dt); !ok {
		t.Fatalf("no type %q", s)
	}
	var n []int
	if json.Unmarshal([]byte("["+dims+"]"), &n) != nil {
		t.Fatalf("no shape %q", s)
	}
	a.Shape = core.MakeDims(n...)
	return a
}

// differences are the records of which Weft's result differs from jax.numpy's by
// decision, one a line of testdata/other_than_jax.txt: the call, its operands, what Weft
// returns, and the reason.
type differences struct {
	lines map[string]string // key → what Weft returns
	used  map[string]bool
}

func readDifferences(t *testing.T, kind string) *differences {
	t.Helper()
	text, err := os.ReadFile("testdata/other_than_jax.txt")
	if err != nil {
		t.Fatal(err)
	}
	d := &differences{map[string]string{}, map[string]bool{}}
	for i, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		f := strings.Split(line, "\t")
		if len(f) != 5 || f[4] == "" {
			t.Fatalf("testdata/other_than_jax.txt:%d: want kind, call, operands, result and reason between tabs, got %q", i+1, line)
		}
		if f[0] == kind {
			d.lines[f[1]+"\t"+f[2]] = f[3]
		}
	}
	return d
}

// allows reports whether the record of a call may give got.
func (d *differences) allows(src, in, got string) bool {
	key := src + "\t" + in
	d.used[key] = true
	want, ok := d.lines[key]
	return ok && want == got
}

// unused fails for records that do not differ.
func (d *differences) unused(t *testing.T) {
	t.Helper()
	if !goldenfile.Whole() {
		return // the subset has a part of the records
	}
	for key := range d.lines {
		if !d.used[key] {
			t.Errorf("testdata/other_than_jax.txt: %s does not differ; remove the line", key)
		}
	}
}

// Wherever jax.numpy has a type for a call, Weft has the same, and wherever it
// refuses one, Weft does.
func TestTypesOfJaxNumpy(t *testing.T) {
	other := readDifferences(t, "type")
	ran, skipped := 0, map[string]int{}
	goldenLines(t, "jax/avals.jsonl", func(line []byte) {
		var r struct {
			Level, Src, Error, Msg string
			In, Out                []string
			X64                    bool
		}
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatal(err)
		}
		if r.Level != "jnp" {
			return
		}
		for _, s := range append(append([]string{r.Src}, r.In...), r.Out...) {
			if !r.X64 && wideType(s) || strings.Contains(s, "key<") {
				skipped["64 bits without x64, keys"]++
				return
			}
		}
		var in []core.ShapedArray
		for _, s := range r.In {
			in = append(in, parseAval(t, s))
		}
		bits := 32
		if r.X64 {
			bits = 64
		}
		var got string
		var err error
		weft.With(weft.DefaultBits(bits), func() {
			var out any
			err = recoverError(func() {
				trace.Stage("f", in, func(vs []core.Value) []core.Value {
					names := map[string]any{}
					for i, v := range vs {
						names[string("xyzw"[i])] = weft.FromValue(v)
					}
					out, err = evaluate(r.Src, names)
					if err != nil {
						panic(err)
					}
					return nil
				})
			})
			if err == nil {
				got = typesOf(out)
			}
		})
		var unknown errUnknown
		if errors.As(err, &unknown) {
			skipped[unknown.Error()]++
			return
		}
		ran++
		result := got
		if err != nil {
			result = "error"
		}
		operands := strings.Join(r.In, " ")
		if r.X64 {
			operands += " x64"
		}
		if differs := (r.Error != "") != (err != nil) || r.Error == "" && got != strings.Join(r.Out, " "); differs && other.allows(r.Src, operands, result) {
			skipped["by decision"]++
			return
		}
		switch {
		case r.Error != "" && err == nil:
			t.Errorf("%s of %v is %s; JAX: %s %s", r.Src, r.In, got, r.Error, r.Msg)
		case r.Error == "" && err != nil:
			t.Errorf("%s of %v: %v; JAX: %v", r.Src, r.In, err, r.Out)
		case r.Error == "" && got != strings.Join(r.Out, " "):
			t.Errorf("%s of %v is %s; JAX: %v", r.Src, r.In, got, r.Out)
		}
	})
	other.unused(t)
	if ran < 2000 {
		t.Errorf("only %d calls were compared", ran)
	}
	t.Logf("%d calls compared, left out: %v", ran, skipped)
}

// typesOf returns the types of a result, which may be several arrays.
func typesOf(v any) string {
	switch v := v.(type) {
	case weft.Array:
		return v.Value().Aval().Full()
	case tuple:
		var s []string
		for _, x := range v {
			s = append(s, typesOf(x))
		}
		return strings.Join(s, " ")
	}
	return fmt.Sprint(v)
}

type goldenArray struct {
	DType  string
	Shape  []int
	Bits   string
	Scalar any
}

func (g goldenArray) array(t *testing.T) weft.Array {
	t.Helper()
	dt, ok := core.ParseDType(g.DType)
	if !ok {
		t.Fatalf("no type %q", g.DType)
	}
	b, err := hex.DecodeString(g.Bits)
	if err != nil {
		t.Fatal(err)
	}
	a := runtime.New(core.Aval(dt, g.Shape...))
	copy(a.Tensor().Data, b)
	if dt == core.Int4 || dt == core.Int2 { // some files have the bits alone
		for i, x := range b {
			a.Tensor().Data[i] = byte(int8(x<<(8-dt.Bits())) >> (8 - dt.Bits()))
		}
	}
	return weft.FromValue(a)
}

// text returns the operand's type, or the Go number that it is.
func (g goldenArray) text() string {
	if g.Scalar != nil {
		return fmt.Sprint(g.Scalar)
	}
	return fmt.Sprintf("%s%v", g.DType, g.Shape)
}

// The values are jax.numpy's, up to the accuracy of its functions.
func TestValuesOfJaxNumpy(t *testing.T) {
	other := readDifferences(t, "value")
	ran, skipped := 0, map[string]int{}
	goldenLines(t, "jax/jnp_values.jsonl", func(line []byte) {
		var r struct {
			Src string
			In  []goldenArray
			Out any
		}
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatal(err)
		}
		one, err := json.Marshal(r.Out)
		if err != nil {
			t.Fatal(err)
		}
		var want goldenArray
		if l, ok := r.Out.([]any); ok && len(l) == 1 {
			one, _ = json.Marshal(l[0])
		}
		if json.Unmarshal(one, &want) != nil || want.DType == "" {
			skipped["trees"]++
			return
		}
		names := map[string]any{}
		for i, g := range r.In {
			name := string("xyzw"[i])
			switch v := g.Scalar.(type) {
			case nil:
				if strings.Contains(g.DType, "64") && g.DType != "c64" || strings.Contains(g.DType, "key") {
					skipped["64 bits, keys"]++
					return
				}
				names[name] = g.array(t)
			case float64:
				names[name] = v
				if v == math.Trunc(v) && !strings.Contains(string(line), fmt.Sprintf(`"scalar": %.1f`, v)) {
					names[name] = int(v)
				}
			case bool:
				names[name] = v
			default:
				skipped["complex numbers"]++
				return
			}
		}
		v, err := evaluate(r.Src, names)
		var unknown errUnknown
		if errors.As(err, &unknown) {
			skipped[unknown.Error()]++
			return
		}
		var types []string
		for _, g := range r.In {
			types = append(types, g.text())
		}
		operands := strings.Join(types, " ")
		if err != nil {
			if other.allows(r.Src, operands, "error") {
				skipped["by decision"]++
				return
			}
			t.Errorf("%s of %s: %v", r.Src, operands, err)
			return
		}
		got, ok := v.(weft.Array)
		if !ok {
			return
		}
		ran++
		if g := got.DType().String(); g != want.DType {
			if other.allows(r.Src, operands, g) {
				skipped["by decision"]++
				return
			}
			t.Errorf("%s of %v is %v, want %v", r.Src, r.In, g, want.DType)
			return
		}
		expected := want.array(t)
		if strings.HasPrefix(r.Src, "jnp.fmod(") && expected.DType().IsInteger() { // x rem 0 is x here
			x, y := names["x"].(weft.Array), names["y"].(weft.Array)
			expected = weft.Where(y.Ne(0), expected, x).AsType(expected.DType())
		}
		terms := 0.
		if strings.HasPrefix(r.Src, "jnp.average(") && got.Size() > 0 && got.DType().IsFloat() { // a sum whose terms cancel: its error is that of the terms
			terms = weft.Abs(names["x"].(weft.Array)).Max().Float()
		}
		if d := distance(got, expected, terms); d != "" {
			t.Errorf("%s of %v: %s", r.Src, names, d)
		}
	})
	other.unused(t)
	if ran < 400 {
		t.Errorf("only %d calls were compared", ran)
	}
	t.Logf("%d calls compared, left out: %v", ran, skipped)
}

// distance returns where two arrays differ by more than the accuracy that JAX's
// functions have, element by element; integers must be equal. terms is the size of the
// terms of a sum that may be much smaller.
func distance(got, want weft.Array, terms float64) string {
	if !slices.Equal(got.Shape(), want.Shape()) {
		return fmt.Sprintf("shape %v, want %v", got.Shape(), want.Shape())
	}
	a, b := got.Value(), want.Value().(*runtime.Array)
	if l, ok := a.(core.Literal); ok {
		a = runtime.FromLiteral(l)
	}
	tol := map[core.DType]float64{core.Float32: 3e-6, core.Complex64: 3e-6, core.Float16: 4e-3, core.BFloat16: 3e-2}[want.DType()]
	for i := range want.Size() {
		m, _ := a.(*runtime.Array).At(i)
		n, _ := b.At(i)
		x, y := m.Complex(), n.Complex()
		if x == y || cmplx.IsNaN(x) && cmplx.IsNaN(y) || tol > 0 && cmplx.Abs(x-y) <= tol*max(cmplx.Abs(y), terms) {
			continue
		}
		return fmt.Sprintf("element %d is %v, want %v", i, x, y)
	}
	return ""
}
