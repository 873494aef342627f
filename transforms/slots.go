package transforms

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
)

// sharing distinguishes the residuals of the branches of a conditional: those of different
// branches that are of one type and depend on the same inputs share a slot.
type sharing struct {
	a     core.ShapedArray
	needs string
}

// manySlots is the number of small slots of a kind up to which they stay separate; more are
// packed into one. Without packing, the residuals of nested conditionals, which are results of
// each conditional around them, would grow with the square of their number.
const manySlots = 16

// manyAxes is the highest rank with which a slot that may be packed keeps its shape; beyond it,
// the slot is flattened. Each loop around a residual adds an axis.
const manyAxes = 16

// smallSlot is the largest number of elements of a slot that is packed: packing copies them.
const smallSlot = 1 << 12

// packed is a list of slots in arrays, some of which hold several slots.
type packed struct {
	slots []core.ShapedArray // before packing
	of    [][]int            // the slots in each array
	types []core.ShapedArray // of the arrays
}

// packSlots packs small slots. may reports whether the slot of a number may be packed.
func packSlots(slots []sharing, may func(n int) bool) *packed {
	type kind struct {
		d     core.DType
		weak  bool
		needs string
	}
	p := &packed{}
	small := map[kind]int{}
	kindOf := func(n int) (kind, bool) {
		s := slots[n]
		numbers := s.a.DType.IsFloat() || s.a.DType.IsComplex() || s.a.DType.IsInteger() || s.a.DType == core.Bool
		return kind{s.a.DType, s.a.Weak, s.needs}, s.a.Size() > 0 && s.a.Size() <= smallSlot && numbers && may(n)
	}
	for n, s := range slots {
		p.slots = append(p.slots, s.a)
		if k, ok := kindOf(n); ok {
			small[k]++
		}
	}
	at := map[kind]int{}
	for n, s := range slots {
		k, ok := kindOf(n)
		if ok && small[k] <= manySlots && s.a.Rank() > manyAxes {
			p.of, p.types = append(p.of, []int{n}), append(p.types, s.a.WithShape(core.MakeDims(s.a.Size())))
			continue
		}
		if !ok || small[k] <= manySlots {
			p.of, p.types = append(p.of, []int{n}), append(p.types, s.a)
			continue
		}
		i, found := at[k]
		if !found {
			i = len(p.of)
			at[k] = i
			p.of, p.types = append(p.of, nil), append(p.types, s.a.WithShape(core.MakeDims(0)))
		}
		p.of[i] = append(p.of[i], n)
		p.types[i] = s.a.WithShape(core.MakeDims(p.types[i].Size() + s.a.Size()))
	}
	return p
}

// flattens reports whether array i is a list of the elements of one slot.
func (p *packed) flattens(i int) bool {
	return len(p.of[i]) == 1 && p.types[i].Shape != p.slots[p.of[i][0]].Shape
}

// packs reports whether any array is not a slot as it is.
func (p *packed) packs() bool {
	for i, of := range p.of {
		if len(of) > 1 || p.flattens(i) {
			return true
		}
	}
	return false
}

// pack returns the arrays that hold the given slots. A slot that the branch does not have is nil
// in res, and zero in the array.
func (p *packed) pack(res []Value) []Value {
	out := make([]Value, len(p.of))
	for i, of := range p.of {
		if !slices.ContainsFunc(of, func(n int) bool { return res[n] != nil }) {
			out[i] = zerosOf(p.types[i])
			continue
		}
		if len(of) == 1 {
			out[i] = res[of[0]]
			continue
		}
		parts := make([]Value, len(of))
		for k, n := range of {
			if parts[k] = res[n]; parts[k] == nil {
				parts[k] = zerosOf(p.slots[n])
			}
			if p.slots[n].Rank() == 0 {
				parts[k] = prim.Reshape(parts[k], core.MakeDims(1))
			}
		}
		out[i] = prim.Concatenate(0, parts...)
	}
	return out
}

func (p *packed) unpack(arrays []Value, used []bool) []Value {
	res := make([]Value, len(p.slots))
	for i, of := range p.of {
		if !slices.ContainsFunc(of, func(n int) bool { return used[n] }) {
			continue
		}
		if len(of) == 1 {
			res[of[0]] = arrays[i]
			continue
		}
		sizes := make([]int, len(of))
		for k, n := range of {
			sizes[k] = p.slots[n].Size()
		}
		for k, part := range prim.Split(arrays[i], 0, core.MakeDims(sizes...)) {
			if n := of[k]; used[n] {
				if p.slots[n].Rank() == 0 {
					part = prim.Reshape(part, core.Dims{})
				}
				res[n] = part
			}
		}
	}
	return res
}
