package device

import (
	"context"
	goruntime "runtime"
	"sync/atomic"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/reference"
	"github.com/weft-go/weft/runtime"
)

type view struct {
	p      *piece
	offset int
}

func (v view) place() Place { return Place{v.p.m, v.offset} }

type buffer struct {
	e     *executor
	at    view
	bytes int

	mark   Mark // after the commands that compute or write the elements, if upload is 0
	upload Mark // of a concurrent upload of the elements; 0: there was none

	joined atomic.Bool // later commands wait for the upload
	waited atomic.Bool // the elements are known to be there
}

func (b *buffer) Executor() runtime.Executor { return b.e }

// Wait waits until the elements are computed or uploaded. It returns an error if the context ends first.
func (b *buffer) Wait(ctx context.Context) error {
	if b.waited.Load() {
		return nil
	}
	return until(ctx, b.wait)
}

func (b *buffer) wait() error {
	var err error
	if b.upload > 0 {
		err = b.e.driver.(Uploader).Arrived(b.upload)
	} else {
		err = b.e.driver.Wait(b.mark)
	}
	if err == nil {
		b.waited.Store(true)
	}
	return err
}

// use returns the memory of the elements. The commands that follow wait for their upload.
func (b *buffer) use() (view, error) {
	if b.upload > 0 && !b.joined.Load() {
		if err := b.e.driver.(Uploader).Join(b.upload); err != nil {
			return view{}, err
		}
		b.joined.Store(true)
	}
	return b.at, nil
}

// Bytes waits for the elements and returns a copy of them, or an error if the context ends first.
func (b *buffer) Bytes(ctx context.Context) ([]byte, error) {
	if err := b.Wait(ctx); err != nil {
		return nil, err
	}
	data := reference.NewTensor(core.Aval(core.Uint8, b.bytes)).Data
	if len(data) == 0 {
		return data, nil
	}
	b.at.p.users.Add(1) // a copy may go on after its context: the memory must not be released
	err := until(ctx, func() error {
		defer b.at.p.users.Add(-1)
		err := b.e.driver.Read(data, b.at.p.m, b.at.offset)
		goruntime.KeepAlive(b.at.p)
		return err
	})
	if err != nil {
		return nil, err
	}
	return data, nil
}

// until calls f and returns its error. If the context ends first, until returns the context's error and f goes on.
func until(ctx context.Context, f func() error) error {
	if ctx.Done() == nil {
		return f()
	}
	done := make(chan error, 1)
	go func() { done <- f() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		if err := runtime.Ended(ctx); err != nil {
			return err
		}
		return <-done // a context without an error has not ended
	}
}
