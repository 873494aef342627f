package python

import (
	"strings"
)

type kind byte

const (
	nameWord kind = iota
	numberWord
	stringWord
	markWord    // an operator or a bracket
	newlineWord // the end of a statement
	indentWord
	dedentWord
	endWord
)

type word struct {
	kind kind
	text string
}

var marks = []string{"**=", "//=", "...", "==", "!=", "<=", ">=", "**", "//", "+=", "-=", "*=", "/=", "->", "<<", ">>", ":="}

// split splits a program into words. Line ends count outside of brackets only.
func split(src string) (out []word) {
	indents, depth := []int{0}, 0
	add := func(k kind, s string) { out = append(out, word{k, s}) }
	for line := range strings.SplitSeq(src, "\n") {
		body := strings.TrimLeft(line, " ")
		if depth == 0 {
			if body == "" || body[0] == '#' {
				continue
			}
			at := len(line) - len(body)
			if at > indents[len(indents)-1] {
				indents = append(indents, at)
				add(indentWord, "")
			}
			for at < indents[len(indents)-1] {
				indents = indents[:len(indents)-1]
				add(dedentWord, "")
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
					Cannot("a string over several lines")
				}
				add(stringWord, strings.ReplaceAll(body[1:end+1], `\n`, "\n"))
				body = body[end+2:]
				continue
			case isDigit(c) || c == '.' && len(body) > 1 && isDigit(body[1]):
				n := numberEnd(body)
				add(numberWord, body[:n])
				body = body[n:]
				continue
			case isLetter(c):
				n := 1
				for n < len(body) && (isLetter(body[n]) || isDigit(body[n])) {
					n++
				}
				add(nameWord, body[:n])
				body = body[n:]
				continue
			}
			mark := body[:1]
			for _, m := range marks {
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
				add(newlineWord, "")
			} else {
				add(markWord, mark)
			}
			body = body[len(mark):]
		}
		if depth == 0 {
			add(newlineWord, "")
		}
	}
	for range indents[1:] {
		add(dedentWord, "")
	}
	add(endWord, "")
	return out
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isLetter(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// numberEnd returns where the number at the head of s ends: 3, 0.5, 1e-5, 2j, 0x7f.
func numberEnd(s string) int {
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
		if !isDigit(c) && c != '.' && c != 'e' && c != 'E' && c != '_' && !sign {
			break
		}
		n++
	}
	if n < len(s) && s[n] == 'j' {
		n++
	}
	return n
}
