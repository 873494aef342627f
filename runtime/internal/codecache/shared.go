package codecache

import (
	"sync"
	"weak"
)

// Shared are a driver's compiled programs by their keys, as long as something uses them. Several
// goroutines may use it at once.
type Shared[P any] struct {
	mu       sync.Mutex
	programs map[Key]weak.Pointer[P]
}

// Get returns the program with a key, nil if there is none.
func (s *Shared[P]) Get(key Key) *P {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.programs[key].Value()
}

// Add adds a program and returns it, or the one that another goroutine has added before.
func (s *Shared[P]) Add(key Key, p *P) *P {
	s.mu.Lock()
	defer s.mu.Unlock()
	if other := s.programs[key].Value(); other != nil {
		return other
	}
	if s.programs == nil {
		s.programs = map[Key]weak.Pointer[P]{}
	}
	s.programs[key] = weak.Make(p)
	return p
}

// Forget removes a key whose program is garbage.
func (s *Shared[P]) Forget(key Key) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p, ok := s.programs[key]; ok && p.Value() == nil {
		delete(s.programs, key)
	}
}
