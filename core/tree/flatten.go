package tree

import (
	"encoding/binary"
	"reflect"
	"slices"
	"sort"
	"strings"
	"unsafe"

	"github.com/weft-go/weft/core"
)

// Flat holds the parts of flattened values, such as the arguments of a call, one value after the
// other. Leaves are in order; Key distinguishes structures and statics.
type Flat[L any] struct {
	Leaves []L
	state
}

// state is the part of a Flat that does not depend on the leaves' type.
type state struct {
	key   []byte
	seen  []unsafe.Pointer // pointers to trees, each of which may occur once
	leaf  reflect.Type
	path  []step
	depth int
	words []unsafe.Pointer // elements of maps that are being flattened

	behind   int              // static pointers that lead to the current value
	followed map[visited]bool // static pointers whose contents are in the key
	held     []unsafe.Pointer // addresses in the key that are behind static pointers
}

// Key returns the structure and the statics of all values so far, as comparable bytes.
// It contains addresses: it is valid only while a Def of the values and Held are alive.
func (f *Flat[L]) Key() []byte { return f.key }

// Held returns the addresses in the key that a Def does not keep alive: those behind
// static pointers, where the owner may replace them.
func (f *Flat[L]) Held() []unsafe.Pointer { return f.held }

// Reset empties f for the next values, keeping its memory.
func (f *Flat[L]) Reset() {
	clear(f.Leaves)
	f.Leaves = f.Leaves[:0]
	f.key = f.key[:0]
	clear(f.seen)
	f.seen = f.seen[:0]
	clear(f.words)
	f.words = f.words[:0]
	f.path, f.depth, f.behind = f.path[:0], 0, 0
	clear(f.followed)
	f.held = nil
}

// step is a part of a path: .W or ["k"], or an index if there is no label.
type step struct {
	label string
	i     int
}

func (s *state) where() string {
	var b strings.Builder
	for _, t := range s.path {
		if t.label != "" {
			b.WriteString(t.label)
		} else {
			b.WriteString(index(t.i))
		}
	}
	return rootPath(b.String())
}

// Flatten flattens the value at v and appends its parts to f. It panics with *core.Error for values
// that are no trees, such as one that contains itself, the same pointer twice, or a NaN among its
// statics.
func (p *Plan[L]) Flatten(f *Flat[L], v unsafe.Pointer) {
	if p.root.fixed {
		for _, o := range p.root.offs {
			f.Leaves = append(f.Leaves, *(*L)(unsafe.Add(v, o)))
		}
		return
	}
	f.leaf = reflect.TypeFor[L]()
	p.flatten(f, p.root, v)
}

func (p *Plan[L]) flatten(f *Flat[L], n *node, at unsafe.Pointer) {
	if n.fixed {
		for _, o := range n.offs {
			f.Leaves = append(f.Leaves, *(*L)(unsafe.Add(at, o)))
		}
		return
	}
	f.deeper()
	p.flattenKind(f, n, at)
	f.depth--
}

func (p *Plan[L]) flattenKind(f *Flat[L], n *node, at unsafe.Pointer) {
	switch n.kind {
	case static:
		f.encode(n.enc, at)
	case structure:
		for i := range n.fields {
			fd := &n.fields[i]
			f.path = append(f.path, step{label: fd.label})
			p.flatten(f, fd.node, unsafe.Add(at, fd.off))
			f.path = f.path[:len(f.path)-1]
		}
	case array:
		size := n.elem.typ.Size()
		for i := range n.typ.Len() {
			f.path = append(f.path, step{i: i})
			p.flatten(f, n.elem, unsafe.Add(at, uintptr(i)*size))
			f.path = f.path[:len(f.path)-1]
		}
	case slice:
		base, count := sliceAt(at)
		if base == nil {
			f.key = append(f.key, 0)
			return
		}
		f.key = binary.AppendUvarint(f.key, uint64(count)+1)
		size := n.elem.typ.Size()
		for i := range count {
			f.path = append(f.path, step{i: i})
			p.flatten(f, n.elem, unsafe.Add(base, uintptr(i)*size))
			f.path = f.path[:len(f.path)-1]
		}
	case mapping:
		switch {
		case *(*unsafe.Pointer)(at) == nil:
			f.key = append(f.key, 0)
		case n.plain:
			p.flattenPlain(f, n, *(*map[string]L)(at))
		case n.words:
			p.flattenWords(f, n, at)
		default:
			p.flattenMap(f, n, reflect.NewAt(n.typ, at).Elem())
		}
	case pointer:
		to := p.behind(n, at)
		if to == nil {
			f.key = append(f.key, 0)
			f.encode(encoderOf(n.typ), at)
			return
		}
		f.key = append(f.key, 1)
		f.visit(to, n.typ)
		p.flatten(f, n.elem, to)
	case iface:
		q, to := p.dynamic(n, at)
		if q == nil {
			f.key = append(f.key, 0)
			return
		}
		f.key = append(f.key, 1)
		f.typeWord(q.typ)
		q.flatten(f, q.root, to)
	default:
		panic("BUG: node without a kind")
	}
}

// visit refuses a pointer that was visited before: what is behind it would become two
// values.
func (s *state) visit(to unsafe.Pointer, t reflect.Type) {
	if slices.Contains(s.seen, to) && t.Elem().Size() > 0 {
		core.Failf(core.ErrTree, "%s is a pointer that came before in the same value: a tree contains a pointer once, "+
			"since what is behind it would be taken apart into two; share by code, not by pointer", s.where())
	}
	s.seen = append(s.seen, to)
}

// sliceAt reads a slice header: a nil slice has no base, an empty one has.
func sliceAt(at unsafe.Pointer) (base unsafe.Pointer, n int) {
	h := (*struct {
		base     unsafe.Pointer
		len, cap int
	})(at)
	return h.base, h.len
}

// sortedKeys returns a map's keys in order: strings by bytes, integers by value.
func sortedKeys(m reflect.Value) []reflect.Value {
	keys := m.MapKeys()
	sort.Slice(keys, func(i, j int) bool { // slices.SortFunc would be instantiated for reflect.Value
		a, b := keys[i], keys[j]
		switch {
		case a.CanInt():
			return a.Int() < b.Int()
		case a.CanUint():
			return a.Uint() < b.Uint()
		}
		return a.String() < b.String()
	})
	return keys
}
