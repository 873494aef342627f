package lax_test

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/golden"
	"github.com/weft-go/weft/internal/test/goldenfile"
	"github.com/weft-go/weft/internal/test/jax"
	"github.com/weft-go/weft/internal/test/python"
	"github.com/weft-go/weft/trace"
)

// avalRecord is one call of a lax function in x, y and z: its types in and out, or
// the error.
type avalRecord struct {
	Level, Src, Error, Msg, Warn string
	In, Out                      []string
	X64                          bool
}

func avalRecords(t *testing.T) (rs []avalRecord, whole bool) {
	t.Helper()
	for r := range goldenfile.Records[avalRecord](t, goldenfile.Open(t, "jax/avals.jsonl", "testdata/avals.jsonl")) {
		if r.Level == "lax" {
			rs = append(rs, r)
		}
	}
	return rs, goldenfile.Whole()
}

// byRule returns why a record cannot match, and whether the call must be refused. The
// rules are those of the design: there is no mode that narrows 64-bit types, so a
// program that names one in JAX's 32-bit mode means something else; and nothing is
// lost silently.
func byRule(r avalRecord) (why string, refuse bool) {
	if !r.X64 && wide.MatchString(r.Src) {
		return "names a 64-bit type in 32-bit mode", false
	}
	if r.Error != "" {
		return "", false
	}
	if strings.Contains(r.Warn, "discards the imaginary part") && strings.Contains(r.Src, "1j") {
		return "drops the imaginary part of a constant", !strings.HasPrefix(r.Out[0], "bool")
	}
	if eighths.MatchString(r.Src) && slices.ContainsFunc(r.In, func(s string) bool { return strings.Contains(s, "f8_") }) {
		return "is a function that JAX cannot compile for floats of 8 bits", true
	}
	if strings.HasPrefix(r.Src, "lax.cumlogsumexp(") && (strings.HasPrefix(r.Out[0], "u") || strings.Contains(r.Out[0], "i32") || strings.Contains(r.Out[0], "i8")) {
		return "is a function of floats that JAX gives a type for integers, and cannot compile", true
	}
	if m := oneAxis.FindStringSubmatch(r.Src); m != nil {
		n, elements := m[1], 1
		for _, d := range strings.FieldsFunc(dimensions.FindString(r.In[0]), func(c rune) bool { return c < '0' || c > '9' }) {
			k, _ := strconv.Atoi(d)
			elements *= k
		}
		if n != strconv.Itoa(elements) {
			return "reshapes to one axis of another size", true
		}
	}
	return "", false
}

var (
	wide       = regexp.MustCompile(`\bnp\.(float64|int64|uint64|complex128)\b`)
	oneAxis    = regexp.MustCompile(`^lax\.reshape\(x, \((\d+),\)\)$`)
	eighths    = regexp.MustCompile(`^lax\.(bessel_i[01]e|igammac?|zeta|betainc)\(`)
	dimensions = regexp.MustCompile(`\[.*\]`)
)

// typesOf evaluates the record's call under a trace.
func typesOf(t *testing.T, r avalRecord) (out []string, err error) {
	bits := 32
	if r.X64 {
		bits = 64
	}
	var in []core.ShapedArray
	for _, s := range r.In {
		in = append(in, golden.Aval(t, s))
	}
	err = jax.Catch(r.Src, func() {
		weft.With(weft.DefaultBits(bits), func() {
			trace.Stage("f", in, func(vs []core.Value) []core.Value {
				s := python.NewScope(jax.Library{}, map[string]any{})
				for i, v := range vs {
					s.Names[string(rune('x'+i))] = weft.FromValue(v)
				}
				leaves, _ := jax.Flatten(python.Eval(r.Src, s))
				for _, x := range leaves {
					out = append(out, x.Value().Aval().Full())
				}
				return nil
			})
		})
	})
	return out, err
}

// The types of results, weak marks included, are JAX's, and what JAX refuses is
// refused.
func TestTypesOfLaxCalls(t *testing.T) {
	rs, whole := avalRecords(t)
	excepted := map[string]int{}
	agree, refused, bad := 0, 0, 0
	for _, r := range rs {
		why, refuse := byRule(r)
		if why != "" {
			excepted[why]++
			if !refuse {
				continue
			}
		}
		got, err := typesOf(t, r)
		if refuse {
			require.Error(t, err, "%s %v must be refused: it %s", r.Src, r.In, why)
			continue
		}
		_, unknown := err.(jax.Unknown)
		switch {
		case r.Error != "" && err != nil && !unknown:
			refused++
		case r.Error == "" && err == nil && slices.Equal(got, r.Out):
			agree++
		default:
			bad++
			want := strings.Join(r.Out, " ")
			if r.Error != "" {
				want = r.Error + ": " + r.Msg
			}
			t.Errorf("%s  %v  x64=%v\n got %v %v\nwant %s", r.Src, r.In, r.X64, got, err, want)
		}
	}
	t.Logf("%d records: %d results agree, %d refusals agree, %d differ", len(rs), agree, refused, bad)
	for _, why := range slices.Sorted(maps.Keys(excepted)) {
		t.Logf("excepted, %s: %d", why, excepted[why])
	}
	if whole {
		require.GreaterOrEqual(t, agree+refused, 2802)
	}
}
