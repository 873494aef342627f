// Package simttest contains one function of each kind that is not made from a kernel in a file,
// for tests of printers.
package simttest

import (
	"maps"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/core/prim/matrices"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/schedule"
	"github.com/weft-go/weft/lower/simt"
)

// Product returns a product of n×n matrices.
func Product(t scalar.Type, n int) *simt.Func {
	size := int64(n) * int64(n)
	return simt.LowerProduct(&simt.Product{Name: "product", Type: t, Chunk: 128, M: n, N: n, K: n,
		A: simt.Operand{Outer: n, K: 1}, B: simt.Operand{Outer: 1, K: n}, Lens: [3]int64{size, size, size}})
}

// BatchedProduct returns count products of n×n matrices.
func BatchedProduct(count, n int) *simt.Func {
	size := int64(count) * int64(n) * int64(n)
	return simt.LowerProduct(&simt.Product{Name: "batched_product", Type: scalar.F32, Chunk: 128, M: n, N: n, K: n, Batch: []simt.BatchAxis{{N: count, A: n * n, B: n * n}},
		A: simt.Operand{Outer: n, K: 1}, B: simt.Operand{Outer: 1, K: n}, Lens: [3]int64{size, size, size}})
}

// Conv returns a convolution of 3×3 windows with padding.
func Conv(n, features, outputs int) *simt.Func {
	axis := simt.ConvAxis{In: n, Out: n, Size: 3, Stride: 1, Low: 1, Gap: 1, Dilation: 1}
	return simt.LowerConv(&simt.Conv{Name: "convolution", Type: scalar.F32, Chunk: 128, Batch: 2, Features: features, Channels: features, Outputs: outputs, Groups: 1,
		Axes: []simt.ConvAxis{axis, axis}, B: simt.Operand{Outer: 1, K: outputs},
		Lens: [3]int64{int64(2 * n * n * features), int64(9 * features * outputs), int64(2 * n * n * outputs)}})
}

// Transpose returns a transposition of a matrix.
func Transpose(rows, cols int) *simt.Func {
	n := int64(rows) * int64(cols)
	return simt.LowerTranspose(&simt.Transpose{Name: "transpose", Type: scalar.U32, Rows: simt.TransposeAxis{N: rows, In: cols, Out: 1}, Cols: simt.TransposeAxis{N: cols, In: 1, Out: rows}, Lens: [2]int64{n, n}})
}

// Update returns the update of a scatter that adds rows to a matrix of f32.
func Update(rows, columns, points int) *schedule.Update {
	return UpdateOf(indexed.CombineAdd, core.Float32, rows, columns, points)
}

// UpdateOf returns the update of a scatter of rows to a matrix.
func UpdateOf(how indexed.Combiner, dt core.DType, rows, columns, points int) *schedule.Update {
	b := jaxpr.NewBuilder()
	x, idx, u := b.Input(core.Aval(dt, rows, columns)), b.Input(core.Aval(core.Int32, points, 1)), b.Input(core.Aval(dt, points, columns))
	first := core.MakeDims(0)
	p := indexed.Scattering{UpdateWindowDims: core.MakeDims(1), InsertedWindowDims: first, ScatterDimsToOperandDims: first, Mode: indexed.FillOrDrop}.By(how, dt)
	for _, s := range fuse.Translate(b.Build(b.Eqn(p, x, idx, u)[0]), fuse.Target{}).Steps {
		if s, ok := s.(*fuse.Update); ok {
			return schedule.NewUpdate(s.Kernel)
		}
	}
	panic("BUG: a scatter is no update")
}

// LongSums returns a product with few results, each a sum of k products.
func LongSums(m, n, k int) *simt.Product {
	return &simt.Product{Name: "long_sums", Type: scalar.F32, Chunk: 128, M: m, N: n, K: k,
		A: simt.Operand{Outer: k, K: 1}, B: simt.Operand{Outer: 1, K: n}, Lens: [3]int64{int64(m * k), int64(k * n), int64(m * n)}}
}

// CumulativeSum returns the divided cumulative sum of a vector of n f32.
func CumulativeSum(n int) *simt.CumulativeDivision {
	b := jaxpr.NewBuilder()
	x := b.Input(core.Aval(core.Float32, n))
	for _, s := range fuse.Translate(b.Build(b.Eqn(prim.CumsumP{}, x)[0]), fuse.Target{}).Steps {
		if s, ok := s.(*fuse.Launch); ok {
			if d := simt.DivideCumulative(s.Kernel); d != nil {
				return d
			}
		}
	}
	panic("BUG: a cumulative sum is not divided")
}

