package irpass

import (
	"slices"
	"strconv"

	"github.com/weft-go/weft/lower/ir"
)

// Bounds of the division of a grid into boxes.
const (
	leastBoxed   = 1 << 14 // points times iterations of the longest loop, at least
	maxBoxes     = 9
	boxedRow     = 1 << 10 // iterations of the longest loop, at most
	leastOuter   = 32      // points that remain if the innermost dimension becomes a loop, at least
	maxInnerWork = 1 << 15 // iterations of that loop times those of the longest loop, at most
)

// Boxes returns kernels that together do what k does, for targets that run one point of a grid
// after the other. The grid is divided where comparisons of its axes with constants change: windows
// at the border of an array are separated from windows inside, which need no comparison. The
// innermost dimension of a grid with short loops becomes a loop within the point, so that the
// positions of a row are computed once.
func Boxes(k *ir.Kernel) []*ir.Kernel { return boxes(k, maxBoxes) }

// OneBox returns the kernel of Boxes if it is only one, else nil, in less time than Boxes takes for several.
func OneBox(k *ir.Kernel) *ir.Kernel {
	if out := boxes(k, 1); len(out) == 1 {
		return out[0]
	}
	return nil
}

// boxes returns the boxes of a kernel, or none if there are more than most.
func boxes(k *ir.Kernel, most int) []*ir.Kernel {
	total, row := int64(1), int64(1)
	ok := len(k.Symbols) == 0 && len(k.Grid) > 0
	for _, d := range k.Grid {
		total *= d.Extent.Value
	}
	stmts, loops := 0, 0
	k.Body.Walk(func(st ir.Stmt) {
		stmts++
		ok = ok && divisible(st)
		switch st := st.(type) {
		case *ir.Loop:
			loops++
			row = max(row, st.Extent.Value)
		case *ir.Reduce, *ir.Apply:
			ok = false
		}
	})
	if !ok || loops == 0 || total*row < leastBoxed || row > boxedRow {
		return []*ir.Kernel{k}
	}
	s := newSegmenter(k)
	divided := make([][]int64, len(k.Grid))
	boxes := 1
	for i, d := range k.Grid {
		divided[i] = s.gridCuts(d)
		if boxes*(len(divided[i])-1) > maxBoxes {
			divided[i] = []int64{0, d.Extent.Value}
		}
		boxes *= len(divided[i]) - 1
	}
	inner := len(k.Grid) - 1
	n := k.Grid[inner].Extent.Value
	loop := total/n >= leastOuter && n > 1 && n*row <= maxInnerWork
	if boxes*stmts > maxSegmentStmts || boxes == 1 && !loop {
		return []*ir.Kernel{k}
	}
	if boxes > most {
		return nil
	}
	var out []*ir.Kernel
	for b := range boxes {
		s.types = nil
		s.begin()
		grid := make([]ir.Dim, len(k.Grid))
		rest := b
		for i := inner; i >= 0; i-- {
			cuts := divided[i]
			at := rest % (len(cuts) - 1)
			rest /= len(cuts) - 1
			lo, hi := cuts[at], cuts[at+1]
			grid[i] = ir.Dim{Axis: s.take(k.Grid[i].Axis, lo, hi), Extent: ir.Const(hi - lo)}
		}
		body := s.block(k.Body)
		if d := grid[inner]; loop && d.Extent.Value > 1 {
			grid = grid[:inner]
			body = ir.Block{&ir.Loop{Axis: d.Axis, Extent: d.Extent, Kind: ir.Sequential, Body: body}}
		}
		q := Hoist(s.finish(grid, body))
		if boxes > 1 {
			q.Name += "_box" + strconv.Itoa(b)
		}
		out = append(out, q)
	}
	return out
}

// gridCuts returns where the parts of a dimension of the grid begin, and its end. There is at most
// one part before and one after the longest part in which no comparison changes.
func (s *segmenter) gridCuts(d ir.Dim) []int64 {
	n := d.Extent.Value
	cuts := []int64{0, n}
	s.k.Body.Walk(func(st ir.Stmt) {
		if l, ok := st.(*ir.Let); ok {
			if at, a, _, ok := s.comparison(l); ok && a == d.Axis && at > 0 && at < n {
				cuts = append(cuts, at)
			}
		}
	})
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	best := 0
	for i := range len(cuts) - 1 {
		if cuts[i+1]-cuts[i] > cuts[best+1]-cuts[best] {
			best = i
		}
	}
	return slices.Compact([]int64{0, cuts[best], cuts[best+1], n})
}
