package stablehlo

import (
	"math"

	"github.com/weft-go/weft/core"
)

// maxWeight limits the number of attributes and types within an attribute or a type. Attributes and types of a file may
// share their parts, so without a limit a short file could describe exponentially many.
const maxWeight = 1 << 20

func (b *bytecode) attr(k int) attr {
	e := &b.attrs[k]
	b.decode(e, "attribute", func(c *cursor) {
		switch {
		case !e.custom:
			e.attr = opaqueAttr(c.text())
		case e.dialect == "vhlo":
			e.attr = b.vhloAttr(c, e)
		case e.dialect == "builtin":
			e.attr = b.builtinAttr(c, e)
		default:
			e.attr = opaqueAttr("")
		}
	})
	return e.attr
}

// decode decodes an entry once; an entry that contains itself is an error.
func (b *bytecode) decode(e *entry, what string, read func(*cursor)) {
	if e.state == entryDone {
		return
	}
	c := b.cursor(e.at, sectionNames[sectionAttributes])
	if e.state == entryOpen {
		c.damaged("an %s contains itself", what)
	}
	defer b.nest(c)()
	e.state = entryOpen
	e.weight = 1
	read(c)
	e.state = entryDone
}

// add adds the weight of an attribute or a type within an entry.
func (e *entry) add(c *cursor, weight int) {
	if e.weight += weight; e.weight > maxWeight {
		c.damaged("an attribute or a type has more than %d others within it", maxWeight)
	}
}

// inner reads a reference to an attribute within another.
func (b *bytecode) inner(c *cursor, e *entry) attr {
	k := c.index(len(b.attrs), "attribute")
	a := b.attr(k)
	e.add(c, b.attrs[k].weight)
	return a
}

// innerType reads a reference to a type within an attribute or type.
func (b *bytecode) innerType(c *cursor, e *entry) Type {
	k := c.index(len(b.types), "type")
	t := b.typ(k)
	e.add(c, b.types[k].weight)
	return t
}

// enumerators are the values of VHLO's enumerations by the numbers of their attributes.
var enumerators = map[uint64][]string{
	3:  {"EQ", "NE", "GE", "GT", "LE", "LT"},
	4:  {"NOTYPE", "FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"},
	5:  {"API_VERSION_UNSPECIFIED", "API_VERSION_ORIGINAL", "API_VERSION_STATUS_RETURNING", "API_VERSION_STATUS_RETURNING_UNIFIED", "API_VERSION_TYPED_FFI"},
	7:  {"FFT", "IFFT", "RFFT", "IRFFT"},
	11: {"DEFAULT", "HIGH", "HIGHEST"},
	12: {"DEFAULT", "THREE_FRY", "PHILOX"},
	13: {"", "UNIFORM", "NORMAL"},
	16: {"TRANSPOSE_INVALID", "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"},
	19: {"DEFAULT", "HIGHEST", "TOLERANCE"},
}

func (b *bytecode) vhloAttr(c *cursor, e *entry) attr {
	code := c.varint()
	if names, ok := enumerators[code]; ok {
		return wordAttr(names[c.index(len(names), "enumerator")])
	}
	switch code {
	case 1:
		return b.attrList(c, e)
	case 2:
		return boolAttr(c.index(2, "truth value") == 1)
	case 6:
		return b.attrDict(c, e)
	case 8:
		return b.floatAttr(c, e)
	case 9:
		return b.intAttr(c, e)
	case 14:
		return stringAttr(c.string())
	case 15:
		return b.tensorAttr(c, e)
	case 17:
		return typeAttr{b.innerType(c, e)}
	case 10, 18, 20, 21, 22, 23, 24, 25: // nothing reads these
		return opaqueAttr("")
	}
	c.newer("there is no attribute of VHLO with the number %d", code)
	return nil
}

func (b *bytecode) attrList(c *cursor, e *entry) listAttr {
	list := make(listAttr, c.count("attributes"))
	for i := range list {
		list[i] = b.inner(c, e)
	}
	return list
}

func (b *bytecode) attrDict(c *cursor, e *entry) dictAttr {
	d := make(dictAttr, c.count("attributes"))
	for i := range d {
		key, ok := b.inner(c, e).(stringAttr)
		if !ok {
			c.damaged("the name of an attribute is not a string")
		}
		d[i] = namedAttr{string(key), b.inner(c, e)}
	}
	return d
}

