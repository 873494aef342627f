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
		p.failf(at, "%s is not an operation of a dialect; write its dialect before it, as stablehlo.add", o.name)
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
	case "stablehlo", "chlo", "func", "check", "interpreter", "sdy", "builtin", "arith", "shape", "tensor":
	default:
		p.failf(at, "the operation %s belongs to a dialect that is not supported; convert the module to StableHLO and CHLO before you export it", o.name)
	}
	p.usual(o)
}

func (p *parser) optionalDict(o *op) {
	if p.peek() == '{' {
		o.attrs = append(o.attrs, p.dict()...)
	}
}

// usual reads operands, clauses separated by commas, attributes, and types:
// op %a, %b, dims = [0] {…} : types.
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
	case isDigit(c) || c == '-': // the colon after it begins the types
		val = intAttr{val: int64(p.integer("a number"))}
	default:
		val = p.attr()
	}
	if p.acceptWord("x") {
		val = pairAttr{val, p.attr()}
	}
	o.attrs = append(o.attrs, namedAttr{key, val})
}

// sliceRanges reads [0:5:2, 1:3] after the operand of a slice.
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

// opTypes reads the types after the colon of a pretty form: one type for all, a list, or the types of operands and results
// with an arrow between them.
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
	if p.accept("->") || o.name == castOpName && p.acceptWord("to") {
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
		p.failf(at, "%s: the types are incomplete; write those of the predicate and of the result", o.name)
	case "stablehlo.optimization_barrier":
		o.inTypes, o.types = list, list
		p.countTypes(o, at)
	case "stablehlo.complex", "chlo.broadcast_complex", "stablehlo.tuple", "stablehlo.after_all":
		o.types = list
	default:
		if len(list) != 1 {
			p.failf(at, "%s: got several types; write one, or those of operands and results with an arrow between", o.name)
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
		p.failf(at, "%s: the type has %s, the operation %d; write a type for each operand", o.name, core.Count(len(o.inTypes), "operand"), len(o.in))
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
		"sdy.manual_computation": (*parser).manualComputation,
		"stablehlo.convolution":  (*parser).convolution,
		"stablehlo.dynamic_conv": (*parser).convolution,
		"stablehlo.custom_call":  (*parser).customCall,
	}
}
