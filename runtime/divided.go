package runtime

import (
	"context"
	"sync/atomic"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
)

// A Divided executor runs each program on several devices, among which its compiler divides the
// program. The library sees each array as one; the executor cuts it into a piece for each device.
// A program is divided as its arguments are cut.
type Divided interface {
	Executor

	// Cut returns an array with a's elements in the executor's memory, cut as the spec states: a itself
	// if it is cut so. The devices of the mesh are those of the executor, in order.
	Cut(ctx context.Context, a *Array, m jaxpr.Mesh, s jaxpr.Spec) (*Array, error)

	// Pieces returns how an array of the executor is cut, and the piece of each device, in the memory of
	// that device's own executor.
	Pieces(a *Array) (m jaxpr.Mesh, s jaxpr.Spec, pieces []*Array)
}

// A Divisible executor is one of several devices whose compiler divides programs among them.
type Divisible interface {
	Executor

	// Together returns the executor of the programs of several devices, e's own among them. It is
	// registered, and the same for the same devices.
	Together(devices []Executor) (Divided, error)
}

// Cut returns an array with a's elements that is cut by e, and marks it as placed there by the user.
func Cut(ctx context.Context, e Divided, a *Array, m jaxpr.Mesh, s jaxpr.Spec) (*Array, error) {
	if !a.hold() {
		return nil, core.Catch(func() { a.Live("Cut") })
	}
	defer a.drop()
	p, err := e.Cut(ctx, a, m, s)
	if err != nil {
		return nil, executorError(e, "", err)
	}
	if err := checkPlaced(e, a, p); err != nil {
		return nil, err
	}
	if p == a {
		p = p.successor(false)
	}
	atomic.OrUint32(&p.state, pinned)
	return p, nil
}
