package stablehlo

import (
	"math"
	"slices"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
)

// A Division is how a compiler divides a program among the devices of a mesh.
type Division struct {
	Mesh  jaxpr.Mesh  // of all devices
	Given []Sharding  // of each captured array that main takes as an input
	In    []Sharding  // of each input of the program
	Out   []*Sharding // of each result; nil where the compiler chooses
}

// A Sharding is how an array is cut on a mesh.
type Sharding struct {
	Mesh jaxpr.Mesh
	Spec jaxpr.Spec
}

// overDevices reports whether a program over a mesh is written as one that each device runs.
func (b *block) overDevices(p *jaxpr.ShardMap) bool {
	if d := b.opt.Division; d != nil {
		return deviceCount(p.Mesh) == deviceCount(d.Mesh)
	}
	return !b.opt.Stacked
}

// startInside returns operands of dynamic_update_slice with starts at which the update lies inside of
// the array. XLA itself moves an update inside if the array is whole, but drops it if the array is cut
// along the axis.
func (b *block) startInside(in []operand) []operand {
	in = slices.Clone(in)
	x, update := in[0].aval, in[1].aval
	most := func(i int) int64 { return int64(x.Shape.At(i) - update.Shape.At(i)) }
	dt := core.Int32 // the type of all starts, which can hold the greatest one
	for i, start := range in[2:] {
		if start.aval.DType.Bits() >= 32 {
			dt = start.aval.DType
		}
		if most(i) > math.MaxInt32 && dt.Bits() == 32 {
			dt = core.Int64
			break
		}
	}
	for i, start := range in[2:] {
		if start.aval.DType != dt {
			start = b.op("stablehlo.convert", start.aval.WithDType(dt), start)
		}
		in[2+i] = b.op("stablehlo.clamp", start.aval, b.number(0, dt), start, b.literal(core.Lit(core.IntNumber(most(i)), dt)))
	}
	return in
}

// cut returns the attribute that states how an argument or a result is cut.
func (w *writer) cut(s Sharding, a core.ShapedArray) string {
	return "sdy.sharding = #sdy.sharding" + specText(w.meshName(s.Mesh), s.Spec, a)
}

// attributes returns a dictionary of attributes with a blank in front, "" if there is none.
func attributes(list ...string) string {
	if len(list) == 0 {
		return ""
	}
	return " {" + strings.Join(list, ", ") + "}"
}
