package stablehlo

import (
	"math"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/core/prim/matrices"
)

// JAX exports linear algebra for CPUs as calls of LAPACK's functions. Signs and phases of
// vectors may differ from LAPACK's, whose choice depends on the library and the machine.

// lapackTypes are the element types by the letter that a function's name has for them.
var lapackTypes = map[byte]core.DType{'s': core.Float32, 'd': core.Float64, 'c': core.Complex64, 'z': core.Complex128}

// A lapackFunction is a function of LAPACK as jaxlib registers it.
type lapackFunction struct {
	operands int
	make     operation
}

// lapackFunctions are the functions by their names for real numbers, without the letter of
// the element type.
var lapackFunctions = map[string]lapackFunction{
	"potrf": {1, potrfCall},
	"trsm":  {2, trsmCall},
	"getrf": {1, getrfCall},
	"geqrf": {1, geqrfCall},
	"geqp3": {2, geqp3Call},
	"orgqr": {2, orgqrCall},
	"ormqr": {3, ormqrCall},
	"syevd": {1, syevdCall},
	"geev":  {1, geevCall},
	"gesdd": {1, gesddCall},
	"gesvd": {1, gesddCall},
	"gees":  {1, geesCall},
	"gehrd": {1, gehrdCall},
	"sytrd": {1, sytrdCall},
	"gtsv":  {4, gtsvCall},
}

// lapackTarget returns the target of custom_call that calls a function for an element type.
func lapackTarget(name string, letter byte) string {
	if lapackTypes[letter].IsComplex() {
		if rest, ok := strings.CutPrefix(name, "sy"); ok {
			name = "he" + rest
		} else if rest, ok := strings.CutPrefix(name, "or"); ok {
			name = "un" + rest
		}
	}
	return "lapack_" + string(letter) + name + "_ffi"
}

func lapackTable() {
	for name, g := range lapackFunctions {
		for letter, dt := range lapackTypes {
			customCalls[lapackTarget(name, letter)] = func(f *frame, o *op, in []core.Value) []core.Value {
				f.want(in, g.operands)
				for i, x := range in {
					if a := x.Aval(); a.DType != dt && !(name == "geqp3" && i == 1) {
						f.fail(core.ErrDType, "the target %s takes elements of type %v, operand %d is %s; call the target of that type", f.text(o, "call_target_name"), dt, i, typeText(a))
					}
				}
				if a := in[0].Aval(); a.Rank() < 2 && name != "gtsv" {
					f.invalid(core.ErrShape, "takes matrices, got %s", typeText(a))
				}
				return g.make(f, o, in)
			}
		}
	}
	customCalls["tridiagonal_solve_perturbed_ffi"] = func(f *frame, o *op, in []core.Value) []core.Value {
		f.want(in, 4)
		return core.Bind(matrices.TridiagonalSolveP{Perturb: true}, in...)
	}
}

func (f *frame) letter(o *op, key string) byte {
	a, _ := f.config(o).get(key)
	n, ok := a.(intAttr)
	if !ok || n.val < 0 || n.val > 127 {
		f.fail(core.ErrCheck, "the configuration has no %s; export it with a jaxlib that writes it to mhlo.backend_config", key)
	}
	return byte(n.val)
}

func (f *frame) choice(o *op, key, of string) byte {
	c := f.letter(o, key)
	if strings.IndexByte(of, c) < 0 {
		f.fail(core.ErrNoRule, "the configuration %s = %q is not supported (want one of %q); export the factorization with one of these", key, c, of)
	}
	return c
}

// leftOver returns x for a result in which LAPACK leaves intermediate numbers. The program must not
// use that result.
func (f *frame) leftOver(o *op, result int, x core.Value) core.Value {
	if f.fn.isUsed(o.result + result) {
		f.fail(core.ErrNoRule, "result %d, what LAPACK leaves in its operand, is used; it has no meaning here", result)
	}
	return x
}

