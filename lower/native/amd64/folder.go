package amd64

import (
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// element is what a fold combines: one value, or two where the operation has two.
type element [2]value

// folder combines the elements of one fold.
type folder struct {
	*gen
	op     ir.FoldOp
	t, it  scalar.Type // types of the two values; it is NoType where there is one
	asBool bool        // bools that are combined as bytes
}

func (g *gen) folderOf(f ir.Fold) folder {
	d := folder{gen: g, op: f.Op, t: g.k.Types[f.Value]}
	if f.Other != ir.NoRef {
		d.it = g.k.Types[f.Second]
	}
	if d.t == scalar.Bool && (f.Op <= ir.Xor) {
		d.t, d.asBool = scalar.U8, true
	}
	return d
}

// element reads the values that a body yields.
func (d folder) element(f ir.Fold) element {
	x := element{d.get(f.Value)}
	if d.asBool {
		x[0] = d.boolToInt(scalar.U8, x[0])
	}
	if d.it != scalar.NoType {
		x[1] = d.get(f.Second)
	}
	return x
}

// bind makes a combined element the results of a fold.
func (d folder) bind(f ir.Fold, x element) {
	if d.asBool {
		x[0] = d.compare(scalar.OpNe, x[0], d.num(scalar.U8, 0))
	}
	d.bindRef(f.Result, x[0])
	if f.Other != ir.NoRef {
		d.bindRef(f.Other, x[1])
	}
}

// identity returns what a fold starts from.
func (d folder) identity() element {
	t := d.t
	if d.asBool {
		t = scalar.Bool
	}
	x := element{d.konst(d.t, d.op.Identity(t))}
	if d.it != scalar.NoType {
		x[1] = d.konst(d.it, 0)
	}
	return x
}

// two returns x ∘ y.
func (d folder) two(x, y element) element {
	return element(ir.Combine(d, ir.Folding{Op: d.op, Value: d.t, Second: d.it}, ir.Element[value](x), ir.Element[value](y)))
}

// The methods of [ir.Arith].

func (d folder) Apply(op scalar.Op, _ scalar.Type, x, y value) value { return d.apply(op, x, y) }

func (d folder) Compare(op scalar.Op, _ scalar.Type, x, y value) value { return d.compare(op, x, y) }

func (d folder) IsNaN(_ scalar.Type, x value) value { return d.unordered(x, x) }

func (d folder) Logic(op scalar.Op, x, y value) value { return d.logic(op, x, y) }

func (d folder) Choose(_ scalar.Type, c, x, y value) value { return d.choose(c, x, y) }

func (d folder) apply(op scalar.Op, x, y value) value {
	if d.t.IsFloat() {
		return d.floatOp(op, x, y, value{})
	}
	return d.intOp(op, x, y)
}

// later is [ir.CombineLater], in fewer instructions: y has to be better, or the first NaN. A lane that starts with the worst value at its first index
// has that index where all its elements are the worst.
func (d folder) later(x, y element) element {
	g := d.gen
	a, b := y[0], x[0]
	if d.op == ir.ArgMin {
		a, b = b, a
	}
	var take value
	if d.t.IsFloat() {
		take = g.logic(scalar.OpLt, g.compare(scalar.OpLe, a, b), g.compare(scalar.OpEq, x[0], x[0])) // the comparison is false for NaNs
	} else {
		take = g.compare(scalar.OpLt, b, a)
	}
	return element{d.choose(take, y[0], x[0]), d.choose(take, y[1], x[1])}
}

func (d folder) variable(x element) element {
	v := element{d.gen.variable(x[0])}
	if d.it != scalar.NoType {
		v[1] = d.gen.variable(x[1])
	}
	return v
}

// update sets the accumulator acc to acc ∘ x.
func (d folder) update(acc, x element) { d.set(acc, d.two(acc, x)) }

func (d folder) set(acc, x element) {
	for i := range acc {
		if i == 1 && d.it == scalar.NoType {
			break
		}
		if acc[i].t == scalar.Bool {
			x[i] = d.boolLike(x[i], acc[i])
		}
		for j, r := range x[i].r {
			if d.coalesce(r, acc[i].r[j]) {
				x[i].r[j] = acc[i].r[j]
			}
		}
		d.assign(acc[i], x[i])
	}
}

// copy returns the registers of copy u of an element for lanes of one copy.
func (x element) copy(g *gen, u int) element {
	for i := range x {
		if len(x[i].r) > 0 {
			size := x[i].t.Size()
			parts := 1
			if x[i].t != scalar.Bool {
				parts, _ = g.layout(size)
			}
			x[i].r = x[i].r[u*parts : (u+1)*parts]
		}
	}
	return x
}

// updateMasked is update where the mask is true.
func (d folder) updateMasked(acc, x element, mask value) {
	y := d.two(acc, x)
	for i := range y {
		if len(y[i].r) > 0 {
			y[i] = d.choose(mask, y[i], acc[i])
		}
	}
	d.set(acc, y)
}
