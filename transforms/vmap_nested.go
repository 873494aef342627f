package transforms

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
)

// applyNested applies an elementwise operation, whose operands b has unboxed, under the older
// interpreters; y is nil for an operation of one operand. Nested batches that would only pass the
// operands on are handled in a loop, and their boxes are allocated together.
func (b *vmap) applyNested(p core.Primitive, x, y Value) Value {
	c := youngestBatch(x, y)
	if c == nil {
		return applyOlder(p, x, y)
	}
	recorded := int64(0) // the level of the youngest trace, past which no operation goes to an older batch
	if core.OutermostRecorder() != nil {
		recorded = core.ActiveRecorder().Level()
	}
	first, second := x, y
	var batches []*vmap
	for last := b; c != nil && c.axis == "" && c.Level() < last.Level() && c.Level() > recorded; c = youngestBatch(x, y) {
		inner, mx := c.unboxSingle(x)
		if y == nil {
			x = inner
		} else {
			other, my := c.unboxSingle(y)
			if !fitAsTheyAre(p, inner, other, mx, my) {
				break
			}
			x, y = inner, other
		}
		batches, last = append(batches, c), c
	}
	if len(batches) == 0 {
		return applyOlder(p, x, y)
	}
	defer rewriteNestedErrors(p, first, second, batches)
	v := core.Below(batches[len(batches)-1], func() Value { return applyOlder(p, x, y) })
	boxes := make([]batched, len(batches))
	a := v.Aval()
	for k := len(batches) - 1; k >= 0; k-- {
		a = a.WithShape(a.Shape.Slice(1, a.Rank()))
		boxes[k] = batched{batches[k], v, a}
		v = &boxes[k]
	}
	return v
}

func applyOlder(p core.Primitive, x, y Value) Value {
	if y == nil {
		return core.Apply1(p, x)
	}
	return core.Apply2(p, x, y)
}

// youngestBatch returns the batch that takes an operation on x and y, or on x alone; nil if another
// interpreter may take it.
func youngestBatch(x, y Value) (c *vmap) {
	for _, v := range [...]Value{x, y} {
		switch t := v.(type) {
		case *batched:
			if !t.i.Live() {
				return nil
			}
			if c == nil || t.i.Level() > c.Level() {
				c = t.i
			}
		case core.Tracer:
			return nil
		}
	}
	return c
}

// fitAsTheyAre reports whether a batch passes operands of an elementwise operation on unchanged:
// see withUnitAxis and withRank.
func fitAsTheyAre(p core.Primitive, x, y Value, mx, my bool) bool {
	if mx && my {
		return x.Aval().Rank() == y.Aval().Rank()
	}
	if _, strict := p.(prim.AddAnyP); strict {
		return false
	}
	return mx && y.Aval().Rank() == 0 || my && x.Aval().Rank() == 0
}

// rewriteNestedErrors, deferred, does what rewriteErrors does in each batch.
func rewriteNestedErrors(p core.Primitive, x, y Value, batches []*vmap) {
	r := recover()
	if r == nil {
		return
	}
	in := []Value{x}
	if y != nil {
		in = append(in, y)
	}
	var ins [][]Value
	for _, c := range batches {
		ins = append(ins, in)
		in, _ = c.unbox(in)
	}
	for k := len(ins) - 1; k >= 0; k-- {
		r = forElements(r, p, ins[k])
	}
	panic(r)
}