// zeros returns zeros in the place of a result that was not asked for.
func (f *frame) zeros(o *op, result int) core.Value {
	if result >= len(o.types) {
		f.fail(core.ErrCheck, "has a result %d, %d are declared; declare all results of the target", result, len(o.types))
	}
	a, ok := o.types[result].Aval()
	if !ok {
		f.fail(core.ErrDType, "result %d: %s", result, unsupportedType(o.types[result]))
	}
	return prim.Zeros(a)
}

func matrixAxes(a core.ShapedArray) core.Dims { return dims([]int{a.Rank() - 2, a.Rank() - 1}) }

// status returns LAPACK's status of arrays: 1 where a result has a NaN in its last axes, else 0.
func status(x core.Value, axes int) core.Value {
	r := x.Aval().Rank()
	return convert(prim.ReduceOr(prim.Ne(x, x), core.Range(r-axes, r)), core.Int32)
}

// onMatrices broadcasts a matrix of booleans, made from row and column numbers, over a batch like that of x.
func onMatrices(x core.Value, test func(row, col core.Value) core.Value) core.Value {
	a := x.Aval()
	square := a.Shape.Slice(a.Rank()-2, a.Rank())
	return prim.BroadcastInDim(test(prim.Iota(core.Int32, square, 0), prim.Iota(core.Int32, square, 1)), a.Shape, matrixAxes(a))
}

// potrfCall returns the Cholesky factor, the other triangle as it was, and the status.
func potrfCall(f *frame, o *op, in []core.Value) []core.Value {
	x := in[0]
	y, mine := matrices.Cholesky, prim.Ge
	if f.choice(o, "uplo", "LU") == 'U' {
		y, mine = func(x core.Value) core.Value { return adjoint(matrices.Cholesky(adjoint(x))) }, prim.Le
	}
	factor := prim.Where(onMatrices(x, mine), y(x), x)
	onDiagonal := prim.And(onMatrices(x, prim.Eq), prim.Ne(factor, factor))
	return []core.Value{factor, convert(prim.ReduceOr(onDiagonal, matrixAxes(x.Aval())), core.Int32)}
}

func trsmCall(f *frame, o *op, in []core.Value) []core.Value {
	p := matrices.TriangularSolveP{
		LeftSide:     f.choice(o, "side", "LR") == 'L',
		Lower:        f.choice(o, "uplo", "LU") == 'L',
		UnitDiagonal: f.choice(o, "diag", "NU") == 'U',
	}
	switch f.choice(o, "trans_x", "NTC") {
	case 'T':
		p.TransposeA = true
	case 'C':
		p.TransposeA, p.ConjugateA = true, in[0].Aval().DType.IsComplex()
	}
	return []core.Value{matrices.TriangularSolve(in[0], in[1], p)}
}

// getrfCall returns the LU factors, the exchanged rows counted from 1, and the status: the first
// zero on the diagonal, counted from 1, or 0.
func getrfCall(f *frame, o *op, in []core.Value) []core.Value {
	lu, pivots, _ := matrices.LU(in[0])
	a := lu.Aval()
	zero := prim.And(onMatrices(lu, prim.Eq), prim.Eq(lu, prim.Zeros(a)))
	row := prim.Add(prim.Iota(core.Int32, a.Shape, a.Rank()-2), prim.Full(core.Aval(core.Int32, a.Shape.Ints()...), 1))
	none := prim.Full(row.Aval(), math.MaxInt32)
	first := prim.ReduceMin(prim.Where(zero, row, none), matrixAxes(a))
	info := prim.Where(prim.Eq(first, prim.Full(first.Aval(), math.MaxInt32)), prim.Zeros(first.Aval()), first)
	return []core.Value{lu, prim.Add(pivots, prim.Full(pivots.Aval(), 1)), info}
}

