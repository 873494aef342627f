package prim_test

import (
	"math"
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
)

// What the naive evaluator needs for gather, scatter, sort and arithmetic.

func plus(a, b []int) []int {
	c := slices.Clone(a)
	for i := range c {
		c[i] += b[i]
	}
	return c
}

func clampedStarts(x *array, starts []*array, sizes core.Dims) []int {
	s := make([]int, len(starts))
	for i, v := range starts {
		s[i] = min(max(index(v.e[0]), 0), x.Shape.At(i)-sizes.At(i))
	}
	return s
}

// index converts an element of an index array; numbers that do not fit an int become a large one.
func index(n core.Number) int {
	if n.Kind() == core.KindUint && n.Uint64() > math.MaxInt32 {
		return math.MaxInt32
	}
	return int(n.Int64())
}

// window returns where the window that an index vector names starts, and whether it lies inside of
// the array, after it was moved if mode says so. j is the position of the index vector.
func window(x, idx *array, j []int, mapped, operandBatch, indexBatch, sizes core.Dims, mode indexed.IndexMode, write bool) (start []int, inside bool) {
	start, inside = make([]int, x.Rank()), true
	for k, d := range mapped.All() {
		start[d] = index(idx.at(append(slices.Clone(j), k)...))
	}
	for k, d := range operandBatch.All() {
		start[d] = j[indexBatch.At(k)]
	}
	for d := range start {
		room := x.Shape.At(d) - sizes.At(d)
		if start[d] < 0 || start[d] > room {
			if mode == indexed.FillOrDrop || mode == indexed.PromiseInBounds && write {
				inside = false
			}
			start[d] = min(max(start[d], 0), room)
		}
	}
	return start, inside
}

func naiveGather(p indexed.GatherP, x []*array, y *array) {
	dropped := append(p.CollapsedSliceDims.Ints(), p.OperandBatchingDims.Ints()...)
	kept := core.Range(0, x[0].Rank()).Remove(dropped...)
	fill := wrap(y.DType, p.FillFor(y.DType))
	y.fill(func(j []int) core.Number {
		place := core.MakeDims(j...).Remove(p.OffsetDims.Ints()...).Ints()
		start, inside := window(x[0], x[1], place, p.StartIndexMap, p.OperandBatchingDims, p.StartIndicesBatchingDims, p.SliceSizes, p.Mode, false)
		if !inside {
			return fill
		}
		for k, d := range p.OffsetDims.All() {
			start[kept.At(k)] += j[d]
		}
		return x[0].at(start...)
	})
}

func naiveScatter(s indexed.Scattering, x []*array, y *array, f func(old, u core.Number) core.Number) {
	copy(y.e, x[0].e)
	dropped := append(s.InsertedWindowDims.Ints(), s.OperandBatchingDims.Ints()...)
	kept := core.Range(0, x[0].Rank()).Remove(dropped...)
	sizes := x[0].Shape.Map(func(int) int { return 1 }).Ints()
	for k, d := range s.UpdateWindowDims.All() {
		sizes[kept.At(k)] = x[2].Shape.At(d)
	}
	for i, j := range places(x[2].Shape) {
		place := core.MakeDims(j...).Remove(s.UpdateWindowDims.Ints()...).Ints()
		start, inside := window(x[0], x[1], place, s.ScatterDimsToOperandDims, s.OperandBatchingDims, s.ScatterIndicesBatchingDims, core.MakeDims(sizes...), s.Mode, true)
		if !inside {
			continue
		}
		for k, d := range s.UpdateWindowDims.All() {
			start[kept.At(k)] += j[d]
		}
		at := offset(y.Shape, start)
		y.e[at] = f(y.e[at], x[2].e[i])
	}
}

