package promote

import (
	"math/big"
	"reflect"
)

func integer(v any) (*big.Int, bool) {
	if n, ok := v.(*big.Int); ok && n != nil {
		return n, true
	}
	switch r := reflect.ValueOf(v); {
	case v == nil:
		return nil, false
	case r.CanInt():
		return big.NewInt(r.Int()), true
	case r.CanUint():
		return new(big.Int).SetUint64(r.Uint()), true
	}
	return nil, false
}

func float(v any) (float64, bool) {
	if n, ok := integer(v); ok {
		f, _ := new(big.Float).SetInt(n).Float64()
		return f, true
	}
	if r := reflect.ValueOf(v); v != nil && r.CanFloat() {
		return r.Float(), true
	}
	return 0, false
}

func complexNumber(v any) (complex128, bool) {
	if r := reflect.ValueOf(v); v != nil && r.CanComplex() {
		return r.Complex(), true
	}
	f, ok := float(v)
	return complex(f, 0), ok
}
