package random

import (
	"math"
	"math/big"
	"reflect"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lax"
)

type format struct {
	bits     int
	mantissa int // bits after the leading one
	tiny     float64
	unsigned weft.DType // of the same width
}

var formats = map[weft.DType]format{
	weft.BFloat16: {16, 7, 0x1p-126, weft.Uint16},
	weft.Float16:  {16, 10, 0x1p-14, weft.Uint16},
	weft.Float32:  {32, 23, 0x1p-126, weft.Uint32},
	weft.Float64:  {64, 52, 0x1p-1022, weft.Uint64},
}

// eps returns the distance from 1 to the next larger number, which is twice that to the next smaller one.
func (f format) eps() float64 { return math.Ldexp(1, -f.mantissa) }

// formatOf returns the format of a floating type in which numbers can be drawn, and refuses other
// types.
func formatOf(op string, dt weft.DType) format {
	f, ok := formats[dt]
	if why := dt.NoArray(); why != "" {
		core.FailOp(core.ErrDType, op, nil, "%s", why)
	}
	if !ok {
		core.FailOp(core.ErrDType, op, nil, "draws bf16, f16, f32 or f64, not %v; convert the result with AsType", dt)
	}
	return f
}

func defaultFloat() weft.DType { return weft.Scalar(0.).DType() }

func defaultInt() weft.DType { return weft.Scalar(0).DType() }

// num returns a number rounded to a type.
func num(dt weft.DType, v float64) weft.Array { return lax.ConvertElementType(v, dt) }

// floatOf returns the common type of parameters: that of the strong Arrays of floats and of the Go
// float32s, or the default float if there are none.
func floatOf(op string, params ...any) weft.DType {
	dt := weft.DType(0)
	var first core.ShapedArray
	for _, p := range params {
		x, ok := isArray(p)
		if !ok {
			if k := kindOf(p); k == reflect.Float32 { // a Go float32 chooses its type
				x = lax.ConvertElementType(0., weft.Float32)
			} else {
				continue
			}
		}
		present(op, x)
		a := x.Value().Aval()
		switch {
		case a.DType.IsInteger() || a.DType.IsBool() || a.Weak:
		case dt == 0:
			dt, first = a.DType, a
		case dt != a.DType:
			core.FailOp(core.ErrDType, op, []core.ShapedArray{first, a}, "the parameters have the types %v and %v; choose one with As, or convert them", dt, a.DType)
		}
	}
	if dt == 0 {
		return defaultFloat()
	}
	return dt
}

// floatOf returns the type that As chose, or floatOf(op, params...).
func (k Key) floatOf(op string, params ...any) weft.DType {
	if k.as != 0 {
		return k.as
	}
	return floatOf(op, params...)
}

// typeOr returns the type that As chose, or dt.
func (k Key) typeOr(dt weft.DType) weft.DType {
	if k.as != 0 {
		return k.as
	}
	return dt
}

func param(op string, dt weft.DType, v any) weft.Array {
	if x, ok := isArray(v); ok {
		present(op, x)
		if t := x.DType(); t.IsComplex() || t.IsKey() {
			core.FailOp(core.ErrDType, op, []core.ShapedArray{x.Value().Aval()}, "a parameter is a real number, got %v; take Real, Imag or Abs", t)
		}
		return lax.ConvertElementType(x, dt)
	}
	r := reflect.ValueOf(v)
	switch {
	case r.CanFloat():
		return num(dt, r.Float())
	case r.CanInt():
		return num(dt, float64(r.Int()))
	case r.CanUint():
		return num(dt, float64(r.Uint()))
	}
	core.FailOp(core.ErrDType, op, nil, "a parameter is a real number, got %T; pass a number or an Array", v)
	return weft.Array{}
}

// shapeOf returns the sizes of a sample: dims, to which the parameters must broadcast, or, if
// there are none, the common shape of the parameters.
func shapeOf(op string, dims []int, params ...weft.Shape) []int {
	for _, n := range dims {
		if n < 0 {
			core.FailOp(core.ErrShape, op, nil, "the sizes %v hold a negative one; make all 0 or more", weft.Shape(dims))
		}
	}
	// More than any memory holds. Sizes that are only too large for this machine are reported when
	// drawing.
	if n := weft.Shape(dims).Size(); n < 0 || int64(n) > 1<<46 {
		core.FailOp(core.ErrShape, op, nil, "so many numbers as of the sizes %v do not fit in memory; make them smaller", weft.Shape(dims))
	}
	rank := 0
	for _, p := range params {
		rank = max(rank, len(p))
	}
	all := make([]int, rank)
	for i := range all {
		all[i] = 1
	}
	for _, s := range params {
		for i, n := range s {
			at := &all[rank-len(s)+i]
			if n != 1 && *at != 1 && *at != n {
				core.FailOp(core.ErrShape, op, nil, "the parameters' shapes do not broadcast: axis %d from the end has %s in one and %d in another; make them equal, or one of them 1", len(s)-i, core.Count(*at, "element"), n)
			}
			if n != 1 {
				*at = n
			}
		}
	}
	if len(dims) == 0 {
		return all
	}
	for i, n := range all {
		at := len(dims) - rank + i
		if at < 0 || n != 1 && n != dims[at] {
			core.FailOp(core.ErrShape, op, nil, "parameters of shape %v do not spread over the sizes %v; give sizes that end in theirs", weft.Shape(all), weft.Shape(dims))
		}
	}
	return dims
}

// spread broadcasts a parameter to a shape that shapeOf returned, unless it is a scalar: strict
// operations broadcast scalars themselves.
func spread(x weft.Array, shape []int) weft.Array {
	if x.Rank() == 0 || len(shape) == 0 {
		return x
	}
	return x.BroadcastTo(shape...)
}

func integer(v any) (*big.Int, bool) {
	r := reflect.ValueOf(v)
	switch {
	case !r.IsValid():
		return nil, false
	case r.CanInt():
		return big.NewInt(r.Int()), true
	case r.CanUint():
		return new(big.Int).SetUint64(r.Uint()), true
	}
	return nil, false
}

func mustInt(n int) *big.Int { return big.NewInt(int64(n)) }
