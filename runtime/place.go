package runtime

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
)

// Where operands lie decides where an operation runs. An array that has axes stays where it is if
// the user placed it on a device by To, or if it is in the memory of a device that is not a default
// one: the operation runs there. Two such arrays in different memories are an error, and so is one
// beside an array that has axes and that To placed in host memory: a copy between devices is never
// made without the user's knowledge. Other arrays move. They lie in host memory or on the default
// device, where the library makes arrays of its own: zeros, seeds of gradients, indices. Numbers
// without axes move, too.

// Arrays that a program captured count only if To placed them. Others are copied to where the
// program runs when it is compiled: the library makes some of them, on the device on which it
// traces.

// executorOf returns the executor of an operation on these operands and captured arrays: the one
// where they must stay, else that of the first number without axes on a device, else e.
func executorOf(e Executor, op string, args, captured []*Array) Executor {
	at, number := stays(e, op, args, captured)
	switch {
	case at == nil && number == nil, at != nil && at.Memory() == e.Memory():
		return e
	case at != nil:
		return at
	}
	return number
}

// ExecutorOf returns the executor that runs a program on these operands: the one in whose memory
// they, or arrays that the program captured, must stay, else that of the first number without axes
// on a device, else e.
func ExecutorOf(e Executor, op string, in []core.Value, j *jaxpr.Jaxpr) Executor {
	var arrays []*Array
	for _, v := range in {
		if a, ok := v.(*Array); ok {
			arrays = append(arrays, a)
		}
	}
	return executorOf(e, op, arrays, placedIn(j))
}

// requireAt panics if an operand or a captured array must stay on a device with another memory than
// that of e, which runs the program.
func requireAt(e Executor, op string, types []core.ShapedArray, args, captured []*Array) {
	if at, _ := stays(e, op, args, captured); at != nil && at.Memory() != e.Memory() {
		what, fix := "an operand", "move the operands with x.To(d)"
		if in, _ := stays(e, op, args, nil); in == nil {
			what, fix = "an array that it captured", "move that array with x.To(d), or pass it as an argument"
		}
		core.FailOp(core.ErrDevice, op, types, "it runs on %s, and %s is in %s; %s", e.Name(), what, at.Memory(), fix)
	}
}

// placedIn returns the arrays that have axes, that a program or one within it captured, and that To
// placed.
func placedIn(j *jaxpr.Jaxpr) []*Array {
	type key struct{}
	return j.Memo(key{}, func() any {
		var placed []*Array
		for _, a := range constsOf(j) {
			if atomic.LoadUint32(&a.state)&pinned != 0 && a.t.Rank() > 0 {
				placed = append(placed, a)
			}
		}
		return placed
	}).([]*Array)
}

// capturedBy returns placedIn of the programs of an operation.
func capturedBy(p core.Primitive) (placed []*Array) {
	for _, j := range jaxpr.Programs(p) {
		placed = append(placed, placedIn(j)...)
	}
	return placed
}

// stays returns the device in whose memory operands and captured arrays must stay, nil if there is
// none, and the executor of the first number without axes on a device, nil if there is none. A
// number on a default device counts only if To placed it there. e is the goroutine's executor.
func stays(e Executor, op string, args, captured []*Array) (at, number Executor) {
	var first, hosted *Array // the first that must stay on a device; one that must stay in host memory
	all := args
	if len(captured) > 0 {
		all = slices.Concat(args, captured)
	}
	for _, a := range all {
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
			refusePlaces(op, args, captured, first, a)
		}
	}
	if at != nil && hosted != nil {
		refusePlaces(op, args, captured, first, hosted)
	}
	return at, number
}

// isHome reports whether x's memory is that of the goroutine's executor e or of the process's
// default one, where arrays are made that To did not place.
func isHome(e, x Executor) bool {
	m := x.Memory()
	return m == e.Memory() || m == Default().Memory()
}

// refusePlaces reports two operands or captured arrays in different memories.
func refusePlaces(op string, args, captured []*Array, a, b *Array) {
	avals := make([]core.ShapedArray, len(args))
	for i, x := range args {
		avals[i] = x.Aval()
	}
	fix := fmt.Sprintf("move operand %d with x.To(d)", slices.Index(args, b))
	if slices.Contains(captured, a) || slices.Contains(captured, b) {
		fix = "move what the function captured with x.To(d), or pass it as an argument"
	}
	core.FailOp(core.ErrDevice, op, avals, "operands are in different memories (got %v in %s and %v in %s); %s",
		a.Aval().Full(), a.Memory(), b.Aval().Full(), b.Memory(), fix)
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

// To returns an array with a's elements in e's memory and marks it as placed there by the user.
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
