package jaxpr

import (
	"bufio"
	"strings"
)

const blanks = "                                                                "

type plainSink struct{ w *bufio.Writer }

func (s *plainSink) text(t string) { s.w.WriteString(t) }

func (s *plainSink) newline(indent int) {
	s.w.WriteByte('\n')
	for ; indent > len(blanks); indent -= len(blanks) {
		s.w.WriteString(blanks)
	}
	s.w.WriteString(blanks[:indent])
}

func (s *plainSink) note(string) {}
func (s *plainSink) mark(any)    {}

// nowhere drops the text, where only its length or the names of its variables are needed.
type nowhere struct{}

func (nowhere) text(string) {}
func (nowhere) newline(int) {}
func (nowhere) note(string) {}
func (nowhere) mark(any)    {}

// notedSink puts the annotations of each line after it, in one column; the
// second and further ones of a line get lines of their own.
type notedSink struct {
	prefix string
	lines  []notedLine
	b      strings.Builder
	notes  []string
}

type notedLine struct {
	text  string
	notes []string
}

func (s *notedSink) text(t string) { s.b.WriteString(t) }
func (s *notedSink) note(t string) { s.notes = append(s.notes, t) }
func (s *notedSink) mark(any)      {}

func (s *notedSink) newline(indent int) {
	s.flush()
	s.b.WriteString(strings.Repeat(" ", indent))
}

func (s *notedSink) flush() {
	s.lines = append(s.lines, notedLine{s.b.String(), s.notes})
	s.b.Reset()
	s.notes = nil
}

func (s *notedSink) join() string {
	s.flush()
	width := 0
	for _, l := range s.lines {
		width = max(width, len(l.text))
	}
	var b strings.Builder
	for i, l := range s.lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(l.text)
		for k, n := range l.notes {
			if k > 0 {
				b.WriteByte('\n')
				b.WriteString(strings.Repeat(" ", width))
			} else {
				b.WriteString(strings.Repeat(" ", width-len(l.text)))
			}
			b.WriteString(s.prefix)
			b.WriteString(n)
		}
	}
	return b.String()
}

// textBetween keeps what lies between the two marks of one equation.
type textBetween struct {
	b  strings.Builder
	on bool
}

func (s *textBetween) text(t string) {
	if s.on {
		s.b.WriteString(t)
	}
}

func (s *textBetween) newline(indent int) {
	if s.on {
		s.b.WriteByte('\n')
		s.b.WriteString(strings.Repeat(" ", indent))
	}
}

func (s *textBetween) note(string) {}
func (s *textBetween) mark(any)    { s.on = !s.on }
