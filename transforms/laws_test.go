package transforms_test

import (
	"fmt"
	"hash/fnv"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/hostcall"
	"github.com/weft-go/weft/internal/test/golden"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/internal/test/samples"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/trace"
	"github.com/weft-go/weft/transforms"
)

// The laws that every primitive keeps, in every dtype and for every choice of
// operands, tried on the runtime itself: what stands in the laws_*_test.go files.

// function is what a transformation is applied to.
type function = func([]val) []val

// subject is a function that keeps the laws: an application of a primitive. One that
// names an axis is applied within a batch that binds it, one subject for each choice
// of operands that vary along it.
type subject struct {
	primtest.Sample
	name string
	in   []core.ShapedArray
	out  []core.ShapedArray
	rows []bool // operands with a leading axis of rows that are drawn one by one
	f    function
}

// subjects returns the subjects of all samples; if the default executor is a device, of one sample
// in 40.
func subjects(t *testing.T) []subject {
	t.Helper()
	var all []subject
	for _, s := range samples.Of(t, primtest.EveryType(), 40) {
		if !core.NamesAxes(s.Prim) {
			all = append(all, newSubject(s, nil))
			continue
		}
		masks := choices(len(s.In))
		if len(s.In) == 0 {
			masks = [][]bool{{}}
		}
		for _, m := range masks {
			all = append(all, newSubject(s, m))
		}
	}
	return all
}

// newSubject returns the sample as a subject; along marks operands that vary along the
// axis that its primitive names.
func newSubject(s primtest.Sample, along []bool) subject {
	x := subject{Sample: s, in: slices.Clone(s.In), rows: make([]bool, len(s.In))}
	types := make([]string, len(s.In))
	for i, a := range s.In {
		types[i] = a.Full()
	}
	x.name = fmt.Sprintf("%s %+v of %s", s.Prim.Name(), s.Prim, strings.Join(types, " "))
	bind := func(in []val) []val { return core.Bind(s.Prim, in...) }
	if along == nil {
		x.f = bind
		x.out = core.AbstractOf(s.Prim, s.In)
		return x
	}
	x.name += fmt.Sprint(" along ", along)
	for i, m := range along {
		if m {
			x.in[i], x.rows[i] = x.in[i].WithShape(x.in[i].Shape.Prepend(primtest.AxisSize)), true
		}
	}
	x.f = func(in []val) []val {
		outs, mapped := transforms.Vmap(primtest.AxisSize, primtest.AxisName, bind, in, along)
		return stacked(primtest.AxisSize, outs, mapped)
	}
	x.out = trace.Stage("f", x.in, x.f).OutAvals()
	return x
}

// choices returns all choices of at least one of n.
func choices(n int) [][]bool {
	var out [][]bool
	for set := 1; set < 1<<n; set++ {
		m := make([]bool, n)
		for i := range m {
			m[i] = set>>i&1 == 1
		}
		out = append(out, m)
	}
	return out
}

// draws returns for operand i of the subject values from its domain; batch, if not negative,
// is one more leading axis whose rows are drawn one by one.
func (x *subject) draws(r *rand.Rand, i, batch int) *runtime.Array {
	dom := primtest.Domain{}
	if x.Dom != nil {
		dom = x.Dom[i]
	}
	a := x.in[i]
	rows := 1
	if x.rows[i] {
		rows = a.Shape.At(0)
	}
	if batch >= 0 {
		a = a.WithShape(a.Shape.Prepend(batch))
		rows *= batch
	}
	return draw(r, a, dom, rows)
}

// args are operands of the subject; mapped ones have a leading axis of size n.
func (x *subject) args(r *rand.Rand, mapped []bool, n int) []val {
	in := make([]val, len(x.in))
	for i := range in {
		batch := -1
		if mapped != nil && mapped[i] {
			batch = n
		}
		in[i] = x.draws(r, i, batch)
	}
	return in
}

