package jax

import (
	"maps"
	"slices"
	"strings"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/nd"
	"github.com/weft-go/weft/internal/test/python"
)

// The values of golden programs: nil, bool, int, float64, complex128, string, Array,
// DType, core.Literal for NumPy's scalars, and these.
type (
	// pyModule is a name of the libraries that is no value: lax, jax.numpy.
	pyModule string
	// pyBuiltin is a function of the libraries.
	pyBuiltin struct {
		name string
		f    func(a *pyArgs) any
	}
	// pyPartial is functools.partial.
	pyPartial struct {
		f   any
		pos []any
		kw  map[string]any
	}
)

// Types of the reader of programs.
type (
	pyTuple = python.Tuple
	pyList  = python.List
	pyDict  = python.Dict
	pyFunc  = python.Func
	Unknown = python.Unknown
)

var (
	pyCannot  = python.Cannot
	pyIterate = python.Iterate
)

type array = weft.Array

// Library is JAX for programs that are evaluated: jax.lax by package lax, the rest by the packages
// that users import.
type Library struct {
	Facade bool // jax.random and jax.lax, too
}

func (l Library) Name(name string) any                       { return l.builtin(name) }
func (l Library) Attribute(v any, name string) any           { return l.attribute(v, name) }
func (Library) Call(f any, pos []any, kw map[string]any) any { return pyCall(f, pos, kw) }
func (Library) Subscript(v, index any) any                   { return pySubscript(v, index) }
func (Library) Unary(op string, v any) any                   { return pyUnary(op, v) }
func (Library) Operate(op string, x, y any) any              { return pyOperate(op, x, y) }
func (Library) Truth(v any) bool                             { return pyTruth(v) }

// pyArgs are the arguments of a call of a library function, which must use them all.
type pyArgs struct {
	name string
	pos  []any
	kw   map[string]any
	used []bool
}

// get returns an argument by place or by name.
func (a *pyArgs) get(i int, name string) (any, bool) {
	if i >= 0 && i < len(a.pos) {
		a.used[i] = true
		return a.pos[i], true
	}
	v, ok := a.kw[name]
	delete(a.kw, name)
	return v, ok
}

// must returns a required argument.
func (a *pyArgs) must(i int, name string) any {
	v, ok := a.get(i, name)
	if !ok {
		pyCannot("%s without %s", a.name, name)
	}
	return v
}

// or returns an argument, or otherwise if it is left out.
func (a *pyArgs) or(i int, name string, otherwise any) any {
	if v, ok := a.get(i, name); ok {
		return v
	}
	return otherwise
}

// rest returns the positional arguments from i on.
func (a *pyArgs) rest(i int) []any {
	for k := i; k < len(a.used); k++ {
		a.used[k] = true
	}
	return a.pos[min(i, len(a.pos)):]
}

func (a *pyArgs) array(i int, name string) array { return pyArray(a.must(i, name)) }

func (a *pyArgs) ints(i int, name string) []int { return pyInts(a.must(i, name)) }

func (a *pyArgs) int(i int, name string) int { return pyInt(a.must(i, name)) }

func pyCall(f any, pos []any, kw map[string]any) any {
	switch f := f.(type) {
	case *pyFunc:
		return f.Call(pos, kw)
	case *pyBuiltin:
		a := &pyArgs{f.name, pos, maps.Clone(kw), make([]bool, len(pos))}
		v := f.f(a)
		if i := slices.Index(a.used, false); i >= 0 {
			pyCannot("argument %d of %s", i, f.name)
		}
		for k := range a.kw {
			pyCannot("argument %s of %s", k, f.name)
		}
		return v
	case *pyPartial:
		all := maps.Clone(f.kw)
		if all == nil {
			all = map[string]any{}
		}
		maps.Copy(all, kw)
		return pyCall(f.f, slices.Concat(f.pos, pos), all)
	case weft.DType:
		if len(pos) == 1 && len(kw) == 0 {
			return pyNumPy(f, pos[0])
		}
	case pyModule:
		pyCannot("%s", string(f))
	case interface {
		call(pos []any, kw map[string]any) any
	}:
		return f.call(pos, kw)
	}
	pyCannot("a call of a %T", f)
	return nil
}

// builtin returns a name that no program has to define.
func (l Library) builtin(name string) any {
	full, ok := map[string]string{
		"jax": "jax", "lax": "lax", "np": "np", "jnp": "jnp", "nn": "nn", "random": "random", "linalg": "linalg", "jsp": "jsp", "ml_dtypes": "ml_dtypes",
		"grad": "jax.grad", "jit": "jax.jit", "vmap": "jax.vmap", "jvp": "jax.jvp", "vjp": "jax.vjp", "custom_jvp": "jax.custom_jvp",
		"custom_vjp": "jax.custom_vjp", "partial": "partial", "checkpoint_name": "jax.ad_checkpoint.checkpoint_name",
	}[name]
	if !ok {
		full = name
	}
	return l.member(full)
}

