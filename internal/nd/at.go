package nd

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/trace"
)

// Ref is a position in an array: x.At(0).Set(1) is x with another first element. A Ref is not an
// Array itself.
type Ref struct {
	x              core.Value
	idx            []any
	mode           indexed.IndexMode
	moded          bool
	fill           core.Number
	sorted, unique bool
}

// At returns the position in x that the indices select, as in weft.Array.Index. x is not changed:
// the methods of Ref return a new array.
func At(x core.Value, idx ...any) Ref {
	ValueOf("At", x)
	return Ref{x: x, idx: idx}
}

// Mode sets what happens where an element of an index Array is outside of its axis. By default,
// reads take the nearest element inside, and writes are left out.
func (r Ref) Mode(m indexed.IndexMode) Ref {
	r.mode, r.moded = m, true
	return r
}

// Fill makes reads outside of the axis return v.
func (r Ref) Fill(v any) Ref {
	l, ok := Number(v)
	if !ok {
		RefuseOperand("Fill", v)
	}
	RequireFits("At.Fill", l, ValueOf("At.Fill", r.x).Aval().DType)
	r.mode, r.moded, r.fill = indexed.FillOrDrop, true, l.Num
	return r
}

// Unique promises that no position is named twice. If that is false, the result is not specified.
func (r Ref) Unique() Ref { r.unique = true; return r }

// Sorted promises that the positions are in order.
func (r Ref) Sorted() Ref { r.sorted = true; return r }

// Get returns the part of the array at the position.
func (r Ref) Get() core.Value {
	n := newIndexer("At.Get", ValueOf("At.Get", r.x), r.idx)
	return n.read(r)
}

// Set returns the array with v at the position.
func (r Ref) Set(v any) core.Value { return r.update("At.Set", v, indexed.Scatter, nil) }

// Add returns the array with v added at the position. An element that is selected twice gets both
// additions.
func (r Ref) Add(v any) core.Value { return r.update("At.Add", v, indexed.ScatterAdd, prim.Add) }

// Sub returns the array with v subtracted at the position.
func (r Ref) Sub(v any) core.Value { return r.update("At.Sub", v, by(indexed.CombineSub), prim.Sub) }

// Mul returns the array multiplied by v at the position.
func (r Ref) Mul(v any) core.Value { return r.update("At.Mul", v, by(indexed.CombineMul), prim.Mul) }

// Min returns the array with the smaller of element and v at the position.
func (r Ref) Min(v any) core.Value { return r.update("At.Min", v, by(indexed.CombineMin), prim.Min) }

// Max returns the array with the larger of element and v at the position.
func (r Ref) Max(v any) core.Value { return r.update("At.Max", v, by(indexed.CombineMax), prim.Max) }

func by(c indexed.Combiner) func(x, idx, u core.Value, s indexed.Scattering) core.Value {
	return func(x, idx, u core.Value, s indexed.Scattering) core.Value { return indexed.ScatterBy(c, x, idx, u, s) }
}

// Div returns the array divided by v at the position.
func (r Ref) Div(v any) core.Value {
	one := r.ones()
	return Div(r.x, one.Mul(v))
}

// Pow returns the array to the power v at the position.
func (r Ref) Pow(v any) core.Value {
	one := r.ones()
	return Pow(r.x, one.Mul(v))
}

// ones returns the same position in an array of ones.
func (r Ref) ones() Ref {
	r.x = prim.Full(ValueOf("At", r.x).Aval(), 1)
	return r
}

// Apply returns the array with f applied to the elements at the position. f is applied twice to an element that
// is selected twice.
func (r Ref) Apply(f func(core.Value) core.Value) core.Value {
	x := ValueOf("At.Apply", r.x)
	scalar := core.ShapedArray{DType: x.Aval().DType}
	j := trace.Stage("Apply", []core.ShapedArray{scalar, scalar}, func(in []core.Value) []core.Value {
		return []core.Value{Convert("At.Apply", ValueOf("At.Apply", f(in[0])), scalar.DType, false)}
	})
	if len(j.Consts) > 0 {
		core.FailOp(core.ErrCustomRule, "At.Apply", nil, "the function closes over an array, which a scatter cannot hold; read with Get, apply, and write with Set")
	}
	zero := Convert("At.Apply", Num(x, 0), scalar.DType, false)
	return r.update("At.Apply", zero, func(x, idx, u core.Value, s indexed.Scattering) core.Value {
		return indexed.ScatterApply(x, idx, u, j, s)
	}, func(x, _ core.Value) core.Value { return f(x) })
}

