package stablehlo

import (
	enc "encoding/binary"
	"math"
	"strconv"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
)

func (s *scanner) attr() attr {
	defer s.nest()()
	start := s.pos
	switch c := s.peek(); {
	case c == '"':
		v := s.quoted()
		if s.accept(":") {
			s.typ()
		}
		return stringAttr(v)
	case c == '@':
		return symbolAttr(s.symbol())
	case c == '[':
		return s.list()
	case c == '{':
		return dictAttr(s.dict())
	case c == '#':
		return s.dialectAttr()
	case c == '-' || isDigit(c):
		return s.number()
	case c == '(' || c == '!':
		return typeAttr{s.typ()}
	case isLetter(c):
		s.blanks()
		at := s.pos
		switch w := s.word(); w {
		case "true":
			return boolAttr(true)
		case "false":
			return boolAttr(false)
		case "unit":
			return nil
		case "dense":
			return s.dense(at)
		case "dense_resource":
			s.expect("<")
			var name string
			if s.peek() == '"' {
				name = s.quoted()
			} else {
				name = s.suffix("the name of a resource")
			}
			s.expect(">")
			s.expect(":")
			return denseAttr{&dense{pos: at, resource: name, typ: s.typ()}}
		case "array":
			return s.array()
		case "loc":
			return opaqueAttr(s.balanced("("))
		case "opaque", "sparse", "affine_map", "affine_set", "strided", "distinct":
			if s.peek() == '[' {
				s.balanced("[")
			}
			text := s.balanced("<")
			if s.accept(":") {
				s.typ()
			}
			return opaqueAttr(text)
		case "inf", "nan":
			v, _ := strconv.ParseFloat(w, 64)
			return floatAttr{val: v}
		default:
			if w == "tensor" || w == "tuple" || w == "complex" || w == "none" || elemTypes[w] != 0 || isScalarName(w) {
				s.pos = at
				return typeAttr{s.typ()}
			}
			return wordAttr(w)
		}
	}
	s.failf(start, "expected an attribute, got %s", s.next())
	return nil
}

// number reads an integer or a float, and its type if that follows.
func (s *scanner) number() attr {
	s.blanks()
	start := s.pos
	lit := s.numberText()
	var t Type
	if s.accept(":") {
		t = s.typ()
	}
	if strings.HasPrefix(lit, "0x") || !strings.ContainsAny(lit, ".eE") {
		digits, negative := strings.CutPrefix(lit, "-")
		base := 10
		if hexadecimal, ok := strings.CutPrefix(digits, "0x"); ok {
			digits, base = hexadecimal, 16
		}
		u, err := strconv.ParseUint(digits, base, 64)
		if err != nil || negative && u > 1<<63 {
			s.failf(start, "the number %s does not fit 64 bits; write one from -9223372036854775808 to 18446744073709551615", lit)
		}
		if t.typ != nil && t.elem.IsFloat() && strings.HasPrefix(lit, "0x") {
			if width := t.elem.Bits(); u>>width != 0 {
				s.failf(start, "%s has more than the %d bits of %v; write only these bits", lit, width, t)
			}
			return floatAttr{floatOfBits(u, t.elem), t}
		}
		v := int64(u)
		if negative {
			v = -v
		}
		return intAttr{val: v, unsigned: u, negative: negative, typ: t}
	}
	f, err := strconv.ParseFloat(lit, 64)
	if err != nil && !math.IsInf(f, 0) {
		s.failf(start, "%q is not a number; write it as 1.5 or 1.5e-3", lit)
	}
	return floatAttr{roundedTo(f, t), t}
}

func floatOfBits(u uint64, dt core.DType) float64 {
	var buf [8]byte
	enc.LittleEndian.PutUint64(buf[:], u)
	native(buf[:dt.Size()], dt)
	n, _ := elem.Get(buf[:dt.Size()], dt)
	return n.Float()
}

// roundedTo rounds a number to the type that an attribute declares, if that is a float.
func roundedTo(f float64, t Type) float64 {
	if t.typ == nil || !t.elem.IsFloat() {
		return f
	}
	var buf [8]byte
	elem.Put(buf[:t.elem.Size()], core.FloatNumber(f), t.elem)
	n, _ := elem.Get(buf[:t.elem.Size()], t.elem)
	return n.Float()
}

