package device

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/lower/composed"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/reference"
	"github.com/weft-go/weft/lower/schedule"
	"github.com/weft-go/weft/lower/simt"
)

// native is how a device runs an equation that plans leave to the reference executor:
// kernels and copies that run one after the other.
type native struct {
	device  schedule.Device
	scratch []int               // bytes of each piece of memory between them
	tables  []*reference.Tensor // constants
	work    []work
}

// work is a launch of a function on memories or, without one, a copy from the first memory
// to the second.
type work struct {
	f       *simt.Func
	memory  []slot
	symbols []int64
}

// slot is memory of a native equation: operand, result, scratch or table number i, from a byte on.
type slot struct {
	of     slotKind
	i      int
	offset int
}

type slotKind uint8

const (
	operandSlot slotKind = iota
	resultSlot
	scratchSlot
	tableSlot
)

func operand(i int) slot { return slot{operandSlot, i, 0} }
func result(i int) slot  { return slot{resultSlot, i, 0} }

// add adds scratch memory.
func (n *native) add(bytes int64) slot {
	n.scratch = append(n.scratch, int(bytes))
	return slot{scratchSlot, len(n.scratch) - 1, 0}
}

// run adds a launch.
func (n *native) run(f *simt.Func, memory ...slot) {
	n.work = append(n.work, work{f: f, memory: memory})
}

// copy adds a copy.
func (n *native) copy(from, to slot) { n.work = append(n.work, work{memory: []slot{from, to}}) }

// nativeOf returns how a device runs an equation, nil if it cannot.
func nativeOf(c *fuse.Call, d schedule.Device) *native {
	in := make([]core.ShapedArray, len(c.Eqn.Ins))
	for i, a := range c.Eqn.Ins {
		in[i] = a.Aval()
	}
	for _, v := range c.Eqn.Outs {
		if v.Type.Ref || v.Type.Size() < 0 || int64(v.Type.Size()) >= 1<<40 {
			return nil
		}
	}
	n := &native{device: d}
	switch p := c.Eqn.Prim.(type) {
	case prim.OptimizationBarrierP:
		for i := range in {
			n.copy(operand(i), result(i))
		}
	case prim.SortP:
		if !n.sort(in, p.Dimension, p.NumKeys) {
			return nil
		}
	case prim.TopKP:
		if !n.topK(in[0], p.Axis, p.K) {
			return nil
		}
	case prim.TileP:
		if in[0].Size() == 0 || in[0].DType.Size() == 0 {
			return nil
		}
		n.tile(in[0], p.Reps)
	case prim.ScatterP:
		if in[2].Size() != 0 {
			return nil
		}
		n.copy(operand(0), result(0))
	case prim.DynamicUpdateSliceP:
		if in[1].Size() != 0 {
			return nil
		}
		n.copy(operand(0), result(0))
	case prim.IgammaP, prim.IgammacP, prim.IgammaGradAP, prim.RandomGammaGradP, prim.RegularizedIncompleteBetaP, prim.ZetaP:
		if !n.special(p, in, c.Eqn.Outs[0].Type) {
			return nil
		}
	case prim.ConvertElementTypeP:
		if c.Eqn.Outs[0].Type.DType != core.Float0 { // which has no bytes
			return nil
		}
	case prim.FFTP:
		if !n.fourier(p, in[0], c.Eqn.Outs[0].Type) {
			return nil
		}
	default:
		return nil
	}
	return n
}

// fallsBack reports whether the reference executor runs an equation of a plan.
func (b *builder) fallsBack(plan *fuse.Plan) bool {
	for _, s := range plan.Steps {
		switch s := s.(type) {
		case *fuse.Call:
			if b.native(s) == nil {
				return true
			}
		case *fuse.Loop:
			if s.EndsByLane() || slices.ContainsFunc(s.Plans, b.fallsBack) {
				return true
			}
		}
	}
	return false
}

// fourier runs a Fourier transform.
func (n *native) fourier(p prim.FFTP, in, out core.ShapedArray) bool {
	t := composed.Fourier(p, in, out)
	if t == nil {
		return false
	}
	scratch := [2]slot{n.add(int64(t.Scratch)), n.add(int64(t.Scratch))}
	n.tables = t.Tables
	for _, pass := range t.Passes {
		slots := make([]slot, len(pass.Memory))
		for i, m := range pass.Memory {
			switch m {
			case composed.FourierScratch0, composed.FourierScratch1:
				slots[i] = scratch[m]
			case composed.FourierOperand:
				slots[i] = operand(0)
			case composed.FourierResult:
				slots[i] = result(0)
			default:
				slots[i] = slot{tableSlot, int(m - composed.FourierTable), 0}
			}
		}
		n.run(simt.Lower(pass.Kernel, simt.Options{}), slots...)
	}
	return true
}

// special runs a special function, of operands in f64 that have the result's shape.
func (n *native) special(p core.Primitive, in []core.ShapedArray, out core.ShapedArray) bool {
	slots := make([]slot, len(in))
	for i, a := range in {
		if a.DType != core.Float64 || a.Shape != out.Shape || a.Size() == 0 {
			return false
		}
		slots[i] = operand(i)
	}
	n.run(simt.Lower(composed.Special(p, out.Size()), simt.Options{}), append(slots, result(0))...)
	return true
}

// nativeStep runs a native equation.
type nativeStep struct {
	n        *native
	call     *fuse.Call
	launches []*launch // by work; nil for copies
	tables   []view
}

func (s *nativeStep) run(x *execution, f *frame) error {
	scratch, outs := make([]view, len(s.n.scratch)), make([]view, len(s.call.Out))
	held := len(x.held)
	for i, bytes := range s.n.scratch {
		var err error
		if scratch[i], err = x.scratch(bytes); err != nil {
			return err
		}
	}
	for i, id := range s.call.Out {
		if id >= 0 {
			outs[i] = f.views[id]
			continue
		}
		var err error // a result that nothing reads
		if outs[i], err = x.scratch(bytesOf(s.call.Eqn.Outs[i].Type)); err != nil {
			return err
		}
	}
	at := func(m slot) view {
		v := view{}
		switch m.of {
		case operandSlot:
			v = f.views[s.call.In[m.i]]
		case resultSlot:
			v = outs[m.i]
		case tableSlot:
			v = s.tables[m.i]
		default:
			v = scratch[m.i]
		}
		v.offset += m.offset
		return v
	}
	for i, w := range s.n.work {
		if w.f == nil {
			if err := f.p.copy(x, at(w.memory[1]), at(w.memory[0]), bytesOf(s.call.Eqn.Outs[w.memory[1].i].Type)); err != nil {
				return err
			}
			continue
		}
		views := make([]view, len(w.memory))
		for k, m := range w.memory {
			views[k] = at(m)
		}
		if err := x.launch(s.launches[i], x.guard.p != nil, views, w.symbols...); err != nil {
			return err
		}
	}
	x.release(held) // what follows in the stream may use the memory
	return nil
}