// number reads the bits of an integer or float.
func (c *cursor) number(width int) uint64 {
	switch {
	case width <= 8:
		return uint64(c.byte())
	case width <= 64:
		return uint64(c.signed())
	}
	c.failf("numbers of %d bits are not supported; export with numbers of at most 64 bits", width)
	return 0
}

// checkNumberType refuses a type that Weft lacks or that is not a number's. fits reports whether the element type is of
// the number's kind.
func (c *cursor) checkNumberType(t Type, fits bool) {
	switch {
	case t.kind != kindTensor && t.elem == core.Invalid:
		c.failf("%s", unsupportedType(t))
	case t.kind == kindTensor || !fits:
		c.damaged("a number has the type %v", t)
	}
}

func (b *bytecode) floatAttr(c *cursor, e *entry) attr {
	t := b.innerType(c, e)
	dt := t.elem
	c.checkNumberType(t, dt.IsFloat())
	return floatAttr{floatOfBits(c.number(dt.Bits()), dt), t}
}

func (b *bytecode) intAttr(c *cursor, e *entry) attr {
	t := b.innerType(c, e)
	dt := t.elem
	c.checkNumberType(t, dt.IsInteger() || dt.IsBool())
	width := dt.Bits()
	if dt.IsBool() {
		return boolAttr(c.byte()&1 == 1)
	}
	u := c.number(width)
	v := int64(u) << (64 - width) >> (64 - width)
	if dt.IsUnsigned() {
		u &= math.MaxUint64 >> (64 - width)
		v = int64(u)
	}
	return intAttr{val: v, unsigned: u, negative: v < 0 && !dt.IsUnsigned(), typ: t}
}

// tensorAttr reads a type and the elements of a constant, which stay in the file.
func (b *bytecode) tensorAttr(c *cursor, e *entry) attr {
	pos := c.pos
	t := b.innerType(c, e)
	raw := c.take(c.count("bytes of elements"))
	d := &dense{pos: pos, typ: t, raw: raw}
	a, ok := t.Aval()
	if !ok {
		return denseAttr{d} // refused where it is used
	}
	n, size := a.Size(), a.DType.Size()
	switch packed := (n + 7) / 8; {
	case n < 0:
	case !a.DType.IsBool():
		d.splat = len(raw) == size
	case len(raw) == 1 && raw[0] == 0xff:
		d.splat = true
	case len(raw) == packed && len(raw) != n:
		d.packed = true
	default:
		d.splat = len(raw) == 1
	}
	return denseAttr{d}
}

func (b *bytecode) builtinAttr(c *cursor, e *entry) attr {
	switch code := c.varint(); code {
	case 0:
		return b.attrList(c, e)
	case 1:
		return b.attrDict(c, e)
	case 2, 3: // with 3 a type follows
		return stringAttr(c.string())
	case 4:
		s, ok := b.inner(c, e).(stringAttr)
		if !ok {
			c.damaged("the name of a symbol is not a string")
		}
		return symbolAttr(s)
	case 6:
		return typeAttr{b.innerType(c, e)}
	case 7:
		return nil
	case 8:
		return b.intAttr(c, e)
	case 9:
		return b.floatAttr(c, e)
	case 10: // a call site: the location of the callee, or else of the caller
		callee, caller := b.inner(c, e), b.inner(c, e)
		if l, ok := callee.(locAttr); ok {
			return l
		}
		return caller
	case 11:
		return b.fileLoc(c, e)
	case 12, 13: // fused locations: the first that is known
		if code == 13 {
			b.inner(c, e)
		}
		for _, a := range b.attrList(c, e) {
			if l, ok := a.(locAttr); ok {
				return l
			}
		}
		return opaqueAttr("")
	case 14:
		name, _ := b.inner(c, e).(stringAttr)
		l, _ := b.inner(c, e).(locAttr)
		if l.name = string(name); l.name == "" && l.file == "" {
			return opaqueAttr("")
		}
		return l
	case 22:
		l := locAttr{}
		name, _ := b.inner(c, e).(stringAttr)
		l.file = string(name)
		if n := c.count("numbers of a range"); n > 0 {
			l.line = int(c.varint())
			if n > 1 {
				l.col = int(c.varint())
			}
		}
		return l
	}
	return opaqueAttr("")
}

func (b *bytecode) fileLoc(c *cursor, e *entry) attr {
	name, _ := b.inner(c, e).(stringAttr)
	return locAttr{file: string(name), line: int(c.varint()), col: int(c.varint())}
}
