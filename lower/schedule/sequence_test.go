package schedule

import (
	"fmt"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/core/prim/matrices"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/ir"
)

// callOf returns a call of an operation on operands of some types.
func callOf(p core.Primitive, in ...core.ShapedArray) *fuse.Call {
	b := jaxpr.NewBuilder()
	var atoms, outs []jaxpr.Atom
	for _, a := range in {
		atoms = append(atoms, b.Input(a))
	}
	for _, v := range b.Eqn(p, atoms...) {
		outs = append(outs, v)
	}
	return &fuse.Call{Eqn: b.Build(outs...).Eqns[0]}
}

// text returns the kernels of a sequence in order.
func text(n *Sequence) string {
	if n == nil {
		return "none"
	}
	var words []string
	for _, w := range n.Work {
		switch k := w.Kernel.(type) {
		case nil:
			words = append(words, "copy")
		case *ir.Kernel:
			words = append(words, k.Name)
		case *SortMerge:
			words = append(words, fmt.Sprint("merge ", k.Width))
		case *RadixCount:
			words = append(words, fmt.Sprint("count ", k.Shift))
		case *RadixPlace:
			words = append(words, fmt.Sprint("place ", k.Shift))
		default:
			words = append(words, strings.ToLower(strings.TrimPrefix(fmt.Sprintf("%T", k), "*schedule.")))
		}
	}
	return strings.Join(words, ", ")
}

