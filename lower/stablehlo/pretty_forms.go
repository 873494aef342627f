package stablehlo

import (
	"strings"

	"github.com/weft-go/weft/core"
)

// constant reads constant {…} dense<…> : type.
func (p *parser) constant(o *op) {
	if p.accept("(") { // the older form: constant() <{value = …}> : () -> type
		o.in = p.uses(")")
		if p.accept("<") {
			o.attrs = p.dict()
			p.expect(">")
		}
		p.optionalDict(o)
		p.expect(":")
		p.functionType(o)
		return
	}
	p.optionalDict(o)
	at := p.pos
	val := p.attr()
	o.attrs = append(o.attrs, namedAttr{"value", val})
	d, ok := val.(denseAttr)
	if !ok {
		if a, is := val.(aliasAttr); is {
			d, ok = p.m.alias[a.name].(denseAttr)
		}
	}
	switch {
	case ok:
		o.types = []Type{d.typ}
	case p.accept(":"):
		o.types = []Type{p.typ()}
	default:
		if n, is := val.(intAttr); is && n.typ.typ != nil {
			o.types = []Type{n.typ}
			return
		}
		p.failf(at, "%s: the value has no type; write it behind a colon", o.name)
	}
}

// reduce reads reduce(%a init: %i), … applies op across dimensions = […] : types, or the form that ends with a reducer.
func (p *parser) reduce(o *op) {
	var inits []int
	for {
		p.expect("(")
		o.in = append(o.in, p.use())
		if !p.acceptWord("init") {
			p.failf(p.pos, "expected init, got %s", p.next())
		}
		p.expect(":")
		inits = append(inits, p.use())
		p.expect(")")
		if !p.accept(",") {
			break
		}
	}
	o.in = append(o.in, inits...)
	applies, appliesAt := "", 0
	if p.acceptWord("applies") {
		appliesAt = p.pos
		applies = p.word()
	}
	if !p.acceptWord("across") || !p.acceptWord("dimensions") {
		p.failf(p.pos, "expected across dimensions, got %s", p.next())
	}
	p.expect("=")
	o.attrs = append(o.attrs, namedAttr{"dimensions", p.list()})
	p.optionalDict(o)
	p.expect(":")
	p.functionType(o)
	if applies != "" {
		o.regions = []*region{p.applied(applies, appliesAt, o)}
		return
	}
	if !p.acceptWord("reducer") {
		p.failf(p.pos, "expected reducer, got %s", p.next())
	}
	// The arguments stand in pairs; the block has all accumulators first.
	var lhs, rhs []blockArg
	for p.accept("(") {
		lhs = append(lhs, p.blockArg())
		p.expect(",")
		rhs = append(rhs, p.blockArg())
		p.expect(")")
	}
	o.regions = []*region{p.region(append(lhs, rhs...))}
}

func (p *parser) blockArg() blockArg {
	p.expect("%")
	name := p.suffix("the name of a value")
	p.expect(":")
	t := p.typ()
	p.location()
	return blockArg{name: name, typ: t}
}

// applied makes the region of a reduction that applies one operation.
func (p *parser) applied(name string, at int, o *op) *region {
	if len(o.types) != 1 {
		p.failf(at, "%s applies one operation to %s; write a reducer with a region", o.name, core.Count(len(o.types), "array"))
	}
	t := p.scalarOf(o.types[0])
	x, y, z := p.bind("", 1), p.bind("", 1), p.bind("", 1)
	ts := []Type{t}
	return &region{
		args: []blockArg{{id: x, typ: t}, {id: y, typ: t}},
		ops: []*op{
			{name: name, pos: at, in: []int{x, y}, result: z, results: 1, types: ts, inTypes: []Type{t, t}},
			{name: "stablehlo.return", pos: at, in: []int{z}, inTypes: ts},
		},
	}
}

func (p *parser) scalarOf(t Type) Type {
	if t.kind != kindTensor {
		p.failf(p.pos, "expected a tensor, got %v", t)
	}
	e := t.text[strings.LastIndexByte(t.text, 'x')+1:]
	if len(t.dims) == 0 {
		return t
	}
	return Type{&typ{kind: kindTensor, text: "tensor<" + e, elem: t.elem}}
}

// while reads while(%it = %init, …) : types attributes {…} cond {…} do {…}.
func (p *parser) while(o *op) {
	p.expect("(")
	var args []blockArg
	for !p.accept(")") {
		p.expect("%")
		args = append(args, blockArg{name: p.suffix("the name of a value")})
		p.expect("=")
		o.in = append(o.in, p.use())
		if !p.accept(",") {
			p.expect(")")
			break
		}
	}
	if p.accept(":") {
		for range args {
			if len(o.types) > 0 {
				p.expect(",")
			}
			o.types = append(o.types, p.typ())
		}
	}
	o.inTypes = o.types
	if len(o.types) != len(args) {
		p.failf(p.pos, "%s: %s for %s; write a type for each value", o.name, core.Count(len(o.types), "type"), core.Count(len(args), "value"))
	}
	for i := range args {
		args[i].typ = o.types[i]
	}
	if p.acceptWord("attributes") {
		o.attrs = append(o.attrs, p.dict()...)
	}
	if !p.acceptWord("cond") {
		p.failf(p.pos, "expected cond, got %s", p.next())
	}
	cond := p.region(append([]blockArg(nil), args...))
	if !p.acceptWord("do") {
		p.failf(p.pos, "expected do, got %s", p.next())
	}
	o.regions = []*region{cond, p.region(append([]blockArg(nil), args...))}
}

// convolution reads convolution(%a, %b) dim_numbers = […]x[…]->[…], window = {…} {…} : types.
func (p *parser) convolution(o *op) {
	p.expect("(")
	o.in = p.uses(")")
	if !p.acceptWord("dim_numbers") {
		p.failf(p.pos, "expected dim_numbers, got %s", p.next())
	}
	p.expect("=")
	o.attrs = append(o.attrs, namedAttr{"dimension_numbers", p.convDims()})
	for p.accept(",") {
		if !p.acceptWord("window") {
			p.clause(o)
			continue
		}
		p.expect("=")
		p.expect("{")
		for !p.accept("}") {
			at := p.pos
			key := p.word()
			p.expect("=")
			long, ok := windowKeys[key]
			if !ok {
				p.failf(at, "a window has no %q; use stride, pad, lhs_dilate, rhs_dilate or reverse", key)
			}
			o.attrs = append(o.attrs, namedAttr{long, p.attr()})
			if !p.accept(",") {
				p.expect("}")
				break
			}
		}
	}
	p.optionalDict(o)
	p.expect(":")
	p.functionType(o)
}

var windowKeys = map[string]string{
	"stride": "window_strides", "pad": "padding", "lhs_dilate": "lhs_dilation", "rhs_dilate": "rhs_dilation", "reverse": "window_reversal",
}

// customCall reads custom_call @target(%a) {…} : types.
func (p *parser) customCall(o *op) {
	o.attrs = append(o.attrs, namedAttr{"call_target_name", stringAttr(p.symbol())})
	p.expect("(")
	o.in = p.uses(")")
	p.optionalDict(o)
	p.expect(":")
	p.functionType(o)
}
