package stablehlo

import (
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
		"shape_assertion":            func(f *frame, o *op, in []core.Value) []core.Value { return nil },
		"mhlo.topk":                  topKOp,
		"AllocateBuffer": func(f *frame, o *op, in []core.Value) []core.Value {
			return []core.Value{prim.Zeros(f.resultAval(o))}
		},
	}
	for _, c := range "sdcz" {
		customCalls["lapack_"+string(c)+"potrf_ffi"] = potrfCall
		customCalls["lapack_"+string(c)+"trsm_ffi"] = trsmCall
	}
}

// letter reads a character of a LAPACK call's configuration.
func (f *frame) letter(o *op, key string) byte {
	d := f.dict(o, "mhlo.backend_config")
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

// rngBitGeneratorOp is XLA's use of threefry: the state is a key and a counter, each of
// 64 bits.
func rngBitGeneratorOp(f *frame, o *op, in []core.Value) []core.Value {
	f.want(in, 1)
	algorithm := f.text(o, f.either(o, "algorithm", "rng_algorithm"))
	if algorithm != "THREE_FRY" {
		f.fail(core.ErrNoRule, "the algorithm %s is not supported; use THREE_FRY", algorithm)
	}
	state := in[0]
	if a := state.Aval(); a != core.Aval(core.Uint64, 2) {
		f.fail(core.ErrCheck, "the state of THREE_FRY is tensor<2xui64>, got %s", typeText(a))
	}
	if len(o.types) != 2 {
		f.fail(core.ErrCheck, "has two results, %d are declared", len(o.types))
	}
	out, ok := o.types[1].Aval()
	if !ok || !out.DType.IsInteger() || out.DType.Bits() < 8 {
		f.fail(core.ErrDType, "gives integers, not %v", o.types[1])
	}
	at := func(k int) core.Value {
		return prim.Reshape(prim.Slice(state, dims([]int{k}), dims([]int{k + 1}), core.Dims{}), core.Dims{})
	}
	key, counter := at(0), at(1)
	var bits core.Value
	var n int
	unsigned := map[int]core.DType{8: core.Uint8, 16: core.Uint16, 32: core.Uint32, 64: core.Uint64}[out.DType.Bits()]
	if unsigned == core.Uint64 {
		n = out.Size()
		lo, hi := threefry(key, counter, out.Shape)
		bits = prim.Or(convert(lo, core.Uint64), prim.ShiftLeft(convert(hi, core.Uint64), core.Lit(core.UintNumber(32), core.Uint64)))
	} else {
		bits, n = threefryHalves(key, counter, out.Shape)
		bits = convert(bits, unsigned) // the low bits
	}
	if bits.Aval().DType != out.DType {
		bits = prim.BitcastConvert(bits, out.DType)
	}
	next := prim.Add(counter, core.Lit(core.UintNumber(uint64(n)), core.Uint64))
	one := dims([]int{1})
	return []core.Value{prim.Concatenate(0, prim.Reshape(key, one), prim.Reshape(next, one)), bits}
}

// words splits numbers of 64 bits.
func words(x core.Value) (lo, hi core.Value) {
	return convert(x, core.Uint32), convert(prim.ShiftRightLogical(x, core.Lit(core.UintNumber(32), core.Uint64)), core.Uint32)
}

// threefry hashes the counters from counter on, in row-major order of a shape.
func threefry(key, counter core.Value, shape core.Dims) (lo, hi core.Value) {
	n := shape.Size()
	count := prim.Add(prim.Iota(core.Uint64, dims([]int{n}), 0), counter)
	c0, c1 := words(prim.Reshape(count, shape))
	k0, k1 := words(key)
	return prim.Threefry2x32(k0, k1, c0, c1)
}

// threefryHalves hashes half as many counters as there are elements: the first words are
// the first half of one axis, the second words the second half. n is how many there were.
func threefryHalves(key, counter core.Value, shape core.Dims) (bits core.Value, n int) {
	if shape.Len() == 0 {
		lo, _ := threefry(key, counter, dims([]int{1}))
		return prim.Reshape(lo, shape), 1
	}
	axis := -1
	for i, k := range shape.All() {
		if k%2 == 0 {
			axis = i
			break
		}
	}
	if axis < 0 {
		axis = 0
		for i, k := range shape.All() {
			if k > shape.At(axis) {
				axis = i
			}
		}
	}
	size := shape.At(axis)
	half := shape.Ints()
	half[axis] = (size + 1) / 2
	lo, hi := threefry(key, counter, dims(half))
	return firstOf(prim.Concatenate(axis, lo, hi), axis, size), dims(half).Size()
}
