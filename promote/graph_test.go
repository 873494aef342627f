package promote

import (
	"slices"
	"testing"
)

// A node without edges is added, too.
func TestWithLoneNode(t *testing.T) {
	g := Chains("a < b").With("b < c\nd")
	if want := []string{"a", "b", "c", "d"}; !slices.Equal(g.names, want) {
		t.Errorf("got %v, want %v", g.names, want)
	}
}
