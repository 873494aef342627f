package core_test

import (
	"testing"

	"github.com/weft-go/weft/core"
)

func TestCount(t *testing.T) {
	for _, c := range []struct {
		n    int
		what string
		want string
	}{
		{1, "axis", "1 axis"}, {0, "axis", "0 axes"}, {2, "spatial axis", "2 spatial axes"}, {1, "element", "1 element"},
		{-1, "element", "-1 elements"}, {3, "index", "3 indices"}, {2, "leaf", "2 leaves"}, {1, "leaf", "1 leaf"}, {2, "branch", "2 branches"}, {2, "entry", "2 entries"}, {2, "array", "2 arrays"},
	} {
		if got := core.Count(c.n, c.what); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