// Sorts are tiles and merges, or digits where the device finds these faster; rows without
// elements are left to the reference.
func TestSortSequences(t *testing.T) {
	f32 := func(n ...int) core.ShapedArray { return core.Aval(core.Float32, n...) }
	sort := indexed.SortP{Dimension: 1, NumKeys: 1, Stable: true}
	for _, c := range []struct {
		name string
		call *fuse.Call
		d    Device
		want string
	}{
		{"no element", callOf(sort, f32(3, 0)), Device{}, "none"},
		{"no row", callOf(sort, f32(0, 3)), Device{}, "none"},
		{"one element", callOf(sort, f32(3, 1)), Device{}, "sort_keys, sorttiles, sort_take"},
		{"a tile", callOf(sort, f32(3, SortTile)), Device{}, "sort_keys, sorttiles, sort_take"},
		{"three tiles", callOf(sort, f32(1, 3000)), Device{}, "sort_keys, sorttiles, merge 1024, merge 2048, sort_take"},
		{"below the digits", callOf(sort, f32(1, 3000)), Device{Digits: 3001}, "sort_keys, sorttiles, merge 1024, merge 2048, sort_take"},
		{"digits", callOf(sort, f32(1, 3000)), Device{Digits: 3000}, "count 0, radixsum, place 0, count 8, radixsum, place 8, count 16, radixsum, place 16, count 24, radixsum, place 24"},
		{"digits of bytes", callOf(sort, core.Aval(core.Int8, 1, 3000)), Device{Digits: 1}, "count 0, radixsum, place 0"},
		{"digits of bf16", callOf(sort, core.Aval(core.BFloat16, 1, 3000)), Device{Digits: 1}, "count 16, radixsum, place 16, count 24, radixsum, place 24"},
		{"with an operand", callOf(sort, f32(1, 3000), f32(1, 3000)), Device{}, "sort_keys, sorttiles, merge 1024, merge 2048, sort_take, sort_take"},
		{"with two operands, by digits", callOf(sort, core.Aval(core.Uint8, 1, 50), f32(1, 50), f32(1, 50)), Device{Digits: 1}, "count 0, radixsum, place 0, sort_take, sort_take"},
		{"top_k", callOf(indexed.TopKP{K: 2, Axis: 0}, f32(3)), Device{}, "sort_keys, sorttiles, sort_take, sort_positions"},
		{"a barrier", callOf(prim.OptimizationBarrierP{}, f32(3), f32(0)), Device{}, "copy, copy"},
		{"what devices lack", callOf(matrices.EighP{}, f32(3, 3)), Device{}, "none"},
		{"one block", callOf(matrices.CholeskyP{}, f32(3, 64, 64)), Device{}, "cholesky"},
		{"two blocks", callOf(matrices.CholeskyP{}, f32(65, 65)), Device{}, "copy, zeros, cholesky, solve, lower, cholesky, choleskyend"},
		{"a system", callOf(matrices.TriangularSolveP{LeftSide: true}, f32(64, 64), f32(64, 3)), Device{}, "solve"},
		{"two blocks of unknowns", callOf(matrices.TriangularSolveP{LeftSide: true}, f32(65, 65), f32(65, 3)), Device{}, "copy, solve, lower, solve"},
		{"LU in one block", callOf(matrices.LUP{}, f32(3, 64, 40)), Device{}, "eliminate, permutation"},
		{"LU of two panels", callOf(matrices.LUP{}, f32(65, 40)), Device{}, "copy, eliminate, rowswaps, solve, lower, eliminate, rowswaps, permutation"},
		{"LU without columns", callOf(matrices.LUP{}, f32(65, 0)), Device{}, "permutation"},
		{"QR of one panel", callOf(matrices.GeqrfP{}, f32(3, 64, 32)), Device{}, "reflect"},
		{"QR of two panels", callOf(matrices.GeqrfP{}, f32(64, 33)), Device{}, "matrixcopy, reflect, panelfactor, panelproduct, panelproduct, panelproduct, reflect"},
		{"QR of few rows", callOf(matrices.GeqrfP{}, f32(3, 4)), Device{}, "matrixcopy, reflect, panelfactor, panelproduct, panelproduct, panelproduct"},
		{"QR with pivots", callOf(matrices.QRP{Pivoting: true}, f32(3, 3)), Device{}, "none"},
		{"the identity", callOf(matrices.QRP{Full: true}, f32(3, 0)), Device{}, "identity"},
		{"exchanges", callOf(matrices.LUPivotsToPermutationP{Size: 4}, core.Aval(core.Int32, 3)), Device{}, "permutation"},
		{"little shared memory", callOf(matrices.TriangularSolveP{LeftSide: true}, f32(64, 64), f32(64, 3)), Device{Shared: 16 << 10}, "copy, solve, lower, solve"},
	} {
		if got := text(SequenceOf(c.call, c.d)); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

// Groups that eliminate columns have a power of two of threads, and no more than the device permits.
func TestEliminators(t *testing.T) {
	for group, want := range map[int]int{0: 512, 128: 128, 384: 256, 1024: 512} {
		got := 0
		for _, w := range SequenceOf(callOf(matrices.LUP{}, core.Aval(core.Float32, 300, 300)), Device{Group: group}).Work {
			if k, ok := w.Kernel.(*Eliminate); ok {
				got = max(got, k.Threads)
			}
		}
		if got != want {
			t.Errorf("groups of %d threads: got %d threads, want %d", group, got, want)
		}
	}
}

// Tiles, groups and counts of a sort by digits cover its rows.
func TestRadixCovers(t *testing.T) {
	for _, rows := range []int64{1, 3, 2000} {
		for _, n := range []int64{1, 256, 5000, 1 << 20, 1 << 26} {
			r := &Radix{Element: 4, Rows: rows, N: n}
			tiles, each, groups := r.Tiles()
			if tiles*r.Tile() < n || (tiles-1)*r.Tile() >= n || groups*each < tiles || (groups-1)*each >= tiles {
				t.Errorf("%d rows of %d: got %d tiles of %d, %d of them for each of %d groups", rows, n, tiles, r.Tile(), each, groups)
			}
			if groups > 1 && rows*groups > MostGroups {
				t.Errorf("%d rows of %d: got %d groups, want at most %d", rows, n, rows*groups, MostGroups)
			}
			if byGroup, byRow := r.Counts(); byGroup != rows*groups*RadixDigits || byRow != rows*RadixDigits {
				t.Errorf("%d rows of %d: got %d and %d counts", rows, n, byGroup, byRow)
			}
		}
	}
}

// Blocks of a matrix share kernels: a matrix of twice as many rows has more launches, and no more than a few kernels.
func TestBlocksShareKernels(t *testing.T) {
	for _, c := range []struct {
		p    core.Primitive
		most int
	}{{matrices.CholeskyP{}, 8}, {matrices.TriangularSolveP{LeftSide: true}, 6}, {matrices.LUP{}, 20}, {matrices.QRP{}, 20}} {
		before := 0
		for _, n := range []int{1024, 2048} {
			in := []core.ShapedArray{core.Aval(core.Float32, n, n)}
			if _, ok := c.p.(matrices.TriangularSolveP); ok {
				in = append(in, in[0])
			}
			s := SequenceOf(callOf(c.p, in...), Device{})
			kernels := map[Kernel]bool{}
			for _, w := range s.Work {
				kernels[w.Kernel] = true
			}
			if len(kernels) > c.most || len(s.Work) < 3*before/2 {
				t.Errorf("%s of %d rows: %d launches of %d kernels, want %d kernels at most, and %d launches at least", c.p.Name(), n, len(s.Work), len(kernels), c.most, 3*before/2)
			}
			before = len(s.Work)
			t.Logf("%s of %d rows: %d launches of %d kernels", c.p.Name(), n, len(s.Work), len(kernels))
		}
	}
}
