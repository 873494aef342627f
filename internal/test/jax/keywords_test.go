package jax_test

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/arraycheck"
	"github.com/weft-go/weft/nn"
)

// pop takes a keyword's value out of those that are left.
func pop(kw map[string]any, name string) (any, bool) {
	v, ok := kw[name]
	delete(kw, name)
	return v, ok
}

// padWidths returns the widths of jnp.pad.
func padWidths(v any) [][2]int {
	switch v := v.(type) {
	case int:
		return [][2]int{{v, v}}
	case tuple:
		var out [][2]int
		for _, p := range v {
			out = append(out, [2]int(ints(p)))
		}
		return out
	}
	panic(errUnknown("widths"))
}

var padModes = map[any]weft.PadMode{"edge": weft.PadEdge, "reflect": weft.PadReflect, "symmetric": weft.PadSymmetric, "wrap": weft.PadWrap}

// configured are reductions with keywords that only a configuration has.
var configured = map[string]func(weft.Array, weft.ReduceConfig) weft.Array{
	"sum": arraycheck.ReduceBy(weft.ReduceSum), "mean": arraycheck.ReduceBy(weft.ReduceMean), "var": arraycheck.ReduceBy(weft.ReduceVar), "std": arraycheck.ReduceBy(weft.ReduceStd), "prod": arraycheck.ReduceBy(weft.ReduceProd), "max": arraycheck.ReduceBy(weft.ReduceMax), "min": arraycheck.ReduceBy(weft.ReduceMin),
}

