package fuse

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/irpass"
)

// A tiledKernel is a kernel whose grid may be divided among tiles.
type tiledKernel struct {
	kernel *ir.Kernel // the kernel as it runs on tiles; nil: it cannot
	points int        // of the grid
	each   []int      // by buffer; n > 0: point p accesses the n elements from p·n on; 0: it accesses others; −1: nothing accesses the buffer
}

// divided returns what the points of a kernel's grid access.
func (b *tiler) divided(k *ir.Kernel) *tiledKernel {
	if d := b.kernels[k]; d != nil {
		return d
	}
	d := &tiledKernel{points: 1}
	b.kernels[k] = d
	if irpass.Segment(k) != k {
		return d
	}
	if k = irpass.OneBox(k); k == nil || irpass.Segment(k) != k {
		return d
	}
	b.kernels[k] = d
	extent := make([]int, k.Axes)
	for _, g := range k.Grid {
		extent[g.Axis] = int(g.Extent.Value)
		d.points *= int(g.Extent.Value)
	}
	k.Body.Walk(func(s ir.Stmt) {
		switch s := s.(type) {
		case *ir.Loop:
			extent[s.Axis] = int(s.Extent.Value)
		case *ir.Reduce:
			extent[s.Axis] = int(s.Extent.Value)
		case *ir.Cumulate:
			extent[s.Axis] = int(s.Extent.Value)
		}
	})
	scale := make([]int, k.Axes) // by axis of the grid: the factor of its index in the number of a point
	n := 1
	for i := len(k.Grid) - 1; i >= 0; i-- {
		scale[k.Grid[i].Axis] = n
		n *= extent[k.Grid[i].Axis]
	}
	d.kernel, d.each = k, make([]int, len(k.Buffers))
	for i := range d.each {
		d.each[i] = -1 // not accessed
	}
	access := func(a *ir.Access) {
		each := elementsOf(a, extent, scale)
		if old := d.each[a.Buffer]; old >= 0 && old != each {
			each = 0
		}
		d.each[a.Buffer] = each
	}
	k.Body.Walk(func(s ir.Stmt) {
		switch s := s.(type) {
		case *ir.Load:
			access(&s.At)
		case *ir.Store:
			access(&s.At)
		}
	})
	return d
}

// elementsOf returns n if point p of a grid accesses elements of a buffer from p·n up to (p+1)·n
// only, 0 if there is no such n.
func elementsOf(a *ir.Access, extent, scale []int) int {
	base, most, each := int(a.Offset.Value), 0, 0
	seen := make([]int, len(extent))
	for _, c := range a.Coords {
		if c.Mode != ir.Proved || c.Value != ir.NoRef {
			return 0
		}
		base += int(c.Stride.Value * c.Base.Value)
		for _, t := range c.Terms {
			seen[t.Axis] += int(c.Stride.Value * t.Coeff.Value)
		}
	}
	most = base
	for x, n := range seen {
		switch {
		case extent[x] < 2:
		case scale[x] == 0 && n < 0 || scale[x] > 0 && (n <= 0 || n%scale[x] != 0):
			return 0
		case scale[x] == 0:
			most += n * (extent[x] - 1)
		case each == 0:
			each = n / scale[x]
		case each*scale[x] != n:
			return 0
		}
	}
	if base < 0 || most >= each {
		return 0
	}
	return each
}

func (s *RowTiles) rows() int { return s.Items * s.Rows }

