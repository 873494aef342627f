package stablehlo

import (
	"strconv"

	"github.com/weft-go/weft/core"
)

// Bits of the byte that states which parts an operation has.
const (
	hasAttrs = 1 << iota
	hasResults
	hasOperands
	hasSuccessors
	hasRegions
	hasUseLists
	hasProperties
)

// irReader reads operations. Values are numbered anew in each region that captures no values.
type irReader struct {
	*bytecode
	m     *Module
	fn    *Func
	scope *scope
	depth int
}

// scope is the values that operations of a region can name: the values of the region and, if
// it may capture values, of the regions around it.
type scope struct {
	ids  []int // numbers of the values in the function; −1 if not defined yet
	next []int // for each open region, the index in ids of its next value
}

type rawOp struct {
	name    string
	pos     int
	attrs   []namedAttr
	results []Type
	in      []uint64
	regions int
	closed  bool // the regions capture nothing
}

func (b *bytecode) module() *Module {
	m := &Module{byName: map[string]*Func{}, alias: map[string]attr{}, resources: map[string]resource{}, src: b.src}
	r := &irReader{bytecode: b, m: m}
	c := b.cursor(b.sections[sectionIR], sectionNames[sectionIR])
	n, args := c.flagged()
	if args {
		c.damaged("a file has no arguments")
	}
	for range r.opCount(c, n) {
		o := r.raw(c)
		if o.name != "builtin.module" {
			c.pos = o.pos
			c.failf("expected a module, got %s", o.name)
		}
		if m.Name != "" || len(m.Funcs) > 0 {
			c.failf("the file has several modules; export each into a file of its own")
		}
		for _, a := range o.attrs {
			if s, ok := a.val.(stringAttr); ok && a.key == "sym_name" {
				m.Name = string(s)
			}
		}
		r.inside(c, o, func(c *cursor) { r.functions(c) })
	}
	return m
}

func (r *irReader) opCount(c *cursor, n uint64) int {
	if n > uint64(c.end-c.pos) {
		c.damaged("%d operations do not fit the section, which has %d more bytes", n, c.end-c.pos)
	}
	return int(n)
}

// inside calls read with the only region of an operation.
func (r *irReader) inside(c *cursor, o *rawOp, read func(*cursor)) {
	if o.regions != 1 {
		c.damaged("%s has one region, got %d", o.name, o.regions)
	}
	if o.closed && r.version >= lazyRegions {
		id, at := c.readSection()
		if id != sectionIR {
			c.failf("expected the section of the regions of %s, got %s", o.name, sectionNames[id])
		}
		c = r.cursor(at, sectionNames[sectionIR])
	}
	outer := r.scope
	if o.closed {
		r.scope = &scope{}
	}
	read(c)
	r.scope = outer
}

func (r *irReader) functions(c *cursor) {
	switch blocks := c.varint(); blocks {
	case 0:
		return
	case 1:
	default:
		c.damaged("a module has %d blocks", blocks)
	}
	c.varint() // the number of values
	n, args := c.flagged()
	if args {
		c.damaged("a module has no arguments")
	}
	for range r.opCount(c, n) {
		o := r.raw(c)
		switch {
		case o.name == "vhlo.func_v1":
			r.function(c, o)
		case o.regions == 0: // meshes and the like
		default:
			c.pos = o.pos
			c.failf("expected a function, got %s", o.name)
		}
	}
}

func (o *rawOp) attr(key string) attr {
	for _, a := range o.attrs {
		if a.key == key {
			return a.val
		}
	}
	return nil
}

