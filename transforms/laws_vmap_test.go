package transforms_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/rng"
	"github.com/weft-go/weft/core/prim/windows"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/internal/test/samples"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/transforms"
)

// batch applies f to a batch of size n, and adds the batch's axis to every result.
func batch(f function, n int, in []val, mapped []bool) []val {
	outs, outMapped := transforms.Vmap(n, "", f, in, mapped)
	return stacked(n, outs, outMapped)
}

// at returns the operands of element k of the batch.
func at(in []val, mapped []bool, k int) []val {
	args := slices.Clone(in)
	for i, m := range mapped {
		if m && in[i] != nil {
			args[i] = row(in[i], k)
		}
	}
	return args
}

// unlike returns how a batch differs from a loop over its elements.
func unlike(outs []val, n int, one func(k int) []val) string {
	for k := range n {
		want := one(k)
		if len(want) != len(outs) {
			return fmt.Sprintf("%d results, want %d", len(outs), len(want))
		}
		for o := range want {
			if (outs[o] == nil) != (want[o] == nil) {
				return fmt.Sprintf("result %d: got %v, want %v", o, outs[o], want[o])
			}
			if outs[o] == nil {
				continue
			}
			if d := differ(row(outs[o], k), want[o]); d != "" {
				return fmt.Sprintf("result %d, element %d: %s", o, k, d)
			}
		}
	}
	return ""
}

// notBatched returns why an application cannot be batched over the marked operands, "" if it can. If it cannot, it must refuse by name.
func notBatched(p core.Primitive, mapped []bool) string {
	switch p.(type) {
	case prim.ReduceP, windows.ReduceWindowP:
		if slices.Contains(mapped[len(mapped)/2:], true) {
			return "initial value"
		}
	}
	return ""
}

// drawsTogether reports whether a batch over the marked operands is one draw, not a loop: rng_bit_generator draws the
// numbers of a batch from its first state.
func drawsTogether(p core.Primitive, mapped []bool) bool {
	_, is := p.(rng.RNGBitGeneratorP)
	return is && slices.Contains(mapped, true)
}

// Law: a batch is a loop, to the bit, for every choice of operands that vary over it.
func TestLawBatch(t *testing.T) {
	t.Parallel()
	missing := holes{}
	n := 0
	for _, x := range subjects(t) {
		r := x.generator(18)
		for _, m := range choices(len(x.in)) {
			if drawsTogether(x.Prim, m) {
				continue
			}
			for _, size := range []int{3, 1, 0} {
				if size < 3 && (n%7 != 0 || hosted(x.Prim)) {
					continue
				}
				in := x.args(r, m, size)
				var outs []val
				if err := testcheck.Recover(func() { outs = batch(x.f, size, in, m) }); err != nil {
					why := notBatched(x.Prim, m)
					switch {
					case missing.missing(err, x.Prim):
					case why != "" && strings.Contains(err.Error(), why) && strings.Contains(err.Error(), x.Prim.Name()):
					default:
						t.Errorf("%s over %v of %d: %v", x.name, m, size, err)
					}
					continue
				}
				for k, y := range outs {
					if want := x.out[k].WithShape(x.out[k].Shape.Prepend(size)); y.Aval() != want {
						t.Errorf("%s over %v of %d: result %d is %v, want %v", x.name, m, size, k, y.Aval().Full(), want.Full())
					}
				}
				if d := unlike(outs, size, func(k int) []val { return x.f(at(in, m, k)) }); d != "" {
					t.Errorf("%s over %v of %d at %s: %s", x.name, m, size, texts(in), d)
				}
				n++
			}
		}
	}
	missing.report(t)
	t.Logf("%d batches", n)
	if samples.Whole() && n < 5000 {
		t.Errorf("only %d batches were compared", n)
	}
}

// some returns every k-th subject of each primitive, and at least one of each.
func some(xs []subject, k int) (out []subject) {
	count := map[string]int{}
	for _, x := range xs {
		if count[x.Prim.Name()]%k == 0 {
			out = append(out, x)
		}
		count[x.Prim.Name()]++
	}
	return out
}

