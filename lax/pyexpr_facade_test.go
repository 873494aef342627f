package lax_test

import (
	"strconv"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/custom"
	"github.com/weft-go/weft/fft"
	"github.com/weft-go/weft/internal/test/python"
	"github.com/weft-go/weft/lax"
	"github.com/weft-go/weft/linalg"
	"github.com/weft-go/weft/nn"
	"github.com/weft-go/weft/random"
)

// The parts of jax.numpy and of the libraries beside it that whole programs use, as calls of
// the packages weft, nn, linalg, fft, random and custom.

// pyReductions are the reductions of jax.numpy with all their keywords.
var pyReductions = map[string]weft.ReduceOp{
	"sum": weft.ReduceSum, "mean": weft.ReduceMean, "var": weft.ReduceVar, "max": weft.ReduceMax, "min": weft.ReduceMin, "prod": weft.ReduceProd,
}

// pyReduce returns x reduced, with the axes as argument i.
func pyReduce(op weft.ReduceOp, x array, a *pyArgs, i int) array {
	c := weft.ReduceConfig{Op: op, Axes: pyAxis(a, i), Keep: pyTruth(a.or(-1, "keepdims", false))}
	if v, ok := a.get(-1, "where"); ok {
		c.Where = pyArray(v)
	}
	return weft.Reduce(x, c)
}

// pyMethods are the methods of arrays besides reductions.
var pyMethods = map[string]func(x array, a *pyArgs) any{
	"astype": func(x array, a *pyArgs) any { return x.AsType(pyDType(a.must(0, "dtype"))) },
	"reshape": func(x array, a *pyArgs) any {
		sizes := a.rest(0)
		if len(sizes) == 1 {
			return x.Reshape(pyInts(sizes[0])...)
		}
		return x.Reshape(pyInts(pyTuple(sizes))...)
	},
	"argmax": func(x array, a *pyArgs) any { return x.ArgMax(pyAxis(a, 0)...) },
}

func pyMap(f func(array) array, name string) func(a *pyArgs) any {
	return func(a *pyArgs) any { return f(a.array(0, name)) }
}

func pyPair(f func(x, y array) array, first, second string) func(a *pyArgs) any {
	return func(a *pyArgs) any { return f(a.array(0, first), a.array(1, second)) }
}

// pyAlong returns a function of an array and of at most one axis.
func pyAlong(f func(x array, axis ...int) array, i int) func(a *pyArgs) any {
	return func(a *pyArgs) any { return f(a.array(0, "a"), pyAxis(a, i)...) }
}

