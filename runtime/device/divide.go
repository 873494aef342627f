package device

import (
	"slices"

	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/simt"
)

// divider reports which kernels the lowering for devices divides, or runs on the whole device.
type divider struct{}

// Divides implements irpass.Divider.
func (divider) Divides(k *ir.Kernel) bool { return simt.Columns(k) }

// planOf returns the plan of a program that devices can run.
func planOf(j *jaxpr.Jaxpr) *fuse.Plan {
	return fuse.Translate(j, fuse.Device(divider{}))
}

// divided returns a launch of a kernel with few points and a long reduction, or with few long
// running folds, as launches of its parts and of what combines them, nil if it is another
// kernel. Operands are the buffers of the kernel.
func (b *builder) divided(s *fuse.Launch) *native {
	n, known := b.divisions[s]
	if known {
		return n
	}
	if !slices.ContainsFunc(s.Buffers, func(id int) bool { return id < 0 }) {
		buffers := make([]slot, len(s.Buffers))
		for i := range buffers {
			buffers[i] = operand(i)
		}
		n = dividedReduction(s.Kernel, buffers)
		if d := simt.DivideCumulative(s.Kernel); d != nil {
			n = &native{}
			n.cumulate(d, buffers)
		}
	}
	b.divisions[s] = n
	return n
}

// dividedReduction returns the launches of a reduction, nil if it is not divided.
func dividedReduction(k *ir.Kernel, buffers []slot) *native {
	d := simt.Divide(k)
	if d == nil {
		return nil
	}
	n := &native{}
	for _, bytes := range d.Scratch {
		buffers = append(buffers, n.add(bytes))
	}
	n.run(simt.Lower(d.Parts, simt.Options{}), buffers...)
	n.run(simt.Lower(d.Join, simt.Options{}), buffers...)
	return n
}

// cumulate adds the launches of running folds.
func (n *native) cumulate(d *simt.CumulativeDivision, buffers []slot) {
	buffers = slices.Clip(buffers)
	totals, running := n.add(d.Scratch), n.add(d.Scratch)
	n.run(d.Totals, append(buffers, totals)...)
	if d.Above != nil {
		n.cumulate(d.Above, []slot{totals, running})
	} else {
		n.run(d.Running, totals, running)
	}
	n.run(d.Elements, append(buffers, totals, running)...)
}