// launch returns how the grid of a launch is divided among tiles. ok is false if it cannot be: a tile
// may read only its own rows of members' values.
func (b *tiler) launch(l *Launch) (part RowTilePart, ok bool) {
	d := b.divided(l.Kernel)
	if d.kernel == nil {
		return part, false
	}
	all := b.step.rows()
	switch {
	case d.points%all == 0:
		part.Points = d.points / all
	case d.points > 1:
		for i, each := range d.each { // a point accesses several rows of each buffer
			n := int(d.kernel.Buffers[i].Len.Value)
			if each <= 0 || n%all != 0 || each%(n/all) != 0 {
				continue
			}
			share := each / (n / all)
			if (all+share-1)/share == d.points && (b.step.Items == 1 || b.step.Rows%share == 0) {
				part.Share = share
			}
		}
	}
	if part.Points == 0 && part.Share == 0 {
		return part, false
	}
	tiled := map[int]int{}
	for i, id := range l.Buffers {
		if id < 0 {
			return part, false
		}
		v := b.root(id)
		n := int(d.kernel.Buffers[i].Len.Value)
		row := n / all // elements of a row, if the launch accesses its own rows only
		own := d.each[i] > 0 && n%all == 0 && (part.Share == 0 && d.each[i]*part.Points == row || part.Share > 0 && d.each[i] == part.Share*row)
		if d.each[i] < 0 { // it is not accessed
			continue
		}
		_, made := b.tiled[v]
		if l.Kernel.Buffers[i].Role != ir.In && b.writers[v] > 1 {
			return part, false
		}
		if l.Kernel.Buffers[i].Role == ir.In {
			if made && !own {
				return part, false
			}
			continue
		}
		if !own {
			tiled[v] = 0
			continue
		}
		tiled[v] = row
	}
	unit := b.step.Unit
	if part.Share > 0 {
		unit = multiple(unit, part.Share)
	}
	if unit > b.step.Rows && b.step.Items > 1 {
		return part, false
	}
	b.step.Unit = unit
	for v, row := range tiled {
		if row > 0 {
			b.tiled[v] = row
		} else {
			b.whole[v] = true
		}
	}
	return part, true
}

// multiple returns the least common multiple.
func multiple(a, b int) int {
	x, y := a, b
	for y != 0 {
		x, y = y, x%y
	}
	return a / x * b
}

// product returns how a product is divided among tiles: by its rows, or by its contracted
// elements. ok is false if it cannot be.
func (b *tiler) product(s *Product) (part RowTilePart, ok bool) {
	if s.Tensor != core.Invalid || s.Pairs {
		return part, false
	}
	var made [2]bool
	for i, id := range s.In {
		_, made[i] = b.tiled[b.root(id)]
	}
	all, items, rows := s.batches()*s.M, b.step.Items, b.step.Rows
	if all == b.step.rows() && !made[1] && (s.M%rows == 0 || rows%s.M == 0 && !b.step.Sums && s.M%b.step.Unit == 0) &&
		(!made[0] || b.dense(s, 0, s.A.Outer, s.A.K, s.K, s.M)) {
		if s.M < rows {
			b.step.Items, b.step.Rows = items*(rows/s.M), s.M
		}
		b.tiled[b.root(s.Out)] = s.N
		b.work += rows * s.N * s.K
		return part, true
	}
	// The rows are contracted.
	if s.batches()*s.K != b.step.rows() || !made[0] && !made[1] || s.Chunk == 0 {
		return part, false
	}
	switch {
	case s.batches() < 2 || s.K != rows && (b.step.Sums || rows%s.K != 0 || s.K%b.step.Unit != 0):
		return part, false
	case made[0] && !b.dense(s, 0, s.A.K, s.A.Outer, s.M, s.K), made[1] && !b.dense(s, 1, s.B.K, s.B.Outer, s.N, s.K):
		return part, false
	}
	unit := min(multiple(b.step.Unit, s.Chunk), s.K)
	b.step.Items, b.step.Rows, b.step.Unit, b.step.Sums = s.batches(), s.K, unit, true
	b.whole[b.root(s.Out)] = true
	b.work += s.K * s.M * s.N
	return RowTilePart{Sum: true}, true
}

// dense reports whether the rows of operand i of a product follow each other without gaps. Rows
// lie row elements apart and contain n elements that are step apart; count rows are an item.
func (b *tiler) dense(s *Product, i, row, step, n, count int) bool {
	v := []ProductView{s.A, s.B}[i]
	elements := b.tiled[b.root(s.In[i])]
	if v.Offset != 0 || count > 1 && row != elements || (n-1)*step >= elements {
		return false
	}
	next := count * elements
	for d := len(s.Batch) - 1; d >= 0; d-- {
		if []int{s.Batch[d].A, s.Batch[d].B}[i] != next {
			return false
		}
		next *= s.Batch[d].N
	}
	return true
}
