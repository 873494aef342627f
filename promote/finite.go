package promote

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/weft-go/weft/core"
)

// Finite is a System that is a finite table: a lattice, from whose graph the table is computed, or
// a table that is given. The runtime form of the table is built once, at the first use.
type Finite struct {
	name     string
	about    string                    // one line: what this is, and its version
	draw     func() *Graph             // the graph, drawn at the first use; nil for a table
	make     func() (*Algebra, error)  // where the table comes from; default: the joins of the graph
	element  func(*Algebra, Type) int  // the element of a type, or -1; default: node
	typeOf   func(string) (Type, bool) // the type of an element; default: ParseType
	exact    bool                      // every weak type has a width of its own
	extended bool                      // float0 and PRNG keys join with themselves
	way      func(a, b Type) string    // the fix of an undefined cell
	drawn    sync.Once
	graph    *Graph
	once     sync.Once
	algebra  *Algebra
	runtime  atomic.Pointer[joinTable]
}

// NewLattice returns the system whose joins are those of g. Its nodes should be names of types
// ([ParseType]); others cannot be joined at run time, only shown and checked. A cycle in g is an
// error.
func NewLattice(name, about string, g *Graph) (*Finite, error) {
	o, err := g.Order()
	if err != nil {
		return nil, fmt.Errorf("promote: %s: %w", name, err)
	}
	return &Finite{name: name, about: about, draw: func() *Graph { return g },
		make: func() (*Algebra, error) { return o.Joins(), nil }}, nil
}

// NewTable returns the system of a table.
func NewTable(name, about string, a *Algebra) *Finite {
	return &Finite{name: name, about: about, make: func() (*Algebra, error) { return a, nil }}
}

// lattice is [NewLattice] for a graph of this package, which is built at the first use.
func lattice(name, about string, draw func() *Graph) *Finite {
	return &Finite{name: name, about: about, draw: draw}
}

func chains(text string) func() *Graph { return func() *Graph { return Chains(text) } }

func joins(g *Graph) (*Algebra, error) {
	o, err := g.Order()
	if err != nil {
		return nil, err
	}
	return o.Joins(), nil
}

// Name returns the name of the system. [Find] finds the systems of this package by it.
func (s *Finite) Name() string {
	core.RequireReceiver("promote.Finite.Name", s == nil || s.draw == nil && s.make == nil)
	return s.name
}

// About describes in one line what the system is.
func (s *Finite) About() string {
	core.RequireReceiver("promote.Finite.About", s == nil || s.draw == nil && s.make == nil)
	return s.about
}

// Graph returns the graph from which the table is computed, or nil.
func (s *Finite) Graph() *Graph {
	core.RequireReceiver("promote.Finite.Graph", s == nil || s.draw == nil && s.make == nil)
	if s.draw == nil {
		return nil
	}
	s.drawn.Do(func() { s.graph = s.draw() })
	return s.graph
}

// Algebra returns the table of the system.
func (s *Finite) Algebra() *Algebra {
	core.RequireReceiver("promote.Finite.Algebra", s == nil || s.draw == nil && s.make == nil)
	s.once.Do(func() {
		var a *Algebra
		var err error
		if s.make != nil {
			a, err = s.make()
		} else {
			a, err = joins(s.Graph())
		}
		if err != nil {
			panic(fmt.Sprintf("BUG: promote: %s: %v", s.name, err)) // the data are part of the package
		}
		s.algebra = a
	})
	return s.algebra
}

// Join returns the type that a and b promote to.
func (s *Finite) Join(a, b Type) (Type, error) {
	core.RequireReceiver("promote.Finite.Join", s == nil || s.draw == nil && s.make == nil)
	if t := s.runtime.Load(); t != nil && a.DType|b.DType < maxDTypes {
		if r := t[pairIndex(a, b)]; r.DType != core.Invalid {
			return r, nil
		}
	}
	return s.slow(a, b)
}

// slow is Join at the first use and for pairs without a result.
func (s *Finite) slow(a, b Type) (Type, error) {
	if s.runtime.Load() == nil {
		s.runtime.Store(s.tabulate())
		return s.Join(a, b)
	}
	return Type{}, s.refuse(a, b)
}

// joinTable is the table as the runtime reads it; Invalid stands where there is
// no join.
type joinTable [4 * maxDTypes * maxDTypes]Type

func pairIndex(a, b Type) uint {
	var x, y uint
	if a.Weak {
		x = 2
	}
	if b.Weak {
		y = 1
	}
	return (uint(a.DType)*(4*maxDTypes) | uint(b.DType)*4 | x | y) % (4 * maxDTypes * maxDTypes)
}

