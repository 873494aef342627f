// Package irtext reads kernels and scalar programs from the texts that their String methods return, so
// that tests can write them down.
package irtext

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

const (
	maxNumber = 1 << 20 // of values, axes and lines of a text
	maxDepth  = 200     // of nested blocks
)

// reader reads a text word by word. Its methods panic with a mistake where the text has one.
type reader struct {
	lines []string
	at    int      // lines read
	words []string // rest of the current line
}

// mistake is what is wrong with a text.
type mistake string

func fail(format string, args ...any) { panic(mistake(fmt.Sprintf(format, args...))) }

// read calls f, and returns its mistake as an error in the line that was read last.
func (r *reader) read(what, text string, f func()) (err error) {
	defer func() {
		switch m := recover().(type) {
		case nil:
		case mistake:
			err = &core.Error{Kind: core.ErrParse, Op: what, Msg: fmt.Sprintf("line %d: %s", r.at, string(m))}
		default:
			panic(m)
		}
	}()
	if r.lines = strings.Split(text, "\n"); len(r.lines) > maxNumber {
		fail("too many lines (got %d, want at most %d); split the text", len(r.lines), maxNumber)
	}
	f()
	for r.at < len(r.lines) {
		if r.at++; strings.TrimSpace(r.lines[r.at-1]) != "" {
			fail("%q is not expected here; remove it", r.lines[r.at-1])
		}
	}
	return nil
}

// next reads the next line that is not empty, up to a comment, into words.
func (r *reader) next(comment string) {
	for r.at < len(r.lines) {
		s, _, _ := strings.Cut(r.lines[r.at], comment)
		r.at++
		if r.words = split(s); len(r.words) > 0 {
			return
		}
	}
	fail("the text ends too early; close it with }")
}

// split cuts a line into names, numbers and marks.
func split(s string) []string {
	var out []string
	for i := 0; i < len(s); {
		c := s[i]
		j := i + 1
		switch {
		case c == ' ' || c == '\t' || c == '\r':
			i = j
			continue
		case isWordByte(c) || c == '%' || c == '-' && j < len(s) && isWordByte(s[j]):
			for j < len(s) && isWordByte(s[j]) {
				j++
			}
		case c == '-' && j < len(s) && s[j] == '>':
			j++
		}
		out = append(out, s[i:j])
		i = j
	}
	return out
}

func isWordByte(c byte) bool {
	return c == '_' || c == '.' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func (r *reader) peek() string {
	if len(r.words) == 0 {
		return ""
	}
	return r.words[0]
}

func (r *reader) take() string {
	w := r.peek()
	if len(r.words) > 0 {
		r.words = r.words[1:]
	}
	return w
}

// accept takes the word if it is next.
func (r *reader) accept(w string) bool {
	if r.peek() != w {
		return false
	}
	r.take()
	return true
}

func (r *reader) expect(ws ...string) {
	for _, w := range ws {
		if got := r.take(); got != w {
			fail("got %q; write %q there", got, w)
		}
	}
}

func (r *reader) end() {
	if len(r.words) > 0 {
		fail("%q is not expected here; remove it", r.peek())
	}
}

// isNext reports whether a number with a prefix is next, as the axis a0.
func (r *reader) isNext(prefix string) bool {
	digits, ok := strings.CutPrefix(r.peek(), prefix)
	_, err := strconv.ParseUint(digits, 10, 31)
	return ok && err == nil
}

// number reads a number below maxNumber with a prefix.
func (r *reader) number(prefix, what string) int {
	w := r.take()
	digits, ok := strings.CutPrefix(w, prefix)
	n, err := strconv.ParseUint(digits, 10, 31)
	if !ok || err != nil || n >= maxNumber {
		fail("%q is not %s; write one such as %s0", w, what, prefix)
	}
	return int(n)
}

// bits reads bits as 0x3f800000.
func (r *reader) bits() uint64 {
	w := r.take()
	x, err := strconv.ParseUint(w, 0, 64)
	if err != nil {
		fail("%q is not bits; write them as 0x3f800000", w)
	}
	return x
}

func (r *reader) ref() ir.Ref { return ir.Ref(r.number("%", "a value")) }

// refs reads values with commas between them, up to a word or the end of the line.
func (r *reader) refs(end string) (rs []ir.Ref) {
	for r.peek() != end {
		if len(rs) > 0 {
			r.expect(",")
		}
		rs = append(rs, r.ref())
	}
	return rs
}

// named reads a name of the type T, whose values follow each other from the first on.
func named[T interface {
	~int | ~uint8
	String() string
}](r *reader, first, end T, what string) T {
	w := r.take()
	for v := first; v < end; v++ {
		if v.String() == w {
			return v
		}
	}
	fail("%q is not %s", w, what)
	panic("unreachable")
}

func (r *reader) typ() scalar.Type {
	return named(r, scalar.Bool, scalar.Type(scalar.NumTypes), "a type; write one such as f32 or i64")
}

func (r *reader) dtype() core.DType {
	w := r.take()
	if r.accept("<") { // key<fry>
		w += "<" + r.take() + ">"
		r.expect(">")
	}
	d, ok := core.ParseDType(w)
	if !ok {
		fail("%q is not a dtype; write one such as f32", w)
	}
	return d
}
