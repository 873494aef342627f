package runtime

import (
	"context"
	goruntime "runtime"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/reference"
)

// Context returns the context of this goroutine's settings, else one that never ends.
func Context() context.Context { return Current().context() }

func (s *Settings) context() context.Context {
	if s.Context != nil {
		return s.Context
	}
	return context.Background()
}

// ask panics if the settings' context has ended. Operations outside of programs call it.
func (s *Settings) ask() {
	if s.Context != nil {
		Ask(s.Context)
	}
}

// runKernel runs a kernel. A kernel that may take long stops early if the settings' context
// ends: the caller must check the context afterwards.
func (s *Settings) runKernel(f reference.Func, p core.Primitive, in, out []*Array) {
	if s.Context != nil {
		if g, ok := reference.LookupStopping(p); ok {
			done := s.Context.Done()
			g(p, tensors(in), tensors(out), func() bool { return Closed(done) })
			return
		}
	}
	f(p, tensors(in), tensors(out))
}

// cooperative reports that goroutines are not preempted: code that ends a context runs only if
// others yield.
const cooperative = goruntime.GOARCH == "wasm"

// Closed reports whether a context's channel is closed; nil never is. Executors ask it within loops:
// where goroutines are not preempted, it lets others run.
func Closed(done <-chan struct{}) bool {
	if cooperative && done != nil {
		goruntime.Gosched()
	}
	select {
	case <-done:
		return true
	default:
		return false
	}
}

// Ask panics with the error of a call that is cancelled if the context has ended.
func Ask(ctx context.Context) {
	if err := Ended(ctx); err != nil {
		panic(cancelled(err))
	}
}

func cancelled(err error) *core.Error {
	return &core.Error{Pos: core.HerePos(), Msg: "cancelled, since the context has ended; call again under one that is alive", Err: err}
}
