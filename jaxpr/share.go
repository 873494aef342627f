package jaxpr

import (
	"strconv"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr/internal/syntax"
)

// Programs that occur more than once, and those of more than ten equations, are written once,
// before the main program, in the order of a breadth-first walk. Equations show their names.

const inPlace = 10 // the most equations of an inner program that is written in place

// sharing returns the name of every program that is pulled out of top, and lists
// them in order.
func sharing(top *Jaxpr, read *reading) (names map[*Jaxpr]string, order []*Jaxpr) {
	type seen struct {
		uses  int
		multi bool // found again, or within something that is
		hint  string
	}
	met := map[*Jaxpr]*seen{top: {}}
	var walk []*Jaxpr
	for queue := []*Jaxpr{top}; len(queue) > 0; queue = queue[1:] {
		j := queue[0]
		walk = append(walk, j)
		for _, e := range j.Eqns {
			inner := shownPrograms(e, read)
			if len(inner) == 0 {
				continue
			}
			hint, named := nameParam(e.Prim)
			for _, s := range inner {
				if s == nil {
					continue // only a program that does not pass Check has one
				}
				m := met[s]
				if m == nil {
					m = &seen{}
					met[s] = m
					queue = append(queue, s)
				}
				m.uses++
				if named && m.hint == "" {
					m.hint = wordOf(hint)
				}
			}
		}
	}
	// A program within one that is found twice is found twice itself.
	var again []*Jaxpr
	for _, j := range walk {
		if met[j].uses > 1 {
			met[j].multi = true
			again = append(again, j)
		}
	}
	for len(again) > 0 {
		j := again[len(again)-1]
		again = again[:len(again)-1]
		for _, e := range j.Eqns {
			for _, s := range shownPrograms(e, read) {
				if m := met[s]; m != nil && !m.multi {
					m.multi = true
					again = append(again, s)
				}
			}
		}
	}
	taken := map[string]int{}
	for _, j := range walk {
		m := met[j]
		if j == top && !m.multi || !m.multi && len(j.Eqns) <= inPlace {
			continue
		}
		name := m.hint
		if name == "" {
			name = "jaxpr"
		}
		k, of := taken[name], name
		taken[of]++
		if k > 0 {
			for name = of + strconv.Itoa(k); taken[name] > 0; name = of + strconv.Itoa(k) {
				k++
			}
			taken[name]++
		}
		if names == nil {
			names = map[*Jaxpr]string{}
		}
		names[j] = name
		order = append(order, j)
	}
	return names, order
}

// wordOf returns the name of a shared program that is made of a function's name, without the brackets of <lambda>;
// "" if that is no word, since a definition or a tuple of programs with such a name cannot be read back.
func wordOf(name string) string {
	name = strings.Trim(name, "<>")
	for i := range len(name) {
		if !syntax.IsWord(name[i]) || i == 0 && !syntax.IsLetter(name[0]) {
			return ""
		}
	}
	return name
}

// nameParam returns the name under which an equation shows its program, if it has one.
func nameParam(p core.Primitive) (string, bool) {
	switch p := p.(type) {
	case *CustomJVP, *CustomVJP: // their parameter "name" names the function, not the program
	case core.Paramer:
		for _, q := range p.Params() {
			if s, ok := q.Value.(string); ok && q.Key == "name" {
				return s, true
			}
		}
	}
	return "", false
}

// shownPrograms lists the programs that an equation's text shows, in the order in which they are counted:
// the condition of a while comes before its body, although it prints after it.
func shownPrograms(e *Eqn, read *reading) []*Jaxpr {
	switch p := e.Prim.(type) {
	case *While:
		js := p.Programs()
		return []*Jaxpr{js[1], js[0]}
	case Holder:
		return p.Programs()
	case core.Paramer:
		var js []*Jaxpr
		for _, q := range p.Params() {
			switch v := read.value(e, q).(type) {
			case *Jaxpr:
				js = append(js, v)
			case []*Jaxpr:
				js = append(js, v...)
			case Mixed:
				js = append(js, v.Programs...)
			}
		}
		return js
	}
	return nil
}
