package device_test

import (
	"math/rand/v2"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
)

// wideGen draws operations on the values of a pool.
type wideGen struct {
	r     *rand.Rand
	pool  []weft.Array
	sizes []int // of axes
	limit int   // elements of an array
}

// wideSizes are sizes of axes, close to those of vectors, warps, groups, tiles, chunks and blocks.
var wideSizes = []int{2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 47, 63, 64, 65, 96, 100, 127, 128, 129, 255, 256, 257, 300, 511, 512, 513, 1000, 1023, 1024, 1025,
	2047, 2048, 2049, 4095, 4096, 4097, 5000, 8191, 8193, 16385}

// drawSizes chooses the sizes of a program: few, so that shapes fit.
func (g *wideGen) drawSizes() {
	for range 2 + g.r.IntN(3) {
		k := g.r.IntN(len(wideSizes))
		if g.r.IntN(2) == 0 {
			k = g.r.IntN(20)
		}
		g.sizes = append(g.sizes, min(wideSizes[k], g.limit))
	}
	g.sizes = append(g.sizes, 1, 2+g.r.IntN(3))
	switch g.r.IntN(60) {
	case 0:
		g.sizes = append(g.sizes, 0)
	case 1:
		g.sizes, g.limit = append(g.sizes, 65537), 1<<17
	}
}

func (g *wideGen) size() int { return g.sizes[g.r.IntN(len(g.sizes))] }

var wideTypes = []core.DType{core.Float64, core.Float64, core.BFloat16, core.Float16, core.Int32, core.Int32, core.Int8, core.Uint8, core.Uint16, core.Int16, core.Int64, core.Uint32, core.Uint64,
	core.Bool, core.Complex64, core.Complex128}

func (g *wideGen) dtype() core.DType {
	if g.r.IntN(2) == 0 {
		return core.Float32
	}
	return wideTypes[g.r.IntN(len(wideTypes))]
}

// drawShape draws a shape of at most the limit's elements.
func (g *wideGen) drawShape() []int {
	rank := []int{0, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 4, 5, 6, 8}[g.r.IntN(16)]
	shape, n := make([]int, rank), 1
	for i := range shape {
		s := g.size()
		for range 4 {
			if n*s > g.limit {
				s = g.size()
			}
		}
		if n*s > g.limit {
			s = 1
		}
		shape[i] = s
		n *= max(s, 1)
	}
	g.r.Shuffle(rank, func(i, j int) { shape[i], shape[j] = shape[j], shape[i] })
	return shape
}

func (g *wideGen) drawType() core.ShapedArray { return core.Aval(g.dtype(), g.drawShape()...) }

// add adds values to the pool, and panics with an error if one is too large.
func (g *wideGen) add(xs ...weft.Array) {
	for _, x := range xs {
		if x.Size() > 2*g.limit {
			panic(errTooLarge)
		}
	}
	g.pool = append(g.pool, xs...)
}

// pick returns a value of the pool, most often a late one.
func (g *wideGen) pick() weft.Array {
	n := len(g.pool)
	if g.r.IntN(2) == 0 {
		return g.pool[n-1-g.r.IntN(min(n, 3))]
	}
	return g.pool[g.r.IntN(n)]
}

// pickIf returns a value for which ok holds; without one it panics with an error.
func (g *wideGen) pickIf(ok func(x weft.Array) bool) weft.Array {
	for range 10 {
		if x := g.pick(); ok(x) {
			return x
		}
	}
	panic(errTooLarge)
}

func (g *wideGen) float() weft.Array {
	x := g.pick()
	switch {
	case x.DType().IsFloat():
		return x
	case x.DType().IsComplex():
		return x.Real()
	}
	return x.AsType(core.Float32)
}

// ranked returns a value with at least n axes, and not empty.
func (g *wideGen) ranked(n int) weft.Array {
	return g.pickIf(func(x weft.Array) bool { return x.Rank() >= n && x.Size() > 0 })
}

// axes draws some axes of a value, at least one.
func (g *wideGen) axes(x weft.Array) []int {
	p := g.r.Perm(x.Rank())
	return p[:1+g.r.IntN(len(p))]
}

// fit returns a value of a shape, made from a value of the pool if possible.
func (g *wideGen) fit(shape []int) weft.Array {
	n := core.MakeDims(shape...).Size()
	for range 6 {
		y := g.pick()
		switch {
		case core.MakeDims(y.Shape()...) == core.MakeDims(shape...):
			return y
		case broadcasts(y.Shape(), shape):
			return y.BroadcastTo(shape...)
		case y.Size() >= n && n > 0 && g.r.IntN(2) == 0:
			from := g.r.IntN(y.Size() - n + 1)
			return y.Reshape(-1).Index(weft.R(from, from+n)).Reshape(shape...)
		case y.Size() > 0 && g.r.IntN(3) == 0 && y.Rank() > 0:
			if len(shape) > 0 {
				axis := g.r.IntN(len(shape))
				if at := indexOf(y.Shape(), shape[axis]); at >= 0 { // a reduction that lies along an axis
					var others []int
					for i := range y.Rank() {
						if i != at {
							others = append(others, i)
						}
					}
					if len(others) > 0 && !y.DType().IsComplex() {
						y = y.Max(others...)
					} else if len(others) > 0 {
						y = y.Sum(others...)
					}
					along := make([]int, len(shape))
					for i := range along {
						along[i] = 1
					}
					along[axis] = shape[axis]
					return y.Reshape(along...).BroadcastTo(shape...)
				}
			}
			return y.Sum().BroadcastTo(shape...)
		}
	}
	x := weft.Iota(core.Float32, 0, n).Reshape(shape...)
	return x.Mul(0.37).Sub(3)
}

// fitType returns a value of a shape and a type.
func (g *wideGen) fitType(shape []int, dt core.DType) weft.Array { return toType(g.fit(shape), dt) }

func toType(x weft.Array, dt core.DType) weft.Array {
	if x.DType().IsComplex() && !dt.IsComplex() {
		x = x.Real()
	}
	return x.AsType(dt)
}

func indexOf(shape []int, n int) int {
	for i, s := range shape {
		if s == n {
			return i
		}
	}
	return -1
}

func broadcasts(from, to []int) bool {
	if len(from) > len(to) {
		return false
	}
	to = to[len(to)-len(from):]
	for i, n := range from {
		if n != 1 && n != to[i] {
			return false
		}
	}
	return true
}
