package tree

import (
	"bytes"
	"fmt"
	"reflect"
	"runtime"
	"unsafe"

	"github.com/weft-go/weft/core"
)

// Item is a place in a tree: a leaf, or structure or a static of the given
// description.
type Item struct {
	Path   string // .Layers[2].B, ["k"]; "" is the whole
	Leaf   bool
	Frozen bool   // a leaf in a field tagged frozen
	What   string // of what is no leaf: "nil", "3 elements", "static 5"
}

// Walk lists the places of the value at v in order. It is for messages and for
// what happens once; Flatten is fast.
func (p *Plan[L]) Walk(v unsafe.Pointer) []Item {
	var w walker[L]
	w.walk(p, p.root, v, "", false)
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

func (w *walker[L]) add(path, what string) {
	w.items = append(w.items, Item{Path: path, What: what})
}

func (w *walker[L]) walk(p *Plan[L], n *node, at unsafe.Pointer, path string, frozen bool) {
	switch n.kind {
	case leaf:
		w.items = append(w.items, Item{Path: path, Leaf: true, Frozen: frozen})
	case static:
		v := reflect.NewAt(n.typ, at).Elem()
		switch k := v.Kind(); {
		case k == reflect.Func && !v.IsNil():
			// Closures of one literal have one code: the word that tells them apart is theirs.
			w.add(path, fmt.Sprintf("static func %s at %#x", runtime.FuncForPC(v.Pointer()).Name(), *(*uintptr)(at)))
		case k == reflect.Func || k == reflect.Chan || k == reflect.UnsafePointer:
			w.add(path, fmt.Sprintf("static %v at %#x", n.typ, v.Pointer()))
		case k == reflect.String:
			w.add(path, fmt.Sprintf("static %q", v))
		case k == reflect.Slice && n.typ.Elem().Kind() == reflect.String:
			w.add(path, fmt.Sprintf("static %q", v))
		default:
			w.add(path, fmt.Sprintf("static %v", v))
		}
	case structure:
		for i := range n.fields {
			f := &n.fields[i]
			w.walk(p, f.node, unsafe.Add(at, f.off), path+"."+f.name, frozen || f.frozen)
		}
	case array:
		for i := range n.typ.Len() {
			w.walk(p, n.elem, unsafe.Add(at, uintptr(i)*n.elem.typ.Size()), path+index(i), frozen)
		}
	case slice:
		base, count := sliceAt(at)
		if base == nil {
			w.add(path, "nil")
			return
		}
		w.add(path, core.Count(count, "element"))
		for i := range count {
			w.walk(p, n.elem, unsafe.Add(base, uintptr(i)*n.elem.typ.Size()), path+index(i), frozen)
		}
	case mapping:
		m := reflect.NewAt(n.typ, at).Elem()
		if m.IsNil() {
			w.add(path, "nil")
			return
		}
		w.add(path, fmt.Sprintf("%d entries", m.Len()))
		for _, k := range sortedKeys(m) {
			v := reflect.New(n.elem.typ)
			v.Elem().Set(m.MapIndex(k))
			w.walk(p, n.elem, v.UnsafePointer(), path+quoteKey(k.String()), frozen)
		}
	case pointer:
		to := p.behind(n, at)
		if to == nil {
			w.add(path, pointerText(at))
			return
		}
		w.add(path, "a pointer")
		w.walk(p, n.elem, to, path, frozen)
	case iface:
		q, to := p.dynamic(n, at)
		if q == nil {
			w.add(path, "nil")
			return
		}
		w.add(path, "a "+q.typ.String())
		w.walk(q, q.root, to, path, frozen)
	}
}
