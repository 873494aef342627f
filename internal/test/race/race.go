// Package race tells tests whether the race detector runs. It allocates on its own, lets pools
// drop objects at random, and makes Go code some ten times as slow.
package race

import "testing"

// Few returns how many of n random cases a test runs: all, or a quarter under the race detector,
// at least one. The tests without the detector run all cases.
func Few(n int) int {
	if Enabled {
		return max(1, n/4)
	}
	return n
}

// Values skips a test under the race detector. The test compares values: it may run beside others and use
// executors with several threads, but what goroutines share is the subject of other tests, which run under the
// detector.
func Values(t testing.TB) {
	t.Helper()
	if Enabled {
		t.Skip("the test compares values: it runs without the race detector")
	}
}
