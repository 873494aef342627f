package fuse_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/matrices"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/reference"
)

// repeated returns a program that runs j twice in a scan and stacks its results.
func repeated(j *jaxpr.Jaxpr) *jaxpr.Jaxpr {
	b := jaxpr.NewBuilder()
	var ins []jaxpr.Atom
	for _, v := range j.Ins {
		ins = append(ins, b.Input(v.Type))
	}
	return built(b, &jaxpr.Scan{Jaxpr: j, Length: 2, NumConsts: len(j.Ins)}, ins)
}

// Every sample of every primitive that a loop keeps in registers has the reference's bits there, in every type.
func TestSamplesInRegisters(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	kept, names := 0, map[string]bool{}
	for _, s := range append(primtest.EveryType(), primtest.Empty()...) {
		if !s.Standalone() || s.Prim.Name() == "empty" || s.Prim.Name() == "empty2" || core.EffectsOf(s.Prim) != 0 {
			continue
		}
		args := make([]*reference.Tensor, len(s.In))
		for i, a := range s.In {
			var d primtest.Domain
			if s.Dom != nil {
				d = s.Dom[i]
			}
			args[i] = draw(r, a, d)
		}
		p := compare(t, s.Prim.Name(), repeated(s.Jaxpr()), args)
		if strings.Contains(p.String(), "register loop") {
			kept++
			names[s.Prim.Name()] = true
		}
	}
	if kept < 3500 {
		t.Errorf("%d samples are in registers, want at least 3500", kept)
	}
	for _, name := range []string{"dot_general", "cholesky", "triangular_solve", "lu", "lu_pivots_to_permutation", "gather", "dynamic_slice", "pad", "random_bits", "threefry2x32"} {
		if !names[name] {
			t.Errorf("no sample of %s is in registers", name)
		}
	}
}

// Factorizations, solves and products of small matrices have the reference's bits in a loop: usual matrices, and some with equal
// pivots, columns of zeros, NaN, ∞ and pivots that are not positive.
func TestMatricesInRegisters(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	unusual := []float64{0, 0, math.Copysign(0, -1), math.Inf(1), math.NaN(), 1, -1, 1, 5e-324, 1e300}
	fill := func(dt core.DType, rare float64, dims ...int) *reference.Tensor {
		x := reference.NewTensor(core.Aval(dt, dims...))
		v := make([]float64, x.Size())
		for i := range v {
			if v[i] = r.NormFloat64(); r.Float64() < rare {
				v[i] = unusual[r.IntN(len(unusual))]
			}
		}
		return referenceOf(prim.ConvertElementTypeP{NewDType: dt}, []*reference.Tensor{float64s(v, dims...)})[0]
	}
	for n := 1; n <= 6; n++ {
		for _, dt := range []core.DType{core.Float32, core.Float64, core.BFloat16, core.Float16} {
			for _, rare := range []float64{0, 0.1, 0.5} {
				for _, batch := range []int{1, 2} {
					run := func(p core.Primitive, args ...*reference.Tensor) {
						t.Helper()
						in := make([]core.ShapedArray, len(args))
						for i, a := range args {
							in[i] = a.ShapedArray
						}
						b := jaxpr.NewBuilder()
						var ins []jaxpr.Atom
						for _, a := range in {
							ins = append(ins, b.Input(a))
						}
						j := built(b, p, ins)
						name := fmt.Sprintf("%s of %v", p.Name(), in)
						plan := compare(t, name, repeated(j), args)
						if batch*n*n <= 36 && !strings.Contains(plan.String(), "register loop") {
							t.Errorf("%s is not in registers:\n%v", name, plan)
						}
					}
					x := fill(dt, rare, batch, n, n)
					definite := fill(dt, rare/4, batch, n, n)
					d := widenedOf(definite)
					for b := range batch {
						for i := range n {
							d[(b*n+i)*n+i] = math.Abs(d[(b*n+i)*n+i]) + float64(n)
						}
					}
					definite = referenceOf(prim.ConvertElementTypeP{NewDType: dt}, []*reference.Tensor{float64s(d, batch, n, n)})[0]
					run(matrices.CholeskyP{}, definite)
					run(matrices.CholeskyP{}, x)
					if dt.Bits() >= 32 {
						run(matrices.LUP{}, x)
						run(matrices.LUP{}, fill(dt, rare, batch, n, max(1, n-1)))
						run(matrices.LUP{}, fill(dt, rare, batch, max(1, n-2), n))
					}
					rows := reference.NewTensor(core.Aval(core.Int32, batch, n))
					for i, v := range reference.View[int32](rows) {
						reference.View[int32](rows)[i] = v + int32(r.IntN(3*n+4)-n-2) // also outside, counted from either end
					}
					run(matrices.LUPivotsToPermutationP{Size: n + r.IntN(2)}, rows)
					for flags := range 16 {
						p := matrices.TriangularSolveP{LeftSide: flags&1 > 0, Lower: flags&2 > 0, TransposeA: flags&4 > 0, UnitDiagonal: flags&8 > 0}
						m := 1 + r.IntN(2)
						b := fill(dt, rare, batch, n, m)
						if !p.LeftSide {
							b = fill(dt, rare, batch, m, n)
						}
						run(p, x, b)
					}
					lead := core.MakeDims(0)
					run(prim.DotGeneralP{LhsContract: core.MakeDims(2), RhsContract: core.MakeDims(1), LhsBatch: lead, RhsBatch: lead}, x, fill(dt, rare, batch, n, 2))
				}
			}
		}
	}
}

