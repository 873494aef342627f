package stablehlo

import (
	"math"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
)

// sortOp sorts by keys where the comparator compares elements of the operands, else by
// the comparator as a program.
func sortOp(f *frame, o *op, in []core.Value) []core.Value {
	f.arrays(in)
	f.regionCount(o, 1)
	if len(in) == 0 {
		f.invalid(core.ErrCheck, "takes at least one operand")
	}
	f.sameShapes(in)
	rank := in[0].Aval().Rank()
	axis := f.intOr(o, "dimension", rank-1)
	if axis < 0 {
		axis += rank
	}
	if axis < 0 || axis >= rank {
		f.invalid(core.ErrShape, "axis %d is not an axis of %s", axis, typeText(in[0].Aval()))
	}
	stable := f.boolOr(o, "is_stable", false)
	if out := f.sortedByKey(o, in, axis, stable); out != nil {
		return out
	}
	var types []core.ShapedArray
	for _, x := range in {
		types = append(types, core.Aval(x.Aval().DType), core.Aval(x.Aval().DType))
	}
	j := f.program(o.regions[0], types, "comparator")
	if len(j.Outs) != 1 || j.Outs[0].Aval() != core.Aval(core.Bool) {
		f.fail(core.ErrCheck, "its comparator must return tensor<i1>; return one comparison, as stablehlo.compare LT")
	}
	return indexed.SortBy(axis, j, in...)
}

// sortedByKey sorts by the one operand that the comparator compares in an order of Weft's sort. It returns nil for other comparators.
func (f *frame) sortedByKey(o *op, in []core.Value, axis int, stable bool) []core.Value {
	sig := f.signature(o.regions[0])
	for k, x := range in {
		a, b := 2*k, 2*k+1
		dt := x.Aval().DType
		plain := strings.NewReplacer("A", string(appendInt(nil, a)), "B", string(appendInt(nil, b)))
		var key core.Value
		switch sig {
		case plain.Replace("compare LT A B;return ") + string(appendInt(nil, 2*len(in))):
			if dt.IsInteger() || dt.IsBool() {
				key = x
			}
		case plain.Replace("compare GT A B;return ") + string(appendInt(nil, 2*len(in))):
			if dt.IsInteger() || dt.IsBool() {
				key = prim.Not(x) // whose order is the reverse
			}
		case plain.Replace("compare LT TOTALORDER A B;return ") + string(appendInt(nil, 2*len(in))):
			if dt.IsFloat() {
				key = totalKey(x)
			}
		case plain.Replace("compare GT TOTALORDER A B;return ") + string(appendInt(nil, 2*len(in))):
			if dt.IsFloat() {
				key = prim.Not(totalKey(x))
			}
		}
		if key == nil {
			if k == 0 && f.isFloatOrder(o.regions[0], dt, len(in)) {
				return indexed.Sort(axis, 1, stable, in...)
			}
			continue
		}
		if key == x && k == 0 {
			return indexed.Sort(axis, 1, stable, in...)
		}
		return indexed.Sort(axis, 1, stable, append([]core.Value{key}, in...)...)[1:]
	}
	return nil
}

// isFloatOrder reports whether a comparator is JAX's order of floats, which weft's sort has, too:
// zeros and NaNs are made equal, then compared in the total order.
func (f *frame) isFloatOrder(r *region, dt core.DType, operands int) bool {
	if !dt.IsFloat() {
		return false
	}
	sig := f.signature(r)
	n := 2 * operands
	v := func(k int) string { return string(appendInt(nil, n+k)) }
	zero, nan := constantText(dt, 0), constantText(dt, math.NaN())
	lines := []string{
		"compare EQ 0 " + zero, "select " + v(0) + " " + zero + " 0",
		"compare NE 0 0", "select " + v(2) + " " + nan + " " + v(1),
		"compare EQ 1 " + zero, "select " + v(4) + " " + zero + " 1",
		"compare NE 1 1", "select " + v(6) + " " + nan + " " + v(5),
		"compare LT TOTALORDER " + v(3) + " " + v(7), "return " + v(8),
	}
	return sig == strings.Join(lines, ";")
}