func (s *Finite) tabulate() *joinTable {
	t := new(joinTable)
	types := make([]Type, 0, 2*maxDTypes) // the types that the system has
	nodes := make([]int, 0, 2*maxDTypes)
	for d := range core.DType(maxDTypes) {
		for _, x := range []Type{{d, false}, {d, true}} {
			if n := s.find(x); n >= 0 {
				types, nodes = append(types, x), append(nodes, n)
			}
		}
	}
	a := s.Algebra()
	for i, x := range types {
		for j, y := range types {
			if k := a.at(nodes[i], nodes[j]); k >= 0 {
				if r, ok := s.result(a.names[k], x, y); ok {
					t[pairIndex(x, y)] = r
				}
			}
		}
	}
	if s.extended {
		for _, d := range []core.DType{core.Float0, core.Key, core.KeyRBG, core.KeyURBG, core.KeyPhilox2x32, core.KeyPhilox4x32} {
			t[pairIndex(Strong(d), Strong(d))] = Strong(d)
		}
	}
	return t
}

// find returns the element that stands for a type, or -1.
func (s *Finite) find(t Type) int {
	if s.element != nil {
		return s.element(s.Algebra(), t)
	}
	return s.Algebra().node(t)
}

// node returns the element that stands for a type, or -1. A strong type is itself. A weak type is
// the weak node of its own width if there is one, else that of its kind; weak unsigned integers
// are i* where there is no u*.
func (a *Algebra) node(t Type) int {
	if t.DType == core.Invalid {
		return -1
	}
	if t.DType == core.Bool {
		t.Weak = false
	}
	var names []string
	switch {
	case !t.Weak && t.DType == core.Bool:
		names = []string{"b", "bool"}
	case !t.Weak:
		names = []string{t.DType.String(), t.DType.Long()}
	default:
		names = []string{t.DType.String() + "*"}
		switch t.DType.Kind() {
		case core.KindInt:
			names = append(names, "i*", "int")
		case core.KindUint:
			names = append(names, "u*", "i*", "int")
		case core.KindFloat, core.KindMinorFloat:
			names = append(names, "f*", "float")
		case core.KindComplex:
			names = append(names, "c*", "complex")
		}
	}
	for _, n := range names {
		if i, ok := a.index[n]; ok {
			return i
		}
	}
	return -1
}

// result returns the type that the element of this name stands for as a join of x and y.
// A weak result has 32 bits regardless of the widths of x and y, so that the order of joins does not
// matter; [Result] applies the default width. If x and y are equal, the result is x.
func (s *Finite) result(name string, x, y Type) (Type, bool) {
	parse := ParseType
	if s.typeOf != nil {
		parse = s.typeOf
	}
	t, ok := parse(name)
	if !ok || !t.Weak || s.exact {
		return t, ok
	}
	if x == y && x.DType.Kind() == t.DType.Kind() {
		return x, true
	}
	if a, b := x.DType, y.DType; t.DType.IsSigned() && !a.IsSigned() && !b.IsSigned() && (a.IsUnsigned() || b.IsUnsigned()) {
		t.DType = core.Uint32 // weak unsigned numbers among themselves
	}
	return Type{widen(t.DType, false), true}, true
}

func (s *Finite) refuse(a, b Type) error {
	e := &Error{System: s.name, Types: []Type{a, b}, Way: convert}
	alg := s.Algebra()
	x, y := s.find(a), s.find(b)
	switch {
	case x < 0 || y < 0:
		missing := a
		if x >= 0 {
			missing = b
		}
		e.Why = fmt.Sprintf("it has no %s", missing)
		if e.Way = missing.DType.NoNumber(); e.Way == "" {
			e.Way = "convert it to one of " + strings.Join(alg.Names(), " ")
		}
	case alg.at(x, y) == ambiguous:
		e.Why = "several types are candidates and none is least: " + s.candidates(x, y)
	case alg.at(x, y) >= 0:
		e.Why = fmt.Sprintf("their join %s is no type that can be computed in", alg.names[alg.at(x, y)])
	case s.draw != nil:
		e.Why = "there is no type that both promote to"
	default:
		e.Why = "it leaves this pair undefined"
	}
	if x >= 0 && y >= 0 && alg.at(y, x) >= 0 {
		e.Way = "the order matters, the second operand becomes what the first is: swap them, or convert explicitly"
	}
	if s.way != nil {
		if w := s.way(a, b); w != "" {
			e.Way = w
		}
	}
	return e
}

// candidates returns the names of the minimal upper bounds of elements x and y, "" for a graph with a cycle.
func (s *Finite) candidates(x, y int) string {
	g := s.Graph()
	o, err := g.Order()
	if err != nil {
		return ""
	}
	alg := s.Algebra()
	var names []string
	for _, n := range o.MinimalUpper(g.index[alg.names[x]], g.index[alg.names[y]]) {
		names = append(names, g.names[n])
	}
	return strings.Join(names, ", ")
}
