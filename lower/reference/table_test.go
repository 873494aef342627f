package reference

import (
	"maps"
	"reflect"
	"slices"
	"sync"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// loopNames are the names of the primitives that have a canonical loop.
var loopNames = sync.OnceValue(func() map[string]bool {
	loops := block.TypedRows(loopRows)
	names := map[string]bool{}
	for _, s := range primtest.All() {
		if loops[reflect.TypeOf(s.Prim)] != nil {
			names[s.Prim.Name()] = true
		}
	}
	return names
})

// holes are the words of the vocabulary that have no kernel, with the reason.
var holes = map[string]string{
	"debug_callback": "calls the host",
	"debug_print":    "calls the host",
	"io_callback":    "calls the host",
	"pure_callback":  "calls the host",
	"all_gather":     "needs the other members of a named axis",
	"all_to_all":     "needs the other members of a named axis",
	"ppermute":       "needs the other members of a named axis",
	"reduce_scatter": "needs the other members of a named axis",
}

// Every primitive of the vocabulary has a kernel, or a reason why not. Those that
// executors expand into others need none.
func TestTableIsComplete(t *testing.T) {
	expandable, found := map[string]bool{}, map[string]bool{}
	for _, s := range primtest.All() {
		if _, ok := s.Prim.(core.Expander); ok {
			expandable[s.Prim.Name()] = true
		}
		if Has(s.Prim) {
			found[s.Prim.Name()] = true
		}
	}
	words := primtest.Words()
	for _, name := range slices.Sorted(maps.Keys(words)) {
		ok := found[name]
		why, excused := holes[name]
		switch {
		case ok && excused:
			t.Errorf("%s has a kernel, and an excuse for having none: %s", name, why)
		case !ok && !excused && !expandable[name]:
			t.Errorf("%s has no kernel", name)
		}
	}
	for name := range holes {
		if words[name] == nil {
			t.Errorf("%s is excused, but is no word", name)
		}
	}
}

// Every elementwise sample has an expansion, but for those that have several results
// and a loop, and those that are made of other primitives.
func TestSamplesExpand(t *testing.T) {
	for _, s := range primtest.All() {
		if _, ok := s.Prim.(core.Elementwise); !ok {
			continue
		}
		if _, ok := s.Prim.(core.Expander); ok {
			continue
		}
		if !Has(s.Prim) {
			t.Errorf("%s has no expansion", s.Prim.Name())
		}
	}
}
