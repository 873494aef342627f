// Package mesh runs a function on each device of a mesh: on many devices at once, each of which has
// its piece of the data.
//
//	m := mesh.New(mesh.Axis("data", 2), mesh.Axis("model", 2))
//	mlp := mesh.ShardMap(func(x, up, down weft.Array) weft.Array {
//		return lax.Psum(nn.Gelu(x.MatMul(up)).MatMul(down), "model")
//	}, m, mesh.In(mesh.P("data"), mesh.P(nil, "model"), mesh.P("model")), mesh.Out(mesh.P("data")))
//
// The function is written for one device. Its arguments are cut into pieces, its results joined,
// and the collectives of package lax (Psum, AllGather, Ppermute, …) communicate along the axes of
// the mesh. ShardMap nests with Jit, Grad, Vmap, Scan, Cond and Remat, inside and outside of it.
//
// In one process all devices of the mesh are one program, which any executor runs. The mesh decides
// the bits of a result: they are the same however its devices are divided among processes ([Run]) and
// places ([RunOn]). On devices of XLA ([Mesh.On]) the bits may be others.
package mesh

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/transforms"
)

// Mesh is an arrangement of devices along named axes.
type Mesh struct {
	ir jaxpr.Mesh
	on runtime.Divided // the executor whose devices On has set; nil for none
}

// NamedAxis is an axis of a mesh.
type NamedAxis struct{ axis jaxpr.MeshAxis }

// Axis returns an axis along which there are size devices.
func Axis(name string, size int) NamedAxis { return NamedAxis{jaxpr.MeshAxis{Name: name, Size: size}} }

// maxDevices bounds the devices of a mesh, each of which has a row in memory.
const maxDevices = 1 << 20

// New returns the mesh with the given axes. Devices are numbered along the last axis first. Sums
// over several axes add up along the last one first.
func New(axes ...NamedAxis) Mesh {
	var m Mesh
	n := 1
	for _, a := range axes {
		name, size := a.axis.Name, a.axis.Size
		if !prim.PlainName(name) {
			core.FailOp(core.ErrAxis, "mesh.New", nil, "an axis cannot be named %q, since printed programs with that name could not be read; use letters and digits, without blanks, quotes, brackets or separators", name)
		}
		if _, twice := m.ir.Size(name); twice {
			core.FailOp(core.ErrAxis, "mesh.New", nil, "two axes are named %q; give each a name of its own", name)
		}
		if size < 1 || size > maxDevices/n {
			core.FailOp(core.ErrAxis, "mesh.New", nil, "the axis %q has size %d; an axis has one device or more, and a mesh at most %d", name, size, maxDevices)
		}
		n *= size
		m.ir.Axes = append(m.ir.Axes, a.axis)
	}
	return m
}

// Devices returns the number of devices.
func (m Mesh) Devices() int {
	n := 1
	for _, a := range m.ir.Axes {
		n *= a.Size
	}
	return n
}

// Size returns the size of an axis.
func (m Mesh) Size(axis string) int {
	n, ok := m.ir.Size(axis)
	if !ok {
		core.FailOp(core.ErrAxis, "mesh.Size", nil, "the mesh %v has no axis %q; use one of its axes", m, axis)
	}
	return n
}

// String returns the axes and their sizes: data=2, model=4.
func (m Mesh) String() string { return transforms.SizesOf(m.ir) }

func (m Mesh) names() []string {
	var names []string
	for _, a := range m.ir.Axes {
		names = append(names, a.Name)
	}
	return names
}

func (m Mesh) coordinates(device int) map[string]int {
	at := map[string]int{}
	for i := len(m.ir.Axes) - 1; i >= 0; i-- {
		a := m.ir.Axes[i]
		at[a.Name] = device % a.Size
		device /= a.Size
	}
	return at
}
