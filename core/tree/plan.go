// Package tree takes Go values apart into leaves and puts them together again.
//
// A tree is a struct, slice, array, interface, pointer or map with string or integer keys that
// contains leaves; the type of the leaves is a parameter. A value that is not a leaf and contains
// none is static: it is carried along, and is part of the key that distinguishes one structure
// from another. The plan for a type is compiled once, as in encoding/json.
package tree

import (
	"reflect"
	"strconv"
	"strings"
	"sync"

	"github.com/weft-go/weft/core"
)

// Plan is how values of one Go type are taken apart into leaves of type L.
type Plan[L any] struct {
	typ  reflect.Type
	root *node
}

type kind uint8

const (
	static kind = iota // no leaves: part of the key
	leaf
	structure
	array
	slice
	mapping
	pointer
	iface // what it contains decides
)

// node is the plan of a type. Recursive types make cycles of nodes.
type node struct {
	kind   kind
	typ    reflect.Type
	fields []field // of a struct
	elem   *node
	enc    *encoder  // of a static type
	offs   []uintptr // of the leaves, if all are at fixed offsets and no array has more than 64
	fixed  bool      // offs is complete
	unsure bool      // a pointer to a type that has leaves only in interfaces
	frozen bool      // a field in it is tagged frozen
	plain  bool      // a map of strings to leaves
	words  bool      // a map of strings to maps or pointers
	keys   keyLists  // of a map
}

type field struct {
	name   string
	label  string // .Name
	file   string // name in files
	off    uintptr
	node   *node
	frozen bool
	hidden bool // unexported, and an interface or with interfaces in it: they must not hold leaves
}

type planKey struct{ leaf, typ reflect.Type }

var plans sync.Map // planKey → *Plan[L] or *core.Error

// For returns the plan of type t for leaves of type L. An error names the field that
// cannot be taken apart.
func For[L any](t reflect.Type) (*Plan[L], error) {
	key := planKey{reflect.TypeFor[L](), t}
	if v, ok := plans.Load(key); ok {
		return planOrError[L](v)
	}
	var v any
	p := &Plan[L]{typ: t}
	if err := core.Catch(func() { p.root = newCompiler(key.leaf).node(t, t.String()) }); err != nil {
		v = err
	} else {
		v = p
	}
	v, _ = plans.LoadOrStore(key, v)
	return planOrError[L](v)
}

// planOrError returns the cached plan or a copy of the cached error v with the caller's line.
func planOrError[L any](v any) (*Plan[L], error) {
	if err, ok := v.(error); ok {
		e := *err.(*core.Error)
		e.Pos = core.HerePos()
		return nil, &e
	}
	return v.(*Plan[L]), nil
}

// Type returns the type of the values that the plan is for.
func (p *Plan[L]) Type() reflect.Type { return p.typ }

// Fixed returns the number of leaves if every value consists of leaves only, at the same offsets. ok
// is false for other types, and for arrays of more than 64 leaves.
func (p *Plan[L]) Fixed() (leaves int, ok bool) { return len(p.root.offs), p.root.fixed }

// Static reports whether no value contains leaves.
func (p *Plan[L]) Static() bool { return p.root.kind == static }

type compiler struct {
	leaf  reflect.Type
	nodes map[reflect.Type]*node
	holds map[reflect.Type]bool
}

func newCompiler(leaf reflect.Type) *compiler {
	return &compiler{leaf: leaf, nodes: map[reflect.Type]*node{}, holds: map[reflect.Type]bool{}}
}

// may reports whether a value of type t may hold leaves. Interfaces may.
func (c *compiler) may(t reflect.Type) bool {
	if v, ok := c.holds[t]; ok {
		return v
	}
	c.holds[t] = false // while a recursive type is under way
	v := false
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			// Every field is visited, so that types on a cycle are all decided.
			v = c.mayField(t.Field(i)) || v
		}
	case reflect.Slice, reflect.Array, reflect.Pointer, reflect.Map:
		v = c.may(t.Elem())
	case reflect.Interface:
		v = true
	}
	v = v || t == c.leaf
	if !v {
		// Not cached: the answer may depend on a type that is still being decided.
		delete(c.holds, t)
	} else {
		c.holds[t] = true
	}
	return v
}

func (c *compiler) mayField(f reflect.StructField) bool {
	if !visible(f) && f.Type.Kind() == reflect.Interface {
		return false // checked when there is a value
	}
	return c.may(f.Type)
}

// visible reports whether a field's leaves may be read: it is exported, or an
// embedded struct, whose own fields decide.
func visible(f reflect.StructField) bool {
	return f.IsExported() || f.Anonymous && f.Type.Kind() == reflect.Struct
}

