package simteval

import "github.com/weft-go/weft/lower/simt"

// convolution evaluates a convolution on tensor cores: the tiles of the group, with sums in f64.
func (v *evaluator) convolution(t *simt.Tensor) {
	w := t.Windows
	tm, tn := t.Tiles()
	deep, right := make([][]int, t.K), make([]int, t.K) // the digits of a term, and where it lies in B
	for k := range deep {
		deep[k] = digits(w.Deep, k)
		for i, d := range w.Deep {
			right[k] += deep[k][i] * d.B
		}
	}
	left, inside := make([]int, t.K), make([]bool, t.K) // where a row's terms lie in A, and whether they do
	for i := v.group; i < tm*tn*t.Batches() && v.err == nil; i += v.groups {
		batch, m0, n0 := i/(tm*tn), i%(tm*tn)/tn*t.Tile[0], i%tn*t.Tile[1]
		part, group := batch/w.Group.N, batch%w.Group.N
		from, end := 0, t.K
		if w.Parts > 1 {
			from, end = part*w.PartK, min(t.K, (part+1)*w.PartK)
		}
		for m := m0; m < min(m0+t.Tile[0], t.M); m++ {
			row := digits(w.Rows, m)
			for k := from; k < end; k++ {
				left[k], inside[k] = windowAt(w, row, deep[k])
			}
			for n := n0; n < min(n0+t.Tile[1], t.N); n++ {
				sum := 0.
				for k := from; k < end; k++ {
					if inside[k] {
						b := t.B.Offset + group*w.Group.B + n*w.Col.B + right[k]
						sum += v.number(t.Kind, 0, t.A.Offset+group*w.Group.A+left[k]) * v.number(t.Kind, 1, b)
					}
				}
				at := w.First + part*t.M*t.N*w.Group.N + group*w.Group.C + n*w.Col.C
				for i, d := range w.Rows {
					at += row[i] * d.C
				}
				v.result(t.Kind, t.Narrow, 2, at, float32(sum))
			}
		}
	}
}

// digits returns the digits of a number.
func digits(ds []simt.Digit, x int) []int {
	out := make([]int, len(ds))
	for i := len(ds) - 1; i >= 0; i-- {
		out[i], x = x%ds[i].N, x/ds[i].N
	}
	return out
}

// windowAt returns where an element of a window lies in A, and whether there is one.
func windowAt(w *simt.Windows, row, deep []int) (at int, ok bool) {
	x := make([]int, len(w.Axes))
	for i, a := range w.Axes {
		x[i] = -a.Low
	}
	for i, ds := range [][]simt.Digit{w.Rows, w.Deep} {
		for k, d := range ds {
			n := [][]int{row, deep}[i][k]
			if d.Axis < 0 {
				at += n * d.A
			} else {
				x[d.Axis] += n * d.Step
			}
		}
	}
	for i, a := range w.Axes {
		if x[i] < 0 || x[i] >= a.Extent || x[i]%a.Gap != 0 {
			return 0, false
		}
		at += x[i] / a.Gap * a.Stride
	}
	return at, true
}
