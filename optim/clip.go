package optim

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
)

// Norm returns the root of the sum of the squares of all numbers in a gradient. It is computed in
// at least f32, since squares in f16 soon overflow. Where it is 0, so is its derivative.
func Norm[P any](g P) (norm weft.Array) {
	settled(func() {
		var sum weft.Array
		for _, x := range leavesOf(g) {
			if !x.DType().IsInexact() {
				continue
			}
			s := square(widened(x)).Sum()
			if sum.IsZero() {
				sum = s
			} else {
				sum = sum.Add(s)
			}
		}
		if sum.IsZero() {
			sum = weft.Zeros()
		}
		norm = root(sum)
	})
	return norm
}

// ClipByNorm scales a gradient down as a whole so that its [Norm] is at most most. It also
// returns the norm before scaling.
func ClipByNorm[P any](g P, most float64) (P, weft.Array) {
	if !(most > 0) {
		core.FailOp(core.ErrDType, "ClipByNorm", nil, "the norm must be positive, got %v; give another", most)
	}
	norm := Norm(g)
	out := leavesOf(g)
	settled(func() {
		small := norm.Lt(most)
		by := weft.Where(small, 1, norm)
		for i, x := range out {
			if x.DType().IsInexact() {
				wide := widened(x)
				out[i] = weft.Where(small, wide, wide.Div(by.AsType(wide.DType().Real())).Mul(most)).AsType(x.DType())
			}
		}
	})
	return rebuild(g, out), norm
}

// widened returns x, converted to f32 if it has fewer than 32 bits.
func widened(x weft.Array) weft.Array {
	if x.DType().Bits() < 32 {
		return x.AsType(weft.Float32)
	}
	return x
}

// ClipByValue limits the numbers in a gradient to [−most, most]; arrays of a type that has no number so large
// stay as they are. Complex numbers are refused, because they have no order.
func ClipByValue[P any](g P, most float64) P {
	if !(most > 0) {
		core.FailOp(core.ErrDType, "ClipByValue", nil, "the bound must be positive, got %v; give another", most)
	}
	out := leavesOf(g)
	settled(func() {
		for i, x := range out {
			if x.DType().IsComplex() {
				core.FailOp(core.ErrDType, "ClipByValue", nil, "complex numbers have no order; clip by ClipByNorm")
			}
			if _, largest, _ := x.DType().Limits(); x.DType().IsInexact() && most <= largest.Float() {
				out[i] = weft.Clip(x, -most, most)
			}
		}
	})
	return rebuild(g, out)
}
