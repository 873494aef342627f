package nn

import (
	"slices"
	"strings"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/nd"
	"github.com/weft-go/weft/random"
)

// Conv slides a kernel over the spatial axes of x, which is [batch, features, spatial…] unless
// Config.Layout names another order.
type Conv struct {
	W      weft.Array // [out, in / groups, window…], unless Config.Layout names another order
	B      weft.Array // [out]; no elements: no bias
	Config weft.ConvConfig
}

// NewConv returns a Conv from in to out features with a window of the given sizes. Its weights
// are [LecunNormal] unless p names another Init, which gets the shape of W.
func NewConv(k random.Key, in, out int, window []int, config weft.ConvConfig, p ...Params) Conv {
	const op = "NewConv"
	requireSizes(op, append([]int{in, out}, window...)...)
	groups := max(config.Groups, 1)
	if in%groups != 0 || out%groups != 0 {
		core.FailOp(core.ErrShape, op, nil, "%d groups do not divide %d and %d features; choose a divisor of both", groups, in, out)
	}
	dims := append([]int{out, in / groups}, window...)
	inAxis, outAxis := 1, 0
	if layout := kernelLayout(config.Layout); layout != "" {
		inAxis, outAxis = strings.IndexByte(layout, 'I'), strings.IndexByte(layout, 'O')
		if len(layout) != len(dims) || inAxis < 0 || outAxis < 0 {
			core.FailOp(core.ErrShape, op, nil, "the layout %q does not name a kernel of %s; name O, I and each of them", config.Layout, core.Count(len(window), "window axis"))
		}
		rest := slices.Clone(window)
		for i, letter := range layout {
			switch letter {
			case 'O':
				dims[i] = out
			case 'I':
				dims[i] = in / groups
			default:
				dims[i], rest = rest[0], rest[1:]
			}
		}
	}
	c := paramsOf(op, p, VarianceScaling{In: []int{inAxis}, Out: []int{outAxis}}.Init())
	w := c.Init(k, dims...)
	return Conv{W: w, B: c.bias(w, out), Config: config}
}

// kernelLayout returns the kernel's part of a layout, "" for the default.
func kernelLayout(layout string) string {
	_, rest, _ := strings.Cut(layout, ",")
	kernel, _, _ := strings.Cut(rest, "->")
	return strings.TrimSpace(kernel)
}

// Apply returns the convolution of x with W, plus B for each output feature.
func (c Conv) Apply(x weft.Array) weft.Array {
	nd.ValueOf("Conv", x)
	nd.ValueOf("Conv", c.W)
	y := weft.Conv(x, c.W, c.Config)
	if !hasBias(c.B) {
		return y
	}
	axis := 1
	if _, result, ok := strings.Cut(c.Config.Layout, "->"); ok {
		axis = strings.IndexByte(strings.TrimSpace(result), 'C')
	}
	return y.Add(alongAxis(c.B, axis, y.Rank()))
}

// alongAxis returns the vector v with axes of size 1 around it, so that it broadcasts along one
// axis of an array of the given rank.
func alongAxis(v weft.Array, axis, rank int) weft.Array {
	dims := slices.Repeat([]int{1}, rank)
	dims[axis] = v.Size()
	return v.Reshape(dims...)
}
