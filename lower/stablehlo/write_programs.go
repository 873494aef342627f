package stablehlo

import (
	"fmt"
	"math"
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/jaxpr"
)

func (b *block) body(j *jaxpr.Jaxpr) string {
	return b.region(j.InAvals(), func(b *block, in []operand) []operand { return b.inline(j, in) })
}

// sort writes a sort whose comparator compares the first p.NumKeys operands in turn, floats in the order of Weft's sort.
func (b *block) sort(p indexed.SortP, in []operand, out []core.ShapedArray) []operand {
	var types []core.ShapedArray
	for _, x := range in {
		types = append(types, core.Aval(x.aval.DType), core.Aval(x.aval.DType))
	}
	boolean := core.Aval(core.Bool)
	body := b.region(types, func(b *block, in []operand) []operand {
		var less operand
		for k := p.NumKeys - 1; k >= 0; k-- {
			x, y := in[2*k], in[2*k+1]
			lt, eq := b.keyOrder(x, y)
			if less.name == "" {
				less = lt
				continue
			}
			less = b.op("stablehlo.or", boolean, lt, b.op("stablehlo.and", boolean, eq(), less))
		}
		return []operand{less}
	})
	return b.generic("stablehlo.sort", fmt.Sprintf("dimension = %d : i64, is_stable = true", p.Dimension), out, []string{body}, in...)
}

// keyOrder compares two keys: whether the first is less, and whether they are equal.
func (b *block) keyOrder(x, y operand) (less operand, equal func() operand) {
	dt, boolean := x.aval.DType, core.Aval(core.Bool)
	switch {
	case dt.IsComplex():
		part := core.Aval(map[core.DType]core.DType{core.Complex64: core.Float32, core.Complex128: core.Float64}[dt])
		xr, yr := b.op("stablehlo.real", part, x), b.op("stablehlo.real", part, y)
		xi, yi := b.op("stablehlo.imag", part, x), b.op("stablehlo.imag", part, y)
		lr, er := b.keyOrder(xr, yr)
		li, ei := b.keyOrder(xi, yi)
		same := er()
		return b.op("stablehlo.or", boolean, lr, b.op("stablehlo.and", boolean, same, li)), func() operand {
			return b.op("stablehlo.and", boolean, same, ei())
		}
	case dt.IsFloat() && !dt.IsMinorFloat():
		x, y = b.canonicalKey(x), b.canonicalKey(y)
		return b.compare("LT", true, boolean, []operand{x, y}), func() operand { return b.compare("EQ", true, boolean, []operand{x, y}) }
	}
	return b.compare("LT", false, boolean, []operand{x, y}), func() operand { return b.compare("EQ", false, boolean, []operand{x, y}) }
}

// canonicalKey makes all zeros of a float equal, and all NaNs.
func (b *block) canonicalKey(x operand) operand {
	a, boolean := x.aval, core.Aval(core.Bool)
	zero := b.number(0, a.DType)
	isZero := b.compare("EQ", false, boolean, []operand{x, zero})
	y := b.op("stablehlo.select", a, isZero, zero, x)
	isNaN := b.compare("NE", false, boolean, []operand{x, x})
	return b.op("stablehlo.select", a, isNaN, b.number(math.NaN(), a.DType), y)
}

var combinerNames = map[indexed.Combiner]string{
	indexed.CombineAdd: "add", indexed.CombineSub: "subtract", indexed.CombineMul: "multiply", indexed.CombineMin: "minimum", indexed.CombineMax: "maximum",
}

// scatters writes scatters. If a scatter clamps, its indices are clamped first.
func (b *block) scatters(p core.Primitive, in []operand, out []core.ShapedArray) []operand {
	dt := core.Invalid
	if len(in) > 0 {
		dt = in[0].aval.DType
	}
	var s indexed.Scattering
	var body string
	second := func() string {
		a := core.Aval(dt)
		return b.region([]core.ShapedArray{a, a}, func(b *block, in []operand) []operand { return in[1:] })
	}
	switch p := p.(type) {
	case indexed.ScatterP:
		s = p.Scattering
		if p.Combine == indexed.CombineSet {
			body = second()
		} else {
			body = b.applies(combinerNames[p.Combine], dt)
		}
	case indexed.ScatterWithP:
		s, body = p.Scattering, b.body(p.Program)
	case indexed.ScatterApplyP:
		s, body = p.Scattering, b.body(p.F)
	default:
		return nil
	}
	k := len(in) / 2
	if s.Mode == indexed.Clip {
		in = append([]operand(nil), in...)
		in[k] = b.clamped(s, in[0].aval, in[k], in[k+1].aval)
	}
	attrs := fmt.Sprintf("scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = %s, inserted_window_dims = %s, input_batching_dims = %s, scatter_indices_batching_dims = %s, scatter_dims_to_operand_dims = %s, index_vector_dim = %d>, indices_are_sorted = %t, unique_indices = %t",
		listText(s.UpdateWindowDims), listText(s.InsertedWindowDims), listText(s.OperandBatchingDims), listText(s.ScatterIndicesBatchingDims),
		listText(s.ScatterDimsToOperandDims), in[k].aval.Rank()-1, s.Sorted, s.Unique)
	return b.generic("stablehlo.scatter", attrs, out, []string{body}, in...)
}

