package equinox

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/jaxpr"
)

// setP writes an element or row of a buffer: pred, xs, x, and indices → xs with x at the indices,
// if pred. Each position is written at most once. Unless falseSteps is set, pred is true where it
// is not batched.
type setP struct {
	static, tree string // the index as the text has it
	falseSteps   bool
}

func (setP) Name() string { return "maybe_set" }

func readMaybeSet(r *jaxpr.ParamReader) core.Primitive {
	r.MustBe("kwargs", "()")
	p := setP{r.Text("i_static"), r.Text("i_treedef"), r.Bool("makes_false_steps")}
	if len(r.In) > 1 {
		if _, ok := p.items(r.In[1]); !ok {
			r.Unsupported("its index %s of %s is none of integers and whole axes", p.tree, p.static)
		}
	}
	return p
}

func (p setP) Params() []core.Param {
	return []core.Param{param("i_static", p.static), param("i_treedef", p.tree), param("kwargs", "()"), param("makes_false_steps", pyBool(p.falseSteps))}
}

// item is the index along an axis: an operand, a number, or the whole axis.
type item struct {
	operand, whole bool
	at             int
}

// items returns the index along each axis of a buffer; ok is false if there is an index of another kind.
func (p setP) items(xs aval) (list []item, ok bool) {
	tree, _ := strings.CutPrefix(p.tree, "PyTreeDef(")
	tree = strings.TrimSuffix(tree, ")")
	dynamic, static := []string{tree}, []string{p.static}
	if strings.HasPrefix(tree, "(") {
		dynamic, static = elements(tree), elements(p.static)
	}
	if len(dynamic) != len(static) {
		return nil, false
	}
	rest := xs.Rank() // axes that are left for an Ellipsis
	for i := range static {
		if static[i] != "Ellipsis" {
			rest--
		}
	}
	for i, s := range static {
		n, err := strconv.Atoi(s)
		switch {
		case dynamic[i] == "*" && s == "None":
			list = append(list, item{operand: true})
		case dynamic[i] != "None":
			return nil, false
		case err == nil:
			list = append(list, item{at: n})
		case s == "_HashableSlice(start=None, stop=None, step=None)":
			list = append(list, item{whole: true})
		case s == "Ellipsis":
			for ; rest > 0; rest-- {
				list = append(list, item{whole: true})
			}
		default:
			return nil, false
		}
	}
	for len(list) < xs.Rank() {
		list = append(list, item{whole: true})
	}
	return list, len(list) == xs.Rank()
}

// elements splits a tuple of Python at its commas.
func elements(s string) []string { return split(strings.TrimSuffix(strings.TrimPrefix(s, "("), ")")) }

// split splits a list at the commas that are not within brackets.
func split(s string) []string {
	var list []string
	depth, from := 0, 0
	for i := range len(s) {
		switch s[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ',':
			if depth == 0 {
				list = append(list, strings.TrimSpace(s[from:i]))
				from = i + 1
			}
		}
	}
	if last := strings.TrimSpace(s[from:]); last != "" {
		list = append(list, last)
	}
	return list
}

func (p setP) Abstract(in []aval) []aval {
	if len(in) < 3 {
		core.Failf(core.ErrCheck, "takes a truth value, a buffer, an element and indices, got %s", core.Count(len(in), "operand"))
	}
	requirePredicate(in[0])
	items, ok := p.items(in[1])
	count := 0
	var row []int
	for i, it := range items {
		if it.operand {
			count++
		}
		if it.whole {
			row = append(row, in[1].Shape.At(i))
		}
	}
	if !ok || count != len(in)-3 {
		core.Failf(core.ErrIndex, "the index %s of %s does not fit %v and %s", p.tree, p.static, in[1], core.Count(len(in)-3, "index"))
	}
	for _, a := range in[3:] {
		if !a.DType.IsInteger() || a.Rank() > 0 {
			core.Failf(core.ErrIndex, "an index must be one integer, got %v", a)
		}
	}
	if want := core.Aval(in[1].DType, row...); !in[2].SameType(want) {
		core.Failf(core.Mismatch(want, in[2]), "the element has the type %v, want %v", in[2], want)
	}
	return []aval{in[1].Strong()}
}

