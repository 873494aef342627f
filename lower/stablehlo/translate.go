package stablehlo

import (
	"fmt"
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
)

// Options are the functions and settings that a translation needs from its caller.
type Options struct {
	// Array makes an array of the type and returns it with the memory of its elements,
	// which are written before anything reads the array.
	Array func(core.ShapedArray) (core.Value, []byte)
	// Share makes an array of the type whose elements are in memory that other arrays may have too:
	// nothing may write it. If it is nil, all elements are copied.
	Share func(core.ShapedArray, []byte) core.Value
	// Checks makes the operands of check operations further results.
	Checks bool
}

// A Program is a function of a module as a jaxpr.
type Program struct {
	Jaxpr   *jaxpr.Jaxpr
	Results int     // number of results of the function; the operands of Checks follow them
	Checks  []Check // only with Options.Checks
}

// Avals returns the types of a function's arguments, tuples flattened and tokens left out. An array of words that JAX
// marks as a key has the type of a key. It is an error if a type has a dimension of unknown size, or an element type
// that weft lacks.
func (m *Module) Avals(f *Func) ([]core.ShapedArray, error) { return m.avals(f, false) }

// OpenAvals is Avals with −1 for dimensions of unknown size, which it permits.
func (m *Module) OpenAvals(f *Func) ([]core.ShapedArray, error) { return m.avals(f, true) }

func (m *Module) avals(f *Func, open bool) (avals []core.ShapedArray, err error) {
	err = core.Catch(func() {
		isKey := f.keys().args
		for i, a := range f.Args {
			for _, leaf := range leaves(a.Type, nil) {
				if isKey[i] && !leaf.Dynamic() {
					avals = append(avals, core.Aval(core.Key, leaf.dims[:len(leaf.dims)-1]...))
					continue
				}
				if leaf.Dynamic() && open && leaf.elem != core.Invalid {
					avals = append(avals, core.Aval(leaf.elem, leaf.dims...))
					continue
				}
				if leaf.Dynamic() {
					m.src.fail(f.pos, core.ErrShape, "func "+f.Name, "argument %d is %v: its shape is known when the function is called; pass arguments, or export with fixed shapes", i, leaf)
				}
				av, ok := leaf.Aval()
				if !ok {
					m.src.fail(f.pos, core.ErrDType, "func "+f.Name, "argument %d: %s", i, unsupportedType(leaf))
				}
				avals = append(avals, av)
			}
		}
	})
	return avals, err
}

func leaves(t Type, list []Type) []Type {
	switch t.kind {
	case kindTuple:
		for _, p := range t.parts {
			list = leaves(p, list)
		}
	case kindToken:
	default:
		list = append(list, t)
	}
	return list
}

// Program translates a function for arguments of the given types. They must be the types that the function declares,
// with any size for a dimension of unknown size. A key may take the place of its words: results that JAX marks as
// keys are keys then. Program must run where arrays can be evaluated: an operand that decides a shape is computed.
func (m *Module) Program(f *Func, in []core.ShapedArray, o Options) (p *Program, err error) {
	t := &translator{m: m, opt: o, done: map[string]*callee{}, consts: map[*dense]core.Value{}, contents: map[content][]arrayBytes{}, iotas: map[*jaxpr.Var]int{}}
	defer func() {
		if err != nil && t.at != nil {
			if e, ok := err.(*core.Error); ok {
				err = m.src.located(e, t.at.pos, t.at.name)
			}
		}
	}()
	defer guard(&err)
	err = core.Catch(func() {
		p = &Program{}
		t.checks = &p.Checks
		p.Jaxpr = t.stage(f, in, nil, true)
		p.Results = len(p.Jaxpr.Outs)
		for _, c := range p.Checks {
			p.Results -= c.operands()
		}
	})
	if err != nil {
		return nil, err
	}
	return p, nil
}

type translator struct {
	m        *Module
	opt      Options
	at       *op // being translated, for messages
	done     map[string]*callee
	consts   map[*dense]core.Value
	contents map[content][]arrayBytes
	open     []string // functions being translated
	checks   *[]Check
	iotas    map[*jaxpr.Var]int // the axis along which a value counts, plus 1
	inner    int                // depth of regions that become closed programs
	mesh     *jaxpr.Mesh        // the mesh on each of whose devices a region runs, or nil
}

