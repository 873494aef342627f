package nd

import "github.com/weft-go/weft/core"

// Unbox returns the value that an array of package weft points to. The zero array, which points
// to nil, is an error.
func Unbox(v *core.Value) core.Value {
	if v == nil {
		core.Failf(core.ErrTree, "the zero Array has no value (was a field or a variable not set?); set it")
	}
	return *v
}

// UnboxOptional returns the value that an array of package weft points to. It is nil for the zero
// array, so that each operation refuses it under its own name.
func UnboxOptional(v *core.Value) core.Value {
	if v == nil {
		return nil
	}
	return *v
}
