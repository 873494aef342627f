package stablehlo

import (
	"math"
	"slices"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/jaxpr"
)

type operation = func(f *frame, o *op, in []core.Value) []core.Value

var shapeOps map[string]operation

func shapeTable() {
	shapeOps = map[string]operation{
		"stablehlo.constant":             constantOp,
		"chlo.constant":                  constantOp,
		"arith.constant":                 constantOp,
		"stablehlo.iota":                 iotaOp,
		"stablehlo.convert":              convertOp,
		"stablehlo.bitcast_convert":      bitcastOp,
		"stablehlo.broadcast_in_dim":     broadcastOp,
		"stablehlo.broadcast":            legacyBroadcastOp,
		"stablehlo.reshape":              reshapeOp,
		"stablehlo.transpose":            transposeOp,
		"stablehlo.reverse":              reverseOp,
		"stablehlo.concatenate":          concatenateOp,
		"stablehlo.slice":                sliceOp,
		"stablehlo.pad":                  padOp,
		"stablehlo.dynamic_slice":        dynamicSliceOp,
		"stablehlo.dynamic_update_slice": dynamicUpdateSliceOp,
		"stablehlo.compare":              compareOp,
		"stablehlo.reduce_precision":     reducePrecisionOp,
	}
}

// resultAval returns the declared type of the only result, whose shape must be known.
func (f *frame) resultAval(o *op) core.ShapedArray {
	t := f.oneResult(o)
	a, ok := t.Aval()
	if !ok {
		if t.Dynamic() {
			f.fail(core.ErrShape, "the shape of the result %v is not known; export with fixed shapes, or refine them with stablehlo-opt --stablehlo-refine-shapes", t)
		}
		f.fail(core.ErrDType, "%s", unsupportedType(t))
	}
	return a
}

func (f *frame) resultElem(o *op) core.DType {
	t := f.oneResult(o)
	if t.kind != kindTensor || t.elem == core.Invalid {
		f.fail(core.ErrDType, "%s", unsupportedType(t))
	}
	return t.elem
}

func iotaOp(f *frame, o *op, in []core.Value) []core.Value {
	key := "iota_dimension"
	if _, ok := f.attr(o, "dim"); ok {
		key = "dim"
	}
	a := f.resultAval(o)
	axis := f.int(o, key)
	v := counting(f, a, axis)
	if t, ok := v.(interface{ Var() *jaxpr.Var }); ok {
		f.iotas[t.Var()] = axis + 1
	}
	return []core.Value{v}
}

func counting(f *frame, a core.ShapedArray, axis int) core.Value {
	if a.DType.IsBool() {
		return prim.Convert(prim.Iota(core.Int32, a.Shape, axis), core.Bool, false)
	}
	return prim.Iota(a.DType, a.Shape, axis)
}

func convertOp(f *frame, o *op, in []core.Value) []core.Value {
	f.want(in, 1)
	return []core.Value{convert(in[0], f.resultElem(o))}
}

func convert(x core.Value, dt core.DType) core.Value { return prim.Convert(x, dt, false) }

// bitcastOp reinterprets bits as another type. It refuses this for booleans and complex numbers.
func bitcastOp(f *frame, o *op, in []core.Value) []core.Value {
	f.want(in, 1)
	x, from, to := in[0], in[0].Aval().DType, f.resultElem(o)
	if from != to && (from.IsBool() || to.IsBool() || from.IsComplex() || to.IsComplex()) {
		f.fail(core.ErrNoRule, "between %v and %v is not supported; convert booleans with stablehlo.convert, take complex numbers apart with stablehlo.real and stablehlo.imag", from, to)
	}
	return []core.Value{prim.BitcastConvert(x, to)}
}

func broadcastOp(f *frame, o *op, in []core.Value) []core.Value {
	f.want(in, 1)
	key := "broadcast_dimensions"
	if _, ok := f.attr(o, "dims"); ok {
		key = "dims"
	}
	return []core.Value{f.broadcast(in[0], f.resultAval(o).Shape, f.ints(o, key))}
}

