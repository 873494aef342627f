package mpi

import (
	"errors"
	"testing"
	"time"

	"github.com/weft-go/weft/internal/test/fakempi"
)

// A process that fails while it waits for the others ends the job at once.
func TestFailsWhileWaiting(t *testing.T) {
	everyABI(t, func(t *testing.T, abi fakempi.ABI) {
		w := fakempi.New(abi, 2)
		ended := make(chan bool)
		job(t, abi, w, 2, func(p *Transport) error {
			if rank, _ := p.Rank(); rank == 1 { // which never comes
				<-ended
				return nil
			}
			defer close(ended)
			gathered := make(chan error, 1)
			go func() { gathered <- p.Gather(t.Context(), []int{0, 1}, []byte{1}, make([]byte, 2)) }()
			for p.mu.TryLock() { // until it has begun
				p.mu.Unlock()
				time.Sleep(time.Millisecond)
			}
			cause := errors.New("a reason")
			if err := p.Close(cause); !errors.Is(err, cause) {
				t.Errorf("closed: got %v, want %v", err, cause)
			}
			if err := <-gathered; !errors.Is(err, cause) {
				t.Errorf("gathered: got %v, want %v", err, cause)
			}
			return nil
		})
	})
}
