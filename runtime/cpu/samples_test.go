package cpu_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/drivertest"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/runtime"
)

// The translation of no sample panics. In a user's program the reference executor would run
// what the translator fails at; here it is an error.
func TestTranslationOfSamples(t *testing.T) {
	race.Values(t)
	for _, e := range runtime.Executors() {
		if e == runtime.Reference || e.Available() != nil {
			continue
		}
		n := 0
		for _, s := range primtest.EveryType() {
			c, err := runtime.Compile(e, &runtime.Request{Jaxpr: s.Jaxpr()})
			if err != nil {
				if !errors.Is(err, core.ErrAxis) { // an axis name that is bound nowhere
					t.Errorf("%s: %s of %v: %v", e.Name(), s.Prim.Name(), s.In, err)
				}
				continue
			}
			n++
			for _, f := range c.Account().Fallbacks {
				if strings.Contains(f.Reason, "the translation failed") {
					t.Errorf("%s: %s of %v: %s", e.Name(), f.Op, s.In, f.Reason)
				}
			}
		}
		if n < 1000 {
			t.Errorf("%s: only %d samples were compiled", e.Name(), n)
		}
	}
}

// Samples of every primitive in every type have the reference executor's bits: one of seven, or those that
// WEFT_SAMPLES asks for.
func TestSamples(t *testing.T) {
	race.Values(t)
	onNative(t, func(t *testing.T, e runtime.Executor) {
		drivertest.Samples(t, e, 7, 20)
		drivertest.Empty(t, e, 7, 20)
	})
}
