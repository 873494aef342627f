package stablehlo

import (
	"strings"

	"github.com/weft-go/weft/core"
)

// pretty reads an operation in the form of its dialect.
func (p *parser) pretty(o *op) {
	at := p.pos
	name := p.word()
	switch name {
	case "":
		p.failf(at, "expected an operation, got %s", p.next())
	case "call", "func.call":
		o.name = "func.call"
		o.attrs = append(o.attrs, namedAttr{"callee", symbolAttr(p.symbol())})
		p.expect("(")
		o.in = p.uses(")")
		p.optionalDict(o)
		p.expect(":")
		p.functionType(o)
		return
	case "return", "func.return":
		o.name = "func.return"
	default:
		o.name = name
	}
	if o.name != "func.return" && !strings.Contains(o.name, ".") {
		p.failf(at, "%s is not an operation of a dialect", o.name)
	}
	dialect, short, _ := strings.Cut(o.name, ".")
	if dialect == "mhlo" {
		dialect, o.name = "stablehlo", "stablehlo."+short
	}
	if form, ok := forms[o.name]; ok {
		form(p, o)
		return
	}
	switch dialect {
	case "stablehlo", "chlo", "func", "check", "interpreter", "sdy", "arith", "shape", "tensor":
	default:
		p.failf(at, "the operation %s belongs to a dialect that is not supported", o.name)
	}
	p.usual(o)
}

func (p *parser) optionalDict(o *op) {
	if p.peek() == '{' {
		o.attrs = append(o.attrs, p.dict()...)
	}
}

// usual reads operands and what stands between commas behind them, attributes, and
// types: op %a, %b, dims = [0] {…} : types.
func (p *parser) usual(o *op) {
	o.in = make([]int, 0, 3)
	paren := p.peek() == '(' && p.accept("(")
	for {
		c := p.peek()
		switch {
		case c == '%':
			o.in = append(o.in, p.use())
			if o.name == "stablehlo.slice" {
				p.sliceRanges(o)
			}
			if o.name == "stablehlo.get_tuple_element" && p.accept("[") {
				o.attrs = append(o.attrs, namedAttr{"index", intAttr{val: int64(p.integer("an index"))}})
				p.expect("]")
			}
		case c == '@':
			o.attrs = append(o.attrs, namedAttr{"symbol", symbolAttr(p.symbol())})
		case c == '"':
			o.attrs = append(o.attrs, namedAttr{"name", stringAttr(p.quoted())})
			if p.peek() == '%' {
				continue
			}
		case c == '<':
			o.attrs = append(o.attrs, namedAttr{"value", opaqueAttr(p.balanced("<"))})
		case strings.HasPrefix(p.text[p.pos:], "dense<"):
			o.attrs = append(o.attrs, namedAttr{"value", p.attr()})
		case isLetter(c):
			p.clause(o)
		case c == 'x', c == ')' && paren:
		}
		if p.accept(",") {
			continue
		}
		if p.peek() == '<' { // sdy.sharding_constraint %0 <@mesh, …>
			continue
		}
		break
	}
	if paren {
		p.expect(")")
	}
	p.optionalDict(o)
	p.opTypes(o)
}

// clause reads key = value, or a bare enumerator.
func (p *parser) clause(o *op) {
	key := p.word()
	if !p.accept("=") {
		o.attrs = append(o.attrs, namedAttr{"", wordAttr(key)})
		return
	}
	var val attr
	switch c := p.peek(); {
	case c == '<':
		val = opaqueAttr(p.balanced("<"))
	case isDigit(c) || c == '-': // the colon behind it begins the types
		val = intAttr{val: int64(p.integer("a number"))}
	default:
		val = p.attr()
	}
	if p.acceptWord("x") {
		val = pairAttr{val, p.attr()}
	}
	o.attrs = append(o.attrs, namedAttr{key, val})
}

