package stablehlo

import (
	"math"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/core/prim/matrices"
	"github.com/weft-go/weft/core/prim/windows"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/legalize"
	"github.com/weft-go/weft/trace"
)

// decomposition returns a program of simpler operations that computes what p does, or nil if none is known.
func decomposition(p core.Primitive, in []core.ShapedArray) *jaxpr.Jaxpr {
	strong := make([]core.ShapedArray, len(in))
	for i, a := range in {
		strong[i] = a.Strong()
	}
	var f func(in []core.Value) []core.Value
	one := func(v core.Value) []core.Value { return []core.Value{v} }
	if len(in) > 0 && throughFloat32(p, in[0].DType) {
		return staged(p, strong, func(in []core.Value) []core.Value { return inFloats(p, in) })
	}
	if throughBytes(p, strong) {
		out := core.AbstractOf(p, strong)
		return staged(p, strong, func(in []core.Value) []core.Value { return inBytes(p, in, out) })
	}
	for _, known := range []func(core.Primitive, []core.ShapedArray) func([]core.Value) []core.Value{factorization, specialFunction} {
		if f := known(p, strong); f != nil {
			return staged(p, strong, f)
		}
	}
	switch p := p.(type) {
	case prim.TileP, prim.SplitP, prim.StackP, prim.UnstackP:
		f = func(in []core.Value) []core.Value { return rearranged(p, in) }
	case prim.StopGradientP:
		f = func(in []core.Value) []core.Value { return in }
	case prim.Exp2P:
		f = func(in []core.Value) []core.Value {
			return one(prim.Exp(prim.Mul(in[0], prim.Num(in[0].Aval(), math.Ln2))))
		}
	case prim.SquareP:
		f = func(in []core.Value) []core.Value { return one(prim.Mul(in[0], in[0])) }
	case prim.ConjP:
		f = func(in []core.Value) []core.Value {
			if !in[0].Aval().DType.IsComplex() {
				return one(prim.Complex(in[0], prim.Zeros(in[0].Aval())))
			}
			return one(prim.Complex(prim.Real(in[0]), prim.Neg(prim.Imag(in[0]))))
		}
	case prim.PopulationCountP: // of two or four bits with a sign
		dt := in[0].DType
		f = func(in []core.Value) []core.Value {
			bits := prim.And(convert(in[0], core.Uint8), prim.Num(core.Aval(core.Uint8), float64(int(1)<<dt.Bits()-1)))
			return one(convert(prim.PopulationCount(bits), dt))
		}
	case prim.PowP:
		f = func(in []core.Value) []core.Value { return one(prim.Pow(in[0], convert(in[1], in[0].Aval().DType))) }
	case prim.IntegerPowP:
		f = func(in []core.Value) []core.Value { return one(integerPower(in[0], p.Y)) }
	case prim.ReduceSumP:
		f = func(in []core.Value) []core.Value { return one(prim.ReduceSum(in[0], p.Axes)) }
		if p.Order == prim.OrderImplied {
			return nil
		}
	case prim.ReduceProdP:
		f = func(in []core.Value) []core.Value { return one(prim.ReduceProd(in[0], p.Axes)) }
		if p.Order == prim.OrderImplied {
			return nil
		}
	case prim.DotGeneralP:
		f = func(in []core.Value) []core.Value {
			q := p
			q.Preferred = core.Invalid
			dt := core.AbstractOf(p, strong)[0].DType
			if dt.IsBool() {
				return one(convert(prim.DotGeneral(convert(in[0], core.Int32), convert(in[1], core.Int32), q), core.Bool))
			}
			return one(prim.DotGeneral(convert(in[0], dt), convert(in[1], dt), q))
		}
	case windows.ConvP:
		f = func(in []core.Value) []core.Value {
			q := p
			q.Preferred = core.Invalid
			dt := core.AbstractOf(p, strong)[0].DType
			if dt.IsBool() {
				return one(convert(windows.ConvGeneralDilated(convert(in[0], core.Int32), convert(in[1], core.Int32), q), core.Bool))
			}
			return one(windows.ConvGeneralDilated(convert(in[0], dt), convert(in[1], dt), q))
		}
	case prim.ClampP:
		f = func(in []core.Value) []core.Value { return one(prim.Min(prim.Max(in[1], in[0]), in[2])) }
	case matrices.TriangularSolveP:
		f = func(in []core.Value) []core.Value {
			q := p
			q.ConjugateA = false
			return one(matrices.TriangularSolve(prim.Conj(in[0]), in[1], q))
		}
	case indexed.TopKP:
		f = func(in []core.Value) []core.Value {
			x := in[0]
			a := x.Aval()
			key := x
			if a.DType.IsFloat() {
				key = totalKey(x)
			}
			out := indexed.Sort(p.Axis, 1, true, prim.Not(key), x, prim.Iota(core.Int32, a.Shape, p.Axis))
			return []core.Value{firstOf(out[1], p.Axis, p.K), firstOf(out[2], p.Axis, p.K)}
		}
	case indexed.GatherP:
		f = func(in []core.Value) []core.Value { return one(filled(p, in[0], in[1])) }
	case prim.CumsumP, prim.CumprodP, windows.ReduceWindowSumP, windows.SelectAndScatterAddP:
		dt := in[0].DType
		if !dt.IsFloat() || dt.Bits() >= 32 {
			return nil
		}
		f = func(in []core.Value) []core.Value {
			wide := make([]core.Value, len(in))
			for i, x := range in {
				wide[i] = convert(x, core.Float32)
			}
			return one(convert(core.Bind1(p, wide...), dt))
		}
	case core.Expander:
		f = p.Expand
	default:
		if f = elementFunction(p, strong); f == nil {
			return nil
		}
	}
	return staged(p, strong, f)
}

