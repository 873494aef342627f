package stablehlo

import (
	"strings"

	"github.com/weft-go/weft/core"
)

var elemTypes = map[string]core.DType{
	"i1": core.Bool, "i2": core.Int2, "i4": core.Int4, "i8": core.Int8, "i16": core.Int16, "i32": core.Int32, "i64": core.Int64,
	"si2": core.Int2, "si4": core.Int4, "si8": core.Int8, "si16": core.Int16, "si32": core.Int32, "si64": core.Int64,
	"ui2": core.Uint2, "ui4": core.Uint4, "ui8": core.Uint8, "ui16": core.Uint16, "ui32": core.Uint32, "ui64": core.Uint64,
	"f4E2M1FN": core.Float4E2M1FN, "f6E2M3FN": core.Float6E2M3FN, "f6E3M2FN": core.Float6E3M2FN,
	"f8E3M4": core.Float8E3M4, "f8E4M3": core.Float8E4M3, "f8E4M3B11FNUZ": core.Float8E4M3B11FNUZ, "f8E4M3FN": core.Float8E4M3FN,
	"f8E4M3FNUZ": core.Float8E4M3FNUZ, "f8E5M2": core.Float8E5M2, "f8E5M2FNUZ": core.Float8E5M2FNUZ, "f8E8M0FNU": core.Float8E8M0FNU,
	"bf16": core.BFloat16, "f16": core.Float16, "f32": core.Float32, "f64": core.Float64,
	"index": core.Int64,
}

var complexTypes = map[string]core.DType{"f32": core.Complex64, "f64": core.Complex128}

var elemNames = func() map[core.DType]string {
	m := map[core.DType]string{}
	for name, dt := range elemTypes {
		if name != "index" && !strings.HasPrefix(name, "si") {
			m[dt] = name
		}
	}
	for name, dt := range complexTypes {
		m[dt] = "complex<" + name + ">"
	}
	return m
}()

func (s *scanner) typ() Type {
	s.blanks()
	start := s.pos
	if strings.HasPrefix(s.text[start:], "tensor<") {
		// Most types are tensors whose text was read before.
		if i := strings.IndexByte(s.text[start:], '>'); i > 0 {
			if t, ok := s.types[s.text[start:start+i+1]]; ok {
				s.pos = start + i + 1
				return t
			}
		}
	}
	defer s.nest()()
	t := &typ{kind: kindOther}
	switch c := s.peek(); {
	case c == '(':
		t.kind = kindFunction
		t.parts = s.typeTuple()
		s.expect("->")
		t.results = s.typesBehindArrow()
	case c == '!':
		s.pos++
		name := s.suffix("the name of a type")
		if s.pos < len(s.text) && s.text[s.pos] == '<' {
			s.balanced("<")
		}
		if name == "stablehlo.token" || name == "mhlo.token" {
			t.kind = kindToken
		}
	default:
		word := s.word()
		switch word {
		case "tensor":
			s.tensor(t)
		case "tuple":
			t.kind = kindTuple
			s.expect("<")
			for !s.accept(">") {
				t.parts = append(t.parts, s.typ())
				if !s.accept(",") {
					s.expect(">")
					break
				}
			}
		case "complex":
			s.pos = start
			t.kind, t.elem = kindOther, s.elem()
		case "none":
		case "":
			s.failf(start, "expected a type, got %s", s.next())
		default:
			dt, ok := elemTypes[word]
			if !ok && !isScalarName(word) {
				if strings.HasPrefix(s.text[s.pos:], "<") && (word == "memref" || word == "vector") {
					s.balanced("<")
					break
				}
				s.pos = start
				s.failf(start, "expected a type, got %s", s.next())
			}
			t.elem = dt
		}
	}
	t.text = s.text[start:s.pos]
	out := Type{t}
	if t.kind == kindTensor {
		s.types[t.text] = out
	}
	return out
}

// isScalarName reports whether a word names an integer type of MLIR, or a float type that has no dtype here.
func isScalarName(w string) bool {
	rest := strings.TrimLeft(w, "sui")
	if rest != w && rest != "" && strings.Trim(rest, "0123456789") == "" {
		return true
	}
	return w == "tf32" || w == "f80" || w == "f128"
}

// tensor reads what follows the word tensor.
func (s *scanner) tensor(t *typ) {
	t.kind = kindTensor
	s.expect("<")
	for {
		s.blanks()
		i := s.pos
		if i < len(s.text) && s.text[i] == '*' {
			s.failf(i, "tensors of unknown rank are not supported; export with a known number of dimensions")
		}
		if i < len(s.text) && s.text[i] == '?' {
			i++
		} else {
			for i < len(s.text) && isDigit(s.text[i]) {
				i++
			}
		}
		if i == s.pos {
			break
		}
		if i >= len(s.text) || s.text[i] != 'x' {
			s.failf(s.pos, "expected a dimension and x, got %s", s.next())
		}
		if s.text[s.pos] == '?' {
			t.dims = append(t.dims, -1)
		} else {
			t.dims = append(t.dims, s.integer("a dimension"))
		}
		if len(t.dims) > maxRank {
			s.failf(s.pos, "a tensor has more than %d dimensions; reshape it to fewer before you export", maxRank)
		}
		s.pos = i + 1
	}
	t.elem = s.elem()
	if s.accept(",") { // an encoding: bounds of dynamic dimensions
		depth := s.pos
		for s.peek() != '>' {
			switch c := s.peek(); c {
			case 0:
				s.failf(depth, "the type of a tensor does not end; write > at its end")
			case '<', '[', '{', '(':
				s.balanced(string(c))
			case '"':
				s.quoted()
			default:
				s.pos++
			}
		}
	}
	s.expect(">")
}

// elem reads an element type; Invalid where weft has none.
func (s *scanner) elem() core.DType {
	s.blanks()
	start := s.pos
	if s.accept("!") {
		s.suffix("the name of a type")
		if s.pos < len(s.text) && s.text[s.pos] == '<' {
			s.balanced("<")
		}
		return core.Invalid
	}
	w := s.word()
	if w == "complex" {
		s.expect("<")
		part := s.word()
		s.expect(">")
		return complexTypes[part]
	}
	if dt, ok := elemTypes[w]; ok {
		return dt
	}
	if !isScalarName(w) {
		s.pos = start
		s.failf(start, "expected an element type, got %s", s.next())
	}
	return core.Invalid
}

func (s *scanner) typeTuple() []Type {
	s.expect("(")
	var ts []Type
	if s.accept(")") {
		return ts
	}
	for {
		ts = append(ts, s.typ())
		s.attrDictOfType()
		if s.accept(")") {
			return ts
		}
		s.expect(",")
	}
}

// attrDictOfType skips attributes after a type within a signature.
func (s *scanner) attrDictOfType() {
	if s.peek() == '{' {
		s.balanced("{")
	}
}

// typesBehindArrow reads one type, or types in parentheses. A function type as the only result must stand in parentheses.
func (s *scanner) typesBehindArrow() []Type {
	if s.peek() == '(' {
		return s.typeTuple()
	}
	return []Type{s.typ()}
}
