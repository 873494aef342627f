package tokenizer

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// class reads a class of characters, such as [a-z], after its opening bracket.
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
			if name := p.text[p.at : p.at+end]; strings.ToLower(name) == "punct" { // which has symbols, unlike \p{punct}
				tests = append(tests, func(r rune) bool { return unicode.IsPunct(r) || unicode.IsSymbol(r) })
			} else {
				tests = append(tests, p.table(name))
			}
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

// member reads one member of a class: the character r, or a set of characters, whose test it returns.
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

var escapes = map[rune]rune{'n': '\n', 'r': '\r', 't': '\t', 'f': '\f', 'v': '\v', 'a': '\a', 'e': 0x1b, '0': 0}

func (p *parser) escape() character {
	r := p.next()
	switch r {
	case 's', 'S':
		return character{is: unicode.IsSpace, not: r == 'S'}
	case 'd', 'D':
		return character{is: unicode.IsDigit, not: r == 'D'}
	case 'w', 'W':
		return character{is: func(r rune) bool { return isWord(r) && r != '\u200c' && r != '\u200d' }, not: r == 'W'}
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

func (p *parser) table(name string) func(rune) bool {
	switch strings.ToLower(name) {
	case "alpha", "alphabetic":
		return func(r rune) bool { return unicode.IsLetter(r) || unicode.In(r, unicode.Nl, unicode.Other_Alphabetic) }
	case "punct":
		return unicode.IsPunct
	case "space", "white_space":
		return unicode.IsSpace
	case "upper", "uppercase":
		return func(r rune) bool { return unicode.In(r, unicode.Lu, unicode.Other_Uppercase) }
	case "lower", "lowercase":
		return func(r rune) bool { return unicode.In(r, unicode.Ll, unicode.Other_Lowercase) }
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

// folded returns the test for a character and, if p.fold is set, for the same letter in another case.
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