// broadcast spreads x over a shape: axis i becomes axis axes[i], in any order.
func (f *frame) broadcast(x core.Value, shape core.Dims, axes []int) core.Value {
	a := x.Aval()
	if len(axes) != a.Rank() {
		f.invalid(core.ErrShape, "%s needs %d broadcast dimensions, got %d", typeText(a), a.Rank(), len(axes))
	}
	seen := map[int]bool{}
	for _, d := range axes {
		if d < 0 || d >= shape.Len() || seen[d] {
			f.invalid(core.ErrShape, "the broadcast dimensions %v must be distinct axes of the shape %v", axes, shape)
		}
		seen[d] = true
	}
	if !slices.IsSorted(axes) {
		perm := make([]int, len(axes))
		for i := range perm {
			perm[i] = i
		}
		slices.SortFunc(perm, func(i, j int) int { return axes[i] - axes[j] })
		x = prim.Transpose(x, dims(perm))
		axes = slices.Sorted(slices.Values(axes))
	}
	return prim.BroadcastInDim(x, shape, dims(axes))
}

// legacyBroadcastOp puts new axes in front.
func legacyBroadcastOp(f *frame, o *op, in []core.Value) []core.Value {
	f.want(in, 1)
	key := "broadcast_sizes"
	if _, ok := f.attr(o, "sizes"); ok {
		key = "sizes"
	}
	sizes := f.ints(o, key)
	s := in[0].Aval().Shape
	return []core.Value{prim.BroadcastInDim(in[0], s.Prepend(sizes...), core.Range(len(sizes), len(sizes)+s.Len()))}
}

func reshapeOp(f *frame, o *op, in []core.Value) []core.Value {
	f.want(in, 1)
	return []core.Value{prim.Reshape(in[0], f.resultAval(o).Shape)}
}

func transposeOp(f *frame, o *op, in []core.Value) []core.Value {
	f.want(in, 1)
	return []core.Value{prim.Transpose(in[0], dims(f.ints(o, f.either(o, "dims", "permutation"))))}
}

// either returns short if the operation has an attribute of this name, or else long.
func (f *frame) either(o *op, short, long string) string {
	if _, ok := o.attr(short); ok {
		return short
	}
	return long
}

func reverseOp(f *frame, o *op, in []core.Value) []core.Value {
	f.want(in, 1)
	axes := f.ints(o, f.either(o, "dims", "dimensions"))
	if len(axes) == 0 {
		return in
	}
	return []core.Value{prim.Rev(in[0], dims(axes))}
}

func concatenateOp(f *frame, o *op, in []core.Value) []core.Value {
	f.arrays(in)
	if len(in) == 0 {
		f.invalid(core.ErrCheck, "takes at least one operand")
	}
	return []core.Value{prim.Concatenate(f.int(o, f.either(o, "dim", "dimension")), in...)}
}

func sliceOp(f *frame, o *op, in []core.Value) []core.Value {
	f.want(in, 1)
	return []core.Value{prim.Slice(in[0], dims(f.ints(o, "start_indices")), dims(f.ints(o, "limit_indices")), dims(f.ints(o, "strides")))}
}

func padOp(f *frame, o *op, in []core.Value) []core.Value {
	f.want(in, 2)
	lo := f.ints(o, f.either(o, "low", "edge_padding_low"))
	hi := f.ints(o, f.either(o, "high", "edge_padding_high"))
	interior := f.ints(o, f.either(o, "interior", "interior_padding"))
	return []core.Value{f.pad(in[0], in[1], lo, hi, interior)}
}

func (f *frame) pad(x, v core.Value, lo, hi, interior []int) core.Value {
	n := x.Aval().Rank()
	if len(lo) != n || len(hi) != n || len(interior) != n {
		f.invalid(core.ErrShape, "%s needs %d entries of low, high and interior padding, got %d, %d, %d", typeText(x.Aval()), n, len(lo), len(hi), len(interior))
	}
	config := make([]int, 0, 3*n)
	for i := range n {
		config = append(config, lo[i], hi[i], interior[i])
	}
	return prim.Pad(x, v, dims(config))
}

func dynamicSliceOp(f *frame, o *op, in []core.Value) []core.Value {
	f.arrays(in)
	if len(in) == 0 {
		f.invalid(core.ErrCheck, "takes an operand and a start for each axis")
	}
	return []core.Value{indexed.DynamicSlice(in[0], in[1:], dims(f.ints(o, f.either(o, "sizes", "slice_sizes"))))}
}

func dynamicUpdateSliceOp(f *frame, o *op, in []core.Value) []core.Value {
	f.arrays(in)
	if len(in) < 2 {
		f.invalid(core.ErrCheck, "takes an operand, an update and a start for each axis")
	}
	return []core.Value{indexed.DynamicUpdateSlice(in[0], in[1], in[2:])}
}

