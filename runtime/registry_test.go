package runtime

import (
	"errors"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
)

func TestExecutorFromEnvironment(t *testing.T) {
	old := chosen.Load()
	defer chosen.Store(old)
	for _, c := range []struct{ name, want, failure string }{
		{"", "reference", ""},
		{"reference", "reference", ""},
		{"warp", "", `there is no executor "warp" (there is reference`},
	} {
		chosen.Store(nil)
		t.Setenv(ExecutorVariable, c.name)
		got := ""
		err := core.Catch(func() { got = Default().Name() })
		switch {
		case c.failure == "" && (err != nil || got != c.want):
			t.Errorf("%s=%s: got %s, %v, want %s", ExecutorVariable, c.name, got, err, c.want)
		case c.failure != "" && (!errors.Is(err, core.ErrDevice) || !strings.Contains(err.Error(), c.failure)):
			t.Errorf("%s=%s: got %v, want an error with %q", ExecutorVariable, c.name, err, c.failure)
		}
	}
}
