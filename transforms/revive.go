package transforms

import "github.com/weft-go/weft/core"

var _ core.Reviver = (*dual)(nil)

// Revive returns a dual of a new derivative: a rule that runs when the derivative is over may
// close over values of the function, which are computed again. Those that depend on no tangent
// are values as before; others are duals of a derivative that has ended, which the rule cannot
// use. So it does not matter which tangent the dual has.
func (d *dual) Revive() (live Value, end func()) {
	primal, endPrimal := core.Revive(d.primal)
	i := newJVP()
	return &dual{i, primal, zeros(primal)}, func() {
		i.done = true
		endPrimal()
	}
}
