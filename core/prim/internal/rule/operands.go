package rule

import (
	"strings"

	"github.com/weft-go/weft/core"
)

// Operands demands that there are n operands.
func Operands(in []core.ShapedArray, n int) {
	if len(in) != n {
		core.Failf(core.ErrCheck, "wrong number of operands (want %s, got %d); pass as many as the operation has", core.Count(n, "operand"), len(in))
	}
}

// SameDType demands one dtype of all operands.
func SameDType(in ...core.ShapedArray) {
	for _, a := range in[1:] {
		if a.DType != in[0].DType {
			core.Failf(core.ErrDType, "operands must have one dtype, got %v and %v; convert one of them", in[0].Full(), a.Full())
		}
	}
}

// AllWeak reports whether every operand is weak.
func AllWeak(in []core.ShapedArray) bool {
	for _, a := range in {
		if !a.Weak {
			return false
		}
	}
	return true
}

// SpreadShapes returns the shape to which operands are spread: scalars take any shape,
// other ranks must be equal, and sizes equal or 1.
func SpreadShapes(in []core.ShapedArray) core.Dims {
	var shape core.Dims
	for _, a := range in {
		s := a.Shape
		switch {
		case s == shape || s.Len() == 0:
			continue
		case shape.Len() == 0:
			shape = s
			continue
		case s.Len() != shape.Len():
			core.Failf(core.ErrShape, "the operands' ranks must agree, got %s; only scalars and axes of size 1 are spread: broadcast one of them first", FullList(in))
		}
		sizes := shape.Ints()
		for i, n := range s.All() {
			switch {
			case sizes[i] == 1:
				sizes[i] = n
			case n != 1 && n != sizes[i]:
				core.Failf(core.ErrShape, "the operands' sizes along axis %d must agree or be 1, got %s; reshape one, or make its axis one of size 1", i, FullList(in))
			}
		}
		shape = core.MakeDims(sizes...)
	}
	return shape
}

// FullList returns the types as a message lists them: f32[2], f32[3] and f32[4].
func FullList(in []core.ShapedArray) string {
	var s []string
	for _, a := range in {
		s = append(s, a.Full())
	}
	return strings.Join(s[:len(s)-1], ", ") + " and " + s[len(s)-1]
}

// Number demands an integer, floating or complex operand.
func Number(x core.ShapedArray) {
	if !x.DType.IsNumber() {
		requireArithmetic(x)
		core.Failf(core.ErrDType, "takes numbers, got %v; convert it first", x.Full())
	}
}

// NumberOrBool demands an operand of numbers or booleans.
func NumberOrBool(x core.ShapedArray) {
	if !x.DType.IsNumber() && !x.DType.IsBool() {
		requireArithmetic(x)
		core.Failf(core.ErrDType, "operands must be numbers or bools (got %v); convert first", x.Full())
	}
}

func requireArithmetic(x core.ShapedArray) {
	if why := x.DType.NoNumber(); why != "" {
		core.Failf(core.ErrDType, "takes numbers (got %v): %s", x.Full(), why)
	}
}

// Permutation reports whether p contains 0 … n−1, each once.
func Permutation(p core.Dims, n int) bool { return p.Len() == n && Distinct(p, n) }

// Distinct reports whether axes contains only axes of an array of rank n, and none twice.
func Distinct(axes core.Dims, n int) bool {
	var few [1]uint64
	seen := few[:]
	if n > 64 {
		seen = make([]uint64, (n+63)/64)
	}
	for _, a := range axes.All() {
		if a < 0 || a >= n || seen[a/64]>>(a%64)&1 != 0 {
			return false
		}
		seen[a/64] |= 1 << (a % 64)
	}
	return true
}

// Increasing reports whether axes contains only axes of an array of rank n, in strictly
// increasing order.
func Increasing(axes core.Dims, n int) bool {
	for i, a := range axes.All() {
		if a < 0 || a >= n || i > 0 && a <= axes.At(i-1) {
			return false
		}
	}
	return true
}

// AllNil reports whether all values are nil, which stands for zero among tangents.
func AllNil(vs []core.Value) bool {
	for _, v := range vs {
		if v != nil {
			return false
		}
	}
	return true
}
