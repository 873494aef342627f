package promote

import (
	"io"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/goldenfile"
)

// golden reads a file of expectations: from the whole collection that
// WEFT_GOLDEN names if it is there, else from testdata.
func golden(t testing.TB, name string) string {
	t.Helper()
	text, err := io.ReadAll(goldenfile.Open(t, "promotion/"+name, "testdata/"+name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// rows reads tab-separated lines.
func rows(t testing.TB, name string) [][]string {
	t.Helper()
	var out [][]string
	for _, line := range strings.Split(strings.TrimRight(golden(t, name), "\n"), "\n") {
		out = append(out, strings.Split(line, "\t"))
	}
	return out
}

func table(t testing.TB, name string) *Algebra {
	t.Helper()
	a, err := ParseTable(golden(t, name))
	if err != nil {
		t.Fatal(name, err)
	}
	return a
}

// typ reads a type for a test.
func typ(t testing.TB, name string) Type {
	t.Helper()
	x, ok := ParseType(name)
	if !ok {
		t.Fatalf("no type %q", name)
	}
	return x
}

// join joins types by name, from the left, and returns the name of the result, "-"
// for an error.
func join(t testing.TB, s System, names ...string) string {
	t.Helper()
	x := typ(t, names[0])
	for _, n := range names[1:] {
		var err error
		if x, err = s.Join(x, typ(t, n)); err != nil {
			return "-"
		}
	}
	return short(x)
}

// short returns the name of a type as the tables write it.
func short(x Type) string {
	if x.DType == core.Bool {
		return "b"
	}
	return x.String()
}

func expect(t testing.TB, s System, cells ...string) {
	t.Helper()
	for _, c := range cells {
		args, want, _ := strings.Cut(c, "=")
		if got := join(t, s, strings.Split(args, "+")...); got != want {
			t.Errorf("%s: %s = %s, want %s", s.Name(), args, got, want)
		}
	}
}
