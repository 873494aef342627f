package jax

import (
	"maps"
	"slices"
	"sync"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/lax"
)

// Functions of package lax by JAX's names, for programs that only call them.
var (
	// Unary are functions of one array.
	Unary = map[string]func(x array) array{
		"neg": lax.Neg, "sign": lax.Sign, "abs": lax.Abs, "square": lax.Square, "reciprocal": lax.Reciprocal,
		"floor": lax.Floor, "ceil": lax.Ceil, "is_finite": lax.IsFinite,
		"round": func(x array) array { return lax.Round(x, lax.AwayFromZero) },
		"exp":   lax.Exp, "exp2": lax.Exp2, "log": lax.Log, "expm1": lax.Expm1, "log1p": lax.Log1p,
		"tanh": lax.Tanh, "logistic": lax.Logistic, "sin": lax.Sin, "cos": lax.Cos, "tan": lax.Tan,
		"asin": lax.Asin, "acos": lax.Acos, "atan": lax.Atan, "sinh": lax.Sinh, "cosh": lax.Cosh,
		"asinh": lax.Asinh, "acosh": lax.Acosh, "atanh": lax.Atanh, "sqrt": lax.Sqrt, "rsqrt": lax.Rsqrt,
		"cbrt": lax.Cbrt, "real": lax.Real, "imag": lax.Imag, "conj": lax.Conj, "lgamma": lax.Lgamma,
		"digamma": lax.Digamma, "erf": lax.Erf, "erfc": lax.Erfc, "erf_inv": lax.ErfInv,
		"bitwise_not": lax.BitwiseNot, "population_count": lax.PopulationCount, "clz": lax.Clz,
		"stop_gradient": lax.StopGradient,
	}
	// Binary are functions of two arrays.
	Binary = map[string]func(x, y array) array{
		"add": lax.Add[array, array], "sub": lax.Sub[array, array], "mul": lax.Mul[array, array],
		"div": lax.Div[array, array], "rem": lax.Rem[array, array], "max": lax.Max[array, array],
		"min": lax.Min[array, array], "pow": lax.Pow[array, array], "atan2": lax.Atan2[array, array],
		"nextafter": lax.Nextafter[array, array], "complex": lax.Complex[array, array],
		"bitwise_and": lax.BitwiseAnd[array, array], "bitwise_or": lax.BitwiseOr[array, array],
		"bitwise_xor": lax.BitwiseXor[array, array], "shift_left": lax.ShiftLeft[array, array],
		"shift_right_arithmetic": lax.ShiftRightArithmetic[array, array],
		"shift_right_logical":    lax.ShiftRightLogical[array, array],
		"eq":                     lax.Eq[array, array], "ne": lax.Ne[array, array], "lt": lax.Lt[array, array],
		"le": lax.Le[array, array], "gt": lax.Gt[array, array], "ge": lax.Ge[array, array],
		"polygamma": lax.Polygamma[array, array],
	}
)

// jax.lax for golden programs: each function of it as a function of package lax.

var pyFacadeTable = sync.OnceValue(pyFacade)

var pyLibrary = sync.OnceValue(func() map[string]func(a *pyArgs) any {
	m := map[string]func(a *pyArgs) any{}
	for _, part := range []map[string]func(a *pyArgs) any{
		pyPlain(), pyLaxShape(), pyLaxIndexing(), pyLaxReductions(), pyLaxProducts(), pyScientific(), pyLaxCollectives(), pyRandom(), pyNumPyLibrary(), pyBase(), pyControl(), pyTransforms(), pyJaxNumPy(), pyLibraries(),
	} {
		maps.Copy(m, part)
	}
	return m
})

