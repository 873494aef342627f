package stablehlo

import (
	"fmt"
	"math"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/matrices"
)

// StableHLO has no operations for factorizations but Cholesky's. The others are composites,
// whose decompositions call LAPACK as JAX does on CPUs.

// lapackCall is a call of a function of LAPACK within a decomposition.
type lapackCall struct {
	target, config string
	batch          int // number of axes in front of vectors and matrices
	out            []core.ShapedArray
}

// Name returns the target.
func (p *lapackCall) Name() string { return p.target }

// Abstract returns the types of the results.
func (p *lapackCall) Abstract([]core.ShapedArray) []core.ShapedArray { return p.out }

// callLAPACK binds a call of a LAPACK function with the operands `in`. The call has the element type and the batch axes of the
// matrices x; out are the types of its results.
func callLAPACK(name, config string, x core.Value, in []core.Value, out ...core.ShapedArray) []core.Value {
	a := x.Aval()
	target := name
	for letter, dt := range lapackTypes {
		if dt == a.DType && lapackFunctions[name].make != nil {
			target = lapackTarget(name, letter)
		}
	}
	return core.Bind(&lapackCall{target, config, a.Rank() - 2, out}, in...)
}

// custom writes a custom_call whose matrices are in column-major order.
func (b *block) custom(p *lapackCall, in []operand, out []core.ShapedArray) []operand {
	layout := func(a core.ShapedArray) string {
		var axes []string
		for i := p.batch; i < a.Rank(); i++ {
			axes = append(axes, fmt.Sprint(i))
		}
		for i := min(p.batch, a.Rank()) - 1; i >= 0; i-- {
			axes = append(axes, fmt.Sprint(i))
		}
		list := strings.Join(axes, ", ")
		if len(axes) > 0 {
			list = "[" + list + "]"
		}
		return fmt.Sprintf("dense<%s> : tensor<%dxindex>", list, len(axes))
	}
	var ins, outs []string
	for _, x := range in {
		ins = append(ins, layout(x.aval))
	}
	for _, a := range out {
		outs = append(outs, layout(a))
	}
	attrs := fmt.Sprintf("api_version = 4 : i32, backend_config = {%s}, call_target_name = %s, operand_layouts = [%s], result_layouts = [%s]",
		p.config, quote(p.target), strings.Join(ins, ", "), strings.Join(outs, ", "))
	return b.generic("stablehlo.custom_call", attrs, out, nil, in...)
}

func uplo(lower bool) string {
	if lower {
		return "uplo = 76 : ui8"
	}
	return "uplo = 85 : ui8"
}

// job returns the letter by which LAPACK is asked for vectors: 'V', or 'N' for none.
func job(vectors bool) int {
	if vectors {
		return 'V'
	}
	return 'N'
}

// factorization returns the decomposition of an operation on matrices, nil for operations that are not listed.
func factorization(p core.Primitive, avals []core.ShapedArray) func(in []core.Value) []core.Value {
	switch q := p.(type) {
	case matrices.LUP, matrices.GeqrfP, matrices.HouseholderProductP, matrices.OrmqrP, matrices.QRP, matrices.EighP, matrices.EigP, matrices.SVDP, matrices.SchurP, matrices.HessenbergP, matrices.TridiagonalP, matrices.TridiagonalSolveP:
	case matrices.LUPivotsToPermutationP:
		return func(in []core.Value) []core.Value {
			return []core.Value{permutation(in[0], q.Size)}
		}
	default:
		return nil
	}
	out := core.AbstractOf(p, avals)
	if dt := avals[0].DType; dt.Bits() < 32 { // factorizations work in f32
		return func(in []core.Value) []core.Value {
			wide := make([]core.Value, len(in))
			for i, x := range in {
				wide[i] = convert(x, core.Float32)
			}
			results := core.Bind(p, wide...)
			for i, y := range results {
				results[i] = convert(y, out[i].DType)
			}
			return results
		}
	}
	for _, a := range avals {
		if a.Size() == 0 {
			return func([]core.Value) []core.Value { return emptyFactors(p, out) }
		}
	}
	return func(in []core.Value) []core.Value { return factors(p, in, out) }
}

// emptyFactors returns the results for matrices without elements: identities, permutations that
// keep the order, and else zeros.
func emptyFactors(p core.Primitive, out []core.ShapedArray) []core.Value {
	results := make([]core.Value, len(out))
	for i, a := range out {
		results[i] = prim.Zeros(a)
		if a.DType.IsInteger() {
			results[i] = prim.Iota(a.DType, a.Shape, a.Rank()-1)
			continue
		}
		switch p.(type) {
		case matrices.QRP, matrices.SVDP, matrices.HouseholderProductP:
			if a.Rank() >= 2 && a.Size() > 0 {
				results[i] = prim.Where(onMatrices(results[i], prim.Eq), prim.Full(a, 1), results[i])
			}
		}
	}
	return results
}

