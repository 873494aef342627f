package main

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/weft-go/weft"
)

var (
	errFull   = errors.New("too many requests wait; try again later")
	errClosed = errors.New("the server is shutting down")
)

// A Batcher answers pictures with a model. Waiting pictures are answered together, by the
// model under Vmap.
type Batcher struct {
	max    int           // pictures in a batch
	linger time.Duration // how long a batch waits for more
	run    func(weft.Array) weft.Array

	mu      sync.RWMutex // held for reading while a request is queued
	closed  bool
	queue   chan waiting
	stopped chan struct{}
	sizes   []int // how many batches there were of each size; read after Close
}

type waiting struct {
	image  []float32
	answer chan answer
}

type answer struct {
	probabilities []float32
	batch         int // how many pictures were answered together
	err           error
}

// NewBatcher starts a Batcher. At most queue requests wait.
func NewBatcher(predict func(weft.Array) weft.Array, max, queue int, linger time.Duration) *Batcher {
	b := &Batcher{
		max: max, linger: linger,
		run:   weft.Jit(weft.Vmap(predict)),
		queue: make(chan waiting, queue), stopped: make(chan struct{}),
		sizes: make([]int, max+1),
	}
	go b.loop()
	return b
}

// Predict answers one picture. It waits for its batch, or until ctx ends.
func (b *Batcher) Predict(ctx context.Context, image []float32) (answer, error) {
	w := waiting{image, make(chan answer, 1)}
	if err := b.enqueue(w); err != nil {
		return answer{}, err
	}
	select {
	case a := <-w.answer:
		return a, a.err
	case <-ctx.Done():
		return answer{}, ctx.Err()
	}
}

func (b *Batcher) enqueue(w waiting) error {
	b.mu.RLock()
	defer b.mu.RUnlock()
	if b.closed {
		return errClosed
	}
	select {
	case b.queue <- w:
		return nil
	default:
		return errFull
	}
}

// Close refuses further requests, answers those that wait, and returns how many batches
// there were of each size.
func (b *Batcher) Close() []int {
	b.mu.Lock()
	if !b.closed {
		b.closed = true
		close(b.queue)
	}
	b.mu.Unlock()
	<-b.stopped
	return b.sizes
}

func (b *Batcher) loop() {
	defer close(b.stopped)
	for first := range b.queue {
		b.answer(b.gather(first))
	}
}

// gather collects requests up to the size of a batch, or until none came for a while.
func (b *Batcher) gather(first waiting) []waiting {
	batch := []waiting{first}
	timeout := time.NewTimer(b.linger)
	defer timeout.Stop()
	for len(batch) < b.max {
		select {
		case w, ok := <-b.queue:
			if !ok {
				return batch
			}
			batch = append(batch, w)
		case <-timeout.C:
			return batch
		}
	}
	return batch
}

// answer runs the model on a batch. The batch is padded to a power of two, so that few programs
// are compiled; the padding changes no bit of the answers.
func (b *Batcher) answer(batch []waiting) {
	b.sizes[len(batch)]++
	rows := 1
	for rows < len(batch) {
		rows *= 2
	}
	pixels := make([]float32, rows*side*side)
	for i, w := range batch {
		copy(pixels[i*side*side:], w.image)
	}
	out, err := weft.Try(func() weft.Array { return b.run(weft.FromSlice(pixels, rows, side, side)) })
	var all []float32
	if err == nil {
		all = weft.ToSlice[float32](out)
	}
	for i, w := range batch {
		a := answer{batch: len(batch), err: err}
		if err == nil {
			a.probabilities = all[i*digits : (i+1)*digits]
		}
		w.answer <- a
	}
}
