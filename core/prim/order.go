package prim

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/internal/rule"
	"github.com/weft-go/weft/jaxpr"
)

// Order fixes in which order a sum or product takes the axes of its innermost
// group, where the operand's shape does not imply it. The numbers of a sum are a
// function of the program alone: axes of size 1 are dropped, neighbours that are
// both reduced or both kept are merged, and the reduced groups are reduced one at
// a time, innermost first. The innermost reduced group, if it contains the minor
// dimension of the operand, is added in lanes; every other group in chunks. Batching
// and changes of layout may move the minor dimension; then they set the order that
// the shapes had implied before. It is shown only where it is set.
type Order uint8

// The orders of the innermost reduced group.
const (
	OrderImplied Order = iota // as the operand's shape implies
	OrderLanes                // in lanes, as a group that contains the minor dimension
	OrderChunks               // in chunks, as any other group
)

// String returns the order's name in text.
func (o Order) String() string { return [...]string{"implied", "lanes", "chunks"}[o] }

// Implied returns o, or if that is OrderImplied, the order that the shape of the operand implies
// for a reduction over axes.
func (o Order) Implied(shape, axes core.Dims) Order {
	if o != OrderImplied {
		return o
	}
	for i := shape.Len() - 1; i >= 0; i-- {
		if shape.At(i) == 1 {
			continue
		}
		if axes.Has(i) {
			return OrderLanes
		}
		return OrderChunks
	}
	return OrderLanes
}

// kept returns an order. With it, the reduction of an operand of the given shape over axes computes the same numbers as
// the reduction of an operand of oldShape over oldAxes with the order o.
func (o Order) kept(oldShape, oldAxes, shape, axes core.Dims) Order {
	n := 1
	for _, a := range oldAxes.All() {
		n *= oldShape.At(a)
	}
	old := o.Implied(oldShape, oldAxes)
	if n <= 1 || OrderImplied.Implied(shape, axes) == old {
		return OrderImplied
	}
	return old
}

func (o Order) params(ps ...core.Param) []core.Param {
	if o != OrderImplied {
		ps = append(ps, rule.Param("order", o))
	}
	return ps
}

func readOrder(r *jaxpr.ParamReader) Order {
	if !r.Has("order") {
		return OrderImplied
	}
	r.MustBe("order", "lanes", "chunks")
	if r.Text("order") == "lanes" {
		return OrderLanes
	}
	return OrderChunks
}
