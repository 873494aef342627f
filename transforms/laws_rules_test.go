package transforms_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/lower/reference"
)

// byTheRuntime are primitives that the executor runs itself: they need the host, or
// an axis.
var byTheRuntime = map[string]bool{
	"pure_callback": true, "io_callback": true, "debug_callback": true, "debug_print": true,
	"all_gather": true, "all_to_all": true, "axis_index": true, "pmax": true, "pmin": true, "ppermute": true, "psum": true, "reduce_scatter": true,
}

// What is untested or undeclared is listed by name: primitives without a sample on
// which the laws are tried, without a declared derivative, without a rule for batches,
// without numbers.
func TestLawsCoverVocabulary(t *testing.T) {
	samples := map[string]core.Primitive{}
	nullary := map[string]bool{}
	for _, s := range primtest.All() {
		samples[s.Prim.Name()] = s.Prim
		nullary[s.Prim.Name()] = len(s.In) == 0
	}
	lists := map[string][]string{}
	for _, name := range slices.Sorted(maps.Keys(primtest.Words())) {
		p, ok := samples[name]
		if !ok {
			lists["without a sample"] = append(lists["without a sample"], name)
			continue
		}
		_, jvp := p.(core.JVPer)
		_, zero := p.(core.ZeroJVP)
		_, none := p.(core.NoJVP)
		if !jvp && !zero && !none {
			lists["with neither JVP, ZeroJVP nor NoJVP"] = append(lists["with neither JVP, ZeroJVP nor NoJVP"], name)
		}
		_, each := p.(core.Elementwise)
		_, batch := p.(core.Batcher)
		_, axis := p.(prim.AxisBatcher)
		if !each && !batch && !axis && !nullary[name] {
			lists["with neither Elementwise nor Batch"] = append(lists["with neither Elementwise nor Batch"], name)
		}
		_, numbers := reference.Lookup(p)
		_, programs := reference.LookupProgram(p)
		_, expands := p.(core.Expander)
		if !numbers && !programs && !expands && !byTheRuntime[name] {
			lists["with neither a kernel nor an expansion"] = append(lists["with neither a kernel nor an expansion"], name)
		}
	}
	for what, names := range lists {
		t.Errorf("primitives %s: %v", what, names)
	}
}
