package runtime

import (
	"context"
	"sync/atomic"

	"github.com/weft-go/weft/core"
)

// Where operands lie decides where an operation runs. Operands in one memory run there.
// Operands that are all in host memory run on the goroutine's executor, wherever its
// memory is. Arrays with axes on different devices are an error: a copy between devices
// is never made without the user's knowledge. Numbers without axes are copied, and so are
// arrays in host memory, among them the indices that the library makes, unless the user
// placed them there by To.

// executorOf returns the executor of an operation on these operands: e, unless they lie
// in another memory.
func executorOf(e Executor, op string, args []*Array) Executor {
	var at Executor // of the first operand with axes that is elsewhere
	var first *Array
	for _, a := range args {
		b := a.Buffer()
		if b == nil {
			continue
		}
		x := b.Executor()
		switch {
		case x == nil:
			core.FailOp(core.ErrDevice, op, nil, "an operand of type %v is in a buffer without an executor; return one from Executor", a.Aval().Full())
		case x.Memory() == Host:
		case at == nil || first.t.Rank() == 0 && a.t.Rank() > 0:
			at, first = x, a
		case a.t.Rank() > 0 && x.Memory() != at.Memory():
			refusePlaces(op, args, first, a)
		}
	}
	if at == nil {
		return e
	}
	for _, a := range args {
		if a.t.Rank() > 0 && first.t.Rank() > 0 && atomic.LoadUint32(&a.state)&pinned != 0 {
			refusePlaces(op, args, first, a)
		}
	}
	if e.Memory() == at.Memory() {
		return e
	}
	return at
}

// refusePlaces reports two operands in different memories.
func refusePlaces(op string, args []*Array, a, b *Array) {
	avals := make([]core.ShapedArray, len(args))
	k := 0
	for i, x := range args {
		avals[i] = x.Aval()
		if x == b {
			k = i
		}
	}
	core.FailOp(core.ErrDevice, op, avals, "operands are in different memories (got %v in %s and %v in %s); move operand %d with x.To(d)",
		a.Aval().Full(), a.Memory(), b.Aval().Full(), b.Memory(), k)
}

// placeAll returns the arrays in e's memory: the list itself if all are there.
func placeAll(ctx context.Context, e Executor, op string, args []*Array) []*Array {
	out := args
	for i, a := range args {
		if e.Memory() == Host && a.Buffer() == nil {
			continue
		}
		p, err := Place(ctx, e, a)
		if err != nil {
			fail(op, err)
		}
		if p == a {
			continue
		}
		if &out[0] == &args[0] {
			out = append([]*Array(nil), args...)
		}
		out[i] = p
	}
	return out
}

// To returns an array with a's elements in e's memory, as the user placed it: in host
// memory the array stays there.
func To(ctx context.Context, e Executor, a *Array) (*Array, error) {
	if !a.hold() {
		return nil, core.Catch(func() { a.Live("To") })
	}
	defer a.drop()
	p, err := Place(ctx, e, a)
	if err != nil || p.Buffer() != nil || atomic.LoadUint32(&p.state)&pinned != 0 {
		return p, err
	}
	p = p.successor(false)
	p.state |= pinned
	return p, nil
}

// Place returns an array with a's elements in e's memory: a itself if they are there.
func Place(ctx context.Context, e Executor, a *Array) (*Array, error) {
	if e == nil {
		return nil, usable("Place", e)
	}
	p, err := e.Place(ctx, a)
	if err != nil {
		return nil, executorError(e, "", err)
	}
	if err := checkPlaced(e, a, p); err != nil {
		return nil, err
	}
	return p, nil
}
