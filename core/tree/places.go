package tree

import (
	"reflect"
	"strconv"
	"unsafe"
)

// Place identifies the memory of a leaf that other code may reach: behind a pointer, in a slice
// or in a map. The zero Place stands for a leaf within the value itself.
type Place struct {
	at   unsafe.Pointer // the leaf, or the map or interface that contains it
	path string         // within the map or interface
}

// Places appends the places of the leaves of the value at v, in order.
func (p *Plan[L]) Places(to []Place, v unsafe.Pointer) []Place {
	w := placer[L]{places: to}
	w.walk(p, p.root, v, Place{}, false)
	return w.places
}

type placer[L any] struct{ places []Place }

// walk lists the leaves of the value behind the pointer `at`. shared is true in memory that other code reaches.
// within is the map or interface that contains the value, if there is one.
func (w *placer[L]) walk(p *Plan[L], n *node, at unsafe.Pointer, within Place, shared bool) {
	down := func(m *node, at unsafe.Pointer, step string) {
		in := within
		if in.at != nil {
			in.path += step + "/"
		}
		w.walk(p, m, at, in, shared)
	}
	switch n.kind {
	case leaf:
		if within.at == nil && shared {
			within.at = at
		}
		w.places = append(w.places, within)
	case structure:
		for i := range n.fields {
			f := &n.fields[i]
			down(f.node, unsafe.Add(at, f.off), f.label)
		}
	case array:
		for i := range n.typ.Len() {
			down(n.elem, unsafe.Add(at, uintptr(i)*n.elem.typ.Size()), strconv.Itoa(i))
		}
	case slice:
		base, count := sliceAt(at)
		for i := range count {
			w.walk(p, n.elem, unsafe.Add(base, uintptr(i)*n.elem.typ.Size()), Place{}, true)
		}
	case mapping:
		m := reflect.NewAt(n.typ, at).Elem()
		if m.IsNil() {
			return
		}
		for _, k := range sortedKeys(m) {
			v := reflect.New(n.elem.typ)
			v.Elem().Set(m.MapIndex(k))
			w.walk(p, n.elem, v.UnsafePointer(), Place{m.UnsafePointer(), keyLabel(k)}, true)
		}
	case pointer:
		if to := p.behind(n, at); to != nil {
			w.walk(p, n.elem, to, Place{}, true)
		}
	case iface:
		q, to := p.dynamic(n, at)
		if q == nil {
			return
		}
		if within.at == nil && shared {
			within.at = at
		}
		w.walk(q, q.root, to, within, shared)
	}
}
