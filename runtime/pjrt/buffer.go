package pjrt

import (
	"context"
	goruntime "runtime"
	"sync/atomic"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/reference"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/pjrt/internal/capi"
)

// buffer is the memory of an array on a device. The plugin frees it when the array, and all that
// share its memory, are garbage.
type buffer struct {
	d      *device
	handle capi.Handle
	aval   core.ShapedArray
	bytes  int
	waited atomic.Bool // the elements have been computed
}

// buffer returns the buffer of a plugin's handle, which is freed when the buffer is garbage.
func (d *device) buffer(t core.ShapedArray, h capi.Handle) *buffer {
	b := &buffer{d: d, handle: h, aval: t, bytes: bytesOf(t)}
	d.memory.add(b.bytes)
	goruntime.AddCleanup(b, free, freed{d.client, h, b.bytes})
	return b
}

// freed is what the cleanup of a buffer needs of it.
type freed struct {
	c     *client
	h     capi.Handle
	bytes int
}

func free(f freed) {
	_ = f.c.api.DestroyBuffer(f.h) // there is no caller to report an error to
	f.c.memory.add(-f.bytes)
}

func (b *buffer) Executor() runtime.Executor { return b.d }

// Wait waits until the elements have been computed.
func (b *buffer) Wait(ctx context.Context) error {
	if b.waited.Load() {
		return nil
	}
	return until(ctx, func() error {
		err := b.d.explain(b.d.api.Wait(b.handle))
		goruntime.KeepAlive(b)
		if err == nil {
			b.waited.Store(true)
		}
		return err
	}, nil)
}

// Bytes waits for the elements and returns a copy of them, or an error if the context ends first.
func (b *buffer) Bytes(ctx context.Context) ([]byte, error) {
	data := reference.NewTensor(core.Aval(core.Uint8, b.bytes)).Data
	if err := until(ctx, func() error { return b.download(data) }, nil); err != nil {
		return nil, err
	}
	b.waited.Store(true)
	return data, nil
}

// download waits for the elements and copies them.
func (b *buffer) download(data []byte) error {
	defer goruntime.KeepAlive(b)
	if len(data) == 0 {
		return b.d.explain(b.d.api.Wait(b.handle))
	}
	rank := b.aval.Rank()
	if b.aval.DType.IsKey() {
		rank++
	}
	if err := b.d.api.Download(b.handle, data, rank); err != nil {
		return b.d.explain(err)
	}
	extend(data, b.aval.DType)
	return nil
}

// extend sign- or zero-extends numbers of fewer than eight bits: plugins leave the upper bits of their
// bytes undefined.
func extend(data []byte, dt core.DType) {
	if dt.Bits() >= 8 {
		return
	}
	shift := 8 - dt.Bits()
	for i, x := range data {
		if dt.IsSigned() {
			data[i] = byte(int8(x<<shift) >> shift)
		} else {
			data[i] = x << shift >> shift
		}
	}
}

// until calls f and returns its error. If the context has ended already, until returns its error without
// calling f. If the context ends first, until returns the context's error and f goes on; when f returns,
// abandoned, unless it is nil, is called with the error of f.
func until(ctx context.Context, f func() error, abandoned func(err error)) error {
	if ctx.Done() == nil {
		return f()
	}
	if err := runtime.Ended(ctx); err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() { done <- f() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		if err := runtime.Ended(ctx); err != nil {
			if abandoned != nil {
				go func() { abandoned(<-done) }()
			}
			return err
		}
		return <-done // a context without an error has not ended
	}
}
