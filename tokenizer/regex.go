package tokenizer

import (
	"errors"
	"strings"
	"unicode/utf8"
)

// A regex is a pattern as tokenizers have them: with lookahead and lookbehind, which package regexp lacks. Matching
// backtracks; the number of its steps is bounded.
type regex struct {
	text  string
	start node
}

// A node is a part of a pattern. match passes the end of each match that begins at the position `at` to the function `then`, and
// returns true as soon as that does.
type node interface {
	match(m *matcher, at int, then func(end int) bool) bool
}

type matcher struct {
	text  string
	steps int
}

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

type literal string

func (l literal) match(m *matcher, at int, then func(int) bool) bool {
	m.step()
	return strings.HasPrefix(m.text[at:], string(l)) && then(at+len(l))
}

// find returns the matches of a pattern from the left, without overlaps. An empty match at the end
// of the match before does not count.
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
	last := -1
	for at := 0; at <= len(text); {
		end := -1
		if x.start.match(m, at, func(e int) bool { end = e; return true }) && (end > at || at != last) {
			spans = append(spans, [2]int{at, end})
			last = end
			if end > at {
				at = end
				continue
			}
		}
		_, n := utf8.DecodeRuneInString(text[at:])
		at += max(n, 1)
	}
	return spans, nil
}

// replace puts the text `by` in the place of each match. If a match takes the first character, the result is the beginning of the
// whole text only if the match is no longer than that, and `by` is not empty.
func (x *regex) replace(p piece, by string) (piece, error) {
	text := p.text
	spans, err := x.find(text)
	if err != nil || len(spans) == 0 {
		return p, err
	}
	if s := spans[0]; s[0] == 0 && s[1] > 0 {
		_, n := utf8.DecodeRuneInString(text)
		p.first = p.first && by != "" && s[1] == n
	}
	var b strings.Builder
	at := 0
	for _, s := range spans {
		b.WriteString(text[at:s[0]])
		b.WriteString(by)
		at = s[1]
	}
	b.WriteString(text[at:])
	p.text = b.String()
	return p, nil
}
