package scalar

import (
	"math"

	"github.com/weft-go/weft/core"
)

// Ref names a value of a program: the index of the instruction that makes it.
type Ref int32

// NoRef is no value.
const NoRef Ref = -1

// Inst is an instruction: the result of one operation.
type Inst struct {
	Op    Op
	Type  Type
	DType core.DType // Widen, Narrow: which small float
	Args  [3]Ref     // NoRef where the operation has fewer
	Imm   uint64     // Const: the bits; Param: operand<<8 | component; Lookup: the table
}

// Prog is a scalar program: what happens to one element of each operand. Each value is defined once, before its
// uses.
type Prog struct {
	In      []core.DType // of the operands
	Out     []core.DType // of the results
	Tables  []Table
	Code    []Inst
	Results []Ref // one for each component of each result
}

// Builder writes a program. An instruction that exists already is not written
// again.
type Builder struct {
	Prog
	memo map[Inst]Ref
}

// NewBuilder begins a program with operands of the given types.
func NewBuilder(in ...core.DType) *Builder {
	return &Builder{Prog: Prog{In: in}, memo: make(map[Inst]Ref)}
}

// Finish ends the program with its results.
func (b *Builder) Finish(out []core.DType, results []Ref) *Prog {
	p := b.Prog
	p.Out = out
	p.Results = results
	p = *p.dce()
	if err := p.Check(); err != nil {
		panic("BUG: " + err.Error() + "\n" + p.String())
	}
	return &p
}

func (p *Prog) dce() *Prog {
	live := make([]bool, len(p.Code))
	for _, r := range p.Results {
		live[r] = true
	}
	for i := len(p.Code) - 1; i >= 0; i-- {
		if live[i] {
			for _, a := range p.Code[i].Args {
				if a != NoRef {
					live[a] = true
				}
			}
		}
	}
	q := &Prog{In: p.In, Out: p.Out}
	at := make([]Ref, len(p.Code))
	table := make(map[uint64]uint64)
	for i, in := range p.Code {
		if !live[i] {
			continue
		}
		for k, a := range in.Args {
			if a != NoRef {
				in.Args[k] = at[a]
			}
		}
		if in.Op == OpLookup {
			k, ok := table[in.Imm]
			if !ok {
				k = uint64(len(q.Tables))
				table[in.Imm] = k
				q.Tables = append(q.Tables, p.Tables[in.Imm])
			}
			in.Imm = k
		}
		at[i] = Ref(len(q.Code))
		q.Code = append(q.Code, in)
	}
	for _, r := range p.Results {
		q.Results = append(q.Results, at[r])
	}
	return q
}

// TypeOf returns the type of a value.
func (b *Builder) TypeOf(r Ref) Type { return b.Code[r].Type }

// Emit appends an instruction, or returns the value of an equal one that exists already.
// Operands beyond those of the operation are ignored.
func (b *Builder) Emit(in Inst) Ref {
	for k := in.Op.Args(); k < 3; k++ {
		in.Args[k] = NoRef
	}
	if r, ok := b.memo[in]; ok {
		return r
	}
	r := Ref(len(b.Code))
	b.Code = append(b.Code, in)
	b.memo[in] = r
	return r
}

// Param returns a component of an operand's element; of a small float, its bits.
func (b *Builder) Param(operand, component int) Ref {
	return b.Emit(Inst{Op: OpParam, Type: Stored(b.In[operand]), Imm: uint64(operand)<<8 | uint64(component)})
}

// Const returns the value of type t with the given bits.
func (b *Builder) Const(t Type, bits uint64) Ref {
	if n := t.Bits(); n < 64 {
		bits &= 1<<n - 1
	}
	return b.Emit(Inst{Op: OpConst, Type: t, Imm: bits})
}

// Float returns the float x, rounded to t.
func (b *Builder) Float(t Type, x float64) Ref {
	if t == F32 {
		return b.Const(t, uint64(math.Float32bits(float32(x))))
	}
	return b.Const(t, math.Float64bits(x))
}

// Int returns the integer x of type t, wrapped.
func (b *Builder) Int(t Type, x int64) Ref { return b.Const(t, uint64(x)) }

// Num returns the small integer x as a value of the numeric type t.
func (b *Builder) Num(t Type, x int) Ref {
	if t.IsFloat() {
		return b.Float(t, float64(x))
	}
	return b.Int(t, int64(x))
}

