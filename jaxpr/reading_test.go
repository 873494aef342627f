package jaxpr_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
)

const scatterAdd = `scatter-add[
      dimension_numbers=ScatterDimensionNumbers(update_window_dims=range(0, 0), inserted_window_dims=(np.int64(0),), scatter_dims_to_operand_dims=(0,), operand_batching_dims=(), scatter_indices_batching_dims=())
      indices_are_sorted=False
      mode=GatherScatterMode.FILL_OR_DROP
      unique_indices=False
      update_consts=()
      update_jaxpr=`

// Properties of Python's objects that do not change what a program means print as they were read.
func TestReadingOfObjects(t *testing.T) {
	for name, text := range map[string]string{
		"integers of NumPy": `{ lambda ; a:f32[3,4]. let
    b:f32[3] = reduce_sum[axes=(np.int64(1),) out_sharding=None] a
    c:f32[3,4] = broadcast_in_dim[broadcast_dimensions=(np.int64(0),)] b
    d:f32[4,5] = pad[
      padding_config=((np.int32(1), 0, np.int64(0)), (0, np.uint8(1), 0))
    ] c 0.0:f32[]
  in (d,) }`,
		"a sharding": `{ lambda ; a:f32[2,3]. let
    b:f32[6] = reshape[
      dimensions=None
      new_sizes=(6,)
      sharding=NamedSharding(mesh=AbstractMesh('S': 1), spec=P(None,))
    ] a
  in (b,) }`,
		"equal programs, two of which are one object": `let jaxpr = { lambda ; a:f32[] b:f32[]. let c:f32[] = add a b in (c,) } in
{ lambda ; d:f32[8] e:i32[3,1] f:f32[3]. let
    g:f32[8] = ` + scatterAdd + `jaxpr
    ] d e f
    h:f32[8] = ` + scatterAdd + `{ lambda ; i:f32[] j:f32[]. let k:f32[] = add i j in (k,) }
    ] g e f
    l:f32[8] = ` + scatterAdd + `jaxpr
    ] h e f
  in (l,) }`,
		"programs with variables in common": `let f = { lambda ; a:bool[] b:f32[] c:f32[]. let
    d:f32[] = select_n a c b
  in (d,) } in
{ lambda ; e:bool[] g:f32[]. let
    h:f32[] = jit[name=f jaxpr=f] e g 1.0:f32[]
    i:f32[] = jit[name=f jaxpr=f] e h 1.0:f32[]
    j:f32[] = jit[
      name=f
      jaxpr={ lambda ; a:bool[] b:f32[] c:f32[]. let
          d:f32[] = select_n a b c
        in (d,) }
    ] e i g
    k:f32[] l:f32[] = jit[
      name=g
      jaxpr={ lambda ; e:bool[] m:f32[] j:f32[]. let
          d:f32[] = select_n e m j
        in (1.0:f32[], d) }
    ] e 2.0:f32[] j
  in (k, l) }`,
		"a program that only a value's text uses": `let f = { lambda ; a:f32[]. let b:f32[] = neg a in (b,) } in
{ lambda ; c:f32[]. let
    d:f32[] = custom_linear_solve[
      const_lengths=_LinearSolveTuple(matvec=0, vecmat=0, solve=0, transpose_solve=0)
      jaxprs=_LinearSolveTuple(matvec={ lambda ; a:f32[]. let
    b:f32[] = jit[
      name=f
      jaxpr={ lambda ; a:f32[]. let b:f32[] = neg a in (b,) }
    ] a
  in (b,) }, vecmat=None, solve={ lambda ; a:f32[]. let  in (a,) }, transpose_solve=None)
    ] c
  in (d,) }`,
	} {
		j, err := jaxpr.Parse(text, prim.Vocabulary)
		if err == nil {
			err = jaxpr.Check(j)
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := j.String(); got != text {
			t.Errorf("%s: not as it was (-want +got)\n%s", name, cmp.Diff(strings.Split(text, "\n"), strings.Split(got, "\n")))
		}
		// A program made of its equations prints without these properties.
		k := &jaxpr.Jaxpr{Ins: j.Ins, Eqns: j.Eqns, Outs: j.Outs}
		if got := k.String(); strings.Contains(got, "np.") || strings.Contains(got, "range(") || strings.Contains(got, "Sharding(") {
			t.Errorf("%s: a program of the same equations prints as the text\n%s", name, got)
		} else if again, err := jaxpr.Parse(got, prim.Vocabulary); err != nil {
			t.Errorf("%s: %v", name, err)
		} else if d := jaxpr.Diff(j, again); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// Names that are not JAX's are replaced, also where programs have them in common.
func TestReadingOfOtherNames(t *testing.T) {
	const text = `{ lambda ; x:f32[]. let
    y:f32[] = cond[branches=({ lambda ; x:f32[]. let y:f32[] = sin x in (y,) } { lambda ; x:f32[]. let y:f32[] = cos x in (y,) })] 0:i32[] x
  in (y,) }`
	const want = `{ lambda ; a:f32[]. let
    b:f32[] = cond[
      branches=(
        { lambda ; c:f32[]. let d:f32[] = sin c in (d,) }
        { lambda ; e:f32[]. let f:f32[] = cos e in (f,) }
      )
    ] 0:i32[] a
  in (b,) }`
	if got := parse(t, text).String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
