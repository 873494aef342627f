package jax_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/golden"
	"github.com/weft-go/weft/internal/test/goldenfile"
	"github.com/weft-go/weft/internal/test/jax"
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
	ran, decided, skipped := 0, 0, map[string]int{}
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
		var in []core.ShapedArray
		for _, s := range r.In {
			in = append(in, golden.Aval(t, s))
		}
		bits := 32
		if r.X64 {
			bits = 64
		}
		var got string
		var err error
		weft.With(weft.DefaultBits(bits), func() {
			var out any
			err = jax.Catch("a call", func() {
				trace.Stage("f", in, func(vs []core.Value) []core.Value {
					names := map[string]any{}
					for i, v := range vs {
						names[string("xyzw"[i])] = weft.FromValue(v)
					}
					out, err = jax.Eval(r.Src, names)
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
		var unknown jax.Unknown
		if errors.As(err, &unknown) {
			skipped[unknown.Error()+" "+r.Src]++
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
			decided++
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
	if len(skipped) > 0 {
		t.Errorf("cannot be evaluated: %v", skipped)
	}
	t.Logf("%d calls compared, %d differ by decision", ran, decided)
}

// typesOf returns the types of a result, which may be several arrays.
func typesOf(v any) string {
	leaves, _ := jax.Flatten(v)
	var s []string
	for _, x := range leaves {
		s = append(s, x.Value().Aval().Full())
	}
	return strings.Join(s, " ")
}

// jnpOperand is an array, or a Go number.
type jnpOperand struct {
	golden.Array
	Scalar any // a number, a truth value, or the parts of a complex number
}

// value returns the operand as the program has it: written is how the record writes it.
func (o jnpOperand) value(written []byte) any {
	switch v := o.Scalar.(type) {
	case nil:
		return weft.FromValue(o.Value())
	case float64:
		if v == math.Trunc(v) && !strings.Contains(string(written), fmt.Sprintf(`"scalar": %.1f`, v)) {
			return int(v)
		}
	case []any:
		return complex(v[0].(float64), v[1].(float64))
	}
	return o.Scalar
}

// text returns the operand's type, or the Go number that it is.
func (o jnpOperand) text() string {
	if o.Scalar != nil {
		return fmt.Sprint(o.Scalar)
	}
	return fmt.Sprintf("%s%v", o.DType, o.Shape)
}

// An accuracy is how far elements may be from JAX's: so many ulps of the element, or of terms
// that are larger than their sum.
type accuracy struct{ ulps, terms float64 }

// accuracies are the calls with results further than 1 ulp from JAX's: either rounds several
// times. A test fails where less suffices.
var accuracies = map[string]accuracy{
	"jnp.convolve(x, y)":                     {2, 0},
	"jnp.convolve(x, y, mode='same')":        {3, 0},
	"jnp.corrcoef(x)":                        {2, 0},
	"jnp.cov(x)":                             {2, 0},
	"jnp.einsum('ij,jk->ik', x, y)":          {3, 0},
	"jnp.hypot(x, y)":                        {2, 0},
	"jnp.linalg.eigvalsh(x + x.T)":           {2, 0},
	"jnp.linalg.inv(x)":                      {3, 0},
	"jnp.linalg.matrix_power(x, 3)":          {3, 0},
	"jnp.linalg.svd(x, compute_uv=False)":    {2, 0},
	"jnp.sum(x, axis=(0, 1), keepdims=True)": {2, 0},
	"nn.gelu(x)":                             {2, 0},
	"nn.gelu(x, approximate=False)":          {2, 0},
	"nn.gelu(x, approximate=True)":           {2, 0},
	"nn.logsumexp(x, axis=1, keepdims=True)": {2, 0},
	"nn.mish(x)":                             {3, 0},
	"nn.softmax(x)":                          {2, 0},
	"random.normal(x, (3,), jnp.complex64)":  {2, 0},
	"x @ x.conj().T":                         {3, 0},
	"jnp.logaddexp(x, y)":                    {1, 0.5},
	"jnp.average(x, axis=1, weights=jnp.array([1., 2., 3., 4.]))": {1, 0.5},
	"jnp.linalg.det(x), jnp.linalg.inv(x + 3 * jnp.eye(3))":       {2, 1},
	"jnp.linalg.pinv(x)":   {3, 1},
	"random.gamma(x, 2.0)": {7, 0},
}

// The values are jax.numpy's, each element within a unit in the last place, or what accuracies allows.
func TestValuesOfJaxNumpy(t *testing.T) {
	other := readDifferences(t, "value")
	ran, skipped, needed := 0, map[string]int{}, map[string]bool{}
	goldenLines(t, "jax/jnp_values.jsonl", func(line []byte) {
		var r struct {
			Src string
			In  []jnpOperand
			Out golden.Arrays
		}
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatal(err)
		}
		names, types := map[string]any{}, []string{}
		for i, o := range r.In {
			names[string("xyzw"[i])] = o.value(line)
			types = append(types, o.text())
		}
		operands := strings.Join(types, " ")
		v, err := jax.Eval(r.Src, names)
		var unknown jax.Unknown
		if errors.As(err, &unknown) {
			skipped[unknown.Error()+" "+r.Src]++
			return
		}
		ran++
		if err != nil {
			if !other.allows(r.Src, operands, "error") {
				t.Errorf("%s of %s: %v", r.Src, operands, err)
			}
			return
		}
		got, _ := jax.Flatten(v)
		if len(got) != len(r.Out) {
			t.Errorf("%s of %s: %d results, want %d", r.Src, operands, len(got), len(r.Out))
			return
		}
		for i, x := range got {
			if g := x.DType().String(); g != r.Out[i].DType {
				if !other.allows(r.Src, operands, g) {
					t.Errorf("%s of %s: result %d is %v, want %v", r.Src, operands, i, g, r.Out[i].DType)
				}
				continue
			}
			c, listed := accuracies[r.Src]
			d := golden.CompareAt(x.Value(), r.Out[i], 1, 0)
			if listed && d != "" {
				d = golden.CompareAt(x.Value(), r.Out[i], c.ulps, c.terms)
				needed[r.Src] = needed[r.Src] || golden.CompareAt(x.Value(), r.Out[i], c.ulps-1, c.terms) != "" && golden.CompareAt(x.Value(), r.Out[i], c.ulps, c.terms/2) != "" ||
					c.terms == 0 && golden.CompareAt(x.Value(), r.Out[i], c.ulps-1, 0) != ""
			}
			elements := strings.ReplaceAll(strings.Join(strings.Fields(fmt.Sprint(x.Ravel())), " "), "[ ", "[")
			if d != "" && !other.allows(r.Src, operands, elements) {
				t.Errorf("%s of %s: result %d: %s", r.Src, operands, i, d)
			}
		}
	})
	other.unused(t)
	for src := range accuracies {
		if !needed[src] {
			t.Errorf("%s needs no such accuracy", src)
		}
	}
	if len(skipped) > 0 {
		t.Errorf("cannot be evaluated: %v", skipped)
	}
	t.Logf("%d calls compared", ran)
}
