package weft

import (
	"reflect"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/internal/nd"
	"github.com/weft-go/weft/runtime"
)

// From returns nested slices and arrays of numbers as an Array, an axis a level. It has
// the numbers' own type, f64 for float64, or dt if one is given: a number that dt has no
// value for is an error, and fractions are cut off in integers. Slices of Arrays are
// stacked and then converted as [Array.AsType] converts, and strong as all that comes from
// slices. Rows of different lengths are an error.
func From(data any, dt ...DType) Array {
	if len(dt) > 1 {
		core.FailOp(core.ErrDType, "From", nil, "too many dtypes (got %d, want at most 1); pass one", len(dt))
	}
	if len(dt) == 0 {
		return from(reflect.ValueOf(data), core.Invalid)
	}
	return from(reflect.ValueOf(data), dt[0]).AsType(dt[0])
}

var arrayType = reflect.TypeFor[Array]()

// from returns nested data as an array of its own type. Numbers must have a value in the type
// into, unless that is Invalid.
func from(v reflect.Value, into DType) Array {
	if !v.IsValid() {
		core.FailOp(core.ErrDType, "From", nil, "nil is no data; pass nested slices of numbers")
	}
	t, dims := v.Type(), []int{}
	for at := v; t.Kind() == reflect.Slice || t.Kind() == reflect.Array; t = t.Elem() {
		n := t.Kind()
		switch {
		case n == reflect.Array:
			dims = append(dims, t.Len())
		case at.IsValid():
			dims = append(dims, at.Len())
		default:
			dims = append(dims, 0)
		}
		if at.IsValid() && at.Len() > 0 {
			at = at.Index(0)
		} else {
			at = reflect.Value{}
		}
	}
	if t == arrayType {
		x := stacked(v)
		if v.Type() == arrayType {
			return x
		}
		return FromValue(nd.Strong("From", x.Value()))
	}
	base := nd.BaseType(t)
	if base == nil {
		core.FailOp(core.ErrDType, "From", nil, "%s contains no numbers; pass nested slices of numbers or truth values", core.WithArticle(v.Type()))
	}
	l, _ := nd.Number(reflect.Zero(base).Interface())
	e := l.Type
	switch t.Kind() { // in slices the Go types keep their width
	case reflect.Int:
		e = core.Int64
	case reflect.Float64:
		e = core.Float64
	case reflect.Complex128:
		e = core.Complex128
	}
	a := runtime.NewData(core.Aval(e, dims...))
	f := &filler{dims: dims, dt: e, into: into, base: base, data: a.Tensor().Data}
	f.fill(v, 0)
	return wrap(a)
}

// stacked joins a slice of Arrays, or slices of them.
func stacked(v reflect.Value) Array {
	if v.Type() == arrayType {
		return v.Interface().(Array)
	}
	xs := make([]Array, v.Len())
	for i := range xs {
		xs[i] = stacked(v.Index(i))
	}
	return Stack(0, xs...)
}

// filler writes the numbers of nested slices one after the other.
type filler struct {
	dims []int
	dt   core.DType
	into core.DType // the type that the user converts to, or Invalid
	base reflect.Type
	data []byte
}

func (f *filler) fill(v reflect.Value, axis int) {
	if axis == len(f.dims) {
		l, _ := nd.Number(v.Convert(f.base).Interface())
		if f.into != core.Invalid {
			nd.RequireFits("From", l, f.into)
		}
		elem.Put(f.data, l.Num, f.dt)
		f.data = f.data[f.dt.Size():]
		return
	}
	if v.Len() != f.dims[axis] {
		core.FailOp(core.ErrShape, "From", nil, "the rows are ragged: along axis %d one has %s and another %d; make them equally long, or pad them", axis, core.Count(f.dims[axis], "element"), v.Len())
	}
	for i := range v.Len() {
		f.fill(v.Index(i), axis+1)
	}
}
