package pjrt

import (
	"fmt"
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/runtime/pjrt/internal/capi"
)

// elements are the interface's numbers of element types. XLA has booleans for float0.
var elements = map[core.DType]int32{
	core.Float0: 1, core.Bool: 1, core.Int8: 2, core.Int16: 3, core.Int32: 4, core.Int64: 5, core.Uint8: 6, core.Uint16: 7, core.Uint32: 8, core.Uint64: 9,
	core.Float16: 10, core.Float32: 11, core.Float64: 12, core.BFloat16: 13, core.Complex64: 14, core.Complex128: 15,
	core.Float8E5M2: 16, core.Float8E4M3FN: 17, core.Float8E4M3B11FNUZ: 18, core.Float8E5M2FNUZ: 19, core.Float8E4M3FNUZ: 20,
	core.Int4: 21, core.Uint4: 22, core.Int2: 24, core.Uint2: 25, core.Float8E4M3: 26, core.Float8E3M4: 27, core.Float8E8M0FNU: 28, core.Float4E2M1FN: 29,
}

// typeOf returns a plugin's type for arrays of type a. Random keys are represented by their words.
func typeOf(a core.ShapedArray) (t capi.Type, err error) {
	dt, shape := a.DType, a.Shape
	if dt.IsKey() {
		dt, shape = core.Uint32, shape.Append(dt.KeyWords())
	}
	element, ok := elements[dt]
	if !ok {
		return t, fmt.Errorf("XLA has no element type for %v; convert it with AsType", a.Full())
	}
	t.Element = element
	for _, n := range shape.Ints() {
		t.Dims = append(t.Dims, int64(n))
	}
	return t, nil
}

func sameType(a, b capi.Type) bool { return a.Element == b.Element && slices.Equal(a.Dims, b.Dims) }

func bytesOf(a core.ShapedArray) int { return a.Size() * a.DType.Size() }
