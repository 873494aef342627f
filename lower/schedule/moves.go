package schedule

import "github.com/weft-go/weft/lower/fuse"

// SortItem returns how many rows of n elements a thread sorts at a time.
func SortItem(rows, n int) int {
	const elements = 1 << 13
	return min(rows, max(1, elements/max(n, 1)))
}

// moved is about the number of elements that an item copies.
const moved = 1 << 16

// A Transpose describes how a transposition runs. The columns of the source are divided into
// strips, whose lines of the result stay in the cache until they are full, and strips into parts.
type Transpose struct {
	Threads int
	Strips  int // of columns
	Parts   int // of rows
	Rows    int // of a part
	Items   int // strips and parts of all batches
}

// StripColumns is the number of columns of a strip.
const StripColumns = 32

// TransposeOf plans a transposition for n threads.
func TransposeOf(s *fuse.Transpose, n int) Transpose {
	t := Transpose{Threads: n, Strips: over(s.Cols.N, StripColumns), Rows: max(1, min(s.Rows.N, moved/StripColumns))}
	t.Parts = over(s.Rows.N, t.Rows)
	t.Items = t.Strips * t.Parts
	for _, b := range s.Batch {
		t.Items *= b.N
	}
	if s.Rows.N*s.Cols.N < moved {
		t.Threads = 1
	}
	return t
}

// LeftParts returns the rows of an item that copies a product's left operand, and the
// contracted elements of a call.
func (p *Product) LeftParts() (rows, deep int) {
	rows = min(p.M, max(p.Lanes, moved/p.K/p.Lanes*p.Lanes))
	return rows, max(p.Lanes, 4*moved/rows/p.Lanes*p.Lanes)
}

// LongElements returns the contracted elements of a call that multiplies two vectors: the elements
// of both vectors take at most 3 MiB.
func (p *Product) LongElements() int {
	const bytes = 3 << 20
	return bytes / (2 * p.Size) / p.Long * p.Long
}
