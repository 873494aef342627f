package mesh

import (
	"iter"
	"slices"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/transforms"
)

// On returns the mesh on devices of XLA (package runtime/pjrt), in the order of their numbers in the
// mesh. [Put] then cuts arrays among these devices, and XLA divides among them what is computed from
// such arrays: each operation, or a jitted function as a whole. Results lie there, cut as XLA chooses or
// as [ShardMap] states. Any operation takes such arrays.
func (m Mesh) On(devices ...weft.Device) Mesh {
	const op = "mesh.On"
	if n := m.Devices(); len(devices) != n {
		core.FailOp(core.ErrAxis, op, nil, "the mesh %v has %s (got %d); pass one for each", m, core.Count(n, "device"), len(devices))
	}
	refuseInJob(op)
	list := make([]runtime.Executor, len(devices))
	for i, d := range devices {
		var err error
		if list[i], err = runtime.Lookup(d.String()); err != nil {
			panic(err)
		}
	}
	first, ok := list[0].(runtime.Divisible)
	if !ok {
		core.FailOp(core.ErrDevice, op, nil, "%s divides no programs among devices; run meshes on such devices by mesh.RunOn, or pass devices of XLA (docs/pjrt.md)", list[0].Name())
	}
	on, err := first.Together(list)
	if err != nil {
		panic(&core.Error{Kind: core.ErrDevice, Op: op, Pos: core.HerePos(), Msg: "the mesh cannot be on these devices", Err: err})
	}
	return Mesh{ir: m.ir, on: on}
}

// refuseInJob fails in a job of several processes, where meshes cannot have devices that On has set.
func refuseInJob(op string) {
	if _, size := jobSize(); size > 1 {
		core.FailOp(core.ErrDevice, op, nil, "the process has joined a job, whose processes each have all devices of their own; use the mesh without On there")
	}
}

// Sharding returns the mesh on which an array is cut, and how. ok is false for an array that is not
// cut.
func Sharding(x weft.Array) (m Mesh, s Spec, ok bool) {
	if x.IsZero() {
		return m, s, false
	}
	switch v := x.Value().(type) {
	case *transforms.Placed:
		return Mesh{ir: v.Mesh}, Spec{v.Spec}, true
	case *runtime.Array:
		if on := dividedBy(v); on != nil {
			ir, spec, _ := on.Pieces(v)
			return Mesh{ir: ir, on: on}, Spec{spec}, true
		}
	}
	return m, s, false
}

// dividedBy returns the executor that has cut an array among its devices, nil if there is none.
func dividedBy(v core.Value) runtime.Divided {
	if a, ok := v.(*runtime.Array); ok {
		if b := a.Buffer(); b != nil {
			on, _ := b.Executor().(runtime.Divided)
			return on
		}
	}
	return nil
}

// put returns an array that is cut among the devices of the mesh.
func (m Mesh) put(op string, s Spec, v core.Value) core.Value {
	refuseInJob(op)
	a, ok := v.(*runtime.Array)
	if !ok {
		a = runtime.FromLiteral(v.(core.Literal))
	}
	s.ir.Piece(m.ir, "the array", a.Aval())
	p, err := runtime.Cut(runtime.Context(), m.on, a, m.ir, s.ir)
	if err != nil {
		panic(err)
	}
	return p
}

// gathered returns v in host memory if it is an array that was cut among devices.
func gathered(v core.Value) core.Value {
	if dividedBy(v) == nil {
		return v
	}
	a, err := runtime.Place(runtime.Context(), runtime.Reference, v.(*runtime.Array))
	if err != nil {
		panic(err)
	}
	return a
}

// dividedShards ranges over the devices and their pieces of a, an array that the executor `on` has cut.
func dividedShards(m Mesh, s Spec, a *runtime.Array, on runtime.Divided) iter.Seq[Shard] {
	ir, spec, pieces := on.Pieces(a)
	if !(Mesh{ir: ir}).alike(m) || !alikeSpecs(spec, s.ir) {
		core.Failf(core.ErrDevice, "the array %v is cut as %v on %v, not as %v on %v; pass that mesh and spec, or cut it anew with mesh.Put", a.Aval().Full(), spec, Mesh{ir: ir}, s, m)
	}
	return func(yield func(Shard) bool) {
		for d, p := range pieces {
			if !yield(Shard{Device: d, Start: starts(m, s, p.Aval(), d), Piece: weft.FromValue(p)}) {
				return
			}
		}
	}
}

// alike reports whether meshes have the same axes.
func (m Mesh) alike(n Mesh) bool { return m.String() == n.String() }

func alikeSpecs(a, b jaxpr.Spec) bool {
	n := max(len(a), len(b))
	full := func(s jaxpr.Spec) jaxpr.Spec { return append(slices.Clip(s), make(jaxpr.Spec, n-len(s))...) }
	return slices.EqualFunc(full(a), full(b), slices.Equal[[]string])
}

// within calls f, whose operations outside of programs run on the mesh's devices if On has set them.
func (m Mesh) within(f func()) {
	if m.on == nil {
		f()
		return
	}
	refuseInJob("ShardMap")
	runtime.WithSettings(func(s *runtime.Settings) { s.Executor = m.on }, f)
}
