package prim_test

import (
	"fmt"
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
)

// A naive array and evaluator: each element is a number, each operation its
// definition, one result element at a time. It implements what the rules of the
// structure operations need, exact for integers and for floats that do not round.

type array struct {
	core.ShapedArray
	e []core.Number
}

func (a *array) Aval() core.ShapedArray { return a.ShapedArray }

func (a *array) Scalar() (core.Number, bool) {
	if a.Rank() > 0 {
		return core.Number{}, false
	}
	return a.e[0], true
}

func zerosOf(a core.ShapedArray) *array {
	x := &array{a, make([]core.Number, a.Size())}
	for i := range x.e {
		x.e[i] = number(a.DType, 0)
	}
	return x
}

// number returns v as an element of dt.
func number(dt core.DType, v float64) core.Number { return wrap(dt, core.FloatNumber(v)) }

// wrap returns n as an element of dt: integers wrap, floats are taken as they are.
func wrap(dt core.DType, n core.Number) core.Number {
	shift := 64 - dt.Bits()
	switch {
	case dt.IsBool():
		return core.BoolNumber(n.Bool())
	case dt.IsSigned():
		return core.IntNumber(n.Int64() << shift >> shift)
	case dt.IsUnsigned():
		return core.UintNumber(n.Uint64() << shift >> shift)
	case dt.IsKey():
		return core.UintNumber(n.Uint64())
	case dt.IsComplex():
		return core.ComplexNumber(n.Complex())
	}
	return core.FloatNumber(n.Float())
}

// concrete returns v with its elements.
func concrete(v core.Value) *array {
	switch v := v.(type) {
	case *array:
		return v
	case core.Literal:
		return &array{v.Aval(), []core.Number{wrap(v.Type, v.Num)}}
	}
	panic(fmt.Sprintf("no naive array: %T", v))
}

// places ranges over the indices of a shape in row-major order.
func places(shape core.Dims) func(yield func(k int, j []int) bool) {
	return func(yield func(int, []int) bool) {
		j := make([]int, shape.Len())
		for k := range shape.Size() {
			if !yield(k, j) {
				return
			}
			for i := len(j) - 1; i >= 0; i-- {
				if j[i]++; j[i] < shape.At(i) {
					break
				}
				j[i] = 0
			}
		}
	}
}

// offset returns the row-major position of an index.
func offset(shape core.Dims, j []int) int {
	k := 0
	for i, n := range shape.All() {
		k = k*n + j[i]
	}
	return k
}

func (a *array) at(j ...int) core.Number { return a.e[offset(a.Shape, j)] }

// spreadAt returns at, where scalars and axes of size 1 are spread.
func (a *array) spreadAt(j []int) core.Number {
	if a.Rank() == 0 {
		return a.e[0]
	}
	k := slices.Clone(j)
	for i, n := range a.Shape.All() {
		if n == 1 {
			k[i] = 0
		}
	}
	return a.at(k...)
}

// naive is the bottom interpreter of these tests.
type naive struct{}

func (naive) Level() int64 { return 0 }
func (naive) Live() bool   { return true }

func (naive) Interpret(p core.Primitive, in []core.Value) []core.Value {
	if x, ok := p.(core.Expander); ok {
		return x.Expand(in)
	}
	x := make([]*array, len(in))
	for i, v := range in {
		x[i] = concrete(v)
	}
	avals := core.AbstractOf(p, core.AvalsOf(in))
	out := make([]*array, len(avals))
	for i, a := range avals {
		out[i] = zerosOf(a)
	}
	compute(p, x, out)
	vs := make([]core.Value, len(out))
	for i, y := range out {
		vs[i] = y
	}
	return vs
}

// fill sets each element of y from its index.
func (a *array) fill(f func(j []int) core.Number) {
	for k, j := range places(a.Shape) {
		a.e[k] = f(j)
	}
}

