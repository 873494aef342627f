package tree

import (
	"reflect"
	"unsafe"
)

// Def is the structure of a flattened value, from which a value with new leaves is built. Its slices
// and maps are copies, except those behind static pointers and in unexported interfaces.
type Def[L any] struct {
	plan     *Plan[L]
	skeleton unsafe.Pointer // a value of the form, without leaves
	keys     []*keyList     // of the skeleton's maps in the order of rebuilding, nil for a nil map
	n        int
}

// Def returns the structure of the value at v.
func (p *Plan[L]) Def(v unsafe.Pointer) *Def[L] {
	d := &Def[L]{plan: p, n: len(p.root.offs)}
	if p.root.fixed {
		return d
	}
	s := reflect.New(p.typ)
	s.Elem().Set(reflect.NewAt(p.typ, v).Elem())
	d.skeleton = s.UnsafePointer()
	b := &builder[L]{plan: p}
	b.rebuild(p.root, d.skeleton)
	d.n, d.keys = b.used, b.keys
	return d
}

// Len returns the number of leaves.
func (d *Def[L]) Len() int { return d.n }

// Rebuild stores a value with the first Len leaves at dst, which points to a value of the plan's
// type, and returns the other leaves. Slices, maps and pointers to leaves are new.
func (d *Def[L]) Rebuild(dst unsafe.Pointer, leaves []L) (rest []L) {
	root := d.plan.root
	if root.fixed {
		for i, o := range root.offs {
			*(*L)(unsafe.Add(dst, o)) = leaves[i]
		}
		return leaves[len(root.offs):]
	}
	reflect.NewAt(d.plan.typ, dst).Elem().Set(reflect.NewAt(d.plan.typ, d.skeleton).Elem())
	b := &builder[L]{plan: d.plan, leaves: leaves, keys: d.keys, known: true}
	b.rebuild(root, dst)
	return leaves[d.n:]
}

// builder turns a shallow copy of a value into a deep one with other leaves: zero ones if leaves
// is nil.
type builder[L any] struct {
	plan   *Plan[L]
	leaves []L
	used   int
	keys   []*keyList // of maps: those to come if known, those so far otherwise
	known  bool
}

func (b *builder[L]) next() (l L) {
	if b.leaves != nil {
		l = b.leaves[b.used]
	}
	b.used++
	return l
}

// rebuild puts the next leaves into the value at dst, a shallow copy: it must not write to memory that the
// original points to.
func (b *builder[L]) rebuild(n *node, dst unsafe.Pointer) {
	if n.fixed {
		for _, o := range n.offs {
			*(*L)(unsafe.Add(dst, o)) = b.next()
		}
		return
	}
	switch n.kind {
	case static:
		copyStatic(n.enc, dst)
	case structure:
		for i := range n.fields {
			f := &n.fields[i]
			b.rebuild(f.node, unsafe.Add(dst, f.off))
		}
	case array:
		size := n.elem.typ.Size()
		for i := range n.typ.Len() {
			b.rebuild(n.elem, unsafe.Add(dst, uintptr(i)*size))
		}
	case slice:
		old := reflect.NewAt(n.typ, dst).Elem()
		if old.IsNil() {
			return
		}
		count := old.Len()
		fresh := reflect.MakeSlice(n.typ, count, count)
		reflect.Copy(fresh, old)
		old.Set(fresh)
		base, size := fresh.UnsafePointer(), n.elem.typ.Size()
		for i := range count {
			b.rebuild(n.elem, unsafe.Add(base, uintptr(i)*size))
		}
	case mapping:
		b.rebuildMap(n, dst)
	case pointer:
		old := b.plan.behind(n, dst)
		if old == nil {
			return
		}
		fresh := reflect.New(n.elem.typ)
		fresh.Elem().Set(reflect.NewAt(n.elem.typ, old).Elem())
		*(*unsafe.Pointer)(dst) = fresh.UnsafePointer()
		b.rebuild(n.elem, fresh.UnsafePointer())
	case iface:
		q, at := b.plan.dynamic(n, dst)
		if q == nil {
			return
		}
		fresh := reflect.New(q.typ)
		fresh.Elem().Set(reflect.NewAt(q.typ, at).Elem())
		b.rebuild(q.root, fresh.UnsafePointer())
		reflect.NewAt(n.typ, dst).Elem().Set(fresh.Elem())
	}
}

// Store writes leaves into the value at v itself, through its pointers, slices and maps: the
// value must have the structure that the leaves came from. It returns the remaining leaves.
func (p *Plan[L]) Store(v unsafe.Pointer, leaves []L) (rest []L) {
	return p.store(p.root, v, leaves)
}

func (p *Plan[L]) store(n *node, at unsafe.Pointer, leaves []L) []L {
	if n.fixed {
		for i, o := range n.offs {
			*(*L)(unsafe.Add(at, o)) = leaves[i]
		}
		return leaves[len(n.offs):]
	}
	switch n.kind {
	case structure:
		for i := range n.fields {
			leaves = p.store(n.fields[i].node, unsafe.Add(at, n.fields[i].off), leaves)
		}
	case array:
		for i := range n.typ.Len() {
			leaves = p.store(n.elem, unsafe.Add(at, uintptr(i)*n.elem.typ.Size()), leaves)
		}
	case slice:
		base, count := sliceAt(at)
		for i := range count {
			leaves = p.store(n.elem, unsafe.Add(base, uintptr(i)*n.elem.typ.Size()), leaves)
		}
	case mapping:
		m := reflect.NewAt(n.typ, at).Elem()
		if m.IsNil() {
			return leaves
		}
		for _, k := range sortedKeys(m) {
			v := reflect.New(n.elem.typ)
			v.Elem().Set(m.MapIndex(k))
			leaves = p.store(n.elem, v.UnsafePointer(), leaves)
			m.SetMapIndex(k, v.Elem())
		}
	case pointer:
		if to := p.behind(n, at); to != nil {
			return p.store(n.elem, to, leaves)
		}
	case iface:
		q, to := p.dynamic(n, at)
		if q == nil {
			return leaves
		}
		// The value in an interface cannot be written: a new one takes its place.
		fresh := reflect.New(q.typ)
		fresh.Elem().Set(reflect.NewAt(q.typ, to).Elem())
		leaves = q.store(q.root, fresh.UnsafePointer(), leaves)
		reflect.NewAt(n.typ, at).Elem().Set(fresh.Elem())
	}
	return leaves
}
