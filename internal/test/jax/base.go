package jax

import (
	"maps"
	"strconv"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
)

// pyBase returns the functions of the language itself.
func pyBase() map[string]func(a *pyArgs) any {
	return map[string]func(a *pyArgs) any{
		"partial": func(a *pyArgs) any {
			p := &pyPartial{f: a.must(0, "func"), kw: maps.Clone(a.kw)}
			p.pos = a.rest(1)
			clear(a.kw)
			return p
		},
		"range": func(a *pyArgs) any {
			n := pyInts(pyTuple(a.rest(0)))
			lo, hi := 0, n[0]
			if len(n) > 1 {
				lo, hi = n[0], n[1]
			}
			out := pyTuple{}
			for i := lo; i < hi; i++ {
				out = append(out, i)
			}
			return out
		},
		"len": func(a *pyArgs) any {
			if d, ok := a.must(0, "obj").(pyDict); ok {
				return len(d)
			}
			return len(pyIterate(a.pos[0]))
		},
		"tuple": func(a *pyArgs) any {
			if len(a.pos) == 0 {
				return pyTuple{}
			}
			return pyTuple(pyIterate(a.must(0, "iterable")))
		},
		"list": func(a *pyArgs) any { return &pyList{Items: append([]any{}, pyIterate(a.must(0, "iterable"))...)} },
		"zip": func(a *pyArgs) any {
			out := pyTuple{}
			columns := a.rest(0)
			for i, x := range pyIterate(columns[0]) {
				row := pyTuple{x}
				for _, c := range columns[1:] {
					row = append(row, pyIterate(c)[i])
				}
				out = append(out, row)
			}
			return out
		},
		"enumerate": func(a *pyArgs) any {
			out := pyTuple{}
			for i, x := range pyIterate(a.must(0, "iterable")) {
				out = append(out, pyTuple{i, x})
			}
			return out
		},
		"float": func(a *pyArgs) any {
			switch v := a.must(0, "x").(type) {
			case string:
				f, err := strconv.ParseFloat(v, 64)
				if err != nil {
					pyCannot("float(%q)", v)
				}
				return f
			case core.Literal:
				return v.Num.Float()
			default:
				f, ok := pyFloat(v)
				if !ok {
					pyCannot("float of a %T", v)
				}
				return f
			}
		},
		"int": func(a *pyArgs) any { return pyInt(a.must(0, "x")) },
		"complex": func(a *pyArgs) any {
			re, ok1 := pyFloat(a.must(0, "real"))
			im, ok2 := pyFloat(a.or(1, "imag", 0))
			if !ok1 || !ok2 {
				pyCannot("complex of no numbers")
			}
			return complex(re, im)
		},
		"sum": func(a *pyArgs) any {
			var total any = 0
			for _, x := range pyIterate(a.must(0, "iterable")) {
				total = pyOperate("+", total, x)
			}
			return total
		},
		"divmod": func(a *pyArgs) any {
			x, y := a.array(0, "x"), a.array(1, "y")
			return pyTuple{weft.FloorDiv(x, y), weft.Mod(x, y)}
		},
		"bool":            func(a *pyArgs) any { return pyTruth(a.must(0, "x")) },
		"jax.named_scope": func(a *pyArgs) any { return a.must(0, "name") },
		"jax.named_call": func(a *pyArgs) any {
			a.or(1, "name", nil)
			return a.must(0, "fun")
		},
	}
}
