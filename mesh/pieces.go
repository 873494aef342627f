package mesh

import (
	"iter"
	"slices"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/leaves"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/transforms"
)

// A Shard is a device's piece of an array.
type Shard struct {
	Device int   // its number in the mesh
	Start  []int // where the piece begins in the array, along each axis
	Piece  weft.Array
}

// Shards ranges over the devices of the mesh that this process runs, and their pieces of x, cut by
// the spec: of an array that is whole, or that Put has cut so. It never communicates. A process
// that has joined no job runs all devices. Copies are the same piece on several devices.
func Shards(m Mesh, s Spec, x weft.Array) iter.Seq[Shard] {
	defer leaves.NameOp("Shards")
	a := x.Value().Aval()
	piece := s.ir.Piece(m.ir, "the array", a)
	if p, ok := x.Value().(*transforms.Placed); ok {
		if !p.Lies(m.ir, s.ir) {
			core.Failf(core.ErrDevice, "the array %s, not as %v on %v; pass that mesh and spec, or cut it anew with mesh.Put", p.Describe(), s, m)
		}
		return placedShards(p.Current(""))
	}
	if on := dividedBy(x.Value()); on != nil {
		return dividedShards(m, s, x.Value().(*runtime.Array), on)
	}
	here := m.here()
	return func(yield func(Shard) bool) {
		for d := range m.Devices() {
			if !here(d) {
				continue
			}
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

// here returns a function that reports whether this process runs a device.
func (m Mesh) here() func(device int) bool { return m.among(transforms.PartsOf(m.ir.Axes)) }

// among returns a function that reports whether a device is in parts of the mesh's axes.
func (m Mesh) among(parts []*transforms.Part) func(device int) bool {
	return func(device int) bool {
		at := m.coordinates(device)
		for i, p := range parts {
			if k := at[m.ir.Axes[i].Name]; p != nil && (k < p.Lo || k >= p.Hi) {
				return false
			}
		}
		return true
	}
}

// own ranges over one device for each of the different pieces that this process has, in the order
// of the pieces.
func (m Mesh) own(s Spec) iter.Seq[int] {
	return func(yield func(int) bool) {
		here, names := m.here(), s.ir.Names()
		var first map[string]int // the coordinates of this process's first device
		for d := range m.Devices() {
			if !here(d) {
				continue
			}
			at := m.coordinates(d)
			if first == nil {
				first = at
			}
			copied := false // whether a device before has the piece
			for name, k := range at {
				copied = copied || k != first[name] && !slices.Contains(names, name)
			}
			if !copied && !yield(d) {
				return
			}
		}
	}
}

// starts returns the index, along each axis of an array, at which a device's piece begins.
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
