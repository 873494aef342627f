package stablehlo

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"

	"github.com/weft-go/weft/core"
)

// source is the file of a module: a text, or bytecode.
type source struct {
	name  string
	text  string
	blobs []blob // constants to which the text refers by number
	bin   *bytecode

	once   sync.Once
	places *core.Text // names the places of equations
}

// A Place is a position in a module: in a text a line and a column, which count from 1,
// and in bytecode a section and a byte.
type Place struct {
	Line, Col int
	line      string
	cut       int // how many characters the line lacks in front of the column

	Section  string // "" for a text
	Byte     int
	Location string // of an operation in bytecode: where the exporter had it from, if known
}

// String returns line:column, or for bytecode the section, the byte and, if known, the location.
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

// Caret returns the line of a text with a mark under the column, "" for bytecode. A long line is cut.
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

// PlaceOf returns the position in a module that an error of this package names, nil if it
// names none.
func PlaceOf(err error) *Place {
	var p *Place
	if errors.As(err, &p) {
		return p
	}
	return nil
}

func (s *source) fail(offset int, kind error, op, format string, args ...any) {
	panic(s.error(offset, kind, op, fmt.Sprintf(format, core.Excerpts(args)...)))
}

func (s *source) error(offset int, kind error, op, msg string) *core.Error {
	p := s.place(offset)
	return &core.Error{Kind: kind, Op: core.Excerpt(op), Pos: s.pos(p), Msg: msg, Err: &behind{p}}
}

func (s *source) pos(p *Place) string { return s.title() + ":" + p.String() }

func (s *source) title() string {
	if s.name == "" {
		return "module"
	}
	return s.name
}

// site returns the place of an operation as equations keep it.
func (s *source) site(offset int) core.Site {
	s.once.Do(func() {
		places, size := s.withoutConstants(), len(s.text)
		if s.bin != nil {
			size = len(s.bin.file)
		}
		s.places = core.NewText(size, func(offset int) (string, int, string) {
			p := places.place(offset)
			return places.title(), p.Line, filepath.Base(places.title()) + ":" + p.String()
		})
	})
	return s.places.Site(offset)
}

// withoutConstants returns a source that suffices to name positions: the text without the constants that were
// decoded, or the bytecode.
func (s *source) withoutConstants() *source {
	places := &source{name: s.name, text: s.text, blobs: make([]blob, len(s.blobs))}
	for i, b := range s.blobs {
		places.blobs[i] = blob{at: b.at, cut: b.cut}
	}
	if s.bin != nil {
		bin := *s.bin
		bin.src, places.bin = places, &bin
	}
	return places
}

// PlaceOf returns the position in the module that an error names: of the module itself, or
// of an equation that it was translated to. It is nil if the error names none, or only that
// of an equation translated from bytecode.
func (m *Module) PlaceOf(err error) *Place {
	if p := PlaceOf(err); p != nil {
		return p
	}
	var c *core.Error
	if !errors.As(err, &c) {
		return nil
	}
	at, ok := strings.CutPrefix(c.Pos, filepath.Base(m.src.title())+":")
	if !ok {
		return nil
	}
	var line, col int
	if n, _ := fmt.Sscanf(at, "%d:%d", &line, &col); n == 2 && m.src.bin == nil {
		return m.src.lineAt(line, col)
	}
	return nil
}

// lineAt returns the position of a line and column, or nil if the text has no such line.
func (s *source) lineAt(line, col int) *Place {
	start := 0
	for range line - 1 {
		i := strings.IndexByte(s.text[start:], '\n')
		if i < 0 {
			return nil
		}
		start += i + 1
	}
	offset := start + col - 1
	for i := range s.blobs { // the text lacks their digits
		if b := &s.blobs[i]; b.at >= start && b.at < offset-b.cut {
			offset -= b.cut
		}
	}
	return s.place(offset)
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

// guard, deferred, turns any panic into an error: nothing that a file contains may end the process.
func guard(err *error) {
	r := recover()
	if r == nil {
		return
	}
	if e, ok := r.(*core.Error); ok {
		*err = e
		return
	}
	*err = &core.Error{Kind: core.ErrCheck, Op: "stablehlo", Msg: fmt.Sprintf("internal error: %v; report it with the file", r)}
}

// behind attaches a Place to an error whose message states it already. Its own text is the Caret of the Place.
type behind struct{ p *Place }

func (b *behind) Error() string {
	if c := b.p.Caret(); c != "" {
		return "\n" + c
	}
	return ""
}

func (b *behind) Unwrap() error { return b.p }
