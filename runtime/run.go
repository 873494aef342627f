package runtime

import (
	"context"
	"sync"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
)

// run is the state of one run of a program: the context, the values that results are searched
// for, and the memory of dead arrays, which new ones reuse. Only one goroutine uses it.
//
// An array that alloc makes is counted: refs is how many frames and lists hold it. The last to
// release it passes its memory on to the next array of as many bytes. All others have refs of 0
// or less: arguments, constants and results that were handed out belong to the garbage
// collector, rows of a loop to the loop.
type run struct {
	ctx   context.Context
	done  <-chan struct{} // nil if ctx cannot end
	watch Watch
	top   *jaxpr.Jaxpr // the outermost program: messages name variables as its text does

	free map[int]*bin // by bytes
	held int          // bytes in free
	used int          // bytes of counted arrays

	headers []*Array // without memory, for rows
	taken   *taken   // donated arguments; nil where there are none
}

type bin struct{ arrays []*Array }

// maxHeld bounds the memory that is kept for later arrays. While a program runs, the bound is
// the memory in use, if that is more.
const maxHeld = 64 << 20

var runs = sync.Pool{New: func() any { return &run{free: map[int]*bin{}} }}

// newRun begins a run; top is nil for an operation outside of programs.
func newRun(ctx context.Context, top *jaxpr.Jaxpr) *run {
	x := runs.Get().(*run)
	x.ctx, x.done, x.watch, x.top = ctx, ctx.Done(), Current().Watch, top
	return x
}

// end hands the results out and ends the run. A run that panics is left to the
// garbage collector.
func (x *run) end(outs []*Array) {
	for i, a := range outs {
		if a.refs != 0 { // refs of an argument is not written: others may be reading it
			a.refs = 0
		}
		outs[i] = a.ofItsOwn()
	}
	x.ctx, x.done, x.top, x.taken = nil, nil, nil, nil
	x.used = 0
	if x.held > maxHeld {
		clear(x.free)
		x.held = 0
	}
	runs.Put(x)
}

// ask stops the run if its context has ended.
func (x *run) ask() {
	if x.stopped() {
		Ask(x.ctx)
	}
}

func (x *run) stopped() bool { return Closed(x.done) }

// alloc returns an array with any contents, counted once.
func (x *run) alloc(t core.ShapedArray) *Array {
	n := bytes(t)
	if n > memoryLimit()-x.used {
		core.Failf(core.ErrShape, "an array of type %v does not fit in memory beside the %d MB that the program uses already; use smaller arrays", t.Full(), x.used>>20)
	}
	x.used += n
	if b := x.free[n]; b != nil && len(b.arrays) > 0 {
		k := len(b.arrays) - 1
		a := b.arrays[k]
		b.arrays[k] = nil
		b.arrays = b.arrays[:k]
		x.held -= n
		a.t.ShapedArray, a.refs = t, 1
		return a
	}
	a := New(t)
	a.refs = 1
	return a
}

func retain(a *Array) {
	if a.refs > 0 {
		a.refs++
	}
}

func (x *run) release(a *Array) {
	if a == nil || a.refs <= 0 {
		return
	}
	if a.refs--; a.refs > 0 || x.taken.has(a) {
		return
	}
	n := len(a.t.Data)
	if x.used -= n; x.held+n > max(maxHeld, x.used) {
		return
	}
	b := x.free[n]
	if b == nil {
		b = &bin{}
		x.free[n] = b
	}
	b.arrays = append(b.arrays, a)
	x.held += n
}

// releaseOwn releases the arrays that `own` marks. A nil `own` marks none.
func (x *run) releaseOwn(as []*Array, own []bool) {
	if own == nil {
		return
	}
	for i, a := range as {
		if own[i] {
			x.release(a)
		}
	}
}

// marksFrom returns n marks, set from index first on.
func marksFrom(first, n int) []bool {
	marks := make([]bool, n)
	for i := first; i < n; i++ {
		marks[i] = true
	}
	return marks
}

// copied returns a counted array with a's elements.
func (x *run) copied(a *Array) *Array {
	c := x.alloc(a.t.ShapedArray)
	copy(c.t.Data, a.t.Data)
	return c
}

// settle replaces the views in a list by counted copies: the list outlives the memory that they
// show.
func (x *run) settle(as []*Array) {
	for i, a := range as {
		if a.refs == isView {
			as[i] = x.copied(a)
		}
	}
}

// lists pools the slices of arrays that actions need while they run.
type lists struct{ pool sync.Pool }

// get returns a list of n arrays, all nil.
func (l *lists) get(n int) *[]*Array {
	if s, _ := l.pool.Get().(*[]*Array); s != nil && len(*s) == n {
		return s
	}
	s := make([]*Array, n)
	return &s
}

func (l *lists) put(s *[]*Array) {
	clear(*s)
	l.pool.Put(s)
}