// compareOp compares in the total order if the attribute asks for it, or else in the usual order of the element type.
func compareOp(f *frame, o *op, in []core.Value) []core.Value {
	f.want(in, 2)
	f.sameShapes(in)
	direction, kind := f.text(o, "comparison_direction"), f.text(o, "compare_type")
	if w := o.words(); len(w) > 0 {
		direction = w[0]
		if len(w) > 1 {
			kind = w[1]
		}
	}
	return []core.Value{f.compare(direction, kind == "TOTALORDER", in[0], in[1])}
}

func (f *frame) compare(direction string, total bool, x, y core.Value) core.Value {
	dt := x.Aval().DType
	if total && dt.IsFloat() {
		x, y = totalKey(x), totalKey(y)
	}
	if dt.IsComplex() && direction != "EQ" && direction != "NE" {
		return f.compareComplex(direction, x, y)
	}
	switch direction {
	case "EQ":
		return prim.Eq(x, y)
	case "NE":
		return prim.Ne(x, y)
	case "LT":
		return prim.Lt(x, y)
	case "LE":
		return prim.Le(x, y)
	case "GT":
		return prim.Gt(x, y)
	case "GE":
		return prim.Ge(x, y)
	}
	f.fail(core.ErrCheck, "there is no comparison %q; use EQ, NE, GE, GT, LE or LT", direction)
	return nil
}

// compareComplex compares real parts, and imaginary parts where those are equal.
func (f *frame) compareComplex(direction string, x, y core.Value) core.Value {
	strict := strings.Replace(direction, "E", "T", 1)
	re, im := prim.Real, prim.Imag
	return prim.Or(f.compare(strict, false, re(x), re(y)),
		prim.And(prim.Eq(re(x), re(y)), f.compare(direction, false, im(x), im(y))))
}

// totalKey maps floats to signed integers in the order of IEEE 754's totalOrder: to their bits, which are inverted for
// negative numbers, except for the sign.
func totalKey(x core.Value) core.Value {
	otherOrder := []core.DType{core.Float8E8M0FNU, core.Float8E4M3FNUZ, core.Float8E5M2FNUZ, core.Float8E4M3B11FNUZ} // of the bits
	if from := x.Aval().DType; from.Bits() < 8 || slices.Contains(otherOrder, from) {
		x = prim.Convert(x, core.Float32, false)
	}
	dt := intOfWidth(x.Aval().DType.Bits())
	b := prim.BitcastConvert(x, dt)
	a := b.Aval()
	rest := core.Lit(core.IntNumber(math.MaxInt64>>(64-dt.Bits())), dt)
	return prim.Where(prim.Lt(b, prim.Num(a, 0)), prim.Xor(b, prim.BroadcastInDim(rest, a.Shape, core.Dims{})), b)
}

func intOfWidth(bits int) core.DType {
	switch bits {
	case 8:
		return core.Int8
	case 16:
		return core.Int16
	case 32:
		return core.Int32
	}
	return core.Int64
}

// reducePrecisionOp rounds to fewer bits. Without mantissa bits, a NaN becomes infinite.
func reducePrecisionOp(f *frame, o *op, in []core.Value) []core.Value {
	f.want(in, 1)
	var exponent, mantissa int
	if w := f.text(o, "format"); w != "" { // e5m10
		e, m, ok := strings.Cut(strings.TrimPrefix(w, "e"), "m")
		var okE, okM bool
		exponent, okE = smallInt(e)
		mantissa, okM = smallInt(m)
		if !ok || !okE || !okM {
			f.fail(core.ErrCheck, "the format %q is not of the form e5m10; write how many bits the exponent and the mantissa have", w)
		}
	} else {
		exponent, mantissa = f.int(o, "exponent_bits"), f.int(o, "mantissa_bits")
	}
	x := in[0]
	y := prim.ReducePrecision(x, exponent, mantissa)
	if mantissa == 0 {
		a := x.Aval()
		y = prim.Where(prim.Ne(x, x), prim.Full(a, math.Inf(1)), y)
	}
	return []core.Value{y}
}

func smallInt(s string) (n int, ok bool) {
	if s == "" || len(s) > 4 {
		return 0, false
	}
	for _, c := range []byte(s) {
		if !isDigit(c) {
			return 0, false
		}
		n = 10*n + int(c-'0')
	}
	return n, true
}