func (b *Builder) op1(o Op, x Ref) Ref {
	return b.Emit(Inst{Op: o, Type: b.TypeOf(x), Args: [3]Ref{x}})
}

func (b *Builder) op2(o Op, x, y Ref) Ref {
	return b.Emit(Inst{Op: o, Type: b.TypeOf(x), Args: [3]Ref{x, y}})
}

func (b *Builder) compare(o Op, x, y Ref) Ref {
	return b.Emit(Inst{Op: o, Type: Bool, Args: [3]Ref{x, y}})
}

// Add returns x + y.
func (b *Builder) Add(x, y Ref) Ref { return b.op2(OpAdd, x, y) }

// Sub returns x − y.
func (b *Builder) Sub(x, y Ref) Ref { return b.op2(OpSub, x, y) }

// Mul returns x · y.
func (b *Builder) Mul(x, y Ref) Ref { return b.op2(OpMul, x, y) }

// Div returns x / y.
func (b *Builder) Div(x, y Ref) Ref { return b.op2(OpDiv, x, y) }

// Rem returns the integer remainder of x / y.
func (b *Builder) Rem(x, y Ref) Ref { return b.op2(OpRem, x, y) }

// MulHi returns the high half of x · y.
func (b *Builder) MulHi(x, y Ref) Ref { return b.op2(OpMulHi, x, y) }

// Neg returns −x.
func (b *Builder) Neg(x Ref) Ref { return b.op1(OpNeg, x) }

// Abs returns |x|.
func (b *Builder) Abs(x Ref) Ref { return b.op1(OpAbs, x) }

// Min returns the lesser of x and y.
func (b *Builder) Min(x, y Ref) Ref { return b.op2(OpMin, x, y) }

// Max returns the greater of x and y.
func (b *Builder) Max(x, y Ref) Ref { return b.op2(OpMax, x, y) }

// FMA returns x·y + z, rounded once.
func (b *Builder) FMA(x, y, z Ref) Ref {
	return b.Emit(Inst{Op: OpFMA, Type: b.TypeOf(x), Args: [3]Ref{x, y, z}})
}

// Scale returns x·2ⁿ, rounded once. The float n must be integral and at most 252 (F64:
// 2044) in magnitude, unless x is NaN. Unless n is zero, x must be zero or so large that
// x·2^⌊n/2⌋ is not subnormal: then machines without an instruction may compute
// x·2^⌊n/2⌋·2^(n−⌊n/2⌋), which is the same number. NaN stays NaN.
func (b *Builder) Scale(x, n Ref) Ref { return b.op2(OpScale, x, n) }

// Lookup returns the entry of table t whose index is in the low bits of the integer i. i has the size of the
// entries.
func (b *Builder) Lookup(t Table, i Ref) Ref {
	for k := range b.Tables {
		if b.Tables[k].equal(t) {
			return b.Emit(Inst{Op: OpLookup, Type: t.Type, Args: [3]Ref{i}, Imm: uint64(k)})
		}
	}
	b.Tables = append(b.Tables, t)
	return b.Emit(Inst{Op: OpLookup, Type: t.Type, Args: [3]Ref{i}, Imm: uint64(len(b.Tables) - 1)})
}

// Sqrt returns the square root of x.
func (b *Builder) Sqrt(x Ref) Ref { return b.op1(OpSqrt, x) }

// Floor returns the greatest integral float ≤ x.
func (b *Builder) Floor(x Ref) Ref { return b.op1(OpFloor, x) }

// Ceil returns the least integral float ≥ x.
func (b *Builder) Ceil(x Ref) Ref { return b.op1(OpCeil, x) }

// Trunc returns x without its fraction.
func (b *Builder) Trunc(x Ref) Ref { return b.op1(OpTrunc, x) }

// Rint returns the integral float nearest to x, ties to even.
func (b *Builder) Rint(x Ref) Ref { return b.op1(OpRint, x) }

// Canon returns x, or the canonical NaN for every NaN. Integers and bools pass.
func (b *Builder) Canon(x Ref) Ref {
	if !b.TypeOf(x).IsFloat() || b.Code[x].Op == OpCanon {
		return x
	}
	return b.op1(OpCanon, x)
}

