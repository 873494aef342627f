package fuse

import "github.com/weft-go/weft/lower/irpass"

// A Target describes what a machine, and the executor that runs plans on it, can do. Plans of
// programs in loops are memoized by their target. The zero Target runs all steps but [RowTiles] and
// those of tensor cores, with the reference's bits.
type Target struct {
	// RowTiles is the number of bytes that steps must pass to each other to run on [RowTiles],
	// [LeastTiled] as a rule; 0: the executor has no such steps.
	RowTiles int

	// Tiny is set if factorizations of small matrices become kernels, with the equations around them, and if
	// in loops some or all steps on small arrays become one kernel.
	Tiny bool

	// ShortPairs is set if products of integers of at most 16 bits read neighbours along k in
	// pairs: see [Product].Pairs.
	ShortPairs bool
	// ByteDots is set if products of bytes read these in fours. It has no
	// effect unless ShortPairs is set.
	ByteDots bool

	Buffers  int            // of a kernel at most; 0: as many as a kernel of CUDA may have
	Division irpass.Machine // divides long loops; nil: a processor
	Tensor   TensorOptions  // what products may do where other bits than the reference's are permitted
}

// Native returns the target of native code on a processor.
func Native() Target {
	return Target{RowTiles: LeastTiled, Tiny: true, Division: irpass.Processor{Rows: true}}
}

// Device returns the target of a device of many threads, whose executor divides some
// reductions itself.
func Device(itself irpass.Divider) Target { return Target{Division: irpass.Device{Divider: itself}} }

func (t *Target) division() irpass.Machine {
	if t.Division == nil {
		return irpass.Processor{}
	}
	return t.Division
}
