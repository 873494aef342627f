package promote

import "math"

// position finds the middles of all places: layer by layer, up and down, each as near to the mean
// of its neighbours as possible. The order within a layer is fixed, and gap stays free between
// neighbours. The positions in one layer are the exact least-squares solution.
func (l *layered) position(gap float64) {
	for _, layer := range l.layers {
		x := 0.0
		for i, p := range layer {
			if i > 0 {
				x += l.apart(layer[i-1], p, gap)
			}
			l.at[p].x = x
		}
	}
	for round := range 60 {
		for k := range l.layers {
			if round%2 == 1 {
				k = len(l.layers) - 1 - k
			}
			l.settle(k, gap, round%4 < 2)
		}
	}
	left := math.Inf(1)
	for _, p := range l.at {
		left = min(left, p.x-p.width/2)
	}
	for p := range l.at {
		l.at[p].x -= left
	}
}

// apart returns the least distance of the middles of two neighbours.
func (l *layered) apart(p, q int, gap float64) float64 {
	return (l.at[p].width+l.at[q].width)/2 + gap
}

// settle moves the places of layer k towards their neighbours. Edges between two bends pull hardest, so that
// long edges are straight. Unless both is set, the layer above pulls with a quarter of its weight.
func (l *layered) settle(k int, gap float64, both bool) {
	layer := l.layers[k]
	want := make([]float64, len(layer))
	weight := make([]float64, len(layer))
	shift := make([]float64, len(layer)) // the least distance of each from the first
	for i, p := range layer {
		sum, n := 0.0, 0.0
		for side, near := range [2][]int{l.at[p].down, l.at[p].up} {
			for _, q := range near {
				w := 1.0
				if l.at[p].node < 0 && l.at[q].node < 0 {
					w = 8
				} else if l.at[p].node < 0 || l.at[q].node < 0 {
					w = 2
				}
				if !both && side == 1 {
					w /= 4
				}
				sum += w * l.at[q].x
				n += w
			}
		}
		want[i], weight[i] = l.at[p].x, 0.1
		if n > 0 {
			want[i], weight[i] = sum/n, n
		}
		if i > 0 {
			shift[i] = shift[i-1] + l.apart(layer[i-1], p, gap)
		}
		want[i] -= shift[i]
	}
	for i, x := range monotone(want, weight) {
		l.at[layer[i]].x = x + shift[i]
	}
}

// monotone returns the nondecreasing sequence that is nearest to want in weighted
// least squares: neighbours that violate the order are pooled at their mean.
func monotone(want, weight []float64) []float64 {
	type pool struct {
		mean, weight float64
		n            int
	}
	var pools []pool
	for i := range want {
		pools = append(pools, pool{want[i], weight[i], 1})
		for len(pools) > 1 && pools[len(pools)-2].mean > pools[len(pools)-1].mean {
			a, b := pools[len(pools)-2], pools[len(pools)-1]
			w := a.weight + b.weight
			pools = append(pools[:len(pools)-2], pool{(a.mean*a.weight + b.mean*b.weight) / w, w, a.n + b.n})
		}
	}
	var out []float64
	for _, p := range pools {
		for range p.n {
			out = append(out, p.mean)
		}
	}
	return out
}
