package data

import (
	"context"
	"iter"

	"github.com/weft-go/weft/core"
)

// maxAhead bounds the capacity of Prefetch's channel, which is allocated at once.
const maxAhead = 1 << 20

// Prefetch ranges over a source that a goroutine runs ahead, so that batches are prepared while the
// one before is worked on: up to n elements wait for the loop, and the source may have produced one
// more. The loop ends, also by a break, only after the goroutine has: as soon as the source has
// produced its current element. A panic in the source happens in the loop, unless the loop ended
// before. When the context is done the loop ends early: ctx.Err() tells whether it did.
//
// The source runs outside of any trace of the loop's goroutine, and under the process's
// settings. n is at most 1,048,576.
func Prefetch[T any](ctx context.Context, source iter.Seq[T], n int) iter.Seq[T] {
	if n < 1 {
		core.FailOp(core.ErrShape, "Prefetch", nil, "prepares at least one element ahead, not %d; make it 1 or more", n)
	}
	if n > maxAhead {
		core.FailOp(core.ErrShape, "Prefetch", nil, "prepares too many elements ahead (got %d, at most %d); use a smaller number", n, maxAhead)
	}
	if ctx == nil {
		core.FailOp(core.ErrStatic, "Prefetch", nil, "the context is nil; pass context.Background()")
	}
	if source == nil {
		core.FailOp(core.ErrStatic, "Prefetch", nil, "there is nothing to prepare: the source is nil; pass an iterator, as Batches returns one")
	}
	return func(yield func(T) bool) {
		inner, stop := context.WithCancel(ctx)
		ready := make(chan T, n)
		ended := make(chan any, 1) // what the source panicked with, nil if it did not
		go func() {
			defer close(ready)
			defer func() { ended <- recover() }()
			for v := range source {
				select {
				case <-inner.Done(): // checked first: there may be room, too
					return
				default:
				}
				select {
				case ready <- v:
				case <-inner.Done():
					return
				}
			}
		}()
		finished := false
		defer func() {
			stop()
			for range ready { // until the goroutine has ended
			}
			if p := <-ended; p != nil && finished {
				panic(p)
			}
		}()
		for {
			if ctx.Err() != nil {
				return
			}
			select {
			case <-ctx.Done():
				return
			case v, ok := <-ready:
				if !ok {
					finished = true
					return
				}
				if !yield(v) {
					return
				}
			}
		}
	}
}
