package fuse

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
)

// leastBeside is the least number of elements of the last axis for which each element looks at
// its window. Windows do not extend along that axis.
const leastBeside = 8

// besideEachOther reports whether each element of the result may look at the window that
// contains it; otherwise windows scatter. Elements of the last axis must lie side by side in
// vectors, and windows must not overlap, so that an element looks at one window only. Padding
// must not remove the first elements, which no block would contain. The blocks of an axis
// must not have more than twice its elements.
func (c *chooser) besideEachOther() bool {
	last := c.in.Len() - 1
	if last < 0 || c.in.At(last) < leastBeside || !c.whole(last) {
		return false
	}
	for d := range c.in.Len() {
		stride := c.window.Strides.At(d)
		if c.window.Padding.At(2*d) < 0 || c.window.Dims.At(d) > stride || stride > 2*c.in.At(d) || c.blocks(d)*stride > 2*c.in.At(d) {
			return false
		}
	}
	return true
}

// blocks returns the number of blocks of an axis: see collect.
func (c *chooser) blocks(d int) int {
	if c.whole(d) {
		return c.in.At(d)
	}
	return (c.in.At(d)+c.window.Padding.At(2*d)-1)/c.window.Strides.At(d) + 1
}

// whole reports whether windows and elements of an axis correspond one to one: size 1, stride 1, no padding.
func (c *chooser) whole(d int) bool {
	w := c.window
	return w.Dims.At(d) == 1 && w.Strides.At(d) == 1 && w.Padding.At(2*d) == 0 && w.Padding.At(2*d+1) == 0
}

// collect takes, for each element, the source of the window that contains it if the window
// chooses it. An axis that is not whole becomes two: blocks of as many elements as windows are
// apart, and the element in its block.
func (c *chooser) collect() {
	rank := c.in.Len()
	w, base := c.window, wide(c.e.Outs[0].Type.DType)
	var wideShape, blocks, at, radix []int // shape of the divided array; by axis: number of blocks, their axis there, factor in a code
	for d := range rank {
		n := c.blocks(d)
		at, blocks, wideShape = append(at, len(wideShape)), append(blocks, n), append(wideShape, n)
		if !c.whole(d) {
			wideShape = append(wideShape, w.Strides.At(d))
		}
	}
	radix = make([]int, rank)
	codes := 1
	for d := rank - 1; d >= 0; d-- {
		radix[d] = codes
		codes *= w.Strides.At(d)
	}
	number := func(k int) core.Literal { return core.Lit(core.IntNumber(int64(k)), core.Int32) }
	code := func(t []int) (k int) {
		for d := range t {
			k += t[d] * radix[d]
		}
		return k
	}
	shape := core.MakeDims(wideShape...)
	chosen := c.p.stored(c.choose(number(-1), func(t []int) jaxpr.Atom { return c.spread(number(code(t))) }))
	source := c.p.stored(c.p.converted(c.e, c.e.Ins[0], base))
	var own jaxpr.Atom // code of an element's position in its block
	for d := range rank {
		if c.whole(d) || w.Strides.At(d) == 1 {
			continue
		}
		i := c.apply(prim.MulP{}, c.apply(prim.IotaP{DType: core.Int32, Shape: shape, Dimension: at[d] + 1}), number(radix[d]))
		if own != nil {
			i = c.apply(prim.AddP{}, own, i)
		}
		own = i
	}
	if own == nil {
		own = c.apply(prim.BroadcastInDimP{Shape: shape}, number(0))
	}
	var config []int
	pads := false
	for d := range rank {
		more := blocks[d] - c.out.At(d)
		config = append(config, 0, more, 0)
		pads = pads || more != 0
	}
	// moved returns, for each element, the value in x of the window that contains it.
	moved := func(x jaxpr.Atom, none core.Literal) jaxpr.Atom {
		if pads {
			x = c.apply(prim.PadP{Config: core.MakeDims(config...)}, x, none)
		}
		return c.apply(prim.BroadcastInDimP{Shape: shape, Dims: core.MakeDims(at...)}, x)
	}
	zero := core.Lit(core.IntNumber(0), base)
	hit := c.apply(prim.EqP{}, moved(chosen, number(-1)), own)
	zeros := c.apply(prim.BroadcastInDimP{Shape: shape}, zero)
	sum := c.apply(prim.AddP{}, zeros, moved(source, zero)) // −0 becomes +0
	acc := c.p.stored(c.apply(prim.SelectNP{}, hit, zeros, sum))
	var merged, start, limit, one []int
	for d := range rank {
		n, first := blocks[d], 0
		if !c.whole(d) {
			n, first = blocks[d]*w.Strides.At(d), w.Padding.At(2*d)
		}
		merged, start, limit, one = append(merged, n), append(start, first), append(limit, first+c.in.At(d)), append(one, 1)
	}
	y := c.apply(prim.ReshapeP{Shape: core.MakeDims(merged...)}, acc)
	c.p.finish(c.e, c.apply(prim.SliceP{Start: core.MakeDims(start...), Limit: core.MakeDims(limit...), Strides: core.MakeDims(one...)}, y))
}
