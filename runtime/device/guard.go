package device

import (
	"slices"

	"github.com/weft-go/weft/lower/fuse"
)

// On a device whose graphs have no loops, a loop whose length only the device knows, and branches, run without the host if their
// programs consist of few kernels. Iterations are launched before it is known whether they take place, each kernel with a guard,
// a byte of memory that the condition clears. All branches are launched, each with a guard of its own. The host reads whether a
// loop has ended after batches of iterations, not after each.

// mostLaunches bounds the launches of an iteration, and those of all branches, that are
// made whether or not they are needed.
const mostLaunches = 64

// quiet returns the number of launches of a plan; ok is false if the host takes part in
// its run.
func (b *builder) quiet(plan *fuse.Plan) (n int, ok bool) {
	for _, s := range plan.Steps {
		k, ok := b.task(plan, s).launches(b)
		if !ok {
			return 0, false
		}
		n += k
	}
	return n, true
}

// conditional reports whether a plan, or one in its loops, has branches or a loop that ends by a condition.
func conditional(plan *fuse.Plan) bool {
	return slices.ContainsFunc(plan.Steps, func(s fuse.Step) bool {
		switch s := s.(type) {
		case *fuse.RegisterLoop:
			return !isCounted(s)
		case *fuse.Loop:
			if s.Kind != fuse.ScanLoop {
				return true
			}
		}
		return slices.ContainsFunc(s.Inner(), conditional)
	})
}

// mostQuiet is a number of launches above which the exact number does not matter.
const mostQuiet = 1 << 16

// The keys of functions that the device runs beside those of steps: copies, the counting of iterations,
// and the choice of a branch.
type (
	copyKey    struct{ guarded, words bool }
	advanceKey struct{}
	choiceKey  struct{ step *fuse.Loop }
)

// The memory of a loop that runs on the device: an i32, the number of iterations that took
// place, and at stateLive a byte that is 1 if there are more.
const (
	stateBytes = 8
	stateLive  = 4
)
