package irpass

import "github.com/weft-go/weft/lower/ir"

// A Device runs the points of a grid on many threads at once. Reductions are divided until the
// parts of all points keep it busy. A group of threads takes a part of a row, a thread a column
// of a part.
type Device struct{ Divider }

// A Divider reports whether an executor divides the reductions of a kernel itself, or runs it
// undivided on the whole device.
type Divider interface {
	Divides(k *ir.Kernel) bool
}

const (
	deviceRow     = 1 << 16 // elements of a row that is divided where one loop runs over it, at least
	deviceRows    = 1 << 17 // … where several loops do
	devicePart    = 1 << 12 // elements of a part of a row, at least
	deviceGroups  = 1 << 11 // parts of rows that keep the device busy
	deviceColumn  = 1 << 8  // elements of a column that is divided, at least
	deviceLines   = 1 << 5  // elements of a part of a column, at least
	deviceThreads = 1 << 18 // parts of columns that keep the device busy
)

func (d Device) whole(k *ir.Kernel) bool { return d.Divides(k) }

func (Device) special(s *splitter) bool { return nests(s) }

func (Device) rowPart(points, longest int64, loops int) (part, least int64) {
	if points >= deviceGroups/2 {
		return Processor{}.rowPart(points, longest, loops)
	}
	if least = deviceRow; loops > 1 {
		least = deviceRows
	}
	return enough(points, longest, devicePart, deviceGroups), least
}

func (Device) columnPart(points, longest, elems int64, blocks bool) int64 {
	least := int64(deviceLines)
	if blocks {
		least = ir.BlockSize
	}
	part := enough(points, longest, least, deviceThreads)
	if longest < max(deviceColumn, 2*part) {
		return 0
	}
	return part
}

func (Device) columnsInGrid() bool { return true }

// enough returns the number of elements of a part: the greatest power of two up to partElems with
// which the rows of n elements at all points have at least the given number of parts together, but
// no less than least, a power of two.
func enough(points, n, least, parts int64) int64 {
	elems := int64(partElems)
	for elems > least && points*((n+elems-1)/elems) < parts {
		elems /= 2
	}
	return elems
}
