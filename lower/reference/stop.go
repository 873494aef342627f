package reference

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/windows"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// A StoppingFunc is a Func that calls stop often and returns soon after stop reports true, with any results.
type StoppingFunc func(p core.Primitive, in, out []*block.Tensor, stop func() bool)

// LookupStopping returns the kernel of a product or a convolution, which may run for seconds. ok is
// false for other primitives.
func LookupStopping(p core.Primitive) (f StoppingFunc, ok bool) {
	switch p.(type) {
	case prim.DotGeneralP:
		return func(p core.Primitive, in, out []*block.Tensor, stop func() bool) {
			q := p.(prim.DotGeneralP)
			dotGeneral(out[0], in[0], in[1], q.LhsContract, q.RhsContract, q.LhsBatch, q.RhsBatch, stop)
		}, true
	case windows.ConvP:
		return func(p core.Primitive, in, out []*block.Tensor, stop func() bool) {
			convolve(out[0], in[0], in[1], p.(windows.ConvP), stop)
		}, true
	}
	return nil, false
}
