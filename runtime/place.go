package runtime

import (
	"context"
	"sync/atomic"

	"github.com/weft-go/weft/core"
)

// Where operands lie decides where an operation runs. Arrays with axes that the user placed
// by To, and those in the memory of a device that is not a default one, stay where they are:
// the operation runs there. Two such arrays in different memories are an error: a copy
// between devices is never made without the user's knowledge. Other arrays move. They lie in
// host memory or on the default device, where the library makes arrays of its own: zeros,
// seeds of gradients, indices. Numbers without axes move, too.

// executorOf returns the executor of an operation on these operands: the one where they must
// stay, else that of the number without axes on a device, else e.
func executorOf(e Executor, op string, args []*Array) Executor {
	at, number := stays(e, op, args)
	switch {
	case at == nil && number == nil, at != nil && at.Memory() == e.Memory():
		return e
	case at != nil:
		return at
	}
	return number
}

// stays returns the executor in whose memory operands must stay, nil if all may move, and that of
// the first number without axes that is on a device. e is the goroutine's executor.
func stays(e Executor, op string, args []*Array) (at, number Executor) {
	var first, hosted *Array // that must stay on a device, in host memory
	for _, a := range args {
		isPinned := atomic.LoadUint32(&a.state)&pinned != 0
		b := a.Buffer()
		if b == nil {
			if isPinned && a.t.Rank() > 0 {
				hosted = a
			}
			continue
		}
		x := b.Executor()
		switch {
		case x == nil:
			core.FailOp(core.ErrDevice, op, nil, "an operand of type %v is in a buffer without an executor; return one from Executor", a.Aval().Full())
		case x.Memory() == Host || !isPinned && isHome(e, x):
		case a.t.Rank() == 0:
			if number == nil {
				number = x
			}
		case at == nil:
			at, first = x, a
		case x.Memory() != at.Memory():
			refusePlaces(op, args, first, a)
		}
	}
	if at != nil && hosted != nil {
		refusePlaces(op, args, first, hosted)
	}
	return at, number
}

// isHome reports whether x's memory is that of the goroutine's executor e or of the process's
// default one, where arrays are made that To did not place.
func isHome(e, x Executor) bool {
	m := x.Memory()
	return m == e.Memory() || m == Default().Memory()
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

// To returns an array with a's elements in e's memory, as the user placed it: the array
// stays there.
func To(ctx context.Context, e Executor, a *Array) (*Array, error) {
	if !a.hold() {
		return nil, core.Catch(func() { a.Live("To") })
	}
	defer a.drop()
	p, err := Place(ctx, e, a)
	if err != nil || atomic.LoadUint32(&p.state)&pinned != 0 {
		return p, err
	}
	if p == a || p.Buffer() == nil { // others have it
		p = p.successor(false)
	}
	atomic.OrUint32(&p.state, pinned)
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