// Factors returns the kernels of an operation on matrices, by name.
func Factors(p core.Primitive, in ...core.ShapedArray) map[string]*simt.Func {
	b := jaxpr.NewBuilder()
	var atoms, outs []jaxpr.Atom
	for _, a := range in {
		atoms = append(atoms, b.Input(a))
	}
	for _, v := range b.Eqn(p, atoms...) {
		outs = append(outs, v)
	}
	all := map[string]*simt.Func{}
	for _, w := range schedule.SequenceOf(&fuse.Call{Eqn: b.Build(outs...).Eqns[0]}, schedule.Device{}).Work {
		if _, plain := w.Kernel.(*ir.Kernel); w.Kernel != nil && !plain {
			f := simt.FuncOf(w.Kernel)
			all[f.Name+"_"+in[0].DType.String()] = f
		}
	}
	return all
}

// Kinds returns a function of each kind by name.
func Kinds() map[string]*simt.Func {
	u := Update(1000, 64, 5000)
	sort := schedule.Sort{Key: scalar.U32, Rows: 4, N: 3000}.Kernels()
	wide := schedule.Sort{Key: scalar.U64, Rows: 4, N: 3000}.Kernels()
	digit := Passes(Radix(20000, 1))[1]
	keys := &schedule.UpdateKeys{Update: u}
	long := LongSums(2, 3, 12805).Split()
	running := CumulativeSum(100000)
	transform := Fourier(100, 4096)
	least := Select(2, 1000000, 100)
	level := least.Levels()[1]
	all := map[string]*simt.Func{
		"cumulative_totals": running.Totals, "cumulative_elements": running.Elements,
		"radix_count": digit.Count, "radix_sum": digit.Sum, "radix_place": digit.Place,
		"product": Product(scalar.F32, 1024), "product_f64": Product(scalar.F64, 256), "batched_product": BatchedProduct(12, 64), "convolution": Conv(28, 32, 64),
		"sort_tiles": simt.FuncOf(sort[0]), "sort_merge": simt.FuncOf(sort[1]), "sort_tiles_u64": simt.FuncOf(wide[0]), "sort_merge_u64": simt.FuncOf(wide[1]),
		"fourier_first": transform[0], "fourier_last": transform[1], "fourier": Fourier(100, 1024)[0],
		"select_count": simt.FuncOf(&schedule.SelectCount{Select: least, SelectLevel: level}), "select_digit": simt.FuncOf(&schedule.SelectDigit{Select: least, SelectLevel: level}),
		"select_sides": simt.FuncOf(&schedule.SelectSides{Select: least}), "select_place": simt.FuncOf(&schedule.SelectPlace{Select: least}),
		"update_in_order": simt.FuncOf(&schedule.UpdateInOrder{Update: u}), "update_keys": simt.FuncOf(keys), "update_grouped": simt.FuncOf(&schedule.UpdateGrouped{Update: u}),
		"update_elements": simt.FuncOf(&schedule.UpdateGrouped{Update: UpdateOf(indexed.CombineAdd, core.Float32, 1000, 1, 5000)}), "update_last": simt.FuncOf(&schedule.UpdateLast{Update: u}),
		"update_at_once": simt.FuncOf(&schedule.UpdateAtOnce{Update: UpdateOf(indexed.CombineAdd, core.Int32, 1000, 64, 5000)}),
		"update_tallied": simt.FuncOf(&schedule.UpdateAtOnce{Update: UpdateOf(indexed.CombineAdd, core.Int32, 1000, 1, 50000)}),
		"split_chains":   long.Partial, "split_sum": long.Sum,
		"guarded": simt.FuncOf(keys).Guarded(), "vectors": Vectors(64), "fetches": Fetches(64), "transpose": Transpose(1000, 768),
	}
	for _, dt := range []core.DType{core.Float32, core.Float64} {
		maps.Copy(all, Factors(matrices.CholeskyP{}, core.Aval(dt, 200, 200)))
		maps.Copy(all, Factors(matrices.LUP{}, core.Aval(dt, 64, 64)))
		maps.Copy(all, Factors(matrices.QRP{}, core.Aval(dt, 64, 64)))
	}
	return all
}
