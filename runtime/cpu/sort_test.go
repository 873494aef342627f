//go:build linux

package cpu_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/runtime"
)

var sortedTypes = []core.DType{core.Float32, core.Float32, core.Float64, core.Float16, core.BFloat16, core.Float8E4M3FN, core.Float8E5M2, core.Complex64,
	core.Complex128, core.Int4, core.Int8, core.Int16, core.Int32, core.Int64, core.Uint4, core.Uint8, core.Uint16, core.Uint32, core.Uint64, core.Bool}

// drawEqual fills an array with few different elements, among them zeros of both signs,
// infinities and NaNs of several payloads.
func drawEqual(r *rand.Rand, a *runtime.Array) {
	t := a.Aval()
	data, size := a.Tensor().Data, t.DType.Size()
	special := []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1), 1e-40, -1e-40, 1, -1}
	for i := range t.Size() {
		at := data[i*size:][:size]
		switch x := special[r.IntN(len(special))]; {
		case t.DType.IsComplex():
			elem.Put(at, core.ComplexNumber(complex(x, special[r.IntN(len(special))])), t.DType)
		case t.DType.IsFloat():
			elem.Put(at, core.FloatNumber(x), t.DType)
			if x != x && r.IntN(2) == 0 && size > 1 { // another NaN
				at[0], at[size-1] = byte(r.IntN(256)), at[size-1]|0x80
			}
		default:
			elem.Put(at, core.IntNumber(int64(r.IntN(5)-2)&1), t.DType)
		}
	}
}

// Sorts have the reference's bits: every type, any axis, short and long rows, several keys
// and operands, elements whose keys are equal; operands at guard pages.
func TestSortFuzz(t *testing.T) {
	o := newOperation(t, 7, 4)
	r := o.r
	for range rounds(1500) {
		rank := 1 + r.IntN(3)
		sizes := make([]int, rank)
		for i := range sizes {
			sizes[i] = 1 + r.IntN(6)
		}
		dim := r.IntN(rank)
		sizes[dim] = 1 + r.IntN([]int{4, 40, 80, 700}[r.IntN(4)])
		if r.IntN(100) == 0 {
			sizes[dim] = 6000 + r.IntN(3000)
		}
		equal := r.IntN(2) == 0
		o.draw = func(_ int, a *runtime.Array) {
			if equal {
				drawEqual(r, a)
			}
		}
		dt := sortedTypes[r.IntN(len(sortedTypes))]
		if r.IntN(4) == 0 && !dt.IsComplex() {
			o.check(indexed.TopKP{Axis: dim, K: 1 + r.IntN(sizes[dim])}, core.Aval(dt, sizes...))
			continue
		}
		in := []core.ShapedArray{core.Aval(dt, sizes...)}
		for range r.IntN(3) {
			in = append(in, core.Aval(sortedTypes[r.IntN(len(sortedTypes))], sizes...))
		}
		o.check(indexed.SortP{Dimension: dim, NumKeys: 1 + r.IntN(len(in)), Stable: r.IntN(2) == 0}, in...)
	}
}

// Rows of a million elements, and the greatest of many.
func TestSortLarge(t *testing.T) {
	race.Values(t)
	o := newOperation(t, 8, 2)
	n := 1_000_000
	o.check(indexed.SortP{NumKeys: 1}, core.Aval(core.Float32, n))
	o.check(indexed.SortP{NumKeys: 1}, core.Aval(core.Float32, n/2), core.Aval(core.Int32, n/2))
	o.check(indexed.SortP{NumKeys: 2}, core.Aval(core.Bool, n/4), core.Aval(core.Float64, n/4))
	o.draw = func(_ int, a *runtime.Array) { drawEqual(o.r, a) }
	o.check(indexed.SortP{NumKeys: 1}, core.Aval(core.Float64, n/2))
	o.check(indexed.TopKP{K: 50}, core.Aval(core.Float32, n))
	o.check(indexed.TopKP{Axis: 1, K: 3}, core.Aval(core.Int32, 3, 5000))
}

// Rows that several threads sort together: every type, alone and with a permutation, greatest
// elements, elements whose keys are equal.
func TestSortTogether(t *testing.T) {
	o := newOperation(t, 14, 3)
	for i, dt := range sortedTypes[:race.Few(len(sortedTypes))] {
		n := 1<<16 + o.r.IntN(5000)
		o.draw = nil
		if i%2 == 0 {
			o.draw = func(_ int, a *runtime.Array) { drawEqual(o.r, a) }
		}
		for range race.Few(2) {
			o.check(indexed.SortP{NumKeys: 1}, core.Aval(dt, n))
			o.check(indexed.SortP{NumKeys: 2}, core.Aval(dt, n), core.Aval(sortedTypes[o.r.IntN(len(sortedTypes))], n))
		}
		if !dt.IsComplex() {
			o.check(indexed.TopKP{K: n / 2}, core.Aval(dt, n))
		}
	}
}
