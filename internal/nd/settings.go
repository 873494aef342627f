package nd

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/promote"
	"github.com/weft-go/weft/runtime"
)

// Current returns the settings of this goroutine by which operands of different types and
// ranks combine.
func Current() *runtime.Tracing { return &runtime.Current().Tracing }

// WithJAXPromotion evaluates f under jax.numpy's promotion. Functions whose formulas are written
// with operators use it: the user's promotion system applies to the user's operands only.
func WithJAXPromotion[T any](f func() T) (y T) {
	if Current().Promotion == promote.JAX {
		return f()
	}
	runtime.WithSettings(func(s *runtime.Settings) { s.Promotion = promote.JAX }, func() { y = f() })
	return y
}

// DefaultInt returns the type of an untyped integer constant.
func DefaultInt() core.DType {
	if Current().Bits == 64 {
		return core.Int64
	}
	return core.Int32
}

// DefaultFloat returns the type of an untyped floating-point constant.
func DefaultFloat() core.DType {
	if Current().Bits == 64 {
		return core.Float64
	}
	return core.Float32
}

// DefaultComplex returns the type of an untyped complex constant.
func DefaultComplex() core.DType {
	if Current().Bits == 64 {
		return core.Complex128
	}
	return core.Complex64
}
