package weft

import (
	"context"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/runtime"
)

// Context binds what [With] runs to a context: every operation and program that runs at
// once checks it before it begins and on every iteration of a loop, gradients and batches too.
// When the context has ended they panic with an *[Error] behind which its error is, and
// which [Try] returns. What a traced function records does not check it; its program does
// when it runs.
//
//	_, err := weft.Try(func() (v weft.Array) {
//		weft.With(weft.Context(ctx), func() { v = weft.Grad(loss)(params) })
//		return v
//	})
//	if errors.Is(err, context.DeadlineExceeded) { … }
func Context(ctx context.Context) Setting {
	if ctx == nil {
		core.FailOp(core.ErrStatic, "Context", nil, "takes a context; this one is nil: pass context.Background() for one that never ends")
	}
	return setting(func(s *runtime.Settings) { s.Context = ctx })
}
