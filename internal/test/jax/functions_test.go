package jax_test

import (
	"fmt"
	"math"
	"slices"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/nd"
	"github.com/weft-go/weft/linalg"
	"github.com/weft-go/weft/nn"
	"github.com/weft-go/weft/special"
	"github.com/weft-go/weft/stats"
)

func operate(op string, x, y any) any {
	type f = func(x weft.Array, y any) weft.Array
	methods := map[string]f{
		"+": weft.Array.Add, "-": weft.Array.Sub, "*": weft.Array.Mul, "/": weft.Array.Div, "//": weft.Array.FloorDiv, "%": weft.Array.Mod,
		"**": weft.Array.Pow, "&": weft.Array.And, "|": weft.Array.Or, "^": weft.Array.Xor, "<<": weft.Array.Shl, ">>": weft.Array.Shr,
		"==": weft.Array.Eq, "!=": weft.Array.Ne, "<": weft.Array.Lt, "<=": weft.Array.Le, ">": weft.Array.Gt, ">=": weft.Array.Ge,
	}
	if op == "@" {
		return arr(x).MatMul(arr(y))
	}
	_, xa := x.(weft.Array)
	_, ya := y.(weft.Array)
	if !xa && !ya { // a NumPy scalar and a number
		if v, ok := typed(x); ok {
			x, xa = v, true
		} else if v, ok := typed(y); ok {
			y, ya = v, true
		}
	}
	if !xa && !ya {
		panic(errUnknown("numbers among themselves"))
	}
	if xa {
		return methods[op](x.(weft.Array), y)
	}
	b := y.(weft.Array)
	switch x := x.(type) {
	case int:
		return left(op, x, b)
	case float64:
		return left(op, x, b)
	case complex128:
		return left(op, x, b)
	case bool:
		return left(op, x, b)
	case int8:
		return left(op, x, b)
	case uint8:
		return left(op, x, b)
	case int64:
		return left(op, x, b)
	case float32:
		return left(op, x, b)
	case complex64:
		return left(op, x, b)
	}
	panic(errUnknown("left operand"))
}

// left has a number on the left side: by the generic function where there is one.
func left[T weft.Elem](op string, x T, y weft.Array) weft.Array {
	fs := map[string]func(T, weft.Array) weft.Array{
		"+": weft.Add[T, weft.Array], "-": weft.Sub[T, weft.Array], "*": weft.Mul[T, weft.Array], "/": weft.Div[T, weft.Array],
		"//": weft.FloorDiv[T, weft.Array], "%": weft.Mod[T, weft.Array], "**": weft.Pow[T, weft.Array],
		"==": weft.Eq[T, weft.Array], "!=": weft.Ne[T, weft.Array], "<": weft.Lt[T, weft.Array], "<=": weft.Le[T, weft.Array],
		">": weft.Gt[T, weft.Array], ">=": weft.Ge[T, weft.Array],
	}
	if f := fs[op]; f != nil {
		return f(x, y)
	}
	return operate(op, weft.Scalar(x), y).(weft.Array)
}

func arr(v any) weft.Array {
	switch v := v.(type) {
	case weft.Array:
		return v
	case nil:
		return weft.From(nil)
	}
	if n, ok := nd.Number(v); ok {
		return weft.FromValue(n)
	}
	panic(errUnknown("no array"))
}

var pyTypes = map[string]weft.DType{
	"bool_": weft.Bool, "bool": weft.Bool, "int8": weft.Int8, "int16": weft.Int16, "int32": weft.Int32, "int64": weft.Int64,
	"uint8": weft.Uint8, "uint16": weft.Uint16, "uint32": weft.Uint32, "uint64": weft.Uint64, "bfloat16": weft.BFloat16, "float16": weft.Float16,
	"float32": weft.Float32, "float64": weft.Float64, "complex64": weft.Complex64, "complex128": weft.Complex128,
	"float": weft.Float32, "int": weft.Int32, "complex": weft.Complex64,
}

