package stablehlo

import (
	"math"
	"strconv"

	"github.com/weft-go/weft/core"
)

// vhloScalars maps numbers of VHLO's types without parameters to their names.
var vhloScalars = map[uint64]string{
	0: "i1", 2: "bf16", 3: "f16", 4: "f32", 5: "f64", 6: "f8E4M3FN", 7: "f8E5M2", 9: "index",
	10: "i4", 11: "i8", 12: "i16", 13: "i32", 14: "i64", 15: "ui4", 16: "ui8", 17: "ui16", 18: "ui32", 19: "ui64",
	27: "f8E4M3FNUZ", 28: "f8E5M2FNUZ", 29: "f8E4M3B11FNUZ", 31: "i2", 32: "ui2", 33: "none", 34: "tf32", 35: "f8E4M3", 36: "f8E3M4",
	37: "f4E2M1FN", 38: "f6E2M3FN", 39: "f6E3M2FN", 40: "f8E8M0FNU",
}

func (b *bytecode) typ(k int) Type {
	e := &b.types[k]
	b.decode(e, "type", func(c *cursor) {
		switch {
		case !e.custom:
			e.typ = b.textType(c)
		case e.dialect == "vhlo":
			e.typ = b.vhloType(c, e)
		case e.dialect == "builtin":
			e.typ = b.builtinType(c, e)
		default:
			e.typ = Type{&typ{kind: kindOther, text: "!" + e.dialect}}
		}
	})
	return e.typ
}

func (b *bytecode) textType(c *cursor) Type {
	at := c.pos
	text := c.text()
	s := scanner{source: &source{name: b.src.name, text: text}, types: map[string]Type{}}
	t := Type{}
	if err := core.Catch(func() { t = s.typ() }); err != nil {
		c.pos = at
		c.failf("the type %q is not known; export with the types of StableHLO", text)
	}
	return t
}

func scalarType(name string) Type {
	return Type{&typ{kind: kindOther, text: name, elem: elemTypes[name]}}
}

func (b *bytecode) vhloType(c *cursor, e *entry) Type {
	code := c.varint()
	if name, ok := vhloScalars[code]; ok {
		return scalarType(name)
	}
	switch code {
	case 1:
		part := b.innerType(c, e)
		return Type{&typ{kind: kindOther, text: "complex<" + part.text + ">", elem: complexTypes[part.text]}}
	case 8:
		return b.functionType(c, e)
	case 21:
		b.inner(c, e) // bounds of dynamic dimensions
		return b.tensorType(c, e)
	case 20:
		return b.tensorType(c, e)
	case 22:
		return Type{&typ{kind: kindToken, text: "!stablehlo.token"}}
	case 23:
		return b.tupleType(c, e)
	case 24, 30:
		return Type{&typ{kind: kindOther, text: "!quant.uniform"}}
	case 25:
		return Type{&typ{kind: kindOther, text: "tensor<*x" + b.innerType(c, e).text + ">"}}
	case 26, 41, 42:
		return Type{&typ{kind: kindOther, text: "!vhlo." + strconv.Itoa(int(code))}}
	}
	c.newer("there is no type of VHLO with the number %d", code)
	return Type{}
}

func (b *bytecode) builtinType(c *cursor, e *entry) Type {
	switch code := c.varint(); code {
	case 0: // an integer: its width, and its signedness in the lowest two bits
		v := c.varint()
		name := map[uint64]string{0: "i", 1: "si", 2: "ui"}[v&3] + strconv.FormatUint(v>>2, 10)
		return scalarType(name)
	case 1:
		return scalarType("index")
	case 2:
		return b.functionType(c, e)
	case 3, 4, 5, 6, 7, 8:
		return scalarType([]string{"bf16", "f16", "f32", "f64", "f80", "f128"}[code-3])
	case 9:
		part := b.innerType(c, e)
		return Type{&typ{kind: kindOther, text: "complex<" + part.text + ">", elem: complexTypes[part.text]}}
	case 12:
		return scalarType("none")
	case 13:
		return b.tensorType(c, e)
	case 15:
		return b.tupleType(c, e)
	default:
		return Type{&typ{kind: kindOther, text: "!builtin." + strconv.FormatUint(code, 10)}}
	}
}

func (b *bytecode) typeList(c *cursor, e *entry) []Type {
	list := make([]Type, c.count("types"))
	for i := range list {
		list[i] = b.innerType(c, e)
	}
	return list
}

func (b *bytecode) functionType(c *cursor, e *entry) Type {
	in := b.typeList(c, e)
	out := b.typeList(c, e)
	return Type{&typ{kind: kindFunction, text: "function", parts: in, results: out}}
}

func (b *bytecode) tupleType(c *cursor, e *entry) Type {
	parts := b.typeList(c, e)
	text := []byte("tuple<")
	for i, p := range parts {
		if i > 0 {
			text = append(text, ", "...)
		}
		if len(text) < 1<<12 {
			text = append(text, p.text...)
		}
	}
	return Type{&typ{kind: kindTuple, text: string(append(text, '>')), parts: parts}}
}

const dynamicSize = math.MinInt64

func (b *bytecode) tensorType(c *cursor, e *entry) Type {
	n := c.count("dimensions")
	if n > maxRank {
		c.failf("a tensor has more than %d dimensions; reshape it to fewer before you export", maxRank)
	}
	t := &typ{kind: kindTensor}
	text := []byte("tensor<")
	for range n {
		switch d := c.signed(); {
		case d == dynamicSize:
			t.dims = append(t.dims, -1)
			text = append(text, '?')
		case d < 0:
			c.damaged("a dimension has the size %d", d)
		default:
			t.dims = append(t.dims, int(d))
			text = appendInt(text, int(d))
		}
		text = append(text, 'x')
	}
	of := b.innerType(c, e)
	if of.kind == kindOther {
		t.elem = of.elem
	}
	t.text = string(text) + of.text + ">"
	return Type{t}
}
