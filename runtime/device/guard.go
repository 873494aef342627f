package device

import (
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/fuse"
)

// A loop whose length is on the device only, and branches, run without the host where
// their programs consist of few kernels: iterations are launched before it is known
// whether they take place, each kernel with a guard, a byte of memory that the condition
// clears; of branches all are launched, each with a guard of its own. The host reads how
// far a loop is after many iterations, not after each.

// mostLaunches bounds the launches of an iteration, and those of all branches, that are
// made whether or not they are needed.
const mostLaunches = 64

// onDevice reports whether a loop or branch of a plan that has no guard runs without the
// host for each iteration.
func (b *builder) onDevice(s *fuse.Loop) bool {
	if s.EndsByLane() || s.Kind == fuse.ScanLoop {
		return false // a scan needs no guard: its length is known
	}
	n := 0
	for _, q := range s.Plans {
		k, ok := b.quiet(q)
		if !ok {
			return false
		}
		n += k
	}
	return n <= mostLaunches
}

// isCounted reports whether a loop in registers runs without the host: its launches are known,
// and few.
func isCounted(s *fuse.RegisterLoop) bool { return s.Launches > 0 && s.Launches <= mostLaunches }

// quiet returns the number of launches of a plan; ok is false if the host takes part in
// its run.
func (b *builder) quiet(plan *fuse.Plan) (n int, ok bool) {
	for _, s := range plan.Steps {
		switch s := s.(type) {
		case *fuse.Launch:
			n++
			if k := b.divided(s); k != nil {
				n += len(k.Work) - 1
			}
		case *fuse.Transpose, *fuse.Attention:
			n++
		case *fuse.RegisterLoop:
			if !isCounted(s) {
				return 0, false
			}
			n += s.Launches + len(s.Copies) + len(s.Zero)
		case *fuse.Product, *fuse.Conv:
			n++
			if k := b.split(plan, s); k != nil {
				n += len(k.Work) - 1
			}
		case *fuse.Call:
			k := b.sequence(s)
			if k == nil {
				return 0, false
			}
			n += len(k.Work)
		case *fuse.Sort:
			k := b.sequence(b.sortCall(s))
			if k == nil {
				return 0, false
			}
			n += len(k.Work)
		case *fuse.Update:
			n += len(b.update(s).Work)
		case *fuse.Loop:
			times, inner := 1, 0
			switch s.Kind {
			case fuse.WhileLoop:
				return 0, false
			case fuse.ScanLoop:
				times = s.Eqn.Prim.(*jaxpr.Scan).Length
			}
			for _, q := range s.Plans {
				k, ok := b.quiet(q)
				if !ok {
					return 0, false
				}
				inner += k
				if n += min(times, mostQuiet) * k; n > mostQuiet {
					return n, true
				}
			}
			if s.Kind == fuse.CondCall && inner > mostLaunches {
				return 0, false // the host chooses
			}
		default:
			return 0, false
		}
	}
	return n, true
}

// mostQuiet is a number of launches from which the exact one does not matter.
const mostQuiet = 1 << 16

// The keys of functions that belong to no step.
type (
	copyKey    struct{ guarded, words bool }
	advanceKey struct{}
	choiceKey  struct{ step *fuse.Loop }
)

// state is the memory of a loop that runs on the device: the number of iterations that
// took place, an i32, and whether there are more, a byte.
const (
	stateBytes = 8
	stateLive  = 4
)
