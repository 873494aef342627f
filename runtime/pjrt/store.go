package pjrt

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/weft-go/weft/runtime/pjrt/internal/capi"
)

// A Store holds values that several processes share. Many goroutines use it at once.
type Store interface {
	// Put stores a value under a key.
	Put(key string, value []byte) error
	// Get returns the value of a key. If there is none yet, Get waits for at most the time wait, and
	// then returns [ErrNoValue].
	Get(key string, wait time.Duration) ([]byte, error)
}

// ErrNoValue is the error of a store that has no value of a key.
var ErrNoValue = capi.ErrNoValue

const storeOption = "store"

// Share returns an option with the store by which the processes of one client find each other. Plugins
// for GPUs use it together with their options node_id and num_nodes; plugins for processors do not.
func Share(s Store) Config { return Config{name: storeOption, value: s, own: true} }

// NewStore returns a store in the memory of this process, for clients in it.
func NewStore() Store { return &memoryStore{values: map[string][]byte{}, changed: make(chan struct{})} }

type memoryStore struct {
	mu      sync.Mutex
	values  map[string][]byte
	changed chan struct{} // closed by the next Put
}

func (s *memoryStore) Put(key string, value []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.values[key] = slices.Clone(value)
	close(s.changed)
	s.changed = make(chan struct{})
	return nil
}

func (s *memoryStore) Get(key string, wait time.Duration) ([]byte, error) {
	end := time.NewTimer(wait)
	defer end.Stop()
	for {
		s.mu.Lock()
		value, ok := s.values[key]
		changed := s.changed
		s.mu.Unlock()
		if ok {
			return slices.Clone(value), nil
		}
		if wait <= 0 {
			return nil, fmt.Errorf("key %q: %w", key, ErrNoValue)
		}
		select {
		case <-changed:
		case <-end.C:
			wait = 0
		}
	}
}
