package pjrt

import (
	"crypto/sha256"
	"fmt"
	goruntime "runtime"
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/runtime/internal/codecache"
)

// layout is how an array is cut among the devices of a group. A group has one copy of each layout that
// is in use, so layouts are compared by address.
type layout struct {
	mesh jaxpr.Mesh
	spec jaxpr.Spec // without the last axes that are not cut
}

func (g *group) layout(m jaxpr.Mesh, s jaxpr.Spec) *layout {
	for len(s) > 0 && len(s[len(s)-1]) == 0 {
		s = s[:len(s)-1]
	}
	key := codecache.Key(sha256.Sum256(fmt.Append(nil, jaxpr.Mesh{Axes: m.Axes}, s)))
	if l := g.layouts.Get(key); l != nil {
		return l
	}
	l := &layout{jaxpr.Mesh{Axes: m.Axes}, s}
	goruntime.AddCleanup(l, g.layouts.Forget, key)
	return g.layouts.Add(key, l)
}

// whole returns the layout of arrays of which each device has a copy.
func (g *group) whole() *layout {
	return g.layout(jaxpr.Mesh{Axes: []jaxpr.MeshAxis{{Name: "devices", Size: len(g.devices)}}}, nil)
}

func (l *layout) piece(a core.ShapedArray) (t core.ShapedArray, err error) {
	err = core.Catch(func() { t = l.spec.Piece(l.mesh, "the array", a) })
	return t, err
}

func sizeOf(m jaxpr.Mesh) int {
	n := 1
	for _, a := range m.Axes {
		n *= a.Size
	}
	return n
}

func coordinates(m jaxpr.Mesh, device int) []int {
	at := make([]int, len(m.Axes))
	for i := len(m.Axes) - 1; i >= 0; i-- {
		at[i] = device % m.Axes[i].Size
		device /= m.Axes[i].Size
	}
	return at
}

// start returns where the piece of a device begins, in an array whose pieces have type p.
func (l *layout) start(p core.ShapedArray, device int) []int {
	at := coordinates(l.mesh, device)
	out := make([]int, p.Rank())
	for i, names := range l.spec {
		k := 0
		for _, name := range names {
			a := slices.IndexFunc(l.mesh.Axes, func(x jaxpr.MeshAxis) bool { return x.Name == name })
			k = k*l.mesh.Axes[a].Size + at[a]
		}
		out[i] = k * p.Shape.At(i)
	}
	return out
}

// eachRow calls f for each row of a piece, with its offset in the whole array, its offset in the piece
// and its length, all in bytes.
func eachRow(a, p core.ShapedArray, start []int, f func(whole, piece, n int)) {
	size := a.DType.Size()
	if p.Size() == 0 || size == 0 {
		return
	}
	rank := a.Rank()
	if rank == 0 {
		f(0, 0, size)
		return
	}
	n := p.Shape.At(rank-1) * size
	index := make([]int, rank-1)
	for at := 0; at < p.Size()*size; at += n {
		whole := 0
		for i := range rank {
			k := start[i]
			if i < rank-1 {
				k += index[i]
			}
			whole = whole*a.Shape.At(i) + k
		}
		f(whole*size, at, n)
		for i := rank - 2; i >= 0; i-- {
			if index[i]++; index[i] < p.Shape.At(i) {
				break
			}
			index[i] = 0
		}
	}
}
