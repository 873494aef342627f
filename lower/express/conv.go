package express

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/lower"
)

// spreadFeatures returns a convolution of each feature alone, with n > 1 outputs of each, as one of an
// array that has every feature n times; nil for others. Each sum has the same terms in the same order.
func spreadFeatures(p prim.ConvP, x, w core.ShapedArray) lower.Expansion {
	axis := p.LhsSpec.At(1)
	features, outputs := x.Shape.At(axis), w.Shape.At(p.RhsSpec.At(0))
	if p.FeatureGroups == 1 || p.FeatureGroups != features || outputs <= features || x.Size() == 0 {
		return nil
	}
	before, after := x.Shape.Slice(0, axis+1), x.Shape.Slice(axis+1, x.Rank())
	apart := before.Append(outputs / features).Append(after.Ints()...)
	spread := x.Shape.Slice(0, axis).Append(outputs).Append(after.Ints()...)
	q := p
	q.FeatureGroups = outputs
	return func(in []core.Value) []core.Value {
		y := prim.BroadcastInDim(in[0], apart, core.Range(0, apart.Len()).Remove(axis+1))
		return []core.Value{prim.ConvGeneralDilated(prim.Reshape(y, spread), in[1], q)}
	}
}
