package hostile_test

import (
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
)

// A nil option, function or setting is an error in the name of the function that was
// given it.
func TestNilOptions(t *testing.T) {
	id := func(x weft.Array) weft.Array { return x }
	add := func(c, x weft.Array) weft.Array { return c.Add(x) }
	xs := weft.Of(1., 2)
	for want, f := range map[string]func(){
		"Jit: an option is nil":                 func() { weft.Jit(id, nil) },
		"Vmap: an option is nil":                func() { weft.Vmap(id, nil) },
		"Remat: an option is nil":               func() { weft.Remat(id, nil) },
		"Fold: an option is nil":                func() { weft.Fold(add, xs.Index(0), xs, nil) },
		"AssociativeScan: an option is nil":     func() { weft.AssociativeScan(add, xs, nil) },
		"PureCallback: an option is nil":        func() { weft.PureCallback(id, xs, xs, nil) },
		"IOCallback: an option is nil":          func() { weft.IOCallback(id, xs, xs, nil) },
		"PureCallback: its function is nil":     func() { weft.PureCallback((func(weft.Array) weft.Array)(nil), xs, xs) },
		"DebugCallback: its function is nil":    func() { weft.DebugCallback((func(weft.Array))(nil), xs) },
		"At.Apply: its function is nil":         func() { xs.At(0).Apply(nil) },
		"SetProcessDefault: the setting is nil": func() { weft.SetProcessDefault(nil) },
		"With: the setting is nil":              func() { weft.With(nil, func() {}) },
		"Load: an option is nil":                func() { panic(weft.Load(nil, nil, nil)) },
	} {
		if err := core.Catch(f); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}
