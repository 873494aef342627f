package schedule

import "github.com/weft-go/weft/lower/scalar"

// A Sort is the stable sort of rows of keys, each with the number of its element. Keys are
// unsigned integers with the order of the elements. Rows are sorted in tiles by groups, and
// sorted runs are merged until one is left.
type Sort struct {
	Key     scalar.Type // U32 or U64
	Rows, N int64
}

// SortTile is the number of elements of a tile. Groups make a sorted run of each tile.
const SortTile = 1024

// The kernels of a sort, which read keys and element numbers, and write them.
type (
	// SortTiles sorts tiles.
	SortTiles struct{ Sort }
	// SortMerge merges neighbouring runs of Width elements.
	SortMerge struct {
		Sort
		Width int64
	}
)

// Kernels returns the kernels of the sort. Each reads the results of the previous kernel.
func (s Sort) Kernels() []Kernel {
	ks := []Kernel{&SortTiles{s}}
	for width := int64(SortTile); width < s.N; width *= 2 {
		ks = append(ks, &SortMerge{s, width})
	}
	return ks
}
