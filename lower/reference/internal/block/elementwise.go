package block

import (
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/expand"
)

// planKey distinguishes elementwise kernels. `more` holds the dtypes beyond the eighth.
type planKey struct {
	p    core.Primitive
	n    int
	in   [8]core.DType
	more string
	out  core.DType
}

var (
	plans   atomic.Pointer[map[planKey]*Plan]
	plansMu sync.Mutex
)

// PlanOf returns the compiled expansion of an elementwise primitive for operands and a result of
// the given dtypes, false if the primitive has no expansion. Plans are kept.
func PlanOf(p core.Primitive, in []core.DType, out core.DType) (*Plan, bool) {
	k := planKey{p: p, n: len(in), out: out}
	for i, dt := range in {
		if i < len(k.in) {
			k.in[i] = dt
		} else {
			k.more += string(rune(dt))
		}
	}
	if m := plans.Load(); m != nil {
		if pl, ok := (*m)[k]; ok {
			return pl, true
		}
	}
	prog, ok := expand.Program(p, slices.Clone(in), out)
	if !ok {
		return nil, false
	}
	pl := Compile(prog)
	plansMu.Lock()
	defer plansMu.Unlock()
	m := make(map[planKey]*Plan)
	if old := plans.Load(); old != nil {
		maps.Copy(m, *old)
	}
	m[k] = pl
	plans.Store(&m)
	return pl, true
}

// Elementwise is the kernel of every primitive that has an expansion.
func Elementwise(p core.Primitive, in, out []*Tensor) {
	dt := out[0].DType
	if dt.Size() == 0 || out[0].Size() == 0 {
		return
	}
	if in[0].DType == core.Float0 { // only conversions take it: its elements, which have no bits, become zeros
		clear(out[0].Data)
		return
	}
	var buf [8]core.DType
	dts := buf[:0]
	for _, t := range in {
		dts = append(dts, t.DType)
	}
	pl, ok := PlanOf(p, dts, dt)
	if !ok {
		core.FailOp(core.ErrNoRule, p.Name(), nil, "has no expansion for the reference executor; declare a kernel for it")
	}
	pl.Run(in, out)
}

// MustPlan is PlanOf for a primitive of one operand that has an expansion.
func MustPlan(p core.Primitive, in, out core.DType) *Plan {
	pl, ok := PlanOf(p, []core.DType{in}, out)
	if !ok {
		panic("BUG: no expansion of " + p.Name())
	}
	return pl
}
