package device

import (
	"crypto/sha256"
	"sync"
	"weak"
)

// Digest is the hash of a program's text and of what translates it.
type Digest [sha256.Size]byte

// Shared are a driver's compiled programs by their digests, as long as something uses them. Several
// goroutines may use it at once.
type Shared[P any] struct {
	mu       sync.Mutex
	programs map[Digest]weak.Pointer[P]
}

// Get returns the program with a digest, nil if there is none.
func (s *Shared[P]) Get(key Digest) *P {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.programs[key].Value()
}

// Add adds a program and returns it, or the one that another goroutine has added before.
func (s *Shared[P]) Add(key Digest, p *P) *P {
	s.mu.Lock()
	defer s.mu.Unlock()
	if other := s.programs[key].Value(); other != nil {
		return other
	}
	if s.programs == nil {
		s.programs = map[Digest]weak.Pointer[P]{}
	}
	s.programs[key] = weak.Make(p)
	return p
}

// Forget removes a digest whose program is garbage.
func (s *Shared[P]) Forget(key Digest) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p, ok := s.programs[key]; ok && p.Value() == nil {
		delete(s.programs, key)
	}
}
