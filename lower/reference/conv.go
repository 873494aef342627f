package reference

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/windows"
	"github.com/weft-go/weft/lower/reference/internal/block"
	"github.com/weft-go/weft/lower/reference/internal/product"
)

// convolve slides the kernel w over x. The window is one row of K elements, the
// spatial positions in row-major order and within each the input features, and so
// is each output feature's kernel: a result is their dot in the canonical order.
// A chunk is 128 positions of the row. Those that read padding or the gaps of dilation
// are left out of its chain.
func convolve(y, x, w *block.Tensor, p windows.ConvP, stop block.Stopper) {
	numericOf(y.DType).convolve(y, x, w, p, stop)
}

// A convAxis is a spatial axis: output position s and tap t of the kernel read
// position s·stride + t·rdil − lo of the dilated input, of which every ldil-th position is an
// element.
type convAxis struct {
	in, out, size          int
	stride, lo, ldil, rdil int
	step                   int // from element to element of the input, channels last
}

// at returns the element that output position s reads at tap t, or −1.
func (a *convAxis) at(s, t int) int {
	pos := s*a.stride + t*a.rdil - a.lo
	if pos < 0 {
		return -1
	}
	if a.ldil > 1 {
		if pos%a.ldil != 0 {
			return -1
		}
		pos /= a.ldil
	}
	if pos >= a.in {
		return -1
	}
	return pos
}

// convTile is the approximate number of elements of windows that are laid out at a time.
const convTile = 1 << 15

type convSizes struct {
	features, channels int // of the input, of a window
	places             int // output positions
	k                  int // elements of a window
	image              int // elements of an input
	batch, outputs     int // of the result
}

// convExtents appends the spatial axes to axes and returns the extents.
func convExtents(axes []convAxis, y, x, w core.Dims, p windows.ConvP) ([]convAxis, convSizes) {
	c := convSizes{features: x.At(p.LhsSpec.At(1)), channels: w.At(p.RhsSpec.At(1)), places: 1, batch: y.At(p.OutSpec.At(0)), outputs: y.At(p.OutSpec.At(1))}
	c.k = c.channels
	for i := range p.Strides.Len() {
		a := convAxis{in: x.At(p.LhsSpec.At(i + 2)), out: y.At(p.OutSpec.At(i + 2)), size: w.At(p.RhsSpec.At(i + 2)),
			stride: p.Strides.At(i), lo: p.Padding.At(2 * i), ldil: p.LhsDilation.At(i), rdil: p.RhsDilation.At(i)}
		c.places *= a.out
		c.k *= a.size
		axes = append(axes, a)
	}
	c.image = c.features
	for i := len(axes) - 1; i >= 0; i-- {
		axes[i].step = c.image
		c.image *= axes[i].in
	}
	return axes, c
}

func convolveInto[A any](kernel product.DotKernel[A], sum *fold[A], y []A, shape core.Dims, x, w *block.Tensor, p windows.ConvP, stop block.Stopper) {
	if len(y) == 0 {
		return
	}
	ex, lx := block.ElementsAs[A](x)
	ew, lw := block.ElementsAs[A](w)
	// Channels last: x is [batch, spatial, feature], w [output, spatial, feature].
	var bx, bw [block.FewAxes]int
	rx, lrx := product.Ordered(ex, x.Shape, channelsLast(bx[:0], p.LhsSpec))
	rw, lrw := product.Ordered(ew, w.Shape, channelsLast(bw[:0], p.RhsSpec))

	var ba [block.FewAxes]convAxis
	axes, c := convExtents(ba[:0], shape, x.Shape, w.Shape, p)
	features, channels, places, k, image, batch, outputs := c.features, c.channels, c.places, c.k, c.image, c.batch, c.outputs

	// The result is [batch, spatial, output] first.
	var by [block.FewAxes]int
	order := channelsLast(by[:0], p.OutSpec)
	z, lz := y, (*block.Loan)(nil)
	if !increasingInts(order) {
		z, lz = block.Borrow[A](len(y))
	}
	if apart := depthwiseOf[A](); k == 0 || len(rx) == 0 { // no window reads an element
		clear(z)
	} else if apart != nil && channels == 1 && features >= 4 && p.FeatureGroups == features && k <= product.DotChunk {
		apart(z, rx, rw, axes, batch, features, outputs/features, places, k, stop)
	} else {
		groups := max(p.FeatureGroups, p.BatchGroups)
		n := outputs / groups
		tile := min(places, max(convTile/k, 1))
		rows, lr := block.Borrow[A](tile * k)
		exact := allFinite(rw)
		tiles := product.TilerOf[A]()
		var atBuf [block.FewAxes]int
		place := block.Counters(atBuf[:0], len(axes))
		for g := range groups {
			wg := rw[g*n*k : (g+1)*n*k]
			var panels []A
			var lp *block.Loan
			if exact && tiles != nil && product.Tiled(n, k) {
				panels, lp = tiles.Packed(wg, n, k)
			}
			for b := range batch {
				from := b * image
				if p.FeatureGroups > 1 {
					from += g * channels
				} else {
					from += g * batch * image
				}
				clear(place)
				for at := 0; at < places && !stop.Stopped(); at += tile {
					m := min(tile, places-at)
					yt := z[(b*places+at)*outputs+g*n:]
					if exact {
						for i := range m {
							layWindow(rows[i*k:(i+1)*k], rx[from:], place, axes, channels, channels == features)
							nextPosition(place, axes)
						}
						if lp != nil {
							tiles.MultiplyPacked(yt, outputs, rows[:m*k], panels, m, n, k, stop)
						} else {
							product.Multiply(kernel, yt, outputs, rows[:m*k], wg, m, n, k, stop)
						}
						continue
					}
					for i := range m {
						layWindow(rows[:k], rx[from:], place, axes, channels, channels == features)
						skipRow(kernel, sum, yt[i*outputs:][:n], rows[:k], wg, place, axes, channels)
						nextPosition(place, axes)
					}
				}
			}
			lp.Back()
		}
		lr.Back()
	}
	if lz != nil {
		putBack(y, z, shape, order)
	}
	lz.Back()
	lrw.Back()
	lrx.Back()
	lw.Back()
	lx.Back()
}

// channelsLast returns the order of axes batch, spatial, feature.
func channelsLast(buf []int, spec core.Dims) []int {
	buf = append(buf, spec.At(0))
	for i := 2; i < spec.Len(); i++ {
		buf = append(buf, spec.At(i))
	}
	return append(buf, spec.At(1))
}

func increasingInts(v []int) bool {
	for i := 1; i < len(v); i++ {
		if v[i] < v[i-1] {
			return false
		}
	}
	return true
}

// putBack is the inverse of product.Ordered: axis order[i] of y is axis i of z.
func putBack[A any](y, z []A, shape core.Dims, order []int) {
	var bs [block.FewAxes]int
	var ba [block.FewAxes]block.Axis
	sy := block.RowMajor(bs[:0], shape)
	axes := ba[:0]
	for _, i := range order {
		axes = append(axes, block.Axis{N: shape.At(i), D: sy[i]})
	}
	s := 1
	for i := len(axes) - 1; i >= 0; i-- {
		axes[i].S = s
		s *= max(axes[i].N, 1)
	}
	if axes, ok := block.Tidy(axes); ok {
		block.MoveAs(y, z, 0, 0, axes)
	}
}
