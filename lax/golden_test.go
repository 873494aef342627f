package lax_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/golden"
	"github.com/weft-go/weft/internal/test/goldenfile"
	"github.com/weft-go/weft/trace"
)

// record is a program of the golden files and the text that JAX prints for it.
type record struct {
	Name, Group, Level, Source string
	InAvals                    []string `json:"in_avals"`
	Text, Plain                string
	X64                        bool
	InTree                     string `json:"in_tree"`
}

// records reads a group: all of it where $WEFT_GOLDEN names the golden data, else
// the part that lies in testdata.
func records(t *testing.T, group string) []record {
	t.Helper()
	return slices.Collect(goldenfile.Records[record](t, goldenfile.Open(t, "jax/jaxprs/"+group+".jsonl", "testdata/"+group+".jsonl")))
}

// program is a golden program in Go: it takes the arguments' leaves and returns the
// results' leaves.
type program func(x ...weft.Array) []weft.Array

// of1, of2 and of3 are programs of one, two and three arguments with one result.
func of1(f func(x weft.Array) weft.Array) program {
	return func(x ...weft.Array) []weft.Array { return results(f(x[0])) }
}

func of2(f func(x, y weft.Array) weft.Array) program {
	return func(x ...weft.Array) []weft.Array { return results(f(x[0], x[1])) }
}

func of3(f func(x, y, z weft.Array) weft.Array) program {
	return func(x ...weft.Array) []weft.Array { return results(f(x[0], x[1], x[2])) }
}

func results(x ...weft.Array) []weft.Array { return x }

// text returns what the program prints, traced with arguments of the given types.
func text(t *testing.T, r record, f program) string {
	t.Helper()
	var in []core.ShapedArray
	for _, s := range r.InAvals {
		in = append(in, golden.Aval(t, s))
	}
	bits := 32
	if r.X64 {
		bits = 64
	}
	var out string
	weft.With(weft.DefaultBits(bits), func() {
		out = trace.Stage("f", in, func(vs []core.Value) []core.Value {
			var args []weft.Array
			for _, v := range vs {
				args = append(args, weft.FromValue(v))
			}
			var res []core.Value
			for _, x := range f(args...) {
				res = append(res, x.Value())
			}
			return res
		}).String()
	})
	return out
}

// sameText traces programs by the names of their records and compares what they
// print with JAX's text. It returns how many records of the group there were and
// how many had a program.
func sameText(t *testing.T, group string, find func(record) program) (n, of int) {
	t.Helper()
	rs := records(t, group)
	for _, r := range rs {
		f := find(r)
		if f == nil {
			continue
		}
		n++
		want := r.Text
		if r.Plain != "" {
			want = r.Plain
		}
		t.Run(r.Name, func(t *testing.T) { require.Equal(t, want, text(t, r, f), r.Source) })
	}
	return n, len(rs)
}

// named finds programs by the names of records. Each program must be in the group.
func named(t *testing.T, group string, programs map[string]program) func(record) program {
	t.Helper()
	if goldenfile.Whole() {
		rs := records(t, group)
		for name := range programs {
			require.True(t, slices.ContainsFunc(rs, func(r record) bool { return r.Name == name }), "no record %s in %s", name, group)
		}
	}
	return func(r record) program { return programs[r.Name] }
}
