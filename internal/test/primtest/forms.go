package primtest

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/rng"
)

// forms are the samples of equations that texts of JAX contain besides the functions of package
// lax.
func forms() []Sample {
	return []Sample{
		{Prim: prim.AccurateP{Of: prim.Expm1P{}, Accuracy: "AccuracyMode.HIGHEST"}, In: []core.ShapedArray{core.Aval(core.Float32, 3)}},
		{Prim: prim.MulToP{DType: core.Float32, Word: "float32"}, In: []core.ShapedArray{core.Aval(core.Float32, 2, 3), core.Aval(core.Float16)}},
		{Prim: prim.MulToP{DType: core.Int32, Word: "<class 'numpy.int32'>"}, In: []core.ShapedArray{core.Aval(core.Int16, 3), core.Aval(core.Int16, 3)}},
		{Prim: rng.RNGBitGeneratorP{Algorithm: rng.ThreeFry, DType: core.Uint32, Shape: dims(3, 5)}, In: []core.ShapedArray{core.Aval(core.Uint32, 4)}},
		{Prim: rng.RNGBitGeneratorP{Algorithm: rng.Philox, DType: core.Uint16, Shape: dims(5)}, In: []core.ShapedArray{core.Aval(core.Uint32, 4)}},
		{Prim: rng.RNGBitGeneratorP{Algorithm: rng.Default, DType: core.Uint64, Shape: dims(2, 3)}, In: []core.ShapedArray{core.Aval(core.Uint64, 2)}},
	}
}
