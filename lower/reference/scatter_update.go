package reference

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/lower/reference/internal/block"
	"github.com/weft-go/weft/lower/scalar"
)

// updaters has an updater of one element type for each operation but CombineSet, which needs no types.
type updaters[T any] [indexed.CombineMax + 1]updater[T]

var (
	updatersI8   = intUpdaters(&foldsI8)
	updatersI16  = intUpdaters(&foldsI16)
	updatersI32  = intUpdaters(&foldsI32)
	updatersI64  = intUpdaters(&foldsI64)
	updatersU8   = intUpdaters(&foldsU8)
	updatersU16  = intUpdaters(&foldsU16)
	updatersU32  = intUpdaters(&foldsU32)
	updatersU64  = intUpdaters(&foldsU64)
	updatersBool = updaters[int8]{
		indexed.CombineMin: elementwiseUpdate(foldsBool[foldMin].two),
		indexed.CombineMax: elementwiseUpdate(foldsBool[foldMax].two),
	}
	updatersF32  = floatUpdaters(&foldsF32, addCanonical[float32], sub2[float32])
	updatersF64  = floatUpdaters(&foldsF64, addCanonical[float64], sub2[float64])
	updatersC64  = floatUpdaters(&foldsC64, addCanonical[complex64], sub2[complex64])
	updatersC128 = floatUpdaters(&foldsC128, addCanonical[complex128], sub2[complex128])
	updatersBF16 = smallUpdaters(scalar.FromBF16, scalar.ToBF16)
	updatersF16  = smallUpdaters(scalar.FromF16, scalar.ToF16)
)

func (us *updaters[T]) update(op indexed.Combiner, y, u *block.Tensor) func(d, step, u, n int) {
	return us[op].of(y, u)
}

func sub2[A block.Number | complex64 | complex128](a, x A) A { return a - x }

func intUpdaters[A block.Integer](f *folds[A]) updaters[A] {
	return updaters[A]{
		indexed.CombineAdd: addElements[A],
		indexed.CombineSub: elementwiseUpdate(sub2[A]),
		indexed.CombineMul: elementwiseUpdate(f[foldProd].two),
		indexed.CombineMin: elementwiseUpdate(f[foldMin].two),
		indexed.CombineMax: elementwiseUpdate(f[foldMax].two),
	}
}

// floatUpdaters returns updaters that make NaNs canonical.
func floatUpdaters[A comparable](f *folds[A], add updater[A], sub func(a, x A) A) updaters[A] {
	canonical := func(two func(a, x A) A) updater[A] {
		return elementwiseUpdate(func(a, x A) A {
			y := [1]A{two(a, x)}
			if y[0] != y[0] {
				block.Canon(y[:])
			}
			return y[0]
		})
	}
	return updaters[A]{
		indexed.CombineAdd: add,
		indexed.CombineSub: canonical(sub),
		indexed.CombineMul: canonical(f[foldProd].two),
		indexed.CombineMin: canonical(f[foldMin].two),
		indexed.CombineMax: canonical(f[foldMax].two),
	}
}

// smallUpdaters returns updaters that compute in f32 and round after every update.
func smallUpdaters[T any](widen func(T) float32, narrow func(float32) T) updaters[T] {
	var u updaters[T]
	for op, two := range map[indexed.Combiner]func(a, x float32) float32{
		indexed.CombineAdd: add2[float32],
		indexed.CombineSub: sub2[float32],
		indexed.CombineMul: mul2[float32],
		indexed.CombineMin: scalar.Min32,
		indexed.CombineMax: scalar.Max32,
	} {
		u[op] = elementwiseUpdate(func(a, x T) T { return narrow(two(widen(a), widen(x))) })
	}
	return u
}

// minorUpdaters returns the updaters of a float of eight bits or fewer.
func minorUpdaters(dt core.DType) updaters[uint8] {
	return smallUpdaters(
		func(c uint8) float32 { return scalar.WidenTable(dt)[c] },
		func(x float32) uint8 { return uint8(scalar.NarrowSmall(dt, x)) },
	)
}

func elementwiseUpdate[T any](two func(a, x T) T) updater[T] {
	return func(dst, upd []T, d, step, u, n int) {
		for _, v := range upd[u : u+n] {
			dst[d] = two(dst[d], v)
			d += step
		}
	}
}

func addElements[T block.Integer](dst, upd []T, d, step, u, n int) {
	for _, v := range upd[u : u+n] {
		dst[d] += v
		d += step
	}
}

func addCanonical[T block.Float | complex64 | complex128](dst, upd []T, d, step, u, n int) {
	for _, v := range upd[u : u+n] {
		v += dst[d]
		dst[d] = v
		if v != v {
			block.Canon(dst[d : d+1])
		}
		d += step
	}
}

func setElements[T any](dst, upd []T, d, step, u, n int) {
	if step == 1 {
		copy(dst[d:d+n], upd[u:u+n])
		return
	}
	for _, v := range upd[u : u+n] {
		dst[d] = v
		d += step
	}
}