// factors returns the results of LAPACK. Those of functions whose status is checked are NaN where LAPACK reports that it failed.
func factors(p core.Primitive, in []core.Value, out []core.ShapedArray) []core.Value {
	x := in[0]
	if _, solves := p.(matrices.TridiagonalSolveP); solves {
		x = in[3]
	}
	a := x.Aval()
	r := a.Rank()
	batch, m, n := a.Shape.Slice(0, r-2), a.Shape.At(r-2), a.Shape.At(r-1)
	k := min(m, n)
	status := core.ShapedArray{Shape: batch, DType: core.Int32}
	sub := func(dt core.DType, dims ...int) core.ShapedArray {
		return core.ShapedArray{Shape: batch.Append(dims...), DType: dt}
	}
	call := func(name, config string, results ...core.ShapedArray) []core.Value {
		return callLAPACK(name, config, x, in, append(results, status)...)
	}
	// checked replaces results where the status, the last one, is not 0.
	checked := func(results []core.Value) []core.Value {
		last := len(results) - 1
		ok := prim.Eq(results[last], prim.Zeros(status))
		for i, y := range results[:last] {
			b := y.Aval()
			results[i] = prim.Where(prim.BroadcastInDim(ok, b.Shape, core.Range(0, r-2)), y, prim.Full(b, math.NaN()))
		}
		return results[:last]
	}
	re := a.DType.Real()
	switch p := p.(type) {
	case matrices.LUP:
		y := call("getrf", "", out[0], out[1])
		pivots := prim.Sub(y[1], prim.Full(out[1], 1))
		return []core.Value{y[0], pivots, matrices.LUPivotsToPermutation(pivots, m)}
	case matrices.GeqrfP:
		return callLAPACK("geqrf", "", x, in, out...)
	case matrices.HouseholderProductP:
		return callLAPACK("orgqr", "", x, in, out...)
	case matrices.OrmqrP:
		return callLAPACK("ormqr", fmt.Sprintf("left = %t, transpose = %t", p.Left, p.Transposed), x, in, out...)
	case matrices.QRP:
		return qrFactors(p, x, out)
	case matrices.EighP:
		y := checked(call("syevd", "mode = 86 : ui8, "+uplo(p.Lower), a, sub(re, n)))
		if p.Subset != (matrices.Subset{}) {
			for i, v := range y {
				y[i] = rangeOf(v, v.Aval().Rank()-1, p.Subset)
			}
		}
		if p.ValuesOnly {
			return y[1:]
		}
		return y
	case matrices.TridiagonalP:
		return checked(call("sytrd", uplo(p.Lower), out...))
	case matrices.HessenbergP:
		return checked(call("gehrd", fmt.Sprintf("high = %d : i32, low = 1 : i32", n), out...))
	case matrices.SchurP:
		results := []core.ShapedArray{a, a, sub(a.DType, n)}
		if !a.DType.IsComplex() {
			results = append(results, sub(a.DType, n))
		}
		y := call("gees", fmt.Sprintf("mode = %d : ui8, sort = 78 : ui8", job(p.Vectors)), append(results, status)...)
		return checked(append(y[:len(out):len(out)], y[len(y)-1]))
	case matrices.EigP:
		dt := out[0].DType
		config := fmt.Sprintf("compute_left = %d : ui8, compute_right = %d : ui8", job(p.Left), job(p.Right))
		var y []core.Value
		if a.DType.IsComplex() {
			y = call("geev", config, sub(dt, n), sub(dt, n, n), sub(dt, n, n))
		} else {
			y = call("geev", config, sub(re, n), sub(re, n), sub(dt, n, n), sub(dt, n, n))
			y = append([]core.Value{prim.Complex(y[0], y[1])}, y[2:]...)
		}
		results := []core.Value{y[0]}
		if p.Left {
			results = append(results, y[1])
		}
		if p.Right {
			results = append(results, y[2])
		}
		return checked(append(results, y[3]))
	case matrices.SVDP:
		mode, rows, cols := 'S', k, k
		if p.Full {
			mode, rows, cols = 'A', m, n
		}
		if !p.Vectors {
			mode = 'N'
		}
		y := call("gesdd", fmt.Sprintf("mode = %d : ui8", mode), a, sub(re, k), sub(a.DType, m, rows), sub(a.DType, cols, n))
		y = checked(append(y[1:1+len(out):1+len(out)], y[4]))
		if p.Subset != (matrices.Subset{}) {
			y[0] = rangeOf(y[0], r-2, p.Subset)
			if p.Vectors {
				y[1], y[2] = rangeOf(y[1], r-1, p.Subset), rangeOf(y[2], r-2, p.Subset)
			}
		}
		return y
	case matrices.TridiagonalSolveP:
		if p.Perturb {
			return callLAPACK("tridiagonal_solve_perturbed_ffi", "", x, in, a)
		}
		d := in[0].Aval()
		y := call("gtsv", "", d, d, d, a)
		return checked(y[3:])
	}
	return nil
}

