package simt

// mostClasses bounds the kernels into which a convolution over an array with gaps is divided.
const mostClasses = 16

// LowerWindows writes a convolution as programs of a thread that multiplies on tensor cores, and
// chooses their tiles. It returns several programs where windows move over an array with gaps, as
// in the gradient of a strided convolution with respect to its image, if products that skip the
// zeros take less time than one product with them. It returns nil if the device has no tensor cores
// or too little shared memory.
func LowerWindows(name string, t Tensor, lens [3]int64, cores TensorCores) []*Func {
	best, cost := chooseWindows(t, cores)
	if best == nil {
		return nil
	}
	all := []*Tensor{best}
	if t.Windows.Parts <= 1 {
		micros := func(t *Tensor, cost float64) float64 { return tensorLaunch + 2*float64(t.K)*cost/tensorFlops }
		classes, sum := []*Tensor(nil), 0.
		for _, c := range t.classes() {
			best, cost := chooseWindows(c, cores)
			classes, sum = append(classes, best), sum+micros(best, cost)
		}
		if len(classes) > 1 && sum < micros(best, cost) {
			all = classes
		}
	}
	var fs []*Func
	for _, t := range all {
		fs = append(fs, TensorFunc(name, t, lens))
	}
	return fs
}

// classes divides a convolution into at most mostClasses parts, along axes with gaps by the remainder of the
// position. The windows of one part have elements at the same taps, and zeros at all others.
func (t *Tensor) classes() []Tensor {
	all := []Tensor{*t}
	for axis, a := range t.Windows.Axes {
		row, deep := alongAxis(t.Windows.Rows, axis), alongAxis(t.Windows.Deep, axis)
		n := a.Gap / gcd(a.Gap, row.Step)
		if a.Gap == 1 || n*len(all) > mostClasses {
			continue
		}
		var next []Tensor
		for _, c := range all {
			for r := range min(n, row.N) {
				next = append(next, c.class(axis, row, deep, n, r))
			}
		}
		all = next
	}
	return all
}

// alongAxis returns the digit that moves along an axis; one of one value, if none does.
func alongAxis(ds []Digit, axis int) Digit {
	for _, d := range ds {
		if d.Axis == axis {
			return d
		}
	}
	return Digit{N: 1, Axis: axis}
}

// class returns the part of a convolution that has every nth row along an axis, from the rth on.
func (t *Tensor) class(axis int, row, deep Digit, n, r int) Tensor {
	w := *t.Windows
	w.Axes = append([]WindowAxis{}, w.Axes...)
	a := &w.Axes[axis]
	gap, first := a.Gap, a.Low-r*row.Step // the tap at position first of the axis is its first element
	every, tap := gap/gcd(gap, deep.Step), 0
	for tap < every && (tap*deep.Step-first)%gap != 0 {
		tap++
	}
	offset := [2]int{t.A.Offset, t.B.Offset}
	rows := row
	rows.N, rows.Step, rows.C = (row.N-r+n-1)/n, n*row.Step/gap, n*row.C
	w.First += r * row.C
	w.Rows = replaced(w.Rows, axis, rows)
	a.Extent, a.Gap = (a.Extent-1)/gap+1, 1
	if tap >= min(every, deep.N) { // nothing but zeros
		a.Extent, a.Low = 0, 0
		w.Deep = []Digit{{N: 1, Axis: -1}}
	} else {
		taps := deep
		taps.N, taps.Step, taps.B = (deep.N-tap+every-1)/every, every*deep.Step/gap, every*deep.B
		a.Low = (first - tap*deep.Step) / gap
		offset[1] += tap * deep.B
		w.Deep = replaced(w.Deep, axis, taps)
	}
	return w.TensorOf(t.Kind, t.Narrow, offset)
}

// replaced returns digits with another one in the place of that along an axis.
func replaced(ds []Digit, axis int, by Digit) []Digit {
	out := append([]Digit{}, ds...)
	for i := range out {
		if out[i].Axis == axis {
			out[i] = by
		}
	}
	return out
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
