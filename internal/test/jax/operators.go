package jax

import (
	"math"
	"slices"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
)

// pyUnary returns an operator of one operand.
func pyUnary(op string, v any) any {
	switch v := v.(type) {
	case bool:
		if op == "not" {
			return !v
		}
	case int:
		switch op {
		case "-":
			return -v
		case "+":
			return v
		}
	case uint64:
		if op == "-" && v == -math.MinInt {
			return math.MinInt
		}
	case float64:
		if op == "-" {
			return -v
		}
	case complex128:
		if op == "-" {
			return -v
		}
	case core.Literal:
		if op == "-" {
			return core.Lit(pyNegative(v.Num), v.Type)
		}
	case array:
		switch op {
		case "-":
			return v.Neg()
		case "~":
			return v.Not()
		}
	}
	pyCannot("%s of a %T", op, v)
	return nil
}

func pyNegative(n core.Number) core.Number {
	switch n.Kind() {
	case core.KindFloat:
		return core.FloatNumber(-n.Float())
	case core.KindInt:
		return core.IntNumber(-n.Int64())
	}
	pyCannot("the negative of a number of kind %v", n.Kind())
	return n
}

// pyOperate returns an operator of Python's numbers, or of arrays as in jax.numpy.
func pyOperate(op string, x, y any) any {
	switch op {
	case "and":
		if !pyTruth(x) {
			return x
		}
		return y
	case "or":
		if pyTruth(x) {
			return x
		}
		return y
	case "is":
		return x == y
	}
	if l, ok := x.(core.Literal); ok {
		x = weft.FromValue(l)
	}
	if l, ok := y.(core.Literal); ok {
		y = weft.FromValue(l)
	}
	if a, ok := x.(array); ok {
		return pyArrayOperator(op, a, y)
	}
	if b, ok := y.(array); ok {
		switch x := x.(type) {
		case int:
			return pyLeft(op, x, b)
		case float64:
			return pyLeft(op, x, b)
		case complex128:
			return pyLeft(op, x, b)
		case bool:
			return pyLeft(op, x, b)
		}
		return pyArrayOperator(op, pyArray(x), b)
	}
	if a, ok := x.(pyTuple); ok && op == "+" {
		return append(slices.Clone(a), y.(pyTuple)...)
	}
	if a, ok := x.(pyTuple); ok && op == "*" {
		return slices.Repeat(a, pyInt(y))
	}
	if a, ok := x.(pyTuple); ok && (op == "==" || op == "!=") {
		return slices.Equal(a, y.(pyTuple)) == (op == "==")
	}
	a, aOK := x.(int)
	b, bOK := y.(int)
	if aOK && bOK {
		switch op {
		case "+":
			return a + b
		case "-":
			return a - b
		case "*":
			return a * b
		case "/":
			return float64(a) / float64(b)
		case "//":
			return int(math.Floor(float64(a) / float64(b)))
		case "%":
			return ((a % b) + b) % b
		case "**":
			return int(math.Pow(float64(a), float64(b)))
		case "==":
			return a == b
		case "!=":
			return a != b
		case "<":
			return a < b
		case ">":
			return a > b
		}
	}
	f, fOK := pyFloat(x)
	g, gOK := pyFloat(y)
	if fOK && gOK {
		switch op {
		case "+":
			return f + g
		case "-":
			return f - g
		case "*":
			return f * g
		case "/":
			return f / g
		case "**":
			return math.Pow(f, g)
		}
	}
	c, cOK := pyComplex(x)
	d, dOK := pyComplex(y)
	if cOK && dOK {
		switch op {
		case "+":
			return c + d
		case "-":
			return c - d
		case "*":
			return c * d
		}
	}
	pyCannot("%T %s %T", x, op, y)
	return nil
}

func pyFloat(v any) (float64, bool) {
	switch v := v.(type) {
	case int:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}

func pyComplex(v any) (complex128, bool) {
	if c, ok := v.(complex128); ok {
		return c, true
	}
	f, ok := pyFloat(v)
	return complex(f, 0), ok
}

func pyArrayOperator(op string, x array, y any) any {
	f := map[string]func(x array, y any) array{
		"+": array.Add, "-": array.Sub, "*": array.Mul, "/": array.Div, "//": array.FloorDiv, "%": array.Mod, "**": array.Pow,
		"&": array.And, "|": array.Or, "^": array.Xor, "<<": array.Shl, ">>": array.Shr,
		"==": array.Eq, "!=": array.Ne, "<": array.Lt, "<=": array.Le, ">": array.Gt, ">=": array.Ge,
	}[op]
	if op == "@" {
		return x.MatMul(pyArray(y))
	}
	if f == nil {
		pyCannot("arrays %s", op)
	}
	return f(x, y)
}

// pyLeft applies an operator with a number on the left: by the generic function where there is
// one.
func pyLeft[T weft.Elem](op string, x T, y array) any {
	fs := map[string]func(T, array) array{
		"+": weft.Add[T, array], "-": weft.Sub[T, array], "*": weft.Mul[T, array], "/": weft.Div[T, array], "//": weft.FloorDiv[T, array],
		"%": weft.Mod[T, array], "**": weft.Pow[T, array], "==": weft.Eq[T, array], "!=": weft.Ne[T, array], "<": weft.Lt[T, array],
		"<=": weft.Le[T, array], ">": weft.Gt[T, array], ">=": weft.Ge[T, array],
	}
	if f := fs[op]; f != nil {
		return f(x, y)
	}
	return pyArrayOperator(op, weft.Scalar(x), y)
}