// draw returns an array of rows drawn one by one from a domain.
func draw(r *rand.Rand, a core.ShapedArray, dom primtest.Domain, rows int) *runtime.Array {
	x := runtime.New(a)
	if a.Size() == 0 {
		return x
	}
	size, w := a.Size()/max(rows, 1), a.DType.Size()
	for row := range rows {
		left := slices.Clone(dom.Values)
		if dom.Unique && left == nil {
			for v := dom.Lo; v <= dom.Hi; v++ {
				left = append(left, v)
			}
		}
		one := func() float64 { return number(r, a.DType, dom, &left) }
		for k := range size {
			at := x.Tensor().Data[(row*size+k)*w:][:w]
			if a.DType.IsKey() {
				for b := range at {
					at[b] = byte(r.Uint32())
				}
				continue
			}
			if (a.DType.IsInteger() || a.DType.IsBool()) && dom.Lo == dom.Hi && dom.Values == nil {
				elem.Put(at, core.UintNumber(r.Uint64()&wordMask(a.DType)), a.DType)
				continue
			}
			c := complex(one(), 0)
			if a.DType.IsComplex() {
				c = complex(real(c), one())
			}
			if n := a.Rank(); dom.Diag != 0 && n >= 2 && k/a.Shape.At(n-1)%a.Shape.At(n-2) == k%a.Shape.At(n-1) {
				c += complex(dom.Diag+dom.Step*float64(k%a.Shape.At(n-1)), 0)
			}
			elem.Put(at, core.ComplexNumber(c), a.DType)
		}
	}
	return x
}

func wordMask(dt core.DType) uint64 {
	if dt.IsBool() {
		return 1
	}
	return math.MaxUint64 >> (64 - dt.Bits())
}

// number draws one number of a domain; from a list without repetition, one of those that are left.
func number(r *rand.Rand, dt core.DType, dom primtest.Domain, left *[]float64) float64 {
	switch {
	case len(*left) > 0:
		k := r.IntN(len(*left))
		v := (*left)[k]
		if dom.Unique {
			*left = slices.Delete(*left, k, k+1)
		}
		return v
	case dom.Unique:
		panic(fmt.Sprintf("the domain %v has too few values", dom))
	case dom.Lo != dom.Hi && dt.IsInteger():
		return dom.Lo + float64(r.IntN(int(dom.Hi-dom.Lo)+1))
	case dom.Lo != dom.Hi:
		return dom.Lo + (dom.Hi-dom.Lo)*r.Float64()
	}
	return 4*r.Float64() - 2
}

// row is row k of a batch.
func row(v val, k int) *runtime.Array {
	x := golden.Concrete(v)
	a := x.Aval()
	y := runtime.New(a.WithShape(a.Shape.Slice(1, a.Rank())))
	n := len(y.Tensor().Data)
	copy(y.Tensor().Data, x.Tensor().Data[k*n:])
	return y
}

// differ returns how two results differ in type or bits, "" if they do not.
func differ(got, want val) string {
	g, w := golden.Concrete(got), golden.Concrete(want)
	if g.Aval() != w.Aval() {
		return fmt.Sprintf("type %v, want %v", g.Aval().Full(), w.Aval().Full())
	}
	if string(g.Tensor().Data) == string(w.Tensor().Data) {
		return ""
	}
	return fmt.Sprintf("got %s, want %s", text(g), text(w))
}

func differAll(got, want []val) string {
	if len(got) != len(want) {
		return fmt.Sprintf("%d results, want %d", len(got), len(want))
	}
	for i := range got {
		if (got[i] == nil) != (want[i] == nil) {
			return fmt.Sprintf("result %d: got %v, want %v", i, got[i], want[i])
		}
		if got[i] == nil {
			continue
		}
		if d := differ(got[i], want[i]); d != "" {
			return fmt.Sprintf("result %d: %s", i, d)
		}
	}
	return ""
}

