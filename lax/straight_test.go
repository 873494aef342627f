package lax_test

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/jax"
	"github.com/weft-go/weft/lax"
)

// The straight-line programs of the golden files are calls only: each line is
//
//	t7 = lax.select(lax.lt(t4, t3), t0, 1e30)
//
// of functions that jax.Unary, binary and ternary have. straightLine runs them.
type straightLine struct {
	t    *testing.T
	vars map[string]array
}

var (
	assignment = regexp.MustCompile(`^    (t\d+) = (.*)$`)
	returned   = regexp.MustCompile(`^    return \(?([^()]*?),?\)?$`)
	aCallOf    = regexp.MustCompile(`^lax\.(\w+)\((.*)\)$`)
	float32Of  = regexp.MustCompile(`^np\.float32\((.*)\)$`)
)

func (s straightLine) run(source string, args []array) []array {
	lines := strings.Split(source, "\n")
	for i, x := range args {
		s.vars["a"+strconv.Itoa(i)] = x
	}
	for _, l := range lines[1:] {
		if m := assignment.FindStringSubmatch(l); m != nil {
			s.vars[m[1]] = s.eval(m[2])
			continue
		}
		if l == "" {
			continue
		}
		m := returned.FindStringSubmatch(l)
		require.NotNil(s.t, m, "cannot read %q", l)
		var out []array
		for name := range strings.SplitSeq(m[1], ", ") {
			out = append(out, s.eval(name))
		}
		return out
	}
	s.t.Fatal("the program returns nothing")
	return nil
}

func (s straightLine) eval(e string) array {
	if x, ok := s.vars[e]; ok {
		return x
	}
	if m := float32Of.FindStringSubmatch(e); m != nil {
		v, err := strconv.ParseFloat(m[1], 32)
		require.NoError(s.t, err)
		return weft.Scalar(float32(v))
	}
	m := aCallOf.FindStringSubmatch(e)
	if m == nil {
		v, err := strconv.ParseFloat(e, 64)
		require.NoError(s.t, err, "cannot read %q", e)
		return weft.Scalar(v)
	}
	name, args := m[1], arguments(m[2])
	if name == "integer_pow" {
		y, err := strconv.Atoi(args[1])
		require.NoError(s.t, err)
		return lax.IntegerPow(s.eval(args[0]), y)
	}
	var x []array
	for _, a := range args {
		x = append(x, s.eval(a))
	}
	switch {
	case len(x) == 1 && jax.Unary[name] != nil:
		return jax.Unary[name](x[0])
	case len(x) == 2 && jax.Binary[name] != nil:
		return jax.Binary[name](x[0], x[1])
	case len(x) == 3 && ternary[name] != nil:
		return ternary[name](x[0], x[1], x[2])
	}
	s.t.Fatalf("no lax function %s of %d arguments", name, len(x))
	return array{}
}

// arguments splits a list at the commas outside of parentheses.
func arguments(list string) []string {
	var out []string
	depth, from := 0, 0
	for i, c := range list {
		switch {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == ',' && depth == 0:
			out = append(out, strings.TrimSpace(list[from:i]))
			from = i + 1
		}
	}
	return append(out, strings.TrimSpace(list[from:]))
}

// Programs of up to 740 equations, with unused values and results given twice, print JAX's text.
func TestStraightText(t *testing.T) {
	n, of := sameText(t, "straight", func(r record) program {
		return func(x ...array) []array {
			return straightLine{t, map[string]array{}}.run(r.Source, x)
		}
	})
	require.Equal(t, of, n)
}
