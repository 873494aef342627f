package api

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// numpy says where the functions of jax.numpy that people use most are: the name
// there; the name here, several where several do it, "" where there is none; a remark,
// which says why where there is none.
var numpy = []struct{ theirs, ours, remark string }{
	{"abs", "Abs", ""},
	{"absolute", "Abs", ""},
	{"add", "Add Array.Add", ""},
	{"all", "Array.All", ""},
	{"allclose", "AllClose", "tolerances are always written"},
	{"amax", "Array.Max", ""},
	{"amin", "Array.Min", ""},
	{"angle", "Angle", ""},
	{"any", "Array.Any", ""},
	{"append", "Concat", "`Concat(0, x.Ravel(), y.Ravel())`, or `Concat(axis, x, y)`"},
	{"apply_along_axis", "Vmap", "Vmap of the function, with In for the axis"},
	{"arange", "Arange", "`Arange(4)` is integers, `Arange(4.)` floats"},
	{"arccos", "Acos", ""},
	{"arccosh", "Acosh", ""},
	{"arcsin", "Asin", ""},
	{"arcsinh", "Asinh", ""},
	{"arctan", "Atan", ""},
	{"arctan2", "Atan2", ""},
	{"arctanh", "Atanh", ""},
	{"argmax", "Array.ArgMax", ""},
	{"argmin", "Array.ArgMin", ""},
	{"argsort", "Array.ArgSort", ""},
	{"argwhere", "Nonzero", "Nonzero gives one array an axis"},
	{"array", "Of FromSlice From", "From takes nested slices"},
	{"array_equal", "Array.Equal", "types must be equal, too"},
	{"array_split", "Split", "by sizes"},
	{"asarray", "AsArray From", ""},
	{"astype", "Array.AsType", ""},
	{"atleast_1d", "AtLeast", "`AtLeast(x, 1)`"},
	{"atleast_2d", "AtLeast", "`AtLeast(x, 2)`"},
	{"atleast_3d", "AtLeast", "`AtLeast(x, 3)`"},
	{"average", "Average", ""},
	{"bincount", "Bincount", "the length is always written"},
	{"bitwise_and", "Array.And", ""},
	{"bitwise_count", "PopulationCount", ""},
	{"bitwise_not", "Array.Not", ""},
	{"bitwise_or", "Array.Or", ""},
	{"bitwise_xor", "Array.Xor", ""},
	{"block", "Concat", "of Concat"},
	{"broadcast_arrays", "BroadcastArrays", ""},
	{"broadcast_to", "Array.BroadcastTo", ""},
	{"cbrt", "Cbrt", ""},
	{"ceil", "Ceil", ""},
	{"choose", "Select", ""},
	{"clip", "Clip", ""},
	{"column_stack", "Stack", "`Stack(1, …)` of vectors"},
	{"concatenate", "Concat", "the axis comes first"},
	{"conj", "Conj", ""},
	{"convolve", "nn.Convolve", "`fft.Convolve` for long operands"},
	{"copy", "", "arrays are immutable: nothing needs to be copied"},
	{"copysign", "Copysign", ""},
	{"corrcoef", "stats.CorrCoef", ""},
	{"correlate", "nn.Correlate", ""},
	{"cos", "Cos", ""},
	{"cosh", "Cosh", ""},
	{"count_nonzero", "Array.Ne Array.Sum", "`x.Ne(0).Sum()`"},
	{"cov", "stats.Cov", ""},
	{"cross", "Cross", ""},
	{"cumprod", "Array.CumProd", ""},
	{"cumsum", "Array.CumSum", ""},
	{"deg2rad", "Deg2Rad", ""},
	{"degrees", "Rad2Deg", ""},
	{"delete", "", "masks and Concat say which elements stay; the shape is then known"},
	{"diag", "Diag", ""},
	{"diagonal", "Diagonal", "of the last two axes"},
	{"diff", "Diff", ""},
	{"digitize", "SearchSorted", ""},
	{"divide", "Div Array.Div", ""},
	{"divmod", "FloorDiv Mod", "`FloorDiv(x, y), Mod(x, y)`"},
	{"dot", "Array.Dot", ""},
	{"dsplit", "Split", ""},
	{"dstack", "DStack", ""},
	{"einsum", "Einsum", ""},
	{"empty", "Zeros", "there is no memory that is not initialized"},
	{"empty_like", "ZerosLike", ""},
	{"equal", "Eq Array.Eq", ""},
	{"exp", "Exp", ""},
	{"exp2", "Exp2", ""},
	{"expand_dims", "Array.ExpandDims", ""},
	{"expm1", "Expm1", ""},
	{"extract", "Array.Index", "with a mask that is known"},
	{"eye", "Eye", ""},
	{"fft.dct", "fft.DCT", "jax.scipy.fft.dct; type II"},
	{"fft.fft", "fft.FFT", "`fft.Config{Sizes: …, Norm: …}.FFT(x, axis)` has the other arguments"},
	{"fft.fft2", "fft.FFT2", ""},
	{"fft.fftfreq", "fft.Freq", ""},
	{"fft.fftn", "fft.FFTN", ""},
	{"fft.fftshift", "fft.Shift", ""},
	{"fft.hfft", "fft.HFFT", ""},
	{"fft.idct", "fft.IDCT", "jax.scipy.fft.idct; type II"},
	{"fft.ifft", "fft.IFFT", ""},
	{"fft.ifft2", "fft.IFFT2", ""},
	{"fft.ifftn", "fft.IFFTN", ""},
	{"fft.ifftshift", "fft.IShift", ""},
	{"fft.ihfft", "fft.IHFFT", ""},
	{"fft.irfft", "fft.IRFFT", ""},
	{"fft.irfft2", "fft.IRFFT2", ""},
	{"fft.irfftn", "fft.IRFFTN", ""},
	{"fft.rfft", "fft.RFFT", ""},
	{"fft.rfft2", "fft.RFFT2", ""},
	{"fft.rfftfreq", "fft.RFreq", ""},
	{"fft.rfftn", "fft.RFFTN", ""},
	{"flatnonzero", "Nonzero", "of Ravel"},
	{"flip", "Flip", ""},
	{"fliplr", "Flip", "`Flip(x, 1)`"},
	{"flipud", "Flip", "`Flip(x, 0)`"},
	{"float_power", "FloatPower", ""},
	{"floor", "Floor", ""},
	{"floor_divide", "FloorDiv Array.FloorDiv", ""},
	{"fmax", "Fmax", ""},
	{"fmin", "Fmin", ""},
	{"fmod", "Rem Array.Rem", "x rem 0 is x"},
	{"frombuffer", "Array.View", "FromSlice of the bytes, then View"},
	{"fromfunction", "Iota", "call the function with Iota along each axis"},
	{"full", "Full", ""},
	{"full_like", "FullLike", ""},
	{"gcd", "Gcd", ""},
	{"geomspace", "Logspace", "by exponents"},
	{"gradient", "CentralDiff", "of places at distance 1"},
	{"greater", "Gt Array.Gt", ""},
	{"greater_equal", "Ge Array.Ge", ""},
	{"heaviside", "Heaviside", ""},
	{"histogram", "Histogram", "bins of equal width between bounds that are written; counts are i32"},
	{"hsplit", "Split", ""},
	{"hstack", "HStack", ""},
	{"hypot", "Hypot", ""},
	{"identity", "Eye", ""},
	{"imag", "Array.Imag", ""},
	{"in1d", "IsIn", ""},
	{"indices", "Meshgrid", "of Arange"},
	{"inner", "Tensordot", "`Tensordot(x, y, []int{-1}, []int{-1})`"},
	{"insert", "Concat", "of Index before, what is inserted, and Index behind"},
	{"interp", "Interp", ""},
	{"invert", "Array.Not", ""},
	{"isclose", "IsClose", "tolerances are always written"},
	{"iscomplexobj", "Array.DType", "`x.DType().IsComplex()`"},
	{"isfinite", "IsFinite", ""},
	{"isin", "IsIn", ""},
	{"isinf", "IsInf", ""},
	{"isnan", "IsNaN", ""},
	{"isreal", "IsReal", ""},
	{"ix_", "Meshgrid", "index with the grids"},
	{"kron", "Kron", ""},
	{"lcm", "Lcm", ""},
	{"ldexp", "Ldexp", ""},
	{"left_shift", "Array.Shl", ""},
	{"less", "Lt Array.Lt", ""},
	{"less_equal", "Le Array.Le", ""},
	{"lexsort", "lax.Sort", "several operands with several keys"},
	{"linalg.cholesky", "lax.Cholesky", ""},
	{"linalg.det", "", "not yet: needs an LU factorization"},
	{"linalg.eigh", "", "not yet: needs an eigenvalue factorization"},
	{"linalg.inv", "", "not yet: needs an LU factorization"},
	{"linalg.norm", "Norm", "of vectors; matrix norms need an SVD"},
	{"linalg.qr", "", "not yet: needs a QR factorization"},
	{"linalg.solve", "lax.TriangularSolve", "triangular; others not yet: need an LU factorization"},
	{"linalg.svd", "", "not yet: needs a singular value factorization"},
	{"linspace", "Linspace", ""},
	{"load", "Load", "safetensors, .npz and .npy"},
	{"log", "Log", ""},
	{"log10", "Log10", ""},
	{"log1p", "Log1p", ""},
	{"log2", "Log2", ""},
	{"logaddexp", "LogAddExp", ""},
	{"logical_and", "LogicalAnd", ""},
	{"logical_not", "LogicalNot", ""},
	{"logical_or", "LogicalOr", ""},
	{"logical_xor", "LogicalXor", ""},
	{"logspace", "Logspace", ""},
	{"mask_indices", "Nonzero", "of the mask"},
	{"matmul", "Array.MatMul", ""},
	{"matvec", "Array.MatMul", ""},
	{"max", "Array.Max Reduce", ""},
	{"maximum", "Maximum", ""},
	{"mean", "Array.Mean Reduce", ""},
	{"median", "Median", ""},
	{"meshgrid", "Meshgrid", "GridXY or GridIJ comes first"},
	{"min", "Array.Min Reduce", ""},
	{"minimum", "Minimum", ""},
	{"mod", "Mod Array.Mod", ""},
	{"modf", "Trunc", "x − Trunc(x) is the other part"},
	{"moveaxis", "Array.MoveAxis", ""},
	{"multiply", "Mul Array.Mul", ""},
	{"nan_to_num", "NaNToNum", ""},
	{"nanargmax", "Array.ArgMax", "of Where(IsNaN(x), −∞, x)"},
	{"nanmax", "Reduce", "ReduceMax with SkipNaN"},
	{"nanmean", "Reduce", "ReduceMean with SkipNaN"},
	{"nanmedian", "Quantile", "with SkipNaN"},
	{"nanmin", "Reduce", "ReduceMin with SkipNaN"},
	{"nanprod", "Reduce", "ReduceProd with SkipNaN"},
	{"nanquantile", "Quantile", "with SkipNaN"},
	{"nanstd", "Reduce", "ReduceStd with SkipNaN"},
	{"nansum", "Reduce", "ReduceSum with SkipNaN"},
	{"nanvar", "Reduce", "ReduceVar with SkipNaN"},
	{"ndim", "Array.Rank", ""},
	{"negative", "Array.Neg", ""},
	{"nextafter", "Nextafter", ""},
	{"nonzero", "Nonzero NonzeroSize", "the latter under Jit"},
	{"not_equal", "Ne Array.Ne", ""},
	{"ones", "Ones OnesOf", ""},
	{"ones_like", "OnesLike", "of trees, too"},
	{"outer", "Outer", ""},
	{"packbits", "", "not yet"},
	{"pad", "Pad", ""},
	{"percentile", "Quantile", "`Quantile(x, 0.95, QuantileConfig{})` is the 95th percentile"},
	{"permute_dims", "Array.Transpose", ""},
	{"piecewise", "Select", ""},
	{"place", "Ref.Set", "`x.At(mask).Set(v)` with one number; a list of values does not go into a mask"},
	{"polyfit", "", "not yet: needs least squares"},
	{"polyval", "Polyval", ""},
	{"positive", "", "x itself"},
	{"pow", "Pow Array.Pow", ""},
	{"power", "Pow Array.Pow", ""},
	{"prod", "Array.Prod Reduce", ""},
	{"ptp", "Array.Max Array.Min", "`x.Max(axes...).Sub(x.Min(axes...))`"},
	{"put_along_axis", "PutAlongAxis", ""},
	{"quantile", "Quantile", ""},
	{"rad2deg", "Rad2Deg", ""},
	{"radians", "Deg2Rad", ""},
	{"ravel", "Array.Ravel", ""},
	{"ravel_multi_index", "RavelIndex", ""},
	{"real", "Array.Real", ""},
	{"reciprocal", "Reciprocal", ""},
	{"remainder", "Mod Array.Mod", ""},
	{"repeat", "Repeat RepeatEach", ""},
	{"reshape", "Array.Reshape", ""},
	{"result_type", "EvalShape", "or the command `weft promote`"},
	{"right_shift", "Array.Shr", ""},
	{"rint", "Round", ""},
	{"roll", "Roll", "one axis at a time"},
	{"rollaxis", "Array.MoveAxis", "`x.MoveAxis(axis, start)`, or `x.MoveAxis(axis, start-1)` where start > axis"},
	{"rot90", "Rot90", ""},
	{"round", "Round", ""},
	{"save", "SaveNpy", "`Save` writes trees as safetensors"},
	{"savez", "SaveNpz", ""},
	{"searchsorted", "SearchSorted", "the side is `Left` or `Right`"},
	{"select", "Select", ""},
	{"shape", "Array.Shape", ""},
	{"sign", "Sign", ""},
	{"signbit", "Signbit", ""},
	{"sin", "Sin", ""},
	{"sinc", "Sinc", ""},
	{"sinh", "Sinh", ""},
	{"size", "Array.Size", ""},
	{"sort", "Array.Sort", ""},
	{"split", "Split SplitEvenly", ""},
	{"sqrt", "Sqrt", ""},
	{"square", "Square", ""},
	{"squeeze", "Array.Squeeze", ""},
	{"stack", "Stack", "the axis comes first"},
	{"std", "Array.Std Reduce", "DDof is in the configuration"},
	{"subtract", "Sub Array.Sub", ""},
	{"sum", "Array.Sum Reduce", ""},
	{"swapaxes", "Array.SwapAxes", ""},
	{"take", "Take", ""},
	{"take_along_axis", "TakeAlongAxis", ""},
	{"tan", "Tan", ""},
	{"tanh", "Tanh", ""},
	{"tensordot", "Tensordot", "the axes of both are listed"},
	{"tile", "Tile", ""},
	{"trace", "Diagonal", "of the last two axes"},
	{"transpose", "Array.Transpose Array.T", ""},
	{"trapezoid", "Trapezoid", "the places are always written"},
	{"tri", "Tri", ""},
	{"tril", "Tril", ""},
	{"tril_indices", "Nonzero", "of Tri"},
	{"triu", "Triu", ""},
	{"true_divide", "Div Array.Div", ""},
	{"trunc", "Trunc", ""},
	{"unique", "Unique UniqueSize", "the latter under Jit"},
	{"unpackbits", "", "not yet"},
	{"unravel_index", "UnravelIndex", ""},
	{"unstack", "Unstack", ""},
	{"vander", "Vander", ""},
	{"var", "Array.Var Reduce", "DDof is in the configuration"},
	{"vdot", "Vdot", ""},
	{"vecdot", "Einsum", ""},
	{"vectorize", "Vmap", ""},
	{"vsplit", "Split", ""},
	{"vstack", "VStack", ""},
	{"where", "Where Nonzero", "with one argument it is Nonzero"},
	{"zeros", "Zeros ZerosOf", ""},
	{"zeros_like", "ZerosLike", "of trees, too"},
}

