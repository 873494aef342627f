package tokenizer

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

type patternForm struct {
	String *string
	Regex  *string
}

func (p patternForm) compile() (*regex, error) {
	switch {
	case p.String != nil && *p.String != "":
		return &regex{*p.String, literal(*p.String)}, nil
	case p.Regex != nil:
		return compile(*p.Regex)
	}
	return nil, fmt.Errorf("the pattern is empty; correct the file")
}

type parser struct {
	text  string
	at    int
	depth int
	fold  bool // letters match in either case
}

const maxPattern = 1 << 14

func compile(text string) (x *regex, err error) {
	if len(text) > maxPattern {
		return nil, fmt.Errorf("a pattern has %d bytes, at most %d are allowed; shorten it", len(text), maxPattern)
	}
	p := &parser{text: text}
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(patternError)
			if !ok {
				panic(r)
			}
			x, err = nil, fmt.Errorf("pattern %q, byte %d: %w", text, p.at, e)
		}
	}()
	start := p.choice()
	if p.at < len(text) {
		p.fail("unexpected )")
	}
	return &regex{text, start}, nil
}

type patternError string

func (e patternError) Error() string { return string(e) }

func (p *parser) fail(format string, args ...any) {
	panic(patternError(fmt.Sprintf(format+"; correct the pattern", args...)))
}

func (p *parser) accept(s string) bool {
	if strings.HasPrefix(p.text[p.at:], s) {
		p.at += len(s)
		return true
	}
	return false
}

func (p *parser) next() rune {
	r, n := utf8.DecodeRuneInString(p.text[p.at:])
	if n == 0 {
		p.fail("the pattern ends early")
	}
	p.at += n
	return r
}

func (p *parser) choice() node {
	if p.depth++; p.depth > 100 {
		p.fail("groups nest more than 100 deep")
	}
	defer func() { p.depth-- }()
	var list choice
	for {
		list = append(list, p.sequence())
		if !p.accept("|") {
			break
		}
	}
	if len(list) == 1 {
		return list[0]
	}
	return list
}

func (p *parser) sequence() node {
	var s sequence
	for p.at < len(p.text) && p.text[p.at] != '|' && p.text[p.at] != ')' {
		s = append(s, p.repeated(p.atom()))
	}
	if len(s) == 1 {
		return s[0]
	}
	return s
}

func (p *parser) repeated(n node) node {
	for {
		r := repeat{of: n, max: -1}
		switch {
		case p.accept("*"):
		case p.accept("+"):
			r.min = 1
		case p.accept("?"):
			r.max = 1
		case p.at < len(p.text) && p.text[p.at] == '{' && p.bounds(&r):
		default:
			return n
		}
		switch {
		case p.accept("?"):
			r.lazy = true
		case p.accept("+"):
			r.keep = true
		}
		n = r
	}
}

// bounds reads {n}, {n,}, {,m} or {n,m}, with numbers up to 1000; anything else is text.
func (p *parser) bounds(r *repeat) bool {
	end := strings.IndexByte(p.text[p.at:], '}')
	if end < 0 {
		return false
	}
	lo, hi, both := strings.Cut(p.text[p.at+1:p.at+end], ",")
	number := func(s string, none int) (int, bool) {
		if s == "" {
			return none, both
		}
		v, err := strconv.Atoi(s)
		return v, err == nil && v >= 0 && v <= 1000
	}
	var ok1, ok2 bool
	if r.min, ok1 = number(lo, 0); !both {
		hi = lo
	}
	r.max, ok2 = number(hi, -1)
	if !ok1 || !ok2 || lo == "" && hi == "" {
		return false
	}
	p.at += end + 1
	return true
}

func (p *parser) atom() node {
	switch {
	case p.accept("(?:"):
		return p.group()
	case p.accept("(?i:"):
		old := p.fold
		p.fold = true
		n := p.group()
		p.fold = old
		return n
	case p.accept("(?="):
		return look{of: p.group()}
	case p.accept("(?!"):
		return look{of: p.group(), not: true}
	case p.accept("(?<="):
		return look{of: p.group(), behind: true}
	case p.accept("(?<!"):
		return look{of: p.group(), behind: true, not: true}
	case p.accept("(?>"):
		return repeat{of: p.group(), min: 1, max: 1, keep: true}
	case p.accept("(?"):
		p.fail("this kind of group is not supported")
	case p.accept("("):
		return p.group()
	case p.accept("["):
		return p.class()
	case p.accept("."):
		return character{is: func(r rune) bool { return r != '\n' }}
	case p.accept("^"):
		return edge{}
	case p.accept("$"):
		return edge{end: true}
	case p.accept(`\`):
		return p.escape()
	}
	return p.literal(p.next())
}

func (p *parser) group() node {
	n := p.choice()
	if !p.accept(")") {
		p.fail("a group lacks its )")
	}
	return n
}

func (p *parser) literal(r rune) character { return character{is: p.folded(r)} }
