package fuse

import (
	"slices"

	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/ir"
)

// Launch runs a kernel. An output buffer may be the memory of an input buffer: then the kernel
// reads each element before it writes it.
type Launch struct {
	step
	Kernel  *ir.Kernel
	Buffers []int        // ids of values, by buffer of the kernel; −1: scratch that the executor provides
	Eqn     *jaxpr.Eqn   // an equation that the kernel computes, for messages, or nil
	Eqns    []*jaxpr.Eqn // all equations that it computes, or computes a part of
}

func (s *Launch) Reads() []int          { return without(ir.Out, s.Kernel, s.Buffers) }
func (s *Launch) Writes() []int         { return without(ir.In, s.Kernel, s.Buffers) }
func (s *Launch) Kernels() []*ir.Kernel { return []*ir.Kernel{s.Kernel} }
func (s *Launch) launches() []*Launch   { return []*Launch{s} }
func (*Launch) mayRunBefore() bool      { return true }
func (s *Launch) write(w *planWriter)   { w.kernel("kernel", s.Kernel, s.Buffers) }

func (s *Launch) joins(b *tiler) (part RowTilePart, ok bool) { return b.launch(s) }

func (s *Launch) reusing() []int {
	var out []int
	for i, id := range s.Buffers {
		if id >= 0 && s.Kernel.Buffers[i].Role == ir.Out {
			out = append(out, id)
		}
	}
	return out
}

func (s *Launch) overwrites(u *memoryUse, out int, candidate func(root int) bool) int {
	values := u.p.plan.Values
	at := slices.IndexFunc(s.Buffers, func(id int) bool { return id >= 0 && u.root(id) == out })
	if at < 0 {
		return -1
	}
	for i, id := range s.Buffers {
		if id < 0 || s.Kernel.Buffers[i].Role != ir.In {
			continue
		}
		x := u.root(id)
		if values[x].Bytes() == values[out].Bytes() && candidate(x) && u.once(s.Buffers, x) && readsFirst(s.Kernel, i, at) {
			return x
		}
	}
	return -1
}

// readsFirst reports whether a kernel reads buffer in only where it writes buffer out
// later, at the same place in the same iteration.
func readsFirst(k *ir.Kernel, in, out int) bool {
	if k.Buffers[in].Type.Size() != k.Buffers[out].Type.Size() {
		return false
	}
	var loads, stores []*ir.Access
	ok := true
	k.Body.Walk(func(s ir.Stmt) {
		switch s := s.(type) {
		case *ir.Load:
			if s.At.Buffer == in {
				loads = append(loads, &s.At)
				ok = ok && len(stores) == 0
			}
		case *ir.Store:
			if s.At.Buffer == out {
				stores = append(stores, &s.At)
			}
		}
	})
	for _, l := range loads {
		ok = ok && slices.ContainsFunc(stores, func(s *ir.Access) bool { return sameAccess(l, s) })
	}
	return ok && len(loads) > 0
}

// sameAccess reports whether two accesses always name the same element, which the axes alone determine.
func sameAccess(a, b *ir.Access) bool {
	return a.Offset == b.Offset && slices.EqualFunc(a.Coords, b.Coords, func(x, y ir.Coord) bool {
		return x.Mode == ir.Proved && y.Mode == ir.Proved && x.Stride == y.Stride && x.Base == y.Base && slices.Equal(x.Terms, y.Terms)
	})
}
