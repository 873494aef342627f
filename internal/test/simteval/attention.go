package simteval

import (
	"encoding/binary"
	"math"

	"github.com/weft-go/weft/lower/simt"
)

// attention evaluates the tiles of the group, with sums in f64.
func (v *evaluator) attention(a *simt.Attention) {
	for i := v.group; i < a.Batches()*a.Tiles() && v.err == nil; i += v.groups {
		at := a.Offset
		for d, rest := len(a.Batch)-1, i/a.Tiles(); d >= 0; d-- {
			b := a.Batch[d]
			for o := range at {
				at[o] += rest % b.N * b.Steps[o]
			}
			rest /= b.N
		}
		first := i % a.Tiles() * simt.AttentionQueries
		for t := first; t < min(first+simt.AttentionQueries, a.T); t++ {
			v.attendRow(a, at[:], t)
		}
	}
}

// attendRow computes row t of an attention whose operands begin at the elements at.
func (v *evaluator) attendRow(a *simt.Attention, at []int, t int) {
	x, most := make([]float64, a.S), math.Inf(-1)
	for s := range x {
		sum := 0.
		for h := range a.H {
			sum += v.number(a.Kind, simt.Queries, at[simt.Queries]+t*a.Row[simt.Queries]+h) * v.number(a.Kind, simt.Keys, at[simt.Keys]+s*a.Row[simt.Keys]+h)
		}
		x[s] = sum * float64(a.Scale)
		if a.Biased {
			if b := v.bytesAt(simt.Bias, at[simt.Bias]+t*a.Row[simt.Bias]+s*a.Column[simt.Bias], 4); b != nil {
				x[s] += float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
			}
		}
		if a.Masked {
			if m := v.bytesAt(a.Buffer(simt.Mask), at[simt.Mask]+t*a.Row[simt.Mask]+s*a.Column[simt.Mask], 1); m != nil && (m[0] != 0) == a.Fills {
				x[s] = float64(a.Fill)
			}
		}
		most = math.Max(most, x[s])
	}
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