func attribute(m pymodule, name string) any {
	if dt, ok := pyTypes[name]; ok {
		return dt
	}
	switch string(m) + "." + name {
	case "jax.nn":
		return pymodule("nn")
	case "jnp.newaxis":
		return nil
	case "jax.ops":
		return pymodule("jax.ops")
	case "jnp.linalg", "jnp.fft":
		return pymodule("jnp." + name)
	case "jnp.inf":
		return math.Inf(1)
	case "jnp.nan":
		return math.NaN()
	}
	return bound{m, name}
}

// call calls a function of a module, a method or a type.
func call(f any, args []any) any {
	kw := map[string]any{}
	args = slices.DeleteFunc(args, func(a any) bool {
		k, ok := a.(keyword)
		if ok {
			kw[k.name] = k.v
		}
		return ok
	})
	switch f := f.(type) {
	case pybuiltin: // divmod
		q, r := weft.FloorDiv(arr(args[0]), arr(args[1])), weft.Mod(arr(args[0]), arr(args[1]))
		return tuple{q, r}
	case weft.DType:
		if x, ok := args[0].(weft.Array); ok && len(args) == 1 {
			return x.AsType(f)
		}
		return scalarOf(f, args)
	case bound:
		if m, ok := f.on.(pymodule); ok {
			return function(string(m), f.name, args, kw)
		}
		return method(f.on, f.name, args, kw)
	}
	panic(errUnknown("call"))
}

func axesIn(args []any, kw map[string]any) []int {
	var axes []int
	a, ok := kw["axis"]
	if !ok && len(args) > 1 {
		a = args[1]
	}
	switch a := a.(type) {
	case int:
		axes = append(axes, a)
	case tuple:
		for _, x := range a {
			axes = append(axes, x.(int))
		}
	}
	if kw["keepdims"] == true {
		axes = append(axes, weft.Keep)
	}
	for k := range kw {
		if k != "axis" && k != "keepdims" {
			panic(errUnknown("keyword of a reduction " + k))
		}
	}
	return axes
}

func none(kw map[string]any) {
	for k := range kw {
		panic(errUnknown("keyword " + k + fmt.Sprint(kw)))
	}
}

var unaries = map[string]func(weft.Array) weft.Array{
	"exp": weft.Exp, "exp2": weft.Exp2, "expm1": weft.Expm1, "log": weft.Log, "log1p": weft.Log1p, "log2": weft.Log2, "log10": weft.Log10,
	"sqrt": weft.Sqrt, "cbrt": weft.Cbrt, "sin": weft.Sin, "cos": weft.Cos, "tan": weft.Tan, "arcsin": weft.Asin, "arccos": weft.Acos,
	"arctan": weft.Atan, "sinh": weft.Sinh, "cosh": weft.Cosh, "tanh": weft.Tanh, "arcsinh": weft.Asinh, "arccosh": weft.Acosh, "arctanh": weft.Atanh,
	"reciprocal": weft.Reciprocal, "square": weft.Square, "abs": weft.Abs, "sign": weft.Sign, "floor": weft.Floor, "ceil": weft.Ceil, "trunc": weft.Trunc,
	"conjugate": weft.Conj, "isfinite": weft.IsFinite, "isnan": weft.IsNaN, "isinf": weft.IsInf, "logical_not": weft.LogicalNot,
	"negative": weft.Array.Neg, "invert": weft.Array.Not, "bitwise_not": weft.Array.Not, "real": weft.Array.Real, "imag": weft.Array.Imag,
	"ravel": weft.Array.Ravel, "zeros_like": weft.ZerosLike[weft.Array], "ones_like": weft.OnesLike[weft.Array],
	"tril": func(x weft.Array) weft.Array { return weft.Tril(x) }, "triu": func(x weft.Array) weft.Array { return weft.Triu(x) },
	"flip":  func(x weft.Array) weft.Array { return weft.Flip(x) },
	"angle": weft.Angle, "deg2rad": weft.Deg2Rad, "nan_to_num": weft.NaNToNum, "signbit": weft.Signbit, "sinc": weft.Sinc, "isreal": weft.IsReal,
	"bitwise_count": weft.PopulationCount, "trace": func(x weft.Array) weft.Array { return weft.Diagonal(x).Sum(-1) },
	"diagonal": func(x weft.Array) weft.Array { return weft.Diagonal(x) }, "cov": stats.Cov, "corrcoef": stats.CorrCoef,
}

