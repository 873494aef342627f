package tree

import (
	"fmt"
	"reflect"
	"strings"
	"unsafe"

	"github.com/weft-go/weft/core"
)

// Prefix spreads a specification over the leaves of the value at v. spec is a value that terminal
// accepts, which holds for every leaf below; or a map from names to specifications, one for each
// field or key; or a slice with one for each element. The result has one entry for each leaf.
func (p *Plan[L]) Prefix(v unsafe.Pointer, spec any, terminal func(any) bool) []any {
	w := &prefixer[L]{terminal: terminal}
	w.spread(p, p.root, v, spec, "")
	return w.out
}

type prefixer[L any] struct {
	terminal func(any) bool
	out      []any
}

func (w *prefixer[L]) spread(p *Plan[L], n *node, at unsafe.Pointer, spec any, path string) {
	if w.terminal(spec) {
		var inner walker[L]
		inner.walk(p, n, at, spot{})
		for _, it := range inner.items {
			if it.Leaf {
				w.out = append(w.out, spec)
			}
		}
		return
	}
	s := reflect.ValueOf(spec)
	switch n.kind {
	case leaf:
		core.Failf(core.ErrTree, "%s is a leaf, but its specification is %v; give one value", rootPath(path), describeSpec(spec))
	case structure:
		m := w.entries(s, n, path)
		for _, k := range sortedKeys(m) {
			if !n.has(k.String()) {
				core.Failf(core.ErrTree, "%s has no field %s with leaves, which its specification %v names; name what is there: %s", rootPath(path), k, spec, n.names())
			}
		}
		for i := range n.fields {
			f := &n.fields[i]
			e := m.MapIndex(reflect.ValueOf(f.name).Convert(m.Type().Key()))
			if f.node.kind == static || f.hidden {
				continue
			}
			if !e.IsValid() {
				core.Failf(core.ErrTree, "the specification %v of %s does not mention the field %s; name it, too", spec, rootPath(path), f.name)
			}
			w.spread(p, f.node, unsafe.Add(at, f.off), e.Interface(), path+"."+f.name)
		}
	case mapping:
		m := w.entries(s, n, path)
		v := reflect.NewAt(n.typ, at).Elem()
		for _, k := range sortedKeys(m) {
			if !entryNamed(v, KeyName(k)).IsValid() {
				core.Failf(core.ErrTree, "%s has no key %s, which its specification %v names; name what is there: %s", rootPath(path), keyText(k), spec, quoted(sortedKeys(v)))
			}
		}
		for _, k := range sortedKeys(v) {
			e := entryNamed(m, KeyName(k))
			if !e.IsValid() {
				core.Failf(core.ErrTree, "the specification %v of %s does not mention the key %s; name it, too", spec, rootPath(path), keyText(k))
			}
			x := reflect.New(n.elem.typ)
			x.Elem().Set(v.MapIndex(k))
			w.spread(p, n.elem, x.UnsafePointer(), e.Interface(), path+keyLabel(k))
		}
	case slice, array:
		count, base := n.typ, at
		length := 0
		if n.kind == slice {
			base, length = sliceAt(at)
		} else {
			length = count.Len()
		}
		if s.Kind() != reflect.Slice && s.Kind() != reflect.Array || s.Len() != length {
			core.Failf(core.ErrTree, "%s is %v of %s, but its specification is %v; give a slice of as many", rootPath(path), core.WithArticle(n.typ), core.Count(length, "element"), describeSpec(spec))
		}
		for i := range length {
			w.spread(p, n.elem, unsafe.Add(base, uintptr(i)*n.elem.typ.Size()), s.Index(i).Interface(), path+index(i))
		}
	case pointer:
		to := p.behind(n, at)
		if to == nil {
			core.Failf(core.ErrTree, "%s is nil, but its specification is %v; give nil or one value", rootPath(path), describeSpec(spec))
		}
		w.spread(p, n.elem, to, spec, path)
	case iface:
		q, to := p.dynamic(n, at)
		if q == nil {
			core.Failf(core.ErrTree, "%s is nil, but its specification is %v; give nil or one value", rootPath(path), describeSpec(spec))
		}
		w.spread(q, q.root, to, spec, path)
	default:
		core.Failf(core.ErrTree, "%s contains no leaves, but its specification is %v; give nil or one value", rootPath(path), describeSpec(spec))
	}
}

func (w *prefixer[L]) entries(s reflect.Value, n *node, path string) reflect.Value {
	if s.Kind() != reflect.Map || s.Type().Key().Kind() != reflect.String {
		what := any("nil")
		if s.IsValid() {
			what = describeSpec(s.Interface())
		}
		core.Failf(core.ErrTree, "%s is %v, but its specification is %v; give a map from names to specifications", rootPath(path), core.WithArticle(n.typ), what)
	}
	return s
}

func (n *node) has(field string) bool {
	for _, f := range n.fields {
		if f.name == field && f.node.kind != static && !f.hidden {
			return true
		}
	}
	return false
}

// names lists the fields that have leaves.
func (n *node) names() string {
	var out []string
	for _, f := range n.fields {
		if n.has(f.name) {
			out = append(out, f.name)
		}
	}
	return strings.Join(out, ", ")
}

// entryNamed returns the element of a map whose key has a name, as files have it; the zero Value if
// there is none. A specification may have keys of another type than the map.
func entryNamed(m reflect.Value, name string) reflect.Value {
	for _, k := range m.MapKeys() {
		if KeyName(k) == name {
			return m.MapIndex(k)
		}
	}
	return reflect.Value{}
}

func quoted(keys []reflect.Value) string {
	if len(keys) == 0 {
		return "nothing"
	}
	out := make([]string, len(keys))
	for i, k := range keys {
		out[i] = keyText(k)
	}
	return strings.Join(out, ", ")
}

func describeSpec(spec any) string {
	if spec == nil {
		return "nil"
	}
	return fmt.Sprintf("the %T %v", spec, spec)
}
