package schedule

import "github.com/weft-go/weft/lower/ir"

// cost estimates the time of a kernel per point of its grid, in nanoseconds. It decides how the
// first run is divided, until the time has been measured.
type cost struct {
	kernel  *ir.Kernel
	symbols []int64
	vector  float64 // nanoseconds of a statement on four bytes of a vector
}

// Nanoseconds of one statement on one element, measured on an EPYC (Zen 5, 3.7 GHz) with data in
// the second cache by BenchmarkEstimates, over thirty programs from additions to normal samples.
// An estimate had better be too high: a call that is too long delays the garbage collector, and a
// further call costs 3 ns.
const (
	stridedCost = 0.35 // an element that is loaded or stored by itself: 0.30 to 0.46
	scalarCost  = 1.0  // outside of vectors: three or four cycles of latency
)

// unknownIterations is the assumed number of iterations of a While.
const unknownIterations = 100

// block returns the nanoseconds that the statements of b take. One statement takes `each` nanoseconds; axis is the
// axis along which the statements compute vectors, or none.
func (c cost) block(b ir.Block, each float64, axis ir.Axis) float64 {
	t := 0.0
	for _, s := range b {
		switch s := s.(type) {
		case *ir.Loop:
			n := float64(max(0, s.Extent.In(c.symbols)))
			if s.Kind == ir.Vector {
				t += n * c.block(s.Body, c.vector, s.Axis)
			} else {
				t += n * c.block(s.Body, each, axis)
			}
		case *ir.Reduce:
			inner, along := each, axis
			if s.Order != ir.Ordered {
				inner, along = c.vector, s.Axis
			}
			t += float64(max(0, s.Extent.In(c.symbols))) * (inner + c.block(s.Body, inner, along))
		case *ir.Cumulate:
			t += float64(max(0, s.Extent.In(c.symbols))) * (each + c.block(s.Body, each, axis) + c.block(s.Then, each, axis))
		case *ir.While:
			t += unknownIterations * (c.block(s.Cond, each, axis) + c.block(s.Body, each, axis))
		case *ir.If:
			t += max(c.block(s.Then, each, axis), c.block(s.Else, each, axis))
		case *ir.Apply:
			t += each * float64(len(c.kernel.Funcs[s.Func].Code))
		case *ir.Load:
			t += c.access(&s.At, each, axis)
		case *ir.Store:
			t += c.access(&s.At, each, axis)
		default:
			t += each
		}
	}
	return t
}

func (c cost) access(a *ir.Access, each float64, axis ir.Axis) float64 {
	if each == scalarCost || contiguous(a, axis, c.symbols) {
		return 2 * each
	}
	return stridedCost
}

// contiguous reports whether neighbours on an axis lie beside each other in memory, or at one
// place.
func contiguous(a *ir.Access, axis ir.Axis, symbols []int64) bool {
	stride := int64(0)
	for i := range a.Coords {
		c := &a.Coords[i]
		if c.Value != ir.NoRef {
			return false
		}
		for _, t := range c.Terms {
			if t.Axis == axis {
				stride += c.Stride.In(symbols) * t.Coeff.In(symbols)
			}
		}
	}
	return stride == 0 || stride == 1
}

// PerPoint returns the estimated nanoseconds of a kernel for a point of its grid, at least 1. They
// are 0 if they depend on symbols and these are nil.
func (m Processor) PerPoint(k *ir.Kernel, symbols []int64) float64 {
	if symbols == nil && symbolicLoops(k.Body) {
		return 0
	}
	c := cost{k, symbols, m.Statement}
	width := 4
	for _, b := range k.Buffers {
		width = max(width, b.Type.Size())
	}
	c.vector *= float64(width) / 4
	return max(1, c.block(k.Body, scalarCost, ir.NoAxis))
}

func symbolicLoops(b ir.Block) bool {
	symbolic := false
	b.Walk(func(s ir.Stmt) {
		switch s := s.(type) {
		case *ir.Loop:
			symbolic = symbolic || !s.Extent.IsConst()
		case *ir.Reduce:
			symbolic = symbolic || !s.Extent.IsConst()
		case *ir.Cumulate:
			symbolic = symbolic || !s.Extent.IsConst()
		}
	})
	return symbolic
}
