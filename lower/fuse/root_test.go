package fuse_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/reference"
	"github.com/weft-go/weft/lower/reference/linalg"
	"github.com/weft-go/weft/runtime"
)

// The equations around a Cholesky factorization of many small matrices are one step with it, to the bit, where nothing else reads
// what is between them.
func TestSymmetricRoots(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	const text = `{ lambda ; x:f32[70,5,5]. let
    a:f32[70,5,5] = transpose[permutation=(0, 2, 1)] x
    b:f32[70,5,5] = add x a
    c:f32[70,5,5] = div b 2.0:f32[]
    d:f32[70,5,5] = cholesky c
    e:i32[5,5] = iota[dimension=0 dtype=int32 shape=(5, 5) sharding=None]
    f:i32[5,5] = iota[dimension=1 dtype=int32 shape=(5, 5) sharding=None]
    g:bool[5,5] = ge e f
    h:bool[70,5,5] = broadcast_in_dim[broadcast_dimensions=(1, 2) shape=(70, 5, 5) sharding=None] g
    i:f32[70,5,5] = broadcast_in_dim[broadcast_dimensions=() shape=(70, 5, 5) sharding=None] 0.0:f32[]
    j:f32[70,5,5] = select_n h i d
  in (j,) }`
	for _, c := range []struct {
		name, old, new string
		one            bool
	}{
		{"f32", "", "", true},
		{"f64", "f32", "f64", true},
		{"exchanged", "add x a", "add a x", true},
		{"few", "70", "31", false},
		{"large", "5", "17", false},
		{"complex", "f32", "c64", false},
		{"half", "f32", "bf16", false},
		{"other number", "2.0", "3.0", false},
		{"product", "div b", "mul b", false},
		{"difference", "add x a", "sub x a", false},
		{"not transposed", "(0, 2, 1)", "(0, 1, 2)", false},
		{"root returned", "(j,)", "(j, d)", false},
		{"mean returned", "(j,)", "(c, j)", false},
		{"sum returned", "(j,)", "(j, b)", false},
		{"transpose returned", "(j,)", "(j, a)", true},
		{"upper", "ge e f", "ge f e", false},
		{"strict", "ge e f", "gt e f", false},
		{"other zero", "0.0", "-0.0", false},
		{"not selected", "h i d", "h d i", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := text
			if c.old != "" {
				text = strings.ReplaceAll(text, c.old, c.new)
			}
			j := parse(t, text)
			if err := jaxpr.Check(j); err != nil {
				t.Fatal(err)
			}
			j = lower.Program(j)
			x := draw(r, j.Ins[0].Type, primtest.Domain{Lo: -1, Hi: 1})
			n := j.Ins[0].Type.Shape.At(2)
			for i := 0; i < j.Ins[0].Type.Shape.At(0)-2; i++ { // the last ones are not definite
				for k := range n {
					at := (i*n+k)*n + k
					switch x.DType {
					case core.Float32:
						reference.View[float32](x)[at] += 20
					case core.Float64:
						reference.View[float64](x)[at] += 20
					}
				}
			}
			args := []*reference.Tensor{x}
			want := unboxed(jaxpr.Eval(j, nil, []core.Value{runtime.FromTensor(x)}))
			p := fuse.Translate(j, fuse.Native())
			same(t, c.name, j, p, args, want)
			one := false
			for _, s := range p.Steps {
				s, ok := s.(*fuse.Call)
				if ok {
					_, is := s.Eqn.Prim.(linalg.SymmetricRootP)
					one = one || is
				}
			}
			if one != c.one {
				t.Errorf("one step: got %v, want %v\n%v", one, c.one, p)
			}
			if c.name == "f32" && len(p.Steps) != 1 {
				t.Errorf("got %d steps, want 1\n%v", len(p.Steps), p)
			}
		})
	}
}
