package lax_test

import (
	"fmt"
	"strings"
)

// The golden records are programs in Python. What they use of the language is
// little, and the files pyexpr_*_test.go read it: this one its words.

// pyUnknown is what a golden program uses and the reader does not know. It is not
// a failure: tests count it and list it.
type pyUnknown string

func (e pyUnknown) Error() string { return "cannot say " + string(e) }

func pyCannot(format string, args ...any) { panic(pyUnknown(fmt.Sprintf(format, args...))) }

type pyKind byte

const (
	pyName pyKind = iota
	pyNumber
	pyString
	pyMark    // an operator or a bracket
	pyNewline // the end of a statement
	pyIndent
	pyDedent
	pyEnd
)

type pyToken struct {
	kind pyKind
	text string
}

var pyMarks = []string{"**=", "//=", "...", "==", "!=", "<=", ">=", "**", "//", "+=", "-=", "*=", "/=", "->", "<<", ">>", ":="}

// pyLex takes a program apart into words. Line ends count outside of brackets only.
func pyLex(src string) (out []pyToken) {
	indents, depth := []int{0}, 0
	add := func(k pyKind, s string) { out = append(out, pyToken{k, s}) }
	for line := range strings.SplitSeq(src, "\n") {
		body := strings.TrimLeft(line, " ")
		if depth == 0 {
			if body == "" || body[0] == '#' {
				continue
			}
			at := len(line) - len(body)
			if at > indents[len(indents)-1] {
				indents = append(indents, at)
				add(pyIndent, "")
			}
			for at < indents[len(indents)-1] {
				indents = indents[:len(indents)-1]
				add(pyDedent, "")
			}
		}
		for body != "" {
			switch c := body[0]; {
			case c == ' ':
				body = body[1:]
				continue
			case c == '#':
				body = ""
				continue
			case c == '\'' || c == '"':
				end := strings.IndexByte(body[1:], c)
				if end < 0 {
					pyCannot("a string over several lines")
				}
				add(pyString, strings.ReplaceAll(body[1:end+1], `\n`, "\n"))
				body = body[end+2:]
				continue
			case pyDigit(c) || c == '.' && len(body) > 1 && pyDigit(body[1]):
				n := pyNumberEnd(body)
				add(pyNumber, body[:n])
				body = body[n:]
				continue
			case pyLetter(c):
				n := 1
				for n < len(body) && (pyLetter(body[n]) || pyDigit(body[n])) {
					n++
				}
				add(pyName, body[:n])
				body = body[n:]
				continue
			}
			mark := body[:1]
			for _, m := range pyMarks {
				if strings.HasPrefix(body, m) {
					mark = m
					break
				}
			}
			switch mark {
			case "(", "[", "{":
				depth++
			case ")", "]", "}":
				depth--
			}
			if mark == ";" && depth == 0 {
				add(pyNewline, "")
			} else {
				add(pyMark, mark)
			}
			body = body[len(mark):]
		}
		if depth == 0 {
			add(pyNewline, "")
		}
	}
	for range indents[1:] {
		add(pyDedent, "")
	}
	add(pyEnd, "")
	return out
}

func pyDigit(c byte) bool { return c >= '0' && c <= '9' }

func pyLetter(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// pyNumberEnd is where the number at the head of s ends: 3, 0.5, 1e-5, 2j, 0x7f.
func pyNumberEnd(s string) int {
	if strings.HasPrefix(s, "0x") {
		n := 2
		for n < len(s) && strings.IndexByte("0123456789abcdefABCDEF", s[n]) >= 0 {
			n++
		}
		return n
	}
	n := 0
	for n < len(s) {
		c := s[n]
		sign := (c == '-' || c == '+') && n > 0 && (s[n-1] == 'e' || s[n-1] == 'E')
		if !pyDigit(c) && c != '.' && c != 'e' && c != 'E' && c != '_' && !sign {
			break
		}
		n++
	}
	if n < len(s) && s[n] == 'j' {
		n++
	}
	return n
}
