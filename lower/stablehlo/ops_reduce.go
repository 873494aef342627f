package stablehlo

import (
	"math"
	"slices"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/windows"
	"github.com/weft-go/weft/jaxpr"
)

var reduceOps map[string]operation

func reduceTable() {
	reduceOps = map[string]operation{
		"stablehlo.reduce":             reduceOp,
		"stablehlo.reduce_window":      reduceWindowOp,
		"stablehlo.select_and_scatter": selectAndScatterOp,
		"stablehlo.sort":               sortOp,
	}
}

// arraysAndInits splits the operands of a reduction, converted to the element types of
// its results.
func (f *frame) arraysAndInits(o *op, in []core.Value) (xs, inits []core.Value) {
	f.arrays(in)
	k := len(in) / 2
	if k == 0 || len(in) != 2*k || len(o.types) != k {
		f.invalid(core.ErrCheck, "takes as many arrays as initial values and results, got %s and %s", core.Count(len(in), "operand"), core.Count(len(o.types), "result"))
	}
	f.regionCount(o, 1)
	xs, inits = make([]core.Value, k), make([]core.Value, k)
	for i, t := range o.types {
		if t.kind != kindTensor || t.elem == core.Invalid {
			f.fail(core.ErrDType, "%s", unsupportedType(t))
		}
		xs[i], inits[i] = convert(in[i], t.elem), convert(in[k+i], t.elem)
		if s := inits[i].Aval(); s.Rank() != 0 {
			f.fail(core.ErrShape, "initial value %d must be a scalar, got %s; reshape it to one element", i, typeText(s))
		}
	}
	f.sameShapes(xs)
	return xs, inits
}

// combiner returns the closed program of a region that combines two lists of scalars, of the types of xs.
func (f *frame) combiner(r *region, xs []core.Value) *jaxpr.Jaxpr {
	var in []core.ShapedArray
	for range 2 {
		for _, x := range xs {
			in = append(in, core.Aval(x.Aval().DType))
		}
	}
	j := f.program(r, in, "body")
	for i, a := range j.Outs {
		if i >= len(xs) || a.Aval().Rank() != 0 || a.Aval().DType != xs[i].Aval().DType {
			f.invalid(core.ErrCheck, "result %d of its body is %s, want a scalar of its result's type", i, typeText(a.Aval()))
		}
	}
	if len(j.Outs) != len(xs) {
		f.fail(core.ErrCheck, "its body returns %s, want %d; return one for each array", core.Count(len(j.Outs), "value"), len(xs))
	}
	return j
}

// reduceOp combines elements along axes. StableHLO leaves the order free: sums and similar reductions become Weft's, in
// its order; other bodies, whose results may depend on the order, combine in row-major order.
func reduceOp(f *frame, o *op, in []core.Value) []core.Value {
	xs, inits := f.arraysAndInits(o, in)
	shape := xs[0].Aval().Shape
	axes := f.axes(f.ints(o, "dimensions"), shape.Len())
	kept := shape.Remove(axes.Ints()...)
	for _, a := range axes.All() {
		if shape.At(a) == 0 {
			out := make([]core.Value, len(xs))
			for i, v := range inits {
				out[i] = prim.BroadcastInDim(v, kept, core.Dims{})
			}
			return out
		}
	}
	if order, ok := f.attr(o, "weft_order"); ok { // a reduction by a program that Write wrote
		n, _ := order.(intAttr)
		p := prim.ReduceP{Axes: axes, Program: f.combiner(o.regions[0], xs), Fn: "body", Order: prim.Order(min(max(n.val, 0), 2))}
		return core.Bind(p, slices.Concat(xs, inits)...)
	}
	if len(xs) == 1 {
		if y := reduced(f.combination(o.regions[0]), xs[0], inits[0], axes); y != nil {
			return []core.Value{y}
		}
	}
	if y := f.argReduced(o, xs, inits, axes); y != nil {
		return y
	}
	j := f.combiner(o.regions[0], xs)
	if len(xs) == 1 {
		return prim.Reduce(xs, inits, axes, "body", j)
	}
	window := make([]int, shape.Len())
	for i := range window {
		window[i] = 1
	}
	for _, a := range axes.All() {
		window[a] = shape.At(a)
	}
	ones, none := make([]int, len(window)), make([]int, 2*len(window))
	for i := range ones {
		ones[i] = 1
	}
	out := windows.ReduceWindow(xs, inits, windows.SimpleWindow(dims(window), dims(ones), dims(none)), j)
	for i, y := range out {
		out[i] = prim.Reshape(y, kept)
	}
	return out
}

// axes returns a list of axes in order. It refuses a list that does not name axes of an array of the rank, each once.
func (f *frame) axes(list []int, rank int) core.Dims {
	seen := map[int]bool{}
	for _, a := range list {
		if a < 0 || a >= rank || seen[a] {
			f.invalid(core.ErrShape, "the dimensions %v must be distinct axes of an array of rank %d", list, rank)
		}
		seen[a] = true
	}
	sorted := make([]int, 0, len(list))
	for a := range rank {
		if seen[a] {
			sorted = append(sorted, a)
		}
	}
	return dims(sorted)
}

