package hostcall

import (
	"runtime"
	"sync"
	"weak"
)

// An interned table finds one value for each text, for as long as something refers to the value: programs
// that were read and are no longer used leave nothing behind.
type interned[V any] struct {
	mu sync.Mutex
	m  map[string]weak.Pointer[V]
}

// of returns the value for a text: fresh, if there is none.
func (h *interned[V]) of(text string, fresh *V) *V {
	h.mu.Lock()
	defer h.mu.Unlock()
	if v := h.m[text].Value(); v != nil {
		return v
	}
	if h.m == nil {
		h.m = map[string]weak.Pointer[V]{}
	}
	w := weak.Make(fresh)
	h.m[text] = w
	runtime.AddCleanup(fresh, func(text string) {
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.m[text] == w {
			delete(h.m, text)
		}
	}, text)
	return fresh
}
