package stablehlo

import (
	"strconv"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
)

var otherOps map[string]operation

func otherTable() {
	customCallTable()
	otherOps = map[string]operation{
		"stablehlo.custom_call":        customCallOp,
		"stablehlo.rng_bit_generator":  rngBitGeneratorOp,
		"stablehlo.partition_id":       zeroIDOp,
		"stablehlo.replica_id":         zeroIDOp,
		"sdy.sharding_constraint":      identityOp,
		"check.expect_eq":              checkOp,
		"check.expect_close":           checkOp,
		"check.expect_almost_eq":       checkOp,
		"check.eq":                     checkOp,
		"check.expect_eq_const":        checkOp,
		"check.expect_close_const":     checkOp,
		"check.expect_almost_eq_const": checkOp,
	}
}

func identityOp(f *frame, o *op, in []core.Value) []core.Value { return in }

// zeroIDOp is the number of the only device.
func zeroIDOp(f *frame, o *op, in []core.Value) []core.Value {
	return []core.Value{core.Lit(core.UintNumber(0), core.Uint32)}
}

// customCallOp runs the targets that have a meaning here; others are refused by name.
func customCallOp(f *frame, o *op, in []core.Value) []core.Value {
	target := f.text(o, "call_target_name")
	if strings.HasPrefix(target, "check.") {
		return f.check(o, target, in)
	}
	if g, ok := customCalls[target]; ok {
		return g(f, o, in)
	}
	if name, ok := strings.CutPrefix(target, "mhlo."); ok {
		if g, ok := elementwise["chlo."+name]; ok && len(in) == g.operands {
			f.arrays(in)
			return []core.Value{g.make(f, in)}
		}
	}
	f.fail(core.ErrNoRule, "there is no meaning for the target %s", target)
	return nil
}

// customCalls are the targets of custom_call that run, by name.
var customCalls map[string]operation

func customCallTable() {
	customCalls = map[string]operation{
		"Sharding":                   identityOp,
		"SPMDFullToShardShape":       identityOp,
		"SPMDShardToFullShape":       identityOp,
		"annotate_device_placement":  identityOp,
		"LayoutConstraint":           identityOp,
		"xla.sdy.FuncResultSharding": identityOp,
		"shape_assertion":            shapeAssertionCall,
		"mhlo.topk":                  topKOp,
		"ApproxTopK":                 approxTopKCall,

		"stablehlo.dynamic_top_k":             dynamicTopKCall,
		"stablehlo.dynamic_approx_top_k":      approxTopKCall,
		"stablehlo.dynamic_rng_bit_generator": dynamicRNGCall,
		"AllocateBuffer": func(f *frame, o *op, in []core.Value) []core.Value {
			return []core.Value{prim.Zeros(f.resultAval(o))}
		},
	}
	for _, c := range "sdcz" {
		customCalls["lapack_"+string(c)+"potrf_ffi"] = potrfCall
		customCalls["lapack_"+string(c)+"trsm_ffi"] = trsmCall
	}
}

// shapeAssertionCall refuses shapes for which its first operand is false, with the text
// that the exporter wrote: {0} stands for the second operand.
func shapeAssertionCall(f *frame, o *op, in []core.Value) []core.Value {
	f.arrays(in)
	if len(in) == 0 || !isBool(in[0]) || in[0].Aval().Rank() != 0 {
		f.fail(core.ErrCheck, "takes a truth value")
	}
	if holds := f.known(convert(in[0], core.Int32), "condition"); holds[0] != 0 {
		return nil
	}
	text := f.text(o, "error_message")
	for i, v := range in[1:] {
		if n, ok := scalarInt(v); ok {
			text = strings.ReplaceAll(text, "{"+strconv.Itoa(i)+"}", strconv.FormatInt(n, 10))
		}
	}
	f.fail(core.ErrShape, "%s", text)
	return nil
}

// letter reads a character of a LAPACK call's configuration.
func (f *frame) letter(o *op, key string) byte {
	d := f.config(o)
	a, _ := d.get(key)
	n, ok := a.(intAttr)
	if !ok || n.val < 0 || n.val > 127 {
		f.fail(core.ErrCheck, "the configuration has no %s", key)
	}
	return byte(n.val)
}

// potrfCall is LAPACK's Cholesky factor, the other triangle as it was, and its status: 0
// or the order of the first minor that is not positive.
func potrfCall(f *frame, o *op, in []core.Value) []core.Value {
	f.want(in, 1)
	x := in[0]
	a := x.Aval()
	n := a.Rank()
	if n < 2 {
		f.fail(core.ErrShape, "takes matrices, got %s", typeText(a))
	}
	lower := f.letter(o, "uplo") == 'L'
	var y core.Value
	if lower {
		y = prim.Cholesky(x)
	} else {
		y = adjoint(prim.Cholesky(adjoint(x)))
	}
	square := a.Shape.Slice(n-2, n)
	row, col := prim.Iota(core.Int32, square, 0), prim.Iota(core.Int32, square, 1)
	mine := prim.Ge(row, col)
	if !lower {
		mine = prim.Le(row, col)
	}
	y = prim.Where(prim.BroadcastInDim(mine, a.Shape, dims([]int{n - 2, n - 1})), y, x)
	diagonal := prim.BroadcastInDim(prim.Eq(row, col), a.Shape, dims([]int{n - 2, n - 1}))
	broken := prim.ReduceOr(prim.And(diagonal, prim.Ne(y, y)), dims([]int{n - 2, n - 1}))
	return []core.Value{y, convert(broken, core.Int32)}
}

// trsmCall is BLAS's triangular solve.
func trsmCall(f *frame, o *op, in []core.Value) []core.Value {
	f.want(in, 2)
	p := prim.TriangularSolveP{
		LeftSide:     f.letter(o, "side") == 'L',
		Lower:        f.letter(o, "uplo") == 'L',
		UnitDiagonal: f.letter(o, "diag") == 'U',
	}
	switch f.letter(o, "trans_x") {
	case 'T':
		p.TransposeA = true
	case 'C':
		p.TransposeA, p.ConjugateA = true, in[0].Aval().DType.IsComplex()
	}
	return []core.Value{prim.TriangularSolve(in[0], in[1], p)}
}
