package tokenizer

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A regex is a pattern as tokenizers have them: one of package regexp, or one with lookahead and
// lookbehind, which needs backtracking. The number of its steps is bounded.
type regex struct {
	text  string
	start node
}

// A node matches at a place and calls then with the end of what it matched, until that returns
// true.
type node interface {
	match(m *matcher, at int, then func(end int) bool) bool
}

// matcher is a search in a text.
type matcher struct {
	text  string
	steps int
}

// errSteps is the error of a search that takes too long.
var errSteps = errors.New("a pattern takes too many steps on this text; simplify the tokenizer's pattern")

type (
	sequence  []node
	choice    []node
	character struct {
		is  func(r rune) bool
		not bool
	}
	repeat struct {
		of         node
		min, max   int
		lazy, keep bool
	}
	look struct {
		of          node
		behind, not bool
	}
	edge struct{ end bool }
)

func (s sequence) match(m *matcher, at int, then func(int) bool) bool {
	if len(s) == 0 {
		return then(at)
	}
	return s[0].match(m, at, func(end int) bool { return s[1:].match(m, end, then) })
}

func (c choice) match(m *matcher, at int, then func(int) bool) bool {
	for _, n := range c {
		if n.match(m, at, then) {
			return true
		}
	}
	return false
}

func (c character) match(m *matcher, at int, then func(int) bool) bool {
	m.step()
	r, n := utf8.DecodeRuneInString(m.text[at:])
	return n > 0 && c.is(r) != c.not && then(at+n)
}

// step counts a step; too many end the search by a panic, which find catches.
func (m *matcher) step() {
	if m.steps--; m.steps < 0 {
		panic(errSteps)
	}
}

func (r repeat) match(m *matcher, at int, then func(int) bool) bool {
	if c, ok := r.of.(character); ok && !r.lazy { // one character at a time: the ends need no recursion
		ends := []int{at}
		for len(ends)-1 != r.max {
			m.step()
			ch, n := utf8.DecodeRuneInString(m.text[at:])
			if n == 0 || c.is(ch) == c.not {
				break
			}
			at += n
			ends = append(ends, at)
		}
		for k := len(ends) - 1; k >= r.min; k-- {
			m.step()
			if then(ends[k]) {
				return true
			}
			if r.keep {
				return false
			}
		}
		return false
	}
	if r.keep {
		end, ok := at, false
		if !(repeat{of: r.of, min: r.min, max: r.max}).match(m, at, func(e int) bool { end, ok = e, true; return true }) || !ok {
			return false
		}
		return then(end)
	}
	return r.times(m, at, 0, then)
}

// maxNesting bounds the repetitions of groups, which take stack.
const maxNesting = 10000

func (r repeat) times(m *matcher, at, k int, then func(int) bool) bool {
	m.step()
	if k > maxNesting {
		panic(errSteps)
	}
	more := func() bool {
		return k != r.max && r.of.match(m, at, func(end int) bool {
			return (end > at || k < r.min) && r.times(m, end, k+1, then)
		})
	}
	if k < r.min {
		return more()
	}
	if r.lazy {
		return then(at) || more()
	}
	return more() || then(at)
}

func (l look) match(m *matcher, at int, then func(int) bool) bool {
	found := false
	if l.behind {
		for begin := at; begin >= 0 && !found; begin-- {
			m.step()
			if utf8.RuneStart(byteAt(m.text, begin)) {
				found = l.of.match(m, begin, func(end int) bool { return end == at })
			}
		}
	} else {
		found = l.of.match(m, at, func(int) bool { return true })
	}
	return found != l.not && then(at)
}

func byteAt(s string, i int) byte {
	if i == len(s) {
		return 0
	}
	return s[i]
}

func (e edge) match(m *matcher, at int, then func(int) bool) bool {
	if e.end {
		return (at == len(m.text) || m.text[at] == '\n') && then(at)
	}
	return (at == 0 || m.text[at-1] == '\n') && then(at)
}

// find returns the places that a pattern matches, from the left, none within another.
func (x *regex) find(text string) (spans [][2]int, err error) {
	defer func() {
		if r := recover(); r != nil {
			if r != errSteps {
				panic(r)
			}
			spans, err = nil, errSteps
		}
	}()
	m := &matcher{text: text, steps: 1<<16 + 256*len(text)}
	for at := 0; at < len(text); {
		end := -1
		if x.start.match(m, at, func(e int) bool { end = e; return true }) && end > at {
			spans = append(spans, [2]int{at, end})
			at = end
			continue
		}
		_, n := utf8.DecodeRuneInString(text[at:])
		at += n
	}
	return spans, nil
}

// replace puts a text in the place of each match.
func (x *regex) replace(text, by string) (string, error) {
	spans, err := x.find(text)
	if err != nil || len(spans) == 0 {
		return text, err
	}
	var b strings.Builder
	at := 0
	for _, s := range spans {
		b.WriteString(text[at:s[0]])
		b.WriteString(by)
		at = s[1]
	}
	b.WriteString(text[at:])
	return b.String(), nil
}

// parser reads a pattern.
type parser struct {
	text  string
	at    int
	depth int
	fold  bool // letters match in either case
}

// maxPattern bounds the length of patterns.
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

// bounds reads {n}, {n,}, {,m} or {n,m}; anything else is text.
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

// folded returns the test for a character, or also for the same letter in another case.
func (p *parser) folded(r rune) func(rune) bool {
	if !p.fold {
		return func(c rune) bool { return c == r }
	}
	return func(c rune) bool {
		if c == r {
			return true
		}
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			if c == f {
				return true
			}
		}
		return false
	}
}