func pyFacade() map[string]func(a *pyArgs) any {
	m := map[string]func(a *pyArgs) any{
		"sum": func(a *pyArgs) any {
			var total any = 0
			for _, x := range pyIterate(a.must(0, "iterable")) {
				total = pyOperate("+", total, x)
			}
			return total
		},
		"jnp.abs": pyMap(weft.Abs, "x"), "jnp.ones_like": pyMap(weft.OnesLike[array], "a"), "jnp.zeros_like": pyMap(weft.ZerosLike[array], "a"),
		"jnp.add": pyPair(weft.Add[array, array], "x", "y"), "jnp.multiply": pyPair(weft.Mul[array, array], "x", "y"),
		"jnp.minimum": pyPair(weft.Minimum[array, array], "x", "y"), "jnp.maximum": pyPair(weft.Maximum[array, array], "x", "y"),
		"jnp.matmul": pyPair(array.MatMul, "a", "b"), "jnp.polyval": pyPair(weft.Polyval, "p", "x"),
		"jnp.sort": pyAlong(array.Sort, 1), "jnp.cumsum": pyAlong(array.CumSum, 1), "jnp.cumprod": pyAlong(array.CumProd, 1),
		"jnp.argmin": pyAlong(array.ArgMin, 1), "jnp.median": pyAlong(weft.Median, 1), "jnp.prod": pyAlong(array.Prod, 1),
		"jnp.clip": func(a *pyArgs) any { return weft.Clip(a.array(0, "arr"), a.array(1, "min"), a.array(2, "max")) },
		"jnp.diff": pyMap(func(x array) array { return weft.Diff(x) }, "a"),
		"jnp.diag": pyMap(func(x array) array { return weft.Diag(x) }, "v"),
		"jnp.tril": func(a *pyArgs) any { return weft.Tril(a.array(0, "m"), pyInt(a.or(1, "k", 0))) },
		"jnp.triu": func(a *pyArgs) any { return weft.Triu(a.array(0, "m"), pyInt(a.or(1, "k", 0))) },
		"jnp.eye":  func(a *pyArgs) any { return weft.Eye(a.int(0, "N")) },
		"jnp.full": func(a *pyArgs) any { return weft.Full(a.ints(0, "shape"), pyArray(a.must(1, "fill_value"))) },
		"jnp.arange": func(a *pyArgs) any {
			return weft.Arange(pyInts(pyTuple(a.rest(0)))...).AsType(pyDefault(core.KindInt))
		},
		"jnp.linspace": func(a *pyArgs) any {
			return weft.Linspace(a.array(0, "start"), a.array(1, "stop"), a.int(2, "num"))
		},
		"jnp.broadcast_to": func(a *pyArgs) any { return a.array(0, "array").BroadcastTo(a.ints(1, "shape")...) },
		"jnp.concatenate": func(a *pyArgs) any {
			return weft.Concat(pyInt(a.or(1, "axis", 0)), pyArrays(a.must(0, "arrays"))...)
		},
		"jnp.split": func(a *pyArgs) any {
			return pyListOf(weft.SplitEvenly(a.array(0, "ary"), pyInt(a.or(2, "axis", 0)), a.int(1, "sections")))
		},
		"jnp.einsum": func(a *pyArgs) any {
			return weft.Einsum(a.must(0, "subscripts").(string), pyArrays(pyTuple(a.rest(1)))...)
		},
		"jnp.roll": func(a *pyArgs) any {
			x, shift, axes := a.array(0, "a"), a.ints(1, "shift"), []int{0}
			if v := a.or(2, "axis", nil); v != nil {
				axes = pyInts(v)
			}
			for i, s := range shift {
				x = weft.Roll(x, s, axes[i])
			}
			return x
		},
		"jnp.interp": func(a *pyArgs) any { return weft.Interp(a.array(0, "x"), a.array(1, "xp"), a.array(2, "fp")) },
		"jnp.histogram": func(a *pyArgs) any {
			bounds := pyIterate(a.must(-1, "range"))
			counts, edges := weft.Histogram(a.array(0, "a"), a.int(1, "bins"), bounds[0].(float64), bounds[1].(float64))
			return pyTuple{counts.AsType(edges.DType()), edges}
		},
		"jnp.bincount": func(a *pyArgs) any { return weft.Bincount(a.array(0, "x"), a.int(-1, "length")) },
		"jnp.unique": func(a *pyArgs) any {
			return weft.UniqueSize(a.array(0, "ar"), a.int(-1, "size"), a.must(-1, "fill_value"))
		},
		"jnp.nonzero": func(a *pyArgs) any {
			return pyListOf(weft.NonzeroSize(a.array(0, "a"), a.int(-1, "size"), a.int(-1, "fill_value")))
		},
		"jnp.searchsorted": func(a *pyArgs) any {
			side := weft.Left
			if a.or(2, "side", "left") == "right" {
				side = weft.Right
			}
			return weft.SearchSorted(a.array(0, "a"), a.array(1, "v"), side)
		},
		"jnp.digitize": func(a *pyArgs) any { return weft.SearchSorted(a.array(1, "bins"), a.array(0, "x"), weft.Right) },
		"jnp.take_along_axis": func(a *pyArgs) any {
			return weft.TakeAlongAxis(a.array(0, "arr"), a.array(1, "indices"), a.int(2, "axis"))
		},
		"jnp.argsort": func(a *pyArgs) any {
			x := a.array(0, "a")
			if pyTruth(a.or(-1, "descending", false)) {
				x = x.Neg() // of integers, which have no NaN
			}
			return x.ArgSort()
		},
		"jnp.lexsort": func(a *pyArgs) any { // by the last key first: sorted by each in turn, stably
			keys := pyArrays(a.must(0, "keys"))
			order := keys[0].ArgSort()
			for _, k := range keys[1:] {
				order = weft.Take(order, weft.Take(k, order).ArgSort())
			}
			return order
		},
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

		"nn.sigmoid": pyMap(nn.Sigmoid, "x"), "nn.softplus": pyMap(nn.Softplus, "x"),
		"nn.softmax":     func(a *pyArgs) any { return nn.Softmax(a.array(0, "x"), pyInt(a.or(1, "axis", -1))) },
		"nn.log_softmax": func(a *pyArgs) any { return nn.LogSoftmax(a.array(0, "x"), pyInt(a.or(1, "axis", -1))) },
		"nn.one_hot":     func(a *pyArgs) any { return weft.OneHot(a.array(0, "x"), a.int(1, "num_classes")) },

		"jnp.linalg.solve":        pyPair(linalg.Solve, "a", "b"),
		"jnp.linalg.det":          pyMap(linalg.Det, "a"),
		"jnp.linalg.cholesky":     pyMap(linalg.Cholesky, "a"),
		"jnp.linalg.norm":         pyMap(func(x array) array { return weft.Norm(x) }, "x"),
		"jnp.linalg.slogdet":      func(a *pyArgs) any { sign, log := linalg.SlogDet(a.array(0, "a")); return pyTuple{sign, log} },
		"jnp.linalg.matrix_power": func(a *pyArgs) any { return linalg.MatrixPower(a.array(0, "a"), a.int(1, "n")) },
		"jsp.linalg.solve_triangular": func(a *pyArgs) any {
			return linalg.TriangularSolve(a.array(0, "a"), a.array(1, "b"), linalg.Triangle{Lower: pyTruth(a.or(-1, "lower", false))})
		},
		"jnp.fft.fft": pyMap(func(x array) array { return fft.FFT(x) }, "a"), "jnp.fft.ifft": pyMap(func(x array) array { return fft.IFFT(x) }, "a"),
		"jnp.fft.rfft":  pyMap(func(x array) array { return fft.RFFT(x) }, "a"),
		"jnp.fft.irfft": func(a *pyArgs) any { return fft.Config{Sizes: []int{a.int(1, "n")}}.IRFFT(a.array(0, "a")) },

		"random.uniform": func(a *pyArgs) any { return random.Uniform(pyKey(a), a.ints(1, "shape")...) },
		"random.randint": func(a *pyArgs) any {
			return random.RandInt(pyKey(a), a.array(2, "minval"), a.array(3, "maxval"), a.ints(1, "shape")...)
		},
		"random.permutation": func(a *pyArgs) any { return random.Permutation(pyKey(a), a.int(1, "x")) },
		"random.bernoulli":   func(a *pyArgs) any { return random.Bernoulli(pyKey(a), a.array(1, "p"), a.ints(2, "shape")...) },

		"lax.conv": func(a *pyArgs) any {
			return lax.ConvGeneralDilated(a.array(0, "lhs"), a.array(1, "rhs"), lax.ConvConfig{Strides: a.ints(2, "window_strides"), Padding: pyPadding(a.must(3, "padding"))})
		},
		"lax.custom_root": func(a *pyArgs) any {
			of := func(f any) func(array) array {
				return func(x array) array { return pyArray(pyCall(f, []any{x}, nil)) }
			}
			function := func(f func(array) array) any {
				return &pyBuiltin{"function", func(a *pyArgs) any { return f(a.array(0, "x")) }}
			}
			solve, tangent := a.must(2, "solve"), a.must(3, "tangent_solve")
			return custom.Root(of(a.must(0, "f")), a.array(1, "initial_guess"),
				func(f func(array) array, x array) array { return pyArray(pyCall(solve, []any{function(f), x}, nil)) },
				func(g func(array) array, y array) array { return pyArray(pyCall(tangent, []any{function(g), y}, nil)) })
		},
	}
	for name, f := range map[string]func(dims ...int) array{"jnp.zeros": weft.Zeros, "jnp.ones": weft.Ones} {
		of := map[string]func(dt weft.DType, dims ...int) array{"jnp.zeros": weft.ZerosOf, "jnp.ones": weft.OnesOf}[name]
		m[name] = func(a *pyArgs) any {
			if dt := a.or(1, "dtype", nil); dt != nil {
				return of(pyDType(dt), a.ints(0, "shape")...)
			}
			return f(a.ints(0, "shape")...)
		}
	}
	for name, op := range pyReductions {
		m["jnp."+name] = func(a *pyArgs) any { return pyReduce(op, a.array(0, "a"), a, 1) }
	}
	for name, op := range map[string]weft.ReduceOp{"sum": weft.ReduceSum, "max": weft.ReduceMax, "prod": weft.ReduceProd} {
		m["jax.ops.segment_"+name] = func(a *pyArgs) any {
			return weft.SegmentReduce(a.array(0, "data"), a.array(1, "segment_ids"), a.int(2, "num_segments"), op)
		}
	}
	return m
}

