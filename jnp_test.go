package weft_test

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/cmplx"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/trace"
)

// goldenLines calls f for every line of a file of golden data; without the whole
// the test is skipped.
func goldenLines(t *testing.T, name string, f func(line []byte)) {
	t.Helper()
	root := os.Getenv("WEFT_GOLDEN")
	if root == "" {
		t.Skip("WEFT_GOLDEN names no folder")
	}
	file, err := os.Open(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	s := bufio.NewScanner(file)
	s.Buffer(nil, 1<<26)
	for s.Scan() {
		if len(s.Bytes()) > 0 {
			f(s.Bytes())
		}
	}
	if s.Err() != nil {
		t.Fatal(s.Err())
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

// What differs from jax.numpy by decision, by the beginning of the call: why.
var otherThanJax = []struct{ src, why string }{
	{"2 ** x", "powers of small integers exist"},
	{"jnp.power(x, y)", "powers of small integers exist"},
	{"jnp.cumprod(x, axis=0)", "a scalar has no axis 0"},
	{"jnp.dot(x, y)", "a weak i32 and an i8 make an i8 here too"},
	{"jnp.logical_", "truth values are strong, and need no common type before"},
	{"nn.", "of integers a strong float; complex Elu has no meaning"},
	{"x ** True", "a truth value is a strong 1"},
	{"x ** np.uint8(9)", "a typed exponent counts as an array of its type does, and that is strong"},
	{"jnp.logaddexp(x, y)", "weak complex numbers stay weak, as weak reals do"},
	{"x.astype(complex)", "complex is the test's c64"},
	{"jnp.inner(x, y)", "a weak operand never widens the result"},
	{"jnp.vdot(x, y)", "a weak operand never widens the result"},
	{"jnp.interp(x, y, y)", "halves are interpolated, too"},
	{"jnp.kron(x, y)", "truth values have products here"},
	{"jnp.nansum(x)", "integers of four bits have sums here"},
	{"jnp.take(x, y)", "truth values are no places"},
	{"jnp.deg2rad(x)", "strong, as logarithms to other bases"},
	{"jnp.heaviside(x, y)", "strong, whatever the rank"},
	{"jnp.mean(x, dtype=jnp.int32)", "imaginary parts are not dropped silently"},
	{"jnp.fmod(x, y)", "the remainder by 0 is the dividend, as that of Rem"},
	{"x.at[y].", "what does not fit an array is refused, not converted silently; one mask selects"},
}

func other(src string) bool {
	for _, d := range otherThanJax {
		if strings.HasPrefix(src, d.src) {
			return true
		}
	}
	return false
}

// Wherever jax.numpy has a type for a call, Weft has the same, and wherever it
// refuses one, Weft does.
func TestTypesOfJaxNumpy(t *testing.T) {
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
			err = catchAll(func() {
				trace.Stage("f", in, func(vs []core.Value) []core.Value {
					names := map[string]any{}
					for i, v := range vs {
						names[string("xyzw"[i])] = weft.FromValue(v)
					}
					out, err = (&python{s: r.Src, names: names}).run()
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
		if errors.Is(err, core.ErrDType) && strings.Contains(err.Error(), "does not fit") {
			skipped["constants that do not fit"]++
			return
		}
		all := strings.Join(r.In, " ")
		if strings.Contains(all, "u32") && strings.Contains(all, " i") || strings.HasPrefix(all, "i") && strings.Contains(all, "u32") || strings.Contains(r.Src, "np.arange") {
			skipped["u32 with signed integers"]++
			return
		}
		if other(r.Src) && (r.Error != "" || err != nil || got != strings.Join(r.Out, " ")) {
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
	if ran < 2000 {
		t.Errorf("only %d calls were compared", ran)
	}
	t.Logf("%d calls compared, left out: %v", ran, skipped)
}

// typesOf are the types of a result, which may be several arrays.
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

// The values are jax.numpy's, up to the accuracy of its functions.
func TestValuesOfJaxNumpy(t *testing.T) {
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
		v, err := (&python{s: r.Src, names: names}).run()
		var unknown errUnknown
		if errors.As(err, &unknown) {
			skipped[unknown.Error()]++
			return
		}
		if err != nil {
			if strings.Contains(err.Error(), "does not fit") {
				return
			}
			if other(r.Src) || errors.Is(err, core.ErrIndex) {
				skipped["by decision"]++
				return
			}
			t.Errorf("%s: %v", r.Src, err)
			return
		}
		got, ok := v.(weft.Array)
		if !ok {
			return
		}
		ran++
		if g := got.DType().String(); g != want.DType {
			if g == "i64" && want.DType == "i32" || strings.Contains(r.Src, "np.arange") || strings.Contains(r.Src, "64") {
				skipped["u32 with signed integers"]++
				return
			}
			t.Errorf("%s of %v is %v, want %v", r.Src, r.In, g, want.DType)
			return
		}
		if d := distance(got, want.array(t)); d != "" && !strings.HasPrefix(r.Src, "jnp.fmod(") { // x rem 0 is x here
			t.Errorf("%s of %v: %s", r.Src, names, d)
		}
	})
	if ran < 400 {
		t.Errorf("only %d calls were compared", ran)
	}
	t.Logf("%d calls compared, left out: %v", ran, skipped)
}

// distance says where two arrays differ by more than the accuracy that JAX's
// functions have; integers must be equal.
func distance(got, want weft.Array) string {
	if !slices.Equal(got.Shape(), want.Shape()) {
		return fmt.Sprintf("shape %v, want %v", got.Shape(), want.Shape())
	}
	a, b := got.Value(), want.Value().(*runtime.Array)
	if l, ok := a.(core.Literal); ok {
		a = runtime.FromLiteral(l)
	}
	tol := map[core.DType]float64{core.Float32: 3e-6, core.Complex64: 3e-6, core.Float16: 4e-3, core.BFloat16: 3e-2}[want.DType()]
	scale := 0.
	for i := range want.Size() {
		n, _ := b.At(i)
		if m := cmplx.Abs(n.Complex()); !math.IsInf(m, 0) && m == m {
			scale = max(scale, m)
		}
	}
	for i := range want.Size() {
		m, _ := a.(*runtime.Array).At(i)
		n, _ := b.At(i)
		x, y := m.Complex(), n.Complex()
		if x == y || cmplx.IsNaN(x) && cmplx.IsNaN(y) || tol > 0 && cmplx.Abs(x-y) <= tol*max(scale, 1e-30) {
			continue
		}
		return fmt.Sprintf("element %d is %v, want %v", i, x, y)
	}
	return ""
}

func catchAll(f func()) (err error) {
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(error)
			if !ok {
				panic(r)
			}
			err = e
		}
	}()
	f()
	return nil
}
