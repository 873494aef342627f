package lax_test

import (
	"errors"
	"fmt"
	"math"
	"math/cmplx"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/golden"
	"github.com/weft-go/weft/internal/test/goldenfile"
	"github.com/weft-go/weft/internal/test/jax"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/jaxpr"
)

// evalRecord is a program of JAX's with inputs, its captured constants first, and
// values.
type evalRecord struct {
	Name, Group, Text string
	In, Out           golden.Arrays
}

func evalRecords(t *testing.T) (rs []evalRecord) {
	t.Helper()
	for r := range goldenfile.Records[evalRecord](t, goldenfile.Open(t, "jax/evals.jsonl", "testdata/transformed_evals.jsonl")) {
		if r.Group == "transformed" {
			rs = append(rs, r)
		}
	}
	return rs
}

// equations counts the equations of a program and of the programs within it, those
// of a shared program wherever it is used.
func equations(j *jaxpr.Jaxpr) int {
	n := len(j.Eqns)
	for _, e := range j.Eqns {
		for _, k := range jaxpr.Programs(e.Prim) {
			n += equations(k)
		}
	}
	return n
}

// transformedTerms are the results, by program and place, with elements further from JAX's than 2 of their
// ulps. They are within 2 ulps of terms of this size, and would not be of terms half as large.
var transformedTerms = map[string]cancellation{
	"grad_lgamma: 0":          {4, "XLA's digamma is off"},
	"grad_matmul: 0":          {0x1p-2, "a product sums terms of both signs"},
	"jvp_tanh_exp: 0":         {1, "XLA's tanh is 4.6 ulps off"},
	"jvp_tanh_exp: 1":         {0x1p-1, "1 − tanh² is what is left of 1, and XLA's tanh is 4.6 ulps off"},
	"grad_jit_tanh_exp: 0":    {4, "1 − tanh² is what is left of 1, times an exponential, and XLA's tanh is 4.6 ulps off"},
	"vmap_grad_tanh_exp: 0":   {2, "1 − tanh² is what is left of 1, times an exponential, and XLA's tanh is 4.6 ulps off"},
	"jvp_vmap_tanh_exp: 1":    {1, "1 − tanh² is what is left of 1, times an exponential, and XLA's tanh is 4.6 ulps off"},
	"hessian_tanh_exp: 0":     {8, "1 − tanh² is what is left of 1, times an exponential, and XLA's tanh is 4.6 ulps off"},
	"vmap_grad_logistic: 0":   {1, "1 − p is what is left of 1, and XLA's logistic is 2.3 ulps off"},
	"grad_vmap_logistic: 0":   {1, "1 − p is what is left of 1, and XLA's logistic is 2.3 ulps off"},
	"grad_grad_rsqrt: 0":      {0x1p-2, "XLA's powers are off"},
	"hessian_rsqrt: 0":        {0x1p-2, "XLA's powers are off"},
	"hvp_logsumexp: 0":        {0x1p-8, "the gradient of softmax subtracts the mean of the cotangents"},
	"vjp_triangular_solve: 1": {1, "a solution is a number less the products with those before it"},
	"grad_mlp: 0":             {0x1p-3, "1 − tanh² is what is left of 1, times weights of both signs"},
	"grad_mlp: 1":             {0x1p-2, "1 − tanh² is what is left of 1, times weights of both signs"},
	"grad_mlp: 2":             {0x1p-3, "a product sums terms of both signs"},
	"grad_mlp: 3":             {0x1p-3, "a sum of residuals of both signs"},
	"grad_softmax: 0":         {0x1p-4, "the gradient of softmax subtracts the mean of the cotangents"},
	"grad_rnn: 0":             {4, "the cotangents of all steps are added with both signs"},
	"grad_rnn: 1":             {8, "the cotangents of all steps are added with both signs"},
}

