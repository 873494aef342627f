package tree

import (
	"encoding/binary"
	"reflect"
	"sync/atomic"
	"unsafe"
)

// keyLists caches the keys of the latest maps at one node, in order: models are
// flattened again and again with the same keys.
type keyLists struct {
	lists atomic.Pointer[[]*keyList]
	next  atomic.Uint32
}

// keyList is the keys of a map in order.
type keyList struct {
	names  []string
	keys   []reflect.Value
	labels []string // ["name"]
	coded  []byte   // the names as they are in a key one after the other
}

// maxKeyLists bounds the lists of a node.
const maxKeyLists = 8

// known returns the lists of maps with n keys.
func (l *keyLists) known(n int) func(yield func(*keyList) bool) {
	return func(yield func(*keyList) bool) {
		if lists := l.lists.Load(); lists != nil {
			for _, k := range *lists {
				if len(k.names) == n && !yield(k) {
					return
				}
			}
		}
	}
}

// add returns the keys of a map and caches them.
func (l *keyLists) add(m reflect.Value) *keyList {
	k := &keyList{}
	for _, v := range sortedKeys(m) {
		name := KeyName(v)
		k.names, k.keys = append(k.names, name), append(k.keys, v)
		k.labels = append(k.labels, keyLabel(v))
		k.coded = binary.AppendUvarint(k.coded, uint64(len(name)))
		k.coded = append(k.coded, name...)
	}
	var lists []*keyList
	if old := l.lists.Load(); old != nil {
		lists = append(lists, *old...)
	}
	if len(lists) < maxKeyLists {
		lists = append(lists, k)
	} else {
		lists[l.next.Add(1)%maxKeyLists] = k
	}
	l.lists.Store(&lists)
	return k
}

// of returns the keys of a map.
func (l *keyLists) of(m reflect.Value) *keyList {
	for k := range l.known(m.Len()) {
		if k.fits(m) {
			return k
		}
	}
	return l.add(m)
}

// fits reports whether a map of as many keys has these.
func (k *keyList) fits(m reflect.Value) bool {
	for _, v := range k.keys {
		if !m.MapIndex(v).IsValid() {
			return false
		}
	}
	return true
}

// plainMap returns the map at an address if its type is map[string]L, or one with this
// underlying type.
func plainMap[L any](n *node, at unsafe.Pointer) (m map[string]L, ok bool) {
	if !n.plain {
		return nil, false
	}
	return *(*map[string]L)(at), true
}

// isPlain reports whether a map type is map[string]leaf, or has this underlying type.
func isPlain(t, leaf reflect.Type) bool {
	return t.Key() == reflect.TypeFor[string]() && t.Elem() == leaf
}

// flattenPlain takes a map of leaves apart.
func (p *Plan[L]) flattenPlain(f *Flat[L], n *node, m map[string]L) {
	f.key = binary.AppendUvarint(f.key, uint64(len(m))+1)
	start := len(f.Leaves)
search:
	for k := range n.keys.known(len(m)) {
		for _, name := range k.names {
			l, ok := m[name]
			if !ok {
				f.Leaves = f.Leaves[:start]
				continue search
			}
			f.Leaves = append(f.Leaves, l)
		}
		f.key = append(f.key, k.coded...)
		return
	}
	k := n.keys.add(reflect.ValueOf(m))
	for _, name := range k.names {
		f.Leaves = append(f.Leaves, m[name])
	}
	f.key = append(f.key, k.coded...)
}

// flattenMap takes a map apart whose elements are no leaves.
func (p *Plan[L]) flattenMap(f *Flat[L], n *node, m reflect.Value) {
	f.key = binary.AppendUvarint(f.key, uint64(m.Len())+1)
	k := n.keys.of(m)
	var fresh reflect.Value
	at := f.slot()
	for i, key := range k.keys {
		f.string(k.names[i])
		v := m.MapIndex(key)
		switch n.elem.typ.Kind() {
		case reflect.Map, reflect.Pointer: // one word
			*at = v.UnsafePointer()
			f.path = append(f.path, step{label: k.labels[i]})
			p.flatten(f, n.elem, unsafe.Pointer(at))
		default:
			fresh = reflect.New(n.elem.typ)
			fresh.Elem().Set(v)
			f.path = append(f.path, step{label: k.labels[i]})
			p.flatten(f, n.elem, fresh.UnsafePointer())
		}
		f.path = f.path[:len(f.path)-1]
	}
	*at = nil
}

// slot returns a place for an element of a map at the current depth.
func (s *state) slot() *unsafe.Pointer {
	if s.depth < len(s.slots) {
		return &s.slots[s.depth]
	}
	return new(unsafe.Pointer)
}

// rebuildMap makes a map with the keys of old and new elements.
func (b *builder[L]) rebuildMap(n *node, dst unsafe.Pointer) {
	if old, ok := plainMap[L](n, dst); ok {
		if old == nil {
			return
		}
		fresh := make(map[string]L, len(old))
		for _, name := range n.keys.of(reflect.ValueOf(old)).names {
			fresh[name] = b.next()
		}
		*(*map[string]L)(dst) = fresh
		return
	}
	old := reflect.NewAt(n.typ, dst).Elem()
	if old.IsNil() {
		return
	}
	fresh := reflect.MakeMapWithSize(n.typ, old.Len())
	v := reflect.New(n.elem.typ)
	for _, k := range n.keys.of(old).keys {
		v.Elem().Set(old.MapIndex(k))
		b.rebuild(n.elem, v.UnsafePointer())
		fresh.SetMapIndex(k, v.Elem())
	}
	old.Set(fresh)
}
