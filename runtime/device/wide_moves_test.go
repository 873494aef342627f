package device_test

import (
	"slices"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lax"
)

func sorted(xs []int) []int { s := slices.Clone(xs); slices.Sort(s); return s }

func (g *wideGen) reshape() {
	x := g.pick()
	var shape []int
	switch rest := x.Size(); {
	case rest == 0 || g.r.IntN(3) == 0:
		shape = []int{rest}
	default:
		for range g.r.IntN(4) {
			s := g.size()
			if s > 0 && rest%s == 0 {
				shape, rest = append(shape, s), rest/s
			}
		}
		for p := 2; p < 4 && g.r.IntN(2) == 0; p++ {
			if rest%p == 0 {
				shape, rest = append(shape, p), rest/p
			}
		}
		shape = append(shape, rest)
	}
	g.add(x.Reshape(shape...))
}

func (g *wideGen) slice() {
	x := g.ranked(1)
	n := x.Rank()
	start, limit, strides := make([]int, n), slices.Clone([]int(x.Shape())), slices.Repeat([]int{1}, n)
	for _, a := range g.axes(x) {
		start[a] = g.r.IntN(min(x.Dim(a), 5))
		limit[a] = max(start[a], x.Dim(a)-g.r.IntN(5))
		strides[a] = 1 + g.r.IntN(3)
	}
	g.add(lax.Slice(x, start, limit, strides))
}

func (g *wideGen) pad() {
	x := g.ranked(1)
	config := make([][3]int, x.Rank())
	for _, a := range g.axes(x) {
		config[a] = [3]int{g.r.IntN(6) - 2, g.r.IntN(6) - 2, g.r.IntN(2)}
	}
	g.add(lax.Pad(x, toType(weft.Scalar(float32(1)), x.DType()), config...))
}

func (g *wideGen) concat() {
	x := g.ranked(1)
	axis := g.r.IntN(x.Rank())
	all := []weft.Array{x}
	for range 1 + g.r.IntN(3) {
		shape := slices.Clone([]int(x.Shape()))
		if g.r.IntN(2) == 0 {
			shape[axis] = g.size()
		}
		all = append(all, g.fitType(shape, x.DType()))
	}
	if g.r.IntN(3) == 0 {
		for i, y := range all {
			all[i] = g.fitType(x.Shape(), x.DType())
			if core.MakeDims(y.Shape()...) == core.MakeDims(x.Shape()...) {
				all[i] = y
			}
		}
		g.add(weft.Stack(g.r.IntN(x.Rank()+1), all...))
		return
	}
	g.r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	g.add(weft.Concat(axis, all...))
}

// indices returns an i32 array of numbers, most of them below n.
func (g *wideGen) indices(n int, shape ...int) weft.Array {
	x := g.fitType(shape, core.Float32)
	i := weft.Abs(weft.Clip(x.Mul(float64(1+g.r.IntN(n+1))/3), -1e6, 1e6)).AsType(core.Int32)
	if g.r.IntN(4) > 0 {
		i = i.Rem(max(n, 1))
	}
	return i
}

func (g *wideGen) take() {
	x := g.ranked(1)
	axis := g.r.IntN(x.Rank())
	switch g.r.IntN(3) {
	case 0:
		shape := slices.Clone([]int(x.Shape()))
		shape[axis] = g.size()
		g.add(weft.TakeAlongAxis(x, g.indices(x.Dim(axis), shape...), axis))
	case 1:
		g.add(weft.Take(x, g.indices(x.Dim(axis), g.size(), 2), axis))
	default:
		if x.Size()/x.Dim(axis)*g.size() > g.limit {
			panic(errTooLarge)
		}
		g.add(weft.Take(x, g.indices(x.Dim(axis), g.size()), axis))
	}
}

// starts returns the indices at which a window of an array begins.
func (g *wideGen) starts(x weft.Array) []weft.Array {
	at := make([]weft.Array, x.Rank())
	for i := range at {
		at[i] = g.indices(x.Dim(i))
	}
	return at
}

// part draws sizes of a part of an array.
func (g *wideGen) part(x weft.Array) []int {
	sizes := slices.Clone([]int(x.Shape()))
	for _, a := range g.axes(x) {
		sizes[a] = 1 + g.r.IntN(sizes[a])
	}
	return sizes
}

func (g *wideGen) dynamicSlice() {
	x := g.ranked(1)
	g.add(lax.DynamicSlice(x, g.starts(x), g.part(x)...))
}

func (g *wideGen) dynamicUpdate() {
	x := g.ranked(1)
	g.add(lax.DynamicUpdateSlice(x, g.fitType(g.part(x), x.DType()), g.starts(x)))
}

func (g *wideGen) scatter() {
	x := g.ranked(1)
	if x.DType() == core.Bool {
		x = x.AsType(core.Int32)
	}
	rows := []int{g.size()}
	shape := append(slices.Clone(rows), x.Shape()[1:]...)
	if core.MakeDims(shape...).Size() > g.limit {
		shape[0], rows[0] = 3, 3
	}
	updates := g.fitType(shape, x.DType())
	at := x.At(g.indices(x.Dim(0), rows...))
	if x.Rank() > 1 && g.r.IntN(3) == 0 { // elements, not rows
		at = x.At(g.indices(x.Dim(0), rows...), g.indices(x.Dim(1), rows...))
		updates = g.fitType(append(slices.Clone(rows), x.Shape()[2:]...), x.DType())
	}
	switch g.r.IntN(5) {
	case 0:
		g.add(at.Set(updates))
	case 1:
		if x.DType().IsComplex() {
			panic(errTooLarge)
		}
		g.add(at.Max(updates))
	case 2:
		g.add(at.Mul(updates))
	default:
		g.add(at.Add(updates))
	}
}