// clamped moves the starts of windows to where the windows lie inside the array.
func (b *block) clamped(s indexed.Scattering, x core.ShapedArray, idx operand, u core.ShapedArray) operand {
	n := idx.aval.Rank()
	dt := idx.aval.DType
	if dt.Bits() < 32 {
		dt = core.Int32
		idx = b.op("stablehlo.convert", idx.aval.WithDType(dt), idx)
	}
	count := s.ScatterDimsToOperandDims.Len()
	if count == 0 {
		return idx
	}
	data := make([]byte, count*dt.Size())
	for k, axis := range s.ScatterDimsToOperandDims.All() {
		size, window := 1, 0
		for i := range x.Rank() {
			single := s.InsertedWindowDims.Has(i) || s.OperandBatchingDims.Has(i)
			if i == axis && !single {
				size = u.Shape.At(s.UpdateWindowDims.At(window))
			}
			if !single {
				window++
			}
		}
		putNumber(data[k*dt.Size():], core.Lit(core.IntNumber(int64(x.Shape.At(axis)-size)), dt))
	}
	limits := operand{b.fresh(), core.Aval(dt, count)}
	b.line("%s = stablehlo.constant dense<%s> : %s", limits.name, denseText(data, limits.aval), limits.typ())
	hi := b.broadcast(limits, idx.aval.Shape, dims([]int{n - 1}))
	lo := b.widen(b.number(0, dt), idx.aval.Shape)
	return b.op("stablehlo.clamp", idx.aval, lo, idx, hi)
}

// programs writes operations that hold programs; nil if p is another operation.
func (b *block) programs(p core.Primitive, in []operand, out []core.ShapedArray) []operand {
	switch p := p.(type) {
	case *jaxpr.Jit:
		return b.call(p.Fn, p.Jaxpr, in)
	case *jaxpr.CoreCall:
		return b.call(p.Fn, p.Jaxpr, in)
	case *jaxpr.Remat:
		return b.call("remat", p.Jaxpr, in)
	case *jaxpr.CustomJVP:
		return b.call(p.Fn, p.Jaxpr, in)
	case *jaxpr.CustomVJP:
		return b.call(p.Fn, p.Jaxpr, in)
	case *jaxpr.CustomVmap:
		return b.call("custom_vmap", p.Jaxpr, in)
	case *jaxpr.LinearSolve:
		first := p.MatvecConsts + p.VecmatConsts
		sides := in[first+p.SolveConsts+p.TransposeSolveConsts:]
		return b.call("linear_solve", p.Solve, slices.Concat(in[first:first+p.SolveConsts], sides))
	case *jaxpr.Cond:
		num := func(n int) operand { return b.number(float64(n), core.Int32) }
		index := b.op("stablehlo.clamp", core.Aval(core.Int32), num(0), in[0], num(len(p.Branches)-1))
		var regions []string
		for _, j := range p.Branches {
			regions = append(regions, b.region(nil, func(b *block, _ []operand) []operand { return b.inline(j, in[1:]) }))
		}
		if len(out) == 0 {
			return []operand{}
		}
		return b.generic("stablehlo.case", "", out, regions, index)
	case *jaxpr.While:
		return b.while(p, in, out)
	case *jaxpr.Scan:
		return b.scan(p, in, out)
	}
	return nil
}

func avalsOf(in []operand) []core.ShapedArray {
	out := make([]core.ShapedArray, len(in))
	for i, x := range in {
		out[i] = x.aval.Strong()
	}
	return out
}

func join(parts ...[]operand) (all []operand) {
	for _, p := range parts {
		all = append(all, p...)
	}
	return all
}

