package device

import (
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/kernel/ir"
	"github.com/weft-go/weft/lower/simt"
)

// divider reports which kernels the lowering for devices divides, or runs on the whole device.
type divider struct{}

// Divides implements fuse.Divider.
func (divider) Divides(k *ir.Kernel) bool { return simt.Columns(k) }

// planOf returns the plan of a program that devices can run.
func planOf(j *jaxpr.Jaxpr) *fuse.Plan {
	return fuse.TranslateDevice(j, fuse.DeviceOptions{Divides: divider{}})
}

// divided returns a launch of a kernel with few points and a long reduction as launches of
// its parts and of what combines them, nil if it is another kernel. Operands are the
// buffers of the kernel.
func (b *builder) divided(s *fuse.Launch) *native {
	n, known := b.divisions[s]
	if known {
		return n
	}
	if d := simt.Divide(s.Kernel); d != nil {
		n = &native{}
		var buffers []slot
		for i, id := range s.Buffers {
			if id < 0 {
				b.divisions[s] = nil
				return nil
			}
			buffers = append(buffers, operand(i))
		}
		for _, bytes := range d.Scratch {
			buffers = append(buffers, n.add(bytes))
		}
		n.run(simt.Lower(d.Parts, simt.Options{}), buffers...)
		n.run(simt.Lower(d.Join, simt.Options{}), buffers...)
	}
	b.divisions[s] = n
	return n
}
