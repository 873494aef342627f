package tree

import (
	"encoding/binary"
	"reflect"
	"runtime"
	"sync/atomic"
	"unsafe"
)

// keyLists caches the keys of the latest maps at one node, in order: models are
// flattened again and again with the same keys.
type keyLists struct {
	lists atomic.Pointer[[]*keyList]
	next  atomic.Uint32
}

type keyList struct {
	names  []string
	keys   []reflect.Value
	labels []string // ["name"]
	coded  []byte   // the names one after the other, as Flat.Key has them
}

const maxKeyLists = 8

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

// of returns the keys of a map, from the cache if it has them.
func (l *keyLists) of(m reflect.Value) *keyList {
	for k := range l.known(m.Len()) {
		if k.fits(m) {
			return k
		}
	}
	return l.add(m)
}

// fits reports whether m, which has as many keys as k, has the keys of k.
func (k *keyList) fits(m reflect.Value) bool {
	for _, v := range k.keys {
		if !m.MapIndex(v).IsValid() {
			return false
		}
	}
	return true
}

func isPlain(t, leaf reflect.Type) bool {
	return t.Key() == reflect.TypeFor[string]() && t.Elem() == leaf
}

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

// isWords reports whether a map type has strings as keys and elements of one word that is a
// pointer: maps and pointers. Such maps are read and written as map[string]unsafe.Pointer,
// which has the same layout and hash function with the gc compiler. With other compilers they are
// read and written by reflection.
func isWords(t reflect.Type) bool {
	k := t.Elem().Kind()
	return runtime.Compiler == "gc" && t.Key() == reflect.TypeFor[string]() && (k == reflect.Map || k == reflect.Pointer)
}

// flattenWords flattens a map whose elements are one word.
func (p *Plan[L]) flattenWords(f *Flat[L], n *node, at unsafe.Pointer) {
	m := *(*map[string]unsafe.Pointer)(at)
	f.key = binary.AppendUvarint(f.key, uint64(len(m))+1)
	start := len(f.words)
	k := f.collect(n, m)
	if k == nil {
		k = n.keys.add(reflect.NewAt(n.typ, at).Elem())
		for _, name := range k.names {
			f.words = append(f.words, m[name])
		}
	}
	for i, name := range k.names {
		f.string(name)
		at := unsafe.Pointer(&f.words[start+i])
		if n.elem.plain { // cannot fail, and so needs no path
			p.flattenKind(f, n.elem, at)
			continue
		}
		f.path = append(f.path, step{label: k.labels[i]})
		p.flatten(f, n.elem, at)
		f.path = f.path[:len(f.path)-1]
	}
	clear(f.words[start:])
	f.words = f.words[:start]
}

// collect appends the elements of a map to the words and returns its keys, if the node has cached
// them; otherwise it returns nil.
func (s *state) collect(n *node, m map[string]unsafe.Pointer) *keyList {
	start := len(s.words)
search:
	for k := range n.keys.known(len(m)) {
		for _, name := range k.names {
			w, ok := m[name]
			if !ok {
				s.words = s.words[:start]
				continue search
			}
			s.words = append(s.words, w)
		}
		return k
	}
	return nil
}

// flattenMap flattens a map whose elements are neither leaves nor one word, or whose keys are not
// of type string.
func (p *Plan[L]) flattenMap(f *Flat[L], n *node, m reflect.Value) {
	f.key = binary.AppendUvarint(f.key, uint64(m.Len())+1)
	k := n.keys.of(m)
	for i, key := range k.keys {
		f.string(k.names[i])
		fresh := reflect.New(n.elem.typ)
		fresh.Elem().Set(m.MapIndex(key))
		f.path = append(f.path, step{label: k.labels[i]})
		p.flatten(f, n.elem, fresh.UnsafePointer())
		f.path = f.path[:len(f.path)-1]
	}
}

// keysOf returns the keys of the map behind the pointer `at`, nil for a nil map.
func (b *builder[L]) keysOf(n *node, at unsafe.Pointer) (k *keyList) {
	if b.known {
		k, b.keys = b.keys[0], b.keys[1:]
		return k
	}
	if *(*unsafe.Pointer)(at) != nil {
		k = n.keys.of(reflect.NewAt(n.typ, at).Elem())
	}
	b.keys = append(b.keys, k)
	return k
}

// rebuildMap makes a map with the keys of the old one and new elements.
func (b *builder[L]) rebuildMap(n *node, dst unsafe.Pointer) {
	k := b.keysOf(n, dst)
	switch {
	case k == nil:
		*(*unsafe.Pointer)(dst) = nil
		return
	case n.plain:
		fresh := make(map[string]L, len(k.names))
		for _, name := range k.names {
			fresh[name] = b.next()
		}
		*(*map[string]L)(dst) = fresh
		return
	}
	old := reflect.NewAt(n.typ, dst).Elem()
	fresh := reflect.MakeMapWithSize(n.typ, len(k.names))
	if n.words {
		from := *(*map[string]unsafe.Pointer)(dst)
		word := fresh.UnsafePointer()
		to := *(*map[string]unsafe.Pointer)(unsafe.Pointer(&word))
		at := (*unsafe.Pointer)(dst) // each element in turn is put where the map stands, which is one word too
		for _, name := range k.names {
			*at = from[name]
			b.rebuild(n.elem, dst)
			to[name] = *at
		}
		*at = word
		return
	}
	v := reflect.New(n.elem.typ)
	for _, k := range k.keys {
		v.Elem().Set(old.MapIndex(k))
		b.rebuild(n.elem, v.UnsafePointer())
		fresh.SetMapIndex(k, v.Elem())
	}
	old.Set(fresh)
}
