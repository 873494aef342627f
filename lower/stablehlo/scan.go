package stablehlo

import (
	"strconv"
	"strings"

	"github.com/weft-go/weft/core"
)

// Limits of modules. They keep hostile files from exhausting the process.
const (
	maxNesting = 200     // regions, types and attributes within each other
	maxValues  = 1 << 26 // SSA values of a function
	maxRank    = 64
	maxResults = 1 << 16 // of an operation
)

type scanner struct {
	*source
	pos   int
	depth int
	types map[string]Type
}

func (s *scanner) failf(pos int, format string, args ...any) {
	s.fail(pos, core.ErrParse, "stablehlo", format, args...)
}

// nest enters a nested construct; the function that it returns, deferred, leaves it.
func (s *scanner) nest() func() {
	if s.depth++; s.depth > maxNesting {
		s.failf(s.pos, "nested too deeply (more than %d levels); move inner regions to functions", maxNesting)
	}
	return func() { s.depth-- }
}

// blanks skips blanks and comments.
func (s *scanner) blanks() {
	for s.pos < len(s.text) {
		switch c := s.text[s.pos]; {
		case c == ' ' || c == '\n' || c == '\t' || c == '\r':
			s.pos++
		case c == '/' && strings.HasPrefix(s.text[s.pos:], "//"):
			i := strings.IndexByte(s.text[s.pos:], '\n')
			if i < 0 {
				s.pos = len(s.text)
			} else {
				s.pos += i + 1
			}
		default:
			return
		}
	}
}

// peek returns the next byte that is neither blank nor comment, 0 at the end.
func (s *scanner) peek() byte {
	s.blanks()
	if s.pos < len(s.text) {
		return s.text[s.pos]
	}
	return 0
}

func (s *scanner) accept(token string) bool {
	s.blanks()
	if strings.HasPrefix(s.text[s.pos:], token) {
		s.pos += len(token)
		return true
	}
	return false
}

func (s *scanner) expect(token string) {
	if !s.accept(token) {
		s.failf(s.pos, "expected %q, got %s", token, s.next())
	}
}

// next describes what comes next, for messages.
func (s *scanner) next() string {
	s.blanks()
	if s.pos >= len(s.text) {
		return "the end of the text"
	}
	end := s.pos
	for end < len(s.text) && end < s.pos+24 && s.text[end] != '\n' {
		end++
	}
	return strconv.Quote(strings.TrimSpace(s.text[s.pos:end]))
}

func isLetter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_'
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isName(c byte) bool { return isLetter(c) || isDigit(c) || c == '.' || c == '$' || c == '-' }

// word reads a bare name, "" if none comes next. A minus that begins an arrow ends it.
func (s *scanner) word() string {
	s.blanks()
	i := s.pos
	if i >= len(s.text) || !isLetter(s.text[i]) {
		return ""
	}
	for i < len(s.text) && isName(s.text[i]) {
		if s.text[i] == '-' && i+1 < len(s.text) && s.text[i+1] == '>' {
			break
		}
		i++
	}
	w := s.text[s.pos:i]
	s.pos = i
	return w
}

func (s *scanner) acceptWord(w string) bool {
	s.blanks()
	end := s.pos + len(w)
	if strings.HasPrefix(s.text[s.pos:], w) && (end >= len(s.text) || !isName(s.text[end])) {
		s.pos = end
		return true
	}
	return false
}

// suffix reads the name after a sigil: letters, digits and the like.
func (s *scanner) suffix(what string) string {
	i := s.pos
	for i < len(s.text) && isName(s.text[i]) {
		if s.text[i] == '-' && i+1 < len(s.text) && s.text[i+1] == '>' {
			break
		}
		i++
	}
	if i == s.pos {
		s.failf(s.pos, "expected %s, got %s", what, s.next())
	}
	w := s.text[s.pos:i]
	s.pos = i
	return w
}

