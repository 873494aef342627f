package amd64

import (
	"math"

	"github.com/weft-go/weft/lower/kernel/ir"
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

// risingIndex returns the statement of a fold's index if that rises along the reduced axis,
// else nil.
func risingIndex(s *ir.Reduce, f ir.Fold) *ir.Index {
	if f.Op != ir.ArgMax && f.Op != ir.ArgMin {
		return nil
	}
	for _, x := range s.Body {
		x, ok := x.(*ir.Index)
		if !ok || x.Dst != f.Second {
			continue
		}
		rises := false
		for _, t := range x.Terms {
			if t.Axis == s.Axis {
				if !t.Coeff.IsConst() || t.Coeff.Value <= 0 || rises {
					return nil
				}
				rises = true
			}
		}
		if rises {
			return x
		}
	}
	return nil
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

// straight reports whether a block is operations and loads only.
func straight(b ir.Block) bool {
	for _, s := range b {
		switch s.(type) {
		case *ir.Let, *ir.Index, *ir.Load:
		default:
			return false
		}
	}
	return true
}

func foldRefs(fs []ir.Fold) []ir.Ref {
	var rs []ir.Ref
	for _, f := range fs {
		rs = append(rs, f.Value)
		if f.Second != ir.NoRef {
			rs = append(rs, f.Second)
		}
	}
	return rs
}

// reduce writes a reduction.
func (g *gen) reduce(s *ir.Reduce) {
	if g.listing {
		g.comment("reduce a%d %v", s.Axis, s.Order)
	}
	if g.cx.one() && straight(s.Body) {
		switch {
		case s.Order == ir.Any:
			g.reduceAny(s)
			return
		case s.Order == ir.Lanes && g.canLanes(s):
			g.reduceLanes(s)
			return
		}
	}
	g.reduceInOrder(s)
}

// startFolds returns the accumulators of a reduction, with their identities.
func (g *gen) startFolds(s *ir.Reduce) (ds []folder, accs []element) {
	for _, f := range s.Folds {
		d := g.folderOf(f)
		x := d.identity()
		ds = append(ds, d)
		accs = append(accs, d.variable(x))
	}
	return ds, accs
}

// noIndex makes the accumulators of ArgMax and ArgMin lose to every element: the worst value
// with an index larger than all others.
func (g *gen) noIndex(ds []folder, accs []element) {
	for i, d := range ds {
		switch d.op {
		case ir.ArgMax:
			d.assign(accs[i][0], d.konst(d.t, least(d.t)))
		case ir.ArgMin:
			d.assign(accs[i][0], d.konst(d.t, greatest(d.t)))
		default:
			continue
		}
		d.assign(accs[i][1], d.konst(d.it, greatest(d.it)))
	}
}

// reduceAny reduces side by side in any order.
func (g *gen) reduceAny(s *ir.Reduce) {
	ds, results := g.startFolds(s)
	e := g.extentOf(s.Extent, s.Tail)
	end := g.newLabel()
	if g.skipIfEmpty(e, end) {
		for i, f := range s.Folds {
			ds[i].bind(f, results[i])
		}
		return
	}
	l := g.lanesFor(s.Body)
	if l.u == 1 && g.isa == AVX512 {
		l.u = 2
	}
	for e.isConst() && l.u > 1 && int64(l.n*l.u) > e.n {
		l.u /= 2
	}
	i := g.newG()
	g.put(minst{op: MovI, d: i})
	g.axes[s.Axis] = axis{i, len(g.scopes)}
	var accs []element
	rises := make([]bool, len(ds))
	g.withLanes(&l, s.Axis, func() {
		_, accs = g.startFolds(s)
		g.noIndex(ds, accs)
		for j, f := range s.Folds {
			if x := risingIndex(s, f); x != nil {
				rises[j] = true
				ds[j].assign(accs[j][1], g.index(ds[j].it, x.Base, x.Terms))
			}
		}
	})
	g.noIndex(ds, results)
	body := func(accs []element, rises []bool) {
		g.block(s.Body, foldRefs(s.Folds)...)
		for j, f := range s.Folds {
			x := ds[j].element(f)
			if rises != nil && rises[j] {
				ds[j].set(accs[j], ds[j].later(accs[j], x))
			} else {
				ds[j].update(accs[j], x)
			}
		}
	}
	g.wholeVectors(s.Axis, i, e, &l, func() { body(accs, rises) })
	if !e.isConst() || e.n%int64(l.n*l.u) != 0 {
		done := g.newLabel()
		g.cmpExtent(i, e)
		g.jump(Jge, done)
		g.rest(s.Axis, i, e, &l, func() {
			if g.cx.one() {
				body(results, nil)
				return
			}
			g.block(s.Body, foldRefs(s.Folds)...)
			mask := value{t: scalar.Bool, r: g.cx.mask}
			for j, f := range s.Folds {
				ds[j].updateMasked(accs[j].copy(g, 0), ds[j].element(f), mask)
			}
		})
		g.bind(done)
	}
	for j, d := range ds {
		x := g.across(d, accs[j], l)
		d.set(results[j], d.two(results[j], x))
	}
	g.bind(end)
	for j, f := range s.Folds {
		ds[j].bind(f, results[j])
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

// across combines the lanes of an accumulator by halves: lane i with lane i + half.
func (g *gen) across(d folder, x element, l lanes) element {
	// Registers first.
	for n := l.u; n > 1; n /= 2 {
		half := lanes{n: l.n, u: n / 2}
		g.withLanes(&half, ir.NoAxis, func() {
			var a, b element
			for i := range x {
				if k := len(x[i].r); k > 0 {
					a[i], b[i] = x[i], x[i]
					a[i].r, b[i].r = x[i].r[:k/2], x[i].r[k/2:]
				}
			}
			x = d.two(a, b)
		})
	}
	for n := l.n; n > 1; n /= 2 {
		half := lanes{n: n / 2, u: 1}
		g.withLanes(&half, ir.NoAxis, func() {
			var a, b element
			for i := range x {
				k := len(x[i].r)
				if k == 0 {
					continue
				}
				a[i], b[i] = x[i], x[i]
				if k > 1 {
					a[i].r, b[i].r = x[i].r[:k/2], x[i].r[k/2:]
					continue
				}
				b[i].r = []vreg{g.upperLanes(x[i], n/2)}
			}
			x = d.two(a, b)
		})
	}
	return x
}

// upperLanes returns the lanes of a value of one register from a number on.
func (g *gen) upperLanes(x value, from int) vreg {
	switch {
	case x.t != scalar.Bool:
		return g.chunk(x.r[0], from*x.t.Size())
	case g.isa == AVX2:
		return g.chunk(x.r[0], from*int(x.w))
	}
	op := Kshiftrw
	switch {
	case from > 16:
		op = Kshiftrq
	case from > 8:
		op = Kshiftrd
	}
	d := g.newK()
	g.put(minst{op: op, d: d, b: x.r[0], imm: int64(from)})
	return d
}
