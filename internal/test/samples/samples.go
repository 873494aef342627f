// Package samples chooses which of many samples a test runs. A driver may take a fifth of a second
// to build a program, and some tests run tens of thousands: on a device they run one of every few.
// The variable WEFT_SAMPLES decides otherwise: all of them, or one share of them, so that several
// processes run all. Under the race detector tests run one of eight.
package samples

import (
	"fmt"
	"hash/fnv"
	"os"
	"testing"

	"github.com/weft-go/weft/internal/test/goldenfile"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/runtime"
)

// Share returns which of every stride samples a test of devices runs: number share of few, number
// 0 of 1 if WEFT_SAMPLES is all, and number 3 of 16 if it is 3/16.
func Share(t testing.TB, few int) (share, stride int) {
	t.Helper()
	switch s := os.Getenv("WEFT_SAMPLES"); s {
	case "":
		return 0, few
	case "all":
		return 0, 1
	default:
		if _, err := fmt.Sscanf(s, "%d/%d", &share, &stride); err != nil || share < 1 || share > stride {
			t.Fatalf("WEFT_SAMPLES is %q, want \"all\" or a share, as 3/16", s)
		}
		return share % stride, stride
	}
}

// chosen returns which samples a test runs on the default executor.
func chosen(t testing.TB, few int) (share, stride int) {
	t.Helper()
	switch {
	case onDevice():
		return Share(t, few)
	case race.Enabled:
		return 0, 8
	}
	return 0, 1
}

// Of returns the samples that a test runs on the default executor: all on a processor; on a device
// one of few, or those that WEFT_SAMPLES names.
func Of[S any](t testing.TB, all []S, few int) []S {
	t.Helper()
	share, stride := chosen(t, few)
	if stride == 1 {
		return all
	}
	var out []S
	for i := share; i < len(all); i += stride {
		out = append(out, all[i])
	}
	return out
}

// Named returns a function that reports whether the test runs the sample with a name. It chooses
// as many as [Of] does, by name only, so that samples may come in any order, such as that of a
// map.
func Named(t testing.TB, few int) func(name string) bool {
	t.Helper()
	share, stride := chosen(t, few)
	return func(name string) bool {
		h := fnv.New32a()
		h.Write([]byte(name))
		return int(h.Sum32()%uint32(stride)) == share
	}
}

// Whole reports whether Of returns all samples, so that a test can demand what they cover together.
func Whole() bool {
	if onDevice() {
		return os.Getenv("WEFT_SAMPLES") == "all"
	}
	return !race.Enabled
}

// Thorough reports whether tests run all cases of sweeps that take long, and not every few: where WEFT_GOLDEN names
// the golden data, or WEFT_REQUIRE is set, as .ci/run sets it.
func Thorough() bool {
	_, required := os.LookupEnv("WEFT_REQUIRE")
	return required || goldenfile.Dir() != ""
}

func onDevice() bool { return runtime.Default().Memory() != runtime.Host }
