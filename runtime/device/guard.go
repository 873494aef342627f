package device

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/simt"
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
				n += len(k.work) - 1
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
				n += len(k.work) - 1
			}
		case *fuse.Call:
			k := b.native(s)
			if k == nil {
				return 0, false
			}
			n += len(k.work)
		case *fuse.Sort:
			k := b.native(b.sortCall(s))
			if k == nil {
				return 0, false
			}
			n += len(k.work)
		case *fuse.Update:
			n += len(b.update(s).work)
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

// copyFunc returns the kernel that copies symbol 0 elements of a type.
func copyFunc(t scalar.Type) *simt.Func {
	b := maker{ir.NewBuilder("copy")}
	n := b.Symbol("n")
	x, y := b.Buffer("x", ir.In, t, n), b.Buffer("y", ir.Out, t, n)
	b.Vector(n, nil, func(i ir.Axis) {
		at := ir.Coord{Stride: ir.Const(1), Bound: n, Terms: []ir.Term{term(i, 1)}, Value: ir.NoRef}
		b.Store(access(y, 0, at), b.Load(access(x, 0, at), ir.NoRef))
	})
	return simt.Lower(b.Finish(), simt.Options{})
}

// state is the memory of a loop that runs on the device: the number of iterations that
// took place, an i32, and whether there are more, a byte.
const (
	stateBytes = 8
	stateLive  = 4
)

// advanceFunc returns the kernel that goes on with a loop: it takes the number of
// iterations, whether there were more so far, and the condition.
func advanceFunc() *simt.Func {
	b := maker{ir.NewBuilder("advance")}
	one := ir.Const(1)
	count := b.Buffer("count", ir.InOut, scalar.I32, one)
	live := b.Buffer("live", ir.InOut, scalar.Bool, one)
	test := b.Buffer("test", ir.In, scalar.Bool, one)
	load := func(i int) ir.Ref { return b.Load(access(i, 0), ir.NoRef) }
	more := b.op(scalar.OpAnd, scalar.Bool, load(live), load(test))
	b.Store(access(count, 0), b.op(scalar.OpAdd, scalar.I32, load(count), b.convert(scalar.I32, more)))
	b.Store(access(live, 0), more)
	return simt.Lower(b.Finish(), simt.Options{Mode: simt.PerThread, Threads: 32})
}

// choiceFunc returns the kernel that writes a guard for each branch of n: of the index, and
// of the guard of what they are part of.
func choiceFunc(index core.DType, n int) *simt.Func {
	b := maker{ir.NewBuilder("choose")}
	t := scalar.Stored(index)
	x := b.Buffer("index", ir.In, t, ir.Const(1))
	live := b.Buffer("live", ir.In, scalar.Bool, ir.Const(1))
	y := b.Buffer("guards", ir.Out, scalar.Bool, ir.Const(int64(n)))
	k := b.Load(access(x, 0), ir.NoRef)
	if t == scalar.U64 {
		k = b.op(scalar.OpMin, t, k, b.Const(t, uint64(n)))
	}
	k = b.convert(scalar.I64, k)
	k = b.op(scalar.OpMin, scalar.I64, b.op(scalar.OpMax, scalar.I64, k, b.Const(scalar.I64, 0)), b.Const(scalar.I64, uint64(n-1)))
	all := b.Load(access(live, 0), ir.NoRef)
	for i := range n {
		is := b.op(scalar.OpEq, scalar.Bool, k, b.Const(scalar.I64, uint64(i)))
		b.Store(access(y, int64(i)), b.op(scalar.OpAnd, scalar.Bool, is, all))
	}
	return simt.Lower(b.Finish(), simt.Options{Mode: simt.PerThread, Threads: 32})
}
