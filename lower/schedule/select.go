package schedule

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// A Select takes the K elements of each row whose keys are least, and among equal keys the first elements.
// For each digit of the keys, the most significant one first, groups count the digits of elements whose
// keys begin with the known digits of the K-th key, and one group finds the K-th key's next digit. When
// the whole key is known, groups count the elements with lesser keys and with equal keys, and write the
// taken elements in the order in which they lie. A sort of K elements puts them in the order of their keys.
type Select struct {
	Element scalar.Type  // of the elements in memory
	Key     *scalar.Prog // of an element: an unsigned integer
	Low     int          // the lowest bit that decides the order of keys
	High    int          // the bit above the highest one that does
	Rows, N int64
	K       int64 // at least 1, less than N

	Groups int64 // groups for all rows together, at most, but one for each row at least; 0: chosen by the sizes
}

// SelectTile is the number of neighbouring elements that the threads of a group load at once.
const SelectTile = 4 * RadixDigits

// leastSelected is the number of elements of a row from which selections take less time than sorts.
const leastSelected = 4096

// Tiles returns the numbers of tiles of a row, of tiles of a group, and of groups of a row.
func (s *Select) Tiles() (tiles, each, groups int64) {
	most := s.Groups
	if most == 0 {
		most = MostGroups
	}
	tiles = over(s.N, SelectTile)
	each = over(tiles, max(1, most/s.Rows))
	return tiles, each, over(tiles, each)
}

// A SelectLevel is a digit: bits Shift to Above−1 of the keys.
type SelectLevel struct{ Shift, Above int }

// The kernels of a selection. State is the digits of the K-th key so far, and how many elements are to be taken of those whose
// keys begin so.
type (
	// SelectCount takes elements and, after the first digit, known digits; it adds to counts by row and digit.
	SelectCount struct {
		*Select
		SelectLevel
	}
	// SelectDigit takes counts, and sets them to zero; it changes both parts of the state.
	SelectDigit struct {
		*Select
		SelectLevel
	}
	// SelectSides takes elements and the K-th keys; it writes how many elements are lesser and how many are equal, by row
	// and group.
	SelectSides struct{ *Select }
	// SelectPlace takes elements, state and the counts of SelectSides; it writes the keys of the taken elements and their numbers in the row.
	SelectPlace struct{ *Select }
)

// Levels returns the digits, the most significant one first.
func (s *Select) Levels() (all []SelectLevel) {
	for above := s.High; above > s.Low; {
		shift := max(above-RadixBits, s.Low)
		all = append(all, SelectLevel{shift, above})
		above = shift
	}
	return all
}

// selects reports whether the first k elements of rows are selected rather than sorted. Positions among the counts of all rows have 32 bits.
func (r rows) selects(k int) bool {
	return r.inner == 1 && r.n >= leastSelected && k >= 1 && int64(k) <= r.n/4 && r.outer*RadixDigits < 1<<31
}

// selected adds the kernels that find the greatest k elements of the operand's rows in IEEE 754's total order. It returns
// memory of their numbers in order, row by row.
func (n *Sequence) selected(in core.ShapedArray, r rows, k int) Slot {
	key := keyOf(in.DType, true)
	s := &Select{Element: scalar.Stored(in.DType), Key: key.Prog, Low: key.low, High: key.high, Rows: r.outer, N: r.n, K: int64(k)}
	x, counts := operand(0), n.Add(4*RadixDigits*s.Rows)
	known, left := n.Add(8*s.Rows), n.Add(4*s.Rows)
	_, _, groups := s.Tiles()
	sides := n.Add(8 * groups * s.Rows)
	n.Run(zeros(RadixDigits*s.Rows), counts)
	for i, l := range s.Levels() {
		memory := []Slot{x}
		if i > 0 {
			memory = append(memory, known)
		}
		n.Run(&SelectCount{s, l}, append(memory, counts)...)
		n.Run(&SelectDigit{s, l}, counts, known, left)
	}
	n.Run(&SelectSides{s}, x, known, sides)
	t := n.newSorter(key.Type(), s.Rows, s.K)
	n.Run(&SelectPlace{s}, x, known, left, sides, t.now.keys, t.now.places)
	t.sort(key.low, key.high, false)
	return t.now.places
}

// zeros returns the kernel that sets n numbers of type I32 to zero.
func zeros(n int64) *ir.Kernel {
	b := maker{ir.NewBuilder("zeros")}
	x := b.Buffer("x", ir.Out, scalar.I32, ir.Const(n))
	b.Store(access(x, 0, along(1, n, term(b.Grid(ir.Const(n)), 1))), b.Const(scalar.I32, 0))
	return b.Finish()
}
