package wasm

import "github.com/weft-go/weft/lower/native"

// Probe returns a module whose argument is the address of three vectors x, y and z of f32. It stores x·y + z
// behind them. If relaxed is set, relaxed_madd computes it, else operations in f64 compute the first element and
// repeat it.
func Probe(relaxed bool) []byte {
	w := &writer{Draft: &native.Draft{}}
	w.begin()
	load := func(i uint32) {
		w.get(argsLocal)
		w.vecAccess(v128Load, vectorBytes*i)
	}
	w.get(argsLocal)
	if relaxed {
		load(0)
		load(1)
		load(2)
		w.vec(f32x4RelaxedMadd)
	} else {
		half := func(i uint32) {
			load(i)
			w.vec(f64x2PromoteLowF32x4)
		}
		half(0)
		half(1)
		w.vec(f64x2Mul)
		half(2)
		w.vec(f64x2Add)
		w.vec(f32x4DemoteF64x2Zero)
		w.vecLane(i32x4ExtractLane, 0)
		w.vec(i32x4Splat)
	}
	w.vecAccess(v128Store, 3*vectorBytes)
	module, _ := moduleOf([]function{w.finish([]byte{typeI32}, nil, [numLocals]int32{})}, nil)
	return module
}