// while writes a loop. If its condition is an array, with a boolean for each lane of a batch, the loop goes on while one
// of them is true, and lanes that have ended keep their carry.
func (b *block) while(p *jaxpr.While, in []operand, out []core.ShapedArray) []operand {
	cc, bc, carry := in[:p.CondConsts], in[p.CondConsts:p.CondConsts+p.BodyConsts], in[p.CondConsts+p.BodyConsts:]
	if len(carry) == 0 {
		core.Failf(core.ErrNoRule, "a loop without a carry cannot be written; carry a value")
	}
	types := avalsOf(carry)
	lanes := p.Cond.Outs[0].Aval()
	holds := func(b *block, c []operand) operand { return b.inline(p.Cond, join(cc, c))[0] }
	cond := b.region(types, func(b *block, c []operand) []operand {
		x := holds(b, c)
		if lanes.Rank() > 0 {
			x = b.generic("stablehlo.reduce", "dimensions = "+i64s(core.Range(0, lanes.Rank())), []core.ShapedArray{core.Aval(core.Bool)},
				[]string{b.applies("or", core.Bool)}, x, b.number(0, core.Bool))[0]
		}
		return []operand{x}
	})
	body := b.region(types, func(b *block, c []operand) []operand {
		next := b.inline(p.Body, join(bc, c))
		if lanes.Rank() > 0 {
			x := holds(b, c)
			for i, y := range next {
				next[i] = b.choose(x, y, c[i])
			}
		}
		return next
	})
	return b.generic("stablehlo.while", "", out, []string{cond, body}, carry...)
}

// scan writes a loop with a counter, which reads a slice of each array and writes a slice of each result.
func (b *block) scan(p *jaxpr.Scan, in []operand, out []core.ShapedArray) []operand {
	consts, carry, xs := in[:p.NumConsts], in[p.NumConsts:p.NumConsts+p.NumCarry], in[p.NumConsts+p.NumCarry:]
	i32 := core.Int32
	if int64(p.Length) >= math.MaxInt32 {
		i32 = core.Int64
	}
	counter := core.Aval(i32)
	start := []operand{b.number(0, i32)}
	start = append(start, carry...)
	for _, a := range out[p.NumCarry:] {
		a = wordsOf(a)
		start = append(start, b.widen(b.number(0, a.DType), a.Shape))
	}
	typed := func(results []operand) []operand {
		for i, a := range out {
			results[i].aval = a.Strong()
		}
		return results
	}
	if p.Length == 0 { // XLA refuses slices of nothing, also in a loop without iterations
		return typed(start[1:])
	}
	types := avalsOf(start)
	cond := b.region(types, func(b *block, c []operand) []operand {
		return []operand{b.compare("LT", false, core.Aval(core.Bool), []operand{c[0], b.number(float64(p.Length), i32)})}
	})
	body := b.region(types, func(b *block, c []operand) []operand {
		at := c[0]
		if p.Reverse {
			at = b.op("stablehlo.subtract", counter, b.number(float64(p.Length-1), i32), at)
		}
		zero := b.number(0, i32)
		starts := func(rank int) []operand {
			list := []operand{at}
			for range rank - 1 {
				list = append(list, zero)
			}
			return list
		}
		args := join(consts, c[1:1+p.NumCarry])
		for i, x := range xs {
			a := wordsOf(x.aval)
			one := a.Shape.Ints()
			one[0] = 1
			row := b.generic("stablehlo.dynamic_slice", "slice_sizes = "+i64s(dims(one)), []core.ShapedArray{a.WithShape(dims(one))}, nil, join([]operand{x}, starts(len(one)))...)[0]
			row = b.reshape(row, a.Shape.Slice(1, a.Rank()))
			args = append(args, operand{row.name, p.Jaxpr.Ins[p.NumConsts+p.NumCarry+i].Type.Strong()})
		}
		y := b.inline(p.Jaxpr, args)
		next := []operand{b.op("stablehlo.add", counter, c[0], b.number(1, i32))}
		next = append(next, y[:p.NumCarry]...)
		for k, y := range y[p.NumCarry:] {
			all := c[1+p.NumCarry+k]
			y.aval = wordsOf(y.aval)
			row := b.reshape(y, y.aval.Shape.Prepend(1))
			next = append(next, b.generic("stablehlo.dynamic_update_slice", "", []core.ShapedArray{all.aval}, nil, join([]operand{all, row}, starts(all.aval.Rank()))...)[0])
		}
		return next
	})
	return typed(b.generic("stablehlo.while", "", types, []string{cond, body}, start...)[1:])
}