// float64s returns an array of numbers.
func float64s(v []float64, dims ...int) *reference.Tensor {
	x := reference.NewTensor(core.Aval(core.Float64, dims...))
	copy(reference.View[float64](x), v)
	return x
}

// widenedOf returns the numbers of an array.
func widenedOf(x *reference.Tensor) []float64 {
	return reference.View[float64](referenceOf(prim.ConvertElementTypeP{NewDType: core.Float64}, []*reference.Tensor{x})[0])
}

// A short loop within a loop, which reads an array in memory, is unrolled with it.
func TestLoopWithinRegisters(t *testing.T) {
	const text = `{ lambda ; x:f32[100,3] y:f32[3] p:f32[3,0] q:f32[7,0]. let
    a:f32[3] b:f32[7,2] = scan[
      jaxpr={ lambda ; x:f32[100,3] p:f32[3,0] i:i32[] y:f32[3] q:f32[0]. let
          j:i32[] = add i 98:i32[]
          _:i32[] k:f32[3] e:f32[2] = scan[
            jaxpr={ lambda ; x:f32[100,3] i:i32[] y:f32[3]. let
                r:f32[1,3] = dynamic_slice[slice_sizes=(1, 3)] x i 0:i32[]
                s:f32[3] = squeeze[dimensions=(0,)] r
                t:f32[3] = mul s y
                u:f32[] = reduce_sum[axes=(0,) out_sharding=None] t
                v:i32[] = add i 1:i32[]
              in (v, t, u) }
            length=2 num_carry=2 num_consts=1 reverse=True unroll=1
          ] x j y
          z:f32[3] = dot_general[dimension_numbers=(([1], [0]), ([], [])) preferred_element_type=float32] p q
          l:f32[3] = add k z
        in (l, e) }
      length=7 num_carry=1 num_consts=3 reverse=False unroll=1
    ] x p 1:i32[] y q
  in (a, b) }`
	j := parse(t, text)
	r := rand.New(rand.NewPCG(3, 1))
	var args []*reference.Tensor
	for _, v := range j.Ins {
		args = append(args, draw(r, v.Type, primtest.Domain{}))
	}
	if p := compare(t, "scan", j, args); strings.Contains(p.String(), "loop scan") || !strings.Contains(p.String(), "register loop") {
		t.Errorf("got %v, want a loop in registers alone", p)
	}
}

// built returns the program of one equation.
func built(b *jaxpr.Builder, p core.Primitive, ins []jaxpr.Atom) *jaxpr.Jaxpr {
	var outs []jaxpr.Atom
	for _, v := range b.Eqn(p, ins...) {
		outs = append(outs, v)
	}
	return b.Build(outs...)
}

// A loop changes a few elements of a large carry in place, after it has read other elements.
func TestLargeCarryOfRegisters(t *testing.T) {
	const text = `{ lambda ; s:f32[40,3] x:f32[9,3] i:i32[9] q:f32[3]. let
    r:f32[40,3] k:f32[3] y:f32[9,1,3] = scan[
      jaxpr={ lambda ; s:f32[40,3] c:f32[3] x:f32[3] i:i32[]. let
          a:f32[1,3] = dynamic_slice[slice_sizes=(1, 3)] s i 0:i32[]
          b:f32[1,3] = reshape[dimensions=None new_sizes=(1, 3) sharding=None] x
          d:f32[1,3] = add_any a b
          e:f32[40,3] = dynamic_update_slice s d i 0:i32[]
          f:i32[] = mul i 2:i32[]
          g:f32[1,3] = dynamic_slice[slice_sizes=(1, 3)] e f 0:i32[]
          h:f32[40,3] = dynamic_update_slice e g 7:i32[] 0:i32[]
          l:f32[3] = mul c x
        in (h, l, g) }
      length=9 num_carry=2 num_consts=0 reverse=True unroll=1
    ] s q x i
  in (r, k, y) }`
	j := parse(t, text)
	r := rand.New(rand.NewPCG(3, 2))
	var args []*reference.Tensor
	for _, v := range j.Ins {
		args = append(args, draw(r, v.Type, primtest.Domain{Lo: -20, Hi: 60}))
	}
	if p := compare(t, "scan", j, args); !strings.Contains(p.String(), "register loop") {
		t.Errorf("got %v, want a loop in registers", p)
	}
	// The array as it was is read after it was changed.
	late := parse(t, strings.Replace(text, "dynamic_slice[slice_sizes=(1, 3)] e f", "dynamic_slice[slice_sizes=(1, 3)] s f", 1))
	if p := compare(t, "scan", late, args); strings.Contains(p.String(), "register loop") {
		t.Errorf("got %v, want a loop of steps", p)
	}
}