// before compares two numbers in the order of sort.
func before(a, b core.Number) int {
	order := func(a, b float64) int {
		switch {
		case a != a || b != b:
			return btoi(a != a) - btoi(b != b)
		case a < b:
			return -1
		}
		return btoi(a > b)
	}
	switch a.Kind() {
	case core.KindInt:
		return btoi(a.Int64() > b.Int64()) - btoi(a.Int64() < b.Int64())
	case core.KindUint:
		return btoi(a.Uint64() > b.Uint64()) - btoi(a.Uint64() < b.Uint64())
	case core.KindComplex:
		if c := order(a.Float(), b.Float()); c != 0 {
			return c
		}
		return order(imag(a.Complex()), imag(b.Complex()))
	}
	return order(a.Float(), b.Float())
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// rows ranges over the positions of each row of a shape along an axis.
func rows(shape core.Dims, axis int, f func(row []int)) {
	for _, j := range places(shape.Remove(axis)) {
		row := make([]int, shape.At(axis))
		for i := range row {
			row[i] = offset(shape, slices.Insert(slices.Clone(j), axis, i))
		}
		f(row)
	}
}

func naiveSort(axis, keys int, x, out []*array) {
	rows(x[0].Shape, axis, func(row []int) {
		sorted := slices.Clone(row)
		slices.SortStableFunc(sorted, func(a, b int) int {
			for _, k := range x[:keys] {
				if c := before(k.e[a], k.e[b]); c != 0 {
					return c
				}
			}
			return 0
		})
		for i, y := range out {
			for r, at := range row {
				y.e[at] = x[i].e[sorted[r]]
			}
		}
	})
}

func naiveTopK(p indexed.TopKP, x *array, out []*array) {
	var values, indices []core.Number
	rows(x.Shape, p.Axis, func(row []int) {
		best := make([]int, len(row))
		for i := range best {
			best[i] = i
		}
		slices.SortStableFunc(best, func(a, b int) int {
			u, v := x.e[row[a]], x.e[row[b]]
			if c := before(v, u); c != 0 {
				return c
			}
			return btoi(math.Signbit(u.Float())) - btoi(math.Signbit(v.Float())) // −0 < +0
		})
		for _, b := range best[:p.K] {
			values = append(values, x.e[row[b]])
			indices = append(indices, core.IntNumber(int64(b)))
		}
	})
	n := 0
	rows(out[0].Shape, p.Axis, func(row []int) {
		for _, at := range row {
			out[0].e[at], out[1].e[at] = values[n], indices[n]
			n++
		}
	})
}

// onNumbers returns an elementwise operation on two numbers of dt.
func onNumbers(dt core.DType, p core.Primitive) func(a, b core.Number) core.Number {
	return func(a, b core.Number) core.Number {
		switch p.(type) {
		case prim.EqP:
			return core.BoolNumber(a.Complex() == b.Complex())
		case prim.NeP:
			return core.BoolNumber(a.Complex() != b.Complex())
		case prim.MinP, prim.MaxP:
			_, least := p.(prim.MinP)
			if a.Float() != a.Float() || before(a, b) == 0 || b.Float() == b.Float() && (before(a, b) < 0) == least {
				return a
			}
			return b
		}
		switch {
		case dt.IsInteger() || dt.IsBool():
			u, v := a.Uint64(), b.Uint64()
			return wrap(dt, core.UintNumber(integerOp(p, u, v)))
		case dt.IsComplex():
			return core.ComplexNumber(complexOp(p, a.Complex(), b.Complex()))
		}
		return core.FloatNumber(floatOp(p, a.Float(), b.Float()))
	}
}

func integerOp(p core.Primitive, u, v uint64) uint64 {
	switch p.(type) {
	case prim.AddP:
		return u + v
	case prim.SubP:
		return u - v
	case prim.MulP:
		return u * v
	case prim.XorP:
		return u ^ v
	case prim.OrP:
		return u | v
	case prim.ShiftLeftP:
		return u << v
	case prim.ShiftRightLogicalP:
		return u >> v
	}
	panic("naive: no " + p.Name() + " of integers")
}

func floatOp(p core.Primitive, u, v float64) float64 {
	switch p.(type) {
	case prim.AddP, prim.AddAnyP:
		return u + v
	case prim.SubP:
		return u - v
	case prim.MulP:
		return u * v
	case prim.DivP:
		return u / v
	}
	panic("naive: no " + p.Name() + " of floats")
}

func complexOp(p core.Primitive, u, v complex128) complex128 {
	switch p.(type) {
	case prim.AddP, prim.AddAnyP:
		return u + v
	case prim.SubP:
		return u - v
	case prim.MulP:
		return u * v
	case prim.DivP:
		return u / v
	}
	panic("naive: no " + p.Name() + " of complex numbers")
}
