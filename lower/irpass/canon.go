package irpass

import (
	"slices"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// DropCanon lets arithmetic read the operand of a [scalar.OpCanon] instead of its result. Which NaN
// it reads changes no bit of the kernel's results, since a NaN that arithmetic returns is canonical only
// after a canon of its own. Unused operations are removed. It changes k and returns it.
func DropCanon(k *ir.Kernel) *ir.Kernel {
	c := &canonDropper{of: make([]ir.Ref, len(k.Types))}
	for i := range c.of {
		c.of[i] = ir.NoRef
	}
	c.noteExact(k)
	k.Body.Walk(c.redirect)
	k.Body.Walk(c.redirectFolds)
	canonBehind(k)
	sweep(k)
	return k
}

type canonDropper struct {
	of    []ir.Ref // by Ref: the operand of a canon, else NoRef
	exact []bool   // by Ref: something reads the bits of a NaN: see noteExact
}

// passesNaN reports whether an operation can return a NaN whose bits come from an operand.
func passesNaN(o scalar.Op) bool {
	switch o {
	case scalar.OpSelect, scalar.OpMax, scalar.OpMin, scalar.OpNeg, scalar.OpAbs:
		return true
	}
	return false
}

// noteExact notes which values have readers that depend on the bits of a NaN, by themselves or
// through operations that pass them on.
func (c *canonDropper) noteExact(k *ir.Kernel) {
	c.exact = make([]bool, len(k.Types))
	var passing []*ir.Let
	k.Body.Walk(func(s ir.Stmt) {
		if l, ok := s.(*ir.Let); ok {
			if takesAnyNaN(l.Inst.Op) {
				return
			}
			if passesNaN(l.Inst.Op) {
				passing = append(passing, l)
				return
			}
		}
		ir.Reads(s, func(r ir.Ref) { c.exact[r] = true })
	})
	for _, l := range slices.Backward(passing) { // readers come later
		if c.exact[l.Dst] {
			ir.Reads(l, func(r ir.Ref) { c.exact[r] = true })
		}
	}
}

// takesAnyNaN reports whether an operation has the same result, up to the bits of a NaN, for
// every NaN operand.
func takesAnyNaN(o scalar.Op) bool {
	switch o {
	case scalar.OpAdd, scalar.OpSub, scalar.OpMul, scalar.OpDiv, scalar.OpFMA, scalar.OpSqrt, scalar.OpCanon,
		scalar.OpEq, scalar.OpNe, scalar.OpLt, scalar.OpLe, scalar.OpNarrow:
		return true
	}
	return false
}

// redirect lets an operation read the operands of canons if no bit of the kernel's results depends on that. It
// records canons.
func (c *canonDropper) redirect(s ir.Stmt) {
	l, ok := s.(*ir.Let)
	if !ok {
		return
	}
	if takesAnyNaN(l.Inst.Op) || passesNaN(l.Inst.Op) && !c.exact[l.Dst] {
		for i, a := range l.Inst.Args {
			if a != ir.NoRef && c.of[a] != ir.NoRef {
				l.Inst.Args[i] = c.of[a]
			}
		}
	}
	if l.Inst.Op == scalar.OpCanon {
		c.of[l.Dst] = l.Inst.Args[0]
	}
}

// redirectFolds lets sums and products read the operands of canons: NaNs that they return are canonical only after a canon of their own.
func (c *canonDropper) redirectFolds(s ir.Stmt) {
	r, ok := s.(*ir.Reduce)
	if !ok {
		return
	}
	for i, f := range r.Folds {
		if (f.Op == ir.Sum || f.Op == ir.Prod) && c.of[f.Value] != ir.NoRef {
			r.Folds[i].Value = c.of[f.Value]
		}
		if r.Order == ir.Chain && c.of[f.Second] != ir.NoRef {
			r.Folds[i].Second = c.of[f.Second]
		}
	}
}