// geqp3Call is [geqrfCall] with column pivoting, by norms. It also returns the order of the columns, counted from 1. The
// second operand must be zeros, which leave the order free.
func geqp3Call(f *frame, o *op, in []core.Value) []core.Value {
	x := in[0]
	a := x.Aval()
	r := a.Rank()
	want := core.ShapedArray{Shape: a.Shape.Remove(r - 2), DType: core.Int32}
	if b := in[1].Aval(); b != want {
		f.invalid(core.ErrShape, "the order of columns is %s, want %s", typeText(b), typeText(want))
	}
	fixed := prim.ReduceOr(prim.Ne(in[1], prim.Zeros(want)), core.Range(0, want.Rank()))
	if list := f.known(convert(fixed, core.Int32), "order of columns"); list[0] != 0 {
		f.fail(core.ErrNoRule, "columns that come first are not supported; pass zeros")
	}
	if upper, columns, ok := f.qr(o, x, 3); ok {
		return []core.Value{upper, prim.Add(columns, prim.Full(want, 1)), f.zeros(o, 2)}
	}
	columns := core.Bind(matrices.QRP{Pivoting: true}, x)[2]
	packed, taus := matrices.Geqrf(takeColumns(x, columns))
	return []core.Value{packed, prim.Add(columns, prim.Full(want, 1)), taus}
}

func takeColumns(x, order core.Value) core.Value {
	a := x.Aval()
	r := a.Rank()
	batch := core.Range(0, r-2)
	columns := indexed.Gather(x, prim.Reshape(order, order.Aval().Shape.Append(1)), indexed.GatherP{ // batch, column, row
		OffsetDims:               dims([]int{r - 1}),
		CollapsedSliceDims:       dims([]int{r - 1}),
		OperandBatchingDims:      batch,
		StartIndicesBatchingDims: batch,
		StartIndexMap:            dims([]int{r - 1}),
		SliceSizes:               batch.Map(func(int) int { return 1 }).Append(a.Shape.At(r-2), 1),
		Mode:                     indexed.Clip,
	})
	return prim.Transpose(columns, batch.Append(r-1, r-2))
}

func ormqrCall(f *frame, o *op, in []core.Value) []core.Value {
	c := f.config(o)
	left, hasLeft := c.get("left")
	transpose, hasTranspose := c.get("transpose")
	if !hasLeft || !hasTranspose {
		f.fail(core.ErrCheck, "the configuration needs left and transpose; export it with a jaxlib that writes them to mhlo.backend_config")
	}
	return []core.Value{matrices.Ormqr(in[0], in[1], in[2], left == attr(boolAttr(true)), transpose == attr(boolAttr(true)))}
}

// syevdCall returns eigenvectors and eigenvalues of Hermitian matrices, and the status.
func syevdCall(f *frame, o *op, in []core.Value) []core.Value {
	out := core.Bind(matrices.EighP{Lower: f.choice(o, "uplo", "LU") == 'L', Sorted: true}, in[0])
	v, w := out[0], out[1]
	if f.choice(o, "mode", "VN") == 'N' {
		v = f.leftOver(o, 0, v)
	}
	return []core.Value{v, w, status(w, 1)}
}

// geevCall returns eigenvalues, of real matrices as two arrays, left and right eigenvectors, and the status.
func geevCall(f *frame, o *op, in []core.Value) []core.Value {
	p := matrices.EigP{Left: f.choice(o, "compute_left", "VN") == 'V', Right: f.choice(o, "compute_right", "VN") == 'V'}
	out := core.Bind(p, in[0])
	w := out[0]
	results := []core.Value{w}
	if !in[0].Aval().DType.IsComplex() {
		results = []core.Value{prim.Real(w), prim.Imag(w)}
	}
	out = out[1:]
	for _, wanted := range []bool{p.Left, p.Right} {
		if wanted {
			results, out = append(results, out[0]), out[1:]
		} else {
			results = append(results, f.zeros(o, len(results)))
		}
	}
	return append(results, status(w, 1))
}