// pyPlain are functions of arrays only.
func pyPlain() map[string]func(a *pyArgs) any {
	m := map[string]func(a *pyArgs) any{}
	for name, f := range Unary {
		if name != "round" && name != "stop_gradient" {
			m["lax."+name] = func(a *pyArgs) any { return f(a.array(0, "x")) }
		}
	}
	for name, f := range Binary {
		m["lax."+name] = func(a *pyArgs) any { return f(a.array(0, "x"), a.array(1, "y")) }
	}
	m["lax.select"] = func(a *pyArgs) any {
		return lax.Select(a.array(0, "pred"), a.array(1, "on_true"), a.array(2, "on_false"))
	}
	m["lax.select_n"] = func(a *pyArgs) any { return lax.SelectN(a.array(0, "which"), pyArrays(pyTuple(a.rest(1)))...) }
	m["lax.clamp"] = func(a *pyArgs) any { return lax.Clamp(a.array(0, "min"), a.array(1, "x"), a.array(2, "max")) }
	m["lax.mulhi"] = func(a *pyArgs) any { return lax.MulHi(a.array(0, "x"), a.array(1, "y")) }
	m["lax.round"] = func(a *pyArgs) any {
		return lax.Round(a.array(0, "x"), lax.RoundingMethod(pyInt(a.or(1, "rounding_method", 0))))
	}
	m["lax.integer_pow"] = func(a *pyArgs) any { return lax.IntegerPow(a.array(0, "x"), a.int(1, "y")) }
	m["lax.reduce_precision"] = func(a *pyArgs) any {
		return lax.ReducePrecision(a.array(0, "operand"), a.int(1, "exponent_bits"), a.int(2, "mantissa_bits"))
	}
	m["lax.convert_element_type"] = func(a *pyArgs) any {
		v, dt := a.must(0, "operand"), pyDType(a.must(1, "new_dtype"))
		switch n := v.(type) {
		case int:
			return lax.ConvertElementType(n, dt)
		case float64:
			return lax.ConvertElementType(n, dt)
		}
		return lax.ConvertElementType(pyArray(v), dt)
	}
	m["lax.bitcast_convert_type"] = func(a *pyArgs) any {
		return lax.BitcastConvertType(a.array(0, "operand"), pyDType(a.must(1, "new_dtype")))
	}
	m["lax.optimization_barrier"] = func(a *pyArgs) any {
		leaves, form := Flatten(a.must(0, "operand"))
		return form.rebuild(lax.OptimizationBarrier(leaves...))
	}
	m["lax.stop_gradient"] = func(a *pyArgs) any {
		leaves, form := Flatten(a.must(0, "x"))
		for i, x := range leaves {
			leaves[i] = lax.StopGradient(x)
		}
		return form.rebuild(leaves)
	}
	return m
}

