package simteval

import (
	"encoding/binary"
	"math"

	"github.com/weft-go/weft/lower/simt"
)

// attentionGrad evaluates the tiles of the group of half of an attention's derivative, with sums in f64.
func (v *evaluator) attentionGrad(g *simt.AttentionGrad) {
	extent := g.T
	if g.OfKeys {
		extent = g.S
	}
	tiles := (extent + simt.AttentionQueries - 1) / simt.AttentionQueries
	for i := v.group; i < g.Items() && v.err == nil; i += v.groups {
		first := i % tiles * simt.AttentionQueries
		for row := first; row < min(first+simt.AttentionQueries, extent); row++ {
			if g.OfKeys {
				v.gradOfKey(g, i/tiles, row)
			} else {
				v.gradOfQuery(g, i/tiles, row)
			}
		}
	}
}

// rowNumber returns the place of number i of row t in its buffer.
func rowNumber(g *simt.AttentionGrad, i, item, t int) int { return (i*g.Batches()+item)*g.T + t }

// product returns Σ_d C[t]·V[s].
func (v *evaluator) product(g *simt.AttentionGrad, at []int, t, s int) float64 {
	sum := 0.
	for d := range g.D {
		sum += v.number(g.Kind, simt.Mixed, at[simt.Mixed]+t*g.Row[simt.Mixed]+d) * v.number(g.Kind, simt.Values, at[simt.Values]+s*g.Row[simt.Values]+d)
	}
	return sum
}

// hidden reports whether a score is masked.
func (v *evaluator) hidden(g *simt.AttentionGrad, at []int, t, s int) bool {
	if !g.Masked {
		return false
	}
	m := v.bytesAt(g.Buffer(simt.Mask), at[simt.Mask]+t*g.Row[simt.Mask]+s*g.Column[simt.Mask], 1)
	return m != nil && (m[0] != 0) == g.Fills
}

func (v *evaluator) gradOfQuery(g *simt.AttentionGrad, item, t int) {
	at := itemOf(&g.Attention, item)
	x, most := v.scores(&g.Attention, at, t)
	if math.IsInf(most, -1) {
		most = 0
	}
	total, mean := 0., 0.
	products := make([]float64, len(x))
	for s := range x {
		x[s] = math.Exp(x[s] - most)
		products[s] = v.product(g, at, t, s)
		total += x[s]
		mean += x[s] * products[s]
	}
	mean /= total
	for i, number := range []float64{most, 1 / total, mean} {
		v.result(g.Kind, false, g.RowNumbers(), rowNumber(g, i, item, t), float32(number))
	}
	for h := range g.H {
		sum := 0.
		for s := range x {
			if !v.hidden(g, at, t, s) {
				sum += x[s] / total * (products[s] - mean) * v.number(g.Kind, simt.Keys, at[simt.Keys]+s*g.Row[simt.Keys]+h)
			}
		}
		v.result(g.Kind, g.Narrow[0], g.Results()[0], (item*g.T+t)*g.H+h, float32(float64(g.Factor)*sum))
	}
}

func (v *evaluator) gradOfKey(g *simt.AttentionGrad, item, s int) {
	sums := [2][]float64{make([]float64, g.H), make([]float64, g.D)}
	for c := range g.Shared() {
		i := item*g.Shared() + c
		at := itemOf(&g.Attention, i)
		for t := range g.T {
			if g.Causal && s > t {
				continue
			}
			var numbers [3]float64
			for n := range numbers {
				if b := v.bytesAt(g.RowNumbers(), rowNumber(g, n, i, t), 4); b != nil {
					numbers[n] = float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
				}
			}
			w := math.Exp(v.score(&g.Attention, at, t, s)-numbers[0]) * numbers[1]
			for d := range g.D {
				sums[1][d] += w * v.number(g.Kind, simt.Mixed, at[simt.Mixed]+t*g.Row[simt.Mixed]+d)
			}
			if v.hidden(g, at, t, s) {
				continue
			}
			w *= float64(g.Factor) * (v.product(g, at, t, s) - numbers[2])
			for h := range g.H {
				sums[0][h] += w * v.number(g.Kind, simt.Queries, at[simt.Queries]+t*g.Row[simt.Queries]+h)
			}
		}
	}
	for r, features := range sums {
		for f, x := range features {
			v.result(g.Kind, g.Narrow[r], g.Results()[r], (item*g.S+s)*len(features)+f, float32(x))
		}
	}
}
