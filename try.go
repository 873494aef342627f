package weft

import (
	"errors"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/leaves"
)

// Error is a mistake in a program: the operation, the user's line, the operands'
// types, and the fix. Its kind is tested with errors.Is: see core.ErrShape and
// its like.
type Error = core.Error

// Try runs f and returns the mistake that it panicked with as an error. Other
// panics go on.
func Try[T any](f func() T) (v T, err error) {
	leaves.RequireNonNil("Try", f)
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(error)
			var known *core.Error
			if !ok || !errors.As(e, &known) {
				panic(r)
			}
			err = e
		}
	}()
	return f(), nil
}

// Now runs f at once, even while a function is traced: what depends on no argument
// is evaluated, not recorded, and its results are constants.
func Now[T any](f func() T) T {
	leaves.RequireNonNil("Now", f)
	return core.Suspended(f)
}
