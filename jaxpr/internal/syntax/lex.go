package syntax

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/weft-go/weft/core"
)

// A MistakeAt is where a mistake is in a text, in bytes.
type MistakeAt int

func (p MistakeAt) Error() string { return "at byte " + strconv.Itoa(int(p)) }

func (r *reader) fail(pos int, format string, args ...any) {
	panic(&core.Error{Kind: core.ErrParse, Msg: fmt.Sprintf(format, core.Excerpts(args)...), Err: MistakeAt(pos)})
}

func (r *reader) at(i int) byte {
	if i < len(r.src) {
		return r.src[i]
	}
	return 0
}

func (r *reader) peek() byte { return r.at(r.pos) }

func isBlank(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// afterBlanks returns the first position from i on that is not blank. The text of deeply nested
// programs is mostly indentation, which it passes many columns at a time.
func (r *reader) afterBlanks(i int) int {
	const spaces = "                                                                "
	for isBlank(r.at(i)) {
		i++
		for strings.HasPrefix(r.src[i:], spaces) {
			i += len(spaces)
		}
	}
	return i
}

func (r *reader) blanks() { r.pos = r.afterBlanks(r.pos) }

func (r *reader) expect(s string) {
	if !strings.HasPrefix(r.src[r.pos:], s) {
		r.fail(r.pos, "expected %s", s)
	}
	r.pos += len(s)
}

// word takes s if it stands here and is not the beginning of a longer word.
func (r *reader) word(s string) bool {
	if !strings.HasPrefix(r.src[r.pos:], s) || IsWord(r.at(r.pos+len(s))) {
		return false
	}
	r.pos += len(s)
	return true
}

// IsWord reports whether c may stand in a name.
func IsWord(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// IsLetter reports whether c may begin a name.
func IsLetter(c byte) bool { return IsWord(c) && !(c >= '0' && c <= '9') }

// ident returns the length of the name at i, 0 if there is none.
func (r *reader) ident(i int) int {
	if !IsLetter(r.at(i)) {
		return 0
	}
	n := 1
	for IsWord(r.at(i + n)) {
		n++
	}
	return n
}

// until takes the text before the first of the given characters, all of it if there is none.
func (r *reader) until(stop string) string {
	s := r.src[r.pos:]
	if i := strings.IndexAny(s, stop); i >= 0 {
		s = s[:i]
	}
	if len(s) == 0 {
		return ""
	}
	r.pos += len(s)
	return s
}

// primName returns a primitive's name: a word that may have -, . and / in it.
func (r *reader) primName() string {
	start := r.pos
	for c := r.peek(); IsWord(c) || r.pos > start && (c == '-' || c == '.' || c == '/'); c = r.peek() {
		r.pos++
	}
	return r.src[start:r.pos]
}

// lineStart returns where i's line begins. It continues from the last position that was looked up,
// since positions mostly grow: a long line is not searched again and again.
func (r *reader) lineStart(i int) int {
	if i < r.seen {
		return strings.LastIndexByte(r.src[:i], '\n') + 1
	}
	if n := strings.LastIndexByte(r.src[r.seen:i], '\n'); n >= 0 {
		r.line = r.seen + n + 1
	}
	r.seen = i
	return r.line
}

func (r *reader) column(i int) int { return i - r.lineStart(i) }

// lineIndent returns the column of the first character on i's line that is not blank.
func (r *reader) lineIndent(i int) int {
	start := r.lineStart(i)
	return r.afterBlanks(start) - start
}

// markedType reads a type that may have the mark of weak types, which Options.Weak prints: ~f32[].
func (r *reader) markedType() core.ShapedArray {
	weak := r.peek() == '~'
	if weak {
		r.pos++
	}
	a := r.typ()
	a.Weak = weak
	return a
}

// typ reads a type: f32[2,3], f32[2]{V:(x,y)}, key<fry>[], Ref{f32[3]}, Tok. Other annotations
// for devices are dropped: the mesh axes of a size, 8@x, those along which sums are unreduced or
// reduced, {U:x} and {R:x}, and the memory, f32<host>.
func (r *reader) typ() core.ShapedArray {
	a := r.plainType()
	if s := r.src[r.pos:]; len(s) > 2 && s[0] == '{' && s[2] == ':' && strings.IndexByte("VUR", s[1]) >= 0 {
		n := strings.IndexByte(s, '}')
		if n < 0 {
			r.fail(r.pos, "expected } after the mesh axes of a type")
		}
		if s[1] == 'V' {
			a.Vary = r.varyingAxes(s[3:n])
		}
		r.pos += n + 1
	}
	return a
}

// varyingAxes reads the axes of a mesh along which a value varies: x or (x,y).
func (r *reader) varyingAxes(s string) core.Axes {
	names := strings.Split(strings.TrimSuffix(strings.TrimPrefix(s, "("), ")"), ",")
	for i, n := range names {
		names[i] = strings.TrimSpace(n)
		if names[i] == "" || strings.ContainsAny(names[i], "(){}[]:\n") {
			r.fail(r.pos, "expected the names of axes in {V:…}, as {V:(x,y)}")
		}
	}
	return core.MakeAxes(names...)
}

// meshAxes skips the mesh axes of a size.
func (r *reader) meshAxes() {
	if r.peek() != '@' {
		return
	}
	r.pos++
	if n := r.ident(r.pos); n > 0 {
		r.pos += n
		return
	}
	start := r.pos
	r.expect("(")
	r.until(")]\n")
	if r.peek() != ')' {
		r.fail(start, "expected ) after the mesh axes of a size")
	}
	r.pos++
}

// plainType reads a type without axes along which values vary.
func (r *reader) plainType() core.ShapedArray {
	start := r.pos
	if strings.HasPrefix(r.src[r.pos:], "Ref{") {
		r.pos += len("Ref{")
		if strings.HasPrefix(r.src[r.pos:], "Ref{") {
			r.fail(r.pos, "a reference to a reference is no type; write Ref once")
		}
		a := r.typ()
		r.expect("}")
		a.Ref = true
		return a
	}
	for IsWord(r.peek()) || r.peek() == '<' || r.peek() == '>' {
		r.pos++
	}
	name := r.src[start:r.pos]
	if name == core.Token.String() && r.peek() != '[' {
		return core.ShapedArray{DType: core.Token}
	}
	if r.peek() == '[' {
		if i := strings.IndexByte(r.src[r.pos:], ']'); i >= 0 {
			if a, ok := r.types[r.src[start:r.pos+i+1]]; ok {
				r.pos += i + 1
				return a
			}
		}
	}
	name = strings.TrimSuffix(name, "<host>")
	dt, ok := core.ParseDType(name)
	switch {
	case name == "":
		r.fail(start, "expected a type, as f32[2,3]")
	case !ok:
		r.fail(start, "%s is not a dtype; write one, as f32", name)
	case dt.String() != name:
		r.fail(start, "the dtype %s has another name in types; write %s", name, dt)
	case dt == core.Token:
		r.fail(start, "the type of tokens has no shape; write Tok")
	}
	r.expect("[")
	var dims []int
	for r.peek() != ']' {
		pos := r.pos
		for r.peek() >= '0' && r.peek() <= '9' {
			r.pos++
		}
		n, err := strconv.Atoi(r.src[pos:r.pos])
		switch {
		case errors.Is(err, strconv.ErrRange):
			digits := r.src[pos:r.pos]
			if len(digits) > 24 {
				digits = digits[:20] + "…"
			}
			r.fail(pos, "the size %s is too large; an axis has at most %d elements", digits, math.MaxInt)
		case r.peek() == '-':
			r.fail(pos, "a size is negative; write one that is 0 or more")
		case err != nil:
			r.fail(pos, "expected a size in the shape of a type; symbolic sizes are not supported: write numbers")
		}
		dims = append(dims, n)
		r.meshAxes()
		if r.peek() == ',' {
			r.pos++
			if r.peek() == ']' {
				r.fail(r.pos, "expected a size")
			}
		} else if r.peek() != ']' {
			r.fail(r.pos, "expected , or ] in the shape of a type")
		}
	}
	r.pos++
	a := core.Aval(dt, dims...)
	if r.types == nil {
		r.types = map[string]core.ShapedArray{}
	}
	r.types[r.src[start:r.pos]] = a
	return a
}

// Unbracket takes one pair of brackets off.
func Unbracket(s string) (string, bool) {
	if len(s) < 2 || !(s[0] == '(' && s[len(s)-1] == ')' || s[0] == '[' && s[len(s)-1] == ']') {
		return "", false
	}
	return s[1 : len(s)-1], true
}
