package fuse_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/reference"
	"github.com/weft-go/weft/runtime"
)

const (
	fori = `{ lambda ; a:i32[] b:f32[]. let
    c:i32[] d:f32[] = while[
      body_jaxpr={ lambda ; a:f32[] b:i32[] c:f32[]. let
          d:i32[] = add b 1:i32[]
          e:f32[] = sin c
          f:f32[] = mul e a
        in (d, f) }
      body_nconsts=1
      cond_jaxpr={ lambda ; a:i32[] b:i32[] c:f32[]. let d:bool[] = lt b a in (d,) }
      cond_nconsts=1
    ] a 1.5:f32[] 0:i32[] b
  in (c, d) }`
	collatz = `{ lambda ; a:i32[]. let
    b:i32[] c:i32[] = while[
      body_jaxpr={ lambda ; a:i32[] b:i32[]. let
          c:i32[] = rem a 2:i32[]
          d:i32[] = cond[
            branches=(
              { lambda ; a:i32[]. let b:i32[] = div a 2:i32[] in (b,) }
              { lambda ; a:i32[]. let b:i32[] = mul a 3:i32[]; c:i32[] = add b 1:i32[] in (c,) }
              { lambda ; a:i32[]. let  in (a,) }
            )
          ] c a
          e:i32[] = add b 1:i32[]
        in (d, e) }
      body_nconsts=0
      cond_jaxpr={ lambda ; a:i32[] b:i32[]. let c:bool[] = gt a 1:i32[] in (c,) }
      cond_nconsts=0
    ] a 0:i32[]
  in (c, b) }`
	scan = `{ lambda ; a:f32[3] b:f32[5,3] c:f32[2]. let
    d:f32[3] e:f32[5] f:i32[5] = scan[
      jaxpr={ lambda ; a:f32[2] b:f32[3] c:f32[3]. let
          d:f32[3] = add b c
          e:f32[] = reduce_sum[axes=(0,) out_sharding=None] d
          f:f32[1] = slice[limit_indices=(1,) start_indices=(0,) strides=None] a
          g:f32[3] = broadcast_in_dim[broadcast_dimensions=(0,) shape=(3,) sharding=None] f
          h:f32[3] = mul d g
          i:f32[3] = rev[dimensions=(0,)] h
          j:i32[] = argmax[axes=(0,) index_dtype=int32] i
        in (i, e, j) }
      length=5 num_carry=1 num_consts=1 reverse=True unroll=1
    ] c a b
  in (d, e, f) }`
)

const reducedBools = `{ lambda ; a:f32[4] b:f32[]. let
    c:f32[] = scan[
      jaxpr={ lambda ; d:f32[4] e:f32[]. let
          f:bool[4] = lt d e
          g:bool[] = reduce_and[axes=(0,)] f
          h:bool[] = reduce_or[axes=(0,)] f
          i:bool[] = xor g h
          j:f32[] = convert_element_type[new_dtype=float32 weak_type=False] i
          k:f32[] = add e j
        in (k,) }
      length=5 num_carry=1 num_consts=1 reverse=False unroll=1
    ] a b
  in (c,) }`

// smallReductions finds positions along an axis between two others, multiplies complex numbers, and
// adds along two axes on both sides of an axis that stays.
const smallReductions = `{ lambda ; a:f32[2,3,2] b:c64[2,3] c:i32[2,2] d:c64[2] n:f32[3]. let
    e:f32[2,3,2] f:c64[2,3] g:i32[2,2] h:c64[2] i:f32[3] = scan[
      jaxpr={ lambda ; a:f32[2,3,2] b:c64[2,3] c:i32[2,2] d:c64[2] n:f32[3]. let
          e:f32[2,3,2] = sin a
          f:c64[2,3] = neg b
          g:i32[2,2] = argmax[axes=(1,) index_dtype=int32] e
          h:i32[2,2] = argmin[axes=(1,) index_dtype=int32] e
          i:i32[2,2] = mul c 10:i32[]
          j:i32[2,2] = sub g h
          k:i32[2,2] = add i j
          l:c64[2] = reduce_prod[axes=(1,)] f
          m:c64[2] = add d l
          o:f32[3] = reduce_sum[axes=(0, 2) out_sharding=None] e
          p:f32[3] = add n o
        in (e, f, k, m, p) }
      length=3 num_carry=5 num_consts=0 reverse=False unroll=1
    ] a b c d n
  in (e, f, g, h, i) }`