// sliceRanges reads [0:5:2, 1:3] behind the operand of a slice.
func (p *parser) sliceRanges(o *op) {
	p.expect("[")
	var start, limit, stride listAttr
	for !p.accept("]") {
		start = append(start, intAttr{val: int64(p.integer("a start"))})
		p.expect(":")
		limit = append(limit, intAttr{val: int64(p.integer("a limit"))})
		step := 1
		if p.accept(":") {
			step = p.integer("a stride")
		}
		stride = append(stride, intAttr{val: int64(step)})
		if !p.accept(",") {
			p.expect("]")
			break
		}
	}
	o.attrs = append(o.attrs, namedAttr{"start_indices", start}, namedAttr{"limit_indices", limit}, namedAttr{"strides", stride})
}

// opTypes reads the types behind the colon of a pretty form: one type for all, a list,
// or those of operands and results with an arrow between.
func (p *parser) opTypes(o *op) {
	if !p.accept(":") {
		return
	}
	at := p.pos
	var list []Type
	if p.peek() == '(' {
		t := p.typ()
		if t.kind == kindFunction {
			o.inTypes, o.types = t.parts, t.results
			if o.inTypes == nil {
				o.inTypes = []Type{}
			}
			p.countTypes(o, at)
			return
		}
		list = append(list, t)
	} else {
		list = append(list, p.typ())
	}
	for p.accept(",") {
		list = append(list, p.typ())
	}
	if p.accept("->") {
		o.inTypes, o.types = list, p.typesBehindArrow()
		p.countTypes(o, at)
		return
	}
	switch o.name {
	case "func.return", "stablehlo.return", "check.expect_eq", "check.expect_close", "check.expect_almost_eq", "check.eq", "sdy.return",
		"interpreter.print":
		o.inTypes = list
		if len(list) == 1 && len(o.in) > 1 {
			o.inTypes = repeat(list[0], len(o.in))
		}
		p.countTypes(o, at)
	case "check.expect_eq_const", "check.expect_almost_eq_const", "check.expect_close_const":
		o.inTypes = list
	case "stablehlo.select", "chlo.broadcast_select":
		if len(list) == 2 && len(o.in) == 3 {
			o.inTypes = []Type{list[0], list[1], list[1]}
			o.types = list[1:]
			return
		}
		if len(list) == 1 {
			o.types = list
			return
		}
		p.failf(at, "%s: expected the types of the predicate and of the result", o.name)
	case "stablehlo.optimization_barrier":
		o.inTypes, o.types = list, list
		p.countTypes(o, at)
	case "stablehlo.complex", "chlo.broadcast_complex", "stablehlo.tuple", "stablehlo.after_all":
		o.types = list
	default:
		if len(list) != 1 {
			p.failf(at, "%s: expected one type, or the types of operands and results with an arrow between", o.name)
		}
		o.types = list
		switch o.name {
		case "stablehlo.iota", "stablehlo.create_token":
		default:
			o.inTypes = repeat(list[0], len(o.in))
		}
	}
}

func repeat(t Type, n int) []Type {
	ts := make([]Type, n)
	for i := range ts {
		ts[i] = t
	}
	return ts
}

func (p *parser) countTypes(o *op, at int) {
	if len(o.inTypes) != len(o.in) {
		p.failf(at, "%s: the type has %s, the operation %d", o.name, core.Count(len(o.inTypes), "operand"), len(o.in))
	}
}

// forms are the operations whose pretty form is not the usual one.
var forms map[string]func(*parser, *op)

func init() {
	forms = map[string]func(*parser, *op){
		"stablehlo.constant":     (*parser).constant,
		"chlo.constant":          (*parser).constant,
		"arith.constant":         (*parser).constant,
		"stablehlo.reduce":       (*parser).reduce,
		"stablehlo.while":        (*parser).while,
		"stablehlo.convolution":  (*parser).convolution,
		"stablehlo.dynamic_conv": (*parser).convolution,
		"stablehlo.custom_call":  (*parser).customCall,
	}
}

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
		p.failf(at, "%s: the value has no type", o.name)
	}
}

// reduce reads reduce(%a init: %i), … applies op across dimensions = […] : types, or
// with a reducer behind.
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
		p.failf(at, "%s applies one operation to %s", o.name, core.Count(len(o.types), "array"))
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

// scalarOf returns the type of one element of a tensor.
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
		p.failf(p.pos, "%s: %s for %s", o.name, core.Count(len(o.types), "type"), core.Count(len(args), "value"))
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
				p.failf(at, "a window has no %q", key)
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
