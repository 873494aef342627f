package jaxpr

import (
	"fmt"
	"slices"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr/internal/syntax"
)

// JAX writes _ for a result that nothing uses. In the program of a call, the variable that becomes
// such a result is _ as well, even where equations of that program read it; so is an input for
// which the call has an operand _. Which variable an operand _ is follows from the types that the
// equation takes. Where several of one type are bound and the equation reads as many of that type,
// they are read in the order in which they are bound.

// maxBlankTypes limits how many combinations of operand types are tried for an equation.
const maxBlankTypes = 256

// blank is a variable that is written _.
type blank struct {
	v     *Var
	pos   int
	input bool
}

func isBlankAtom(a syntax.Atom) bool { return !a.Literal && a.Word == "_" }

// blankOperands returns the operands of an equation, some of which are written _. fits reports
// whether the equation takes operands of given types.
func (b *builder) blankOperands(s *scope, raw []syntax.Atom, fits func(in []Atom) error) []Atom {
	var at []int
	ins := make([]Atom, len(raw))
	for i, a := range raw {
		if isBlankAtom(a) {
			at = append(at, i)
		} else {
			ins[i] = b.atom(s, a)
		}
	}
	pos := raw[at[0]].Pos
	if len(s.blanks) == 0 {
		b.fail(pos, "_ is read, and nothing is bound under that name; give the result a name")
	}
	if len(s.blanks) == 1 {
		for _, i := range at {
			ins[i] = s.blanks[0].v
		}
		return ins
	}
	// The first variable of each type stands for all of that type.
	var types []core.ShapedArray
	of := map[core.ShapedArray][]blank{}
	for _, k := range s.blanks {
		if of[k.v.Type] == nil {
			types = append(types, k.v.Type)
		}
		of[k.v.Type] = append(of[k.v.Type], k)
	}
	combinations := 1
	for range at {
		if combinations *= len(types); combinations > maxBlankTypes {
			b.ambiguous(pos, s.blanks)
		}
	}
	var found [][]core.ShapedArray
	var wrong error
	for c := range combinations {
		chosen := make([]core.ShapedArray, len(at))
		for k, i := range at {
			chosen[k] = types[c%len(types)]
			c /= len(types)
			ins[i] = of[chosen[k]][0].v
		}
		if err := fits(ins); err != nil {
			wrong = err
		} else {
			found = append(found, chosen)
		}
	}
	if len(found) == 0 {
		panic(wrong)
	}
	chosen := found[0]
	if len(found) > 1 {
		all := make([]core.ShapedArray, len(s.blanks))
		for i, k := range s.blanks {
			all[i] = k.v.Type
		}
		if !slices.ContainsFunc(found, func(f []core.ShapedArray) bool { return slices.Equal(f, all) }) {
			b.ambiguous(pos, s.blanks)
		}
		chosen = all
	}
	next := map[core.ShapedArray]int{}
	for _, t := range chosen {
		next[t]++
	}
	for t, n := range next {
		if len(of[t]) > 1 && len(of[t]) != n {
			b.ambiguous(pos, of[t])
		}
		next[t] = 0
	}
	for k, i := range at {
		t := chosen[k]
		ins[i] = of[t][min(next[t], len(of[t])-1)].v
		next[t]++
	}
	return ins
}

// ambiguous refuses an operand or result _ that may be any of several variables.
func (b *builder) ambiguous(pos int, of []blank) {
	var list []string
	for _, k := range of {
		at := parseErrorAt(b.src, k.pos)
		list = append(list, fmt.Sprintf("%v of line %d, column %d", k.v.Type, at.Line, at.Col))
	}
	const shown = 4
	if len(list) > shown {
		list = append(list[:shown], "…")
	}
	b.fail(pos, "_ is read: it may be %s; give the results names", strings.Join(list, ", or "))
}

// blankResults returns the results of a program, some of which are written _. Their types are
// those that the caller binds, if they are known; those of one type are in the order in which
// equations bind them. Another order would only exchange results that the caller drops.
func (b *builder) blankResults(s *scope, raw []syntax.Atom, want []core.ShapedArray) []Atom {
	outs := make([]Atom, len(raw))
	var bound []blank // by equations: each is a result
	for _, k := range s.blanks {
		if !k.input {
			bound = append(bound, k)
		}
	}
	var at []int
	for i, a := range raw {
		if isBlankAtom(a) {
			at = append(at, i)
		} else {
			outs[i] = b.atom(s, a)
		}
	}
	if len(at) == 0 {
		return outs
	}
	if len(s.blanks) == 0 {
		b.fail(raw[at[0]].Pos, "_ is a result, and nothing is bound under that name; give it a name")
	}
	same := func(i int, v *Var) bool { return len(want) != len(raw) || want[i].SameType(v.Type) }
	for i := range at {
		of, k, n := bound, 0, 0
		if len(want) == len(raw) {
			of = slices.DeleteFunc(slices.Clone(of), func(x blank) bool { return !same(at[i], x.v) })
			if len(of) == 0 {
				of = slices.DeleteFunc(slices.Clone(s.blanks), func(x blank) bool { return !same(at[i], x.v) })
			}
		} else if len(of) == 0 {
			of = s.blanks
		}
		if len(of) == 0 {
			b.fail(raw[at[i]].Pos, "_ is a result of type %v, and none of that type is bound under that name; give it a name", want[at[i]])
		}
		for j, p := range at { // result i is the k-th, from 0, of the n blank ones of its type
			if len(want) != len(raw) || want[p].SameType(want[at[i]]) {
				if n++; j < i {
					k++
				}
			}
		}
		if len(of) > 1 && len(of) != n {
			b.ambiguous(raw[at[i]].Pos, of)
		}
		outs[at[i]] = of[min(k, len(of)-1)].v
	}
	return outs
}
