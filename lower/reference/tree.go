package reference

import (
	"github.com/weft-go/weft/lower/reference/internal/block"
	"math/bits"
)

// A tree combines rows pairwise, neighbours first, in the order of a binary counter: after a row is pushed,
// combinations of equally many rows are combined; at the end the others, from the last on. It keeps at most as many
// rows as the number of pushed rows has binary digits.
type tree[A any] struct {
	f     *fold[A]
	width int
	stack []A
	top   int // rows on the stack
	count int // rows pushed
	loan  *block.Loan
}

// newTree returns a tree for at most n rows of the given width.
func newTree[A any](f *fold[A], n, width int) tree[A] {
	stack, l := block.Borrow[A](bits.Len(uint(n)) * width)
	return tree[A]{f: f, width: width, stack: stack, loan: l}
}

func (t *tree[A]) row(i int) []A { return t.stack[i*t.width : (i+1)*t.width] }

// next returns the row that push adds; the caller writes it.
func (t *tree[A]) next() []A { return t.row(t.top) }

// push adds the row that next returned, and combines combinations of equally many rows.
func (t *tree[A]) push() {
	t.top++
	t.count++
	for k := t.count; k&1 == 0; k >>= 1 {
		t.combine()
	}
}

// combine replaces the two rows on top by their combination.
func (t *tree[A]) combine() {
	t.top--
	t.f.into(t.row(t.top-1), t.row(t.top))
}

// result writes the combination of all rows to y and releases the memory.
func (t *tree[A]) result(y []A) {
	for t.top > 1 {
		t.combine()
	}
	copy(y, t.stack[:t.width])
	t.loan.Back()
}
