package weft_test

import (
	"math"

	"github.com/weft-go/weft"
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
	case int:
		return weft.Scalar(v)
	case float64:
		return weft.Scalar(v)
	case bool:
		return weft.Scalar(v)
	case complex128:
		return weft.Scalar(v)
	}
	panic(errUnknown("no array"))
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
	case "jnp.linalg":
		return pymodule("jnp.linalg")
	case "jnp.inf":
		return math.Inf(1)
	case "jnp.nan":
		return math.NaN()
	}
	return bound{m, name}
}

func method(on any, name string, args []any, kw map[string]any) any {
	if r, ok := on.(weft.Ref); ok {
		if m, ok := kw["mode"]; ok {
			delete(kw, "mode")
			switch m {
			case "clip":
				r = r.Mode(weft.ClipIndex)
			case "fill", "drop":
				r = r.Mode(weft.FillOrDrop)
			}
		}
		if f, ok := kw["fill_value"]; ok {
			delete(kw, "fill_value")
			r = r.Fill(f)
		}
		none(kw)
		switch name {
		case "get":
			return r.Get()
		case "set":
			return r.Set(args[0])
		case "add":
			return r.Add(args[0])
		case "multiply":
			return r.Mul(args[0])
		case "min":
			return r.Min(args[0])
		case "max":
			return r.Max(args[0])
		case "divide":
			return r.Div(args[0])
		case "power":
			return r.Pow(args[0])
		}
	}
	x, ok := on.(weft.Array)
	if !ok {
		panic(errUnknown("method " + name))
	}
	switch name {
	case "astype":
		none(kw)
		switch t := args[0].(type) {
		case weft.DType:
			return x.AsType(t)
		case pymodule:
			return x.AsType(pyTypes[string(t[3:])])
		}
	case "reshape":
		var dims []int
		for _, a := range args {
			dims = append(dims, ints(a)...)
		}
		return x.Reshape(dims...)
	case "view":
		return x.View(typeIn(args[0]))
	case "ravel":
		return x.Ravel()
	case "conj":
		return weft.Conj(x)
	}
	panic(errUnknown("method " + name))
}

func subscript(x any, idx []any) any {
	for i, v := range idx {
		if s, ok := v.(string); ok && s == "" {
			idx[i] = ":"
		}
	}
	if b, ok := x.(bound); ok && b.name == "at" {
		return b.on.(weft.Array).At(idx...)
	}
	if t, ok := x.(tuple); ok {
		return t[idx[0].(int)]
	}
	a, ok := x.(weft.Array)
	if !ok {
		panic(errUnknown("subscript"))
	}
	return a.Index(idx...)
}
