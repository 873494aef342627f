package schedule

// Calls divides the points of a launch, of the given nanoseconds each, into calls of at most about
// CallTime. It returns how many threads share them, 1 or n, and the points of a call.
func Calls(points int64, each float64, n int) (threads int, call int64) {
	threads = 1
	if points > 1 && each*float64(points) >= ParallelTime {
		threads = n
	}
	call = min(points, max(1, int64(CallTime/each)))
	if threads > 1 {
		// Four calls per thread even out the time that threads lose to other work.
		parts := int64(4 * threads)
		call = max(1, min(call, (points+parts-1)/parts))
	}
	return threads, call
}

// Part returns how many of the n elements of a running fold a call computes, a multiple of unit,
// given the nanoseconds that all of them take. The result 0 stands for all of them.
func Part(n, unit int64, nanoseconds float64) int64 {
	if nanoseconds < 2*CallTime {
		return 0
	}
	return max(unit, int64(float64(n)*CallTime/nanoseconds)/unit*unit)
}
