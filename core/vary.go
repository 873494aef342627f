package core

import (
	"iter"
	"math"
	"slices"
	"strings"
	"sync"
)

// Axes is an immutable set of axes of a mesh of devices: those along which a value
// differs from device to device. Equal sets are equal numbers; the zero Axes is empty.
type Axes uint16

// meshAxesTable interns sets of axes: programs have few.
var meshAxesTable = struct {
	sync.RWMutex
	ids   map[string]Axes
	names [][]string // by id, sorted
}{ids: map[string]Axes{"": 0}, names: [][]string{nil}}

// MakeAxes returns the set of the given axes.
func MakeAxes(names ...string) Axes {
	if len(names) == 0 {
		return 0
	}
	names = slices.Clone(names)
	slices.Sort(names)
	names = slices.Compact(names)
	key := strings.Join(names, "\x00") + "\x00"
	t := &meshAxesTable
	t.RLock()
	a, ok := t.ids[key]
	t.RUnlock()
	if ok {
		return a
	}
	t.Lock()
	defer t.Unlock()
	if a, ok := t.ids[key]; ok {
		return a
	}
	if len(t.names) > math.MaxUint16 {
		Failf(ErrAxis, "the process uses more than %d sets of mesh axes; give the axes of meshes the same few names", math.MaxUint16)
	}
	a = Axes(len(t.names))
	t.ids[key], t.names = a, append(t.names, names)
	return a
}

// sorted returns the axes in alphabetical order; the caller must not change the slice.
func (a Axes) sorted() []string {
	if a == 0 {
		return nil
	}
	meshAxesTable.RLock()
	defer meshAxesTable.RUnlock()
	return meshAxesTable.names[a]
}

// All ranges over the axes in alphabetical order.
func (a Axes) All() iter.Seq[string] { return slices.Values(a.sorted()) }

// Has reports whether the set contains an axis.
func (a Axes) Has(name string) bool { return a != 0 && slices.Contains(a.sorted(), name) }

// Union returns the axes of either set.
func (a Axes) Union(b Axes) Axes {
	if a == b || b == 0 {
		return a
	}
	if a == 0 {
		return b
	}
	return MakeAxes(slices.Concat(a.sorted(), b.sorted())...)
}

// Minus returns the axes of a that b does not contain.
func (a Axes) Minus(b Axes) Axes {
	if a == 0 || b == 0 {
		return a
	}
	return MakeAxes(slices.DeleteFunc(slices.Clone(a.sorted()), b.Has)...)
}

// String returns the set as errors show it: {x, y}.
func (a Axes) String() string { return "{" + strings.Join(a.sorted(), ", ") + "}" }

// mark returns what follows a type in text: {V:x}, {V:(x,y)}, nothing for the empty set.
func (a Axes) mark() string {
	switch names := a.sorted(); len(names) {
	case 0:
		return ""
	case 1:
		return "{V:" + names[0] + "}"
	default:
		return "{V:(" + strings.Join(names, ",") + ")}"
	}
}

// A Varier is a primitive whose results vary along other axes than its operands.
type Varier interface {
	Primitive
	// Vary returns the axes along which the results vary if the operands vary along in.
	Vary(in Axes) Axes
}

// Calls reports whether p is a call: its Abstract states along which axes results vary, as the
// types in its programs do. Package jaxpr sets it.
var Calls = func(p Primitive) bool { return false }

// VaryOf returns the axes along which any of the types varies.
func VaryOf(types []ShapedArray) (a Axes) {
	for _, t := range types {
		if t.Vary != 0 {
			a = a.Union(t.Vary)
		}
	}
	return a
}

// abstract returns the result types of p. Abstract methods need not know of meshes: a result
// varies along every axis along which an operand varies, unless p is a Varier.
func abstract(p Primitive, in []ShapedArray) []ShapedArray {
	vary := VaryOf(in)
	v, special := p.(Varier)
	if vary == 0 && !special || Calls(p) {
		return p.Abstract(in)
	}
	if vary != 0 {
		in = slices.Clone(in)
		for i := range in {
			in[i].Vary = 0
		}
	}
	out := p.Abstract(in)
	if special {
		vary = v.Vary(vary)
	}
	if vary != 0 {
		out = slices.Clone(out)
		for i := range out {
			out[i].Vary = vary
		}
	}
	return out
}

// A Region is the part of a trace in which the program of each device of a mesh is
// recorded. It binds the mesh's axes. If it checks, types state along which of them
// values vary, and Conform runs before each operation.
type Region struct {
	level  int64
	live   bool
	names  []string
	sizes  []int
	checks bool
	outer  *Region
}

// NewRegion returns a region that binds axes of the given names and sizes.
func NewRegion(names []string, sizes []int, checks bool) *Region {
	return &Region{names: names, sizes: sizes, checks: checks}
}

// Within runs f in the region.
func (r *Region) Within(f func()) {
	r.level, r.live = NextLevel(), true
	defer func() { r.live = false }()
	defer Enter(r)()
	f()
}

// Level is that of the last call of Within.
func (r *Region) Level() int64 { return r.level }

// Live reports whether the region is being traced.
func (r *Region) Live() bool { return r.live }

// Interpret panics: within the region the program is recorded, not run.
func (r *Region) Interpret(p Primitive, in []Value) []Value {
	FailOp(ErrConcrete, p.Name(), AvalsOf(in), "the value differs from device to device, so it is not known while the function is traced; compute with it instead of looking at it")
	return nil
}

// BindsAxis reports whether the region binds the axis, and its size.
func (r *Region) BindsAxis(name string) (size int, ok bool) {
	if i := slices.Index(r.names, name); i >= 0 {
		return r.sizes[i], true
	}
	return 0, false
}

// AxesAndSizes ranges over the axes that the region binds. Programs traced within it depend on
// them.
func (r *Region) AxesAndSizes() iter.Seq2[string, int] {
	return func(yield func(string, int) bool) {
		for i, n := range r.names {
			if !yield(n, r.sizes[i]) {
				return
			}
		}
	}
}

// Checks reports whether types state along which axes values vary.
func (r *Region) Checks() bool { return r != nil && r.checks }

// Varying returns the axes among names that this region or one around it binds.
func (r *Region) Varying(names iter.Seq[string]) Axes {
	var found []string
	for n := range names {
		for s := r; s != nil; s = s.outer {
			if slices.Contains(s.names, n) {
				found = append(found, n)
				break
			}
		}
	}
	return MakeAxes(found...)
}

// Order returns the axes of a set in the order of the mesh, those of enclosing regions first and
// those that no region binds last.
func (r *Region) Order(a Axes) []string {
	var out []string
	if r.outer != nil {
		out = r.outer.Order(a)
	}
	for _, n := range r.names {
		if a.Has(n) && !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	for n := range a.All() {
		if !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}

// ActiveRegion returns the region that this goroutine traces in, nil if there is none.
func ActiveRegion() *Region {
	if e := current().youngest(); e != nil {
		return e.region
	}
	return nil
}

// Conform makes the operands of p vary along the same axes, as types demand in a region that
// checks. It returns p, or a copy of p whose programs take other types, and the operands to apply
// it to. If p need not be applied it returns the results alone. Package transforms sets it.
var Conform func(r *Region, p Primitive, in []Value) (q Primitive, operands, results []Value)
