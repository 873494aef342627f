package syntax

import "strings"

// keyAhead reports whether parameters stand after the blanks at i: key=, or only the closing bracket.
func (r *reader) keyAhead(i int) bool {
	i = r.afterBlanks(i)
	if r.at(i) == ']' {
		return true // an empty list of parameters: an index of a reference is not empty
	}
	n := r.ident(i)
	return n > 0 && r.at(i+n) == '=' && r.at(i+n+1) != '='
}

// params reads key=value pairs up to and with the closing bracket.
func (r *reader) params(prim string) []Param {
	var ps []Param
	var seen map[string]bool // made when there are many
	for {
		r.blanks()
		if r.peek() == ']' {
			r.pos++
			return ps
		}
		n := r.ident(r.pos)
		if n == 0 || r.at(r.pos+n) != '=' {
			r.fail(r.pos, "expected a parameter of %s as key=value, or ]", prim)
		}
		p := Param{Key: r.src[r.pos : r.pos+n], Pos: r.pos}
		twice := seen[p.Key]
		if seen == nil {
			for _, q := range ps {
				twice = twice || q.Key == p.Key
			}
			if len(ps) == 32 {
				seen = map[string]bool{}
				for _, q := range ps {
					seen[q.Key] = true
				}
			}
		}
		if twice {
			r.fail(r.pos, "parameter %s of %s is given twice; write it once", p.Key, prim)
		}
		if seen != nil {
			seen[p.Key] = true
		}
		r.pos += n + 1
		r.value(&p)
		ps = append(ps, p)
	}
}

func (r *reader) value(p *Param) {
	switch {
	case r.programAhead(r.pos):
		p.Elems = []Elem{{Prog: r.program()}}
	case r.programTuple(p):
	case r.mixed(p):
	default:
		p.Text = r.valueText(p.Key)
		// An empty tuple may be broken into two lines.
		if inside, ok := Unbracket(p.Text); ok && p.Text[0] == '(' && strings.TrimSpace(inside) == "" {
			p.Text = "()"
		}
	}
}

func (r *reader) programAhead(i int) bool {
	if r.at(i) != '{' {
		return false
	}
	i = r.afterBlanks(i + 1)
	return strings.HasPrefix(r.src[min(i, len(r.src)):], "lambda") && !IsWord(r.at(i+len("lambda")))
}

// programTuple reads ( program name … ), if this is one: elements stand after
// each other without commas.
func (r *reader) programTuple(p *Param) bool {
	if r.peek() != '(' {
		return false
	}
	save := r.pos
	r.pos++
	whole := false // some element was a program
	for {
		r.blanks()
		n := r.ident(r.pos)
		switch {
		case r.peek() == ')' && len(p.Elems) > 0:
			r.pos++
			p.Tuple = true
			p.Text = r.src[save:r.pos]
			return true
		case r.programAhead(r.pos):
			whole = true
			p.Elems = append(p.Elems, Elem{Prog: r.program()})
		case n > 0 && (isBlank(r.at(r.pos+n)) || r.at(r.pos+n) == ')'):
			p.Elems = append(p.Elems, Elem{Name: r.src[r.pos : r.pos+n]})
			r.pos += n
		case whole && r.peek() != ',':
			r.fail(r.pos, "expected a program, the name of one, or )")
		default:
			r.pos, p.Elems = save, nil
			return false
		}
	}
}

// mixed reads a value with programs in it that are texts of their own, as in
// Name(part={ … }, other=let … in { … }, last=None) and ({ … }, 3, <object at 0xXX>).
func (r *reader) mixed(p *Param) bool {
	start := r.pos
	end := r.valueEnd(true)
	if end < 0 {
		return false
	}
	from := start // of the text after the last program
	for i := start; i < end; {
		switch c := r.src[i]; {
		case r.programAhead(i) || r.definitionAhead(i):
			p.Around = append(p.Around, r.src[from:i])
			r.pos = i
			p.Texts = append(p.Texts, r.text())
			if r.pos > end {
				r.fail(start, "the brackets of parameter %s do not match those of the program in it; close each where it was opened", p.Key)
			}
			i, from = r.pos, r.pos
		case c == '\'' || c == '"':
			i += max(1, quoted(r.src[i:]))
		default:
			i++
		}
	}
	r.pos = start
	if p.Texts == nil {
		return false
	}
	p.Text = strings.TrimRight(r.src[start:end], " \n\t\r")
	p.Around = append(p.Around, strings.TrimRight(r.src[from:end], " \n\t\r"))
	r.pos = end
	return true
}

// definitionAhead reports whether the definition of a shared program begins at i: let name = {.
func (r *reader) definitionAhead(i int) bool {
	if !strings.HasPrefix(r.src[i:], "let ") || i > 0 && IsWord(r.src[i-1]) {
		return false
	}
	i = r.afterBlanks(i + len("let "))
	n := strings.IndexAny(r.src[i:], "=\n{")
	return n > 0 && r.src[i+n] == '=' && r.programAhead(r.afterBlanks(i+n+1))
}

// valueText reads a value as it stands: up to the closing bracket of the
// parameters or the next key=, both outside of brackets and quotes. Where brackets
// do not match, as in a name that a user chose, they mean nothing.
func (r *reader) valueText(key string) string {
	start := r.pos
	end := -1
	if key == "fmt" {
		// A format string is not quoted: the next parameter ends it.
		if i := strings.Index(r.src[start:], "has_placeholders="); i > 0 && isBlank(r.src[start+i-1]) {
			end = start + i
		}
	}
	if end < 0 {
		end = r.valueEnd(true)
	}
	if end < 0 {
		end = r.valueEnd(false)
	}
	if end < 0 {
		r.fail(start, "parameter %s has no end; close its brackets", key)
	}
	r.pos = end
	return strings.TrimRight(r.src[start:end], " \n\t\r")
}

func (r *reader) valueEnd(brackets bool) int {
	var first [32]byte // room for the brackets of most values
	open := first[:0]  // the closing brackets that are due
	for i := r.pos; i < len(r.src); i++ {
		switch c := r.src[i]; c {
		case '(', '[', '{':
			if brackets {
				open = append(open, closing(c))
			}
		case ')', '}', ']':
			if c == ']' && len(open) == 0 {
				return i
			}
			if !brackets {
				break
			}
			if len(open) == 0 || open[len(open)-1] != c {
				return -1
			}
			open = open[:len(open)-1]
		case '\'', '"':
			if brackets && (len(open) > 0 || i == r.pos) {
				if n := quoted(r.src[i:]); n > 0 {
					i += n - 1
				}
			}
		default:
			if !isBlank(c) {
				break
			}
			i = r.afterBlanks(i) - 1 // the last blank
			if len(open) == 0 && r.at(i+1) != ']' && r.keyAhead(i+1) {
				return i
			}
		}
	}
	return -1
}

func closing(c byte) byte {
	if c == '(' {
		return ')'
	}
	return c + 2 // [ and ], { and }
}

// quoted returns the length of the quoted string at the head of s, 0 if it does not end
// on its line.
func quoted(s string) int {
	for i := 1; i < len(s) && s[i] != '\n'; i++ {
		switch s[i] {
		case '\\':
			i++
		case s[0]:
			return i + 1
		}
	}
	return 0
}
