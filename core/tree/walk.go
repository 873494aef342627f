package tree

import (
	"bytes"
	"fmt"
	"reflect"
	"runtime"
	"strconv"
	"unsafe"

	"github.com/weft-go/weft/core"
)

// Item is a leaf, a static value or a part of the structure of a tree.
type Item struct {
	Path   string // .Layers[2].B, ["k"]; "" for the value itself
	File   string // the name in files: Layers.2.B, k, a field's by its tag
	Leaf   bool
	Frozen bool   // a leaf in a field tagged frozen
	What   string // describes what is not a leaf: "nil", "3 elements", "static 5"
}

// Walk lists the items of the value at v in order. It is for messages and for work that is done
// once; Flatten is faster.
func (p *Plan[L]) Walk(v unsafe.Pointer) []Item {
	var w walker[L]
	w.walk(p, p.root, v, spot{})
	return w.items
}

// Paths returns the paths of the leaves, in order.
func (p *Plan[L]) Paths(v unsafe.Pointer) []string {
	var out []string
	for _, it := range p.Walk(v) {
		if it.Leaf {
			out = append(out, it.Path)
		}
	}
	return out
}

// Frozen reports for each leaf whether it is in a field tagged frozen; nil if no
// field is.
func (p *Plan[L]) Frozen(v unsafe.Pointer) []bool {
	if !p.root.frozen && !p.holdsInterfaces() {
		return nil
	}
	var out []bool
	any := false
	for _, it := range p.Walk(v) {
		if it.Leaf {
			out = append(out, it.Frozen)
			any = any || it.Frozen
		}
	}
	if !any {
		return nil
	}
	return out
}

func (p *Plan[L]) holdsInterfaces() bool {
	seen := map[*node]bool{}
	var look func(n *node) bool
	look = func(n *node) bool {
		if n == nil || seen[n] {
			return false
		}
		seen[n] = true
		if n.kind == iface {
			return true
		}
		for _, f := range n.fields {
			if look(f.node) {
				return true
			}
		}
		return look(n.elem)
	}
	return look(p.root)
}

// Difference returns the first place where the values at a and b, both of the plan's
// type, differ in structure or statics, with what is there in each. ok is false if
// they do not.
func (p *Plan[L]) Difference(a, b unsafe.Pointer) (path, inA, inB string, ok bool) {
	if p.root.fixed {
		return "", "", "", false
	}
	var f, g Flat[L]
	p.Flatten(&f, a)
	p.Flatten(&g, b)
	if bytes.Equal(f.key, g.key) {
		return "", "", "", false
	}
	x, y := p.Walk(a), p.Walk(b)
	for i := range max(len(x), len(y)) {
		switch {
		case i >= len(x):
			return y[i].Path, "nothing", y[i].describe(), true
		case i >= len(y):
			return x[i].Path, x[i].describe(), "nothing", true
		case x[i].Path != y[i].Path:
			return x[i].Path, x[i].describe(), "nothing", true
		case x[i].describe() != y[i].describe():
			return x[i].Path, x[i].describe(), y[i].describe(), true
		}
	}
	return "", "one value", "another that prints the same", true
}

func (it Item) describe() string {
	if it.Leaf {
		return "a leaf"
	}
	return it.What
}

func pointerText(at unsafe.Pointer) string {
	if p := *(*unsafe.Pointer)(at); p != nil {
		return fmt.Sprintf("static pointer %p", p)
	}
	return "nil"
}

type walker[L any] struct{ items []Item }

type spot struct {
	path, file string
	frozen     bool
}

// under returns the spot of a part: label is appended to the path, name to the name in files.
func (s spot) under(label, name string) spot {
	s.path += label
	if s.file != "" {
		s.file += "."
	}
	s.file += name
	return s
}

func (w *walker[L]) add(s spot, what string) {
	w.items = append(w.items, Item{Path: s.path, File: s.file, What: what})
}

func (w *walker[L]) walk(p *Plan[L], n *node, at unsafe.Pointer, s spot) {
	switch n.kind {
	case leaf:
		w.items = append(w.items, Item{Path: s.path, File: s.file, Leaf: true, Frozen: s.frozen})
	case static:
		v := reflect.NewAt(n.typ, at).Elem()
		switch k := v.Kind(); {
		case k == reflect.Func && !v.IsNil():
			// Closures of one function literal share their code; the word behind `at`
			// distinguishes them.
			w.add(s, fmt.Sprintf("static func %s at %#x", runtime.FuncForPC(v.Pointer()).Name(), *(*uintptr)(at)))
		case k == reflect.Func || k == reflect.Chan || k == reflect.UnsafePointer:
			w.add(s, fmt.Sprintf("static %v at %#x", n.typ, v.Pointer()))
		case k == reflect.String:
			w.add(s, fmt.Sprintf("static %q", v))
		case k == reflect.Slice && n.typ.Elem().Kind() == reflect.String:
			w.add(s, fmt.Sprintf("static %q", v))
		default:
			w.add(s, fmt.Sprintf("static %v", v))
		}
	case structure:
		for i := range n.fields {
			f := &n.fields[i]
			to := s.under("."+f.name, f.file)
			to.frozen = s.frozen || f.frozen
			w.walk(p, f.node, unsafe.Add(at, f.off), to)
		}
	case array:
		for i := range n.typ.Len() {
			w.walk(p, n.elem, unsafe.Add(at, uintptr(i)*n.elem.typ.Size()), s.under(index(i), strconv.Itoa(i)))
		}
	case slice:
		base, count := sliceAt(at)
		if base == nil {
			w.add(s, "nil")
			return
		}
		w.add(s, core.Count(count, "element"))
		for i := range count {
			w.walk(p, n.elem, unsafe.Add(base, uintptr(i)*n.elem.typ.Size()), s.under(index(i), strconv.Itoa(i)))
		}
	case mapping:
		m := reflect.NewAt(n.typ, at).Elem()
		if m.IsNil() {
			w.add(s, "nil")
			return
		}
		w.add(s, fmt.Sprintf("%d entries", m.Len()))
		for _, k := range sortedKeys(m) {
			v := reflect.New(n.elem.typ)
			v.Elem().Set(m.MapIndex(k))
			w.walk(p, n.elem, v.UnsafePointer(), s.under(keyLabel(k), KeyName(k)))
		}
	case pointer:
		to := p.behind(n, at)
		if to == nil {
			w.add(s, pointerText(at))
			return
		}
		w.add(s, "a pointer")
		w.walk(p, n.elem, to, s)
	case iface:
		q, to := p.dynamic(n, at)
		if q == nil {
			w.add(s, "nil")
			return
		}
		w.add(s, "a "+q.typ.String())
		w.walk(q, q.root, to, s)
	}
}
