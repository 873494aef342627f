package fuse

import (
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/ir"
)

// DeviceOptions state what an executor runs whose machine is a device of many threads.
type DeviceOptions struct {
	Tensor  TensorOptions
	Buffers int     // of a kernel at most; 0: as many as CUDA's
	Divides Divider // nil: reductions are divided as for a processor
}

// A Divider reports whether an executor divides the reductions of a kernel itself, or runs it
// undivided on the whole device.
type Divider interface {
	Divides(k *ir.Kernel) bool
}

// TranslateDevice returns the plan of a lowered program for a device.
func TranslateDevice(j *jaxpr.Jaxpr, o DeviceOptions) *Plan {
	q := planOptions{tensor: o.Tensor, buffers: o.Buffers}
	if o.Divides != nil {
		q.device = device{o.Divides}
	}
	return translate(j, nil, q, nil)
}

// A deviceSplitter divides kernels for a device. Programs that no device runs do not contain its code.
type deviceSplitter interface {
	Divider
	elems(points, n, least, parts int64) int64
	nests(s *splitter) bool
	outerReduce(s *splitter, r *ir.Reduce, last bool)
	launchPoints(s *splitter, name string, dim *ir.Dim, body ir.Block)
}

// device is the deviceSplitter.
type device struct{ Divider }

// A device divides reductions until the parts of all points keep it busy. A group of threads
// takes a part of a row, a thread a column of a part.
const (
	deviceRow     = 1 << 16 // elements of a row that is divided where one loop runs over it
	deviceRows    = 1 << 17 // … several loops
	devicePart    = 1 << 12 // elements of a part of a row, at least
	deviceGroups  = 1 << 11 // parts of rows
	deviceColumn  = 1 << 8  // elements of a column that is divided
	deviceLines   = 1 << 5  // elements of a part of a column, at least
	deviceThreads = 1 << 18 // parts of columns
)

// elems returns the elements of a part of n elements, at least some, such that all points have so
// many parts.
func (device) elems(points, n, least, parts int64) int64 {
	elems := int64(partElems)
	for elems > least && points*((n+elems-1)/elems) < parts {
		elems /= 2
	}
	return elems
}
