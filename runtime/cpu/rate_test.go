package cpu

import (
	"testing"

	"github.com/weft-go/weft/lower/schedule"
)

// A launch is divided by the estimate until a call was measured, and by what was measured
// then; calls that were interrupted count for little.
func TestLaunchesAreDividedByMeasuredTime(t *testing.T) {
	l := launch{points: 1000, each: 1e3, threads: 2, rate: &rate{}}
	check := func(what string, threads int, chunk int64) {
		t.Helper()
		if n, c := l.divide(); n != threads || c != chunk {
			t.Errorf("%s: got %d threads and %d points a call, want %d and %d", what, n, c, threads, chunk)
		}
	}
	check("by the estimate", 2, 100)
	l.rate.note(100, 1) // too short to be measured
	check("after a short call", 2, 100)
	l.rate.note(1e6, 100)
	check("ten times the estimate", 2, 10)
	for range 40 {
		l.rate.note(1e3, 100)
	}
	check("little work", 1, min(1000, int64(schedule.CallTime/l.rate.get())))
	if r := l.rate.get(); r < 10 || r > 10.2 {
		t.Errorf("got %v ns a point after forty calls of 10", r)
	}
	l.rate.note(1e9, 100)
	if r := l.rate.get(); r > 13 {
		t.Errorf("got %v ns a point after an interrupted call, want at most a quarter more than 10", r)
	}
	l.rate = nil
	check("without measurement", 2, 100)
	l.points, l.each = 3, 1e6
	check("few large points", 2, 1)
}
