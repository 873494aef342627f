//go:build linux

package cpu_test

import (
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/windows"
	"github.com/weft-go/weft/internal/test/race"
)

// conv draws a convolution: any layout, strides, padding, dilations and groups.
func (o *operation) conv(dt core.DType) (p windows.ConvP, x, w core.ShapedArray) {
	r := o.r
	n := r.IntN(4)
	p.FeatureGroups, p.BatchGroups = 1, 1
	switch r.IntN(4) {
	case 0:
		p.FeatureGroups = 1 + r.IntN(3)
	case 1:
		p.BatchGroups = 1 + r.IntN(3)
	}
	channels := 1 + r.IntN(4)
	if n < 2 {
		channels = 1 + r.IntN(70)
	}
	xs := []int{p.BatchGroups * (1 + r.IntN(3)), channels * p.FeatureGroups}
	ws := []int{p.FeatureGroups * p.BatchGroups * (1 + r.IntN(20)), channels}
	if r.IntN(6) == 0 { // each feature alone
		p.FeatureGroups, p.BatchGroups = 2+r.IntN(40), 1
		xs = []int{1 + r.IntN(3), p.FeatureGroups}
		ws = []int{p.FeatureGroups, 1}
	}
	var strides, padding, ld, rd []int
	for range n {
		xs = append(xs, 1+r.IntN(9))
		ws = append(ws, 1+r.IntN(4))
		strides = append(strides, 1+r.IntN(3))
		padding = append(padding, r.IntN(5)-1, r.IntN(5)-1)
		ld = append(ld, max(1, r.IntN(4)-1))
		rd = append(rd, max(1, r.IntN(4)-1))
	}
	p.Strides, p.Padding, p.LhsDilation, p.RhsDilation = core.MakeDims(strides...), core.MakeDims(padding...), core.MakeDims(ld...), core.MakeDims(rd...)
	laid := func(sizes []int) (spec, shape core.Dims) {
		perm := r.Perm(n + 2)
		switch r.IntN(3) {
		case 0: // features last
			perm = perm[:0]
			for i := range n + 2 {
				perm = append(perm, i)
			}
			perm[1] = n + 1
			for i := range n {
				perm[i+2] = i + 1
			}
		case 1: // features second
			for i := range perm {
				perm[i] = i
			}
		}
		s := make([]int, n+2)
		for i, a := range perm {
			s[a] = sizes[i]
		}
		return core.MakeDims(perm...), core.MakeDims(s...)
	}
	x, w = core.Aval(dt), core.Aval(dt)
	p.LhsSpec, x.Shape = laid(xs)
	p.RhsSpec, w.Shape = laid(ws)
	p.OutSpec, _ = laid(make([]int, n+2))
	return p, x, w
}

// Convolutions have the reference's bits: every geometry, layout and type; kernels with
// elements that are not finite; operands at guard pages; any number of threads.
func TestConvFuzz(t *testing.T) {
	o := newOperation(t, 4, 2)
	o.fallbacks = true
	native := 0
	n := rounds(1500)
	for range n {
		p, x, w := o.conv(dotTypes[o.r.IntN(len(dotTypes))])
		if valid(func() { p.Abstract([]core.ShapedArray{x, w}) }) {
			native += o.check(p, x, w)
		}
	}
	if hasNative() && native < n/3 {
		t.Errorf("%d of %d convolutions ran as native code", native, n)
	}
}

// Convolutions of complex numbers: each geometry, layout and type, kernels that are not finite too.
// All of them are native code.
func TestComplexConvFuzz(t *testing.T) {
	o := newOperation(t, 23, 2)
	for range rounds(600) {
		p, x, w := o.conv(complexTypes[o.r.IntN(2)])
		if valid(func() { p.Abstract([]core.ShapedArray{x, w}) }) {
			o.check(p, x, w)
		}
	}
}

func valid(f func()) bool { return core.Catch(f) == nil }

// Convolutions whose windows and results take several blocks.
func TestConvLarge(t *testing.T) {
	race.Values(t)
	o := newOperation(t, 5, 2)
	d := core.MakeDims
	last := windows.ConvP{Strides: d(1, 1), Padding: d(1, 1, 1, 1), LhsDilation: d(1, 1), RhsDilation: d(1, 1), LhsSpec: d(0, 3, 1, 2), RhsSpec: d(3, 2, 0, 1), OutSpec: d(0, 3, 1, 2), FeatureGroups: 1, BatchGroups: 1}
	for range 3 {
		for _, dt := range []core.DType{core.Float32, core.Float64} {
			o.check(last, core.Aval(dt, 2, 14, 13, 40), core.Aval(dt, 3, 3, 40, 70))
			long := last
			long.Padding = d(0, 0, 2, 1)
			o.check(long, core.Aval(dt, 3, 30, 31, 3), core.Aval(dt, 17, 19, 3, 24))
			strided := last
			strided.Strides = d(2, 2)
			o.check(strided, core.Aval(dt, 3, 30, 31, 3), core.Aval(dt, 7, 7, 3, 24))
		}
	}
}

// Lines of the input that take several items: longer than scratch memory, or divided
// among threads; planes of a window that do not fit there.
func TestConvLines(t *testing.T) {
	o := newOperation(t, 9, 2)
	d := core.MakeDims
	one := windows.ConvP{Strides: d(2), Padding: d(3, 1), LhsDilation: d(1), RhsDilation: d(2), LhsSpec: d(0, 2, 1), RhsSpec: d(2, 1, 0), OutSpec: d(0, 2, 1), FeatureGroups: 1, BatchGroups: 1}
	o.check(one, core.Aval(core.Float32, 1, 12001, 16), core.Aval(core.Float32, 3, 16, 24))
	two := windows.ConvP{Strides: d(1, 1), Padding: d(1, 1, 1, 1), LhsDilation: d(1, 1), RhsDilation: d(1, 1), LhsSpec: d(0, 3, 1, 2), RhsSpec: d(3, 2, 0, 1), OutSpec: d(0, 3, 1, 2), FeatureGroups: 1, BatchGroups: 1}
	o.check(two, core.Aval(core.Float32, 1, 41, 40, 16), core.Aval(core.Float32, 3, 3, 16, 16))
	o.check(two, core.Aval(core.Float32, 2, 41, 40, 40), core.Aval(core.Float32, 3, 3, 40, 16))
	three := windows.ConvP{Strides: d(1, 1, 1), Padding: d(1, 1, 1, 1, 1, 1), LhsDilation: d(1, 1, 1), RhsDilation: d(1, 1, 1), LhsSpec: d(0, 4, 1, 2, 3), RhsSpec: d(4, 3, 0, 1, 2), OutSpec: d(0, 4, 1, 2, 3), FeatureGroups: 1, BatchGroups: 1}
	o.check(three, core.Aval(core.Float32, 1, 9, 5, 12, 700), core.Aval(core.Float32, 9, 4, 9, 700, 2))
}
