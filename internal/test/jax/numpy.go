package jax

import (
	"math"
	"slices"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/nd"
	"github.com/weft-go/weft/internal/test/arraycheck"
	"github.com/weft-go/weft/linalg"
	"github.com/weft-go/weft/nn"
	"github.com/weft-go/weft/stats"
)

// jax.numpy as calls of package weft, by JAX's names.

// pyUnaries are functions of one array.
var pyUnaries = map[string]func(array) array{
	"exp": weft.Exp, "exp2": weft.Exp2, "expm1": weft.Expm1, "log": weft.Log, "log1p": weft.Log1p, "log2": weft.Log2, "log10": weft.Log10,
	"sqrt": weft.Sqrt, "cbrt": weft.Cbrt, "sin": weft.Sin, "cos": weft.Cos, "tan": weft.Tan, "arcsin": weft.Asin, "arccos": weft.Acos,
	"arctan": weft.Atan, "sinh": weft.Sinh, "cosh": weft.Cosh, "tanh": weft.Tanh, "arcsinh": weft.Asinh, "arccosh": weft.Acosh, "arctanh": weft.Atanh,
	"reciprocal": weft.Reciprocal, "square": weft.Square, "abs": weft.Abs, "sign": weft.Sign, "floor": weft.Floor, "ceil": weft.Ceil, "trunc": weft.Trunc,
	"conjugate": weft.Conj, "isfinite": weft.IsFinite, "isnan": weft.IsNaN, "isinf": weft.IsInf, "logical_not": weft.LogicalNot,
	"negative": array.Neg, "invert": array.Not, "bitwise_not": array.Not, "real": array.Real, "imag": array.Imag,
	"ravel": array.Ravel, "zeros_like": weft.ZerosLike[array], "ones_like": weft.OnesLike[array], "positive": func(x array) array { return x },
	"angle": weft.Angle, "deg2rad": weft.Deg2Rad, "nan_to_num": weft.NaNToNum, "signbit": weft.Signbit, "sinc": weft.Sinc, "isreal": weft.IsReal,
	"bitwise_count": weft.PopulationCount, "trace": func(x array) array { return weft.Diagonal(x).Sum(-1) },
	"cov": stats.Cov, "corrcoef": stats.CorrCoef, "ediff1d": func(x array) array { return weft.Diff(x.Ravel()) },
	"atleast_2d": func(x array) array { return weft.AtLeast(x, 2) }, "fliplr": func(x array) array { return weft.Flip(x, 1) },
	"rot90": func(x array) array { return weft.Rot90(x, 1) }, "trapezoid": func(x array) array { return weft.Trapezoid(x, weft.Arange(x.Len())) },
	"rint": func(x array) array {
		if !x.DType().IsInexact() {
			return x.AsType(pyDefault(core.KindFloat))
		}
		return weft.Round(x)
	},
}

// pyBinaries are functions of two arrays.
var pyBinaries = map[string]func(x, y array) array{
	"add": weft.Add[array, array], "subtract": weft.Sub[array, array], "multiply": weft.Mul[array, array], "divide": weft.Div[array, array],
	"true_divide": weft.Div[array, array], "floor_divide": weft.FloorDiv[array, array], "remainder": weft.Mod[array, array], "power": weft.Pow[array, array],
	"maximum": weft.Maximum[array, array], "minimum": weft.Minimum[array, array], "arctan2": weft.Atan2[array, array], "nextafter": weft.Nextafter[array, array],
	"equal": weft.Eq[array, array], "not_equal": weft.Ne[array, array], "less": weft.Lt[array, array], "less_equal": weft.Le[array, array],
	"greater": weft.Gt[array, array], "greater_equal": weft.Ge[array, array], "logical_and": weft.LogicalAnd[array, array],
	"logical_or": weft.LogicalOr[array, array], "logical_xor": weft.LogicalXor[array, array], "logaddexp": weft.LogAddExp[array, array],
	"hypot": weft.Hypot[array, array], "bitwise_and": func(x, y array) array { return x.And(y) }, "bitwise_or": func(x, y array) array { return x.Or(y) },
	"bitwise_xor": func(x, y array) array { return x.Xor(y) }, "left_shift": func(x, y array) array { return x.Shl(y) },
	"right_shift": func(x, y array) array { return x.Shr(y) }, "dot": array.Dot, "matmul": array.MatMul, "outer": weft.Outer,
	"copysign": weft.Copysign[array, array], "heaviside": weft.Heaviside[array, array], "fmax": weft.Fmax[array, array],
	"fmod": weft.Rem[array, array], "float_power": weft.FloatPower[array, array], "ldexp": weft.Ldexp[array, array],
	"gcd": weft.Gcd[array, array], "lcm": weft.Lcm[array, array], "vdot": weft.Vdot, "kron": linalg.Kron, "cross": func(x, y array) array { return weft.Cross(x, y) },
	"polyval": weft.Polyval, "append": func(x, y array) array { return weft.Concat(0, x.Ravel(), y.Ravel()) },
	"inner": func(x, y array) array {
		if x.Rank() == 0 || y.Rank() == 0 {
			return x.Mul(y)
		}
		return weft.Tensordot(x, y, []int{-1}, []int{-1})
	},
}

