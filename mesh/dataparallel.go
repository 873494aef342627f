package mesh

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/leaves"
	"github.com/weft-go/weft/lax"
)

// DataParallel returns a loss that each device along an axis of the mesh computes for its part of
// the batch. The first argument, the parameters, is copied to every device; the other arguments
// are cut along their leading axis; results are the means of the devices' results. So the
// gradient of the loss is the mean of the devices' gradients. For a loss that is a mean over the
// batch, the function computes the same as loss.
func DataParallel[F any](m Mesh, axis string, loss F) F {
	const op = "DataParallel"
	defer leaves.NameOp(op)
	s := leaves.FuncOf(op, loss, weft.FromValue)
	if len(s.In) == 0 {
		core.Failf(core.ErrTree, "the loss has no argument; it takes parameters, and the batch")
	}
	n, ok := m.ir.Size(axis)
	if !ok {
		core.Failf(core.ErrAxis, "the mesh %v has no axis %q; use one of its axes", m, axis)
	}
	o := options{in: make([]any, len(s.In)), out: make([]any, len(s.Out))}
	for i := range o.in {
		o.in[i] = P(axis)
	}
	o.in[0] = P()
	for i := range o.out {
		o.out[i] = P()
	}
	return wrap[F](&sharded{op: op, f: loss, s: s, m: m, o: o, after: func(k int, v core.Value) core.Value {
		if a := v.Aval(); !a.DType.IsInexact() {
			core.Failf(core.ErrDType, "result %d of the loss is %v on each of %d devices, and there is no mean of it; convert it to a float, or use ShardMap", k, a.Full(), n)
		}
		return lax.Pmean(weft.FromValue(v), axis).Value()
	}})
}
