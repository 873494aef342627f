package stablehlo

import (
	"strconv"
	"strings"

	"github.com/weft-go/weft/core"
)

// What an operation has, as bits of a byte in front of it.
const (
	hasAttrs = 1 << iota
	hasResults
	hasOperands
	hasSuccessors
	hasRegions
	hasUseLists
	hasProperties
)

// irReader reads operations. Values are numbered anew in each region that captures none.
type irReader struct {
	*bytecode
	m     *Module
	fn    *Func
	scope *scope
	depth int
}

// scope is the values that operations of a region can name: those of the region and, if
// it may capture values, of the regions around it.
type scope struct {
	ids  []int // in the function; −1 of those that are not defined yet
	next []int // of each open region: the number of its next value
}

// rawOp is an operation as the file has it.
type rawOp struct {
	name    string
	pos     int
	attrs   []namedAttr
	results []Type
	in      []uint64
	regions int
	closed  bool // the regions capture nothing
}

// module reads the module of the file.
func (b *bytecode) module() *Module {
	m := &Module{byName: map[string]*Func{}, alias: map[string]attr{}, resources: map[string]resource{}, src: b.src}
	r := &irReader{bytecode: b, m: m}
	c := b.cursor(b.sections[sectionIR], sectionNames[sectionIR])
	n, args := c.flagged()
	if args {
		c.failf("a file has no arguments")
	}
	for range r.opCount(c, n) {
		o := r.raw(c)
		if o.name != "builtin.module" {
			c.pos = o.pos
			c.failf("expected a module, got %s", o.name)
		}
		if m.Name != "" || len(m.Funcs) > 0 {
			c.failf("the file has several modules")
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
		c.failf("%d operations do not fit the section, which has %d more bytes", n, c.end-c.pos)
	}
	return int(n)
}

// inside calls read with the only region of an operation.
func (r *irReader) inside(c *cursor, o *rawOp, read func(*cursor)) {
	if o.regions != 1 {
		c.failf("%s has one region, got %d", o.name, o.regions)
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

// functions reads the region of a module.
func (r *irReader) functions(c *cursor) {
	switch blocks := c.varint(); blocks {
	case 0:
		return
	case 1:
	default:
		c.failf("a module of %d blocks is not supported", blocks)
	}
	c.varint() // the number of values
	n, args := c.flagged()
	if args {
		c.failf("a module has no arguments")
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

// function reads a function with its body.
func (r *irReader) function(c *cursor, o *rawOp) {
	name, ok := o.attr("sym_name").(stringAttr)
	t, typed := o.attr("function_type").(typeAttr)
	if !ok || !typed || t.kind != kindFunction {
		c.failf("a function has no name or no type")
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
		c.failf("the function %s is defined twice", f.Name)
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
		c.failf("the function %s takes %s, its body %d", f.Name, core.Count(len(f.Args), "argument"), len(f.body.args))
	}
}

// signatureOf pairs types with the attributes that a function has for them.
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

// region reads a region of one block; nil if it has none.
func (r *irReader) region(c *cursor) *region {
	if r.depth++; r.depth > maxNesting {
		c.failf("nested too deeply (more than %d levels)", maxNesting)
	}
	defer func() { r.depth-- }()
	switch blocks := c.varint(); blocks {
	case 0:
		return nil
	case 1:
	default:
		c.failf("a region of %d blocks is not supported", blocks)
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
				c.failf("reference to type %d of %d", k, len(r.types))
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
		c.failf("the region has more values than it declares")
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

// raw reads an operation up to its regions.
func (r *irReader) raw(c *cursor) *rawOp {
	o := &rawOp{pos: c.pos}
	o.name = r.ops[c.index(len(r.ops), "operation")]
	mask := c.byte()
	c.index(len(r.attrs), "location")
	if mask&hasAttrs != 0 {
		d, ok := r.attr(c.index(len(r.attrs), "attribute")).(dictAttr)
		if !ok {
			c.failf("the attributes of %s have no names", o.name)
		}
		o.attrs = append(o.attrs, d...)
	}
	if mask&hasProperties != 0 {
		o.attrs = append(o.attrs, r.properties(c, o.name)...)
	}
	if mask&hasResults != 0 {
		o.results = make([]Type, c.count("results"))
		for i := range o.results {
			o.results[i] = r.typ(c.index(len(r.types), "type"))
		}
	}
	if mask&hasOperands != 0 {
		o.in = make([]uint64, c.count("operands"))
		for i := range o.in {
			o.in[i] = c.varint()
		}
	}
	if mask&hasSuccessors != 0 {
		c.failf("%s branches to another block, which is not supported", o.name)
	}
	if mask&hasUseLists != 0 {
		c.skipUseLists(len(o.results))
	}
	if mask&hasRegions != 0 {
		n, closed := c.flagged()
		if n > uint64(c.end-c.pos) {
			c.failf("%s has %d regions", o.name, n)
		}
		o.regions, o.closed = int(n), closed
	}
	return o
}

// properties reads the attributes of an operation that are numbered.
func (r *irReader) properties(c *cursor, name string) []namedAttr {
	at := r.props[c.index(len(r.props), "properties")]
	p := r.cursor(at, sectionNames[sectionProperties])
	short, ok := strings.CutPrefix(name, "vhlo.")
	if name == "builtin.module" {
		k, has := p.flagged()
		if !has || k >= uint64(len(r.attrs)) {
			return nil
		}
		return []namedAttr{{"sym_name", r.attr(int(k))}}
	}
	if !ok {
		return nil // of another dialect; nothing reads them
	}
	keys, ok := vhloProperties[short]
	if !ok {
		c.failf("the operation %s is not known, or newer than this reader; serialize for an older version of StableHLO", name)
	}
	list := make([]namedAttr, len(keys))
	for i, key := range keys {
		list[i] = namedAttr{key, r.attr(p.index(len(r.attrs), "attribute"))}
	}
	if p.pos != p.end {
		p.failf("%s has more properties than %d", name, len(keys))
	}
	return list
}

// op reads an operation of a function.
func (r *irReader) op(c *cursor) *op {
	raw := r.raw(c)
	o := &op{pos: raw.pos, types: raw.results, results: len(raw.results)}
	if o.results > maxResults {
		c.failf("an operation cannot have %d results", o.results)
	}
	o.in = make([]int, len(raw.in))
	for i, k := range raw.in {
		s := r.scope
		if k >= uint64(len(s.ids)) || s.ids[k] < 0 {
			c.pos = raw.pos
			c.failf("operand %d of %s is a value that is not defined here", i, raw.name)
		}
		o.in[i] = s.ids[k]
		r.fn.use(o.in[i])
	}
	o.result = r.define(c, o.results)
	if raw.regions > 0 {
		rc := c
		outer := r.scope
		if raw.closed {
			if r.version >= lazyRegions {
				id, at := c.readSection()
				if id != sectionIR {
					c.failf("expected the section of the regions of %s, got %s", raw.name, sectionNames[id])
				}
				rc = r.cursor(at, sectionNames[sectionIR])
			}
			r.scope = &scope{}
		}
		for range raw.regions {
			in := r.region(rc)
			if in == nil {
				in = &region{}
			}
			o.regions = append(o.regions, in)
		}
		r.scope = outer
	}
	o.name, o.attrs = fromVHLO(c, raw)
	return o
}
