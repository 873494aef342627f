package prim

import "github.com/weft-go/weft/core"

// Comparisons return booleans. Among booleans false < true. ±0 are equal, except in LtToP and LeToP.

// EqP is equality: false where either is NaN.
type EqP struct{ comparison[anything] }

// Eq returns x = y.
func Eq(x, y Value) Value { return core.Apply2(EqP{}, x, y) }

func (EqP) Name() string { return "eq" }

// NeP is inequality: true where either is NaN.
type NeP struct{ comparison[anything] }

// Ne returns x ≠ y.
func Ne(x, y Value) Value { return core.Apply2(NeP{}, x, y) }

func (NeP) Name() string { return "ne" }

// LtP is x < y: false where either is NaN.
type LtP struct{ comparison[ordered] }

// Lt returns x < y.
func Lt(x, y Value) Value { return core.Apply2(LtP{}, x, y) }

func (LtP) Name() string { return "lt" }

// LeP is x ≤ y: false where either is NaN.
type LeP struct{ comparison[ordered] }

// Le returns x ≤ y.
func Le(x, y Value) Value { return core.Apply2(LeP{}, x, y) }

func (LeP) Name() string { return "le" }

// GtP is x > y: false where either is NaN.
type GtP struct{ comparison[ordered] }

// Gt returns x > y.
func Gt(x, y Value) Value { return core.Apply2(GtP{}, x, y) }

func (GtP) Name() string { return "gt" }

// GeP is x ≥ y: false where either is NaN.
type GeP struct{ comparison[ordered] }

// Ge returns x ≥ y.
func Ge(x, y Value) Value { return core.Apply2(GeP{}, x, y) }

func (GeP) Name() string { return "ge" }

// LtToP is x < y in the total order of floats, −NaN < −∞ < … < −0 < +0 < … < ∞ < NaN;
// NaNs of one sign are equal.
type LtToP struct{ comparison[ordered] }

func (LtToP) Name() string { return "lt_to" }

// LeToP is x ≤ y in the total order of floats, see [LtToP].
type LeToP struct{ comparison[ordered] }

func (LeToP) Name() string { return "le_to" }
