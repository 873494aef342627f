package stablehlo

import (
	"github.com/weft-go/weft/core"
)

// region reads the operations of a region in braces. Names defined in it end with it.
func (p *parser) region(args []blockArg) *region {
	defer p.nest()()
	mark := len(p.undo)
	r := p.openRegion(args)
	p.closeScope(mark)
	return r
}

func (p *parser) openRegion(args []blockArg) *region {
	p.expect("{")
	r := &region{args: args}
	for i := range r.args {
		r.args[i].id = p.bind(r.args[i].name, 1)
	}
	if p.peek() == '^' {
		p.pos++
		p.suffix("the name of a block")
		if p.accept("(") {
			for !p.accept(")") {
				p.expect("%")
				name := p.suffix("the name of a value")
				p.expect(":")
				t := p.typ()
				p.location()
				r.args = append(r.args, blockArg{id: p.bind(name, 1), name: name, typ: t})
				if !p.accept(",") {
					p.expect(")")
					break
				}
			}
		}
		p.expect(":")
	}
	p.ops(r)
	if p.peek() == '^' {
		p.failf(p.pos, "a region of several blocks is not supported; write control flow as stablehlo.if, stablehlo.case and stablehlo.while")
	}
	p.expect("}")
	return r
}

func (p *parser) closeScope(mark int) {
	for i := len(p.undo) - 1; i >= mark; i-- {
		u := p.undo[i]
		if u.had {
			p.names[u.name] = u.old
		} else {
			delete(p.names, u.name)
		}
	}
	p.undo = p.undo[:mark]
}

func (p *parser) ops(r *region) {
	for {
		switch p.peek() {
		case '}', '^':
			return
		case 0:
			p.failf(p.pos, "a region is not closed; write } at its end")
		}
		r.ops = append(r.ops, p.op())
	}
}

func (p *parser) op() *op {
	o := &op{}
	p.blanks()
	type named struct {
		name string
		n    int
	}
	var one [1]named
	results := one[:0]
	if p.peek() == '%' {
		for {
			p.expect("%")
			r := named{p.suffix("the name of a value"), 1}
			if p.accept(":") {
				at := p.pos
				if r.n = p.integer("a number of results"); r.n < 1 || r.n > maxResults {
					p.failf(at, "an operation cannot have %d results under one name; name 1 to %d", r.n, maxResults)
				}
			}
			o.results += r.n
			results = append(results, r)
			if !p.accept(",") {
				break
			}
		}
		p.expect("=")
		p.blanks()
	}
	o.pos = p.pos
	if p.peek() == '"' {
		p.generic(o)
	} else {
		p.pretty(o)
	}
	o.loc = p.location()
	if len(o.types) != o.results && len(results) > 0 {
		p.failf(o.pos, "%s: %s for %s; name each result, or none", o.name, core.Count(o.results, "name"), core.Count(len(o.types), "result"))
	}
	if len(results) == 0 {
		o.results = len(o.types)
	}
	if len(results) == 0 && o.results > 0 {
		o.result = p.bind("", o.results)
	}
	for i, r := range results {
		id := p.bind(r.name, r.n)
		if i == 0 {
			o.result = id
		}
	}
	return o
}

// generic reads "name"(operands) <{…}> ({…}) {…} : type.
func (p *parser) generic(o *op) {
	o.name = p.quoted()
	p.expect("(")
	o.in = p.uses(")")
	if p.peek() == '<' {
		p.pos++
		o.attrs = append(o.attrs, p.dict()...)
		p.expect(">")
	}
	if p.accept("(") {
		for {
			o.regions = append(o.regions, p.region(nil))
			if p.accept(")") {
				break
			}
			p.expect(",")
		}
	}
	if p.peek() == '{' {
		o.attrs = append(o.attrs, p.dict()...)
	}
	p.expect(":")
	p.functionType(o)
}

func (p *parser) uses(end string) []int {
	if p.accept(end) {
		return nil
	}
	list := make([]int, 0, 4)
	for {
		list = append(list, p.use())
		if p.accept(end) {
			return list
		}
		p.expect(",")
	}
}

// functionType reads (T, …) -> T and sets operand and result types.
func (p *parser) functionType(o *op) {
	at := p.pos
	o.inTypes = p.typeTuple()
	p.expect("->")
	o.types = p.typesBehindArrow()
	if len(o.inTypes) != len(o.in) {
		p.failf(at, "%s: the type has %s, the operation %d; write a type for each operand", o.name, core.Count(len(o.inTypes), "operand"), len(o.in))
	}
	if o.inTypes == nil {
		o.inTypes = []Type{}
	}
}