func pyLaxShape() map[string]func(a *pyArgs) any {
	dimension := func(a *pyArgs, i int, name string) int { return a.int(i, name) }
	return map[string]func(a *pyArgs) any{
		"lax.reshape": func(a *pyArgs) any {
			if a.or(2, "dimensions", nil) != nil {
				pyCannot("reshape with dimensions")
			}
			return lax.Reshape(a.array(0, "operand"), a.ints(1, "new_sizes")...)
		},
		"lax.transpose":   func(a *pyArgs) any { return lax.Transpose(a.array(0, "operand"), a.ints(1, "permutation")...) },
		"lax.rev":         func(a *pyArgs) any { return lax.Rev(a.array(0, "operand"), a.ints(1, "dimensions")...) },
		"lax.squeeze":     func(a *pyArgs) any { return lax.Squeeze(a.array(0, "array"), a.ints(1, "dimensions")...) },
		"lax.expand_dims": func(a *pyArgs) any { return lax.ExpandDims(a.array(0, "array"), a.ints(1, "dimensions")...) },
		"lax.tile":        func(a *pyArgs) any { return lax.Tile(a.array(0, "operand"), a.ints(1, "reps")...) },
		"lax.broadcast":   func(a *pyArgs) any { return lax.Broadcast(a.array(0, "operand"), a.ints(1, "sizes")...) },
		"lax.broadcast_in_dim": func(a *pyArgs) any {
			return lax.BroadcastInDim(a.array(0, "operand"), a.ints(1, "shape"), a.ints(2, "broadcast_dimensions"))
		},
		"lax.collapse": func(a *pyArgs) any {
			x := a.array(0, "operand")
			lo, hi := a.int(1, "start_dimension"), pyInt(a.or(2, "stop_dimension", x.Rank()))
			return pyCollapse(x, lo, hi)
		},
		"lax.full": func(a *pyArgs) any {
			shape, fill := a.ints(0, "shape"), a.must(1, "fill_value")
			if dt := a.or(2, "dtype", nil); dt != nil {
				return pyFull(shape, fill, pyDType(dt))
			}
			return lax.Broadcast(pyArray(fill), shape...)
		},
		"lax.full_like": func(a *pyArgs) any {
			x, fill := a.array(0, "x"), a.must(1, "fill_value")
			dt, shape := a.or(2, "dtype", nil), a.or(3, "shape", nil)
			if dt == nil && shape == nil {
				switch n := fill.(type) {
				case int:
					return lax.FullLike(x, n)
				case float64:
					return lax.FullLike(x, n)
				case complex128:
					return lax.FullLike(x, n)
				}
			}
			sizes, to := []int(x.Shape()), x.DType()
			if shape != nil {
				sizes = pyInts(shape)
			}
			if dt != nil {
				to = pyDType(dt)
			}
			return pyFull(sizes, fill, to)
		},
		"lax.iota": func(a *pyArgs) any { return lax.Iota(pyDType(a.must(0, "dtype")), a.int(1, "size")) },
		"lax.broadcasted_iota": func(a *pyArgs) any {
			return lax.BroadcastedIota(pyDType(a.must(0, "dtype")), a.ints(1, "shape"), a.int(2, "dimension"))
		},
		"lax.empty": func(a *pyArgs) any { return lax.Empty(a.ints(0, "shape"), pyDType(a.must(1, "dtype"))) },
		"lax.concatenate": func(a *pyArgs) any {
			xs := pyArrays(a.must(0, "operands"))
			return lax.Concatenate(dimension(a, 1, "dimension"), xs...)
		},
		"lax.pad": func(a *pyArgs) any {
			var config [][3]int
			x, with := a.array(0, "operand"), a.array(1, "padding_value")
			for _, c := range pyIterate(a.must(2, "padding_config")) {
				config = append(config, [3]int(pyInts(c)))
			}
			return lax.Pad(x, with, config...)
		},
		"lax.split": func(a *pyArgs) any {
			x, sizes := a.array(0, "operand"), a.ints(1, "sizes")
			return pyListOf(lax.Split(x, pyInt(a.or(2, "axis", 0)), sizes...))
		},
		"lax.sort": func(a *pyArgs) any {
			v := a.must(0, "operand")
			leaves, form := Flatten(v)
			d := pyInt(a.or(1, "dimension", -1))
			stable := pyTruth(a.or(2, "is_stable", true))
			return form.rebuild(lax.SortBy(d, pyInt(a.or(3, "num_keys", 1)), stable, leaves...))
		},
		"lax.sort_key_val": func(a *pyArgs) any {
			k, v := lax.SortKeyVal(a.array(0, "keys"), a.array(1, "values"), pyInt(a.or(2, "dimension", -1)))
			return pyTuple{k, v}
		},
		"lax.top_k": func(a *pyArgs) any {
			v, i := lax.TopK(a.array(0, "operand"), a.int(1, "k"), pyInt(a.or(2, "axis", -1)))
			return pyTuple{v, i}
		},
		"jnp.stack": func(a *pyArgs) any {
			return lax.Stack(pyInt(a.or(1, "axis", 0)), pyArrays(a.must(0, "arrays"))...)
		},
	}
}

// pyFull returns lax.full of an array or of a number, which is converted at once.
func pyFull(shape []int, fill any, dt weft.DType) array {
	switch n := fill.(type) {
	case bool:
		return lax.Full(shape, n, dt)
	case int:
		return lax.Full(shape, n, dt)
	case float64:
		return lax.Full(shape, n, dt)
	case complex128:
		return lax.Full(shape, n, dt)
	case core.Literal:
		return lax.Broadcast(weft.FromValue(core.Lit(elem.Round(n.Num, dt), dt)), shape...)
	}
	return lax.Full(shape, pyArray(fill), dt)
}

// pyCollapse makes one axis of the axes from lo up to hi. Bounds are those of a
// Python slice: they are cut to the axes that there are.
func pyCollapse(x array, lo, hi int) array {
	s := x.Shape()
	bound := func(i int) int {
		if i < 0 {
			i += len(s)
		}
		return min(max(i, 0), len(s))
	}
	lo, hi = bound(lo), bound(hi)
	if hi < lo {
		core.Failf(core.ErrShape, "collapse: there are no axes from %d up to %d; correct the axes", lo, hi)
	}
	sizes := slices.Concat([]int(s[:lo]), []int{s[lo:hi].Size()}, []int(s[hi:]))
	return lax.Reshape(x, sizes...)
}

func pyListOf(xs []array) *pyList {
	l := &pyList{}
	for _, x := range xs {
		l.Items = append(l.Items, x)
	}
	return l
}
