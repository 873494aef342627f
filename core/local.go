package core

import (
	"sync"
	"sync/atomic"
)

// A Local is a variable with a value for each goroutine, as settings need it. It is kept beside
// the stack of interpreters, not on it: hiding interpreters must not hide settings. The zero
// Local has no values.
type Local[T any] struct {
	values sync.Map     // goroutine identity → *T
	count  atomic.Int64 // calls of With that are active
}

// Get returns the goroutine's value, nil if it has none. Where no goroutine has one it
// costs an atomic load.
func (l *Local[T]) Get() *T {
	if l.count.Load() == 0 {
		return nil
	}
	v, _ := l.values.Load(goid())
	p, _ := v.(*T)
	return p
}

// With runs f with v as this goroutine's value.
func (l *Local[T]) With(v *T, f func()) {
	id := goid()
	old, had := l.values.Swap(id, v)
	l.count.Add(1)
	defer func() {
		l.count.Add(-1)
		if had {
			l.values.Store(id, old)
		} else {
			l.values.Delete(id)
		}
	}()
	f()
}

// behalf has the goroutine for which another one works.
var behalf Local[uintptr]

// Goroutine returns a number that no other goroutine has while this one lives. Within [OnBehalf] it is the
// number of the goroutine for which f runs.
func Goroutine() uintptr {
	if id := behalf.Get(); id != nil {
		return *id
	}
	return goid()
}

// OnBehalf runs f on this goroutine for another goroutine, which waits meanwhile. Callbacks that a
// device's driver makes on a thread of its own use it.
func OnBehalf(goroutine uintptr, f func()) { behalf.With(&goroutine, f) }