const elements = `{ lambda ; a:f32[16] b:f32[16]. let
    c:i32[] d:f32[16] = while[
      body_jaxpr={ lambda ; a:f32[16] b:i32[] c:f32[16]. let
          d:i32[] = add b 1:i32[]
          e:f32[16] = mul c 0.75:f32[]
          f:f32[16] = add e a
        in (d, f) }
      body_nconsts=1
      cond_jaxpr={ lambda ; b:i32[] c:f32[16]. let d:bool[] = lt b 7:i32[] in (d,) }
      cond_nconsts=0
    ] a 0:i32[] b
  in (c, d) }`

// testedElements ends by a number that it computes, so how often it runs is not known.
const testedElements = `{ lambda ; a:f32[1024] b:f32[1024] g:f32[]. let
    c:f32[] d:f32[1024] = while[
      body_jaxpr={ lambda ; a:f32[1024] b:f32[] c:f32[1024]. let
          d:f32[] = mul b 0.5:f32[]
          e:f32[1024] = mul c 0.75:f32[]
          f:f32[1024] = add e a
        in (d, f) }
      body_nconsts=1
      cond_jaxpr={ lambda ; b:f32[] c:f32[1024]. let d:bool[] = gt b 0.01:f32[] in (d,) }
      cond_nconsts=0
    ] a g b
  in (c, d) }`

// Loops over a few numbers are one kernel that carries them, and have the reference's
// bits, also where they take several launches.
func TestLoopsInRegisters(t *testing.T) {
	number := func(x float64, a core.ShapedArray) *reference.Tensor {
		return referenceOf(prim.ConvertElementTypeP{NewDType: a.DType}, []*reference.Tensor{scalarF64(x)})[0]
	}
	i32, f32 := core.Aval(core.Int32), core.Aval(core.Float32)
	for _, c := range []struct {
		name, text string
		args       []*reference.Tensor
	}{
		{"no iteration", fori, []*reference.Tensor{number(0, i32), number(2, f32)}},
		{"one launch", fori, []*reference.Tensor{number(20, i32), number(2, f32)}},
		{"several launches", fori, []*reference.Tensor{number(3000, i32), number(2, f32)}},
		{"branches", collatz, []*reference.Tensor{number(27, i32)}},
		{"scan", scan, nil},
		{"reduced bools", reducedBools, nil},
		{"small reductions", smallReductions, nil},
		{"elements side by side", elements, nil},
		{"elements side by side, tested", testedElements, nil},
	} {
		j := lower.Program(parse(t, c.text))
		if c.args == nil {
			c.args = drawAll(j)
		}
		p := compare(t, c.name, j, c.args)
		if len(p.Steps) != 1 {
			t.Errorf("%s: %d steps, want 1\n%v", c.name, len(p.Steps), p)
		}
		if _, ok := p.Steps[0].(*fuse.RegisterLoop); !ok {
			t.Errorf("%s: the loop is no kernel\n%v", c.name, p)
		}
	}
}

// A reduction of few numbers that depends on a reduction of the same row is combined
// after it.
func TestReductionsInRows(t *testing.T) {
	j := parse(t, `{ lambda ; a:f32[2]. let
    b:f32[2] = sin a
    c:f32[] = reduce_sum[axes=(0,) out_sharding=None] b
    d:f32[] = cos c
    e:f32[2] = broadcast_in_dim d
    f:f32[] = reduce_sum[axes=(0,) out_sharding=None] e
    g:f32[] = sin f
  in (g,) }`)
	compare(t, "reductions", j, drawAll(j))
}

// A member of a kernel may read an array along axes that the shapes of other members do not have; the
// kernel's axes divide the elements for all members.
func TestAxesOfSeveralShapes(t *testing.T) {
	j := parse(t, `{ lambda ; a:f32[12,2] b:f32[2,12] c:f32[6,4] d:f32[4,6]. let
    e:f32[12,2] = transpose[permutation=(1, 0)] b
    f:f32[12,2] = atan2 a e
    g:f32[6,4] = reshape[dimensions=None new_sizes=(6, 4) sharding=None] f
    h:f32[6,4] = transpose[permutation=(1, 0)] d
    i:f32[6,4] = atan2 c h
    j:f32[6,4] = atan2 g i
  in (f, i, j) }`)
	p := compare(t, "several shapes", j, drawAll(j))
	if len(p.Steps) != 1 {
		t.Errorf("got %d steps, want 1\n%v", len(p.Steps), p)
	}
}

