package transforms_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/golden"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/transforms"
)

// autodiffRecord is a line of autodiff.jsonl: a function's text, its value, its
// derivative along tangents, and its transposed derivative.
type autodiffRecord struct {
	ID                                 int
	Kind, Prim, Src, Text, Error       string
	Consts, In, Tangents, Out, Jvp, Ct golden.Arrays
	Vjp                                golden.Arrays
	EagerOut                           golden.Arrays `json:"eager_out"`
	EagerJvp                           golden.Arrays `json:"eager_jvp"`
	EagerVjp                           golden.Arrays `json:"eager_vjp"`
	JvpError                           string        `json:"jvp_error"`
	VjpError                           string        `json:"vjp_error"`
}

// outside reports whether a failure is a primitive that is not in the vocabulary.
func outside(err error) (string, bool) {
	var e *core.Error
	if errors.As(err, &e) && errors.Is(err, core.ErrNoRule) && (strings.Contains(e.Msg, "vocabulary") || strings.Contains(e.Msg, "cannot be evaluated")) {
		return e.Op, true
	}
	return "", false
}

// tally counts what happened to the records of a file.
type tally struct {
	checked int
	outside map[string]int // records that use a primitive outside the vocabulary
}

func (c *tally) log(t *testing.T, what string) {
	t.Helper()
	var out []string
	for _, k := range slices.Sorted(maps.Keys(c.outside)) {
		out = append(out, fmt.Sprintf("%s %d", k, c.outside[k]))
	}
	t.Logf("%s: %d compared; outside the vocabulary: %s", what, c.checked, strings.Join(out, ", "))
	if c.checked == 0 {
		t.Errorf("%s: nothing was compared", what)
	}
}

func (c *tally) leave(op string) {
	if c.outside == nil {
		c.outside = map[string]int{}
	}
	c.outside[op]++
}

// nonzero drops float0 arrays: programs have no such results.
func nonzero(as golden.Arrays) golden.Arrays {
	var out golden.Arrays
	for _, a := range as {
		if a.DType != "float0" {
			out = append(out, a)
		}
	}
	return out
}

func inexactOnly(as golden.Arrays) []golden.Array {
	var out golden.Arrays
	for _, a := range as {
		if a.Type().DType.IsInexact() {
			out = append(out, a)
		}
	}
	return out
}

func compareAll(got []core.Value, want golden.Arrays, ulps, scale float64) string {
	if len(got) != len(want) {
		return fmt.Sprintf("%d results, want %d", len(got), len(want))
	}
	for i := range got {
		if d := golden.Compare(got[i], want[i], ulps, scale); d != "" {
			return fmt.Sprintf("result %d: %s", i, d)
		}
	}
	return ""
}

func TestAutodiffGolden(t *testing.T) {
	records, _ := golden.Records[autodiffRecord](t, "jax/autodiff.jsonl")
	var values, jvps, vjps tally
	for _, r := range records {
		if r.Text == "" || r.Kind == "higher" {
			continue
		}
		name := fmt.Sprintf("%d %s %s", r.ID, r.Prim, r.Src)
		j, err := jaxpr.Parse(r.Text, prim.Vocabulary)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		consts, in := r.Consts.Values(), r.In.Values()
		run := func(what string, c *tally, want, eager golden.Arrays, f func() []core.Value) {
			if eager != nil {
				want = eager
			}
			want = nonzero(want)
			var got []core.Value
			if err := core.Catch(func() { got = f() }); err != nil {
				if op, ok := outside(err); ok {
					c.leave(op)
				} else if errors.Is(err, core.ErrCustomRule) && strings.Contains(err.Error(), "not in the text it was read from") {
					c.leave(r.Prim) // a text has no rules of the user's
				} else {
					t.Errorf("%s: %s: %v", name, what, err)
				}
				return
			}
			c.checked++
			if d := compareAll(got, want, 16, 0.5); d != "" {
				t.Errorf("%s: %s: %s", name, what, d)
			}
		}
		if r.Out != nil {
			run("value", &values, r.Out, r.EagerOut, func() []core.Value { return jaxpr.Eval(j, consts, in) })
		}
		if r.Jvp != nil {
			run("jvp", &jvps, r.Jvp, r.EagerJvp, func() []core.Value {
				args := slices.Concat(consts, in, golden.Arrays(inexactOnly(r.Tangents)).Values())
				return jaxpr.Eval(transforms.JVPProgram(j), nil, args)[len(j.Outs):]
			})
		}
		if r.Vjp != nil {
			run("vjp", &vjps, r.Vjp, r.EagerVjp, func() []core.Value {
				args := slices.Concat(consts, in, golden.Arrays(inexactOnly(r.Ct)).Values())
				return jaxpr.Eval(transforms.VJPProgram(j), nil, args)
			})
		}
	}
	values.log(t, "values")
	jvps.log(t, "jvp")
	vjps.log(t, "vjp")
}