var binaries = map[string]func(x, y weft.Array) weft.Array{
	"add": weft.Add[weft.Array, weft.Array], "subtract": weft.Sub[weft.Array, weft.Array], "multiply": weft.Mul[weft.Array, weft.Array],
	"divide": weft.Div[weft.Array, weft.Array], "true_divide": weft.Div[weft.Array, weft.Array], "floor_divide": weft.FloorDiv[weft.Array, weft.Array],
	"remainder": weft.Mod[weft.Array, weft.Array], "power": weft.Pow[weft.Array, weft.Array], "maximum": weft.Maximum[weft.Array, weft.Array],
	"minimum": weft.Minimum[weft.Array, weft.Array], "arctan2": weft.Atan2[weft.Array, weft.Array], "nextafter": weft.Nextafter[weft.Array, weft.Array],
	"equal": weft.Eq[weft.Array, weft.Array], "not_equal": weft.Ne[weft.Array, weft.Array], "less": weft.Lt[weft.Array, weft.Array],
	"less_equal": weft.Le[weft.Array, weft.Array], "greater": weft.Gt[weft.Array, weft.Array], "greater_equal": weft.Ge[weft.Array, weft.Array],
	"logical_and": weft.LogicalAnd[weft.Array, weft.Array], "logical_or": weft.LogicalOr[weft.Array, weft.Array],
	"logical_xor": weft.LogicalXor[weft.Array, weft.Array], "logaddexp": weft.LogAddExp[weft.Array, weft.Array], "hypot": weft.Hypot[weft.Array, weft.Array],
	"bitwise_and": func(x, y weft.Array) weft.Array { return x.And(y) }, "bitwise_or": func(x, y weft.Array) weft.Array { return x.Or(y) },
	"bitwise_xor": func(x, y weft.Array) weft.Array { return x.Xor(y) }, "left_shift": func(x, y weft.Array) weft.Array { return x.Shl(y) },
	"right_shift": func(x, y weft.Array) weft.Array { return x.Shr(y) }, "dot": weft.Array.Dot, "matmul": weft.Array.MatMul, "outer": weft.Outer,
	"copysign": weft.Copysign[weft.Array, weft.Array], "heaviside": weft.Heaviside[weft.Array, weft.Array], "fmax": weft.Fmax[weft.Array, weft.Array],
	"fmod": weft.Rem[weft.Array, weft.Array], "float_power": weft.FloatPower[weft.Array, weft.Array], "ldexp": weft.Ldexp[weft.Array, weft.Array],
	"gcd": weft.Gcd[weft.Array, weft.Array], "lcm": weft.Lcm[weft.Array, weft.Array], "inner": inner, "vdot": weft.Vdot, "kron": linalg.Kron,
}

var reductions = map[string]func(weft.Array, ...int) weft.Array{
	"sum": weft.Array.Sum, "prod": weft.Array.Prod, "mean": weft.Array.Mean, "var": weft.Array.Var, "std": weft.Array.Std, "max": weft.Array.Max,
	"min": weft.Array.Min, "all": weft.Array.All, "any": weft.Array.Any, "argmax": weft.Array.ArgMax, "argmin": weft.Array.ArgMin,
	"sort": weft.Array.Sort, "argsort": weft.Array.ArgSort, "cumsum": weft.Array.CumSum, "cumprod": weft.Array.CumProd,
	"squeeze": weft.Array.Squeeze,
}

var nns = map[string]func(weft.Array) weft.Array{
	"relu": nn.Relu, "sigmoid": nn.Sigmoid, "softplus": nn.Softplus, "silu": nn.Silu, "elu": nn.Elu, "leaky_relu": nn.LeakyRelu,
	"relu6": nn.Relu6, "hard_tanh": nn.HardTanh, "hard_sigmoid": nn.HardSigmoid, "hard_silu": nn.HardSilu, "log_sigmoid": nn.LogSigmoid,
	"mish": nn.Mish, "soft_sign": nn.Softsign, "squareplus": nn.SquarePlus, "selu": nn.Selu,
}