// callee is a function that was translated. The values that it captured are leading inputs.
type callee struct {
	jaxpr  *jaxpr.Jaxpr
	consts []core.Value
}

// tuple is several values in one SSA value; a token is an empty tuple.
type tuple []core.Value

// Aval returns the zero value: a tuple is not an array.
func (tuple) Aval() core.ShapedArray { return core.ShapedArray{} }

func (t *translator) fail(kind error, format string, args ...any) {
	pos, name := 0, "stablehlo"
	if t.at != nil {
		pos, name = t.at.pos, t.at.name
	}
	t.m.src.fail(pos, kind, name, format, args...)
}

// call translates a function for operands, once for their types and for the sizes that fixedSizes finds, and binds it.
func (t *translator) call(name string, in []core.Value) []core.Value {
	f := t.m.byName[name]
	if f == nil {
		t.fail(core.ErrCheck, "there is no function %s; define it in the module, or correct the name", name)
	}
	if slices.Contains(t.open, name) {
		t.fail(core.ErrCheck, "the function %s calls itself; write the recursion as stablehlo.while", name)
	}
	if len(t.open) >= maxNesting {
		t.fail(core.ErrCheck, "calls are nested too deeply (more than %d); inline some of them before you export", maxNesting)
	}
	flat := flatten(in)
	avals := core.AvalsOf(flat)
	for i := range avals {
		avals[i] = avals[i].Strong()
	}
	key := fmt.Sprint(name, avals)
	if t.mesh != nil {
		key += t.mesh.String()
	}
	var fixed []core.Value
	if f.isDynamic() {
		fixed, key = t.fixedSizes(flat, key)
	}
	c := t.done[key]
	at := t.at
	if c == nil {
		c = &callee{}
		c.jaxpr = t.stage(f, avals, fixed, false)
		c.consts = trace.HoistAll(c.jaxpr)
		t.done[key] = c
	}
	t.at = at
	operands := slices.Clone(c.consts)
	for i, v := range flat {
		if fixed == nil || fixed[i] == nil {
			operands = append(operands, v)
		}
	}
	outs := core.Bind(&jaxpr.Jit{Fn: name, Jaxpr: c.jaxpr}, operands...)
	return unflatten(f.resultTypes(), outs)
}

func (f *Func) resultTypes() []Type {
	ts := make([]Type, len(f.Results))
	for i, r := range f.Results {
		ts[i] = r.Type
	}
	return ts
}

func flatten(vs []core.Value) []core.Value {
	out := make([]core.Value, 0, len(vs))
	for _, v := range vs {
		if x, ok := v.(tuple); ok {
			out = append(out, flatten(x)...)
		} else {
			out = append(out, v)
		}
	}
	return out
}

func unflatten(types []Type, flat []core.Value) []core.Value {
	out := make([]core.Value, len(types))
	for i, t := range types {
		n := len(leaves(t, nil))
		switch t.kind {
		case kindTuple:
			out[i] = tuple(unflatten(t.parts, flat[:n]))
		case kindToken:
			out[i] = tuple(nil)
		default:
			out[i] = flat[0]
		}
		flat = flat[n:]
	}
	return out
}

// fixedSizes returns the operands that are arrays of at most maxRank integers and depend on no argument, and nil in the
// place of the other operands. A function of unknown dimensions takes its sizes as such operands. The second result is
// key with these operands appended.
func (t *translator) fixedSizes(in []core.Value, key string) ([]core.Value, string) {
	fixed := make([]core.Value, len(in))
	for i, v := range in {
		a := v.Aval()
		if !a.DType.IsInteger() || a.Size() > maxRank {
			continue
		}
		if l, ok := v.(core.Literal); ok {
			fixed[i] = l
		} else if trace.Known(v) {
			if c, err := trace.Look(v); err == nil {
				fixed[i] = c
			}
		}
		if n, ok := scalarInt(v); ok {
			fixed[i] = core.Lit(core.IntNumber(n), a.DType)
		}
		if fixed[i] != nil {
			key += fmt.Sprint(" ", i, ":", fixed[i])
		}
	}
	return fixed, key
}

