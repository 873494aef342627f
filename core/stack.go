package core

import (
	"iter"
	"sync"
	"sync/atomic"
)

// gstack is one goroutine's stack of active interpreters. Only its goroutine touches it.
type gstack struct {
	id  uintptr
	top *entry // the youngest that is active and not hidden; nil if there is none

	site  Site // the line that the equation being replayed was written on, or 0
	scope any  // see WithScope
	users int  // entries, scopes and replays that need the stack

	nested int // entries, hidden ones included
}

// entry is an interpreter on a stack. Entries are immutable: hiding the youngest ones while an
// interpreter works moves the top and copies nothing.
type entry struct {
	i     Interpreter
	outer *entry   // the next older one that was not hidden when i was entered
	depth int      // how many are older
	first Recorder // the oldest Recorder up to here

	region *Region // the youngest Region up to here
}

// entered is the sum of users over the stacks of all goroutines. While it is 0, current
// costs one atomic load.
var entered atomic.Int64

// stacks finds a goroutine's stack by its identity. near contains the same stacks at an index
// computed from the identity, unless another goroutine's stack is there.
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

// youngest returns the top of the stack; s may be nil.
func (s *gstack) youngest() *entry {
	if s == nil {
		return nil
	}
	return s.top
}

// Enter puts i on this goroutine's stack; the returned function takes it off and
// must be deferred, so that panics and runtime.Goexit take it off too.
func Enter(i Interpreter) (exit func()) {
	e := &entry{i: i}
	if outer := current().youngest(); outer != nil {
		e.outer, e.depth, e.first, e.region = outer, outer.depth+1, outer.first, outer.region
	}
	s := acquire()
	if e.depth >= maxDepth || s.nested >= maxNested {
		s.release()
		FailOp(ErrStatic, "", nil, "more than %d traces and transformations are nested; does a traced function call itself without end? End recursion while tracing, on a static argument", maxDepth)
	}
	if r, ok := i.(Recorder); ok && e.first == nil && r.Records() {
		e.first = r
	}
	if r, ok := i.(*Region); ok {
		r.outer = e.region
		e.region = r
	}
	hidden := s.top // what Below hides stays hidden
	s.top = e
	s.nested++
	return func() {
		s.top = hidden
		s.nested--
		s.release()
	}
}

// acquire returns this goroutine's stack and makes it if there is none. The caller must release
// it.
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

// Below runs f with this goroutine's stack cut to the interpreters older than i: operations that i
// binds while it interprets one go to those.
func Below[T any](i Interpreter, f func() T) T {
	s := current()
	if s == nil {
		return f()
	}
	top, cut, level := s.top, s.top, i.Level()
	for cut != nil && cut.i.Level() >= level {
		cut = cut.outer
	}
	if cut == top {
		return f()
	}
	s.top = cut
	defer func() { s.top = top }()
	return f()
}

// Suspended runs f with this goroutine's stack hidden: what f binds is evaluated
// at once, unless an operand is traced.
func Suspended[T any](f func() T) T {
	s := current()
	if s == nil {
		return f()
	}
	top := s.top
	s.top = nil
	defer func() { s.top = top }()
	return f()
}

// Active ranges over this goroutine's stack of active interpreters, youngest first.
func Active() iter.Seq[Interpreter] {
	top := current().youngest()
	return func(yield func(Interpreter) bool) {
		for e := top; e != nil && yield(e.i); e = e.outer {
		}
	}
}

// maxDepth bounds how deep traces and transformations nest: a program cannot recover from an
// exhausted Go stack. It suffices for a thousand functions with some transformations around them.
const maxDepth = 1024

// maxNested bounds the depth where hidden interpreters count too. The function of a custom rule
// is traced while Below hides its caller's interpreters, several per level, so maxDepth does not
// count them. This many use less than 250 MB of stack, the limit of a 32-bit process.
const maxNested = 8 * maxDepth

// ActiveRecorder returns the youngest Recorder of this goroutine, nil if there is none.
func ActiveRecorder() Recorder {
	for i := range Active() {
		if r, ok := i.(Recorder); ok && r.Records() {
			return r
		}
	}
	return nil
}

// OutermostRecorder returns the oldest Recorder of this goroutine, nil if there is none.
func OutermostRecorder() Recorder {
	if e := current().youngest(); e != nil {
		return e.first
	}
	return nil
}

// Tracing reports whether any interpreter is active on this goroutine.
func Tracing() bool { return current().youngest() != nil }

// Replay is a goroutine's note of the line on which the equation being replayed was
// first written. The equations that interpreters make of it keep that line.
type Replay struct {
	s     *gstack
	outer Site
	own   bool // the goroutine had no stack
}

// StartReplay begins a note; End, deferred, restores what was noted before. Outside of
// transformations it notes nothing.
func StartReplay() Replay {
	s := current()
	if s == nil {
		return Replay{}
	}
	return Replay{s: s, outer: s.site}
}

// StartReplayOutside is StartReplay that notes lines even where nothing is being transformed, so
// that equations evaluated at once have the lines on which they were written.
func StartReplayOutside() Replay {
	if r := StartReplay(); r.s != nil {
		return r
	}
	return Replay{s: acquire(), own: true}
}

// At notes the line at site, if that is known.
func (r Replay) At(site Site) {
	if r.s != nil && site != 0 {
		r.s.site = site
	}
}

// End restores the line that was noted before.
func (r Replay) End() {
	if r.s != nil {
		r.s.site = r.outer
	}
	if r.own {
		r.s.release()
	}
}

// HereSite returns the line of the equation being replayed, or else UserSite.
func HereSite() Site {
	if s := current(); s != nil && s.site != 0 {
		return s.site
	}
	return UserSite()
}
