package jax_test

import (
	_ "embed"
	"errors"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/golden"
	"github.com/weft-go/weft/internal/test/jax"
	"github.com/weft-go/weft/trace"
)

//go:embed testdata/weak_calls.tsv
var weakCalls string

// weakCall is a call of jax.numpy with operands of given types, and JAX's result.
type weakCall struct {
	source string
	in     []string
	want   string // "-": an error
}

// combinations returns the operand types of the i-th result of a line.
func combinations(types, shapes []string, i int) []string {
	in := make([]string, len(shapes))
	for k := len(shapes) - 1; k >= 0; k-- {
		in[k] = types[i%len(types)] + shapes[k]
		i /= len(types)
	}
	return in
}

func readWeakCalls() (calls []weakCall) {
	var lists [][]string
	for line := range strings.Lines(weakCalls) {
		if rest, ok := strings.CutPrefix(line, "# "); ok {
			lists = append(lists, strings.Fields(rest))
			continue
		}
		f := strings.Split(strings.TrimSpace(line), "\t")
		shapes, results := strings.Fields(f[1]), strings.Fields(f[2])
		types := lists[0]
		if len(shapes) == 3 {
			types = lists[1]
		}
		for i, want := range results {
			calls = append(calls, weakCall{f[0], combinations(types, shapes, i), want})
		}
	}
	return calls
}

// result traces a call and returns the types of its results.
func (c weakCall) result(t *testing.T) (got string, err error) {
	var in []core.ShapedArray
	for _, s := range c.in {
		in = append(in, golden.Aval(t, s))
	}
	err = jax.Catch("a call", func() {
		trace.Stage("f", in, func(vs []core.Value) []core.Value {
			names := map[string]any{}
			for i, v := range vs {
				names[string("xyz"[i])] = weft.FromValue(v)
			}
			out, err := jax.Eval(c.source, names)
			if err != nil {
				panic(err)
			}
			got = strings.ReplaceAll(typesOf(out), " ", "+")
			return nil
		})
	})
	return got, err
}

// notJAX returns the reason for which the result of a call is not JAX's, if there is one.
func (c weakCall) notJAX() string {
	switch c.source {
	case "jnp.angle(x)":
		if c.in[0] == "f16[]" || c.in[0] == "bf16[]" {
			return "a scalar keeps its type, as an array does"
		}
	case "jnp.convolve(x, y, mode='same')", "jnp.correlate(x, y, mode='full')":
		if !strings.Contains(c.in[0], "f") && !strings.Contains(c.in[1], "f") && !strings.Contains(c.in[0]+c.in[1], "c64") {
			return "integers have exact results, as in NumPy"
		}
	}
	return ""
}

// refusedCalls are the calls that JAX accepts and Weft refuses for some of the types, with the
// reason in the error.
var refusedCalls = map[string]string{
	"jnp.histogram(x, bins=3, range=(0, 1))[1]": "complex numbers have no order",
	"jnp.sum(x, dtype=jnp.float32)":             "would drop the imaginary parts",
	"jnp.take(x, y)":                            "the positions must be integers, got bool",
	"jnp.unique(x, size=2, fill_value=0)":       "~i32[] does not go into an array of bool",
	"nn.celu(x)":                                "takes real numbers, got",
	"nn.elu(x)":                                 "takes real numbers, got",
	"nn.leaky_relu(x)":                          "takes real numbers, got",
	"nn.one_hot(x, 3)":                          "indices must be integers",
	"nn.relu(x)":                                "takes real numbers, got",
	"nn.selu(x)":                                "takes real numbers, got",
	"x.at[0].add(1.5)":                          "the number 1.5 of f32 does not go into an array of",
	"x.at[0].add(y[0])":                         "does not go into an array of",
	"x.at[0].set(1)":                            "the number 1 of i32 does not go into an array of bool",
	"x.at[0].set(y[0])":                         "does not go into an array of",
}

// The types and weak marks of calls are JAX's, and what is refused alone has a reason.
func TestWeakMarksOfCalls(t *testing.T) {
	compared, refused := 0, map[string]bool{}
	for _, c := range readWeakCalls() {
		got, err := c.result(t)
		var unknown jax.Unknown
		switch {
		case errors.As(err, &unknown):
			t.Errorf("%s: no form in Go: %v", c.source, err)
		case c.want == "-":
		case err != nil:
			refused[c.source] = true
			if why := refusedCalls[c.source]; why == "" || !strings.Contains(err.Error(), why) {
				t.Errorf("%s of %s: got %v, want %s", c.source, strings.Join(c.in, " "), err, c.want)
			}
		case got != c.want && c.notJAX() == "":
			t.Errorf("%s of %s: got %s, want %s", c.source, strings.Join(c.in, " "), got, c.want)
		case got == c.want && c.notJAX() != "":
			t.Errorf("%s of %s: got JAX's %s, want another: %s", c.source, strings.Join(c.in, " "), got, c.notJAX())
		default:
			compared++
		}
	}
	for source := range refusedCalls {
		if !refused[source] {
			t.Errorf("%s is never refused; remove it from the list", source)
		}
	}
	if compared < 30000 {
		t.Errorf("compared %d calls, want 30000", compared)
	}
}
