package kernel

import (
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/scalar"
)

// Elem is an element of an array within a program: its dtype, and the values that
// make it, as they are stored. Im is NoRef for what has one component.
type Elem struct {
	DType  core.DType
	Re, Im scalar.Ref
}

// Expand writes into b what the elementwise primitive p does with one element of
// each operand, and gives the element of the result, which has dtype out. ok is
// false if p has no expansion.
func Expand(b *scalar.Builder, p core.Primitive, in []Elem, out core.DType) (e Elem, ok bool) {
	f, ok := expansions[p.Name()]
	if !ok {
		return Elem{}, false
	}
	x := &expander{builder: builder{b}, prim: p, out: out}
	e = f(x, in)
	if e.DType != out {
		panic("BUG: the expansion of " + p.Name() + " gives " + e.DType.String() + ", not " + out.String())
	}
	return e, true
}

// ExpandAlone is the program of p alone.
func ExpandAlone(p core.Primitive, in []core.DType, out core.DType) (*scalar.Prog, bool) {
	b := scalar.NewBuilder(in...)
	elems := make([]Elem, len(in))
	for i, dt := range in {
		elems[i] = ParamElem(b, i, dt)
	}
	e, ok := Expand(b, p, elems, out)
	if !ok {
		return nil, false
	}
	return b.Finish([]core.DType{out}, e.refs()), true
}

// ParamElem returns the element of operand i, of type dt.
func ParamElem(b *scalar.Builder, i int, dt core.DType) Elem {
	e := Elem{dt, scalar.NoRef, scalar.NoRef}
	switch scalar.Components(dt) {
	case 2:
		e.Im = b.Param(i, 1)
		fallthrough
	case 1:
		e.Re = b.Param(i, 0)
	}
	return e
}

// refs are the components of e.
func (e Elem) refs() []scalar.Ref { return []scalar.Ref{e.Re, e.Im}[:scalar.Components(e.DType)] }

// planKey tells elementwise kernels apart. more holds the dtypes beyond the eighth.
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

// PlanOf is the compiled expansion of an elementwise primitive for operands and a
// result of the given dtypes. Plans are kept.
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
	prog, ok := ExpandAlone(p, slices.Clone(in), out)
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

// elementwise is the kernel of every primitive that has an expansion.
func elementwise(p core.Primitive, in, out []*Tensor) {
	dt := out[0].DType
	if dt.Size() == 0 || out[0].Size() == 0 {
		return
	}
	var buf [8]core.DType
	dts := buf[:0]
	for _, t := range in {
		dts = append(dts, t.DType)
	}
	pl, ok := PlanOf(p, dts, dt)
	if !ok {
		core.FailOp(core.ErrNoRule, p.Name(), nil, "has no expansion for the reference executor")
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
