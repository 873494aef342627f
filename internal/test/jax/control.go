package jax

import (
	"slices"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/lax"
	"github.com/weft-go/weft/runtime"
)

// Control flow of golden programs. A function of the program becomes a Go function
// of leaves, the same one each time it is given the same form of arguments: programs
// share by the identity of functions.

// pyFlat is a function of the program over leaves.
type pyFlat struct {
	f   func(in []array) []array
	out pyForm // of the last result

	one  func(in []array) array               // a condition
	scan func(c, x []array) (next, y []array) // a scan's body
	fori func(i array, c []array) []array     // a counted loop's body
	two  func(x, y []array) []array           // a function of two arguments
}

type pyFlatKey struct {
	f    any
	form string
}

// pyWrapped are the wrapped functions of the program that is running.
type pyWrapped map[pyFlatKey]*pyFlat

// wrap returns f(*args) with arguments of the given forms. A library function is the same
// one wherever it is named.
func (w pyWrapped) wrap(f any, forms ...pyForm) *pyFlat {
	key := pyFlatKey{f: f}
	if b, ok := f.(*pyBuiltin); ok {
		key.f = b.name
	}
	for _, fm := range forms {
		key.form += fm.String() + ";"
	}
	if p, ok := w[key]; ok {
		return p
	}
	p := &pyFlat{}
	p.f = func(in []array) []array {
		var args []any
		for _, fm := range forms {
			var v any
			v, in = fm.take(in)
			args = append(args, v)
		}
		leaves, out := Flatten(pyCall(f, args, nil))
		p.out = out
		return leaves
	}
	p.one = func(in []array) array { return p.f(in)[0] }
	p.scan = func(c, x []array) (next, y []array) {
		out := p.f(slices.Concat(c, x))
		n := p.out.parts[0].leaves()
		return out[:n:n], out[n:]
	}
	p.fori = func(i array, c []array) []array { return p.f(slices.Concat([]array{i}, c)) }
	p.two = func(x, y []array) []array { return p.f(slices.Concat(x, y)) }
	w[key] = p
	return p
}

// pyFunctions are the wrapped functions of the running program; each program starts
// with none.
var pyFunctions pyWrapped

// pyOperands flattens all arguments.
func pyOperands(args []any) (leaves []array, forms []pyForm) {
	for _, v := range args {
		l, f := Flatten(v)
		leaves, forms = append(leaves, l...), append(forms, f)
	}
	return leaves, forms
}

func pyControl() map[string]func(a *pyArgs) any {
	return map[string]func(a *pyArgs) any{
		"lax.cond": func(a *pyArgs) any {
			leaves, forms := pyOperands(a.rest(3))
			yes, no := pyFunctions.wrap(a.must(1, "true_fun"), forms...), pyFunctions.wrap(a.must(2, "false_fun"), forms...)
			out := lax.Cond(a.array(0, "pred"), yes.f, no.f, leaves)
			return yes.out.rebuild(out)
		},
		"lax.switch": func(a *pyArgs) any {
			leaves, forms := pyOperands(a.rest(2))
			var fs []func([]array) []array
			var first *pyFlat
			for _, f := range pyIterate(a.must(1, "branches")) {
				w := pyFunctions.wrap(f, forms...)
				if fs = append(fs, w.f); first == nil {
					first = w
				}
			}
			out := lax.Switch(a.array(0, "index"), leaves, fs...)
			return first.out.rebuild(out)
		},
		"lax.while_loop": func(a *pyArgs) any {
			leaves, form := Flatten(a.must(2, "init_val"))
			cond, body := pyFunctions.wrap(a.must(0, "cond_fun"), form), pyFunctions.wrap(a.must(1, "body_fun"), form)
			return form.rebuild(lax.WhileLoop(cond.one, body.f, leaves))
		},
		"lax.fori_loop": func(a *pyArgs) any {
			leaves, form := Flatten(a.must(3, "init_val"))
			body := pyFunctions.wrap(a.must(2, "body_fun"), pyForm{kind: '*'}, form)
			return form.rebuild(lax.ForiLoop(pyBound(a.array(0, "lower")), pyBound(a.array(1, "upper")), body.fori, leaves, pyLoop(a)...))
		},
		"lax.scan": func(a *pyArgs) any {
			init, cform := Flatten(a.must(1, "init"))
			xs, xform := Flatten(a.or(2, "xs", nil))
			opts := pyLoop(a)
			if v := a.or(3, "length", nil); v != nil {
				opts = append(opts, lax.Length(pyInt(v)))
			}
			if pyTruth(a.or(4, "reverse", false)) {
				opts = append(opts, lax.Reverse())
			}
			body := pyFunctions.wrap(a.must(0, "f"), cform, xform)
			c, ys := lax.Scan(body.scan, init, xs, opts...)
			return pyTuple{cform.rebuild(c), body.out.parts[1].rebuild(ys)}
		},
		"lax.map": func(a *pyArgs) any {
			xs, form := Flatten(a.must(1, "xs"))
			f := pyFunctions.wrap(a.must(0, "f"), form)
			var ys []array
			if n := a.or(-1, "batch_size", nil); n != nil {
				ys = lax.MapBatches(f.f, xs, pyInt(n))
			} else {
				ys = lax.Map(f.f, xs)
			}
			return f.out.rebuild(ys)
		},
		"lax.associative_scan": func(a *pyArgs) any {
			xs, form := Flatten(a.must(1, "elems"))
			f := pyFunctions.wrap(a.must(0, "fn"), form, form)
			return form.rebuild(lax.AssociativeScan(f.two, xs, pyInt(a.or(3, "axis", 0)), pyTruth(a.or(2, "reverse", false))))
		},
	}
}

// pyBound returns a bound of a loop: a number where JAX looks at it, which makes the loop a
// scan.
func pyBound(x array) array {
	if v, ok := x.Value().(*runtime.Array); ok {
		return weft.Scalar(int(weft.FromValue(v).Int()))
	}
	return x
}

// pyLoop returns the unroll argument.
func pyLoop(a *pyArgs) []lax.ScanOption {
	switch n := a.or(-1, "unroll", nil).(type) {
	case bool:
		if n {
			return []lax.ScanOption{lax.UnrollAll()}
		}
	case int:
		return []lax.ScanOption{lax.Unroll(n)}
	}
	return nil
}
