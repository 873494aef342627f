package cpu

import (
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/fuse"
)

// Costs estimates the nanoseconds of a run on the reference executor and of compiling.
func (e *executor) Costs(j *jaxpr.Jaxpr) (run, compile float64) { return fuse.Estimate(j) }

// worthCompiling reports whether a run of a program on the reference executor takes at least as long as
// compiling it, by estimates.
func worthCompiling(j *jaxpr.Jaxpr) bool {
	run, compile := fuse.Estimate(j)
	return run >= compile
}
