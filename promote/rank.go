package promote

import "github.com/weft-go/weft/core"

// listed is the order of types in the rows and columns of tables.
var listed = [...]core.DType{
	core.Bool,
	core.Uint2, core.Uint4, core.Uint8, core.Uint16, core.Uint32, core.Uint64,
	core.Int2, core.Int4, core.Int8, core.Int16, core.Int32, core.Int64,
	Index, Address,
	core.Float4E2M1FN, core.Float6E2M3FN, core.Float6E3M2FN, core.Float8E3M4, core.Float8E4M3,
	core.Float8E8M0FNU, core.Float8E4M3B11FNUZ, core.Float8E4M3FN, core.Float8E4M3FNUZ,
	core.Float8E5M2, core.Float8E5M2FNUZ,
	core.BFloat16, core.Float16, core.Float32, TF32, core.Float64,
	Complex32, core.Complex64, core.Complex128,
	core.Float0, core.Key, core.KeyRBG, core.KeyURBG, core.KeyPhilox2x32, core.KeyPhilox4x32, core.Token,
}

// rank returns the position of t in the order of tables, weak types last.
func rank(t Type) int {
	r := len(listed)
	for i, d := range listed {
		if d == t.DType {
			r = i
			break
		}
	}
	if t.Weak {
		r += 2 * len(listed)
	}
	return r
}
