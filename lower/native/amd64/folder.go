package amd64

import (
	"math"

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
	g := d.gen
	var bits uint64
	t := d.t
	switch d.op {
	case ir.Prod, ir.ComplexProd:
		bits = 1
		if t == scalar.F32 {
			bits = f32(1)
		} else if t == scalar.F64 {
			bits = f64(1)
		}
	case ir.Max:
		bits = least(t)
	case ir.Min:
		bits = greatest(t)
		if d.asBool {
			bits = 1
		}
	case ir.And:
		bits = ^uint64(0) >> (64 - t.Bits())
		if d.asBool {
			bits = 1
		}
	}
	x := element{g.konst(t, bits)}
	if d.it != scalar.NoType {
		x[1] = g.konst(d.it, 0)
	}
	return x
}

func least(t scalar.Type) uint64 {
	switch {
	case t == scalar.F32:
		return f32(float32(math.Inf(-1)))
	case t == scalar.F64:
		return f64(math.Inf(-1))
	case t.IsSigned():
		return 1 << (t.Bits() - 1)
	}
	return 0
}

func greatest(t scalar.Type) uint64 {
	switch {
	case t == scalar.F32:
		return f32(float32(math.Inf(1)))
	case t == scalar.F64:
		return f64(math.Inf(1))
	case t == scalar.Bool:
		return 1
	case t.IsSigned():
		return 1<<(t.Bits()-1) - 1
	}
	return ^uint64(0) >> (64 - t.Bits())
}

var foldOps = [...]scalar.Op{ir.Sum: scalar.OpAdd, ir.Prod: scalar.OpMul, ir.Max: scalar.OpMax, ir.Min: scalar.OpMin,
	ir.And: scalar.OpAnd, ir.Or: scalar.OpOr, ir.Xor: scalar.OpXor}

func (d folder) apply(op scalar.Op, x, y value) value {
	if d.t.IsFloat() {
		return d.floatOp(op, x, y, value{})
	}
	return d.intOp(op, x, y)
}

// two returns x ∘ y.
func (d folder) two(x, y element) element {
	switch d.op {
	case ir.ComplexProd:
		mul := func(a, b value) value { return d.apply(scalar.OpMul, a, b) }
		return element{
			d.apply(scalar.OpSub, mul(x[0], y[0]), mul(x[1], y[1])),
			d.apply(scalar.OpAdd, mul(x[0], y[1]), mul(x[1], y[0])),
		}
	case ir.ArgMax, ir.ArgMin:
		take := d.better(x, y)
		return element{d.choose(take, y[0], x[0]), d.choose(take, y[1], x[1])}
	}
	return element{d.apply(foldOps[d.op], x[0], y[0])}
}

// better returns where ArgMax or ArgMin takes y: a NaN before numbers, of equals the lower index.
func (d folder) better(x, y element) value {
	g := d.gen
	beats := g.compare(scalar.OpLt, x[0], y[0])
	if d.op == ir.ArgMin {
		beats = g.compare(scalar.OpLt, y[0], x[0])
	}
	equal := g.compare(scalar.OpEq, x[0], y[0])
	lower := g.compare(scalar.OpLt, y[1], x[1])
	if d.t.IsFloat() {
		xn, yn := g.unordered(x[0], x[0]), g.unordered(y[0], y[0])
		equal = g.logic(scalar.OpOr, equal, g.logic(scalar.OpAnd, xn, yn))
		beats = g.logic(scalar.OpOr, beats, g.logic(scalar.OpLt, xn, yn)) // y is NaN and x is not
		// A number never beats a NaN: comparisons with NaN are false.
	}
	return g.logic(scalar.OpOr, beats, g.logic(scalar.OpAnd, equal, lower))
}

// later is two for ArgMax and ArgMin where the index of y is above that of x: y has to be
// better, or the first NaN. A lane that starts with the worst value at its first index
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
		if acc[i].t == scalar.Bool && d.isa == AVX2 {
			x[i] = d.width(x[i], int(acc[i].w))
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