// quoted reads a string in quotes and replaces its escapes. The number of a constant that was decoded becomes the constant's
// digits: see [blob].
func (s *scanner) quoted() string {
	s.expect(`"`)
	start := s.pos
	for i := s.pos; i < len(s.text); i++ {
		switch s.text[i] {
		case '"':
			s.pos = i + 1
			if body, ok := strings.CutPrefix(s.text[start:i], "0x@"); ok && s.blobs != nil {
				if b := s.blobAt(start-1, "@"+body); b != nil {
					var all strings.Builder
					all.WriteString("0x")
					writeDigits(&all, b.data)
					return all.String()
				}
			}
			return unescape(s.text[start:i])
		case '\\':
			i++
		case '\n':
			s.failf(start, "a string does not end in its line; close it with a quotation mark, and write \\n for a line feed")
		}
	}
	s.failf(start, "a string does not end; close it with a quotation mark")
	return ""
}

// unescape replaces the escapes of a string: \n, \t, \\, \" and \xx in hexadecimal.
func unescape(t string) string {
	if strings.IndexByte(t, '\\') < 0 {
		return t
	}
	var b strings.Builder
	for i := 0; i < len(t); i++ {
		if t[i] != '\\' || i+1 >= len(t) {
			b.WriteByte(t[i])
			continue
		}
		i++
		switch t[i] {
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case '\\', '"':
			b.WriteByte(t[i])
		default:
			if i+1 < len(t) {
				if v, err := strconv.ParseUint(t[i:i+2], 16, 8); err == nil {
					b.WriteByte(byte(v))
					i++
					continue
				}
			}
			b.WriteByte(t[i])
		}
	}
	return b.String()
}

// symbol reads @name or @"name", with nested symbols: @a::@b is a::b.
func (s *scanner) symbol() string {
	s.expect("@")
	var name string
	if s.pos < len(s.text) && s.text[s.pos] == '"' {
		name = s.quoted()
	} else {
		name = s.suffix("a symbol's name")
	}
	if strings.HasPrefix(s.text[s.pos:], "::@") {
		s.pos += 2
		defer s.nest()()
		name += "::" + s.symbol()
	}
	return name
}

var closing = [256]byte{'(': ')', '[': ']', '{': '}', '<': '>'}

// balanced reads text from an opening bracket to its closing one, both excluded. The last
// character of an arrow is not a bracket.
func (s *scanner) balanced(open string) string {
	s.expect(open)
	start := s.pos
	stack := []byte{closing[open[0]]}
	for s.pos < len(s.text) {
		c := s.text[s.pos]
		switch c {
		case '"':
			s.quoted()
			continue
		case '(', '[', '{', '<':
			if len(stack) >= maxNesting {
				s.failf(s.pos, "nested too deeply (more than %d levels); move inner regions to functions", maxNesting)
			}
			stack = append(stack, closing[c])
		case ')', ']', '}', '>':
			if c == '>' && s.pos > 0 && s.text[s.pos-1] == '-' {
				break
			}
			if c != stack[len(stack)-1] {
				s.failf(s.pos, "expected %q, got %q", stack[len(stack)-1], c)
			}
			if stack = stack[:len(stack)-1]; len(stack) == 0 {
				s.pos++
				return s.text[start : s.pos-1]
			}
		}
		s.pos++
	}
	s.failf(start, "the bracket %q is not closed; write the closing one", open)
	return ""
}

// integer reads digits, before which there may be a minus. In messages the number is called `what`.
func (s *scanner) integer(what string) int {
	s.blanks()
	start := s.pos
	i := start
	if i < len(s.text) && s.text[i] == '-' {
		i++
	}
	for i < len(s.text) && isDigit(s.text[i]) {
		i++
	}
	n, err := strconv.Atoi(s.text[start:i])
	if err != nil {
		s.failf(start, "expected %s, got %s", what, s.next())
	}
	s.pos = i
	return n
}