// gesddCall returns the operand, a result that must not be used, then the singular values and vectors, and the status.
func gesddCall(f *frame, o *op, in []core.Value) []core.Value {
	mode := f.choice(o, "mode", "ASN")
	out := core.Bind(matrices.SVDP{Full: mode == 'A', Vectors: mode != 'N'}, in[0])
	s := out[0]
	u, vt := core.Value(nil), core.Value(nil)
	if mode == 'N' {
		u, vt = f.zeros(o, 2), f.zeros(o, 3)
	} else {
		u, vt = out[1], out[2]
	}
	return []core.Value{f.leftOver(o, 0, in[0]), s, u, vt, status(s, 1)}
}

// geesCall returns the Schur form, the unitary matrices, the eigenvalues, the number of eigenvalues that were
// sorted to the front, which is 0, and the status.
func geesCall(f *frame, o *op, in []core.Value) []core.Value {
	f.choice(o, "sort", "N")
	p := matrices.SchurP{Vectors: f.choice(o, "mode", "VN") == 'V'}
	out := core.Bind(p, in[0])
	t := out[0]
	q := core.Value(nil)
	if p.Vectors {
		q = out[1]
	} else {
		q = f.zeros(o, 1)
	}
	results := append([]core.Value{t, q}, schurEigenvalues(t)...)
	info := status(t, 2)
	return append(results, prim.Zeros(info.Aval()), info)
}

// schurEigenvalues returns the eigenvalues of Schur forms: the diagonal, and of real forms, the
// imaginary parts ±√|b|·√|c| that blocks with b and c beside the diagonal have.
func schurEigenvalues(t core.Value) []core.Value {
	a := t.Aval()
	r := a.Rank()
	rows, cols := dims([]int{r - 2}), dims([]int{r - 1})
	part := func(test func(row, col core.Value) core.Value) core.Value {
		return prim.Where(onMatrices(t, test), t, prim.Zeros(a))
	}
	w := prim.ReduceSum(part(prim.Eq), cols)
	if a.DType.IsComplex() {
		return []core.Value{w}
	}
	next := func(x core.Value) core.Value { return prim.Add(x, prim.Full(x.Aval(), 1)) }
	below := part(func(row, col core.Value) core.Value { return prim.Eq(row, next(col)) })
	above := part(func(row, col core.Value) core.Value { return prim.Eq(next(row), col) })
	root := func(x core.Value, axes core.Dims) core.Value { return prim.Sqrt(prim.Abs(prim.ReduceSum(x, axes))) }
	first := prim.Mul(root(below, rows), root(above, cols))  // the block begins in this row
	second := prim.Mul(root(below, cols), root(above, rows)) // it ends in this row
	return []core.Value{w, prim.Sub(first, second)}
}

// gehrdCall returns the Hessenberg form of matrices, and the status. All rows must be reduced.
func gehrdCall(f *frame, o *op, in []core.Value) []core.Value {
	n := in[0].Aval().Shape.At(-1)
	if low, high := f.config(o).int("low", 0), f.config(o).int("high", 0); low != 1 || high != n {
		f.fail(core.ErrNoRule, "rows %d to %d of %d are not supported; reduce all", low, high, n)
	}
	packed, taus := matrices.Hessenberg(in[0])
	return []core.Value{packed, taus, status(packed, 2)}
}

// sytrdCall returns the tridiagonal form of Hermitian matrices, and the status.
func sytrdCall(f *frame, o *op, in []core.Value) []core.Value {
	out := matrices.Tridiagonal(in[0], f.choice(o, "uplo", "LU") == 'L')
	return append(out, status(out[1], 1))
}

// gtsvCall solves tridiagonal systems.
func gtsvCall(f *frame, o *op, in []core.Value) []core.Value {
	x := matrices.TridiagonalSolve(in[0], in[1], in[2], in[3])
	out := make([]core.Value, 3, 5)
	for i, d := range in[:3] {
		out[i] = f.leftOver(o, i, d)
	}
	return append(out, x, status(x, 2))
}