// Derivatives, linear maps and batches of JAX's programs, made here from the same
// sources: they have the values of JAX's programs run here, near those of JAX itself,
// and at most a fifth more equations, or one.
func TestTransformedPrograms(t *testing.T) {
	values := map[string]evalRecord{}
	for _, r := range evalRecords(t) {
		values[r.Name] = r
	}
	cannot, used := map[string][]string{}, map[string]bool{}
	n, of, ours, theirs, alike, same := 0, 0, 0, 0, 0, 0
	for _, r := range records(t, "transformed") {
		v, ok := values[r.Name]
		if !ok {
			continue
		}
		of++
		j, err := staged(t, r)
		if _, ok := err.(jax.Unknown); ok {
			cannot[err.Error()] = append(cannot[err.Error()], r.Name)
			continue
		}
		if !assert.NoError(t, err, "%s\n%s", r.Name, r.Source) {
			continue
		}
		n++
		want, err := jaxpr.Parse(golden.NameBlanks(v.Text), prim.Vocabulary)
		require.NoError(t, err, r.Name)
		in := v.In.Values()
		nc := len(want.Consts)
		got := jaxpr.Eval(j, j.ConstVals, in[nc:])
		if !assert.Len(t, got, len(v.Out), r.Name) {
			continue
		}
		for i, w := range v.Out.Values() {
			key := fmt.Sprintf("%s: %d", r.Name, i)
			c, listed := transformedTerms[key]
			used[key] = true
			if diff := differ(got[i], w, c.terms); diff != "" {
				t.Errorf("%s: against JAX: %s\n%s\n%s", key, diff, r.Source, j)
			}
			if listed && differ(got[i], w, c.terms/2) == "" {
				t.Errorf("%s: terms of %g suffice", key, c.terms/2)
			}
		}
		var here []core.Value
		if err := core.Catch(func() { here = jaxpr.Eval(want, in[:nc:nc], in[nc:]) }); err == nil {
			alike++
			for i, w := range here {
				key := fmt.Sprintf("%s: %d", r.Name, i)
				if diff := differ(got[i], w, transformedTerms[key].terms); diff != "" {
					t.Errorf("%s: against JAX's program: %s\n%s\n%s", key, diff, r.Source, j)
				}
			}
		} else if !errors.Is(err, core.ErrNoRule) && !errors.Is(err, core.ErrCheck) {
			t.Errorf("%s: JAX's program: %v", r.Name, err)
		}
		a, b := equations(j), equations(want)
		ours, theirs = ours+a, theirs+b
		if text := j.String(); text == r.Text || text == r.Plain {
			same++
		}
		if a > b+max(1, b/5) {
			t.Errorf("%s: %d equations, JAX has %d\n%s\nours\n%s\ntheirs\n%s", r.Name, a, b, r.Source, j, want)
		}
	}
	t.Logf("%d of %d programs, %d of them beside JAX's run here; %d equations against JAX's %d; %d texts are the same", n, of, alike, ours, theirs, same)
	for why, names := range cannot {
		t.Logf("%s: %v", why, names)
	}
	if goldenfile.Whole() {
		for key := range transformedTerms {
			assert.True(t, used[key], "%s is no result of a record", key)
		}
		require.GreaterOrEqual(t, n, 340)
	} else {
		require.GreaterOrEqual(t, n, 10)
	}
}

// differ returns the first element of a result that is further away than 2 units in its last place, or in
// that of terms where these are larger.
func differ(got, want core.Value, terms float64) string {
	g, w := golden.Concrete(got), golden.Concrete(want)
	t := w.Aval()
	if !g.Aval().SameType(t) {
		return fmt.Sprintf("got type %v, want %v", g.Aval().Full(), t.Full())
	}
	for k := range t.Size() {
		a, _ := g.At(k)
		b, _ := w.At(k)
		x, y := a.Complex(), b.Complex()
		allowed := 0.0
		if size := cmplx.Abs(y); t.DType.IsInexact() && !math.IsInf(size, 0) && !math.IsNaN(size) {
			allowed = 2 * testcheck.ULP(max(size, terms), t.DType)
		}
		if !testcheck.CloseComplex(x, y, allowed) {
			return fmt.Sprintf("element %d: got %v, want %v", k, x, y)
		}
	}
	return ""
}

// Batches of conditionals, and of operations between a mapped operand and one that is
// not, print as in JAX: branches read masked operands, and operands are broadcast in
// JAX's order.
func TestBatchedTexts(t *testing.T) {
	want := map[string]bool{"vmap_cond": false, "vmap_cond_batched_pred": false, "vmap_switch_2": false, "vmap_outer_product": false, "vmap_dict": false}
	for _, r := range records(t, "transformed") {
		if _, ok := want[r.Name]; !ok {
			continue
		}
		j, err := staged(t, r)
		require.NoError(t, err, r.Name)
		if text := j.String(); text != r.Text && text != r.Plain {
			t.Errorf("%s:\n%s\nwant\n%s", r.Name, text, r.Text)
		}
		want[r.Name] = true
	}
	if goldenfile.Whole() {
		for name, found := range want {
			assert.True(t, found, "%s: no record", name)
		}
	}
}