// docs/numpy.md says for each function where it is, and names nothing that does not
// exist.
func TestNumPy(t *testing.T) {
	names := map[string]bool{}
	for prefix, dir := range map[string]string{"": ".", "lax.": "lax", "fft.": "fft", "nn.": "nn", "special.": "special", "stats.": "stats"} {
		list, err := Names(filepath.Join("..", "..", dir))
		if err != nil {
			t.Fatal(err)
		}
		for n := range list {
			names[prefix+n] = true
		}
	}
	if len(numpy) < 200 {
		t.Errorf("the table has only %d functions", len(numpy))
	}
	done, last := 0, ""
	var rows strings.Builder
	for _, f := range numpy {
		if f.theirs <= last {
			t.Errorf("%s stands behind %s", f.theirs, last)
		}
		last = f.theirs
		var here []string
		for o := range strings.FieldsSeq(f.ours) {
			if !names[o] {
				t.Errorf("%s: there is no %s", f.theirs, o)
			}
			typ, method, ok := strings.Cut(o, ".")
			switch {
			case !ok:
				o = "weft." + o
			case typ == "Array":
				o = "x." + method
			case typ == "Ref":
				o = "x.At(…)." + method
			}
			here = append(here, "`"+o+"`")
		}
		switch {
		case len(here) > 0:
			done++
		case f.remark == "":
			t.Errorf("%s: there is none, and no reason", f.theirs)
		default:
			here = append(here, "—")
		}
		fmt.Fprintf(&rows, "| `%s` | %s | %s |\n", f.theirs, strings.Join(here, ", "), f.remark)
	}
	page := fmt.Sprintf(`# jax.numpy, name by name

The functions of jax.numpy that are used most, and what they are here: %d of %d. Arrays are `+"`x`"+`. Operators, comparisons and
the common reductions, sorts and changes of shape are methods, mathematics and all else is functions. This page is written by a test (`+"`go test ./internal/api -update`"+`), which fails when a name here does not exist.

| jax.numpy | here | |
|---|---|---|
%s`, done, len(numpy), rows.String())
	golden(t, filepath.Join("..", "..", "docs", "numpy.md"), []byte(page))
}
