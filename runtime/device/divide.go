package device

import (
	"slices"

	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/schedule"
	"github.com/weft-go/weft/lower/simt"
)

// divider tells the passes which kernels they must not divide: the lowering for a device divides these
// itself, or keeps the device busy with them undivided.
type divider schedule.Device

// Divides implements irpass.Divider.
func (d divider) Divides(k *ir.Kernel) bool {
	return simt.Columns(k) || simt.Rows(k, schedule.Device(d))
}

func planOf(j *jaxpr.Jaxpr, d schedule.Device) *fuse.Plan {
	return fuse.Translate(j, fuse.Device(divider(d)))
}

// divided divides the launch of a kernel with few points and a long reduction, or with few long
// running folds, into launches of its parts and of the kernels that combine them. It returns nil
// for other kernels, and for those with scratch buffers. The operands of the sequence are the buffers of the kernel.
func divided(s *fuse.Launch) *schedule.Sequence {
	if slices.ContainsFunc(s.Buffers, func(id int) bool { return id < 0 }) {
		return nil
	}
	buffers := schedule.Operands(len(s.Buffers))
	if d := simt.DivideCumulative(s.Kernel); d != nil {
		n := &schedule.Sequence{}
		cumulate(n, d, buffers)
		return n
	}
	return dividedReduction(s.Kernel, buffers)
}

// dividedReduction returns the launches of a reduction, nil if it is not divided.
func dividedReduction(k *ir.Kernel, buffers []schedule.Slot) *schedule.Sequence {
	d := simt.Divide(k)
	if d == nil {
		return nil
	}
	n := &schedule.Sequence{}
	for _, bytes := range d.Scratch {
		buffers = append(buffers, n.Add(bytes))
	}
	n.Run(d.Parts, buffers...)
	n.Run(d.Join, buffers...)
	return n
}

func cumulate(n *schedule.Sequence, d *simt.CumulativeDivision, buffers []schedule.Slot) {
	buffers = slices.Clip(buffers)
	totals, running := n.Add(d.Scratch), n.Add(d.Scratch)
	n.Run(d.Totals, append(buffers, totals)...)
	if d.Above != nil {
		cumulate(n, d.Above, []schedule.Slot{totals, running})
	} else {
		n.Run(d.Running, totals, running)
	}
	n.Run(d.Elements, append(buffers, totals, running)...)
}
