package stablehlo

import (
	"strings"
	"sync"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
)

// A Module is a parsed program: functions, of which [Module.Main] is the entry.
type Module struct {
	Name      string // "" if the file has none
	Funcs     []*Func
	byName    map[string]*Func
	src       *source
	alias     map[string]attr // #name of attributes and locations
	resources map[string]resource
	meshes    map[string]jaxpr.Mesh

	once   sync.Once
	called map[string]bool // the functions that operations call; filled by Calls
}

// Func returns the function called name, nil if there is none.
func (m *Module) Func(name string) *Func { return m.byName[name] }

// Main returns the entry: the function main, or else the first public one, or else the
// first one; nil if the module has no function.
func (m *Module) Main() *Func {
	if f := m.byName["main"]; f != nil {
		return f
	}
	for _, f := range m.Funcs {
		if f.Public {
			return f
		}
	}
	if len(m.Funcs) > 0 {
		return m.Funcs[0]
	}
	return nil
}

// A Func is a function of a module.
type Func struct {
	Name    string
	Public  bool
	Args    []Arg
	Results []Arg
	body    *region // nil for a declaration
	pos     int
	values  int // number of SSA values, those of nested regions included
	used    []uint64
	dynamic answer
}

type answer uint8

const (
	unknown answer = iota
	no
	yes
)

func (f *Func) isUsed(id int) bool { return id/64 < len(f.used) && f.used[id/64]>>(id%64)&1 == 1 }

func (f *Func) use(id int) {
	for id/64 >= len(f.used) {
		f.used = append(f.used, 0)
	}
	f.used[id/64] |= 1 << (id % 64)
}

// An Arg is an argument or a result of a function.
type Arg struct {
	Name  string // without %; "" for results
	Type  Type
	Attrs []Attr
	noted string // the name in its location, "" if there is none
}

// Label returns the name that the exporter noted: jax.arg_info, or that of the location; else
// the name in the text.
func (a Arg) Label() string {
	for _, at := range a.Attrs {
		if at.Key == "jax.arg_info" && at.Value != "" {
			return at.Value
		}
	}
	if a.noted != "" {
		return a.noted
	}
	return a.Name
}

// nameOf returns the name in a location's text, which is "name" or "name"(…); "" for other
// locations, as "file":1:2.
func nameOf(location string) string {
	rest, ok := strings.CutPrefix(location, `"`)
	name, rest, closed := strings.Cut(rest, `"`)
	if !ok || !closed || strings.Contains(name, `\`) || rest != "" && rest[0] != '(' {
		return ""
	}
	return name
}

// An Attr is a named attribute as a caller of the package reads it.
type Attr struct{ Key, Value string }

type typeKind uint8

const (
	kindTensor typeKind = iota
	kindTuple
	kindToken
	kindFunction
	kindOther // any other type; a value of it is refused where it is used
)

// A Type is the type of an SSA value.
type Type struct{ *typ }

type typ struct {
	kind    typeKind
	text    string
	dims    []int      // −1: dynamic
	elem    core.DType // Invalid where weft has no such element type
	parts   []Type     // of a tuple; operands of a function
	results []Type     // of a function
}

// String returns the type as MLIR writes it.
func (t Type) String() string {
	if t.typ == nil {
		return "none"
	}
	return t.text
}

// Aval returns the type as an abstract value; ok is false where it is not a tensor of
// known shape and of an element type that weft has.
func (t Type) Aval() (a core.ShapedArray, ok bool) {
	if t.typ == nil || t.kind != kindTensor || t.elem == core.Invalid || t.dynamic() {
		return a, false
	}
	return core.Aval(t.elem, t.dims...), true
}

// Dynamic reports whether the type has a dimension of unknown size.
func (t Type) Dynamic() bool { return t.typ != nil && t.dynamic() }

func (t *typ) dynamic() bool {
	for _, d := range t.dims {
		if d < 0 {
			return true
		}
	}
	return false
}

// A region is a program within an operation. Only regions of one block exist in
// StableHLO.
type region struct {
	args []blockArg
	ops  []*op
}

type blockArg struct {
	id    int
	name  string
	typ   Type
	noted string // the name in its location in bytecode
}

// An op is an operation. Its results are the values result, result+1, ….
type op struct {
	name    string
	pos     int // offset in the file
	in      []int
	result  int
	results int
	attrs   []namedAttr
	regions []*region
	inTypes []Type // nil where the form implies them
	types   []Type // of the results
	loc     string
}

type namedAttr struct {
	key string
	val attr
}

// attr is an attribute, mostly of one of the types below; nil is a unit attribute.
type attr any

type (
	intAttr struct {
		val      int64
		unsigned uint64
		negative bool
		typ      Type
	}
	floatAttr struct {
		val float64
		typ Type
	}
	boolAttr   bool
	stringAttr string
	symbolAttr string
	wordAttr   string // an enumerator or other bare text
	listAttr   []attr
	dictAttr   []namedAttr
	typeAttr   struct{ Type }
	pairAttr   struct{ x, y attr } // [0] x [1]
	opaqueAttr string              // balanced text that is not parsed
	denseAttr  struct {
		*dense
	}
	convAttr struct{ lhs, rhs, out []string }
)

func (o *op) attr(key string) (attr, bool) {
	for i := range o.attrs {
		if o.attrs[i].key == key {
			return o.attrs[i].val, true
		}
	}
	return nil, false
}

func (d dictAttr) get(key string) (attr, bool) {
	for i := range d {
		if d[i].key == key {
			return d[i].val, true
		}
	}
	return nil, false
}

// resource is the text of a dense_resource.
type resource struct {
	lit string // with its quotes
	pos int
}
