package schedule

import "github.com/weft-go/weft/lower/scalar"

// A Radix is the stable sort of rows of elements by the digits of their keys, the least
// significant one first. A digit takes three kernels: groups count the digits in their
// tiles of a row; the counts are summed up over the groups; groups sort their tiles by the
// digit and write them where they belong. Groups of one kernel do not wait for each other.
type Radix struct {
	Element scalar.Type  // of the elements in memory
	Key     *scalar.Prog // of an element: an unsigned integer in whose order elements are sorted
	Low     int          // the lowest bit that decides the order of keys
	High    int          // the bit above the highest one that does
	Payload scalar.Type  // of the value that moves with an element; NoType: none
	Numbers bool         // payloads are I32; at first they are the elements' numbers in their rows
	Rows, N int64

	Items  int64 // elements of a tile for each thread; 0: chosen by the sizes
	Groups int64 // groups for all rows together, at most, but one for each row at least; 0: chosen by the sizes
}

// Sizes of sorts by digits.
const (
	RadixBits   = 8
	RadixDigits = 1 << RadixBits // a group has a thread for each
	MostGroups  = 1056           // that a large device runs at once
	radixMemory = 36 << 10       // bytes of a tile
)

// Each returns the number of elements of a tile for each thread.
func (r *Radix) Each() int64 {
	if r.Items != 0 {
		return r.Items
	}
	bytes := int64(r.Element.Size())
	if r.Payload != scalar.NoType {
		bytes += int64(r.Payload.Size())
	}
	k := int64(16)
	for k > 4 && (k*RadixDigits*bytes > radixMemory || r.Rows*((r.N+k*RadixDigits-1)/(k*RadixDigits)) < MostGroups/4) {
		k /= 2
	}
	return k
}

// Tile returns the number of elements of a tile.
func (r *Radix) Tile() int64 { return r.Each() * RadixDigits }

// Tiles returns the numbers of tiles of a row, of tiles of a group, and of groups of a row.
func (r *Radix) Tiles() (tiles, each, groups int64) {
	most := r.Groups
	if most == 0 {
		most = MostGroups
	}
	tiles = (r.N + r.Tile() - 1) / r.Tile()
	each = min((r.Rows*tiles+most-1)/most, tiles)
	return tiles, each, (tiles + each - 1) / each
}

// Counts returns the numbers of counts, of I32, between the kernels: of digits by group, and
// of digits by row.
func (r *Radix) Counts() (byGroup, byRow int64) {
	_, _, groups := r.Tiles()
	return r.Rows * RadixDigits * groups, r.Rows * RadixDigits
}

// The kernels of a digit, which begins at bit Shift of the keys.
type (
	// RadixCount takes elements, and writes counts by group.
	RadixCount struct {
		*Radix
		Shift int
	}
	// RadixSum replaces each count of a group by the sum of the counts of the groups before it, and writes counts by
	// row.
	RadixSum struct{ *Radix }
	// RadixPlace takes elements, payloads if there are any and Fresh is false, and both counts; it
	// writes elements and payloads.
	RadixPlace struct {
		*Radix
		Shift int
		Fresh bool // the payloads are the elements' numbers, which it computes
	}
)

// A RadixPass is the three kernels of one digit.
type RadixPass struct {
	Count *RadixCount
	Sum   *RadixSum // one for all passes
	Place *RadixPlace
}

// Passes returns the kernels of the sort by digit, the least significant one first.
func (r *Radix) Passes() (all []RadixPass) {
	sum := &RadixSum{r}
	for shift := r.Low; shift < r.High; shift += RadixBits {
		all = append(all, RadixPass{&RadixCount{r, shift}, sum, &RadixPlace{r, shift, r.Numbers && shift == r.Low}})
	}
	return all
}
