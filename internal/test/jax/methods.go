package jax

import (
	"strconv"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/python"
)

// pyMethods are the methods of arrays besides reductions.
var pyMethods = map[string]func(x array, a *pyArgs) any{
	"astype": func(x array, a *pyArgs) any { return x.AsType(pyDType(a.must(0, "dtype"))) },
	"reshape": func(x array, a *pyArgs) any {
		sizes := a.rest(0)
		if len(sizes) == 1 {
			return x.Reshape(pyInts(sizes[0])...)
		}
		return x.Reshape(pyInts(pyTuple(sizes))...)
	},
	"argmax": func(x array, a *pyArgs) any { return x.ArgMax(pyAxis(a, 0)...) },
	"view":   func(x array, a *pyArgs) any { return x.View(pyDType(a.must(0, "dtype"))) },
	"ravel":  func(x array, a *pyArgs) any { return x.Ravel() },
	"conj":   func(x array, a *pyArgs) any { return weft.Conj(x) },
}

// pyMethod returns a method of an array.
func pyMethod(x array, name string) (any, bool) {
	if _, ok := pyReductions[name]; ok {
		return &pyBuiltin{name, func(a *pyArgs) any { return pyReduce(name, x, a, 0) }}, true
	}
	if f, ok := pyMethods[name]; ok {
		return &pyBuiltin{name, func(a *pyArgs) any { return f(x, a) }}, true
	}
	if name == "at" {
		return pyAt{x: x}, true
	}
	return nil, false
}

// pyAt is x.at and x.at[idx].
type pyAt struct {
	x   array
	idx []any
}

// pyUpdates are the methods of x.at[idx] that take a value.
var pyUpdates = map[string]func(r weft.Ref, v any) array{
	"set": weft.Ref.Set, "add": weft.Ref.Add, "multiply": weft.Ref.Mul, "min": weft.Ref.Min, "max": weft.Ref.Max, "divide": weft.Ref.Div, "power": weft.Ref.Pow,
}

func (at pyAt) member(name string) (any, bool) {
	update := pyUpdates[name]
	return &pyBuiltin{name, func(a *pyArgs) any {
		r := at.x.At(at.idx...)
		switch a.or(-1, "mode", nil) {
		case "clip":
			r = r.Mode(weft.ClipIndex)
		case "fill", "drop":
			r = r.Mode(weft.FillOrDrop)
		}
		if v, ok := a.get(-1, "fill_value"); ok {
			r = r.Fill(v)
		}
		if update == nil {
			return r.Get()
		}
		return update(r, a.must(0, "values"))
	}}, update != nil || name == "get"
}

// Iterate returns the elements of an array, which a program unpacks.
func (Library) Iterate(v any) ([]any, bool) {
	x, ok := v.(array)
	if !ok {
		return nil, false
	}
	out := make([]any, x.Shape()[0])
	for i := range out {
		out[i] = x.Index(i)
	}
	return out, true
}

// pyListMethod returns a method of a list.
func pyListMethod(l *pyList, name string) (any, bool) {
	return &pyBuiltin{name, func(a *pyArgs) any { l.Items = append(l.Items, a.must(0, "object")); return nil }}, name == "append"
}

// pySlice returns lo:hi:step as an index, in the text that a step needs.
func pySlice(i python.Slice) any {
	lo, hi := 0, weft.End
	if i.Step != nil {
		text := ""
		for k, n := range []any{i.Lo, i.Hi, i.Step} {
			if k > 0 {
				text += ":"
			}
			if n != nil {
				text += strconv.Itoa(pyInt(n))
			}
		}
		return text
	}
	if i.Lo != nil {
		lo = pyInt(i.Lo)
	}
	if i.Hi != nil {
		hi = pyInt(i.Hi)
	}
	return weft.R(lo, hi)
}
