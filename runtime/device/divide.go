package device

import (
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/simt"
)

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
