package simteval

import (
	"encoding/binary"
	"math"

	"github.com/weft-go/weft/lower/simt"
)

// attention evaluates the tiles of the group, with sums in f64.
func (v *evaluator) attention(a *simt.Attention) {
	for i := v.group; i < a.Batches()*a.Tiles() && v.err == nil; i += v.groups {
		at := itemOf(a, i/a.Tiles())
		first := i % a.Tiles() * a.Queries()
		for t := first; t < min(first+a.Queries(), a.T); t++ {
			v.attendRow(a, at, t)
		}
	}
}

// itemOf returns the elements at which the operands of item number i of the batch begin.
func itemOf(a *simt.Attention, i int) []int {
	at := a.Offset
	for d := len(a.Batch) - 1; d >= 0; d-- {
		b := a.Batch[d]
		for o := range at {
			at[o] += i % b.N * b.Steps[o]
		}
		i /= b.N
	}
	return at[:]
}

// attendRow computes row t of an attention whose operands begin at the elements at.
func (v *evaluator) attendRow(a *simt.Attention, at []int, t int) {
	x, most := v.scores(a, at, t)
	total := 0.
	for s := range x {
		x[s] = math.Exp(x[s] - most)
		total += x[s]
	}
	for d := range a.D {
		sum := 0.
		for s := range x {
			sum += x[s] * v.number(a.Kind, simt.Values, at[simt.Values]+s*a.Row[simt.Values]+d)
		}
		v.result(a.Kind, a.Narrow, simt.Mixed, at[simt.Mixed]+t*a.Row[simt.Mixed]+d, float32(sum/total))
	}
}

// scores returns the scores of row t and the greatest one.
func (v *evaluator) scores(a *simt.Attention, at []int, t int) (x []float64, most float64) {
	n := a.S
	if a.Causal {
		n = min(n, t+1)
	}
	x, most = make([]float64, n), math.Inf(-1)
	for s := range x {
		x[s] = v.score(a, at, t, s)
		most = math.Max(most, x[s])
	}
	return x, most
}

// score returns the score of row t and key s.
func (v *evaluator) score(a *simt.Attention, at []int, t, s int) float64 {
	sum := 0.
	for h := range a.H {
		sum += v.number(a.Kind, simt.Queries, at[simt.Queries]+t*a.Row[simt.Queries]+h) * v.number(a.Kind, simt.Keys, at[simt.Keys]+s*a.Row[simt.Keys]+h)
	}
	x := sum * float64(a.Scale)
	if a.Biased {
		if b := v.bytesAt(simt.Bias, at[simt.Bias]+t*a.Row[simt.Bias]+s*a.Column[simt.Bias], 4); b != nil {
			x += float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
		}
	}
	if a.Masked {
		if m := v.bytesAt(a.Buffer(simt.Mask), at[simt.Mask]+t*a.Row[simt.Mask]+s*a.Column[simt.Mask], 1); m != nil && (m[0] != 0) == a.Fills {
			x = float64(a.Fill)
		}
	}
	return x
}