func (r *irReader) function(c *cursor, o *rawOp) {
	name, ok := o.attr("sym_name").(stringAttr)
	t, typed := o.attr("function_type").(typeAttr)
	if !ok || !typed || t.kind != kindFunction {
		c.damaged("a function has no name or no type")
	}
	visibility, _ := o.attr("sym_visibility").(stringAttr)
	f := &Func{Name: string(name), Public: visibility != "private", pos: o.pos}
	f.Args = signatureOf(t.parts, o.attr("arg_attrs"))
	f.Results = signatureOf(t.results, o.attr("res_attrs"))
	for i := range f.Args {
		f.Args[i].Name = "arg" + strconv.Itoa(i)
	}
	if _, dup := r.m.byName[f.Name]; dup {
		c.pos = o.pos
		c.failf("the function %s is defined twice; rename one of the two", f.Name)
	}
	r.m.byName[f.Name] = f
	r.m.Funcs = append(r.m.Funcs, f)
	r.fn = f
	r.inside(c, o, func(c *cursor) { f.body = r.region(c) })
	if f.body != nil && len(f.body.args) == len(f.Args) {
		for i, a := range f.body.args {
			f.Args[i].noted = a.noted
		}
	}
	if f.body != nil && len(f.body.args) != len(f.Args) {
		c.pos = o.pos
		c.damaged("the function %s takes %s, its body %d", f.Name, core.Count(len(f.Args), "argument"), len(f.body.args))
	}
}

func signatureOf(types []Type, attrs attr) []Arg {
	list, _ := attrs.(listAttr)
	args := make([]Arg, len(types))
	for i, t := range types {
		args[i].Type = t
		if i < len(list) {
			if d, ok := list[i].(dictAttr); ok {
				args[i].Attrs = shownAttrs(d)
			}
		}
	}
	return args
}

// region reads a region of one block; it returns nil for a region without blocks.
func (r *irReader) region(c *cursor) *region {
	if r.depth++; r.depth > maxNesting {
		c.failf("nested too deeply (more than %d levels); move inner regions to functions before you export", maxNesting)
	}
	defer func() { r.depth-- }()
	switch blocks := c.varint(); blocks {
	case 0:
		return nil
	case 1:
	default:
		c.branching("a region of %d blocks is not supported", blocks)
	}
	s := r.scope
	first := len(s.ids)
	for range c.count("values") {
		s.ids = append(s.ids, -1)
	}
	s.next = append(s.next, first)
	n, hasArgs := c.flagged()
	out := &region{}
	if hasArgs {
		r.arguments(c, out)
	}
	out.ops = make([]*op, 0, min(r.opCount(c, n), 1<<16))
	for range n {
		out.ops = append(out.ops, r.op(c))
	}
	s.next = s.next[:len(s.next)-1]
	s.ids = s.ids[:first]
	return out
}

func (r *irReader) arguments(c *cursor, out *region) {
	n := c.count("arguments")
	out.args = make([]blockArg, n)
	first := r.define(c, n)
	for i := range out.args {
		var t int
		place := -1
		if r.version >= elidedLocations {
			k, located := c.flagged()
			if k >= uint64(len(r.types)) {
				c.damaged("reference to type %d of %d", k, len(r.types))
			}
			t = int(k)
			if located {
				place = c.index(len(r.attrs), "location")
			}
		} else {
			t = c.index(len(r.types), "type")
			place = c.index(len(r.attrs), "location")
		}
		out.args[i] = blockArg{id: first + i, typ: r.typ(t)}
		if place >= 0 {
			if l, ok := r.attr(place).(locAttr); ok && l.file == "" {
				out.args[i].noted = l.name
			}
		}
	}
	if r.version >= useListOrders && c.byte() != 0 {
		c.skipUseLists(n)
	}
}

// define numbers n values of the innermost region and returns the first one's number in
// the function.
func (r *irReader) define(c *cursor, n int) int {
	id := r.fn.values
	r.fn.values += n
	s := r.scope
	at := &s.next[len(s.next)-1]
	if *at+n > len(s.ids) {
		c.damaged("the region has more values than it declares")
	}
	for i := range n {
		s.ids[*at+i] = id + i
	}
	*at += n
	return id
}

// skipUseLists skips the order of the uses of n values.
func (c *cursor) skipUseLists(n int) {
	values := 1
	if n > 1 {
		values = c.count("values")
	}
	for range values {
		if n > 1 {
			c.varint()
		}
		k, _ := c.flagged()
		for range k {
			c.varint()
		}
	}
}
