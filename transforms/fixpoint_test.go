package transforms

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
)

// markings returns the markings with which loops are examined.
func markings() map[string]marking {
	return map[string]marking{
		"jvp":       func(j *jaxpr.Jaxpr, m []bool) []bool { return jvpJaxpr(j, m, nil, everything).nz },
		"linearize": func(j *jaxpr.Jaxpr, m []bool) []bool { return linearizeJaxpr(j, m, nil, everything).nz },
		"vmap":      func(j *jaxpr.Jaxpr, m []bool) []bool { return newVmap(3, "").batchJaxpr(j, m, nil, everything).out },
		"split":     unknownResults,
	}
}

// inRounds computes what carryFixpoint is defined to return.
func inRounds(body *jaxpr.Jaxpr, mask []bool, from, n int, of marking) []bool {
	mask = slices.Clone(mask)
	for {
		grown := or(mask[from:from+n], of(body, mask)[:n])
		if slices.Equal(grown, mask[from:from+n]) {
			return mask
		}
		copy(mask[from:], grown)
	}
}

// someBody returns a loop's body with a constant in front: sums, products, signs (which have
// no derivative), conditionals and inner loops of what is there, and carries that are
// handed on.
func someBody(r *rand.Rand, carries int) *jaxpr.Jaxpr {
	return trace.Stage("body", slices.Repeat([]core.ShapedArray{core.Aval(core.Float32)}, carries+1), func(in []Value) []Value {
		vs := slices.Clone(in)
		some := func() Value { return vs[r.IntN(len(vs))] }
		for range carries {
			x, y := some(), some()
			switch r.IntN(6) {
			case 0:
				vs = append(vs, prim.Sign(x))
			case 1:
				vs = append(vs, prim.Mul(x, y))
			case 2:
				vs = append(vs, prim.Mul(x, prim.Num(core.Aval(core.Float32), 2)))
			case 3:
				vs = append(vs, prim.Add(x, prim.Sign(y)))
			case 4:
				inner := trace.Stage("inner", core.AvalsOf([]Value{x, y, x}), func(in []Value) []Value {
					return []Value{prim.Add(in[1], in[0]), in[1]}
				})
				vs = append(vs, core.Bind(&jaxpr.Scan{Jaxpr: inner, Length: 2, NumConsts: 1, NumCarry: 2, Unroll: 1}, x, y, x)...)
			case 5:
				f := trace.Stage("f", core.AvalsOf([]Value{x, y}), func(in []Value) []Value { return []Value{in[1], prim.Sign(in[0])} })
				vs = append(vs, core.Bind(&jaxpr.Jit{Fn: "f", Jaxpr: f}, x, y)...)
			}
		}
		outs := make([]Value, carries)
		for k := range outs {
			if outs[k] = vs[r.IntN(len(vs))]; r.IntN(3) == 0 {
				outs[k] = prim.Num(core.Aval(core.Float32), 1)
			}
		}
		return outs
	})
}

// Asking equations one by one marks what asking the whole body in rounds marks.
func TestMarksSpread(t *testing.T) {
	for name, of := range markings() {
		r := rand.New(rand.NewPCG(1, 2))
		grew := 0
		for range 150 {
			carries := 1 + r.IntN(12)
			body := someBody(r, carries)
			mask := make([]bool, carries+1)
			for k := range mask {
				mask[k] = r.IntN(6) == 0
			}
			want := inRounds(body, mask, 1, carries, of)
			if got := spreadMarks(body, mask, 1, carries, of); !slices.Equal(got, want) {
				t.Fatalf("%s of %v: %v, in rounds %v\n%v", name, mask, got, want, body)
			}
			if got := carryFixpoint(body, mask, 1, carries, of); !slices.Equal(got, want) {
				t.Fatalf("%s of %v: %v, in rounds %v\n%v", name, mask, got, want, body)
			}
			if !slices.Equal(want, mask) {
				grew++
			}
		}
		if grew < 20 {
			t.Errorf("%s: only %d masks grew", name, grew)
		}
	}
}

// A chain of carries, each fed by the one before, takes a few looks at the whole body,
// not one for each.
func TestMarksSpreadAlongChains(t *testing.T) {
	const n = 2000
	chain := trace.Stage("body", slices.Repeat([]core.ShapedArray{core.Aval(core.Float32)}, n), func(in []Value) []Value {
		out := slices.Clone(in)
		for k := 1; k < n; k++ {
			out[k] = prim.Add(in[k], prim.Sin(in[k-1]))
		}
		return out
	})
	for name, of := range markings() {
		looks := 0
		got := carryFixpoint(chain, spread([]bool{true}, slices.Concat([]bool{true}, make([]bool, n-1))), 0, n, func(j *jaxpr.Jaxpr, m []bool) []bool {
			if j == chain {
				looks++
			}
			return of(j, m)
		})
		if anyTrue(not(got)) {
			t.Errorf("%s: %d of %d carries are marked", name, count(got), n)
		}
		if looks > 5 {
			t.Errorf("%s: %d looks at the whole body", name, looks)
		}
	}
}
