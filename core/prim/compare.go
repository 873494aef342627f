package prim

import "github.com/weft-go/weft/core"

// Comparisons give booleans. Of booleans false < true; ±0 are equal.

// EqP is equality: false where either is NaN.
type EqP struct{ comparison[anything] }

// Eq returns x = y.
func Eq(x, y Value) Value { return core.Apply2(EqP{}, x, y) }

// Name returns "eq".
func (EqP) Name() string { return "eq" }

// NeP is inequality: true where either is NaN.
type NeP struct{ comparison[anything] }

// Ne returns x ≠ y.
func Ne(x, y Value) Value { return core.Apply2(NeP{}, x, y) }

// Name returns "ne".
func (NeP) Name() string { return "ne" }

// LtP is x < y: false where either is NaN.
type LtP struct{ comparison[ordered] }

// Lt returns x < y.
func Lt(x, y Value) Value { return core.Apply2(LtP{}, x, y) }

// Name returns "lt".
func (LtP) Name() string { return "lt" }

// LeP is x ≤ y: false where either is NaN.
type LeP struct{ comparison[ordered] }

// Le returns x ≤ y.
func Le(x, y Value) Value { return core.Apply2(LeP{}, x, y) }

// Name returns "le".
func (LeP) Name() string { return "le" }

// GtP is x > y: false where either is NaN.
type GtP struct{ comparison[ordered] }

// Gt returns x > y.
func Gt(x, y Value) Value { return core.Apply2(GtP{}, x, y) }

// Name returns "gt".
func (GtP) Name() string { return "gt" }

// GeP is x ≥ y: false where either is NaN.
type GeP struct{ comparison[ordered] }

// Ge returns x ≥ y.
func Ge(x, y Value) Value { return core.Apply2(GeP{}, x, y) }

// Name returns "ge".
func (GeP) Name() string { return "ge" }

// LtToP is x < y in the total order of floats, −NaN < −∞ < … < −0 < +0 < … < ∞ < NaN;
// NaNs of one sign are equal.
type LtToP struct{ comparison[ordered] }

// Name returns "lt_to".
func (LtToP) Name() string { return "lt_to" }

// LeToP is x ≤ y in the total order of floats, see [LtToP].
type LeToP struct{ comparison[ordered] }

// Name returns "le_to".
func (LeToP) Name() string { return "le_to" }
