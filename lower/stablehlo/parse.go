package stablehlo

import (
	"fmt"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
)

// Parse reads a module in MLIR's text form. name is that of the file, for messages. A
// text split by lines // ----- has several modules: see [ParseAll].
func Parse(name, text string) (*Module, error) { return parseOne(&source{name: name, text: text}) }

func parseOne(src *source) (*Module, error) {
	ms, err := parseAll(src)
	switch {
	case err != nil:
		return nil, err
	case len(ms) == 0:
		return nil, src.error(0, core.ErrParse, "stablehlo", "the text has no module and no function; write func.func @main")
	case len(ms) > 1:
		return nil, src.error(strings.Index(src.text, split), core.ErrParse, "stablehlo", fmt.Sprintf("the text is split into %d modules; read them one by one", len(ms)))
	}
	return ms[0], nil
}

const split = "// -----"

// ParseAll reads the modules of a text that lines // ----- split. Parts without
// functions are left out.
func ParseAll(name, text string) ([]*Module, error) { return parseAll(&source{name: name, text: text}) }

func parseAll(src *source) (ms []*Module, err error) {
	text := src.text
	defer guard(&err)
	err = core.Catch(func() {
		for start := 0; start <= len(text); {
			end := len(text)
			for i := start; ; {
				k := strings.Index(text[i:], split)
				if k < 0 {
					break
				}
				i += k
				if i == 0 || text[i-1] == '\n' {
					end = i
					break
				}
				i += len(split)
			}
			part := &source{name: src.name, text: text[:end], blobs: src.blobs}
			p := &parser{scanner: scanner{source: part, pos: start, types: map[string]Type{}}}
			if m := p.file(); len(m.Funcs) > 0 {
				m.src = src
				ms = append(ms, m)
			}
			start = end + len(split)
		}
	})
	return ms, err
}

type parser struct {
	scanner
	m     *Module
	fn    *Func
	names map[string]ssa // the values in scope
	undo  []undo         // what names stood for before they were bound, to restore it when a region ends
}

// ssa is what a name stands for: n values from id on.
type ssa struct{ id, n int }

type undo struct {
	name string
	old  ssa
	had  bool
}

// file reads a module, or items without one, and resources, up to the end of the text.
func (p *parser) file() *Module {
	p.m = &Module{byName: map[string]*Func{}, alias: map[string]attr{}, resources: map[string]resource{}, meshes: map[string]jaxpr.Mesh{}, src: p.source}
	named := false
	for p.peek() != 0 {
		switch {
		case p.acceptWord("module"):
			if named {
				p.failf(p.pos, "a second module begins here; split the text before it with a line // -----")
			}
			named = true
			p.module()
		case strings.HasPrefix(p.text[p.pos:], "{-#"):
			p.fileResources()
		default:
			p.item()
		}
	}
	return p.m
}

func (p *parser) module() {
	if p.peek() == '@' {
		p.m.Name = p.symbol()
	}
	if p.acceptWord("attributes") {
		p.dict()
	}
	p.expect("{")
	for !p.accept("}") {
		if p.peek() == 0 {
			p.failf(p.pos, "the module is not closed; write } at its end")
		}
		p.item()
	}
	p.location()
}

// item reads a function, an alias, a mesh, or operations outside of functions.
func (p *parser) item() {
	start := p.pos
	switch {
	case p.peek() == '#':
		p.pos++
		name := p.suffix("the name of an alias")
		p.expect("=")
		if _, dup := p.m.alias[name]; dup {
			p.failf(start, "the alias #%s is defined twice; rename one of the two", name)
		}
		p.m.alias[name] = p.attr()
	case p.peek() == '!':
		p.failf(p.pos, "aliases of types are not supported; write the types in their places")
	case p.acceptWord("func.func"), p.acceptWord("func"):
		p.function()
	case p.acceptWord("sdy.mesh"):
		name := p.symbol()
		p.expect("=")
		if m, ok := p.mesh(); ok {
			p.m.meshes[name] = m
		}
		if p.peek() == '{' {
			p.dict()
		}
		p.location()
	default:
		p.loose()
	}
}

// fileResources reads {-# dialect_resources: {builtin: {name: "0x…"}} #-}.
func (p *parser) fileResources() {
	p.expect("{-#")
	for !p.accept("#-}") {
		section := p.word()
		p.expect(":")
		p.expect("{")
		for !p.accept("}") {
			if p.word() == "" {
				p.failf(p.pos, "expected the name of a dialect, got %s", p.next())
			}
			p.expect(":")
			p.expect("{")
			for !p.accept("}") {
				var key string
				if p.peek() == '"' {
					key = p.quoted()
				} else {
					key = p.suffix("the name of a resource")
				}
				p.expect(":")
				p.blanks()
				at := p.pos
				if p.peek() == '"' {
					i := strings.IndexByte(p.text[at+1:], '"')
					if i < 0 {
						p.failf(at, "a string does not end; close it with a quotation mark")
					}
					p.pos = at + i + 2
				} else {
					p.attr()
				}
				if section == "dialect_resources" {
					p.m.resources[key] = resource{p.text[at:p.pos], at}
				}
				if !p.accept(",") && p.peek() != '}' {
					p.failf(p.pos, "expected a comma, got %s", p.next())
				}
			}
			p.accept(",")
		}
		p.accept(",")
	}
}

