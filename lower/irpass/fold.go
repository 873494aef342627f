package irpass

import (
	"math"
	"slices"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// Fold computes operations on constant floats, such as those of a remainder on its divisor, and compares constant
// indices, as they occur where a row is written one element after the other. It takes the operand that a constant
// condition chooses, and multiplies instead of dividing by a power of two: both round the same number once. It changes
// k and returns it.
func Fold(k *ir.Kernel) *ir.Kernel {
	f := &constants{k: k, of: make([]*scalar.Inst, len(k.Types)), by: make([]ir.Ref, len(k.Types))}
	for i := range f.by {
		f.by[i] = ir.Ref(i)
	}
	k.Body.Walk(func(s ir.Stmt) {
		if l, ok := s.(*ir.Let); ok {
			f.let(l)
		}
	})
	if len(f.added) > 0 {
		k.Body = slices.Concat(f.added, k.Body)
	}
	return k
}

type constants struct {
	k     *ir.Kernel
	of    []*scalar.Inst // by ir.Ref: the constant, or nil
	by    []ir.Ref       // by ir.Ref: an equal value
	added ir.Block       // constants
}

func (f *constants) let(l *ir.Let) {
	in := &l.Inst
	if in.Op == scalar.OpConst {
		f.of[l.Dst] = in
		return
	}
	for i, a := range in.Args {
		if a != ir.NoRef {
			in.Args[i] = f.by[a]
		}
	}
	x, y := f.constant(in.Args[0]), f.constant(in.Args[1])
	switch in.Op {
	case scalar.OpSelect, scalar.OpRare:
		if x != nil {
			f.by[l.Dst] = in.Args[2]
			if x.Imm != 0 {
				f.by[l.Dst] = in.Args[1]
			}
		}
	case scalar.OpAnd:
		if in.Type == scalar.Bool {
			f.and(l, x, y)
		}
	case scalar.OpDiv:
		if x == nil && y != nil && in.Type.IsFloat() {
			f.divide(in, y)
		}
	case scalar.OpAbs, scalar.OpMul, scalar.OpLt, scalar.OpLe, scalar.OpEq, scalar.OpNe, scalar.OpConvert:
		if x != nil && (y != nil || in.Op.Args() == 1) {
			f.compute(l, x, y)
		}
	}
}

func (f *constants) constant(r ir.Ref) *scalar.Inst {
	if r == ir.NoRef {
		return nil
	}
	return f.of[r]
}

func (f *constants) set(l *ir.Let, bits uint64) {
	l.Inst = scalar.Inst{Op: scalar.OpConst, Type: l.Inst.Type, Args: [3]ir.Ref{ir.NoRef, ir.NoRef, ir.NoRef}, Imm: bits}
	f.of[l.Dst] = &l.Inst
}

func (f *constants) and(l *ir.Let, x, y *scalar.Inst) {
	for i, c := range [2]*scalar.Inst{x, y} {
		switch {
		case c == nil:
		case c.Imm == 0:
			f.set(l, 0)
			return
		default:
			f.by[l.Dst] = l.Inst.Args[1-i]
		}
	}
}

// float returns a constant float; 0 for nil, which stands for an operand that an operation does not have. ok is false
// for a constant of another type.
func float(c *scalar.Inst) (x float64, ok bool) {
	switch {
	case c == nil:
		return 0, true
	case c.Type == scalar.F32:
		return float64(math.Float32frombits(uint32(c.Imm))), true
	case c.Type == scalar.F64:
		return math.Float64frombits(c.Imm), true
	}
	return 0, false
}

func floatBits(t scalar.Type, x float64) uint64 {
	if t == scalar.F32 {
		return uint64(math.Float32bits(float32(x)))
	}
	return math.Float64bits(x)
}

// divide turns a division by a power of two that is neither very large nor very small into a multiplication by its
// inverse, which is normal.
func (f *constants) divide(in *scalar.Inst, divisor *scalar.Inst) {
	d, _ := float(divisor)
	mantissa, exponent := math.Frexp(math.Abs(d))
	if most := in.Type.Size() * 30; mantissa != 0.5 || exponent > most || exponent < -most {
		return
	}
	r := ir.Ref(len(f.k.Types))
	f.k.Types = append(f.k.Types, in.Type)
	c := &ir.Let{Dst: r, Inst: scalar.Inst{Op: scalar.OpConst, Type: in.Type, Args: [3]ir.Ref{ir.NoRef, ir.NoRef, ir.NoRef}, Imm: floatBits(in.Type, 1/d)}}
	f.added = append(f.added, c)
	f.of, f.by = append(f.of, &c.Inst), append(f.by, r)
	in.Op, in.Args[1] = scalar.OpMul, r
}

func (f *constants) compute(l *ir.Let, cx, cy *scalar.Inst) {
	if cx.Type == scalar.I64 && l.Inst.Type == scalar.Bool && cy != nil {
		f.setBool(l, compare(l.Inst.Op, int64(cx.Imm), int64(cy.Imm)))
		return
	}
	x, ok := float(cx)
	y, ok2 := float(cy)
	if !ok || !ok2 {
		return
	}
	in, r := &l.Inst, 0.
	switch in.Op {
	case scalar.OpAbs:
		r = math.Abs(x)
	case scalar.OpMul:
		r = x * y
		if in.Type == scalar.F32 {
			r = float64(float32(x) * float32(y))
		}
	case scalar.OpConvert:
		if cx.Type != scalar.F32 || in.Type != scalar.F64 {
			return
		}
		r = x
	}
	switch {
	case in.Type == scalar.Bool:
		f.setBool(l, compare(in.Op, x, y))
	case r == r:
		f.set(l, floatBits(in.Type, r))
	}
}

func (f *constants) setBool(l *ir.Let, holds bool) {
	if holds {
		f.set(l, 1)
	} else {
		f.set(l, 0)
	}
}

func compare[T int64 | float64](op scalar.Op, x, y T) bool {
	switch op {
	case scalar.OpLt:
		return x < y
	case scalar.OpLe:
		return x <= y
	case scalar.OpEq:
		return x == y
	}
	return x != y
}