func pyKey(a *pyArgs) random.Key { return random.Key{Data: a.array(0, "key")} }

// Iterate returns the elements of an array, which a program unpacks.
func (pyLax) Iterate(v any) ([]any, bool) {
	x, ok := v.(array)
	if !ok {
		return nil, false
	}
	out := make([]any, x.Shape()[0])
	for i := range out {
		out[i] = x.Index(i)
	}
	return out, true
}

// pyListMethod returns a method of a list.
func pyListMethod(l *pyList, name string) (any, bool) {
	return &pyBuiltin{name, func(a *pyArgs) any { l.Items = append(l.Items, a.must(0, "object")); return nil }}, name == "append"
}

// pySlice returns lo:hi:step as an index, in the text that a step needs.
func pySlice(i python.Slice) any {
	lo, hi := 0, weft.End
	if i.Step != nil {
		text := ""
		for k, n := range []any{i.Lo, i.Hi, i.Step} {
			if k > 0 {
				text += ":"
			}
			if n != nil {
				text += strconv.Itoa(pyInt(n))
			}
		}
		return text
	}
	if i.Lo != nil {
		lo = pyInt(i.Lo)
	}
	if i.Hi != nil {
		hi = pyInt(i.Hi)
	}
	return weft.R(lo, hi)
}
