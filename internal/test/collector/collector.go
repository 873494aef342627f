// Package collector makes tests collect garbage a quarter as often as programs do. Most of what tests allocate
// dies at once: they take four fifths of the time. What depends on collections asks for them. Under the race
// detector, in benchmarks and where GOGC is set, garbage is collected as always.
package collector

import (
	"os"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/weft-go/weft/internal/test/race"
)

func init() {
	benchmark := slices.ContainsFunc(os.Args, func(a string) bool { return strings.HasPrefix(a, "-test.bench") })
	if os.Getenv("GOGC") == "" && !race.Enabled && !benchmark {
		debug.SetGCPercent(400)
		if os.Getenv("GOMEMLIMIT") == "" {
			debug.SetMemoryLimit(2 << 30) // beyond it garbage is collected more often
		}
	}
}
