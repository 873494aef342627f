package irpass

import "github.com/weft-go/weft/lower/ir"

// A Machine determines how Split divides long loops: a [Processor] or a [Device].
type Machine interface {
	// whole reports whether Split leaves a kernel as it is.
	whole(k *ir.Kernel) bool
	// special reports whether a kernel has a form that only this machine divides. If so, it sets
	// the body that is divided.
	special(s *splitter) bool
	// rowPart returns the number of elements of a part of a row, and the number from which on a
	// row is divided. There are points rows of up to longest elements, and the given number of
	// loops over each.
	rowPart(points, longest int64, loops int) (part, least int64)
	// columnPart returns the number of elements of a part of a column, 0 if columns are not
	// divided. points columns are up to longest elements long; a loop's vectors of columns take
	// elems elements at each step. A part is whole blocks of [ir.Lanes] if blocks is set.
	columnPart(points, longest, elems int64, blocks bool) int64
	// columnsInGrid reports whether columns that are divided are innermost points of the
	// grid, rather than a loop of each point.
	columnsInGrid() bool
}

// A Processor has a few threads, each of which runs one point of a grid after the other.
type Processor struct {
	Rows bool // sums of the columns of large matrices are divided into chunks of whole rows
}

const (
	partElems = 1 << 16 // elements of a part
	longRow   = 1 << 17 // … of a row that is divided if there are few rows and one loop runs over it, at least
	longRows  = 1 << 18 // … and several loops do, which then find less of it in the cache
	hugeRow   = 1 << 19 // … of a row that is always divided, at least
	fewRows   = 64      // rows below this number are few
)

// Columns are divided such that the parts of columns that are reduced side by side have at most
// columnElems elements together, but each at least leastPart.
const (
	columnElems = 1 << 20
	leastPart   = 1 << 12
)

func (Processor) whole(*ir.Kernel) bool { return false }

func (p Processor) special(s *splitter) bool { return p.Rows && s.rows() }

func (Processor) rowPart(points, longest int64, loops int) (part, least int64) {
	switch {
	case points >= fewRows:
		return partElems, hugeRow
	case loops == 1:
		return partElems, longRow
	}
	return partElems, longRows
}

func (Processor) columnPart(points, longest, elems int64, blocks bool) int64 {
	part := int64(partElems)
	for part > leastPart && part*elems > columnElems {
		part /= 2
	}
	if longest < 2*part && (longest <= part || longest*elems <= columnElems) {
		return 0
	}
	return part
}

func (Processor) columnsInGrid() bool { return false }
