package primtest

import (
	"reflect"
	"sync"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/hostcall"
)

// EveryType returns All and, for every primitive, a sample with each operand in each type that it
// takes there: where All has none, its first sample that is legal with other types.
func EveryType() []Sample { return everyType() }

var everyType = sync.OnceValue(func() []Sample {
	all := All()
	have := map[place]bool{}
	note := func(s Sample) {
		for i, a := range s.In {
			have[placeOf(s, i, a.DType)] = true
		}
	}
	for _, s := range all {
		note(s)
	}
	for _, s := range all[:len(all):len(all)] {
		if hosted(s.Prim) {
			continue
		}
		for i := range s.In {
			for _, dt := range elementTypes {
				if have[placeOf(s, i, dt)] {
					continue
				}
				if x, ok := inType(s, i, dt); ok {
					note(x)
					all = append(all, x)
				}
			}
		}
	}
	return all
})

// Takes calls f once with every primitive, operand and type that the operand may have, as far as
// the samples show it.
func Takes(f func(p core.Primitive, operand int, dt core.DType)) {
	seen := map[place]bool{}
	for _, s := range EveryType() {
		for i := range s.In {
			for _, dt := range elementTypes {
				at := placeOf(s, i, dt)
				if seen[at] {
					continue
				}
				if _, ok := inType(s, i, dt); ok || s.In[i].DType == dt {
					seen[at] = true
					f(s.Prim, i, dt)
				}
			}
		}
	}
}

// elementTypes are the types that arrays have. Tokens and float0 are not computed with;
// keys of other kinds stand in texts of JAX's only.
var elementTypes = func() (dts []core.DType) {
	for d := core.Bool; int(d) < core.NumDTypes; d++ {
		if d != core.Float0 && d != core.Token && !d.IsOtherKey() {
			dts = append(dts, d)
		}
	}
	return dts
}()

// Typed reports, of an operand that a primitive's types allow, as JAX's do, why it cannot be
// computed with: what it must be refused with.
func Typed(p core.Primitive, dt core.DType) (refusal string) {
	if _, ok := p.(prim.CumlogsumexpP); ok && !dt.IsInexact() {
		return "logarithms of sums are of floating or complex numbers"
	}
	return ""
}

// place is an operand of a primitive in a type. Operands from the fourth on count as one.
type place struct {
	name    string
	operand int
	dt      core.DType
}

func placeOf(s Sample, i int, dt core.DType) place { return place{s.Prim.Name(), min(i, 3), dt} }

// hosted reports whether a primitive calls a Go function: its types are the function's.
func hosted(p core.Primitive) bool {
	_, ok := p.(interface{ Host() *hostcall.HostFunc })
	return ok
}

// inType returns the sample with operand i in another type: with all operands of its type, or
// it alone.
func inType(s Sample, i int, dt core.DType) (Sample, bool) {
	for _, alone := range []bool{false, true} {
		x := s
		x.In = append([]core.ShapedArray(nil), s.In...)
		x.Dom = make([]Domain, len(s.In))
		copy(x.Dom, s.Dom)
		for k, a := range s.In {
			if k == i || !alone && a.DType == s.In[i].DType {
				x.In[k] = a.WithDType(dt)
				x.Dom[k] = within(dt, s, k)
			}
		}
		if Typed(s.Prim, dt) != "" {
			return Sample{}, false
		}
		if s.Dom == nil && reflect.DeepEqual(x.Dom, make([]Domain, len(s.In))) {
			x.Dom = nil
		}
		if legal(x) {
			return x, true
		}
	}
	return Sample{}, false
}

// within is operand k's domain in another type. Indices stay indices.
func within(dt core.DType, s Sample, k int) Domain {
	var dom Domain
	if s.Dom != nil {
		dom = s.Dom[k]
	}
	if dom.Unique && dt.IsInteger() {
		return dom
	}
	return fit(dt, dom)
}

// legal reports whether the primitive takes operands of these types.
func legal(s Sample) (ok bool) {
	defer func() { ok = recover() == nil }()
	core.AbstractOf(s.Prim, s.In)
	return true
}
