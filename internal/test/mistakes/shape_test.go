package mistakes

import (
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lax"
	"github.com/weft-go/weft/promote"
)

func ones(dims ...int) array { return weft.Ones(dims...) }

func ints(dims ...int) array { return weft.OnesOf(weft.Int32, dims...) }

// Shapes, types and indices that do not fit.
var shapeMistakes = []mistake{
	{"add_shapes", func() { ones(3).Add(ones(4)) }, core.ErrShape, []string{"f32[3]", "f32[4]", "Add: "}},
	{"lax_add_shapes", func() { lax.Add(ones(3), ones(4)) }, core.ErrShape, []string{"f32[3]", "f32[4]", "add"}},
	{"lax_add_ranks", func() { lax.Add(ones(3), ones(2, 3)) }, core.ErrShape, []string{"f32[3]", "f32[2,3]", "add"}},
	{"lax_add_dtypes", func() { lax.Add(ones(3), ints(3)) }, core.ErrDType, []string{"f32[3]", "i32[3]", "add"}},
	{"lax_add_bool", func() { lax.Add(true, false) }, core.ErrDType, []string{"bool", "add"}},
	{"lax_sin_int", func() { lax.Sin(weft.Scalar(3)) }, core.ErrDType, []string{"i32[]", "sin"}},
	{"matmul_shapes", func() { ones(2, 3).MatMul(ones(4, 5)) }, core.ErrShape, []string{"f32[2,3]", "f32[4,5]", "MatMul"}},
	{"dot_shapes", func() { ones(3).Dot(ones(4)) }, core.ErrShape, []string{"f32[3]", "f32[4]", "Dot"}},
	{"matmul_scalar", func() { ones(3).MatMul(weft.Scalar(2.)) }, core.ErrShape, []string{"f32[3]", "f32[]", "MatMul"}},
	{"reshape_size", func() { ones(6).Reshape(4) }, core.ErrShape, []string{"f32[6]", "4", "Reshape"}},
	{"reshape_two_minus", func() { ones(6).Reshape(-1, -1) }, core.ErrShape, []string{"(-1, -1)", "Reshape"}},
	{"reshape_indivisible", func() { ones(6).Reshape(4, -1) }, core.ErrShape, []string{"6", "(4, -1)", "Reshape"}},
	{"concat_ranks", func() { weft.Concat(0, ones(3), ones(2, 3)) }, core.ErrShape, []string{"f32[3]", "f32[2,3]"}},
	{"concat_shapes", func() { weft.Concat(0, ones(2, 3), ones(2, 4)) }, core.ErrShape, []string{"f32[2,3]", "f32[2,4]"}},
	{"concat_empty", func() { weft.Concat(0) }, core.ErrShape, []string{"Concat"}},
	{"stack_shapes", func() { weft.Stack(0, ones(3), ones(4)) }, core.ErrShape, []string{"f32[3]", "f32[4]", "Stack"}},
	{"broadcast_to", func() { ones(3).BroadcastTo(4) }, core.ErrShape, []string{"f32[3]", "(4,)", "BroadcastTo"}},
	{"transpose_perm", func() { lax.Transpose(ones(2, 3), 0, 0) }, core.ErrShape, []string{"f32[2,3]", "(0, 0)", "transpose"}},
	{"axis_out_of_range", func() { ones(3).Sum(1) }, core.ErrIndex, []string{"f32[3]", "axis 1", "Sum"}},
	{"duplicate_axis", func() { ones(2, 3).Sum(0, 0) }, core.ErrIndex, []string{"axis 0", "Sum"}},
	{"squeeze_not_one", func() { ones(3).Squeeze(0) }, core.ErrShape, []string{"f32[3]", "axis 0", "Squeeze"}},
	{"einsum_shapes", func() { weft.Einsum("ij,jk->ik", ones(2, 3), ones(4, 5)) }, core.ErrShape, []string{"3", "4", "j", "Einsum"}},
	{"einsum_text", func() { weft.Einsum("ij->ijk", ones(2, 3)) }, core.ErrShape, []string{"k", "Einsum"}},
	{"split_uneven", func() { weft.SplitEvenly(ones(5), 0, 2) }, core.ErrShape, []string{"f32[5]", "SplitEvenly"}},
	{"array_string", func() { weft.From("a") }, core.ErrDType, []string{"string", "From"}},
	{"array_none", func() { weft.From(nil) }, core.ErrDType, []string{"nil", "From"}},
	{"array_ragged", func() { weft.From([][]int{{1}, {2, 3}}) }, core.ErrShape, []string{"1", "2", "From"}},
	{"array_object", func() { weft.From([]any{struct{}{}}) }, core.ErrDType, []string{"[]interface {}", "From"}},
	{"negative_shape", func() { weft.Zeros(-1) }, core.ErrShape, []string{"-1", "Zeros"}},
	{"f8_promotion", func() { ones(3).AsType(core.Float8E4M3FN).Add(ones(3)) }, core.ErrPromotion, []string{"f8_e4m3fn", "f32", "Add"}},
	{"i4_promotion", func() { ints(3).AsType(core.Int4).Add(ints(3).AsType(weft.Int8)) }, core.ErrPromotion, []string{"i4", "i8", "Add"}},
	{"strict_promotion", func() { weft.With(weft.Promotion(promote.JAXStrict), func() { ones(3).Add(ints(3)) }) }, core.ErrPromotion, []string{"f32", "i32", "Add"}},
	{"rank_promotion_raise", func() { weft.With(weft.RankPromotion(weft.Raise), func() { ones(2, 3).Add(ones(3)) }) }, core.ErrShape, []string{"f32[2,3]", "f32[3]", "Add"}},
	{"int_negative_power", func() { weft.Arange(3).Pow(-1) }, core.ErrDType, []string{"-1", "Pow"}},
	{"bit_and_float", func() { ones(3).And(1) }, core.ErrDType, []string{"f32[3]", "and"}},
	{"shift_float", func() { ones(3).Shl(1) }, core.ErrDType, []string{"f32[3]", "shift_left"}},
	{"invert_float", func() { ones(3).Not() }, core.ErrDType, []string{"f32[3]", "not"}},
	{"int_overflow_add", func() { weft.Scalar(int8(1)).Add(1000) }, core.ErrDType, []string{"1000", "i8", "Add"}},
	{"int_overflow_array", func() { weft.Scalar(1 << 40) }, core.ErrDType, []string{"1099511627776", "i32", "Scalar"}},
	{"jit_int_overflow", func() { jit1(func(x array) array { return x })(weft.Scalar(1 << 40)) }, core.ErrDType, []string{"1099511627776", "i32"}},
	{"index_too_many", func() { ones(3).Index(0, 0) }, core.ErrIndex, []string{"f32[3]", "2", "Index"}},
	{"index_float", func() { ones(3).Index(1.5) }, core.ErrIndex, []string{"float64", "Index"}},
	{"index_string", func() { ones(3).Index("a") }, core.ErrIndex, []string{`"a"`, "Index"}},
	{"index_list", func() { ones(3).Index([]int{0, 1}) }, core.ErrIndex, []string{"[]int", "Index"}},
	{"index_bool_shape", func() { ones(3).Index(weft.Of(true, false)) }, core.ErrIndex, []string{"f32[3]", "bool[2]", "Index"}},
	{"len_scalar", func() { one.Len() }, core.ErrShape, []string{"f32[]", "Len"}},
	{"iter_scalar", func() {
		for range one.Rows() {
		}
	}, core.ErrShape, []string{"f32[]", "Rows"}},
	{"dynamic_slice_rank", func() { lax.DynamicSlice(ones(2, 3), lax.Starts(0), 1, 1) }, core.ErrIndex, []string{"f32[2,3]", "dynamic_slice"}},
	{"dynamic_slice_big", func() { lax.DynamicSlice(ones(3), lax.Starts(0), 4) }, core.ErrIndex, []string{"f32[3]", "4", "dynamic_slice"}},
	{"dynamic_update_big", func() { lax.DynamicUpdateSlice(ones(3), ones(4), lax.Starts(0)) }, core.ErrShape, []string{"f32[3]", "f32[4]", "dynamic_update_slice"}},
	{"gather_bad", func() {
		lax.Gather(ones(3, 4), weft.ZerosOf(weft.Int32, 2, 1), lax.GatherConfig{OffsetDims: []int{1}, CollapsedSliceDims: []int{0}, StartIndexMap: []int{0}, SliceSizes: []int{2, 4}})
	}, core.ErrIndex, []string{"f32[3,4]", "gather"}},
	{"conv_rank", func() { lax.Conv(ones(1, 3, 8), ones(4, 3, 3, 3), []int{1}, lax.Same) }, core.ErrShape, []string{"f32[1,3,8]", "f32[4,3,3,3]"}},
	{"conv_channels", func() { lax.Conv(ones(1, 3, 8, 8), ones(4, 2, 3, 3), []int{1, 1}, lax.Same) }, core.ErrShape, []string{"f32[1,3,8,8]", "f32[4,2,3,3]"}},
	{"conv_two_paddings", func() {
		weft.Conv(ones(1, 3, 8, 8), ones(4, 3, 3, 3), weft.ConvConfig{Same: true, Padding: [][2]int{{1, 1}, {1, 1}}})
	}, core.ErrShape, []string{"Conv", "Same"}},
	{"cholesky_nonsquare", func() { lax.Cholesky(ones(2, 3)) }, core.ErrShape, []string{"f32[2,3]", "cholesky"}},
	{"select_shapes", func() { lax.Select(weft.Of(true, false), ones(3), ones(3)) }, core.ErrShape, []string{"bool[2]", "f32[3]", "select_n"}},
	{"clamp_shapes", func() { lax.Clamp(ones(2), ones(3), 1.) }, core.ErrShape, []string{"f32[2]", "f32[3]", "clamp"}},
	{"pad_config_rank", func() { lax.Pad(ones(3, 2), 0., [3]int{1, 1, 0}) }, core.ErrShape, []string{"f32[3,2]", "pad"}},
	{"reduce_axes", func() { lax.ReduceSum(ones(3), 1) }, core.ErrIndex, []string{"f32[3]", "1", "reduce_sum"}},
	{"top_k_big", func() { lax.TopK(ones(3), 5, -1) }, core.ErrShape, []string{"f32[3]", "5", "top_k"}},
	{"argmax_empty", func() { ones(0).ArgMax() }, core.ErrShape, []string{"f32[0]", "ArgMax"}},
	{"max_empty", func() { ones(0).Max() }, core.ErrShape, []string{"f32[0]", "Max"}},
	{"mean_empty_ok", func() { ones(0, 3).Max(0) }, core.ErrShape, []string{"f32[0,3]", "Max"}},
	{"scatter_dtype_warning", func() { weft.ZerosOf(weft.Int32, 3).At(0).Set(1.5) }, core.ErrDType, []string{"the number 1.5 of f32", "i32", "At.Set"}},
	{"eval_shape_mismatch", func() {
		_, err := weft.EvalShape(func(a, b array) array { return a.MatMul(b) }, ones(2, 3), ones(4, 5))
		panic(err)
	}, core.ErrShape, []string{"f32[2,3]", "f32[4,5]", "MatMul"}},
}

func TestShapes(t *testing.T) { run(t, "shape_test.go", shapeMistakes) }
