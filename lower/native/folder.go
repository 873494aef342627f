package native

import (
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// element is an operand of a fold: one value, or two if the operation combines pairs.
type element [2]Value

type folder struct {
	*Gen
	op     ir.FoldOp
	t, it  scalar.Type // types of the two values, the second NoType if elements have one value
	asBool bool        // bools that are combined as bytes
}

func (g *Gen) folderOf(f ir.Fold) folder {
	d := folder{Gen: g, op: f.Op, t: g.k.Types[f.Value]}
	if f.Other != ir.NoRef {
		d.it = g.k.Types[f.Second]
	}
	if d.t == scalar.Bool && !f.Op.Pairs() {
		d.t, d.asBool = scalar.U8, true
	}
	return d
}

func (d folder) element(f ir.Fold) element {
	x := element{d.get(f.Value)}
	if d.asBool {
		x[0] = d.BoolToInt(scalar.U8, x[0])
	}
	if d.it != scalar.NoType {
		x[1] = d.get(f.Second)
	}
	return x
}

func (d folder) bind(f ir.Fold, x element) {
	if d.asBool {
		x[0] = d.Compare(scalar.OpNe, x[0], d.Num(scalar.U8, 0))
	}
	d.bindRef(f.Result, x[0])
	if f.Other != ir.NoRef {
		d.bindRef(f.Other, x[1])
	}
}

func (d folder) identity() element {
	t := d.t
	if d.asBool {
		t = scalar.Bool
	}
	x := element{d.Splat(d.t, d.op.Identity(t))}
	if d.it != scalar.NoType {
		x[1] = d.Splat(d.it, 0)
	}
	return x
}

// two returns the combination of x and y, x on the left.
func (d folder) two(x, y element) element {
	return element(ir.Combine(foldArith{d}, ir.Folding{Op: d.op, Value: d.t, Second: d.it}, ir.Element[Value](x), ir.Element[Value](y)))
}

// foldArith writes the operations of [ir.Combine].
type foldArith struct{ folder }

func (d foldArith) Apply(op scalar.Op, _ scalar.Type, x, y Value) Value { return d.apply(op, x, y) }

func (d foldArith) Compare(op scalar.Op, _ scalar.Type, x, y Value) Value {
	return d.Gen.Compare(op, x, y)
}

func (d foldArith) IsNaN(_ scalar.Type, x Value) Value { return d.Unordered(x, x) }

func (d foldArith) Logic(op scalar.Op, x, y Value) Value { return d.Gen.Logic(op, x, y) }

func (d foldArith) Choose(_ scalar.Type, c, x, y Value) Value { return d.Gen.Choose(c, x, y) }

func (d folder) apply(op scalar.Op, x, y Value) Value {
	if d.t.IsFloat() {
		return d.FloatOp(op, x, y, Value{})
	}
	return d.IntOp(op, x, y)
}

// later is [ir.CombineLater] in fewer instructions: y replaces x if it is better, or the first
// NaN. A lane starts with the worst value at its first index, and keeps that index if all its
// elements are the worst.
func (d folder) later(x, y element) element {
	g := d.Gen
	a, b := y[0], x[0]
	if d.op == ir.ArgMin {
		a, b = b, a
	}
	var take Value
	if d.t.IsFloat() {
		take = g.Logic(scalar.OpLt, g.Compare(scalar.OpLe, a, b), g.Compare(scalar.OpEq, x[0], x[0])) // not a ≤ b: y is better, or one is NaN; a NaN in x stays
	} else {
		take = g.Compare(scalar.OpLt, b, a)
	}
	return element{d.Choose(take, y[0], x[0]), d.Choose(take, y[1], x[1])}
}

func (d folder) variable(x element) element {
	v := element{d.Gen.variable(x[0])}
	if d.it != scalar.NoType {
		v[1] = d.Gen.variable(x[1])
	}
	return v
}

// update combines the accumulator acc with x, and sets it to the result.
func (d folder) update(acc, x element) { d.set(acc, d.two(acc, x)) }

func (d folder) set(acc, x element) {
	for i := range acc {
		if i == 1 && d.it == scalar.NoType {
			break
		}
		if acc[i].T == scalar.Bool {
			x[i] = d.BoolLike(x[i], acc[i])
		}
		for j, r := range x[i].R {
			if d.coalesce(r, acc[i].R[j]) {
				x[i].R[j] = acc[i].R[j]
			}
		}
		d.assign(acc[i], x[i])
	}
}

func (x element) copy(g *Gen, u int) element {
	for i := range x {
		if len(x[i].R) > 0 {
			size := x[i].T.Size()
			parts := 1
			if x[i].T != scalar.Bool {
				parts, _ = g.Layout(size)
			}
			x[i].R = x[i].R[u*parts : (u+1)*parts]
		}
	}
	return x
}

func (d folder) updateMasked(acc, x element, mask Value) {
	y := d.two(acc, x)
	for i := range y {
		if len(y[i].R) > 0 {
			y[i] = d.Choose(mask, y[i], acc[i])
		}
	}
	d.set(acc, y)
}