// reduced returns a reduction by the operation called name, nil if weft has no such reduction. An
// initial value that changes something is combined with the result.
func reduced(name string, x, init core.Value, axes core.Dims) core.Value {
	dt := x.Aval().DType
	if axes.Len() == 0 && name != "second" && name != "subtract" && name != "" {
		return combined(name, init, x)
	}
	var y core.Value
	switch {
	case name == "add" && dt.IsBool(), name == "maximum" && dt.IsBool(), name == "or":
		name, y = "or", prim.ReduceOr(x, axes)
	case name == "multiply" && dt.IsBool(), name == "minimum" && dt.IsBool(), name == "and":
		name, y = "and", prim.ReduceAnd(x, axes)
	case name == "xor":
		y = prim.ReduceXor(x, axes)
	case name == "add":
		y = prim.ReduceSum(x, axes)
	case name == "multiply":
		y = prim.ReduceProd(x, axes)
	case name == "maximum":
		y = prim.ReduceMax(x, axes)
	case name == "minimum":
		y = prim.ReduceMin(x, axes)
	default:
		return nil
	}
	if isNeutral(name, init) {
		return y
	}
	return combined(name, init, y)
}

// combined returns the operation called name on x, a scalar or array, and y; nil for other names.
func combined(name string, x, y core.Value) core.Value {
	switch name {
	case "add":
		return add(x, y)
	case "multiply":
		return multiply(x, y)
	case "maximum":
		return prim.Max(x, y)
	case "minimum":
		return prim.Min(x, y)
	case "and":
		return prim.And(x, y)
	case "or":
		return prim.Or(x, y)
	case "xor":
		return prim.Xor(x, y)
	}
	return nil
}

// isNeutral reports whether v is a literal that is a neutral element of an operation.
func isNeutral(name string, v core.Value) bool {
	l, ok := v.(core.Literal)
	if !ok {
		return false
	}
	n, dt := l.Num, l.Type
	switch name {
	case "add", "or", "xor":
		return n.Complex() == 0 && (dt.IsInexact() || !n.Bool())
	case "multiply":
		return n.Complex() == 1
	case "and":
		if dt.IsBool() {
			return n.Bool()
		}
		return n.Uint64()&(math.MaxUint64>>(64-dt.Bits())) == math.MaxUint64>>(64-dt.Bits())
	case "maximum":
		switch {
		case dt.IsFloat() && !dt.IsMinorFloat():
			return math.IsInf(n.Float(), -1)
		case dt.IsSigned():
			return n.Int64() == math.MinInt64>>(64-dt.Bits())
		case dt.IsUnsigned(), dt.IsBool():
			return !n.Bool()
		}
	case "minimum":
		switch {
		case dt.IsFloat() && !dt.IsMinorFloat():
			return math.IsInf(n.Float(), 1)
		case dt.IsSigned():
			return n.Int64() == math.MaxInt64>>(64-dt.Bits())
		case dt.IsUnsigned():
			return n.Uint64() == math.MaxUint64>>(64-dt.Bits())
		case dt.IsBool():
			return n.Bool()
		}
	}
	return false
}

// The bodies of JAX's argmax and argmin. In argBody a NaN wins. In argBodyInt a NaN loses, so that
// it is recognized for types without NaN only. Among equal elements the one with the lowest index
// wins.
const (
	argBody    = "compare %[1]s 0 2;compare NE 0 0;or 4 5;compare EQ 0 2;compare LT 1 3;and 7 8;or 6 9;select 6 0 2;select 10 1 3;return 11 12"
	argBodyInt = "compare %[1]s 0 2;compare EQ 0 2;compare LT 1 3;and 5 6;or 4 7;select 4 0 2;select 8 1 3;return 9 10"
)

// argReduced returns an argmax or argmin for a reduction, along one axis, of elements together with their indices. It
// returns nil for other reductions, and if the extreme element itself is used: among zeros of both signs, which one is
// returned depends on the order.
func (f *frame) argReduced(o *op, xs, inits []core.Value, axes core.Dims) []core.Value {
	if len(xs) != 2 || axes.Len() != 1 || f.fn.isUsed(o.result) || !xs[1].Aval().DType.IsInteger() {
		return nil
	}
	sig := f.signature(o.regions[0])
	is := func(direction string) bool {
		return sig == strings.ReplaceAll(argBody, "%[1]s", direction) || sig == strings.ReplaceAll(argBodyInt, "%[1]s", direction) && !xs[0].Aval().DType.IsFloat()
	}
	greater, less := is("GT"), is("LT")
	axis, dt := axes.At(0), xs[1].Aval().DType
	if !greater && !less || !isNeutral(map[bool]string{true: "maximum", false: "minimum"}[greater], inits[0]) || !isNeutral("add", inits[1]) ||
		!f.isIota(axis, xs[1]) || !core.IntNumber(int64(xs[1].Aval().Shape.At(axis)-1)).Fits(dt) { // where indices wrap, a later one is less
		return nil
	}
	value := prim.BroadcastInDim(inits[0], xs[0].Aval().Shape.Remove(axis), core.Dims{}) // nothing reads it
	if greater {
		return []core.Value{value, prim.Argmax(xs[0], axis, dt)}
	}
	return []core.Value{value, prim.Argmin(xs[0], axis, dt)}
}

func (f *frame) isIota(axis int, v core.Value) bool {
	t, ok := v.(interface{ Var() *jaxpr.Var })
	if !ok {
		return false
	}
	return f.iotas[t.Var()] == axis+1
}