// And is bitwise and for integers, logical and for bools.
func (b *Builder) And(x, y Ref) Ref { return b.op2(OpAnd, x, y) }

// Or is bitwise or for integers, logical or for bools.
func (b *Builder) Or(x, y Ref) Ref { return b.op2(OpOr, x, y) }

// Xor is bitwise exclusive or for integers, logical exclusive or for bools.
func (b *Builder) Xor(x, y Ref) Ref { return b.op2(OpXor, x, y) }

// Not is the bitwise complement for integers, logical not for bools.
func (b *Builder) Not(x Ref) Ref { return b.op1(OpNot, x) }

// Shl returns x shifted left by y.
func (b *Builder) Shl(x, y Ref) Ref { return b.op2(OpShl, x, y) }

// Shr returns x shifted right by y, with the sign if x is signed.
func (b *Builder) Shr(x, y Ref) Ref { return b.op2(OpShr, x, y) }

// ShlN returns x shifted left by the constant n.
func (b *Builder) ShlN(x Ref, n int) Ref { return b.Shl(x, b.Int(b.TypeOf(x), int64(n))) }

// ShrN returns x shifted right by the constant n.
func (b *Builder) ShrN(x Ref, n int) Ref { return b.Shr(x, b.Int(b.TypeOf(x), int64(n))) }

// Clz returns the number of leading zero bits of x.
func (b *Builder) Clz(x Ref) Ref { return b.op1(OpClz, x) }

// PopCount returns the number of one bits of x.
func (b *Builder) PopCount(x Ref) Ref { return b.op1(OpPopCount, x) }

// Eq returns x = y.
func (b *Builder) Eq(x, y Ref) Ref { return b.compare(OpEq, x, y) }

// Ne returns x ≠ y, true where one is NaN.
func (b *Builder) Ne(x, y Ref) Ref { return b.compare(OpNe, x, y) }

// Lt returns x < y.
func (b *Builder) Lt(x, y Ref) Ref { return b.compare(OpLt, x, y) }

// Le returns x ≤ y.
func (b *Builder) Le(x, y Ref) Ref { return b.compare(OpLe, x, y) }

// Gt returns x > y.
func (b *Builder) Gt(x, y Ref) Ref { return b.compare(OpLt, y, x) }

// Ge returns x ≥ y.
func (b *Builder) Ge(x, y Ref) Ref { return b.compare(OpLe, y, x) }

// IsNaN returns x ≠ x.
func (b *Builder) IsNaN(x Ref) Ref { return b.Ne(x, x) }

// Select returns x where c, else y.
func (b *Builder) Select(c, x, y Ref) Ref {
	if x == y {
		return x
	}
	return b.Emit(Inst{Op: OpSelect, Type: b.TypeOf(x), Args: [3]Ref{c, x, y}})
}

// Rare is Select for a condition that is seldom true.
func (b *Builder) Rare(c, x, y Ref) Ref {
	if x == y {
		return x
	}
	return b.Emit(Inst{Op: OpRare, Type: b.TypeOf(x), Args: [3]Ref{c, x, y}})
}

// Convert returns x as a number of type t.
func (b *Builder) Convert(t Type, x Ref) Ref {
	if b.TypeOf(x) == t {
		return x
	}
	return b.Emit(Inst{Op: OpConvert, Type: t, Args: [3]Ref{x}})
}

// Bitcast returns the value of type t with x's bits.
func (b *Builder) Bitcast(t Type, x Ref) Ref {
	if b.TypeOf(x) == t {
		return x
	}
	switch in := b.Code[x]; in.Op {
	case OpBitcast:
		return b.Bitcast(t, in.Args[0])
	case OpConst:
		return b.Const(t, in.Imm)
	}
	return b.Emit(Inst{Op: OpBitcast, Type: t, Args: [3]Ref{x}})
}

// Widen returns the F32 value of the bits x of a small float.
func (b *Builder) Widen(dt core.DType, x Ref) Ref {
	return b.Emit(Inst{Op: OpWiden, Type: F32, DType: dt, Args: [3]Ref{x}})
}

// Narrow returns the bits of the small float dt nearest to x.
func (b *Builder) Narrow(dt core.DType, x Ref) Ref {
	return b.Emit(Inst{Op: OpNarrow, Type: Stored(dt), DType: dt, Args: [3]Ref{x}})
}