// withKeywords returns calls of functions that take more than arrays and axes; ok is false
// if the call is none.
func withKeywords(name string, args []any, kw map[string]any) (v any, ok bool) {
	x := func(i int) weft.Array { return arr(args[i]) }
	axis := func() []int {
		if a, ok := pop(kw, "axis"); ok {
			return ints(a)
		}
		return nil
	}
	if f := configured[name]; f != nil {
		var c weft.ReduceConfig
		for k, v := range kw {
			switch k {
			case "dtype":
				c.DType = v.(weft.DType)
			case "where":
				c.Where = v.(weft.Array)
			case "ddof":
				c.DDof = float64(v.(int))
			case "initial":
				c.Initial = v
			}
		}
		if c.DType == 0 && c.Where.IsZero() && c.DDof == 0 && c.Initial == nil {
			return nil, false
		}
		for _, k := range []string{"dtype", "where", "ddof", "initial"} {
			delete(kw, k)
		}
		c.Keep = kw["keepdims"] == true
		delete(kw, "keepdims")
		c.Axes = axis()
		none(kw)
		return f(x(0), c), true
	}
	switch name {
	case "round":
		if len(args) == 2 {
			return weft.Round(x(0), args[1].(int)), true
		}
		return weft.Round(x(0)), true
	case "rint":
		if !x(0).DType().IsInexact() {
			return x(0).AsType(pyType("float")), true
		}
		return weft.Round(x(0)), true
	case "positive":
		return x(0), true
	case "diag":
		if len(args) == 2 {
			return weft.Diag(x(0), args[1].(int)), true
		}
		return weft.Diag(x(0)), true
	case "tril", "triu":
		if len(args) == 2 && name == "tril" {
			return weft.Tril(x(0), args[1].(int)), true
		}
		if len(args) == 2 {
			return weft.Triu(x(0), args[1].(int)), true
		}
	case "roll":
		if a := axis(); len(a) > 0 {
			y := x(0)
			for i, shift := range ints(args[1]) {
				y = weft.Roll(y, shift, a[i])
			}
			return y, true
		}
		a := x(0)
		return weft.Roll(a.Ravel(), args[1].(int), 0).Reshape(a.Shape()...), true
	case "repeat":
		a := axis()
		if c, ok := args[1].(weft.Array); ok {
			delete(kw, "total_repeat_length")
			none(kw)
			var counts []int
			for _, n := range weft.ToSlice[int32](c) {
				counts = append(counts, int(n))
			}
			return weft.RepeatEach(x(0), counts, a[0]), true
		}
		if len(a) > 0 {
			return weft.Repeat(x(0), args[1].(int), a[0]), true
		}
		return weft.Repeat(x(0).Ravel(), args[1].(int), 0), true
	case "flip":
		if a := axis(); a != nil {
			return weft.Flip(x(0), a...), true
		}
	case "concatenate":
		if a := axis(); a != nil {
			return weft.Concat(a[0], arrays(args[0])...), true
		}
	case "stack", "array":
		a := axis()
		if t, ok := args[0].(tuple); ok {
			if a == nil {
				a = []int{0}
			}
			none(kw)
			s := weft.Stack(a[0], arrays(t)...)
			if name == "array" {
				s = s.AsType(s.DType()) // a list of weak things is strong
			}
			return s, true
		}
		delete(kw, "copy")
		none(kw)
		return arr(args[0]), true
	case "asarray":
		if dt, ok := pop(kw, "dtype"); ok {
			return x(0).AsType(typeIn(dt)), true
		}
		return x(0), true
	case "hstack":
		return weft.HStack(arrays(args[0])...), true
	case "vstack":
		return weft.VStack(arrays(args[0])...), true
	case "atleast_2d":
		return weft.AtLeast(x(0), 2), true
	case "append":
		return weft.Concat(0, x(0).Ravel(), x(1).Ravel()), true
	case "diff":
		return weft.Diff(x(0), axis()...), true
	case "ediff1d":
		return weft.Diff(x(0).Ravel()), true
	case "fliplr":
		return weft.Flip(x(0), 1), true
	case "rot90":
		return weft.Rot90(x(0), 1), true
	case "cross":
		return weft.Cross(x(0), x(1)), true
	case "tensordot":
		if a, ok := pop(kw, "axes"); ok {
			return weft.Tensordot(x(0), x(1), ints(a.(tuple)[0]), ints(a.(tuple)[1])), true
		}
		n, r := args[2].(int), x(0).Rank()
		return weft.Tensordot(x(0), x(1), countFrom(r-n, n), countFrom(0, n)), true
	case "einsum":
		return weft.Einsum(args[0].(string), arrays(tuple(args[1:]))...), true
	case "take":
		if m, ok := pop(kw, "mode"); ok && m == "clip" {
			at := []any{weft.Ellipsis, x(1)}
			if a := axis(); a[0] != x(0).Rank()-1 {
				panic(errUnknown("axis"))
			}
			return x(0).Index(at...), true
		}
		return weft.Take(x(0), x(1), axis()...), true
	case "take_along_axis":
		if a := axis(); a != nil {
			return weft.TakeAlongAxis(x(0), x(1), a[0]), true
		}
		return weft.TakeAlongAxis(x(0), x(1), args[2].(int)), true
	case "pad":
		c := weft.PadConfig{}
		c.Value, _ = pop(kw, "constant_values")
		if m, ok := pop(kw, "mode"); ok {
			c.Mode = padModes[m]
		}
		if x(0).Rank() == 0 {
			return x(0), true // NumPy pads no axis
		}
		return weft.Pad(x(0), padWidths(args[1]), c), true
	case "average":
		w, ok := pop(kw, "weights")
		if a := axis(); ok {
			return weft.Average(x(0), w.(weft.Array), a...), true
		} else {
			return x(0).Mean(a...), true
		}
	case "quantile":
		return weft.Quantile(x(0), x(1), weft.QuantileConfig{Axes: axis()}), true
	case "percentile":
		return weft.Quantile(x(0), x(1).Div(100), weft.QuantileConfig{Axes: axis()}), true
	case "searchsorted":
		if s, _ := pop(kw, "side"); s == "right" {
			return weft.SearchSorted(x(0), x(1), weft.Right), true
		}
		return weft.SearchSorted(x(0), x(1), weft.Left), true
	case "digitize":
		return weft.SearchSorted(x(1), x(0), weft.Right), true
	case "bincount":
		n, _ := pop(kw, "length")
		return weft.Bincount(x(0), n.(int)), true
	case "histogram":
		n, _ := pop(kw, "bins")
		r, _ := pop(kw, "range")
		c, e := weft.Histogram(x(0), n.(int), arr(r.(tuple)[0]).Float(), arr(r.(tuple)[1]).Float())
		return tuple{c.AsType(weft.Float32), e}, true // JAX's counts are floats
	case "unique":
		n, _ := pop(kw, "size")
		fill, _ := pop(kw, "fill_value")
		return weft.UniqueSize(x(0), n.(int), fill), true
	case "nonzero":
		n, _ := pop(kw, "size")
		fill, _ := pop(kw, "fill_value")
		var out tuple
		for _, p := range weft.NonzeroSize(x(0), n.(int), fill.(int)) {
			out = append(out, p)
		}
		return out, true
	case "interp":
		return weft.Interp(x(0), x(1), x(2)), true
	case "convolve", "correlate":
		mode := nn.ConvFull
		switch m, _ := pop(kw, "mode"); m {
		case "same":
			mode = nn.ConvSame
		case "valid":
			mode = nn.ConvValid
		}
		if name == "convolve" {
			return nn.Convolve(x(0), x(1), mode), true
		}
		return nn.Correlate(x(0), x(1), mode), true
	case "polyval":
		return weft.Polyval(x(0), x(1)), true
	case "vander":
		return weft.Vander(x(0), args[1].(int)), true
	case "trapezoid":
		return weft.Trapezoid(x(0), weft.Arange(x(0).Len())), true
	case "select":
		d, _ := pop(kw, "default")
		y := arr(d)
		conds, cases := arrays(args[0]), arrays(args[1])
		for i := len(conds) - 1; i >= 0; i-- {
			y = weft.Where(conds[i], cases[i], y)
		}
		return y, true
	case "full":
		return filled(ints(args[0]), args[1]), true
	case "full_like":
		return weft.FullLike(x(0), args[1].(float64)), true
	case "eye":
		if dt, ok := pop(kw, "dtype"); ok {
			return weft.Eye(args[0].(int)).AsType(typeIn(dt)), true
		}
	case "ones", "zeros":
		if dt, ok := pop(kw, "dtype"); ok && name == "ones" {
			return weft.OnesOf(typeIn(dt), ints(args[0])...), true
		} else if ok {
			return weft.ZerosOf(typeIn(dt), ints(args[0])...), true
		}
	case "linspace":
		dt, ok := pop(kw, "dtype")
		l := weft.Linspace(arr(args[0]), arr(args[1]), args[2].(int))
		if ok {
			l = l.AsType(typeIn(dt))
		}
		return l, true
	case "cumsum", "cumprod":
		if dt, ok := pop(kw, "dtype"); ok {
			args[0] = x(0).AsType(typeIn(dt))
		}
		return nil, false
	case "broadcast_arrays":
		var out tuple
		for _, a := range weft.BroadcastArrays(x(0), x(1)) {
			out = append(out, a)
		}
		return out, true
	case "meshgrid":
		order := weft.GridXY
		if i, ok := pop(kw, "indexing"); ok && i == "ij" {
			order = weft.GridIJ
		}
		return tupleOf(weft.Meshgrid(order, arrays(tuple(args))...)), true
	case "gradient":
		return weft.CentralDiff(x(0), axis()...), true
	case "diagonal":
		if len(args) == 2 {
			return weft.Diagonal(x(0), args[1].(int)), true
		}
	case "median":
		return weft.Median(x(0), axis()...), true
	case "nanmax", "nansum", "nanmean", "ptp", "count_nonzero":
		f := map[string]func(weft.Array, ...int) weft.Array{
			"nanmax": arraycheck.SkipNaN(weft.ReduceMax), "nansum": arraycheck.SkipNaN(weft.ReduceSum), "nanmean": arraycheck.SkipNaN(weft.ReduceMean), "ptp": spread, "count_nonzero": countNonzero}[name]
		return f(x(0), axis()...), true
	}
	return nil, false
}

func typeIn(v any) weft.DType {
	switch v := v.(type) {
	case weft.DType:
		return v
	case pymodule:
		return pyType(string(v[3:]))
	}
	panic(errUnknown("type"))
}

// pyType returns a type of Python's or NumPy's; the former have the default width.
func pyType(name string) weft.DType {
	switch name {
	case "float":
		return weft.Zeros().DType()
	case "int":
		return weft.Scalar(0).DType()
	case "complex":
		return weft.Scalar(0i).DType()
	}
	dt, ok := pyTypes[name]
	if !ok {
		panic(errUnknown("type " + name))
	}
	return dt
}

func filled(s weft.Shape, v any) weft.Array {
	switch v := v.(type) {
	case int:
		return weft.Full(s, v)
	case float64:
		return weft.Full(s, v)
	case complex128:
		return weft.Full(s, v)
	case bool:
		return weft.Full(s, v)
	}
	return weft.Full(s, arr(v))
}
