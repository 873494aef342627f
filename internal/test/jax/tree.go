package jax

import (
	"maps"
	"slices"
	"strings"
)

// pyForm describes how a value of a golden program is built from arrays.
type pyForm struct {
	kind  byte // '*' a leaf, 'n' None, 't' a tuple, 'l' a list, 'd' a dict
	keys  []string
	parts []pyForm
}

// Flatten returns the arrays of a value and its form: those of tuples and lists in order, those
// of dicts by their keys.
func Flatten(v any) ([]array, pyForm) {
	leaves := []array{}
	var walk func(v any) pyForm
	all := func(f pyForm, items []any) pyForm {
		for _, x := range items {
			f.parts = append(f.parts, walk(x))
		}
		return f
	}
	walk = func(v any) pyForm {
		switch v := v.(type) {
		case nil:
			return pyForm{kind: 'n'}
		case pyTuple:
			return all(pyForm{kind: 't'}, v)
		case *pyList:
			return all(pyForm{kind: 'l'}, v.Items)
		case pyDict:
			f := pyForm{kind: 'd', keys: slices.Sorted(maps.Keys(v))}
			for _, k := range f.keys {
				f.parts = append(f.parts, walk(v[k]))
			}
			return f
		}
		leaves = append(leaves, pyArray(v))
		return pyForm{kind: '*'}
	}
	form := walk(v)
	return leaves, form
}

// rebuild builds a value of the form from leaves.
func (f pyForm) rebuild(leaves []array) any {
	v, rest := f.take(leaves)
	if len(rest) > 0 {
		pyCannot("%d arrays too many for %s", len(rest), f)
	}
	return v
}

func (f pyForm) take(leaves []array) (any, []array) {
	if f.kind == '*' {
		if len(leaves) == 0 {
			pyCannot("too few arrays")
		}
		return leaves[0], leaves[1:]
	}
	var items []any
	for _, p := range f.parts {
		var v any
		v, leaves = p.take(leaves)
		items = append(items, v)
	}
	switch f.kind {
	case 't':
		return pyTuple(items), leaves
	case 'l':
		return &pyList{Items: items}, leaves
	case 'd':
		d := pyDict{}
		for i, k := range f.keys {
			d[k] = items[i]
		}
		return d, leaves
	}
	return nil, leaves
}

// String returns the form as JAX writes tree definitions: (*, {'a': *}).
func (f pyForm) String() string {
	var parts []string
	for i, p := range f.parts {
		s := p.String()
		if f.kind == 'd' {
			s = "'" + f.keys[i] + "': " + s
		}
		parts = append(parts, s)
	}
	s := strings.Join(parts, ", ")
	switch f.kind {
	case 'n':
		return "None"
	case 't':
		if len(parts) == 1 {
			s += ","
		}
		return "(" + s + ")"
	case 'l':
		return "[" + s + "]"
	case 'd':
		return "{" + s + "}"
	}
	return "*"
}

// leaves returns how many arrays a value of the form has.
func (f pyForm) leaves() int {
	if f.kind == '*' {
		return 1
	}
	n := 0
	for _, p := range f.parts {
		n += p.leaves()
	}
	return n
}
