package schedule

import "github.com/weft-go/weft/lower/fuse"

// RowTiles describes how steps on row tiles run. A thread has memory for one tile of each local
// value, for what the products of a tile copy, and for the panels of an item's right operands.
type RowTiles struct {
	Rows   int // of a tile
	Tiles  int // of an item
	Split  bool
	Parts  []RowPart        // by step
	Local  map[int]RowValue // by id of a value
	Bytes  int              // of a thread's memory
	Shared int              // bytes of panels that all threads read
}

// RowPart describes how a step runs for a tile. Tile and Rest are nil if the step is a kernel.
type RowPart struct {
	Tile, Rest *RowProduct // for a tile, and for the last tile of an item if it has fewer rows
	Panels     Panels
	PanelsAt   int // offset of the panels in a thread's memory, or in the memory of all threads
	LeftAt     int // of a copy of the left operand, in a thread's memory
}

// RowProduct is the product of a tile.
type RowProduct struct {
	Step fuse.Product
	Plan *Product
}

// RowValue is where the tile of a local value lies: bytes from the start of a thread's memory,
// and the bytes of a row.
type RowValue struct{ At, Row int }

// Panels tells which products read panels of their right operand that are made once.
type Panels uint8

// The products that share panels.
const (
	OwnPanels   Panels = iota // none: each tile's product packs its operand by itself, or reads it where it lies
	ItemPanels                // the products of an item, on one thread
	SharedItems               // the products of an item, on any thread
	SharedAll                 // all products
	Constant                  // all products of all runs: the operand is a constant of the program
)

// leastTileRows is the number of rows from which the product of a tile runs at full speed.
const leastTileRows = 48

// tileRows returns the number of rows of a tile, given the bytes per row of the local values in
// use at once.
func tileRows(s *fuse.RowTiles, bytes int) int {
	rows := max(leastTileRows, rowBytes/max(bytes, 1), s.Unit)
	if rows >= s.Rows {
		return s.Rows
	}
	return min(s.Rows, over(over(s.Rows, over(s.Rows, rows)), s.Unit)*s.Unit)
}

// A RowPlanner plans steps on row tiles. A field that is nil leaves its decision to the planner; tests set them.
type RowPlanner struct {
	Rows    func(s *fuse.RowTiles) int                         // of a tile
	Product func(s *fuse.Product, m Processor) (plan *Product) // of a tile
}

// RowTilesOf plans steps on row tiles of a plan.
func (r RowPlanner) RowTilesOf(plan *fuse.Plan, s *fuse.RowTiles, m Processor) *RowTiles {
	t := &RowTiles{Local: map[int]RowValue{}}
	locals := localsOf(plan, s)
	if r.Rows != nil {
		t.Rows = r.Rows(s)
	} else {
		t.Rows = tileRows(s, mostAtOnce(locals, len(s.Steps)))
	}
	t.Tiles = over(s.Rows, t.Rows)
	t.Split = !s.Sums && s.Items < 4*m.Threads && m.Threads > 1
	t.take(place(locals, t.Rows))
	for _, l := range locals {
		for _, id := range l.ids {
			t.Local[id] = RowValue{l.at, l.row}
		}
	}
	for i, q := range s.Steps {
		var part RowPart
		if q, ok := q.(*fuse.Product); ok {
			part.Tile = r.product(q, s.Parts[i], t.Rows, m)
			if rest := s.Rows % t.Rows; rest > 0 {
				part.Rest = r.product(q, s.Parts[i], rest, m)
			}
			part.LeftAt = t.take(part.leftBytes())
			t.pack(&part, s, s.Parts[i].Sum, plan.Values[q.In[1]].Place == fuse.Const)
		}
		t.Parts = append(t.Parts, part)
	}
	return t
}

// take adds n bytes to each thread's memory and returns their offset.
func (t *RowTiles) take(n int) int {
	at := t.Bytes
	t.Bytes += aligned(n)
	return at
}

// product plans the product of a tile of the given number of rows, on one thread. In a sum over tiles the rows are
// the contracted elements.
func (r RowPlanner) product(q *fuse.Product, part fuse.RowTilePart, rows int, m Processor) *RowProduct {
	n := &RowProduct{Step: *q}
	n.Step.Batch = nil
	if part.Sum {
		n.Step.K = rows
	} else {
		n.Step.M = rows
	}
	if r.Product != nil {
		n.Plan = r.Product(&n.Step, m.On(1))
	} else {
		n.Plan = ProductOf(&n.Step, m.On(1))
	}
	return n
}

// leftBytes returns the bytes of the larger copy of the left operand: for the products Tile and Rest, either of
// which may have no copy.
func (p *RowPart) leftBytes() (n int) {
	for _, q := range []*RowProduct{p.Tile, p.Rest} {
		if q != nil {
			n = max(n, q.Plan.Left.Bytes)
		}
	}
	return n
}

// Scratch returns the bytes of scratch memory that each thread needs for the products of the part.
func (p *RowPart) Scratch() (n int) {
	for _, q := range []*RowProduct{p.Tile, p.Rest} {
		if q != nil {
			n = max(n, q.Plan.Scratch)
		}
	}
	return n
}

// pack decides whether the right operand of a product is packed once for many tiles.
func (t *RowTiles) pack(part *RowPart, s *fuse.RowTiles, sum, isConst bool) {
	p := part.Tile.Plan
	if sum || p.Pack == Direct || p.Few || p.Swapped {
		return
	}
	same := true
	for _, x := range s.Steps[len(t.Parts)].(*fuse.Product).Batch {
		same = same && x.B == 0
	}
	n := aligned(p.PackedBytes())
	share := func(n int) {
		part.PanelsAt = t.Shared
		t.Shared += n
	}
	switch {
	case same && isConst:
		part.Panels = Constant
	case same && (s.Items > 1 || t.Rows < s.Rows):
		part.Panels = SharedAll
		share(n)
	case t.Rows == s.Rows:
	case t.Split:
		part.Panels = SharedItems
		share(n * s.Items)
	default:
		part.Panels, part.PanelsAt = ItemPanels, t.take(n)
	}
}
