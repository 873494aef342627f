package device_test

import (
	"math/rand/v2"
	"slices"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
)

// control draws a loop or branches, whose bodies use values of the pool.
func (g *wideGen) control(depth int) {
	switch g.r.IntN(7) {
	case 0:
		g.cond(depth)
	case 1, 2:
		g.scan(depth)
	case 3, 4:
		g.while(depth)
	default:
		g.forI(depth)
	}
}

// body applies operations to the pool and params, and returns values of the types of like: some unchanged, some
// exchanged, equal or captured. A body may be traced more than once; the seed makes it the same each time.
func (g *wideGen) body(seed uint64, depth int, params, like []weft.Array) []weft.Array {
	b := &wideGen{r: rand.New(rand.NewPCG(seed, 0)), pool: append(slices.Clone(g.pool), params...), sizes: g.sizes, limit: g.limit}
	for range b.r.IntN(4) {
		b.step(depth - 1)
	}
	outs := make([]weft.Array, len(like))
	for i, x := range like {
		same := slices.DeleteFunc(slices.Clone(b.pool), func(y weft.Array) bool {
			return y.DType() != x.DType() || !slices.Equal(y.Shape(), x.Shape())
		})
		switch b.r.IntN(8) {
		case 0, 1: // another value of the type
			if len(same) > 0 {
				outs[i] = same[b.r.IntN(len(same))]
				continue
			}
			fallthrough
		case 2: // in place
			if x.Rank() > 0 && x.Size() > 0 {
				outs[i] = toType(x.At(b.indices(x.Dim(0))).Set(b.fitType(x.Shape()[1:], x.DType())), x.DType())
				continue
			}
			fallthrough
		case 3:
			outs[i] = toType(b.fit(x.Shape()), x.DType())
		default:
			y := b.fit(x.Shape())
			if x.DType() == core.Bool {
				outs[i] = x.Xor(toType(y, core.Bool))
			} else {
				outs[i] = toType(x.Mul(toType(weft.Scalar(float32(0.5)), x.DType())).Add(toType(y, x.DType())), x.DType())
			}
		}
	}
	return outs
}

// carried draws values that a loop carries: of the pool, some of them twice.
func (g *wideGen) carried() []weft.Array {
	var init []weft.Array
	for range 1 + g.r.IntN(3) {
		x := g.pick()
		init = append(init, x)
		if g.r.IntN(5) == 0 {
			init = append(init, x)
		}
	}
	return init
}

func (g *wideGen) cond(depth int) {
	like := g.carried()
	pred := g.float().Sum().Gt(0)
	seed := g.r.Uint64()
	g.add(weft.Cond(pred, func() []weft.Array { return g.body(seed, depth, like, like) }, func() []weft.Array { return g.body(seed+1, depth, like, like) })...)
}

func (g *wideGen) forI(depth int) {
	seed := g.r.Uint64()
	g.add(weft.ForI([]int{0, 1, 2, 3, 5, 9}[g.r.IntN(6)], func(i weft.Array, c []weft.Array) []weft.Array {
		h := *g
		h.pool = append(slices.Clone(g.pool), i)
		return h.body(seed, depth, c, c)
	}, g.carried())...)
}

func (g *wideGen) while(depth int) {
	type state struct {
		N weft.Array
		C []weft.Array
	}
	n := g.r.IntN(7)
	bound := g.r.IntN(2) * 30
	seed := g.r.Uint64()
	s := weft.While(func(s state) weft.Array {
		more := s.N.Lt(n)
		if bound > 0 {
			more = more.And(toType(s.C[0], core.Float32).Sum().Lt(float64(bound)))
		}
		return more
	}, func(s state) state {
		return state{s.N.Add(1), g.body(seed, depth, s.C, s.C)}
	}, state{weft.Scalar(int32(0)), g.carried()})
	g.add(s.C...)
}

func (g *wideGen) scan(depth int) {
	n := 1 + g.r.IntN(6)
	var xs []weft.Array
	for range g.r.IntN(3) {
		if x := g.pick(); x.Rank() > 0 && x.Dim(0) > 0 && x.Dim(0) < 20 {
			n = x.Dim(0)
		}
	}
	for range 1 + g.r.IntN(2) {
		shape := append([]int{n}, g.drawShape()...)
		if core.MakeDims(shape...).Size() > g.limit {
			shape = shape[:1]
		}
		xs = append(xs, g.fit(shape))
	}
	seed := g.r.Uint64()
	var opts []weft.ScanOption
	if g.r.IntN(3) == 0 {
		opts = append(opts, weft.Reverse())
	}
	c, ys := weft.Scan(func(c, x []weft.Array) ([]weft.Array, []weft.Array) {
		next := g.body(seed, depth, append(slices.Clone(c), x...), c)
		h := *g
		h.r = rand.New(rand.NewPCG(seed, 1))
		h.pool = append(append(slices.Clone(g.pool), c...), next...)
		return next, []weft.Array{h.pick(), h.fit(c[0].Shape())}
	}, g.carried(), xs, opts...)
	g.add(c...)
	g.add(ys...)
}
