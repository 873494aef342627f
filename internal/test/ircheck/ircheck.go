// Package ircheck contains helpers for tests of several packages that deal with programs.
package ircheck

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
)

// Parse returns the program in a text. The test fails if there is none.
func Parse(t testing.TB, text string) *jaxpr.Jaxpr {
	t.Helper()
	j, err := jaxpr.Parse(text, prim.Vocabulary)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// Prints requires that a program passes Check and prints as want: in lines of 80 characters, or
// on one line if want is one.
func Prints(t testing.TB, name string, j *jaxpr.Jaxpr, want string) {
	t.Helper()
	if err := jaxpr.Check(j); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	width := 80
	if !strings.Contains(want, "\n") {
		width = 1000
	}
	if d := cmp.Diff(want, j.Text(jaxpr.Options{Width: width})); d != "" {
		t.Errorf("%s (-want +got)\n%s", name, d)
	}
}

// HiddenConstants reports whether a program within j captures arrays: its text has their types
// only, and records contain values of those of j itself.
func HiddenConstants(j *jaxpr.Jaxpr) bool {
	for _, e := range j.Eqns {
		for _, p := range jaxpr.Programs(e.Prim) {
			if len(p.Consts) > 0 || HiddenConstants(p) {
				return true
			}
		}
	}
	return false
}