var escapes = map[rune]rune{'n': '\n', 'r': '\r', 't': '\t', 'f': '\f', 'v': '\v', 'a': '\a', 'e': 0x1b, '0': 0}

func (p *parser) escape() character {
	r := p.next()
	switch r {
	case 's', 'S':
		return character{is: unicode.IsSpace, not: r == 'S'}
	case 'd', 'D':
		return character{is: unicode.IsDigit, not: r == 'D'}
	case 'w', 'W':
		return character{is: isWord, not: r == 'W'}
	case 'p', 'P':
		return p.property(r == 'P')
	case 'x', 'u':
		return p.literal(p.hex(r))
	}
	if c, ok := escapes[r]; ok {
		return p.literal(c)
	}
	if r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
		p.fail(`\%c is not supported`, r)
	}
	return p.literal(r)
}

func (p *parser) hex(kind rune) rune {
	digits := map[rune]int{'x': 2, 'u': 4}[kind]
	text := p.text[p.at:]
	if p.accept("{") {
		end := strings.IndexByte(p.text[p.at:], '}')
		if end < 0 {
			p.fail("a number lacks its }")
		}
		text, digits = p.text[p.at:p.at+end], end
		p.at++
	}
	if len(text) < digits {
		p.fail("the pattern ends early")
	}
	v, err := strconv.ParseUint(text[:digits], 16, 21)
	if err != nil {
		p.fail("%q is no number of a character", text[:digits])
	}
	p.at += digits
	return rune(v)
}

func (p *parser) property(not bool) character {
	if p.accept("{") {
		if p.accept("^") {
			not = !not
		}
		end := strings.IndexByte(p.text[p.at:], '}')
		if end < 0 {
			p.fail("a property lacks its }")
		}
		name := p.text[p.at : p.at+end]
		p.at += end + 1
		return character{is: p.table(name), not: not}
	}
	return character{is: p.table(string(p.next())), not: not}
}

// table returns the test for a property of characters.
func (p *parser) table(name string) func(rune) bool {
	switch strings.ToLower(name) {
	case "alpha", "alphabetic":
		return func(r rune) bool { return unicode.IsLetter(r) || unicode.In(r, unicode.Nl, unicode.Other_Alphabetic) }
	case "punct":
		return unicode.IsPunct
	case "space", "white_space":
		return unicode.IsSpace
	case "upper", "uppercase":
		return unicode.IsUpper
	case "lower", "lowercase":
		return unicode.IsLower
	case "digit":
		return unicode.IsDigit
	case "alnum":
		return func(r rune) bool {
			return unicode.IsLetter(r) || unicode.In(r, unicode.Nl, unicode.Other_Alphabetic, unicode.Nd)
		}
	}
	for _, tables := range []map[string]*unicode.RangeTable{unicode.Categories, unicode.Scripts, unicode.Properties} {
		if t, ok := tables[name]; ok {
			return func(r rune) bool { return unicode.Is(t, r) }
		}
	}
	p.fail("there is no property %q", name)
	return nil
}

// class reads [...] after the bracket.
func (p *parser) class() node {
	if p.depth++; p.depth > 100 {
		p.fail("classes nest more than 100 deep")
	}
	defer func() { p.depth-- }()
	not := p.accept("^")
	var tests []func(rune) bool
	for first := true; ; first = false {
		if !first && p.accept("]") {
			break
		}
		if p.accept("&&") {
			p.fail("intersections of classes are not supported")
		}
		if p.accept("[:") {
			end := strings.Index(p.text[p.at:], ":]")
			if end < 0 {
				p.fail("a class lacks its :]")
			}
			tests = append(tests, p.table(p.text[p.at:p.at+end]))
			p.at += end + 2
			continue
		}
		if p.accept("[") {
			c := p.class().(character)
			tests = append(tests, func(r rune) bool { return c.is(r) != c.not })
			continue
		}
		lo, test := p.member()
		if test != nil {
			tests = append(tests, test)
			continue
		}
		if rest := p.text[p.at:]; len(rest) > 1 && rest[0] == '-' && rest[1] != ']' {
			p.at++
			hi, test := p.member()
			if test != nil || hi < lo {
				p.fail("a range has no end")
			}
			if p.fold {
				tests = append(tests, func(r rune) bool {
					if lo <= r && r <= hi {
						return true
					}
					for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
						if lo <= f && f <= hi {
							return true
						}
					}
					return false
				})
				continue
			}
			tests = append(tests, func(r rune) bool { return lo <= r && r <= hi })
			continue
		}
		tests = append(tests, p.folded(lo))
	}
	return character{not: not, is: func(r rune) bool {
		for _, t := range tests {
			if t(r) {
				return true
			}
		}
		return false
	}}
}

// member reads a character of a class, or a set of them.
func (p *parser) member() (r rune, test func(rune) bool) {
	if !p.accept(`\`) {
		return p.next(), nil
	}
	switch c := p.next(); c {
	case 's', 'S', 'd', 'D', 'w', 'W', 'p', 'P':
		p.at -= utf8.RuneLen(c)
		e := p.escape()
		return 0, func(r rune) bool { return e.is(r) != e.not }
	case 'x', 'u':
		return p.hex(c), nil
	default:
		if e, ok := escapes[c]; ok {
			return e, nil
		}
		if c < utf8.RuneSelf && (unicode.IsLetter(c) || unicode.IsDigit(c)) {
			p.fail(`\%c is not supported`, c)
		}
		return c, nil
	}
}
