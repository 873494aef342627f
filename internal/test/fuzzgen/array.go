package fuzzgen

import (
	"math"
	"math/cmplx"
	"slices"

	"github.com/weft-go/weft/core"
)

// num is a number and a bound on the error of an honest evaluation.
type num struct {
	v complex128
	e float64
}

// arr is an array whose elements are numbers.
type arr struct {
	dt    core.DType
	shape []int
	c     []num   // of floats and complex numbers
	i     []int64 // of integers and truth values
	marks
}

// with returns x with other marks.
func (x *arr) with(k marks) *arr {
	c := *x
	c.marks = k
	return &c
}

func (x *arr) size() int { return size(x.shape) }

func size(shape []int) int {
	n := 1
	for _, d := range shape {
		n *= d
	}
	return n
}

func newArr(dt core.DType, shape []int) *arr {
	x := &arr{dt: dt, shape: slices.Clone(shape)}
	if dt.IsInexact() {
		x.c = make([]num, x.size())
	} else {
		x.i = make([]int64, x.size())
	}
	return x
}

// unit returns the relative spacing of a type's numbers.
func unit(dt core.DType) float64 {
	switch dt {
	case core.Float64, core.Complex128:
		return 0x1p-52
	case core.Float32, core.Complex64:
		return 0x1p-23
	case core.Float16:
		return 0x1p-10
	}
	return 0x1p-7
}

// least returns the spacing of a type's smallest numbers.
func least(dt core.DType) float64 {
	switch dt {
	case core.Float64, core.Complex128:
		return 0x1p-1070
	case core.Float16:
		return 0x1p-24
	}
	return 0x1p-133
}

// wrap returns v as an integer of the type.
func wrap(dt core.DType, v int64) int64 {
	switch dt {
	case core.Bool:
		if v != 0 {
			return 1
		}
		return 0
	case core.Int8:
		return int64(int8(v))
	case core.Int32:
		return int64(int32(v))
	case core.Uint8:
		return int64(uint8(v))
	case core.Uint32:
		return int64(uint32(v))
	}
	return v
}

// bounds returns the least and the greatest integer of the type.
func bounds(dt core.DType) (lo, hi int64) {
	switch dt {
	case core.Bool:
		return 0, 1
	case core.Int8:
		return math.MinInt8, math.MaxInt8
	case core.Int32:
		return math.MinInt32, math.MaxInt32
	case core.Uint8:
		return 0, math.MaxUint8
	case core.Uint32:
		return 0, math.MaxUint32
	}
	return math.MinInt64, math.MaxInt64
}

// rounded returns a result v with the propagated error e, rounded k times to the type.
func (m *machine) rounded(dt core.DType, v complex128, e, k float64) num {
	if !dt.IsComplex() {
		v = complex(real(v), 0)
	}
	a := cmplx.Abs(v)
	if m.ghost == 0 {
		limit := 1e9
		if dt == core.Float16 {
			limit = 3e4
		}
		e2 := e
		if !(a < limit) || !(e2 < 1e6) {
			m.ill = true
		}
	}
	return num{v, e + k*unit(dt)*a + least(dt)}
}

// tied records that the program depends on a comparison of numbers that are closer than their
// errors.
func (m *machine) tied(why string) {
	if m.ghost == 0 && m.unstable == "" {
		m.unstable = why
	}
}

// apart checks that a and b compare the same in any honest evaluation.
func (m *machine) apart(why string, a, b num) {
	if e := 3 * (a.e + b.e); e > 0 && cmplx.Abs(a.v-b.v) <= e {
		m.tied(why)
	}
}

// whole checks that no jump of a function with jumps at at+k, for whole k, is near.
func (m *machine) whole(why string, x num, at float64) {
	r := real(x.v) - at
	if x.e > 0 && math.Abs(r-math.Round(r)) <= 3*x.e {
		m.tied(why)
	}
}

// spread returns the shape to which elementwise operands are broadcast.
func spread(in []*arr) []int {
	var shape []int
	for _, x := range in {
		if len(x.shape) == 0 {
			continue
		}
		if shape == nil {
			shape = slices.Clone(x.shape)
			continue
		}
		for k, n := range x.shape {
			if shape[k] == 1 {
				shape[k] = n
			}
		}
	}
	return shape
}

// spreadIndex returns the index in x of element k of the broadcast shape.
func spreadIndex(x *arr, shape []int, k int) int {
	if len(x.shape) == 0 {
		return 0
	}
	at := unravel(shape, k)
	for a := range at {
		if x.shape[a] == 1 {
			at[a] = 0
		}
	}
	return ravel(x.shape, at)
}

func unravel(shape []int, k int) []int {
	at := make([]int, len(shape))
	for a := len(shape) - 1; a >= 0; a-- {
		at[a] = k % shape[a]
		k /= shape[a]
	}
	return at
}

func ravel(shape, at []int) int {
	k := 0
	for a, n := range shape {
		k = k*n + at[a]
	}
	return k
}

func (x *arr) mark(in []*arr) {
	if !x.dt.IsInexact() {
		return
	}
	for _, y := range in {
		x.marks = x.marks.or(y.marks)
	}
}

// each applies f element by element; the result is inexact.
func (m *machine) each(dt core.DType, in []*arr, f func(x []num) num) *arr {
	shape := spread(in)
	out := newArr(dt, shape)
	x := make([]num, len(in))
	for k := range out.c {
		for a, y := range in {
			x[a] = y.c[spreadIndex(y, shape, k)]
		}
		out.c[k] = f(x)
	}
	out.mark(in)
	return out
}

// eachInt applies f element by element to integers.
func eachInt(dt core.DType, in []*arr, f func(x []int64) int64) *arr {
	shape := spread(in)
	out := newArr(dt, shape)
	x := make([]int64, len(in))
	for k := range out.i {
		for a, y := range in {
			x[a] = y.i[spreadIndex(y, shape, k)]
		}
		out.i[k] = wrap(dt, f(x))
	}
	return out
}

// eachTest applies a test of numbers.
func (m *machine) eachTest(in []*arr, f func(x []num) bool) *arr {
	shape := spread(in)
	out := newArr(core.Bool, shape)
	x := make([]num, len(in))
	for k := range out.i {
		for a, y := range in {
			x[a] = y.c[spreadIndex(y, shape, k)]
		}
		if f(x) {
			out.i[k] = 1
		}
	}
	return out
}

// pick returns the array of the given shape whose element k is x's element at[k], or zero
// where that is negative.
func pick(x *arr, shape, at []int) *arr {
	out := newArr(x.dt, shape)
	for k, p := range at {
		if p < 0 {
			continue
		}
		if x.c != nil {
			out.c[k] = x.c[p]
		} else {
			out.i[k] = x.i[p]
		}
	}
	out.mark([]*arr{x})
	return out
}

// indices returns f's values for all positions of a shape.
func indices(shape []int, f func(at []int) int) []int {
	out := make([]int, size(shape))
	for k := range out {
		out[k] = f(unravel(shape, k))
	}
	return out
}

func clamp(v, lo, hi int64) int64 { return max(lo, min(v, hi)) }
