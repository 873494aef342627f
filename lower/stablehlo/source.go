package stablehlo

import (
	"errors"
	"fmt"
	"strings"

	"github.com/weft-go/weft/core"
)

// source is the file of a module: a text, or bytecode.
type source struct {
	name  string
	text  string
	blobs []blob // constants that the text has numbers of
	bin   *bytecode
}

// A Place is a position in a module: in a text a line and a column, which count from 1,
// and in bytecode a section and a byte.
type Place struct {
	Line, Col int
	line      string
	cut       int // how many characters the line lacks in front of the column

	Section  string // "" of a text
	Byte     int
	Location string // of an operation in bytecode: where the exporter had it from, if known
}

// String returns line:column, or the byte of bytecode.
func (p *Place) String() string {
	switch {
	case p.Section == "":
		return fmt.Sprintf("%d:%d", p.Line, p.Col)
	case p.Location != "":
		return fmt.Sprintf("%s byte %d (%s)", p.Section, p.Byte, p.Location)
	}
	return fmt.Sprintf("%s byte %d", p.Section, p.Byte)
}

// Error returns the position in words.
func (p *Place) Error() string {
	if p.Section != "" {
		return "section " + p.String()
	}
	return fmt.Sprintf("line %d, column %d", p.Line, p.Col)
}

// Caret returns the line of a text with a mark under the column. A long line is cut.
func (p *Place) Caret() string {
	if p.Section != "" {
		return ""
	}
	const before, after = 60, 40
	line, col := p.line, p.Col-1-p.cut
	if col > before {
		line, col = "…"+line[col-before:], before+1
	}
	if len(line) > col+after {
		line = line[:col+after] + "…"
	}
	return strings.ReplaceAll(line, "\t", " ") + "\n" + strings.Repeat(" ", col) + "^"
}

// place returns the position of an offset.
func (s *source) place(offset int) *Place {
	if s.bin != nil {
		return &Place{Section: s.bin.sectionAt(offset), Byte: offset, Location: s.bin.locationAt(offset)}
	}
	offset = max(0, min(offset, len(s.text)))
	start := strings.LastIndexByte(s.text[:offset], '\n') + 1
	end := len(s.text)
	if i := strings.IndexByte(s.text[offset:], '\n'); i >= 0 {
		end = offset + i
	}
	cut := s.missing(start, offset)
	return &Place{Line: strings.Count(s.text[:start], "\n") + 1, Col: offset - start + 1 + cut, line: s.text[start:end], cut: cut}
}

// PlaceOf returns the position in a module's text that an error of this package names,
// nil if it names none.
func PlaceOf(err error) *Place {
	var p *Place
	if errors.As(err, &p) {
		return p
	}
	return nil
}

// fail ends reading with a mistake at an offset.
func (s *source) fail(offset int, kind error, op, format string, args ...any) {
	panic(s.error(offset, kind, op, fmt.Sprintf(format, args...)))
}

func (s *source) error(offset int, kind error, op, msg string) *core.Error {
	p := s.place(offset)
	return &core.Error{Kind: kind, Op: op, Pos: s.pos(p), Msg: msg, Err: &behind{p}}
}

func (s *source) pos(p *Place) string {
	name := s.name
	if name == "" {
		name = "module"
	}
	return name + ":" + p.String()
}

// located adds the position of an operation to an error of the rules that it was
// translated to.
func (s *source) located(err *core.Error, offset int, op string) *core.Error {
	if PlaceOf(err) != nil {
		return err
	}
	e := *err
	p := s.place(offset)
	e.Pos = s.pos(p)
	e.Op = op
	e.Err = &behind{p}
	if err.Err != nil {
		e.Msg += ": " + err.Err.Error()
	}
	return &e
}

// guard, deferred, makes an error of a panic that is none of weft's own: nothing that a
// file holds may end the process.
func guard(err *error) {
	r := recover()
	if r == nil {
		return
	}
	if e, ok := r.(*core.Error); ok {
		*err = e
		return
	}
	*err = &core.Error{Kind: core.ErrCheck, Op: "stablehlo", Msg: fmt.Sprintf("internal error: %v", r)}
}

// behind carries a Place behind an error that already names it; it prints the line.
type behind struct{ p *Place }

func (b *behind) Error() string {
	if c := b.p.Caret(); c != "" {
		return "\n" + c
	}
	return ""
}

func (b *behind) Unwrap() error { return b.p }