// text shows an array: numbers, and bits where numbers do not distinguish it.
func text(v val) string {
	x := golden.Concrete(v)
	a := x.Aval()
	if a.Size() > 24 || a.DType.IsKey() {
		return fmt.Sprintf("%v %x", a, x.Tensor().Data[:min(48, len(x.Tensor().Data))])
	}
	var out []string
	for i := range a.Size() {
		n, _ := x.At(i)
		out = append(out, core.Literal{Num: n, Type: a.DType}.Text())
	}
	return fmt.Sprintf("%v [%s]", a, strings.Join(out, " "))
}

// numbers returns the elements.
func numbers(v val) []complex128 {
	x := golden.Concrete(v)
	out := make([]complex128, x.Aval().Size())
	for i := range out {
		n, _ := x.At(i)
		out[i] = n.Complex()
	}
	return out
}

// holes counts what could not be run because the executor has no kernel for it: there
// must be none.
type holes map[string]int

// generator returns random numbers of the sample's own, so that other samples do not change
// what it is tried on.
func (x *subject) generator(seed uint64) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(x.name))
	return rand.New(rand.NewPCG(seed, h.Sum64()))
}

// missing reports whether err states that a kernel is missing, and counts it.
func (h holes) missing(err error, what core.Primitive) bool {
	if err == nil {
		return false
	}
	s := err.Error()
	if strings.Contains(s, what.Name()+": has no derivative on complex numbers") {
		return true // what is refused by name needs no derivative
	}
	if !strings.Contains(s, "has no kernel for it") && !strings.Contains(s, "has no numbers for") && !strings.Contains(s, "is run by an executor") {
		return false
	}
	h[what.Name()]++
	return true
}

func (h holes) report(t *testing.T) {
	t.Helper()
	for _, k := range slices.Sorted(maps.Keys(h)) {
		t.Errorf("%s: %d applications could not be run: the runtime has no kernel", k, h[k])
	}
}

// hosted reports whether a primitive calls a Go function, of which a text has the
// name only.
func hosted(p core.Primitive) bool {
	_, ok := p.(interface{ Host() *hostcall.HostFunc })
	return ok
}

// Law: what is recorded is a legal program; its text reads back as a program with
// that text; the program, the program read from the text, and a call of it give the
// bits that the operation returns.
func TestLawProgram(t *testing.T) {
	t.Parallel()
	missing := holes{}
	n := 0
	for _, x := range subjects(t) {
		r := x.generator(11)
		j := trace.Stage("f", x.in, x.f)
		if err := jaxpr.Check(j); err != nil {
			t.Errorf("%s: %v", x.name, err)
			continue
		}
		text := j.String()
		back, err := jaxpr.Parse(text, prim.Vocabulary)
		if err != nil {
			t.Errorf("%s: %v\n%s", x.name, err, text)
			continue
		}
		if again := back.String(); again != text {
			t.Errorf("%s: printed again:\n%s\nwas\n%s", x.name, again, text)
		}
		if err := jaxpr.Check(back); err != nil {
			t.Errorf("%s: read from text: %v", x.name, err)
		}
		in := x.args(r, nil, 0)
		var eager []val
		if err := testcheck.Recover(func() { eager = x.f(in) }); err != nil {
			if !missing.missing(err, x.Prim) {
				t.Errorf("%s: %v", x.name, err)
			}
			continue
		}
		ways := map[string]func() []val{
			"jit":     func() []val { return core.Bind(&jaxpr.Jit{Fn: "f", Jaxpr: j}, in...) },
			"program": func() []val { return jaxpr.Eval(j, nil, in) },
			"text":    func() []val { return core.Bind(&jaxpr.Jit{Fn: "f", Jaxpr: back}, in...) },
		}
		if hosted(x.Prim) {
			delete(ways, "text")
		}
		for way, f := range ways {
			var got []val
			if err := testcheck.Recover(func() { got = f() }); err != nil {
				t.Errorf("%s: %s: %v", x.name, way, err)
			} else if d := differAll(got, eager); d != "" {
				t.Errorf("%s: %s: %s", x.name, way, d)
			} else {
				n++
			}
		}
	}
	missing.report(t)
	t.Logf("%d comparisons", n)
}
