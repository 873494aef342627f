package kernel

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
)

// A StoppingFunc is a Func that returns soon after done is closed, with any results.
type StoppingFunc func(p core.Primitive, in, out []*Tensor, done <-chan struct{})

// LookupStopping returns the kernel of a primitive that takes seconds where others take
// milliseconds: products and convolutions. ok is false for the others.
func LookupStopping(p core.Primitive) (f StoppingFunc, ok bool) {
	switch p.(type) {
	case prim.DotGeneralP:
		return func(p core.Primitive, in, out []*Tensor, done <-chan struct{}) {
			q := p.(prim.DotGeneralP)
			dotGeneral(out[0], in[0], in[1], q.LhsContract, q.RhsContract, q.LhsBatch, q.RhsBatch, done)
		}, true
	case prim.ConvP:
		return func(p core.Primitive, in, out []*Tensor, done <-chan struct{}) {
			convolve(out[0], in[0], in[1], p.(prim.ConvP), done)
		}, true
	}
	return nil, false
}

// A stopper is the channel that ends a kernel when it is closed; nil never does.
type stopper <-chan struct{}

// closed reports whether the kernel should end.
func (s stopper) closed() bool {
	if s == nil {
		return false
	}
	select {
	case <-s:
		return true
	default:
		return false
	}
}
