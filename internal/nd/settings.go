package nd

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/promote"
)

// Settings decide how operands of different types and ranks combine.
type Settings struct {
	Bits       int            // default width of untyped constants: 32 or 64
	System     promote.System // finds the common type of operands
	RaiseRanks bool           // operands of different ranks are an error
}

// Current returns the settings of this goroutine. Package weft sets it.
var Current = func() Settings { return Settings{Bits: 32, System: promote.JAX} }

// WithSystem runs f under a promotion system. Package weft sets it.
var WithSystem = func(_ promote.System, f func()) { f() }

// WithJAXPromotion evaluates f under jax.numpy's promotion. Functions of one operand
// that returns written with operators use it: the user's promotion system decides between
// the user's operands only.
func WithJAXPromotion[T any](f func() T) (y T) {
	if Current().System == promote.JAX {
		return f()
	}
	WithSystem(promote.JAX, func() { y = f() })
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