// choicePairs returns all pairs of choices of n operands, or, of more than four operands, 225
// drawn ones: eight operands have 65,025.
func choicePairs(r *rand.Rand, n int) (pairs [][2][]bool) {
	all := choices(n)
	if n > 4 {
		for range 225 {
			pairs = append(pairs, [2][]bool{all[r.IntN(len(all))], all[r.IntN(len(all))]})
		}
		return pairs
	}
	for _, inner := range all {
		for _, outer := range all {
			pairs = append(pairs, [2][]bool{inner, outer})
		}
	}
	return pairs
}

// Law: a batch of batches is a loop of loops, whichever operands vary over which.
func TestLawBatchOfBatches(t *testing.T) {
	race.Values(t)
	t.Parallel()
	missing := holes{}
	n := 0
	const inner, outer = 2, 3
	for _, x := range some(subjects(t), 9) {
		r := x.generator(19)
		for _, pair := range choicePairs(r, len(x.in)) {
			m1, m2 := pair[0], pair[1]
			if notBatched(x.Prim, m1) != "" || notBatched(x.Prim, m2) != "" || drawsTogether(x.Prim, m1) || drawsTogether(x.Prim, m2) {
				continue
			}
			in := make([]val, len(x.in))
			for i, a := range x.in {
				shape := a.Shape
				rows := 1
				if x.rows[i] {
					rows = shape.At(0)
				}
				if m1[i] {
					shape, rows = shape.Prepend(inner), rows*inner
				}
				if m2[i] {
					shape, rows = shape.Prepend(outer), rows*outer
				}
				dom := primtest.Domain{}
				if x.Dom != nil {
					dom = x.Dom[i]
				}
				in[i] = draw(r, a.WithShape(shape), dom, rows)
			}
			f := func(in []val) []val { return batch(x.f, inner, in, m1) }
			var outs []val
			if err := testcheck.Recover(func() { outs = batch(f, outer, in, m2) }); err != nil {
				if !missing.missing(err, x.Prim) {
					t.Errorf("%s over %v, %v: %v", x.name, m2, m1, err)
				}
				continue
			}
			d := unlike(outs, outer, func(k int) []val {
				some := at(in, m2, k)
				rows := make([][]val, inner)
				for l := range inner {
					rows[l] = x.f(at(some, m1, l))
				}
				return joinRows(rows)
			})
			if d != "" {
				t.Errorf("%s over %v, %v: %s", x.name, m2, m1, d)
			}
			n++
		}
	}
	missing.report(t)
	t.Logf("%d batches of batches", n)
}

// joinRows stacks the results of a loop.
func joinRows(rows [][]val) []val {
	out := make([]val, len(rows[0]))
	for o := range out {
		var parts []val
		for _, r := range rows {
			a := r[o].Aval()
			parts = append(parts, prim.Reshape(r[o], a.Shape.Prepend(1)))
		}
		out[o] = prim.Concatenate(0, parts...)
	}
	return out
}

// forward returns the function from operands and tangents of the marked ones to results and
// tangents; zeros are written out.
func (x *subject) forward(m []bool) function {
	return func(vs []val) []val {
		n := len(x.in)
		dt := make([]val, n)
		k := n
		for i := range dt {
			if m[i] {
				dt[i] = vs[k]
				k++
			}
		}
		outs, touts := transforms.JVP(x.f, slices.Clone(vs[:n]), dt)
		for o, v := range touts {
			if outs[o].Aval().DType.IsInexact() && v == nil {
				touts[o] = prim.Zeros(outs[o].Aval())
			}
		}
		return slices.Concat(outs, slices.DeleteFunc(touts, func(v val) bool { return v == nil }))
	}
}

