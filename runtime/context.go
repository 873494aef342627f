package runtime

import (
	"context"
	"errors"
	"fmt"

	"github.com/weft-go/weft/core"
)

// A Bound is a goroutine's settings, core.Local, that bind what runs to a context.
type Bound interface {
	// Context may be nil: what runs is bound to none.
	Context() context.Context
}

// Context is what this goroutine's settings bind to, if nothing else does.
func Context() context.Context {
	if b, ok := core.Local().(Bound); ok {
		if ctx := b.Context(); ctx != nil {
			return ctx
		}
	}
	return context.Background()
}

// ask stops an operation that runs by itself if the settings' context has ended.
func ask() {
	if b, ok := core.Local().(Bound); ok {
		if ctx := b.Context(); ctx != nil {
			Ask(ctx)
		}
	}
}

// Ask panics with the error of a call that is cancelled if the context has ended.
func Ask(ctx context.Context) {
	err := ctx.Err()
	if err == nil {
		return
	}
	if cause := context.Cause(ctx); !errors.Is(cause, err) {
		err = fmt.Errorf("%w: %w", err, cause)
	}
	panic(&core.Error{Pos: core.HerePos(), Msg: "cancelled, since the context has ended; call again under one that is alive", Err: err})
}
