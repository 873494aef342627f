package ir

import (
	"fmt"
	"strings"
)

// next reads the next line that is not empty into words.
func (p *parser) next() error {
	for p.at < len(p.lines) {
		s, _, _ := strings.Cut(p.lines[p.at], ";;")
		p.at++
		if w := split(s); len(w) > 0 {
			p.words = w
			return nil
		}
	}
	return fmt.Errorf("the kernel ends too early; close it with }")
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

func (p *parser) peek() string {
	if len(p.words) == 0 {
		return ""
	}
	return p.words[0]
}

func (p *parser) take() string {
	w := p.peek()
	if len(p.words) > 0 {
		p.words = p.words[1:]
	}
	return w
}

// accept takes the word if it is next.
func (p *parser) accept(w string) bool {
	if p.peek() != w {
		return false
	}
	p.take()
	return true
}

func (p *parser) expect(ws ...string) error {
	for _, w := range ws {
		if got := p.take(); got != w {
			return fmt.Errorf("got %q; write %q there", got, w)
		}
	}
	return nil
}

func (p *parser) end() error {
	if len(p.words) > 0 {
		return fmt.Errorf("%q is not expected here; remove it", p.peek())
	}
	return nil
}
