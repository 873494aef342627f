package special

import (
	"math"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// Kernel returns the kernel of a special function of operands f64[n], whose buffers are the
// operands and the result; nil for other operations. It has the reference's bits.
func Kernel(p core.Primitive, n int) *ir.Kernel {
	b := ir.NewBuilder(p.Name())
	w := functions{b}
	f, operands := w.of(p)
	if f == nil {
		return nil
	}
	size := ir.Const(int64(n))
	names := []string{"x", "y", "z"}
	at := make([]ir.Access, operands+1)
	i := b.Grid(size)
	for k := range at {
		name, role := "out", ir.Out
		if k < operands {
			name, role = names[k], ir.In
		}
		at[k] = ir.Access{Buffer: b.Buffer(name, role, scalar.F64, size), Coords: []ir.Coord{{
			Stride: ir.Const(1), Bound: size, Terms: []ir.Term{{Axis: i, Coeff: ir.Const(1)}}, Value: ir.NoRef,
		}}}
	}
	x := make([]ir.Ref, operands)
	for k := range x {
		x[k] = b.Load(at[k])
	}
	b.Store(at[operands], w.op(scalar.OpCanon, scalar.F64, f(x)))
	return b.Finish()
}

// functions writes special functions into a kernel. Its methods in the files that computed_test.go lists exist
// once more in computed.go, for [floats], with numbers of f64 in place of those of a kernel. So both perform
// the same operations in the same order and have the same bits.
//
// The statements `either`, `while`, `times` and `until` call functions. Their last arguments are pointers to the
// numbers, pairs and conditions that these functions assign, which a kernel merges or carries; the functions
// assign nothing else.
type functions struct{ *ir.Builder }

type (
	number    = ir.Ref
	condition = ir.Ref
)

// A pair is the sum of two numbers, like a [Double].
type pair struct{ Hi, Lo number }

// An exception is a result where a condition is true.
type exception struct {
	cond  condition
	value number
}

func (w functions) op(o scalar.Op, t scalar.Type, args ...ir.Ref) ir.Ref {
	in := scalar.Inst{Op: o, Type: t}
	copy(in.Args[:], args)
	return w.Op(in)
}

func (w functions) f64(o scalar.Op, args ...ir.Ref) ir.Ref  { return w.op(o, scalar.F64, args...) }
func (w functions) u64(o scalar.Op, args ...ir.Ref) ir.Ref  { return w.op(o, scalar.U64, args...) }
func (w functions) cond(o scalar.Op, args ...ir.Ref) ir.Ref { return w.op(o, scalar.Bool, args...) }

func (w functions) num(x float64) ir.Ref      { return w.Const(scalar.F64, math.Float64bits(x)) }
func (w functions) add(a, b ir.Ref) ir.Ref    { return w.f64(scalar.OpAdd, a, b) }
func (w functions) sub(a, b ir.Ref) ir.Ref    { return w.f64(scalar.OpSub, a, b) }
func (w functions) mul(a, b ir.Ref) ir.Ref    { return w.f64(scalar.OpMul, a, b) }
func (w functions) div(a, b ir.Ref) ir.Ref    { return w.f64(scalar.OpDiv, a, b) }
func (w functions) fma(a, b, c ir.Ref) ir.Ref { return w.f64(scalar.OpFMA, a, b, c) }
func (w functions) neg(a ir.Ref) ir.Ref       { return w.f64(scalar.OpNeg, a) }
func (w functions) abs(a ir.Ref) ir.Ref       { return w.f64(scalar.OpAbs, a) }
func (w functions) sqrt(a ir.Ref) ir.Ref      { return w.f64(scalar.OpSqrt, a) }
func (w functions) floor(a ir.Ref) ir.Ref     { return w.f64(scalar.OpFloor, a) }
func (w functions) trunc(a ir.Ref) ir.Ref     { return w.f64(scalar.OpTrunc, a) }
func (w functions) rint(a ir.Ref) ir.Ref      { return w.f64(scalar.OpRint, a) }
func (w functions) min(a, b ir.Ref) ir.Ref    { return w.f64(scalar.OpMin, a, b) }
func (w functions) scale(a, n ir.Ref) ir.Ref  { return w.f64(scalar.OpScale, a, n) }
func (w functions) float(a ir.Ref) ir.Ref     { return w.f64(scalar.OpConvert, a) }
func (w functions) ofBits(a ir.Ref) ir.Ref    { return w.f64(scalar.OpBitcast, a) }
func (w functions) sel(c, a, b ir.Ref) ir.Ref { return w.f64(scalar.OpSelect, c, a, b) }

func (w functions) lt(a, b ir.Ref) ir.Ref                  { return w.cond(scalar.OpLt, a, b) }
func (w functions) le(a, b ir.Ref) ir.Ref                  { return w.cond(scalar.OpLe, a, b) }
func (w functions) eq(a, b ir.Ref) ir.Ref                  { return w.cond(scalar.OpEq, a, b) }
func (w functions) ne(a, b ir.Ref) ir.Ref                  { return w.cond(scalar.OpNe, a, b) }
func (w functions) no() ir.Ref                             { return w.Const(scalar.Bool, 0) }
func (w functions) not(a ir.Ref) ir.Ref                    { return w.cond(scalar.OpNot, a) }
func (w functions) all(a, b ir.Ref, more ...ir.Ref) ir.Ref { return w.joined(scalar.OpAnd, a, b, more) }
func (w functions) any(a, b ir.Ref, more ...ir.Ref) ir.Ref { return w.joined(scalar.OpOr, a, b, more) }
func (w functions) word(x uint64) ir.Ref                   { return w.Const(scalar.U64, x) }
func (w functions) bits(a ir.Ref) ir.Ref                   { return w.u64(scalar.OpBitcast, a) }
func (w functions) and(a, b ir.Ref) ir.Ref                 { return w.u64(scalar.OpAnd, a, b) }
func (w functions) or(a, b ir.Ref) ir.Ref                  { return w.u64(scalar.OpOr, a, b) }
func (w functions) shr(a, n ir.Ref) ir.Ref                 { return w.u64(scalar.OpShr, a, n) }
func (w functions) plus(a, b ir.Ref) ir.Ref                { return w.u64(scalar.OpAdd, a, b) }
func (w functions) over(a, b ir.Ref) ir.Ref                { return w.u64(scalar.OpDiv, a, b) }

func (w functions) joined(o scalar.Op, a, b ir.Ref, more []ir.Ref) ir.Ref {
	a = w.cond(o, a, b)
	for _, b := range more {
		a = w.cond(o, a, b)
	}
	return a
}

// lookup reads a table. One of more than [scalar.MaxTable] entries is divided into several.
func (w functions) lookup(table []float64, k ir.Ref) ir.Ref {
	const most = scalar.MaxTable
	if len(table) <= most {
		return w.part(table, k)
	}
	block := w.floor(w.div(k, w.num(most)))
	k = w.sub(k, w.mul(block, w.num(most)))
	v := w.part(table[:most], k)
	for from := most; from < len(table); from += most {
		v = w.sel(w.eq(block, w.num(float64(from/most))), w.part(table[from:from+most], k), v)
	}
	return v
}

func (w functions) part(table []float64, k ir.Ref) ir.Ref {
	n := 1
	for n < len(table) {
		n *= 2
	}
	full := make([]float64, n)
	copy(full, table)
	i := w.op(scalar.OpConvert, scalar.I64, k)
	return w.Op(scalar.Inst{Op: scalar.OpLookup, Type: scalar.F64, Args: [3]ir.Ref{i}, Imm: uint64(w.Table(scalar.FloatTable(scalar.F64, full...)))})
}

func (w functions) either(c ir.Ref, then, other func(), vars ...any) {
	v := cells(vars)
	before := v.get()
	side := func(do func()) func() []ir.Ref {
		return func() []ir.Ref {
			v.set(before)
			do()
			return v.get()
		}
	}
	v.set(w.If(c, side(then), side(other)))
}

func (w functions) while(cond func() ir.Ref, body func(), vars ...any) {
	v := cells(vars)
	v.set(w.While(v.get(), func(s []ir.Ref) ir.Ref { v.set(s); return cond() }, func(s []ir.Ref) []ir.Ref {
		v.set(s)
		body()
		return v.get()
	}))
}

func (w functions) times(first, limit float64, body func(k ir.Ref), vars ...any) {
	w.repeat(first, limit, func(k ir.Ref) ir.Ref {
		body(k)
		return ir.NoRef
	}, vars)
}

func (w functions) until(first, limit float64, body func(k ir.Ref) ir.Ref, vars ...any) {
	w.repeat(first, limit, body, vars)
}

// repeat writes the loop of `times` or, if body returns a condition, that of `until`.
func (w functions) repeat(first, limit float64, body func(k ir.Ref) ir.Ref, vars []any) {
	end, k := w.num(limit), w.num(first)
	w.while(func() ir.Ref { return w.lt(k, end) }, func() {
		stop := body(k)
		k = w.add(k, w.num(1))
		if stop != ir.NoRef {
			k = w.sel(stop, end, k)
		}
	}, append([]any{&k}, vars...)...)
}

// values point to the numbers that a statement's variables contain.
type values []*ir.Ref

// cells returns pointers to the numbers in variables, two for each pair.
func cells(vars []any) (v values) {
	for _, x := range vars {
		switch x := x.(type) {
		case *pair:
			v = append(v, &x.Hi, &x.Lo)
		default:
			v = append(v, x.(*ir.Ref))
		}
	}
	return v
}

func (v values) get() []ir.Ref {
	rs := make([]ir.Ref, len(v))
	for i, p := range v {
		rs[i] = *p
	}
	return rs
}

func (v values) set(rs []ir.Ref) {
	for i, p := range v {
		*p = rs[i]
	}
}