// certain reports whether t contains leaves by its type alone, no interface needed.
func (c *compiler) certain(t reflect.Type, seen map[reflect.Type]bool) bool {
	if t == c.leaf {
		return true
	}
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			if c.certain(t.Field(i).Type, seen) {
				return true
			}
		}
	case reflect.Slice, reflect.Array, reflect.Pointer, reflect.Map:
		return c.certain(t.Elem(), seen)
	}
	return false
}

func (c *compiler) node(t reflect.Type, path string) *node {
	if n := c.nodes[t]; n != nil {
		return n
	}
	n := &node{typ: t}
	c.nodes[t] = n
	switch {
	case t == c.leaf:
		n.kind, n.offs, n.fixed = leaf, []uintptr{0}, true
		return n
	case !c.may(t):
		n.enc = encoderOf(t)
		return n
	}
	switch t.Kind() {
	case reflect.Struct:
		c.structure(n, path)
	case reflect.Array:
		n.kind, n.elem = array, c.node(t.Elem(), path+"[0]")
		n.fixed = n.elem.fixed && t.Len()*len(n.elem.offs) <= 64
		for i := range t.Len() {
			if n.fixed {
				for _, o := range n.elem.offs {
					n.offs = append(n.offs, uintptr(i)*t.Elem().Size()+o)
				}
			}
		}
		n.frozen = n.elem.frozen
	case reflect.Slice:
		n.kind, n.elem = slice, c.node(t.Elem(), path+"[0]")
		n.frozen = n.elem.frozen
	case reflect.Map:
		if !orderedKey(t.Key()) {
			core.Failf(core.ErrTree, "%s is %v: a map that contains %vs needs string or integer keys, so that they have an order; make it a map[string]%v", path, core.WithArticle(t), c.leaf, t.Elem())
		}
		n.kind, n.elem = mapping, c.node(t.Elem(), path+"["+keyText(reflect.Zero(t.Key()))+"]")
		n.plain, n.words = isPlain(t, c.leaf), isWords(t)
		n.frozen = n.elem.frozen
	case reflect.Pointer:
		n.kind, n.elem = pointer, c.node(t.Elem(), path)
		n.unsure = !c.certain(t, map[reflect.Type]bool{})
		n.frozen = n.elem.frozen
	case reflect.Interface:
		n.kind = iface
	}
	return n
}

func (c *compiler) structure(n *node, path string) {
	n.kind, n.fixed = structure, true
	for i := range n.typ.NumField() {
		f := n.typ.Field(i)
		at := path + "." + f.Name
		frozen, file := c.tag(f, at)
		if f.Type.Size() == 0 && !c.may(f.Type) {
			continue
		}
		if !visible(f) && c.certain(f.Type, map[reflect.Type]bool{}) {
			core.Failf(core.ErrTree, "%s is unexported and contains %vs; export the field, or keep them elsewhere", at, c.leaf)
		}
		fd := field{name: f.Name, label: "." + f.Name, file: file, off: f.Offset, frozen: frozen}
		if !visible(f) && c.may(f.Type) {
			// Interfaces behind an unexported field: their contents are static.
			fd.hidden = true
			fd.node = &node{typ: f.Type, enc: encoderOf(f.Type)}
		} else {
			fd.node = c.node(f.Type, at)
		}
		n.frozen = n.frozen || frozen || fd.node.frozen
		// A node on a cycle is unfinished here, and its fixed is false, as for all recursive types.
		n.fixed = n.fixed && fd.node.fixed
		if n.fixed {
			for _, o := range fd.node.offs {
				n.offs = append(n.offs, f.Offset+o)
			}
		}
		n.fields = append(n.fields, fd)
	}
	if !n.fixed {
		n.offs = nil
	}
}

// FileName returns the name of a field in files: that of its tag, or its own.
func FileName(f reflect.StructField) string {
	for part := range strings.SplitSeq(f.Tag.Get("weft"), ",") {
		if name, ok := strings.CutPrefix(part, "name="); ok {
			return name
		}
	}
	return f.Name
}

// tag returns whether a field is tagged frozen, and its name in files. The parts of a tag are
// separated by commas: weft:"frozen,name=weight".
func (c *compiler) tag(f reflect.StructField, path string) (frozen bool, file string) {
	tag := f.Tag.Get("weft")
	if tag == "" {
		return false, f.Name
	}
	for part := range strings.SplitSeq(tag, ",") {
		name, named := strings.CutPrefix(part, "name=")
		switch {
		case part == "frozen":
			frozen = true
		case named && name != "":
		default:
			core.Failf(core.ErrTree, `%s has the tag weft:%s (want "frozen", "name=…" or both, separated by a comma); change the tag`, path, strconv.Quote(tag))
		}
	}
	if !c.may(f.Type) {
		core.Failf(core.ErrTree, `%s is tagged weft:%s but contains no %v: %v is static anyway; remove the tag`, path, strconv.Quote(tag), c.leaf, core.WithArticle(f.Type))
	}
	return frozen, FileName(f)
}
