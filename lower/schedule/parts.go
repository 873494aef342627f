package schedule

import (
	"slices"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/legalize"
	"github.com/weft-go/weft/lower/scalar"
)

// Parts are kernels that run one after the other in one kernel. The grids of all begin with the same axes, which number
// groups. Some buffers have a part for each group, which begins at the group's number times the part's size: such buffers
// are in shared memory.
type Parts struct {
	Name    string
	Buffers []ir.Buffer // buffers in memory
	Kernels []*ir.Kernel
	Memory  [][]int     // by kernel and buffer: a buffer, or −1 − i for shared array i
	Groups  int         // how many axes, the first of each grid, number groups
	Shared  int         // elements of each shared array
	Element scalar.Type // of shared arrays
	Threads int         // of a group
}

// SharedArrays is the number of shared arrays of Parts.
const SharedArrays = 2

// fourierKernel returns the kernel of a pass of a Fourier transform, and the memory of its buffers.
func fourierKernel(p legalize.Pass) (Kernel, []legalize.Memory) {
	if len(p.Parts) == 1 {
		return p.Parts[0].Kernel, p.Parts[0].Memory
	}
	k := &Parts{Name: "fft", Groups: legalize.FourierGroups, Shared: p.Local, Threads: 32}
	for k.Threads < 256 && k.Threads*8 < p.Local {
		k.Threads *= 2
	}
	var memory []legalize.Memory
	for _, q := range p.Parts {
		k.Kernels = append(k.Kernels, q.Kernel)
		var at []int
		for i, m := range q.Memory {
			b := q.Kernel.Buffers[i]
			if m == legalize.FourierLocal0 || m == legalize.FourierLocal1 {
				k.Element = b.Type
				at = append(at, -1-int(m-legalize.FourierLocal0))
				continue
			}
			n := slices.Index(memory, m)
			if n < 0 {
				n = len(memory)
				memory, k.Buffers = append(memory, m), append(k.Buffers, b)
			}
			at = append(at, n)
		}
		k.Memory = append(k.Memory, at)
	}
	return k, memory
}