// pyAlongs are functions of an array and of axes, with the place of the axes among the arguments.
var pyAlongs = map[string]struct {
	f  func(x array, axes ...int) array
	at int
}{
	"all": {array.All, 1}, "any": {array.Any, 1}, "argmax": {array.ArgMax, 1}, "argmin": {array.ArgMin, 1}, "sort": {array.Sort, 1},
	"squeeze": {array.Squeeze, 1}, "median": {weft.Median, 1}, "flip": {weft.Flip, 1}, "diff": {weft.Diff, -1}, "gradient": {weft.CentralDiff, -1},
	"diagonal": {weft.Diagonal, 1}, "nanmax": {arraycheck.SkipNaN(weft.ReduceMax), 1}, "nansum": {arraycheck.SkipNaN(weft.ReduceSum), 1},
	"nanmean": {arraycheck.SkipNaN(weft.ReduceMean), 1}, "ptp": {func(x array, axes ...int) array { return x.Max(axes...).Sub(x.Min(axes...)) }, 1},
	"count_nonzero": {func(x array, axes ...int) array { return x.Ne(0).Sum(axes...) }, 1}, "transpose": {array.Transpose, 1}, "expand_dims": {array.ExpandDims, 1},
}

// pyReductions are the reductions of jax.numpy with all their keywords, and the methods without.
var pyReductions = map[string]struct {
	op     weft.ReduceOp
	method func(x array, axes ...int) array
}{
	"sum": {weft.ReduceSum, array.Sum}, "mean": {weft.ReduceMean, array.Mean}, "var": {weft.ReduceVar, array.Var}, "std": {weft.ReduceStd, array.Std},
	"max": {weft.ReduceMax, array.Max}, "min": {weft.ReduceMin, array.Min}, "prod": {weft.ReduceProd, array.Prod},
}

// pyReduce returns x reduced, with the axes as argument i.
func pyReduce(name string, x array, a *pyArgs, i int) array {
	r := pyReductions[name]
	c := weft.ReduceConfig{Op: r.op, Axes: pyAxis(a, i), Keep: pyTruth(a.or(-1, "keepdims", false))}
	plain := len(a.kw) == 0
	if v, ok := a.get(-1, "where"); ok {
		c.Where = pyArray(v)
	}
	if v, ok := a.get(-1, "dtype"); ok {
		c.DType = pyDType(v)
	}
	if v, ok := a.get(-1, "ddof"); ok {
		c.DDof = float64(pyInt(v))
	}
	c.Initial, _ = a.get(-1, "initial")
	if plain {
		return r.method(x, pyKeep(c.Axes, c.Keep)...)
	}
	return weft.Reduce(x, c)
}

// pyKeep returns the axes, with weft.Keep if they stay.
func pyKeep(axes []int, keep bool) []int {
	if keep {
		return append(slices.Clone(axes), weft.Keep)
	}
	return axes
}

// pyAxis returns the axis argument: none means all axes.
func pyAxis(a *pyArgs, i int) []int {
	if v := a.or(i, "axis", nil); v != nil {
		return pyInts(v)
	}
	return nil
}

