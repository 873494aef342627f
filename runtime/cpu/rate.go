package cpu

import (
	"math"
	"sync/atomic"
)

// rate is the measured time of a kernel for a point of its grid.
type rate struct{ bits atomic.Uint64 }

// get returns nanoseconds, 0 if nothing was measured yet.
func (r *rate) get() float64 {
	if r == nil {
		return 0
	}
	return math.Float64frombits(r.bits.Load())
}

// leastMeasured is the time in nanoseconds from which a call counts: reading the clock is a large
// part of a shorter time.
const leastMeasured = 500

// note takes the time of a call for a number of points into account. The call counts as at most
// twice as slow as the calls before, because it may have been interrupted.
func (r *rate) note(nanoseconds float64, points int64) {
	if nanoseconds < leastMeasured {
		return
	}
	each := nanoseconds / float64(points)
	if old := r.get(); old > 0 {
		each = old + (min(each, 2*old)-old)/4
	}
	r.bits.Store(math.Float64bits(each))
}
