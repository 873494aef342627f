package jax_test

import (
	"github.com/weft-go/weft"
)

func method(on any, name string, args []any, kw map[string]any) any {
	if r, ok := on.(weft.Ref); ok {
		if m, ok := kw["mode"]; ok {
			delete(kw, "mode")
			switch m {
			case "clip":
				r = r.Mode(weft.ClipIndex)
			case "fill", "drop":
				r = r.Mode(weft.FillOrDrop)
			}
		}
		if f, ok := kw["fill_value"]; ok {
			delete(kw, "fill_value")
			r = r.Fill(f)
		}
		none(kw)
		switch name {
		case "get":
			return r.Get()
		case "set":
			return r.Set(args[0])
		case "add":
			return r.Add(args[0])
		case "multiply":
			return r.Mul(args[0])
		case "min":
			return r.Min(args[0])
		case "max":
			return r.Max(args[0])
		case "divide":
			return r.Div(args[0])
		case "power":
			return r.Pow(args[0])
		}
	}
	x, ok := on.(weft.Array)
	if !ok {
		panic(errUnknown("method " + name))
	}
	switch name {
	case "astype":
		none(kw)
		switch t := args[0].(type) {
		case weft.DType:
			return x.AsType(t)
		case pymodule:
			return x.AsType(pyType(string(t[3:])))
		}
	case "reshape":
		var dims []int
		for _, a := range args {
			dims = append(dims, ints(a)...)
		}
		return x.Reshape(dims...)
	case "view":
		return x.View(typeIn(args[0]))
	case "ravel":
		return x.Ravel()
	case "conj":
		return weft.Conj(x)
	}
	panic(errUnknown("method " + name))
}

func subscript(x any, idx []any) any {
	for i, v := range idx {
		if s, ok := v.(string); ok && s == "" {
			idx[i] = ":"
		}
	}
	if b, ok := x.(bound); ok && b.name == "at" {
		return b.on.(weft.Array).At(idx...)
	}
	if t, ok := x.(tuple); ok {
		return t[idx[0].(int)]
	}
	a, ok := x.(weft.Array)
	if !ok {
		panic(errUnknown("subscript"))
	}
	return a.Index(idx...)
}
