package testcheck

import (
	"context"
	"sync/atomic"
)

// A StoppingContext has a closed channel, and an error after a number of calls of Err.
type StoppingContext struct {
	context.Context
	done  chan struct{}
	live  int64 // looks without an error
	looks atomic.Int64
}

// Stopping returns a context that is canceled after live calls of Err.
func Stopping(live int64) *StoppingContext {
	c := &StoppingContext{Context: context.Background(), done: make(chan struct{}), live: live}
	close(c.done)
	return c
}

// Looks returns how often Err was called.
func (c *StoppingContext) Looks() int64 { return c.looks.Load() }

// Done returns a channel that is closed.
func (c *StoppingContext) Done() <-chan struct{} { return c.done }

// Err returns nil for the first calls, then an error.
func (c *StoppingContext) Err() error {
	if c.looks.Add(1) > c.live {
		return context.Canceled
	}
	return nil
}
