package irpass

import (
	"math"
	"slices"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// Shifted rewrites exponentials of numbers less the greatest of them, as softmax computes them. The difference is 0,
// negative or NaN: exp needs no upper bound of its argument. No difference is NaN if the greatest number is finite, so
// that NaNs are made behind a branch that all elements take together.
//
// scales tells that the machine multiplies by powers of two in one operation. Otherwise the power 2ⁿ, in f32
// −150 ≤ n ≤ 0, is applied in two steps. The first is an addition to the exponent: 2ⁿ⁺⁶⁴·p is a normal number. The
// second multiplies it by 2⁻⁶⁴, and rounds once.
//
// With scales, Shifted also keeps that operation, in all exponentials, from subnormal results, which take a hundred
// cycles: their bits are an integer, 2ⁿ⁺¹⁴⁹·p rounded, which is computed behind a branch. It keeps products of
// exponentials from subnormal operands and results in the same way.
//
// It returns k itself where there is no such exponential.
func Shifted(k *ir.Kernel, scales bool) *ir.Kernel {
	if !scales && !hasGreatest(k.Body) {
		return k
	}
	s := &shifter{k: k, scales: scales, defs: make([]ir.Stmt, len(k.Types)), reads: make([]int, len(k.Types))}
	k.Body.Walk(s.note)
	if s.find(k.Body); len(s.found) == 0 {
		return k
	}
	q := *k
	q.Types, q.Body = slices.Clone(k.Types), k.Body.Copy(slices.Clone[[]ir.Term])
	s.q = &q
	q.Body = s.block(q.Body)
	sweep(&q)
	return &q
}

// hasGreatest reports whether a block, or a loop within it, reduces numbers to the greatest one.
func hasGreatest(b ir.Block) bool {
	for _, s := range b {
		switch s := s.(type) {
		case *ir.Reduce:
			if len(s.Folds) == 1 && s.Folds[0].Op == ir.Max && s.Tail == nil {
				return true
			}
		case *ir.Loop:
			if hasGreatest(s.Body) {
				return true
			}
		}
	}
	return false
}

type shifter struct {
	definer
	k      *ir.Kernel
	scales bool
	defs   []ir.Stmt                // by ir.Ref: Lets, Loads and Reduces
	reads  []int                    // by ir.Ref
	found  map[ir.Ref]*shiftedPower // by the result of OpScale
	tiny   map[ir.Ref]*tinyProduct  // of the loop that is rewritten
}

// shiftedPower is p·2ⁿ with n = t − M, t = bounded·log2 e + M rounded.
type shiftedPower struct {
	p, y, t, n, log2e ir.Ref
	bounded           ir.Ref // y with its upper bound
	greatest          ir.Ref // the number for which y ≤ 0 or NaN, and not NaN where it is finite; NoRef: none is known
}

func (s *shifter) note(st ir.Stmt) {
	ir.Reads(st, func(r ir.Ref) { s.reads[r]++ })
	switch st := st.(type) {
	case *ir.Let:
		s.defs[st.Dst] = st
	case *ir.Load:
		s.defs[st.Dst] = st
	case *ir.Reduce:
		for _, f := range st.Folds {
			s.defs[f.Result] = st
		}
	}
}

// let returns the operation that defines a value, if it is op, and nil otherwise.
func (s *shifter) let(r ir.Ref, op scalar.Op) *scalar.Inst {
	if r != ir.NoRef {
		if l, ok := s.defs[r].(*ir.Let); ok && l.Inst.Op == op {
			return &l.Inst
		}
	}
	return nil
}

func (s *shifter) number(r ir.Ref) (float64, bool) {
	if c := s.let(r, scalar.OpConst); c != nil {
		return float(c)
	}
	return 0, false
}

// find finds the powers in the vector loops and reductions of a block, and of the loops within it.
func (s *shifter) find(b ir.Block) {
	for _, st := range b {
		switch st := st.(type) {
		case *ir.Loop:
			s.find(st.Body)
			if st.Kind == ir.Vector {
				s.powers(st.Body, st.Axis, st.Extent, st.Tail)
			}
		case *ir.Reduce:
			s.powers(st.Body, st.Axis, st.Extent, st.Tail)
		}
	}
}

// powers finds the powers among the operations of a loop that has no blocks within its body.
func (s *shifter) powers(b ir.Block, axis ir.Axis, n ir.Size, tail *ir.Tail) {
	for _, st := range b {
		if first, _ := ir.Inner(st); first != nil {
			return
		}
	}
	for _, st := range b {
		l, ok := st.(*ir.Let)
		if !ok || l.Inst.Op != scalar.OpScale {
			continue
		}
		if p := s.power(&l.Inst, axis, n); p != nil {
			if p.greatest != ir.NoRef && (tail != nil || defines(b, p.greatest)) {
				p.greatest = ir.NoRef
			}
			if p.greatest == ir.NoRef && !s.scales {
				continue
			}
			if s.found == nil {
				s.found = map[ir.Ref]*shiftedPower{}
			}
			s.found[l.Dst] = p
		}
	}
}

func defines(b ir.Block, r ir.Ref) bool {
	return slices.ContainsFunc(b, func(st ir.Stmt) bool {
		l, ok := st.(*ir.Let)
		return ok && l.Dst == r
	})
}

// power returns the parts of what in computes, nil unless that is an exponential. Where it is the exponential of
// a number of the loop less the greatest of them, power notes the greatest.
func (s *shifter) power(in *scalar.Inst, axis ir.Axis, extent ir.Size) *shiftedPower {
	m, _, _ := magic(in.Type)
	p := &shiftedPower{p: in.Args[0], n: in.Args[1]}
	sub := s.let(p.n, scalar.OpSub)
	if sub == nil {
		return nil
	}
	p.t = sub.Args[0]
	sum := s.let(p.t, scalar.OpFMA)
	if c, ok := s.number(sub.Args[1]); !ok || c != m || sum == nil || sum.Args[2] != sub.Args[1] || s.reads[p.t] != 1 {
		return nil
	}
	p.bounded, p.log2e = sum.Args[0], sum.Args[1]
	if c, ok := s.number(p.log2e); !ok || math.Abs(c-math.Log2E) > 1e-6 {
		return nil
	}
	// y is the difference with a lower bound; p.bounded is y with an upper bound, too.
	upper := s.let(p.bounded, scalar.OpSelect)
	if upper == nil {
		return nil
	}
	p.y = upper.Args[2]
	above := s.let(upper.Args[0], scalar.OpLt)
	if hi, ok := s.number(upper.Args[1]); !ok || hi < 0 || above == nil || above.Args[0] != upper.Args[1] || above.Args[1] != p.y {
		return nil
	}
	lower := s.let(p.y, scalar.OpSelect)
	if lower == nil {
		return nil
	}
	d := lower.Args[2]
	below := s.let(lower.Args[0], scalar.OpLt)
	lo, ok := s.number(lower.Args[1])
	if !ok || below == nil || below.Args[0] != d || below.Args[1] != lower.Args[1] {
		return nil
	}
	if _, _, least := magic(in.Type); lo > 0 || math.Floor(lo*math.Log2E) < least {
		return nil
	}
	if !s.isExp(p) {
		return nil
	}
	p.greatest = ir.NoRef
	if difference := s.let(d, scalar.OpSub); difference != nil && s.atMost(difference.Args[0], difference.Args[1], axis, extent) {
		p.greatest = difference.Args[1]
	}
	return p
}

// atMost reports whether x ≤ m for each x of a loop where m is not NaN: m is the greatest of the same numbers, or
// the greater of that and something else.
func (s *shifter) atMost(x, m ir.Ref, axis ir.Axis, extent ir.Size) bool {
	for range 4 {
		r, ok := s.defs[m].(*ir.Reduce)
		if !ok {
			in := s.let(m, scalar.OpMax)
			if in == nil {
				if in = s.let(m, scalar.OpCanon); in == nil {
					return false
				}
			}
			if m = in.Args[0]; in.Op == scalar.OpMax && s.let(m, scalar.OpConst) != nil {
				m = in.Args[1]
			}
			continue
		}
		budget := 64
		return len(r.Folds) == 1 && r.Folds[0].Op == ir.Max && r.Tail == nil && r.Extent == extent &&
			s.same(x, r.Folds[0].Value, axis, r.Axis, false, &budget)
	}
	return false
}

// same reports whether x in a loop over the axis a is y in a loop over the axis b, but for the bits of NaNs unless
// exact is set.
func (s *shifter) same(x, y ir.Ref, a, b ir.Axis, exact bool, budget *int) bool {
	if *budget--; *budget < 0 {
		return false
	}
	for in := s.let(x, scalar.OpCanon); in != nil && !exact; in = s.let(x, scalar.OpCanon) {
		x = in.Args[0]
	}
	for in := s.let(y, scalar.OpCanon); in != nil && !exact; in = s.let(y, scalar.OpCanon) {
		y = in.Args[0]
	}
	if x == y {
		return true
	}
	if x == ir.NoRef || y == ir.NoRef {
		return false
	}
	switch p := s.defs[x].(type) {
	case *ir.Let:
		q, ok := s.defs[y].(*ir.Let)
		if !ok || p.Inst.Op != q.Inst.Op || p.Inst.Type != q.Inst.Type || p.Inst.DType != q.Inst.DType || p.Inst.Imm != q.Inst.Imm {
			return false
		}
		exact = !takesAnyNaN(p.Inst.Op) && (exact || !passesNaN(p.Inst.Op))
		for i := range p.Inst.Args {
			if !s.same(p.Inst.Args[i], q.Inst.Args[i], a, b, exact, budget) {
				return false
			}
		}
		return true
	case *ir.Load:
		q, ok := s.defs[y].(*ir.Load)
		return ok && s.k.Buffers[p.At.Buffer].Role == ir.In && p.At.Buffer == q.At.Buffer && p.At.Offset == q.At.Offset &&
			slices.EqualFunc(p.At.Coords, q.At.Coords, func(c, d ir.Coord) bool {
				return c.Stride == d.Stride && c.Bound == d.Bound && c.Mode == d.Mode && c.Base == d.Base && c.Value == d.Value &&
					slices.EqualFunc(c.Terms, d.Terms, func(t, u ir.Term) bool {
						return t.Coeff == u.Coeff && (t.Axis == u.Axis && t.Axis != a && t.Axis != b || t.Axis == a && u.Axis == b)
					})
			})
	}
	return false
}

// block rewrites the loops of a block. In front of each it puts what does not change in that loop.
func (s *shifter) block(b ir.Block) ir.Block {
	var out ir.Block
	for _, st := range b {
		switch l := st.(type) {
		case *ir.Loop:
			l.Body = s.loop(s.block(l.Body), &out)
		case *ir.Reduce:
			l.Body = s.loop(l.Body, &out)
		}
		out = append(out, st)
	}
	return out
}

// loop rewrites the powers of a loop. It appends to before what does not change in the loop.
func (s *shifter) loop(b ir.Block, before *ir.Block) ir.Block {
	if !slices.ContainsFunc(b, func(st ir.Stmt) bool {
		l, ok := st.(*ir.Let)
		return ok && s.found[l.Dst] != nil
	}) {
		return b
	}
	bounded := map[ir.Ref]ir.Ref{}       // arguments without their upper bounds
	sums := map[ir.Ref]*shiftedPower{}   // by t and n
	shifts := map[*shiftedPower]ir.Ref{} // M + h
	for _, st := range b {
		if l, ok := st.(*ir.Let); ok {
			if p := s.found[l.Dst]; p != nil {
				if p.greatest != ir.NoRef {
					bounded[p.bounded] = p.y
				}
				if s.scales {
					continue
				}
				m, half, _ := magic(l.Inst.Type)
				sums[p.t], sums[p.n] = p, p
				shifts[p] = s.float(before, l.Inst.Type, m+float64(half))
			}
		}
	}
	var out ir.Block
	s.tiny = map[ir.Ref]*tinyProduct{}
	for _, st := range b {
		l, ok := st.(*ir.Let)
		if !ok {
			out = append(out, st)
			continue
		}
		if s.scales && l.Inst.Op == scalar.OpMul && l.Inst.Type.IsFloat() && s.product(&out, l, before) {
			continue
		}
		for i, a := range l.Inst.Args {
			if y, ok := bounded[a]; ok {
				l.Inst.Args[i] = y
			}
		}
		if p := s.found[l.Inst.Args[0]]; l.Inst.Op == scalar.OpCanon && p != nil && p.greatest != ir.NoRef {
			l.Inst.Op = scalar.OpBitcast // its NaNs are canonical
		}
		if p := sums[l.Dst]; p != nil {
			last := l.Inst.Op.Args() - 1
			l.Inst.Args[last] = shifts[p]
		}
		if p := s.found[l.Dst]; p != nil {
			s.write(&out, l, p, before)
			continue
		}
		out = append(out, st)
	}
	return out
}

// write appends to out the operations that compute p·2ⁿ, the value of l, and to before what does not change in the
// loop.
func (s *shifter) write(out *ir.Block, l *ir.Let, p *shiftedPower, before *ir.Block) {
	t := l.Inst.Type
	if p.greatest == ir.NoRef {
		l.Inst = s.scale(out, t, p, before)
		*out = append(*out, l)
		return
	}
	zero := s.define(before, t, scalar.OpSub, 0, p.greatest, p.greatest)
	rare := s.define(before, scalar.Bool, scalar.OpNe, 0, zero, zero)
	nan := s.float(before, t, math.NaN())
	x := ir.NoRef
	if s.scales {
		in := s.scale(out, t, p, before)
		x = s.define(out, t, in.Op, in.Imm, in.Args[:]...)
	} else {
		u, mantissa := t.Unsigned(), uint64(23)
		if t == scalar.F64 {
			mantissa = 52
		}
		_, half, _ := magic(t)
		back, by := s.float(before, t, math.Ldexp(1, -half)), s.define(before, u, scalar.OpConst, mantissa)
		power := s.define(out, u, scalar.OpShl, 0, s.define(out, u, scalar.OpBitcast, 0, p.t), by)
		bits := s.define(out, u, scalar.OpAdd, 0, s.define(out, u, scalar.OpBitcast, 0, p.p), power)
		x = s.define(out, t, scalar.OpMul, 0, s.define(out, t, scalar.OpBitcast, 0, bits), back)
	}
	missing := s.define(out, t, scalar.OpSelect, 0, s.define(out, scalar.Bool, scalar.OpNe, 0, p.p, p.p), nan, x)
	l.Inst = scalar.Inst{Op: scalar.OpRare, Type: t, Args: [3]ir.Ref{rare, missing, x}}
	*out = append(*out, l)
}
