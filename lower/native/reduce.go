package native

import (
	"slices"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// risingIndex returns the statement that computes a fold's index, if the index rises along the reduced axis,
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

func (g *Gen) reduce(s *ir.Reduce) {
	if g.listing {
		g.comment("reduce a%d %v", s.Axis, s.Order)
	}
	if g.Lanes.One() && straight(s.Body) {
		leading := g.leading
		defer func() { g.leading = leading }()
		g.leading = g.reducedLoads(s)
		switch {
		case s.Order == ir.Any:
			if x := g.bytesOf(s); x != ir.NoRef {
				g.reduceBytes(s, x)
				return
			}
			g.reduceAny(s)
			return
		case s.Order == ir.Lanes && g.canLanes(s):
			g.reduceLanes(s)
			return
		}
	}
	g.reduceInOrder(s)
}

func (g *Gen) startFolds(s *ir.Reduce) (ds []folder, accs []element) {
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
func (g *Gen) noIndex(ds []folder, accs []element) {
	for i, d := range ds {
		switch d.op {
		case ir.ArgMax:
			d.assign(accs[i][0], d.Splat(d.t, ir.Least(d.t)))
		case ir.ArgMin:
			d.assign(accs[i][0], d.Splat(d.t, ir.Greatest(d.t)))
		default:
			continue
		}
		d.assign(accs[i][1], d.Splat(d.it, ir.Greatest(d.it)))
	}
}

// reduceAny writes a reduction in any order, whose elements are combined side by side.
func (g *Gen) reduceAny(s *ir.Reduce) {
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
	l.U = max(l.U, g.model.SumCopies)
	for e.isConst() && l.U > 1 && int64(l.N*l.U) > e.n {
		l.U /= 2
	}
	i := g.NewG()
	g.Put(Inst{Op: Const, D: i})
	g.axes[s.Axis] = axis{i, len(g.scopes)}
	most := make([]*extremes, len(ds))
	for j, d := range ds {
		most[j] = g.extremesOf(d, l)
	}
	accs := make([]element, len(ds))
	rises := make([]bool, len(ds))
	g.withLanes(&l, s.Axis, func() {
		if slices.Contains(most, nil) {
			_, accs = g.startFolds(s)
		}
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
			switch {
			case !g.Lanes.One() && most[j] != nil:
				most[j].add(x[0])
			case rises != nil && rises[j]:
				ds[j].set(accs[j], ds[j].later(accs[j], x))
			default:
				ds[j].update(accs[j], x)
			}
		}
	}
	g.wholeVectors(s.Axis, i, e, &l, func() { body(accs, rises) })
	whole := e.isConst() && e.n%int64(l.N*l.U) == 0
	if !whole {
		done := g.newLabel()
		g.branchExtent(Ge, i, e, done)
		g.rest(s.Axis, i, e, &l, func() {
			if g.Lanes.One() {
				body(results, nil)
				return
			}
			g.block(s.Body, foldRefs(s.Folds)...)
			mask := Value{T: scalar.Bool, R: g.Lanes.Mask}
			for j, f := range s.Folds {
				x := ds[j].element(f)
				if most[j] != nil {
					most[j].add(g.Choose(mask, x[0], ds[j].identity()[0]))
				} else {
					ds[j].updateMasked(accs[j].copy(g, 0), x, mask)
				}
			}
		})
		g.bind(done)
	}
	for j, d := range ds {
		var x element
		if most[j] != nil {
			x = most[j].result()
		} else {
			x = g.across(d, accs[j], l)
		}
		if most[j] == nil || !whole && !g.model.Masks {
			x = d.two(results[j], x)
		}
		d.set(results[j], x)
	}
	g.bind(end)
	for j, f := range s.Folds {
		ds[j].bind(f, results[j])
	}
}

// across combines the lanes of an accumulator by halves: lane i with lane i + half.
func (g *Gen) across(d folder, x element, l lanes) element {
	// Registers first.
	for n := l.U; n > 1; n /= 2 {
		half := lanes{N: l.N, U: n / 2}
		g.withLanes(&half, ir.NoAxis, func() {
			var a, b element
			for i := range x {
				if k := len(x[i].R); k > 0 {
					a[i], b[i] = x[i], x[i]
					a[i].R, b[i].R = x[i].R[:k/2], x[i].R[k/2:]
				}
			}
			x = d.two(a, b)
		})
	}
	for n := l.N; n > 1; n /= 2 {
		half := lanes{N: n / 2, U: 1}
		g.withLanes(&half, ir.NoAxis, func() {
			var a, b element
			for i := range x {
				k := len(x[i].R)
				if k == 0 {
					continue
				}
				a[i], b[i] = x[i], x[i]
				if k > 1 {
					a[i].R, b[i].R = x[i].R[:k/2], x[i].R[k/2:]
					continue
				}
				b[i].R = []VReg{g.UpperLanes(x[i], n/2)}
			}
			x = d.two(a, b)
		})
	}
	return x
}