func (s *scanner) numberText() string {
	s.blanks()
	i := s.pos
	if i < len(s.text) && (s.text[i] == '-' || s.text[i] == '+') {
		i++
	}
	hex := strings.HasPrefix(s.text[i:], "0x")
	if hex {
		i += 2
	}
	for i < len(s.text) {
		c := s.text[i]
		if isDigit(c) || c == '.' || c == 'e' || c == 'E' || hex && (c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F') ||
			(c == '+' || c == '-') && !hex && (s.text[i-1] == 'e' || s.text[i-1] == 'E') {
			i++
			continue
		}
		break
	}
	if i == s.pos {
		s.failf(s.pos, "expected a number, got %s", s.next())
	}
	lit := s.text[s.pos:i]
	s.pos = i
	return lit
}

func (s *scanner) list() listAttr {
	s.expect("[")
	list := listAttr{}
	if s.accept("]") {
		return list
	}
	for {
		list = append(list, s.attr())
		if s.accept("]") {
			return list
		}
		s.expect(",")
	}
}

// array reads array<i64: 1, 2>.
func (s *scanner) array() listAttr {
	s.expect("<")
	s.typ()
	list := listAttr{}
	if s.accept(">") {
		return list
	}
	s.expect(":")
	for {
		list = append(list, s.attr())
		if s.accept(">") {
			return list
		}
		s.expect(",")
	}
}

func (s *scanner) dict() []namedAttr {
	s.expect("{")
	return s.entries("}")
}

func (s *scanner) entries(end string) []namedAttr {
	var list []namedAttr
	if s.accept(end) {
		return list
	}
	for {
		var key string
		if s.peek() == '"' {
			key = s.quoted()
		} else if key = s.word(); key == "" {
			s.failf(s.pos, "expected the name of an attribute, got %s", s.next())
		}
		var val attr
		if s.accept("=") {
			val = s.attr()
			if s.acceptWord("x") {
				val = pairAttr{val, s.attr()}
			}
		}
		list = append(list, namedAttr{key, val})
		if s.accept(end) {
			return list
		}
		s.expect(",")
	}
}

// dialectAttr reads an attribute that begins with #: an alias, or one of a dialect.
func (s *scanner) dialectAttr() attr {
	s.expect("#")
	start := s.pos
	name := s.suffix("the name of an attribute")
	if s.pos >= len(s.text) || s.text[s.pos] != '<' {
		if strings.Contains(name, ".") && !strings.Contains(name, "loc") {
			return wordAttr(name)
		}
		return aliasAttr{name, start}
	}
	dialect, kind, _ := strings.Cut(name, ".")
	switch dialect {
	case "stablehlo", "mhlo", "chlo", "vhlo":
	default:
		return opaqueAttr(s.balanced("<"))
	}
	switch kind {
	case "": // #stablehlo<comparison_direction LT>
		s.expect("<")
		s.word()
		w := s.word()
		s.expect(">")
		return wordAttr(w)
	case "conv":
		s.expect("<")
		c := s.convDims()
		s.expect(">")
		return c
	case "gather", "scatter", "dot", "ragged_dot", "channel_handle", "dot_algorithm", "output_operand_alias":
		s.expect("<")
		return dictAttr(s.entries(">"))
	case "bounds", "type_extensions", "result_accuracy":
		return opaqueAttr(s.balanced("<"))
	}
	return opaqueAttr(s.balanced("<"))
}

// aliasAttr is a name defined elsewhere in the file.
type aliasAttr struct {
	name string
	pos  int
}

// convDims reads [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f].
func (s *scanner) convDims() convAttr {
	var c convAttr
	c.lhs = s.dimLabels()
	s.expect("x")
	c.rhs = s.dimLabels()
	s.expect("->")
	c.out = s.dimLabels()
	return c
}

func (s *scanner) dimLabels() []string {
	s.expect("[")
	var list []string
	for {
		s.blanks()
		if w := s.word(); w != "" {
			list = append(list, w)
		} else if s.accept("?") {
			list = append(list, "?")
		} else {
			list = append(list, strconv.Itoa(s.integer("a dimension's label")))
		}
		if s.accept("]") {
			return list
		}
		s.expect(",")
	}
}
