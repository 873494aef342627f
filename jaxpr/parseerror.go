package jaxpr

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/weft-go/weft/core"
)

// ParseError is the place of a mistake in a text. The *core.Error that Parse returns wraps it.
type ParseError struct {
	Line, Col int    // from 1; columns count characters
	Source    string // the line
	Err       error  // the kind of the mistake, if another package reported it
}

// Error returns the place, the line and a caret under the column.
func (e *ParseError) Error() string {
	if e == nil {
		return "<nil>"
	}
	return fmt.Sprintf("line %d, column %d\n%s", e.Line, e.Col, e.Caret())
}

// Caret returns the line, or some 100 characters of it, and a caret under the column.
func (e *ParseError) Caret() string {
	const room = 100
	if e == nil {
		return ""
	}
	line, col := []rune(e.Source), max(e.Col-1, 0)
	cut := ""
	if col > room-20 {
		n := col - (room - 40)
		line, col, cut = line[n:], col-n, "…"
	}
	if len(line) > room {
		line = append(line[:room:room], '…')
	}
	return "    " + cut + string(line) + "\n    " + strings.Repeat(" ", col+utf8.RuneCountInString(cut)) + "^"
}

// Unwrap returns Err, nil if there is none.
func (e *ParseError) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.Err
}

func parseErrorAt(src string, pos int) *ParseError {
	pos = min(pos, len(src))
	start := strings.LastIndexByte(src[:pos], '\n') + 1
	end := len(src)
	if i := strings.IndexByte(src[pos:], '\n'); i >= 0 {
		end = pos + i
	}
	return &ParseError{
		Line:   strings.Count(src[:pos], "\n") + 1,
		Col:    utf8.RuneCountInString(src[start:pos]) + 1,
		Source: strings.ReplaceAll(strings.TrimSuffix(src[start:end], "\r"), "\t", " "),
	}
}

// InText returns the position of a mistake in text, from which a program was read; nil if err has
// no position in it.
func InText(text string, err error) *ParseError {
	if at := (*ParseError)(nil); errors.As(err, &at) {
		return at
	}
	if c := (*core.Error)(nil); errors.As(err, &c) {
		if offset, ok := core.TextOffset(c.Pos); ok {
			return parseErrorAt(text, offset)
		}
	}
	return nil
}
