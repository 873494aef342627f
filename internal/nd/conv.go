package nd

import (
	"fmt"
	"slices"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/windows"
)

// ConvConfig configures Conv. Its zero value is a convolution without padding, in steps of 1.
type ConvConfig struct {
	Strides       []int    // steps of the kernel, one per spatial axis; nil: 1
	Padding       [][2]int // zeros before and after each spatial axis; nil: none
	Same          bool     // pad so that the kernel takes ⌈size/stride⌉ positions; Padding must be nil
	Dilation      []int    // distances between the kernel's elements; nil: 1
	InputDilation []int    // distances between x's elements; nil: 1
	Groups        int      // groups of features that are convolved separately; 0: 1
	// Layout names the axes of x, w and the result: N the batch, C features, O and I
	// the kernel's output and input features, the other letters spatial axes. "" is
	// "NCHW,OIHW->NCHW", with as many spatial axes as there are.
	Layout string
}

// Conv slides the kernel w over x: z[n, o, p] = Σ x[n, c, p·stride + t] · w[o, c, t].
func Conv(x, w core.Value, c ConvConfig) core.Value {
	a, b := PromotePair("Conv", ValueOf("Conv", x), ValueOf("Conv", w))
	avals := core.AvalsOf([]core.Value{a, b})
	n := avals[0].Rank() - 2
	fail := func(format string, args ...any) { core.FailOp(core.ErrShape, "Conv", avals, format, args...) }
	if n < 0 || avals[1].Rank() != n+2 {
		fail("x and w have a batch or output axis, a feature axis and equally many spatial ones, got %s", List(avals))
	}
	lhs, rhs, out, err := convLayout(c.Layout, n)
	if err != "" {
		fail("the layout %q %s", c.Layout, err)
	}
	if c.Groups < 0 {
		fail("Groups is %d; set a divisor of the features, or leave it out for one group", c.Groups)
	}
	if x, w, g := avals[0].Shape.At(lhs.At(1)), avals[1].Shape.At(rhs.At(1)), max(c.Groups, 1); x != w*g {
		in := ""
		if g > 1 {
			in = fmt.Sprintf(" in each of %d groups", g)
		}
		layout, other := fmt.Sprintf("Layout %q", c.Layout), "set Groups or another Layout"
		if c.Layout == "" {
			layout, other = fmt.Sprintf("Layout %q, the default", layoutText(n, "NC%s,OI%s->NC%s")), fmt.Sprintf("state the order of the axes, as with Layout: %q", layoutText(n, "N%sC,%sIO->N%sC"))
		}
		fail("by %s, x is %v with %s and w is %v, which takes %d%s; make them equal, or %s",
			layout, avals[0].Full(), core.Count(x, "feature"), avals[1].Full(), w, in, other)
	}
	lists := func(name string, v []int) core.Dims {
		if v == nil {
			return core.MakeDims(slices.Repeat([]int{1}, n)...)
		}
		if len(v) != n {
			fail("%s has %s for %s", name, core.Count(len(v), "number"), core.Count(n, "spatial axis"))
		}
		return core.MakeDims(v...)
	}
	p := windows.ConvP{
		Strides: lists("Strides", c.Strides), LhsDilation: lists("InputDilation", c.InputDilation), RhsDilation: lists("Dilation", c.Dilation),
		LhsSpec: lhs, RhsSpec: rhs, OutSpec: out, FeatureGroups: max(c.Groups, 1), BatchGroups: 1, Preferred: avals[0].DType,
	}
	pads := make([]int, 0, 2*n)
	switch {
	case c.Same && c.Padding != nil:
		fail("Same and Padding are both given; leave one out")
	case c.Same:
		for i := range n {
			in, k := avals[0].Shape.At(lhs.At(2+i)), avals[1].Shape.At(rhs.At(2+i))
			in, k = (in-1)*p.LhsDilation.At(i)+1, (k-1)*p.RhsDilation.At(i)+1
			stride := p.Strides.At(i)
			total := max((prim.CeilDiv(in, stride)-1)*stride+k-in, 0)
			pads = append(pads, total/2, total-total/2)
		}
	case c.Padding == nil:
		pads = make([]int, 2*n)
	case len(c.Padding) != n:
		fail("Padding has %s for %s", core.Count(len(c.Padding), "pair"), core.Count(n, "spatial axis"))
	default:
		for _, lohi := range c.Padding {
			pads = append(pads, lohi[0], lohi[1])
		}
	}
	p.Padding = core.MakeDims(pads...)
	return inNameOf("Conv", p, func() core.Value { return windows.ConvGeneralDilated(a, b, p) })
}

// layoutText returns form with the names of n spatial axes in place of each %s.
func layoutText(n int, form string) string {
	axes := "DHW"
	switch {
	case n == 1:
		axes = "W"
	case n == 2:
		axes = "HW"
	case n != 3:
		axes = "ABDEFGHJKLMPQRSTUVWXYZ"[:min(n, 22)]
	}
	return strings.ReplaceAll(form, "%s", axes)
}

// inNameOf calls f, which applies the primitive p. Errors of p then name the user's function op.
func inNameOf(op string, p core.Primitive, f func() core.Value) core.Value {
	defer func() {
		if r := recover(); r != nil {
			if e, ok := r.(*core.Error); ok && e.Op == p.Name() {
				e.Op = op
			}
			panic(r)
		}
	}()
	return f()
}

// convLayout returns the positions of batch, feature and spatial axes; err says what is wrong
// with the text.
func convLayout(text string, n int) (lhs, rhs, out core.Dims, err string) {
	if text == "" {
		order := core.Range(0, n+2)
		return order, order, order, ""
	}
	in, z, ok := strings.Cut(text, "->")
	x, w, ok2 := strings.Cut(in, ",")
	if !ok || !ok2 {
		return lhs, rhs, out, `is not of the form "NHWC,HWIO->NHWC"`
	}
	spatial := strings.Map(func(r rune) rune {
		if r == 'N' || r == 'C' {
			return -1
		}
		return r
	}, x)
	spec := func(t, first string) (core.Dims, bool) {
		at := make([]int, 0, n+2)
		for _, r := range first + spatial {
			at = append(at, strings.IndexRune(t, r))
		}
		sorted := slices.Clone(at)
		slices.Sort(sorted)
		return core.MakeDims(at...), len(t) == n+2 && core.MakeDims(sorted...) == core.Range(0, n+2)
	}
	var a, b, c bool
	lhs, a = spec(x, "NC")
	rhs, b = spec(w, "OI")
	out, c = spec(z, "NC")
	if !a || !b || !c {
		return lhs, rhs, out, "does not name every axis once"
	}
	return lhs, rhs, out, ""
}