// place is where a row is in a buffer.
type place struct {
	start  []value
	sizes  core.Dims // of the row, 1 along axes with an index
	row    core.Dims
	inside value // whether the row is inside the buffer; nil if it always is
}

// place returns the position of a row. Negative indices count from the end. An index outside of the buffer becomes 0, and inside
// is false then.
func (p setP) place(xs aval, indices []value) place {
	items, _ := p.items(xs)
	var w place
	var sizes, row []int
	index := core.Int32 // the indices are of one type
	if slices.ContainsFunc(xs.Shape.Ints(), func(n int) bool { return n > math.MaxInt32 }) {
		index = core.Int64
	}
	for i, it := range items {
		n := xs.Shape.At(i)
		if it.whole {
			w.start, sizes, row = append(w.start, core.Lit(core.IntNumber(0), index)), append(sizes, n), append(row, n)
			continue
		}
		var at value = core.Lit(core.IntNumber(int64(it.at)), index)
		if it.operand {
			at, indices = indices[0], indices[1:]
		}
		if at.Aval().DType.Bits() < index.Bits() { // so that the size fits
			at = prim.Convert(at, index, false)
		}
		a := at.Aval()
		size := prim.Num(a, float64(n))
		if !a.DType.IsUnsigned() {
			at = prim.Where(prim.Lt(at, prim.Num(a, 0)), prim.Add(at, size), at)
		}
		inside := prim.And(prim.Ge(at, prim.Num(a, 0)), prim.Lt(at, size))
		if w.inside == nil {
			w.inside = inside
		} else {
			w.inside = prim.And(w.inside, inside)
		}
		at = prim.Convert(choose(inside, at, prim.Num(a, 0)), index, false)
		w.start, sizes = append(w.start, at), append(sizes, 1)
	}
	w.sizes, w.row = core.MakeDims(sizes...), core.MakeDims(row...)
	return w
}

// get returns the row, another row if the index is outside, or zeros if the buffer is empty.
func (w place) get(xs value) value {
	if w.empty(xs) {
		return prim.Zeros(core.Aval(xs.Aval().DType, w.row.Ints()...))
	}
	return prim.Reshape(indexed.DynamicSlice(xs, w.start, w.sizes), w.row)
}

func (w place) empty(xs value) bool { return xs.Aval().Size() == 0 }

// Expand writes the row if pred holds and the index is inside.
func (p setP) Expand(in []value) []value {
	pred, xs, x := in[0], in[1], in[2]
	w := p.place(xs.Aval(), in[3:])
	if w.empty(xs) {
		return []value{xs}
	}
	old := w.get(xs)
	if p.falseSteps {
		x = choose(pred, x, old)
	} else {
		x = selectIf(pred, x, old)
	}
	if w.inside != nil {
		x = choose(w.inside, x, old)
	}
	return []value{indexed.DynamicUpdateSlice(xs, prim.Reshape(x, w.sizes), w.start)}
}

func choose(pred, x, y value) value { return prim.Where(pred, x, y) }

func (p setP) JVP(in, out, t []value) []value { return setTangent(p, in, t) }

func setTangent(p core.Primitive, in, t []value) []value {
	if t[1] == nil && t[2] == nil {
		return []value{nil}
	}
	args := append([]value(nil), in...)
	for k := 1; k <= 2; k++ {
		args[k] = orZeros(t[k], in[k].Aval().Tangent())
	}
	return core.Bind(p, args...)
}

// Transpose reads the row's cotangent from the result's cotangent, which it returns as the buffer's cotangent, too. That need not
// be zero at the row: each position is written at most once, so no other write reads it there.
func (p setP) Transpose(ct, in []value, lin []bool, av []aval) []value {
	out := make([]value, len(av))
	if lin[1] {
		out[1] = ct[0]
	}
	if lin[2] {
		w := p.place(av[1], in[3:])
		x := w.get(ct[0])
		zero := prim.Zeros(x.Aval())
		if p.falseSteps {
			x = choose(in[0], x, zero)
		} else {
			x = selectIf(in[0], x, zero)
		}
		if w.inside != nil {
			x = choose(w.inside, x, zero)
		}
		out[2] = x
	}
	return out
}

func (p setP) Batch(n int, in []value, mapped []bool) ([]value, []bool) {
	return batched(p, n, in, mapped)
}
