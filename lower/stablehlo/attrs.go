package stablehlo

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
)

// attr returns an attribute; for an alias, the attribute that it stands for.
func (f *frame) attr(o *op, key string) (attr, bool) {
	a, ok := o.attr(key)
	if !ok {
		return nil, false
	}
	return f.resolve(a), true
}

func (t *translator) resolve(a attr) attr {
	for range maxNesting {
		x, ok := a.(aliasAttr)
		if !ok {
			return a
		}
		next, ok := t.m.alias[x.name]
		if !ok {
			t.fail(core.ErrParse, "the alias #%s is not defined; define it at the top level of the module, #%[1]s = …", x.name)
		}
		a = next
	}
	t.fail(core.ErrParse, "aliases refer to each other in a circle; define one of them by its value")
	return nil
}

// intsOf reads a list of integers: [0, 1], array<i64: 0, 1> or dense<[0, 1]>. A single integer is a list of one, nested
// lists are flattened, and true is 1.
func (t *translator) intsOf(key string, a attr) []int {
	switch x := t.resolve(a).(type) {
	case listAttr:
		out := make([]int, 0, len(x))
		for _, e := range x {
			switch v := t.resolve(e).(type) {
			case intAttr:
				out = append(out, int(v.val))
			case boolAttr:
				out = append(out, boolInt(bool(v)))
			case listAttr:
				out = append(out, t.intsOf(key, v)...)
			default:
				t.fail(core.ErrCheck, "the attribute %s must be a list of integers; write it as array<i64: 0, 1>", key)
			}
		}
		return out
	case denseAttr:
		n, dt := x.aval(t.m.src), x.typ.elem
		if n.Size() > 1<<16 || !dt.IsInteger() && !dt.IsBool() {
			t.fail(core.ErrCheck, "the attribute %s must be a short list of integers, got %v; write it as array<i64: 0, 1>", key, x.typ)
		}
		buf := make([]byte, n.Size()*dt.Size())
		x.fill(t.m, buf)
		out := make([]int, n.Size())
		for i := range out {
			v, _ := elem.Get(buf[i*dt.Size():], dt)
			out[i] = int(v.Int64())
		}
		return out
	case intAttr:
		return []int{int(x.val)}
	}
	t.fail(core.ErrCheck, "the attribute %s must be a list of integers; write it as array<i64: 0, 1>", key)
	return nil
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// ints reads a required list of integers.
func (f *frame) ints(o *op, key string) []int {
	a, ok := f.attr(o, key)
	if !ok {
		f.missing(key)
	}
	return f.intsOf(key, a)
}

// intsOr reads a list of n integers; if there is none, it returns n copies of v. A dense splat of one element counts as n
// equal ones.
func (f *frame) intsOr(o *op, key string, n, v int) []int {
	if a, ok := f.attr(o, key); ok && a != nil {
		list := f.intsOf(key, a)
		if len(list) != n {
			if len(list) == 1 {
				if d, is := a.(denseAttr); is && d.isSplat() {
					v, list = list[0], nil
				}
			}
			if list != nil {
				f.fail(core.ErrCheck, "the attribute %s has %s, want %d; add or remove entries", key, core.Count(len(list), "entry"), n)
			}
		} else {
			return list
		}
	}
	list := make([]int, n)
	for i := range list {
		list[i] = v
	}
	return list
}

func (f *frame) intOr(o *op, key string, v int) int {
	a, ok := f.attr(o, key)
	if !ok {
		return v
	}
	switch x := a.(type) {
	case intAttr:
		return int(x.val)
	case boolAttr:
		return boolInt(bool(x))
	}
	f.fail(core.ErrCheck, "the attribute %s must be an integer; write it as 1 : i64", key)
	return 0
}

// int reads a required integer.
func (f *frame) int(o *op, key string) int {
	if _, ok := f.attr(o, key); !ok {
		f.missing(key)
	}
	return f.intOr(o, key, 0)
}

// boolOr reads a truth value, or returns v if there is none. A unit attribute is true, and so is an integer other than 0.
func (f *frame) boolOr(o *op, key string, v bool) bool {
	a, ok := f.attr(o, key)
	if !ok {
		return v
	}
	switch x := a.(type) {
	case boolAttr:
		return bool(x)
	case intAttr:
		return x.val != 0
	case nil:
		return true
	}
	f.fail(core.ErrCheck, "the attribute %s must be true or false; write one of these words", key)
	return false
}

// float reads a required number.
func (f *frame) float(o *op, key string) float64 {
	a, _ := f.attr(o, key)
	switch x := a.(type) {
	case floatAttr:
		return x.val
	case intAttr:
		return float64(x.val)
	}
	f.fail(core.ErrCheck, "the attribute %s must be a number; write it as 1.0 : f32", key)
	return 0
}

// text reads a string, symbol or enumerator; "" if there is none.
func (f *frame) text(o *op, key string) string {
	a, ok := f.attr(o, key)
	if !ok {
		return ""
	}
	switch x := a.(type) {
	case stringAttr:
		return string(x)
	case wordAttr:
		return string(x)
	case symbolAttr:
		return string(x)
	}
	f.fail(core.ErrCheck, "the attribute %s must be a name; write a string, a symbol or an enumerator", key)
	return ""
}

// words returns the bare enumerators of a pretty form, in order.
func (o *op) words() []string {
	var out []string
	for _, a := range o.attrs {
		if w, ok := a.val.(wordAttr); ok && a.key == "" {
			out = append(out, string(w))
		}
	}
	return out
}

// dict reads an attribute that has named parts; nil if there is none.
func (f *frame) dict(o *op, key string) dictAttr {
	a, ok := f.attr(o, key)
	if !ok {
		return nil
	}
	d, ok := a.(dictAttr)
	if !ok {
		f.fail(core.ErrCheck, "the attribute %s must have named parts; write them as name = value between < and >", key)
	}
	return d
}

// ints reads a part that is a list of integers; none if it is missing.
func (d dictAttr) ints(t *translator, key string) []int {
	a, ok := d.get(key)
	if !ok {
		return nil
	}
	return t.intsOf(key, a)
}

// int reads a part that is an integer, or returns v if it is missing or something else.
func (d dictAttr) int(key string, v int) int {
	if a, ok := d.get(key); ok {
		if n, ok := a.(intAttr); ok {
			return int(n.val)
		}
	}
	return v
}

func dims(list []int) core.Dims { return core.MakeDims(list...) }

func typeText(a core.ShapedArray) string {
	b := []byte("tensor<")
	for _, d := range a.Shape.All() {
		b = appendInt(b, d)
		b = append(b, 'x')
	}
	name := elemNames[a.DType]
	if name == "" {
		name = a.DType.String()
	}
	return string(b) + name + ">"
}
