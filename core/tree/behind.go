package tree

import (
	"reflect"
	"sync"
	"unsafe"
)

// dynamic returns the plan of the value in an interface, and where that value is.
func (p *Plan[L]) dynamic(n *node, at unsafe.Pointer) (*Plan[L], unsafe.Pointer) {
	v := reflect.NewAt(n.typ, at).Elem().Interface() // of an interface type: copies two words
	if v == nil {
		return nil, nil
	}
	q, err := For[L](reflect.TypeOf(v))
	if err != nil {
		panic(err)
	}
	return q, contents(v)
}

func contents(v any) unsafe.Pointer {
	w := (*[2]unsafe.Pointer)(unsafe.Pointer(&v))
	if direct(reflect.TypeOf(v)) {
		word := w[1]
		return unsafe.Pointer(&word)
	}
	return w[1]
}

var directTypes sync.Map // reflect.Type → bool

// direct reports whether an interface contains values of type t in its own word,
// rather than behind a pointer: then the zero value's word is nil.
func direct(t reflect.Type) bool {
	if d, ok := directTypes.Load(t); ok {
		return d.(bool)
	}
	z := reflect.Zero(t).Interface()
	d := (*[2]unsafe.Pointer)(unsafe.Pointer(&z))[1] == nil
	directTypes.Store(t, d)
	return d
}

// behind returns what a pointer node points to; nil if the pointer is nil, or static because
// there are no leaves behind it.
func (p *Plan[L]) behind(n *node, at unsafe.Pointer) unsafe.Pointer {
	to := *(*unsafe.Pointer)(at)
	if to == nil || n.unsure && !p.holds(n.elem, to, map[unsafe.Pointer]bool{}) {
		return nil
	}
	return to
}

// holds reports whether there is a leaf in the value behind the pointer `at`.
func (p *Plan[L]) holds(n *node, at unsafe.Pointer, seen map[unsafe.Pointer]bool) bool {
	if n.fixed {
		return len(n.offs) > 0
	}
	switch n.kind {
	case structure:
		for i := range n.fields {
			if p.holds(n.fields[i].node, unsafe.Add(at, n.fields[i].off), seen) {
				return true
			}
		}
	case array:
		for i := range n.typ.Len() {
			if p.holds(n.elem, unsafe.Add(at, uintptr(i)*n.elem.typ.Size()), seen) {
				return true
			}
		}
	case slice:
		base, count := sliceAt(at)
		if seen[base] {
			return false
		}
		seen[base] = true
		for i := range count {
			if p.holds(n.elem, unsafe.Add(base, uintptr(i)*n.elem.typ.Size()), seen) {
				return true
			}
		}
	case mapping:
		m := reflect.NewAt(n.typ, at).Elem()
		if m.IsNil() || seen[m.UnsafePointer()] {
			return false
		}
		seen[m.UnsafePointer()] = true
		for it := m.MapRange(); it.Next(); {
			v := reflect.New(n.elem.typ)
			v.Elem().SetIterValue(it)
			if p.holds(n.elem, v.UnsafePointer(), seen) {
				return true
			}
		}
	case pointer:
		to := *(*unsafe.Pointer)(at)
		if to == nil || seen[to] {
			return false
		}
		seen[to] = true
		return p.holds(n.elem, to, seen)
	case iface:
		if q, to := p.dynamic(n, at); q != nil {
			return q.holds(q.root, to, seen)
		}
	}
	return false
}
