package linalg

import (
	"unsafe"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// SmallSystemP is a step of executors: it solves a·x = b, f32 or f64, for many small matrices,
// which are factored with their right sides beside them. It has the bits of [prim.LUP], of the
// exchanges of b's rows and of the two triangular solves one after the other. b may be one
// matrix for all systems.
type SmallSystemP struct{}

// Name returns the name of the equation that has its result.
func (SmallSystemP) Name() string { return prim.TriangularSolveP{}.Name() }

// Abstract returns the type of the solutions.
func (SmallSystemP) Abstract(in []core.ShapedArray) []core.ShapedArray {
	r := in[0].Rank()
	batch, b := in[0].Shape.Slice(0, r-2), in[1].Shape
	return []core.ShapedArray{in[0].WithShape(core.MakeDims(append(batch.Ints(), b.Slice(b.Len()-2, b.Len()).Ints()...)...))}
}

// HasSmallSystem reports whether SmallSystemP saves time for systems with matrices a and m right
// sides.
func HasSmallSystem(a core.ShapedArray, m int) bool {
	return HasSymmetricRoot(a) && m > 0 && m <= 2*a.Shape.At(a.Rank()-1)
}

func smallSystems(y, a, b *block.Tensor) {
	if y.DType == core.Float32 {
		smallSystemsInto(&fieldF32, block.View[float32](y), block.View[float32](a), block.View[float32](b), y.Shape, pivotF32)
		return
	}
	smallSystemsInto(&fieldF64, block.View[float64](y), block.View[float64](a), block.View[float64](b), y.Shape, pivotF64)
}

func smallSystemsInto[A any](f *field[A], y, a, b []A, shape core.Dims, pivot func([]A) (at int, zero bool)) {
	n, m := shape.At(-2), shape.At(-1)
	s := smallSystem[A]{field: f, n: n, m: m, shared: len(b) < len(y), factor: luOf(n, n, pivot)}
	for len(y) > 0 {
		count := 1
		if s.inLanes(n, len(y)/(n*m)) {
			count = laneCount
		}
		rhs := b
		if !s.shared {
			rhs, b = b[:count*n*m], b[count*n*m:]
		}
		if count == 1 || !f.lanes.system(&s, y[:count*n*m], a[:count*n*n], rhs) {
			for i := range count {
				one := rhs
				if !s.shared {
					one = rhs[i*n*m : (i+1)*n*m]
				}
				s.alone(y[i*n*m:(i+1)*n*m], a[i*n*n:(i+1)*n*n], one)
			}
		}
		y, a = y[count*n*m:], a[count*n*n:]
	}
	s.give()
}

// A smallSystem solves systems of n equations with m right sides, which may be shared by all.
type smallSystem[A any] struct {
	*field[A]
	n, m   int
	shared bool
	factor func(f *field[A], in, out [][]A, ints [][]int32)
	// Memory for systems side by side: the matrices with their right sides, the matrices or the
	// solutions alone, and the right sides alone.
	t, compact, runs []A
	loans            []*block.Loan
}

func (s *smallSystem[A]) give() {
	for _, l := range s.loans {
		l.Back()
	}
}

// alone solves one system.
func (s *smallSystem[A]) alone(y, a, b []A) {
	n, m := s.n, s.m
	packed, l := block.Borrow[A](n*n + n*m)
	exchanged := packed[n*n:]
	packed = packed[:n*n]
	var pivots, perm [laneSize]int32
	s.factor(s.field, [][]A{a}, [][]A{packed}, [][]int32{nil, pivots[:n], perm[:n]})
	for i, from := range perm[:n] {
		copy(exchanged[i*m:(i+1)*m], b[int(from)*m:])
	}
	shape := core.MakeDims(n, m)
	solveInto(s.field, exchanged, packed, exchanged, shape, prim.TriangularSolveP{LeftSide: true, Lower: true, UnitDiagonal: true})
	solveInto(s.field, y, packed, exchanged, shape, prim.TriangularSolveP{LeftSide: true})
	l.Back()
}

// systemLanes solves systems side by side; false, with nothing done, if a matrix has a zero
// column at some step.
func systemLanes[A any](s *smallSystem[A], y, a, b []A) bool {
	n, m, o := s.n, s.m, s.lanes
	if s.t == nil {
		for _, part := range []struct {
			at   *[]A
			size int
		}{{&s.t, n * (n + m)}, {&s.compact, n * max(n, m)}, {&s.runs, n * m}} {
			x, l := o.runs(part.size)
			*part.at, s.loans = x, append(s.loans, l)
		}
		if s.shared {
			for i, v := range b[:n*m] {
				block.FillRun(s.runs[i*laneCount:(i+1)*laneCount], v)
			}
		}
	}
	// The rows of t are those of the matrices and of the right sides.
	row := (n + m) * laneCount
	o.toLanes(s.compact, a, n*n)
	for i := range n {
		copy(s.t[i*row:], s.compact[i*n*laneCount:(i+1)*n*laneCount])
	}
	if !s.shared {
		o.toLanes(s.runs, b, n*m)
	}
	for i := range n {
		copy(s.t[i*row+n*laneCount:], s.runs[i*m*laneCount:(i+1)*m*laneCount])
	}
	var pivots [laneSize * laneCount]int32
	step := laneCount * block.ElementBytes[A]()
	last, unknown := (n-1)*row+(n-1)*laneCount, (n-1)*row+n*laneCount
	for l := 0; l < laneCount; l += o.width {
		if !o.eliminate(unsafe.Pointer(&s.t[l]), n, n+m, unsafe.Pointer(&pivots[l])) {
			return false
		}
		o.substitute(unsafe.Pointer(&s.t[last+l]), -(n+m)*step, -step, unsafe.Pointer(&s.t[unknown+l]), -(n+m)*step, step, n, m, 0)
	}
	for i := range n {
		copy(s.compact[i*m*laneCount:(i+1)*m*laneCount], s.t[i*row+n*laneCount:])
	}
	o.fromLanes(y, s.compact, n*m, canonLanes)
	return true
}
