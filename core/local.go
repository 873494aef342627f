package core

import (
	"sync"
	"sync/atomic"
)

// One value a goroutine, for the settings of the library's users. It is kept
// beside the stack of interpreters, not on it: what hides interpreters must not
// hide settings.
var (
	locals   sync.Map     // goroutine identity → value
	localled atomic.Int64 // goroutines that have one
)

// Local is the value that WithLocal set on this goroutine, nil if there is none.
// Where no goroutine has one it costs an atomic load.
func Local() any {
	if localled.Load() == 0 {
		return nil
	}
	v, _ := locals.Load(goid())
	return v
}

// WithLocal runs f with v as this goroutine's value.
func WithLocal(v any, f func()) {
	id := goid()
	old, had := locals.Swap(id, v)
	localled.Add(1)
	defer func() {
		localled.Add(-1)
		if had {
			locals.Store(id, old)
		} else {
			locals.Delete(id)
		}
	}()
	f()
}