func pyMap(f func(array) array, name string) func(a *pyArgs) any {
	return func(a *pyArgs) any { return f(a.array(0, name)) }
}

func pyPair(f func(x, y array) array, first, second string) func(a *pyArgs) any {
	return func(a *pyArgs) any { return f(a.array(0, first), a.array(1, second)) }
}

var pyPadModes = map[any]weft.PadMode{"constant": weft.PadConstant, "edge": weft.PadEdge, "reflect": weft.PadReflect, "symmetric": weft.PadSymmetric, "wrap": weft.PadWrap}

func pyJaxNumPy() map[string]func(a *pyArgs) any {
	axis := func(a *pyArgs, i, otherwise int) int { return pyInt(a.or(i, "axis", otherwise)) }
	as := func(a *pyArgs, i int, x array) array {
		if dt := a.or(i, "dtype", nil); dt != nil {
			return x.AsType(pyDType(dt))
		}
		return x
	}
	m := map[string]func(a *pyArgs) any{
		"jnp.where": func(a *pyArgs) any {
			return weft.Where(a.array(0, "condition"), a.array(1, "x"), a.array(2, "y"))
		},
		"jnp.select": func(a *pyArgs) any {
			y, conditions, cases := a.array(2, "default"), pyArrays(a.must(0, "condlist")), pyArrays(a.must(1, "choicelist"))
			for i := len(conditions) - 1; i >= 0; i-- {
				y = weft.Where(conditions[i], cases[i], y)
			}
			return y
		},
		"jnp.piecewise": func(a *pyArgs) any {
			x := a.array(0, "x")
			y, functions := weft.ZerosLike(x), pyIterate(a.must(2, "funclist"))
			for i, c := range pyArrays(a.must(1, "condlist")) {
				y = weft.Where(c, pyArray(pyCall(functions[i], []any{x}, nil)), y)
			}
			return y
		},
		"jnp.clip": func(a *pyArgs) any { return weft.Clip(a.array(0, "arr"), a.array(1, "min"), a.array(2, "max")) },
		"jnp.round": func(a *pyArgs) any {
			if n, ok := a.get(1, "decimals"); ok {
				return weft.Round(a.array(0, "a"), pyInt(n))
			}
			return weft.Round(a.array(0, "a"))
		},
		"jnp.average": func(a *pyArgs) any {
			x, axes := a.array(0, "a"), pyAxis(a, 1)
			if w, ok := a.get(2, "weights"); ok {
				return weft.Average(x, pyArray(w), axes...)
			}
			return x.Mean(axes...)
		},
		"jnp.quantile": func(a *pyArgs) any {
			return weft.Quantile(a.array(0, "a"), a.array(1, "q"), weft.QuantileConfig{Axes: pyAxis(a, 2)})
		},
		"jnp.percentile": func(a *pyArgs) any {
			return weft.Quantile(a.array(0, "a"), a.array(1, "q").Div(100), weft.QuantileConfig{Axes: pyAxis(a, 2)})
		},
		"jnp.argsort": func(a *pyArgs) any {
			x := a.array(0, "a")
			if pyTruth(a.or(-1, "descending", false)) {
				x = x.Neg() // of integers, which have no NaN
			}
			return x.ArgSort(pyAxis(a, 1)...)
		},
		"jnp.lexsort": func(a *pyArgs) any { // by the last key first: sorted by each in turn, stably
			keys := pyArrays(a.must(0, "keys"))
			order := keys[0].ArgSort()
			for _, k := range keys[1:] {
				order = weft.Take(order, weft.Take(k, order).ArgSort())
			}
			return order
		},

		"jnp.array": func(a *pyArgs) any {
			v := a.must(0, "object")
			a.or(-1, "copy", nil)
			if items, ok := pyItems(v); ok && slices.ContainsFunc(items, func(x any) bool { _, ok := x.(array); return ok }) {
				s := weft.Stack(0, pyArrays(v)...)
				return s.AsType(s.DType()) // a list of weak things is strong
			}
			if dt, given := a.get(1, "dtype"); given {
				return pyJNPScalar(pyNumPyArray(v, pyDType(dt), true))
			}
			switch v := v.(type) {
			case nil:
				return weft.From(nil)
			case core.Literal:
				return pyJNPScalar(v)
			}
			if n, ok := nd.Number(v); ok {
				return pyJNPScalar(n) // weak
			}
			return pyJNPScalar(pyNumPyArray(v, 0, false))
		},
		"jnp.asarray": func(a *pyArgs) any { return as(a, 1, a.array(0, "a")) },
		"jnp.full": func(a *pyArgs) any {
			s := weft.Shape(a.ints(0, "shape"))
			switch v := a.must(1, "fill_value").(type) {
			case int:
				return weft.Full(s, v)
			case float64:
				return weft.Full(s, v)
			case complex128:
				return weft.Full(s, v)
			case bool:
				return weft.Full(s, v)
			default:
				return weft.Full(s, pyArray(v))
			}
		},
		"jnp.full_like": func(a *pyArgs) any {
			v, ok := a.must(1, "fill_value").(float64)
			if !ok {
				pyCannot("full_like with another number")
			}
			return weft.FullLike(a.array(0, "a"), v)
		},
		"jnp.arange": func(a *pyArgs) any {
			if v, ok := a.pos[0].(float64); ok {
				a.rest(0)
				return weft.Arange(v).AsType(pyDefault(core.KindFloat))
			}
			return weft.Arange(pyInts(pyTuple(a.rest(0)))...).AsType(pyDefault(core.KindInt))
		},
		"jnp.linspace": func(a *pyArgs) any {
			return as(a, -1, weft.Linspace(a.array(0, "start"), a.array(1, "stop"), a.int(2, "num")))
		},
		"jnp.eye": func(a *pyArgs) any { return as(a, -1, weft.Eye(a.int(0, "N"))) },
		"jnp.meshgrid": func(a *pyArgs) any {
			order := weft.GridXY
			if a.or(-1, "indexing", "xy") == "ij" {
				order = weft.GridIJ
			}
			return pyListOf(weft.Meshgrid(order, pyArrays(pyTuple(a.rest(0)))...))
		},
		"jnp.diag":   func(a *pyArgs) any { return weft.Diag(a.array(0, "v"), pyInt(a.or(1, "k", 0))) },
		"jnp.tril":   func(a *pyArgs) any { return weft.Tril(a.array(0, "m"), pyInt(a.or(1, "k", 0))) },
		"jnp.triu":   func(a *pyArgs) any { return weft.Triu(a.array(0, "m"), pyInt(a.or(1, "k", 0))) },
		"jnp.vander": func(a *pyArgs) any { return weft.Vander(a.array(0, "x"), a.int(1, "N")) },

		"jnp.reshape":      func(a *pyArgs) any { return a.array(0, "a").Reshape(a.ints(1, "shape")...) },
		"jnp.broadcast_to": func(a *pyArgs) any { return a.array(0, "array").BroadcastTo(a.ints(1, "shape")...) },
		"jnp.broadcast_arrays": func(a *pyArgs) any {
			return pyListOf(weft.BroadcastArrays(pyArrays(pyTuple(a.rest(0)))...))
		},
		"jnp.swapaxes": func(a *pyArgs) any { return a.array(0, "a").SwapAxes(a.int(1, "axis1"), a.int(2, "axis2")) },
		"jnp.moveaxis": func(a *pyArgs) any {
			return a.array(0, "a").MoveAxis(a.int(1, "source"), a.int(2, "destination"))
		},
		"jnp.concatenate": func(a *pyArgs) any { return weft.Concat(axis(a, 1, 0), pyArrays(a.must(0, "arrays"))...) },
		"jnp.hstack":      func(a *pyArgs) any { return weft.HStack(pyArrays(a.must(0, "tup"))...) },
		"jnp.vstack":      func(a *pyArgs) any { return weft.VStack(pyArrays(a.must(0, "tup"))...) },
		"jnp.split": func(a *pyArgs) any {
			return pyListOf(weft.SplitEvenly(a.array(0, "ary"), axis(a, 2, 0), a.int(1, "sections")))
		},
		"jnp.array_split": func(a *pyArgs) any { // the first pieces are longer by one
			x, k := a.array(0, "ary"), a.int(1, "sections")
			sizes := make([]int, k)
			for i := range sizes {
				sizes[i] = (x.Len() + k - 1 - i) / k
			}
			return pyListOf(weft.Split(x, 0, sizes...))
		},
		"jnp.tile": func(a *pyArgs) any { return weft.Tile(a.array(0, "A"), a.ints(1, "reps")...) },
		"jnp.repeat": func(a *pyArgs) any {
			x, n := a.array(0, "a"), a.must(1, "repeats")
			a.or(-1, "total_repeat_length", nil)
			along := 0
			if v := a.or(2, "axis", nil); v != nil {
				along = pyInt(v)
			} else {
				x = x.Ravel()
			}
			if c, ok := n.(array); ok {
				var counts []int
				for _, n := range weft.ToSlice[int32](c) {
					counts = append(counts, int(n))
				}
				return weft.RepeatEach(x, counts, along)
			}
			return weft.Repeat(x, pyInt(n), along)
		},
		"jnp.roll": func(a *pyArgs) any {
			x, shift := a.array(0, "a"), a.ints(1, "shift")
			v := a.or(2, "axis", nil)
			if v == nil {
				return weft.Roll(x.Ravel(), shift[0], 0).Reshape(x.Shape()...)
			}
			for i, k := range pyInts(v) {
				x = weft.Roll(x, shift[i], k)
			}
			return x
		},
		"jnp.pad": func(a *pyArgs) any {
			x, c := a.array(0, "array"), weft.PadConfig{Mode: pyPadModes[a.or(2, "mode", "constant")]}
			c.Value, _ = a.get(-1, "constant_values")
			var widths [][2]int
			switch v := a.must(1, "pad_width").(type) {
			case int:
				widths = [][2]int{{v, v}}
			default:
				for _, p := range pyIterate(v) {
					widths = append(widths, [2]int(pyInts(p)))
				}
			}
			if x.Rank() == 0 {
				return x // NumPy pads no axis
			}
			return weft.Pad(x, widths, c)
		},

		"jnp.take": func(a *pyArgs) any {
			x, i := a.array(0, "a"), a.array(1, "indices")
			if a.or(-1, "mode", nil) == "clip" {
				if axis(a, 2, 0) != x.Rank()-1 {
					pyCannot("a clipped take along another axis than the last")
				}
				return x.Index(weft.Ellipsis, i)
			}
			return weft.Take(x, i, pyAxis(a, 2)...)
		},
		"jnp.take_along_axis": func(a *pyArgs) any {
			return weft.TakeAlongAxis(a.array(0, "arr"), a.array(1, "indices"), a.int(2, "axis"))
		},
		"jnp.unravel_index": func(a *pyArgs) any {
			return pyListOf(weft.UnravelIndex(a.array(0, "indices"), a.ints(1, "shape")))
		},
		"jnp.nonzero": func(a *pyArgs) any {
			return pyListOf(weft.NonzeroSize(a.array(0, "a"), a.int(-1, "size"), a.int(-1, "fill_value")))
		},
		"jnp.unique": func(a *pyArgs) any {
			return weft.UniqueSize(a.array(0, "ar"), a.int(-1, "size"), a.must(-1, "fill_value"))
		},
		"jnp.searchsorted": func(a *pyArgs) any {
			side := weft.Left
			if a.or(2, "side", "left") == "right" {
				side = weft.Right
			}
			return weft.SearchSorted(a.array(0, "a"), a.array(1, "v"), side)
		},
		"jnp.digitize": func(a *pyArgs) any { return weft.SearchSorted(a.array(1, "bins"), a.array(0, "x"), weft.Right) },
		"jnp.bincount": func(a *pyArgs) any { return weft.Bincount(a.array(0, "x"), a.int(-1, "length")) },
		"jnp.histogram": func(a *pyArgs) any {
			bounds := pyArrays(a.must(-1, "range"))
			counts, edges := weft.Histogram(a.array(0, "a"), a.int(1, "bins"), bounds[0].Float(), bounds[1].Float())
			return pyTuple{counts.AsType(edges.DType()), edges} // JAX's counts are floats
		},

		"jnp.einsum": func(a *pyArgs) any {
			return weft.Einsum(a.must(0, "subscripts").(string), pyArrays(pyTuple(a.rest(1)))...)
		},
		"jnp.tensordot": func(a *pyArgs) any {
			x, y, axes := a.array(0, "a"), a.array(1, "b"), a.must(2, "axes")
			if n, ok := axes.(int); ok {
				return weft.Tensordot(x, y, core.Range(x.Rank()-n, x.Rank()).Ints(), core.Range(0, n).Ints())
			}
			pair := pyIterate(axes)
			return weft.Tensordot(x, y, pyInts(pair[0]), pyInts(pair[1]))
		},
		"jnp.interp": func(a *pyArgs) any { return weft.Interp(a.array(0, "x"), a.array(1, "xp"), a.array(2, "fp")) },
		"jnp.polyfit": func(a *pyArgs) any { // the least squares of NumPy: columns of length 1, small singular values dropped
			x, y, n := a.array(0, "x"), a.array(1, "y"), a.int(2, "deg")
			var columns []array
			for k := n; k >= 0; k-- {
				columns = append(columns, x.Pow(k))
			}
			v := weft.Stack(1, columns...)
			scale := weft.Sqrt(v.Mul(v).Sum(0))
			return linalg.Lstsq(v.Div(scale), y, float64(x.Size())*0x1p-52).X.Div(scale)
		},
	}
	for name, f := range pyUnaries {
		m["jnp."+name] = pyMap(f, "x")
	}
	for name, f := range pyBinaries {
		m["jnp."+name] = pyPair(f, "x", "y")
	}
	for name, r := range pyAlongs {
		m["jnp."+name] = func(a *pyArgs) any {
			return r.f(a.array(0, "a"), pyKeep(pyAxis(a, r.at), pyTruth(a.or(-1, "keepdims", false)))...)
		}
	}
	for name := range pyReductions {
		m["jnp."+name] = func(a *pyArgs) any { return pyReduce(name, a.array(0, "a"), a, 1) }
	}
	for name, f := range map[string]func(array, ...int) array{"cumsum": array.CumSum, "cumprod": array.CumProd} {
		m["jnp."+name] = func(a *pyArgs) any { return f(as(a, 2, a.array(0, "a")), pyAxis(a, 1)...) }
	}
	for name, f := range map[string]func(dims ...int) array{"zeros": weft.Zeros, "ones": weft.Ones} {
		of := map[string]func(dt weft.DType, dims ...int) array{"zeros": weft.ZerosOf, "ones": weft.OnesOf}[name]
		m["jnp."+name] = func(a *pyArgs) any {
			if dt := a.or(1, "dtype", nil); dt != nil {
				return of(pyDType(dt), a.ints(0, "shape")...)
			}
			return f(a.ints(0, "shape")...)
		}
	}
	modes := map[any]nn.ConvMode{"full": nn.ConvFull, "same": nn.ConvSame, "valid": nn.ConvValid}
	for name, f := range map[string]func(x, y array, mode nn.ConvMode) array{"convolve": nn.Convolve, "correlate": nn.Correlate} {
		otherwise := map[string]string{"convolve": "full", "correlate": "valid"}[name]
		m["jnp."+name] = func(a *pyArgs) any { return f(a.array(0, "a"), a.array(1, "v"), modes[a.or(2, "mode", otherwise)]) }
	}
	return m
}

// pyNorm returns jnp.linalg.norm.
func pyNorm(a *pyArgs) any {
	x := a.array(0, "x")
	switch ord := a.or(1, "ord", nil); {
	case ord == nil:
		return weft.Norm(x, pyAxis(a, 2)...)
	case x.Rank() == 1 && ord == 1:
		return weft.Abs(x).Sum()
	case x.Rank() == 1 && ord == math.Inf(1):
		return weft.Abs(x).Max()
	case x.Rank() == 2 && ord == 1:
		return linalg.Norm(x, linalg.MaxColumnSum)
	}
	pyCannot("a matrix norm")
	return nil
}