// staged returns f as a program, or nil if its results do not have the types of p's.
func staged(p core.Primitive, strong []core.ShapedArray, f func([]core.Value) []core.Value) *jaxpr.Jaxpr {
	j := trace.Stage(p.Name(), strong, f)
	for i, a := range core.AbstractOf(p, strong) {
		if !j.Outs[i].Aval().SameType(a) {
			return nil
		}
	}
	return j
}

// integerPower returns xʸ by repeated squaring.
func integerPower(x core.Value, y int) core.Value {
	a := x.Aval()
	n := uint(y)
	if y < 0 {
		n = uint(-y)
	}
	var acc core.Value
	for square := x; n > 0; n >>= 1 {
		if n&1 == 1 {
			if acc == nil {
				acc = square
			} else {
				acc = prim.Mul(acc, square)
			}
		}
		if n > 1 {
			square = prim.Mul(square, square)
		}
	}
	if acc == nil {
		acc = prim.Full(a, 1)
	}
	if y < 0 {
		acc = prim.Div(prim.Full(a, 1), acc)
	}
	return acc
}

// filled returns a gather that fills elements outside of the array, as a clamped gather and a selection.
func filled(p indexed.GatherP, x, idx core.Value) core.Value {
	a, q := x.Aval(), p
	q.Mode = indexed.Clip
	y := indexed.Gather(x, idx, q)
	n := idx.Aval().Rank()
	var inside core.Value
	for k, axis := range p.StartIndexMap.All() {
		lo, hi := make([]int, n), idx.Aval().Shape.Ints()
		lo[n-1], hi[n-1] = k, k+1
		at := convert(prim.Reshape(prim.Slice(idx, dims(lo), dims(hi), core.Dims{}), idx.Aval().Shape.Slice(0, n-1)), core.Int64)
		last := core.Lit(core.IntNumber(int64(a.Shape.At(axis)-p.SliceSizes.At(axis))), core.Int64)
		ok := prim.And(prim.Ge(at, prim.Num(at.Aval(), 0)), prim.Le(at, last))
		if idx.Aval().DType == core.Uint64 {
			ok = prim.And(ok, prim.Ge(at, prim.Num(at.Aval(), 0)))
		}
		if inside == nil {
			inside = ok
		} else {
			inside = prim.And(inside, ok)
		}
	}
	if inside == nil {
		return y
	}
	var axes []int
	for i := range y.Aval().Rank() {
		if !p.OffsetDims.Has(i) {
			axes = append(axes, i)
		}
	}
	mask := prim.BroadcastInDim(inside, y.Aval().Shape, dims(axes))
	return prim.Where(mask, y, p.Filled(y.Aval()))
}

// throughFloat32 reports whether dt is a float of at most eight bits, and p is computed in f32 and rounded for it.
func throughFloat32(p core.Primitive, dt core.DType) bool {
	if !dt.IsMinorFloat() {
		return false
	}
	switch p.(type) {
	case prim.ReduceSumP:
		return dt == core.Float8E8M0FNU // lacks the 0 that a sum starts from
	case prim.ReduceMaxP, prim.ReduceMinP, windows.ReduceWindowMaxP, windows.ReduceWindowMinP, prim.CummaxP, prim.CumminP, prim.ArgmaxP, prim.ArgminP, indexed.SortP, indexed.TopKP:
		return true
	case prim.NextafterP:
		return false
	}
	return inCHLO[p.Name()] != ""
}

// inFloats applies p to operands as f32.
func inFloats(p core.Primitive, in []core.Value) []core.Value {
	if s, ok := p.(indexed.SortP); ok { // operands that are not keys keep their bits
		all := append([]core.Value(nil), in[:s.NumKeys]...)
		for i, k := range all {
			if k.Aval().DType.IsMinorFloat() {
				all[i] = convert(k, core.Float32)
			}
		}
		return indexed.Sort(s.Dimension, s.NumKeys, true, append(all, in...)...)[s.NumKeys:]
	}
	wide := make([]core.Value, len(in))
	for i, x := range in {
		if wide[i] = x; x.Aval().DType.IsMinorFloat() {
			wide[i] = convert(x, core.Float32)
		}
	}
	out := core.Bind(p, wide...)
	for i, v := range out {
		if v.Aval().DType == core.Float32 {
			out[i] = convert(v, in[0].Aval().DType)
		}
	}
	return out
}

// rearranged decomposes tile, split, stack and unstack.
func rearranged(p core.Primitive, in []core.Value) []core.Value {
	a := in[0].Aval()
	switch p := p.(type) {
	case prim.TileP:
		x := in[0]
		for axis, n := range p.Reps.All() {
			if n != 1 {
				parts := make([]core.Value, n)
				for i := range parts {
					parts[i] = x
				}
				if n == 0 {
					parts = []core.Value{firstOf(x, axis, 0)}
				}
				x = prim.Concatenate(axis, parts...)
			}
		}
		return []core.Value{x}
	case prim.SplitP:
		return legalize.Split(in[0], p)
	case prim.StackP:
		rows := make([]core.Value, len(in))
		for i, x := range in {
			rows[i] = prim.ExpandDims(x, dims([]int{p.Axis}))
		}
		return []core.Value{prim.Concatenate(p.Axis, rows...)}
	case prim.UnstackP:
		var out []core.Value
		for i := range a.Shape.At(p.Axis) {
			lo, hi := make([]int, a.Rank()), a.Shape.Ints()
			lo[p.Axis], hi[p.Axis] = i, i+1
			out = append(out, prim.Reshape(prim.Slice(in[0], dims(lo), dims(hi), core.Dims{}), a.Shape.Remove(p.Axis)))
		}
		return out
	}
	return nil
}
