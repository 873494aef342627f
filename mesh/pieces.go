package mesh

import (
	"iter"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/leaves"
)

// A Shard is a device's piece of an array.
type Shard struct {
	Device int   // its number in the mesh
	Start  []int // where the piece begins in the array, along each axis
	Piece  weft.Array
}

// Shards ranges over the devices of the mesh and their pieces of x, cut by the spec. Copies are
// the same piece on several devices.
func Shards(m Mesh, s Spec, x weft.Array) iter.Seq[Shard] {
	defer leaves.NameOp("Shards")
	a := x.Value().Aval()
	piece := s.ir.Piece(m.ir, "the array", a)
	return func(yield func(Shard) bool) {
		for d := range m.Devices() {
			start := starts(m, s, piece, d)
			index := make([]any, len(start))
			for i, lo := range start {
				index[i] = weft.R(lo, lo+piece.Shape.At(i))
			}
			if !yield(Shard{Device: d, Start: start, Piece: x.Index(index...)}) {
				return
			}
		}
	}
}

// starts returns where a device's piece begins.
func starts(m Mesh, s Spec, piece core.ShapedArray, device int) []int {
	at := m.coordinates(device)
	out := make([]int, piece.Rank())
	for i := range out {
		k := 0
		if i < len(s.ir) {
			for _, name := range s.ir[i] {
				n, _ := m.ir.Size(name)
				k = k*n + at[name]
			}
		}
		out[i] = k * piece.Shape.At(i)
	}
	return out
}