// backwards returns the function from operands and cotangents of the differentiable results
// to cotangents of the marked operands; zeros are written out.
func (x *subject) backwards(m []bool) function {
	return func(vs []val) []val {
		n := len(x.in)
		outs, vjp := transforms.VJP(x.f, vs[:n], m)
		ct := make([]val, len(outs))
		k := n
		for o, y := range outs {
			if y.Aval().DType.IsInexact() {
				ct[o] = vs[k]
				k++
			}
		}
		var out []val
		for i, v := range vjp(ct) {
			if !m[i] {
				continue
			}
			if v == nil {
				v = prim.Zeros(x.in[i])
			}
			out = append(out, v)
		}
		return out
	}
}

// spreads returns choices of n operands and of the others that follow them: all, the operands only, the others only, and each alone.
func spreads(n, others int) [][]bool {
	one := func(mark func(i int) bool) []bool {
		m := make([]bool, n+others)
		for i := range m {
			m[i] = mark(i)
		}
		return m
	}
	out := [][]bool{one(func(int) bool { return true }), one(func(i int) bool { return i < n }), one(func(i int) bool { return i >= n })}
	for k := range n + others {
		out = append(out, one(func(i int) bool { return i == k }))
	}
	return out
}

// batchedDerivatives compares a batch of derivatives with a loop of them. of returns the
// derivative for a choice of operands, and the types of what it takes besides them.
func batchedDerivatives(t *testing.T, seed uint64, of func(x *subject, m []bool) (function, []core.ShapedArray)) {
	missing := holes{}
	tried := map[string]int{}
	const size = 2
	for _, x := range subjects(t) {
		r := x.generator(seed)
		if _, ok := x.Prim.(core.JVPer); !ok {
			continue
		}
		m, _ := x.tangential()
		if undefined[x.NoFD].only == nil {
			for i, a := range x.in {
				m[i] = a.DType.IsInexact()
			}
		}
		if !slices.Contains(m, true) || x.in[0].Size() > 1000 {
			continue
		}
		f, others := of(&x, m)
		if f == nil {
			continue
		}
		for _, vary := range spreads(len(x.in), len(others)) {
			if notBatched(x.Prim, vary[:len(x.in)]) != "" {
				continue
			}
			in := x.args(r, vary[:len(x.in)], size)
			for k, a := range others {
				if vary[len(x.in)+k] {
					a = a.WithShape(a.Shape.Prepend(size))
				}
				in = append(in, draw(r, a, primtest.Domain{}, 1))
			}
			var outs []val
			if err := testcheck.Recover(func() { outs = batch(f, size, in, vary) }); err != nil {
				if !missing.missing(err, x.Prim) {
					t.Errorf("%s along %v over %v: %v", x.name, m, vary, err)
				}
				continue
			}
			if d := unlike(outs, size, func(k int) []val { return f(at(in, vary, k)) }); d != "" {
				t.Errorf("%s along %v over %v at %s: %s", x.name, m, vary, texts(in), d)
			}
			tried[x.Prim.Name()]++
		}
	}
	missing.report(t)
	t.Logf("%d primitives: %v", len(tried), slices.Sorted(maps.Keys(tried)))
	if samples.Whole() && len(tried) < 80 {
		t.Errorf("only %d primitives were tried", len(tried))
	}
}

// Law: a batch of forward derivatives is a loop of them, to the bit.
func TestLawBatchOfForward(t *testing.T) {
	race.Values(t)
	t.Parallel()
	batchedDerivatives(t, 20, func(x *subject, m []bool) (function, []core.ShapedArray) {
		var others []core.ShapedArray
		for i, a := range x.in {
			if m[i] {
				others = append(others, a)
			}
		}
		return x.forward(m), others
	})
}

// Law: a batch of reverse derivatives is a loop of them, to the bit.
func TestLawBatchOfReverse(t *testing.T) {
	race.Values(t)
	t.Parallel()
	batchedDerivatives(t, 21, func(x *subject, m []bool) (function, []core.ShapedArray) {
		var others []core.ShapedArray
		for _, a := range x.out {
			if a.DType.IsInexact() {
				others = append(others, a)
			}
		}
		return x.backwards(m), others
	})
}
