package schedule

import "github.com/weft-go/weft/lower/reference"

// A Sequence is how a device runs a step that is not a single kernel: kernels and copies, one after
// the other.
type Sequence struct {
	Scratch []int               // bytes of each piece of scratch memory
	Tables  []*reference.Tensor // constant arrays
	Work    []Work

	device Device
}

// A Kernel is a kernel of a sequence: an [*ir.Kernel], [*Parts], a kernel of a sort, a selection, an update or a
// factorization, whose code package simt writes, or a function that simt has written. It is a pointer: equal kernels of
// different sequences are different.
type Kernel any

// Work is a launch of a kernel on memories or, if Kernel is nil, a copy from the first memory to
// the second.
type Work struct {
	Kernel  Kernel
	Memory  []Slot
	Symbols []int64
}

// A Slot is memory of a sequence: the operand, result, scratch memory or table with number I.
type Slot struct {
	Of SlotKind
	I  int
}

// SlotKind is a kind of memory.
type SlotKind uint8

// The kinds of memory of a sequence.
const (
	OperandSlot SlotKind = iota
	ResultSlot
	ScratchSlot
	TableSlot
)

// Operands returns the first n operands.
func Operands(n int) []Slot {
	all := make([]Slot, n)
	for i := range all {
		all[i] = operand(i)
	}
	return all
}

func operand(i int) Slot { return Slot{OperandSlot, i} }
func result(i int) Slot  { return Slot{ResultSlot, i} }

// Add adds scratch memory of the given number of bytes and returns it.
func (n *Sequence) Add(bytes int64) Slot {
	n.Scratch = append(n.Scratch, int(bytes))
	return Slot{ScratchSlot, len(n.Scratch) - 1}
}

// Run adds a launch of k on the given memory.
func (n *Sequence) Run(k Kernel, memory ...Slot) {
	n.Work = append(n.Work, Work{Kernel: k, Memory: memory})
}

func (n *Sequence) copy(from, to Slot) { n.Work = append(n.Work, Work{Memory: []Slot{from, to}}) }
