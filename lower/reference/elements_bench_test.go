package reference

import (
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/core/prim/matrices"
	"github.com/weft-go/weft/core/prim/rng"
	"github.com/weft-go/weft/core/prim/windows"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// BenchmarkElements measures loops that read, convert or write elements through the table of dtypes.
func BenchmarkElements(b *testing.B) {
	d := core.MakeDims
	x, s := benchArray(core.Float32, 256, 256), benchArray(core.Float32, 128, 128)
	benchLoop(b, "select-scatter", x.Size(), windows.SelectAndScatterAddP{Select: windows.SelectGe, Dims: d(2, 2), Strides: d(2, 2), Padding: d(0, 0, 0, 0)}, s, x)
	benchLoop(b, "sort-bf16", 1<<16, indexed.SortP{Dimension: 1, NumKeys: 1}, benchArray(core.BFloat16, 1<<13, 8))
	benchLoop(b, "bits64", 1<<16, rng.RandomBitsP{BitWidth: 64, Shape: d(1 << 16)}, block.NewTensor(core.Aval(core.Key)))
	benchLoop(b, "bits8", 1<<16, rng.RandomBitsP{BitWidth: 8, Shape: d(1 << 16)}, block.NewTensor(core.Aval(core.Key)))
	benchLoop(b, "cumsum-f8", 1<<16, prim.CumsumP{}, benchArray(core.Float8E4M3FN, 1<<16))
	benchLoop(b, "eigh-f32", 64, matrices.EighP{}, benchArray(core.Float32, 16, 2, 2))
	benchLoop(b, "lu-bf16", 64, matrices.LUP{}, benchArray(core.BFloat16, 16, 2, 2))
	benchLoop(b, "seed-u8", 1<<14, rng.RandomSeedP{}, benchArray(core.Uint8, 1<<14))
	benchLoop(b, "fft-c64", 1<<14, prim.FFTP{Lengths: d(1 << 14)}, benchArray(core.Complex64, 1<<14))
}