func rangeOf(x core.Value, axis int, s matrices.Subset) core.Value {
	lo, hi := make([]int, x.Aval().Rank()), x.Aval().Shape.Ints()
	lo[axis], hi[axis] = s.Lo, s.Hi
	return prim.Slice(x, dims(lo), dims(hi), core.Dims{})
}

// qrFactors returns the results of qr, from LAPACK's reflectors.
func qrFactors(p matrices.QRP, x core.Value, out []core.ShapedArray) []core.Value {
	a := x.Aval()
	r := a.Rank()
	m, n := a.Shape.At(r-2), a.Shape.At(r-1)
	k := min(m, n)
	taus := core.ShapedArray{Shape: a.Shape.Slice(0, r-2).Append(k), DType: a.DType}
	var y []core.Value
	if p.Pivoting {
		y = callLAPACK("geqp3", "", x, []core.Value{x, prim.Zeros(out[2])}, a, out[2], taus)
		y[1], y[2] = y[2], prim.Sub(y[1], prim.Full(out[2], 1))
	} else {
		y = callLAPACK("geqrf", "", x, []core.Value{x}, a, taus)
	}
	packed := y[0]
	reflectors := packed
	if n > m {
		reflectors = rangeOf(packed, r-1, matrices.Subset{Lo: 0, Hi: m})
	} else if p.Full && m > n {
		config := make([]int, 3*r)
		config[3*(r-1)+1] = m - n
		reflectors = prim.Pad(packed, prim.Num(a, 0), dims(config))
	}
	q := callLAPACK("orgqr", "", x, []core.Value{reflectors, y[1]}, out[0])[0]
	upper := rangeOf(packed, r-2, matrices.Subset{Lo: 0, Hi: out[1].Shape.At(r - 2)})
	upper = prim.Where(onMatrices(upper, prim.Le), upper, prim.Zeros(out[1]))
	return append([]core.Value{q, upper}, y[2:]...)
}

// permutation exchanges row k with row pivots[k], for each k in order, in the list of rows 0, 1, …, and returns the list.
// Negative pivots count from the end. If a pivot is out of range, row k becomes a copy of the nearest row.
func permutation(pivots core.Value, size int) core.Value {
	a := pivots.Aval()
	r, n := a.Rank(), a.Shape.At(-1)
	rows := core.ShapedArray{Shape: a.Shape.Slice(0, r-1).Append(size), DType: core.Int32}
	row, step := prim.Iota(core.Int32, rows.Shape, r-1), prim.Iota(core.Int32, a.Shape, r-1)
	pivots = prim.Where(prim.Lt(pivots, prim.Zeros(a)), prim.Add(pivots, prim.Full(a, float64(size))), pivots)
	nearest := prim.Min(prim.Max(pivots, prim.Zeros(a)), prim.Full(a, float64(size-1)))
	last := dims([]int{r - 1})
	over := func(x core.Value) core.Value { return prim.BroadcastInDim(x, rows.Shape, core.Range(0, r-1)) }
	pick := func(mask, x core.Value) core.Value {
		return over(prim.ReduceSum(prim.Where(mask, x, prim.Zeros(x.Aval())), last))
	}
	scalar := core.Aval(core.Int32)
	out := repeated(n, func(c []core.Value) []core.Value {
		k, perm := c[0], c[1]
		here := prim.Eq(row, prim.BroadcastInDim(k, rows.Shape, core.Dims{}))
		now := prim.Eq(step, prim.BroadcastInDim(k, a.Shape, core.Dims{}))
		from := pick(prim.Eq(row, pick(now, nearest)), perm)
		exchanged := prim.Where(here, from, prim.Where(prim.Eq(row, pick(now, pivots)), pick(here, perm), perm))
		return []core.Value{prim.Add(k, prim.Full(scalar, 1)), exchanged}
	}, []core.Value{prim.Zeros(scalar), row})
	return out[1]
}
