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
	"github.com/weft-go/weft/internal/golden"
	"github.com/weft-go/weft/internal/goldenfile"
	"github.com/weft-go/weft/internal/testcheck"
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

// fromJAX are the ulps by which programs differ from JAX's results by more than 2, with the
// function of XLA's that is off. Against JAX's program, run here, all are within 2.
var fromJAX = map[string]float64{
	// 1 − tanh², what is left of 1 near the ends, by XLA's tanh, which is 4.6 ulps off.
	"hessian_tanh_exp": 44, "grad_jit_tanh_exp": 42, "jvp_vmap_tanh_exp": 24, "jvp_tanh_exp": 13, "vmap_grad_tanh_exp": 6,
	"vmap_grad_logistic": 7, "grad_vmap_logistic": 3, // XLA's logistic is 2.3 ulps off, and so is what is left of 1
	"grad_lgamma": 4, "hessian_rsqrt": 3, // powers and logarithms of XLA's
}

// Derivatives, linear maps and batches of JAX's programs, made here from the same
// sources: they have the values of JAX's programs run here, near those of JAX itself,
// and at most a fifth more equations, or one.
func TestTransformedPrograms(t *testing.T) {
	values := map[string]evalRecord{}
	for _, r := range evalRecords(t) {
		values[r.Name] = r
	}
	cannot := map[string][]string{}
	n, of, ours, theirs, alike, same := 0, 0, 0, 0, 0, 0
	for _, r := range records(t, "transformed") {
		v, ok := values[r.Name]
		if !ok {
			continue
		}
		of++
		j, err := pyStage(t, r)
		if _, ok := err.(pyUnknown); ok {
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
		ulps := max(2, fromJAX[r.Name])
		if diff := differ(got, v.Out.Values(), ulps); diff != "" {
			t.Errorf("%s: against JAX: %s\n%s\n%s", r.Name, diff, r.Source, j)
		}
		if ulps > 2 && differ(got, v.Out.Values(), ulps-1) == "" {
			t.Errorf("%s: %g ulps suffice", r.Name, ulps-1)
		}
		var here []core.Value
		if err := core.Catch(func() { here = jaxpr.Eval(want, in[:nc:nc], in[nc:]) }); err == nil {
			alike++
			if diff := differ(got, here, 2); diff != "" {
				t.Errorf("%s: against JAX's program: %s\n%s\n%s", r.Name, diff, r.Source, j)
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
		require.GreaterOrEqual(t, n, 340)
	} else {
		require.GreaterOrEqual(t, n, 10)
	}
}

// differ returns the first result that is further away than ulps of its largest element.
func differ(got, want []core.Value, ulps float64) string {
	if len(got) != len(want) {
		return fmt.Sprintf("%d results, want %d", len(got), len(want))
	}
	for i := range got {
		g, w := golden.Concrete(got[i]), golden.Concrete(want[i])
		t := w.Aval()
		if !g.Aval().SameType(t) {
			return fmt.Sprintf("result %d is %v, want %v", i, g.Aval().Full(), t.Full())
		}
		largest := 0.0
		for k := range t.Size() {
			n, _ := w.At(k)
			if a := cmplx.Abs(n.Complex()); !math.IsInf(a, 0) && a > largest {
				largest = a
			}
		}
		allowed := 0.0
		if t.DType.IsInexact() {
			allowed = ulps * largest * math.Ldexp(1, 1-map[core.DType]int{core.Float32: 24, core.Float64: 53, core.BFloat16: 8, core.Float16: 11}[t.DType.Real()])
		}
		for k := range t.Size() {
			a, _ := g.At(k)
			b, _ := w.At(k)
			x, y := a.Complex(), b.Complex()
			if !testcheck.CloseComplex(x, y, allowed) {
				return fmt.Sprintf("result %d, element %d: got %v, want %v", i, k, x, y)
			}
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
		j, err := pyStage(t, r)
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
