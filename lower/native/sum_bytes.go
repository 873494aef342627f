package native

import (
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// A ByteSumTarget is a [Target] with an instruction that adds bytes which lie beside each other.
type ByteSumTarget interface {
	SumBytes(x Value) Value // for each eight neighbours of the U8 x: their sum in the first four bytes, zeros in the others
}

// bytesOf returns the U8 that a reduction adds up as integers of 4 bytes, NoRef if it does anything else, or
// so few elements that they do not fill a vector.
func (g *Gen) bytesOf(s *ir.Reduce) ir.Ref {
	if _, ok := g.Target.(ByteSumTarget); !ok || len(s.Folds) != 1 || s.Folds[0].Op != ir.Sum || len(s.Body) == 0 || s.Tail != nil || !s.Extent.IsConst() || s.Extent.Value < int64(g.model.VectorBytes) {
		return ir.NoRef
	}
	last := len(s.Body) - 1
	x, ok := s.Body[last].(*ir.Let)
	if !ok || x.Dst != s.Folds[0].Value || x.Inst.Op != scalar.OpConvert || !x.Inst.Type.IsInt() || x.Inst.Type.Size() != 4 || g.k.Types[x.Inst.Args[0]] != scalar.U8 {
		return ir.NoRef
	}
	for _, s := range s.Body[:last] { // wider values would take several registers
		switch s := s.(type) {
		case *ir.Let:
			ok = ok && s.Inst.Type.Size() == 1
		case *ir.Load:
			ok = ok && g.k.Types[s.Dst].Size() == 1
		default:
			return ir.NoRef
		}
	}
	if !ok {
		return ir.NoRef
	}
	return x.Inst.Args[0]
}

// reduceBytes writes the sum of the bytes x.
func (g *Gen) reduceBytes(s *ir.Reduce, x ir.Ref) {
	ds, results := g.startFolds(s)
	d, e := ds[0], g.extentOf(s.Extent, s.Tail)
	l := lanes{N: g.model.VectorBytes, U: 4}
	for int64(l.N*l.U) > e.n {
		l.U /= 2
	}
	sums := lanes{N: l.N / 4, U: l.U}
	i := g.NewG()
	g.Put(Inst{Op: Const, D: i})
	g.axes[s.Axis] = axis{i, len(g.scopes)}
	var accs []element
	g.withLanes(&sums, s.Axis, func() { _, accs = g.startFolds(s) })
	add := func(y Value) {
		y = g.Target.(ByteSumTarget).SumBytes(y)
		y.T = d.t
		sums := lanes{N: sums.N, U: len(y.R)}
		g.withLanes(&sums, ir.NoAxis, func() {
			acc := accs[0]
			acc[0].R = acc[0].R[:len(y.R)]
			d.update(acc, element{y})
		})
	}
	before := s.Body[:len(s.Body)-1]
	g.wholeVectors(s.Axis, i, e, &l, func() {
		g.block(before, x)
		add(g.get(x))
	})
	if e.n%int64(l.N*l.U) != 0 {
		done := g.newLabel()
		g.branchExtent(Ge, i, e, done)
		g.rest(s.Axis, i, e, &l, func() {
			if g.Lanes.One() {
				g.block(s.Body, s.Folds[0].Value)
				d.update(results[0], d.element(s.Folds[0]))
				return
			}
			g.block(before, x)
			add(g.Choose(Value{T: scalar.Bool, R: g.Lanes.Mask}, g.get(x), g.Num(scalar.U8, 0)))
		})
		g.bind(done)
	}
	d.set(results[0], d.two(results[0], g.across(d, accs[0], sums)))
	d.bind(s.Folds[0], results[0])
}