func compute(p core.Primitive, x, out []*array) {
	y := out[0]
	switch p := p.(type) {
	case prim.BroadcastInDimP:
		y.fill(func(j []int) core.Number {
			k := make([]int, p.Dims.Len())
			for i, d := range p.Dims.All() {
				k[i] = j[d]
			}
			return x[0].spreadAt(k)
		})
	case prim.ReshapeP, prim.SqueezeP, prim.RandomWrapP, prim.RandomUnwrapP:
		copyWords(x[0], y)
	case prim.TransposeP:
		y.fill(func(j []int) core.Number {
			k := make([]int, len(j))
			for i, a := range p.Perm.All() {
				k[a] = j[i]
			}
			return x[0].at(k...)
		})
	case prim.RevP:
		y.fill(func(j []int) core.Number {
			k := slices.Clone(j)
			for _, a := range p.Dims.All() {
				k[a] = y.Shape.At(a) - 1 - k[a]
			}
			return x[0].at(k...)
		})
	case prim.TileP:
		y.fill(func(j []int) core.Number {
			k := slices.Clone(j)
			for i, n := range x[0].Shape.All() {
				k[i] %= n
			}
			return x[0].at(k...)
		})
	case prim.IotaP:
		y.fill(func(j []int) core.Number { return number(p.DType, float64(j[p.Dimension])) })
	case prim.EmptyP, prim.Empty2P:
	case prim.ConcatenateP:
		y.fill(func(j []int) core.Number {
			k := slices.Clone(j)
			for _, a := range x {
				if n := a.Shape.At(p.Dimension); k[p.Dimension] >= n {
					k[p.Dimension] -= n
				} else {
					return a.at(k...)
				}
			}
			panic("out of all")
		})
	case prim.SplitP:
		from := 0
		for _, y := range out {
			y.fill(func(j []int) core.Number {
				k := slices.Clone(j)
				k[p.Axis] += from
				return x[0].at(k...)
			})
			from += y.Shape.At(p.Axis)
		}
	case prim.StackP:
		y.fill(func(j []int) core.Number { return x[j[p.Axis]].at(slices.Delete(slices.Clone(j), p.Axis, p.Axis+1)...) })
	case prim.UnstackP:
		for i, y := range out {
			y.fill(func(j []int) core.Number { return x[0].at(slices.Insert(slices.Clone(j), p.Axis, i)...) })
		}
	case prim.PadP:
		y.fill(func(j []int) core.Number {
			k := slices.Clone(j)
			for i, n := range x[0].Shape.All() {
				lo, _, interior := p.Axis(i)
				k[i] -= lo
				if k[i] < 0 || k[i]%(interior+1) != 0 || k[i]/(interior+1) >= n {
					return x[1].e[0]
				}
				k[i] /= interior + 1
			}
			return x[0].at(k...)
		})
	case prim.SliceP:
		y.fill(func(j []int) core.Number {
			k := slices.Clone(j)
			for i := range k {
				k[i] = p.Start.At(i) + k[i]*p.Stride(i)
			}
			return x[0].at(k...)
		})
	case indexed.DynamicSliceP:
		s := clampedStarts(x[0], x[1:], p.Sizes)
		y.fill(func(j []int) core.Number { return x[0].at(plus(s, j)...) })
	case indexed.DynamicUpdateSliceP:
		copy(y.e, x[0].e)
		s := clampedStarts(x[0], x[2:], x[1].Shape)
		for k, j := range places(x[1].Shape) {
			y.e[offset(y.Shape, plus(s, j))] = x[1].e[k]
		}
	case indexed.GatherP:
		naiveGather(p, x, y)
	case indexed.ScatterP:
		if p.Combine == indexed.CombineSet {
			naiveScatter(p.Scattering, x, y, func(_, u core.Number) core.Number { return u })
			return
		}
		op := [...]core.Primitive{indexed.CombineAdd: prim.AddP{}, indexed.CombineSub: prim.SubP{}, indexed.CombineMul: prim.MulP{}, indexed.CombineMin: prim.MinP{}, indexed.CombineMax: prim.MaxP{}}
		naiveScatter(p.Scattering, x, y, onNumbers(y.DType, op[p.Combine]))
	case indexed.ScatterApplyP:
		naiveScatter(p.Scattering, x, y, func(old, _ core.Number) core.Number { // the samples' program: negation
			return onNumbers(y.DType, prim.SubP{})(number(y.DType, 0), old)
		})
	case indexed.SortP:
		naiveSort(p.Dimension, p.NumKeys, x, out)
	case indexed.TopKP:
		naiveTopK(p, x[0], out)
	case prim.SelectNP:
		y.fill(func(j []int) core.Number { return x[1+int(x[0].spreadAt(j).Int64())].at(j...) })
	case prim.ReduceSumP:
		for k, j := range places(x[0].Shape) {
			i := offset(y.Shape, core.MakeDims(j...).Remove(p.Axes.Ints()...).Ints())
			y.e[i] = onNumbers(y.DType, prim.AddP{})(y.e[i], x[0].e[k])
		}
	case prim.ConvertElementTypeP:
		y.fill(func(j []int) core.Number { return wrap(y.DType, x[0].at(j...)) })
	case prim.NegP:
		y.fill(func(j []int) core.Number {
			return onNumbers(y.DType, prim.SubP{})(number(y.DType, 0), x[0].at(j...))
		})
	default:
		f := onNumbers(x[0].DType, p)
		y.fill(func(j []int) core.Number { return f(x[0].spreadAt(j), x[1].spreadAt(j)) })
	}
}

// copyWords copies elements in order; a key is two words.
func copyWords(x, y *array) {
	for k := range y.e {
		switch {
		case x.DType == y.DType:
			y.e[k] = x.e[k]
		case y.DType == core.Key:
			y.e[k] = core.UintNumber(x.e[2*k].Uint64()<<32 | x.e[2*k+1].Uint64())
		default:
			y.e[k] = core.UintNumber(x.e[k/2].Uint64() >> (32 * (1 - k%2)) & 0xFFFFFFFF)
		}
	}
}