func function(m, name string, args []any, kw map[string]any) any {
	if v, ok := jaxFunction(m, name, args, kw); ok {
		none(kw)
		return v
	}
	if v, ok := libraryFunction(m+"."+name, args, kw); ok {
		none(kw)
		return v
	}
	switch m {
	case "nn":
		if v, ok := neural(name, args, kw); ok {
			none(kw)
			return v
		}
		if f := nns[name]; f != nil && len(args) == 1 {
			none(kw)
			return f(arr(args[0]))
		}
		switch name {
		case "softmax":
			return nn.Softmax(arr(args[0]), axesIn(args, kw)...)
		case "log_softmax":
			return nn.LogSoftmax(arr(args[0]), axesIn(args, kw)...)
		case "logsumexp":
			return special.LogSumExp(arr(args[0]), axesIn(args, kw)...)
		}
		panic(errUnknown("nn." + name))
	case "np":
		if name == "arange" && len(args) == 1 {
			return weft.Arange(args[0].(int))
		}
		if name == "ones" && len(args) == 2 {
			return weft.OnesOf(args[1].(weft.DType), args[0].(int))
		}
		panic(errUnknown("np." + name))
	case "jnp":
	default:
		panic(errUnknown(m + "." + name))
	}
	if v, ok := withKeywords(name, args, kw); ok {
		none(kw)
		return v
	}
	if f := unaries[name]; f != nil && len(args) == 1 {
		none(kw)
		return f(arr(args[0]))
	}
	if f := binaries[name]; f != nil && len(args) == 2 {
		none(kw)
		return f(arr(args[0]), arr(args[1]))
	}
	if f := reductions[name]; f != nil {
		return f(arr(args[0]), axesIn(args, kw)...)
	}
	if name == "where" && len(args) == 3 {
		none(kw)
		return weft.Where(arr(args[0]), arr(args[1]), arr(args[2]))
	}
	none(kw)
	x := func() weft.Array { return arr(args[0]) }
	switch name {
	case "reshape":
		return x().Reshape(ints(args[1])...)
	case "broadcast_to":
		return x().BroadcastTo(ints(args[1])...)
	case "expand_dims":
		return x().ExpandDims(ints(args[1])...)
	case "swapaxes":
		return x().SwapAxes(args[1].(int), args[2].(int))
	case "moveaxis":
		return x().MoveAxis(args[1].(int), args[2].(int))
	case "transpose":
		if len(args) > 1 {
			return x().Transpose(ints(args[1])...)
		}
		return x().Transpose()
	case "stack":
		return weft.Stack(0, arrays(args[0])...)
	case "concatenate":
		return weft.Concat(0, arrays(args[0])...)
	case "tile":
		return weft.Tile(x(), ints(args[1])...)
	case "eye":
		return weft.Eye(args[0].(int))
	case "zeros":
		return weft.Zeros(ints(args[0])...)
	case "ones":
		return weft.Ones(ints(args[0])...)
	case "clip":
		return weft.Clip(x(), arr(args[1]), arr(args[2]))
	case "arange":
		switch n := args[0].(type) {
		case int:
			return weft.Arange(n)
		case float64:
			return weft.Arange(n).AsType(pyType("float"))
		}
	case "piecewise":
		return piecewise(x(), args[1].(tuple), args[2].(tuple))
	case "split":
		return tupleOf(weft.SplitEvenly(x(), 0, args[1].(int)))
	case "array_split": // the first pieces are longer by one
		n, k := x().Len(), args[1].(int)
		sizes := make([]int, k)
		for i := range sizes {
			sizes[i] = (n + k - 1 - i) / k
		}
		return tupleOf(weft.Split(x(), 0, sizes...))
	case "unravel_index":
		return tupleOf(weft.UnravelIndex(x(), ints(args[1])))
	}
	panic(errUnknown("jnp." + name))
}

func ints(v any) []int {
	switch v := v.(type) {
	case int:
		return []int{v}
	case tuple:
		var out []int
		for _, x := range v {
			out = append(out, x.(int))
		}
		return out
	}
	panic(errUnknown("ints"))
}

func arrays(v any) []weft.Array {
	t, ok := v.(tuple)
	if !ok {
		panic(errUnknown("arrays"))
	}
	var out []weft.Array
	for _, x := range t {
		out = append(out, arr(x))
	}
	return out
}