// location skips loc(…) after an operation and returns its text, "" if there is none.
func (p *parser) location() string {
	p.blanks()
	if strings.HasPrefix(p.text[p.pos:], "loc(") {
		p.pos += len("loc")
		return p.balanced("(")
	}
	return ""
}

func (p *parser) begin(name string, pos int) {
	p.fn = &Func{Name: name, pos: pos}
	p.names = map[string]ssa{}
	p.undo = p.undo[:0]
}

func (p *parser) finish() {
	if _, dup := p.m.byName[p.fn.Name]; dup {
		p.failf(p.fn.pos, "the function %s is defined twice; rename one of the two", p.fn.Name)
	}
	p.m.byName[p.fn.Name] = p.fn
	p.m.Funcs = append(p.m.Funcs, p.fn)
}

// loose reads operations at the top level as the body of a function main.
func (p *parser) loose() {
	p.begin("main", p.pos)
	p.fn.Public = true
	body := &region{}
	for {
		c := p.peek()
		if c == 0 || c == '}' || c == '#' || strings.HasPrefix(p.text[p.pos:], "func.func") {
			break
		}
		o := p.op()
		body.ops = append(body.ops, o)
		if o.name == "func.return" || o.name == "stablehlo.return" {
			for _, t := range o.inTypes {
				p.fn.Results = append(p.fn.Results, Arg{Type: t})
			}
		}
	}
	if n := len(body.ops); n == 0 || body.ops[n-1].name != "func.return" && body.ops[n-1].name != "stablehlo.return" {
		body.ops = append(body.ops, &op{name: "func.return", pos: p.pos})
	}
	p.fn.body = body
	p.finish()
}

func (p *parser) function() {
	pos := p.pos
	public := true
	if p.acceptWord("private") {
		public = false
	} else if p.acceptWord("public") || p.acceptWord("nested") {
		public = true
	}
	p.begin(p.symbol(), pos)
	p.fn.Public = public
	body := &region{}
	p.expect("(")
	for !p.accept(")") {
		a := Arg{}
		if p.peek() == '%' {
			p.pos++
			a.Name = p.suffix("the name of a value")
			p.expect(":")
		}
		a.Type = p.typ()
		if p.peek() == '{' {
			a.Attrs = shownAttrs(p.dict())
		}
		a.noted = nameOf(p.location())
		p.fn.Args = append(p.fn.Args, a)
		body.args = append(body.args, blockArg{id: p.bind(a.Name, 1), name: a.Name, typ: a.Type})
		if !p.accept(",") {
			p.expect(")")
			break
		}
	}
	if p.accept("->") {
		if p.accept("(") {
			for !p.accept(")") {
				a := Arg{Type: p.typ()}
				if p.peek() == '{' {
					a.Attrs = shownAttrs(p.dict())
				}
				p.fn.Results = append(p.fn.Results, a)
				if !p.accept(",") {
					p.expect(")")
					break
				}
			}
		} else {
			p.fn.Results = append(p.fn.Results, Arg{Type: p.typ()})
		}
	}
	if p.acceptWord("attributes") {
		p.dict()
	}
	if p.peek() == '{' {
		p.pos++
		p.ops(body)
		p.expect("}")
		p.fn.body = body
	}
	p.location()
	p.finish()
}

func shownAttrs(list []namedAttr) []Attr {
	var out []Attr
	for _, a := range list {
		v := ""
		switch x := a.val.(type) {
		case stringAttr:
			v = string(x)
		case nil:
		default:
			v = fmt.Sprint(x)
		}
		out = append(out, Attr{a.key, v})
	}
	return out
}

// bind makes n values, of which name#0 is the first.
func (p *parser) bind(name string, n int) int {
	id := p.fn.values
	p.fn.values += n
	if p.fn.values > maxValues {
		p.failf(p.pos, "a function has more than %d values; split it into several", maxValues)
	}
	if name != "" {
		old, had := p.names[name]
		p.undo = append(p.undo, undo{name, old, had})
		p.names[name] = ssa{id, n}
	}
	return id
}

// use reads %name or %name#k.
func (p *parser) use() int {
	p.expect("%")
	at := p.pos
	name := p.suffix("the name of a value")
	v, ok := p.names[name]
	if !ok {
		p.failf(at-1, "the value %%%s is not defined here; define it in a line before, within the function", name)
	}
	if p.pos < len(p.text) && p.text[p.pos] == '#' {
		p.pos++
		k := p.integer("a result's number")
		if k < 0 || k >= v.n {
			p.failf(at-1, "%%%s has %s, there is no #%d; count from #0", name, core.Count(v.n, "result"), k)
		}
		p.fn.use(v.id + k)
		return v.id + k
	}
	if v.n != 1 {
		p.failf(at-1, "%%%s has %s; name one as %%%s#0", name, core.Count(v.n, "result"), name)
	}
	p.fn.use(v.id)
	return v.id
}
