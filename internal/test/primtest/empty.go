package primtest

import (
	"fmt"
	"reflect"
	"slices"
	"sync"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/indexed"
)

// Empty returns the samples of All with axes of size 0. Each axis of the operands and each entry of
// the primitive's lists is set to 0: alone, with each other one, with two equal ones, and with all
// equal ones. What the primitive's types refuse is left out. Gathers and scatters come in every mode.
func Empty() []Sample { return empty() }

var empty = sync.OnceValue(func() []Sample {
	var all []Sample
	seen := map[string]bool{}
	for _, s := range All() {
		if !s.Standalone() {
			continue
		}
		for _, s := range inModes(s) {
			sizes := sizesOf(s)
			for _, set := range subsets(sizes) {
				x := sizes.cleared(s, set)
				if !x.hasEmpty() || !legal(x) {
					continue
				}
				if key := fmt.Sprintf("%s %v %v", x.Prim.Name(), x.Prim, x.In); !seen[key] {
					seen[key] = true
					all = append(all, x)
				}
			}
		}
	}
	return all
})

// hasEmpty reports whether an operand has no elements.
func (s Sample) hasEmpty() bool {
	return slices.ContainsFunc(s.In, func(a core.ShapedArray) bool { return a.Size() == 0 })
}

// inModes returns the sample with every mode of out-of-bounds indices, if its primitive has one.
func inModes(s Sample) []Sample {
	v := reflect.ValueOf(s.Prim)
	if v.Kind() != reflect.Struct || !v.FieldByName("Mode").IsValid() || v.FieldByName("Mode").Type() != reflect.TypeFor[indexed.IndexMode]() {
		return []Sample{s}
	}
	var list []Sample
	for _, m := range []indexed.IndexMode{indexed.PromiseInBounds, indexed.Clip, indexed.FillOrDrop} {
		p := reflect.New(v.Type()).Elem()
		p.Set(v)
		p.FieldByName("Mode").Set(reflect.ValueOf(m))
		s.Prim = p.Interface().(core.Primitive)
		list = append(list, s)
	}
	return list
}

// A size is an axis of an operand, or an entry of one of the primitive's lists.
type size struct {
	operand int   // -1 for an entry of a list
	field   []int // the list's index path in the primitive
	at      int
	value   int
}

type sizes []size

func sizesOf(s Sample) sizes {
	var list sizes
	for i, a := range s.In {
		for k, n := range a.Shape.All() {
			list = append(list, size{i, nil, k, n})
		}
	}
	v := reflect.ValueOf(s.Prim)
	if v.Kind() != reflect.Struct {
		return list
	}
	for _, f := range reflect.VisibleFields(v.Type()) {
		if f.Type == reflect.TypeFor[core.Dims]() && f.IsExported() {
			for k, n := range v.FieldByIndex(f.Index).Interface().(core.Dims).All() {
				list = append(list, size{-1, f.Index, k, n})
			}
		}
	}
	return list
}

// subsets returns the sets of sizes to clear, as indices.
func subsets(list sizes) [][]int {
	var sets [][]int
	for i := range list {
		sets = append(sets, []int{i})
		for j := range i {
			sets = append(sets, []int{i, j})
			for k := range j {
				if list[i].value == list[j].value && list[j].value == list[k].value {
					sets = append(sets, []int{i, j, k})
				}
			}
		}
	}
	for i := range list {
		var operands, both []int
		for j := range list {
			if list[j].value == list[i].value {
				both = append(both, j)
				if list[j].operand >= 0 {
					operands = append(operands, j)
				}
			}
		}
		sets = append(sets, operands, both)
	}
	return sets
}

// cleared returns the sample with the sizes of a set 0.
func (list sizes) cleared(s Sample, set []int) Sample {
	s.In = slices.Clone(s.In)
	var p reflect.Value
	for _, i := range set {
		switch c := list[i]; {
		case c.operand >= 0:
			s.In[c.operand].Shape = zeroAt(s.In[c.operand].Shape, c.at)
		default:
			if !p.IsValid() {
				p = reflect.New(reflect.TypeOf(s.Prim)).Elem()
				p.Set(reflect.ValueOf(s.Prim))
			}
			f := p.FieldByIndex(c.field)
			f.Set(reflect.ValueOf(zeroAt(f.Interface().(core.Dims), c.at)))
		}
	}
	if p.IsValid() {
		s.Prim = p.Interface().(core.Primitive)
	}
	return s
}

// zeroAt returns d with entry k 0.
func zeroAt(d core.Dims, k int) core.Dims {
	v := d.Ints()
	v[k] = 0
	return core.MakeDims(v...)
}
