package runtime

import (
	"context"
	"errors"
	"fmt"

	"github.com/weft-go/weft/core"
)

// nameOf returns the name of an executor; e is nil for a buffer without an executor.
func nameOf(e Executor) string {
	if e == nil {
		return "without a name"
	}
	return e.Name()
}

// executorErrorf returns an error in the name of an executor that broke its contract.
func executorErrorf(e Executor, op, format string, args ...any) error {
	return &core.Error{Kind: core.ErrDevice, Op: op, Pos: core.HerePos(), Msg: "executor " + nameOf(e) + ": " + fmt.Sprintf(format, args...)}
}

// executorError returns the error of an executor as the user sees it: a [core.Error] unchanged,
// the end of a context as a cancelled call, and any other error in the executor's name.
func executorError(e Executor, op string, err error) error {
	var known *core.Error
	switch {
	case errors.As(err, &known):
		return err
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return cancelled(err)
	}
	return &core.Error{Kind: core.ErrDevice, Op: op, Pos: core.HerePos(), Msg: "executor " + nameOf(e) + " failed", Err: err}
}

// placeError is executorError for an array that cannot be read.
func placeError(e Executor, a *Array, err error) error {
	var known *core.Error
	if errors.As(err, &known) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return executorError(e, "", err)
	}
	t := a.Aval()
	return &core.Error{Kind: core.ErrDevice, Avals: []core.ShapedArray{t}, Pos: core.HerePos(),
		Msg: fmt.Sprintf("executor %s: an array of type %v has no elements, because what computes or copies it failed", nameOf(e), t.Full()), Err: err}
}

// fail panics with an error, as the user gets it. An error that names no operation gets
// op.
func fail(op string, err error) {
	e, ok := err.(*core.Error)
	if !ok {
		e = &core.Error{Pos: core.HerePos(), Msg: "a call failed", Err: err}
	}
	if e.Op == "" && op != "" {
		named := *e
		named.Op = op
		e = &named
	}
	panic(e)
}
