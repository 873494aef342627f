package core

import (
	"sync"
	"sync/atomic"
)

// gstack is one goroutine's stack of active interpreters, oldest first. Only its
// goroutine touches it. cut hides the youngest ones while an interpreter works.
type gstack struct {
	id  uintptr
	all []Interpreter
	lo  int // elements below lo are hidden by a suspension
	cut int // elements from cut on are hidden

	site  Site // the line that the equation being replayed was written on, or 0
	scope any  // see WithScope
	users int  // entries and scopes that need the stack
}

// entered counts the entries of all goroutines, so that a goroutine outside of
// every transformation pays one atomic load.
var entered atomic.Int64

// stacks finds a goroutine's stack by its identity. near contains the same stacks at
// a place that the identity names, where no other goroutine's took it.
var (
	stacks sync.Map // goroutine identity → *gstack
	near   [256]atomic.Pointer[gstack]
)

func nearest(id uintptr) *atomic.Pointer[gstack] {
	return &near[(id>>6^id>>14)%uintptr(len(near))]
}

func current() *gstack {
	if entered.Load() == 0 {
		return nil
	}
	id := goid()
	if s := nearest(id).Load(); s != nil && s.id == id {
		return s
	}
	if s, ok := stacks.Load(id); ok {
		return s.(*gstack)
	}
	return nil
}

func (s *gstack) active() []Interpreter {
	if s == nil {
		return nil
	}
	return s.all[s.lo:s.cut]
}

// Enter puts i on this goroutine's stack; the returned function takes it off and
// must be deferred, so that panics and runtime.Goexit take it off too.
func Enter(i Interpreter) (exit func()) {
	if len(current().active()) >= maxDepth {
		FailOp(ErrStatic, "", nil, "more than %d traces and transformations are nested; does a traced function call itself without end? End recursion while tracing, on a static argument", maxDepth)
	}
	s := acquire()
	// What Below hides stays hidden: it is put aside until the exit.
	hidden, lo, cut := s.all, s.lo, s.cut
	if s.cut < len(s.all) {
		s.all = s.all[:s.cut:s.cut] // append copies: the hidden ones stay as they are
	}
	s.all = append(s.all, i)
	s.cut = len(s.all)
	return func() {
		s.all, s.lo, s.cut = hidden, lo, cut
		s.release()
	}
}

// acquire returns this goroutine's stack, made if there is none, for a user that
// releases it.
func acquire() *gstack {
	id := goid()
	var s *gstack
	if v, ok := stacks.Load(id); ok {
		s = v.(*gstack)
	} else {
		s = &gstack{id: id}
		stacks.Store(id, s)
		nearest(id).CompareAndSwap(nil, s)
	}
	s.users++
	entered.Add(1)
	return s
}

func (s *gstack) release() {
	if s.users--; s.users == 0 {
		stacks.Delete(s.id)
		nearest(s.id).CompareAndSwap(s, nil)
	}
	entered.Add(-1)
}

// Scope returns what WithScope set on this goroutine, nil outside of it. Package
// jaxpr keeps there which programs are being evaluated.
func Scope() any {
	if s := current(); s != nil {
		return s.scope
	}
	return nil
}

// WithScope runs f with this goroutine's scope set to scope.
func WithScope(scope any, f func()) {
	s := acquire()
	old := s.scope
	s.scope = scope
	defer func() {
		s.scope = old
		s.release()
	}()
	f()
}

func (s *gstack) cutTo(level int64) {
	for s.cut > s.lo && s.all[s.cut-1].Level() >= level {
		s.cut--
	}
}

// Below runs f with this goroutine's stack cut to the interpreters older than i. An
// interpreter works so: what it binds goes to those that are older than itself.
func Below[T any](i Interpreter, f func() T) T {
	s := current()
	if s == nil {
		return f()
	}
	cut := s.cut
	s.cutTo(i.Level())
	if s.cut == cut {
		return f()
	}
	defer func() { s.cut = cut }()
	return f()
}

// Suspended runs f with this goroutine's stack hidden: what f binds is evaluated
// at once, unless an operand is traced.
func Suspended[T any](f func() T) T {
	s := current()
	if s == nil {
		return f()
	}
	lo := s.lo
	s.lo = s.cut
	defer func() { s.lo = lo }()
	return f()
}

// Active returns this goroutine's stack of active interpreters, oldest first. It is not a copy, which
// would cost the square of the depth where functions are within functions: read it at once.
func Active() []Interpreter {
	a := current().active()
	return a[:len(a):len(a)]
}

// maxDepth is how deep traces and transformations nest, a thousand functions with some
// transformations around them: a Go stack that is used up cannot be recovered from.
const maxDepth = 1024

// ActiveRecorder returns the youngest Recorder of this goroutine, nil if there is none.
func ActiveRecorder() Recorder {
	a := current().active()
	for i := len(a) - 1; i >= 0; i-- {
		if r, ok := a[i].(Recorder); ok && r.Records() {
			return r
		}
	}
	return nil
}

// Tracing reports whether any interpreter is active on this goroutine.
func Tracing() bool { return len(current().active()) > 0 }

// Replay is a goroutine's note of the line on which the equation that is being
// replayed was first written, so that what interpreters write keeps the user's
// line. Outside of transformations it notes nothing.
type Replay struct {
	s     *gstack
	outer Site
}

// StartReplay begins a note; End, deferred, restores what was noted before.
func StartReplay() Replay {
	s := current()
	if s == nil {
		return Replay{}
	}
	return Replay{s, s.site}
}

// At notes a line.
func (r Replay) At(site Site) {
	if r.s != nil && site != 0 {
		r.s.site = site
	}
}

// End ends the note.
func (r Replay) End() {
	if r.s != nil {
		r.s.site = r.outer
	}
}

// HereSite returns the line of the equation being replayed, or else UserSite.
func HereSite() Site {
	if s := current(); s != nil && s.site != 0 {
		return s.site
	}
	return UserSite()
}