// A loop over elements and a border around them is divided where the border ends.
func TestLoopsOfBorders(t *testing.T) {
	j := parse(t, `{ lambda ; a:f32[100] b:f32[180]. let
    c:f32[180] = pad[padding_config=((40, 40, 0),)] a 0.0:f32[]
    d:f32[180] = mul c b
  in (d,) }`)
	p := compare(t, "border", j, drawAll(j))
	text := fmt.Sprint(p.Kernels())
	for _, want := range []string{"vector a0<40 {", "vector a1<100 {", "vector a2<40 {"} {
		if strings.Count(text, "vector") != 3 || !strings.Contains(text, want) {
			t.Errorf("got\n%s\nwant three loops, one %q", text, want)
		}
	}
}

func scalarF64(x float64) *reference.Tensor {
	t := reference.NewTensor(core.Aval(core.Float64))
	reference.View[float64](t)[0] = x
	return t
}

func parse(t testing.TB, text string) *jaxpr.Jaxpr {
	t.Helper()
	j, err := jaxpr.Parse(text, prim.Vocabulary)
	if err == nil {
		err = jaxpr.Check(j)
	}
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// chain returns a program of n elementwise equations on 1,000 elements.
func chain(n int) *jaxpr.Jaxpr {
	b := jaxpr.NewBuilder()
	x := jaxpr.Atom(b.Input(core.Aval(core.Float32, 1000)))
	y := x
	for i := range n {
		switch i % 4 {
		case 0:
			y = b.Eqn(prim.SinP{}, y)[0]
		case 1:
			y = b.Eqn(prim.MulP{}, y, core.Lit(core.FloatNumber(1.5), core.Float32))[0]
		case 2:
			y = b.Eqn(prim.AddP{}, y, x)[0]
		case 3:
			y = b.Eqn(prim.NegP{}, y)[0]
		}
	}
	return b.Build(y)
}

func BenchmarkTranslate(b *testing.B) {
	for _, n := range []int{1000, 10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			j := chain(n)
			b.ReportAllocs()
			for b.Loop() {
				fuse.Translate(j, fuse.Target{})
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/eqn")
		})
	}
}

// A launch that computes only results stays behind the loop that writes the end of its operand: that loop is merged
// with the copy before it, and the launch that they make both reads and writes the operand.
func TestResultsAfterMergedLaunch(t *testing.T) {
	j := parse(t, `{ lambda ; c:f32[16384] s:f32[16] xs:f32[4] is:i32[3]. let
  a:f32[16] b:f32[4,16400] = scan[
    _split_transpose=False
    jaxpr={ lambda ; c:f32[16384] is:i32[3] s:f32[16] x:f32[]. let
      X:f32[16400] = concatenate[dimension=0] c s
      t:f32[16] = scan[
        _split_transpose=False
        jaxpr={ lambda ; X:f32[16400] t:f32[16] i:i32[]. let
          u:f32[16] = dynamic_slice[slice_sizes=(16,)] X i
          v:f32[16] = sin u
          w:f32[16] = add t v
        in (w,) }
        length=3
        linear=(False, False, False)
        num_carry=1
        num_consts=1
        reverse=False
        unroll=1
      ] X s is
      Y:f32[16400] = mul X 2.0:f32[]
    in (t, Y) }
    length=4
    linear=(False, False, False, False)
    num_carry=1
    num_consts=2
    reverse=False
    unroll=1
  ] c is s xs
in (a, b) }`)
	r := rand.New(rand.NewPCG(5, 5))
	var args []*reference.Tensor
	for _, v := range j.Ins {
		args = append(args, draw(r, v.Type, primtest.Domain{Lo: 0, Hi: 16384}))
	}
	vs := make([]core.Value, len(args))
	for i, a := range args {
		vs[i] = runtime.FromTensor(a)
	}
	p := fuse.Translate(j, fuse.Native())
	same(t, "merged", j, p, args, unboxed(jaxpr.Eval(j, nil, vs)))
	if !strings.Contains(p.String(), "inout=f32[16400]") {
		t.Errorf("no launch reads and writes the operand:\n%v", p)
	}
}

// Coordinates beyond 2²⁴ are rounded once where the type is a small float.
func TestLargeCoordinates(t *testing.T) {
	j := parse(t, `{ lambda ; . let
    a:bf16[16842760] = iota[dimension=0 dtype=bfloat16 shape=(16842760,) sharding=None]
    b:bf16[16] = slice[limit_indices=(16842760,) start_indices=(16842744,) strides=None] a
  in (b,) }`)
	compare(t, "iota", j, nil)
}
