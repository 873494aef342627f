package prim

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
)

// Value is [core.Value]; the short name keeps rules readable.
type Value = core.Value

// ShapedArray is [core.ShapedArray].
type ShapedArray = core.ShapedArray

// accurate reads p, whose accuracy a text may show: see [AccurateP].
func accurate(r *jaxpr.ParamReader, p core.Primitive) core.Primitive {
	if !r.Has("accuracy") || r.IsNone("accuracy") {
		r.Ignore("accuracy")
		return p
	}
	if _, ok := p.(core.JVPer); !ok {
		r.MustBe("accuracy", "None")
	}
	return AccurateP{p, r.Text("accuracy")}
}