// member returns a library's member by its full name.
func (l Library) member(full string) any {
	if v, ok := pyConstants[full]; ok {
		return v
	}
	if l.Facade {
		if f, ok := pyFacadeTable()[full]; ok {
			return &pyBuiltin{full, f}
		}
	}
	if f, ok := pyLibrary()[full]; ok {
		return &pyBuiltin{full, f}
	}
	return pyModule(full)
}

func (l Library) attribute(v any, name string) any {
	switch v := v.(type) {
	case pyModule:
		full := string(v) + "." + name
		for long, short := range map[string]string{"jax.lax": "lax", "jax.numpy": "jnp", "jax.random": "random", "jax.nn": "nn", "lax.linalg": "linalg"} {
			if rest, ok := strings.CutPrefix(full, long); ok && (rest == "" || rest[0] == '.') {
				full = short + rest
			}
		}
		return l.member(full)
	case array:
		switch name {
		case "shape":
			t := pyTuple{}
			for _, n := range v.Shape() {
				t = append(t, n)
			}
			return t
		case "dtype":
			return v.DType()
		case "ndim":
			return v.Rank()
		case "T":
			return v.T()
		case "real":
			return v.Real()
		case "imag":
			return v.Imag()
		}
		if m, ok := pyMethod(v, name); ok {
			return m
		}
	case *pyList:
		if m, ok := pyListMethod(v, name); ok {
			return m
		}
	case pyMembers:
		if m, ok := v.member(name); ok {
			return m
		}
	}
	pyCannot("attribute %s of a %T", name, v)
	return nil
}

// pyMembers is a value with attributes.
type pyMembers interface{ member(name string) (any, bool) }

func pySubscript(v, index any) any {
	switch v := v.(type) {
	case pyTuple:
		return pyItem(v, index)
	case *pyList:
		return pyItem(v.Items, index)
	case pyDict:
		if x, ok := v[index.(string)]; ok {
			return x
		}
	case pyAt:
		idx, ok := index.(pyTuple)
		if !ok {
			idx = pyTuple{index}
		}
		return pyAt{v.x, pyIndices(idx)}
	case array:
		idx, ok := index.(pyTuple)
		if !ok {
			idx = pyTuple{index}
		}
		return v.Index(pyIndices(idx)...)
	}
	pyCannot("an index %v of a %T", index, v)
	return nil
}

func pyItem(items []any, index any) any {
	i, ok := index.(int)
	if !ok {
		pyCannot("an index %v of a tuple", index)
	}
	if i < 0 {
		i += len(items)
	}
	if i < 0 || i >= len(items) {
		pyCannot("index %d of %d items", i, len(items))
	}
	return items[i]
}

func pyIndices(idx pyTuple) (out []any) {
	for _, i := range idx {
		switch i := i.(type) {
		case python.Ellipsis:
			out = append(out, weft.Ellipsis)
		case python.Slice:
			out = append(out, pySlice(i))
		default:
			out = append(out, i)
		}
	}
	return out
}

func pyTruth(v any) bool {
	switch v := v.(type) {
	case nil:
		return false
	case bool:
		return v
	case int:
		return v != 0
	case array:
		return v.Bool()
	}
	pyCannot("the truth of a %T", v)
	return false
}

// pyInt returns an index or a size.
func pyInt(v any) int {
	switch v := v.(type) {
	case int:
		return v
	case core.Literal:
		if v.Type.IsInteger() {
			return int(v.Num.Int64())
		}
	}
	pyCannot("a %T where an integer is expected", v)
	return 0
}

func pyInts(v any) []int {
	if n, ok := v.(int); ok {
		return []int{n}
	}
	out := []int{}
	for _, x := range pyIterate(v) {
		out = append(out, pyInt(x))
	}
	return out
}

// pyArray returns an operand of a lax function. Numbers of the program are weak.
func pyArray(v any) array {
	switch v := v.(type) {
	case array:
		return v
	case bool, int, float64, complex128:
		return weft.FromValue(nd.Operand("asarray", v))
	case core.Literal:
		return weft.FromValue(v)
	}
	pyCannot("a %T where an array is expected", v)
	return array{}
}

func pyArrays(v any) (out []array) {
	for _, x := range pyIterate(v) {
		out = append(out, pyArray(x))
	}
	return out
}