// update writes v at the position. combine combines an element with v; if it is nil, v replaces the element.
// combine is used for a single mask, which selects instead of scattering.
func (r Ref) update(op string, v any, scatter func(x, idx, u core.Value, s indexed.Scattering) core.Value, combine func(x, y core.Value) core.Value) core.Value {
	x := ValueOf(op, r.x)
	u := r.given(op, x, v)
	n := newIndexerForWrite(op, x, r.idx)
	if n == nil { // one mask
		m := ValueOf(op, r.idx[0])
		return r.masked(op, x, m, u, combine)
	}
	g := n.gather()
	x = n.x
	u = Spread(op, u, g.shape)
	u = prim.Squeeze(u, g.newAxes)
	if g.reversed.Len() > 0 {
		u = prim.Rev(u, g.reversed)
	}
	mode := indexed.FillOrDrop
	if r.moded {
		mode = r.mode
	}
	y := scatter(x, g.vectors, u, indexed.Scattering{
		UpdateWindowDims: g.offset, InsertedWindowDims: g.collapsed, ScatterDimsToOperandDims: g.axes,
		Mode: mode, Sorted: g.sorted || r.sorted, Unique: g.unique || r.unique,
	})
	return prim.Squeeze(y, core.MakeDims(n.made...))
}

// newIndexerForWrite returns nil if the index is a single mask, traced or not: the update then selects instead
// of scattering.
func newIndexerForWrite(op string, x core.Value, idx []any) *indexer {
	if len(idx) == 1 {
		m, ok := idx[0].(core.Value)
		if b, isBool := idx[0].(bool); isBool {
			m, ok = ValueOf(op, b), true
		}
		if ok && m.Aval().DType.IsBool() {
			return nil
		}
	}
	return newIndexer(op, x, idx)
}

// masked returns x with u, or with combine(element, u), where the mask of its leading axes is true.
// u broadcasts to x.
func (r Ref) masked(op string, x, m, u core.Value, combine func(x, y core.Value) core.Value) core.Value {
	a, b := x.Aval(), m.Aval()
	if b.Rank() > a.Rank() || a.Shape.Slice(0, b.Rank()) != b.Shape {
		core.FailOp(core.ErrIndex, op, []core.ShapedArray{a, b}, "the mask %v must have the leading axes of %v; reshape or broadcast it", b.Full(), a.Full())
	}
	if u.Aval().Rank() > a.Rank()-b.Rank() {
		core.FailOp(core.ErrIndex, op, []core.ShapedArray{a, b, u.Aval()}, "what is written through a mask is spread over the masked positions, and %v has too many axes; use Where", u.Aval().Full())
	}
	u = Spread(op, u, a.Shape)
	if combine != nil {
		u = Convert(op, combine(x, u), a.DType, a.Weak)
	}
	return prim.Where(prim.BroadcastInDim(m, a.Shape, core.Range(0, b.Rank())), u, x)
}

// fitInto returns u in x's type. It refuses u unless both promote to that type, or x is weak and they promote to
// a type of the same kind.
func fitInto(op string, x, u core.Value) core.Value {
	a := x.Aval()
	dt, _ := PromoteTypes(op, x, u)
	if dt != a.DType && !(a.Weak && dt.Kind() == a.DType.Kind()) {
		core.FailOp(core.ErrDType, op, []core.ShapedArray{a, u.Aval()}, "%v does not go into an array of %v; convert one of them with AsType", u.Aval().Full(), a.DType)
	}
	if l, ok := u.(core.Literal); ok {
		return ConvertLiteral(op, l, a.DType, a.Weak)
	}
	return Convert(op, u, a.DType, a.Weak)
}

// given returns the user's operand v, converted to x's type. A Go number has no AsType, so its
// error differs.
func (r Ref) given(op string, x core.Value, v any) core.Value {
	u := ValueOf(op, v)
	a := x.Aval()
	if l, ok := Number(v); ok {
		if dt, _ := PromoteTypes(op, x, u); dt != a.DType && !(a.Weak && dt.Kind() == a.DType.Kind()) {
			core.FailOp(core.ErrDType, op, []core.ShapedArray{a, u.Aval()}, "the number %s of %v does not go into an array of %v; convert the array with AsType, or give %s", l.Text(), l.Type, a.DType, constantOf(a.DType))
		}
	}
	return fitInto(op, x, u)
}

// constantOf describes the Go constants that an array of dt may contain.
func constantOf(dt core.DType) string {
	switch {
	case dt.IsBool():
		return "true or false"
	case dt.IsInteger():
		return "an int"
	case dt.IsFloat():
		return "a float64"
	}
	return "a number of its type"
}