// isDynamic reports whether a function has a value of a type of unknown dimensions.
func (f *Func) isDynamic() bool {
	if f.dynamic == unknown {
		f.dynamic = no
		for _, a := range slices.Concat(f.Args, f.Results) {
			if a.Type.Dynamic() {
				f.dynamic = yes
			}
		}
		if f.body != nil && f.body.isDynamic() {
			f.dynamic = yes
		}
	}
	return f.dynamic == yes
}

func (r *region) isDynamic() bool {
	for _, o := range r.ops {
		for _, t := range o.types {
			if t.Dynamic() {
				return true
			}
		}
		for _, inner := range o.regions {
			if inner.isDynamic() {
				return true
			}
		}
	}
	return false
}

// stage writes the program of a function. Fixed arguments are not inputs of the program.
func (t *translator) stage(f *Func, in []core.ShapedArray, fixed []core.Value, main bool) *jaxpr.Jaxpr {
	t.open = append(t.open, f.Name)
	defer func() { t.open = t.open[:len(t.open)-1] }()
	if f.body == nil {
		t.fail(core.ErrCheck, "the function %s has no body; export the module with its definition", f.Name)
	}
	var want []Type
	args := make([]Type, len(f.Args))
	for i, a := range f.Args {
		args[i] = a.Type
		want = leaves(a.Type, want)
	}
	if len(in) != len(want) {
		t.m.src.fail(f.pos, core.ErrCheck, "func "+f.Name, "takes %s, got %d; pass an array for each argument", core.Count(len(want), "array"), len(in))
	}
	isKey := make([]bool, len(in))
	for i, a := range in {
		words := a
		if isKey[i] = main && a.DType == core.Key; isKey[i] {
			words = core.AbstractOf(prim.RandomUnwrapP{}, in[i:i+1])[0]
		}
		if why := mismatch(want[i], words, "pass an array of that type"); why != "" {
			t.m.src.fail(f.pos, core.ErrCheck, "func "+f.Name, "argument %d: %s", i, why)
		}
	}
	free := in
	if fixed != nil {
		free = nil
		for i, a := range in {
			if fixed[i] == nil {
				free = append(free, a)
			}
		}
	}
	return trace.Stage(f.Name, free, func(in []core.Value) []core.Value {
		if fixed != nil {
			all := slices.Clone(fixed)
			for i := range all {
				if all[i] == nil {
					all[i], in = in[0], in[1:]
				}
			}
			in = all
		}
		for i, v := range in {
			if isKey[i] {
				in[i] = prim.RandomUnwrap(v)
			}
		}
		fr := &frame{translator: t, env: make([]core.Value, f.values), fn: f, main: main}
		outs := flatten(fr.region(f.body, unflatten(args, in)))
		if results := f.resultTypes(); len(results) > 0 {
			var want []Type
			for _, r := range results {
				want = leaves(r, want)
			}
			if len(want) != len(outs) {
				t.fail(core.ErrCheck, "the function %s returns %s, it declares %d; declare a type for each behind the arrow", f.Name, core.Count(len(outs), "value"), len(want))
			}
			for i, v := range outs {
				if why := mismatch(want[i], v.Aval(), correctType); why != "" {
					t.fail(core.ErrCheck, "result %d of %s: %s", i, f.Name, why)
				}
			}
		}
		if slices.Contains(isKey, true) && len(outs) == len(f.Results) {
			for i, wrap := range f.keys().results {
				if wrap {
					outs[i] = prim.RandomWrap(outs[i])
				}
			}
		}
		if main && t.opt.Checks {
			for _, c := range *t.checks {
				outs = append(outs, c.values...)
			}
		}
		return outs
	})
}

const correctType = "correct the declared type"

// mismatch reports why a value of type a does not have the declared type, and the fix; "" if
// it does, or if values of the declared type are not arrays.
func mismatch(want Type, a core.ShapedArray, fix string) string {
	if want.typ == nil || want.kind != kindTensor && want.elem == core.Invalid {
		return ""
	}
	if want.elem == core.Invalid {
		return unsupportedType(want)
	}
	if want.elem != a.DType || len(want.dims) != a.Rank() {
		return fmt.Sprintf("declared %v, got %v; %s", want, typeText(a), fix)
	}
	for i, d := range want.dims {
		if d >= 0 && d != a.Shape.At(i) {
			return fmt.Sprintf("declared %v, got %v; %s", want, typeText(a), fix)
		}
	}
	return ""
}
