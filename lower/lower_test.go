package lower_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/ircheck"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower"
	_ "github.com/weft-go/weft/runtime"
)

var f32 = core.Aval(core.Float32)

func parse(t testing.TB, text string) *jaxpr.Jaxpr {
	t.Helper()
	j, err := jaxpr.Parse(text, prim.Vocabulary)
	if err != nil {
		t.Fatal(err)
	}
	if err := jaxpr.Check(j); err != nil {
		t.Fatal(err)
	}
	return j
}

// alone runs the pipeline up to a pass on a program that the passes before it leave as
// it is.
func alone(t *testing.T, pass, text string) *jaxpr.Jaxpr {
	t.Helper()
	return lower.After(parse(t, text), pass)
}

func TestIdentities(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"reshape twice",
			"{ lambda ; a:f32[6]. let b:f32[2,3] = reshape[dimensions=None new_sizes=(2, 3) sharding=None] a; c:f32[3,2] = reshape[dimensions=None new_sizes=(3, 2) sharding=None] b; d:f32[3,2] = sin c in (d,) }",
			"{ lambda ; a:f32[6]. let _:f32[2,3] = reshape[dimensions=None new_sizes=(2, 3) sharding=None] a; b:f32[3,2] = reshape[dimensions=None new_sizes=(3, 2) sharding=None] a; c:f32[3,2] = sin b in (c,) }"},
		{"transpose and back",
			"{ lambda ; a:f32[2,3]. let b:f32[3,2] = transpose[permutation=(1, 0)] a; c:f32[2,3] = transpose[permutation=(1, 0)] b; d:f32[2,3] = sin c in (d,) }",
			"{ lambda ; a:f32[2,3]. let _:f32[3,2] = transpose[permutation=(1, 0)] a; b:f32[2,3] = sin a in (b,) }"},
		{"transpose and back around elementwise operations",
			"{ lambda ; a:f32[2,3] s:f32[]. let b:f32[3,2] = transpose[permutation=(1, 0)] a; c:f32[3,2] = sin b; d:f32[3,2] = mul c s; e:f32[3,2] = add d c; f:f32[2,3] = transpose[permutation=(1, 0)] e in (f,) }",
			"{ lambda ; a:f32[2,3] b:f32[]. let _:f32[3,2] = transpose[permutation=(1, 0)] a; c:f32[2,3] = sin a; d:f32[2,3] = mul c b; e:f32[2,3] = add d c in (e,) }"},
		{"reshape and back around elementwise operations",
			"{ lambda ; a:f32[2,6] b:f32[2,6]. let c:f32[2,2,3] = reshape[dimensions=None new_sizes=(2, 2, 3) sharding=None] a; d:f32[2,2,3] = reshape[dimensions=None new_sizes=(2, 2, 3) sharding=None] b; e:f32[2,2,3] = mul c d; f:f32[2,2,3] = sin e; g:f32[2,6] = reshape[dimensions=None new_sizes=(2, 6) sharding=None] f in (g,) }",
			"{ lambda ; a:f32[2,6] b:f32[2,6]. let _:f32[2,2,3] = reshape[dimensions=None new_sizes=(2, 2, 3) sharding=None] a; _:f32[2,2,3] = reshape[dimensions=None new_sizes=(2, 2, 3) sharding=None] b; c:f32[2,6] = mul a b; d:f32[2,6] = sin c in (d,) }"},
		{"scalars stay scalars",
			"{ lambda ; a:f32[1] b:f32[]. let c:f32[] = reshape[dimensions=None new_sizes=() sharding=None] a; d:f32[] = mul c b; e:f32[1] = reshape[dimensions=None new_sizes=(1,) sharding=None] d in (e,) }",
			"{ lambda ; a:f32[1] b:f32[]. let c:f32[] = reshape[dimensions=None new_sizes=() sharding=None] a; d:f32[] = mul c b; e:f32[1] = reshape[dimensions=None new_sizes=(1,) sharding=None] d in (e,) }"},
		{"what was reshaped otherwise stays",
			"{ lambda ; a:f32[2,6] b:f32[3,4]. let c:f32[2,2,3] = reshape[dimensions=None new_sizes=(2, 2, 3) sharding=None] a; d:f32[2,2,3] = reshape[dimensions=None new_sizes=(2, 2, 3) sharding=None] b; e:f32[2,2,3] = mul c d; f:f32[2,6] = reshape[dimensions=None new_sizes=(2, 6) sharding=None] e in (f,) }",
			"{ lambda ; a:f32[2,6] b:f32[3,4]. let c:f32[2,2,3] = reshape[dimensions=None new_sizes=(2, 2, 3) sharding=None] a; d:f32[2,2,3] = reshape[dimensions=None new_sizes=(2, 2, 3) sharding=None] b; e:f32[2,2,3] = mul c d; f:f32[2,6] = reshape[dimensions=None new_sizes=(2, 6) sharding=None] e in (f,) }"},
		{"what else is needed transposed stays",
			"{ lambda ; a:f32[2,3]. let b:f32[3,2] = transpose[permutation=(1, 0)] a; c:f32[3,2] = sin b; d:f32[2,3] = transpose[permutation=(1, 0)] c in (c, d) }",
			"{ lambda ; a:f32[2,3]. let b:f32[3,2] = transpose[permutation=(1, 0)] a; c:f32[3,2] = sin b; d:f32[2,3] = transpose[permutation=(1, 0)] c in (c, d) }"},
		{"other transposes stay",
			"{ lambda ; a:f32[2,2,2] b:f32[2,2,2]. let c:f32[2,2,2] = transpose[permutation=(1, 2, 0)] a; d:f32[2,2,2] = sin c; e:f32[2,2,2] = transpose[permutation=(1, 2, 0)] d; f:f32[2,2,2] = transpose[permutation=(2, 0, 1)] b; g:f32[2,2,2] = add f a; h:f32[2,2,2] = transpose[permutation=(1, 2, 0)] g in (e, h) }",
			"{ lambda ; a:f32[2,2,2] b:f32[2,2,2]. let c:f32[2,2,2] = transpose[permutation=(1, 2, 0)] a; d:f32[2,2,2] = sin c; e:f32[2,2,2] = transpose[permutation=(1, 2, 0)] d; f:f32[2,2,2] = transpose[permutation=(2, 0, 1)] b; g:f32[2,2,2] = add f a; h:f32[2,2,2] = transpose[permutation=(1, 2, 0)] g in (e, h) }"},
		{"float zero and one stay",
			"{ lambda ; a:f32[]. let b:f32[] = add a 0.0:f32[]; c:f32[] = mul b 1.0:f32[] in (c,) }",
			"{ lambda ; a:f32[]. let b:f32[] = add a 0.0:f32[]; c:f32[] = mul b 1.0:f32[] in (c,) }"},
		{"integer zero and one",
			"{ lambda ; a:i32[]. let b:i32[] = add 0:i32[] a; c:i32[] = mul b 1:i32[]; d:i32[] = sub c 0:i32[]; e:i32[] = sub 0:i32[] d in (e,) }",
			"{ lambda ; a:i32[]. let b:i32[] = sub 0:i32[] a in (b,) }"},
		{"a result stays apart from an input",
			"{ lambda ; a:f32[]. let b:f32[] = copy a; c:f32[] = stop_gradient a in (b, c) }",
			"{ lambda ; a:f32[]. let b:f32[] = copy a; c:f32[] = stop_gradient a in (b, c) }"},
		{"a result stays apart from a constant",
			"{ lambda a:f32[]; b:f32[]. let c:f32[] = copy a; d:f32[] = mul b c in (c, d) }",
			"{ lambda a:f32[]; b:f32[]. let c:f32[] = copy a; d:f32[] = mul b c in (c, d) }"},
		{"products of types that are equally wide keep their order",
			"{ lambda ; a:f16[2,3] b:bf16[4,3,5]. let c:f16[4,2,3] = broadcast_in_dim[broadcast_dimensions=(1, 2)] a; d:f16[4,2,5] = dot_general[dimension_numbers=(([2], [1]), ([0], [0]))] c b in (d,) }",
			"{ lambda ; a:f16[2,3] b:bf16[4,3,5]. let c:f16[4,2,3] = broadcast_in_dim[broadcast_dimensions=(1, 2)] a; d:f16[4,2,5] = dot_general[dimension_numbers=(([2], [1]), ([0], [0]))] c b in (d,) }"},
		{"select by a literal",
			"{ lambda ; a:f32[] b:f32[]. let c:f32[] = select_n True:bool[] a b; d:f32[] = sin c in (d,) }",
			"{ lambda ; a:f32[] b:f32[]. let c:f32[] = sin b in (c,) }"},
	} {
		ircheck.Prints(t, c.name, alone(t, "identities", c.text), c.want)
	}
}

func TestFold(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"scalars",
			"{ lambda ; a:f32[]. let b:f32[] = mul 2.0:f32[] 3.0:f32[]; c:f32[] = sqrt b; d:f32[] = add a c in (d,) }",
			"{ lambda ; a:f32[]. let b:f32[] = add a 2.4494898319244385:f32[] in (b,) }"},
		{"arrays that are cheap to compute do not become constants",
			"{ lambda ; a:i32[3]. let b:i32[3] = iota[dimension=0 dtype=int32 shape=(3,) sharding=None] ; c:i32[3] = mul b 2:i32[]; d:i32[3] = add a c in (d,) }",
			"{ lambda ; a:i32[3]. let b:i32[3] = iota[dimension=0 dtype=int32 shape=(3,) sharding=None] ; c:i32[3] = mul b 2:i32[]; d:i32[3] = add a c in (d,) }"},
		{"other arrays do",
			"{ lambda ; a:i32[3]. let b:i32[3] = iota[dimension=0 dtype=int32 shape=(3,) sharding=None] ; c:i32[3] = cumsum[axis=0 reverse=False] b; d:i32[3] = add a c in (d,) }",
			"{ lambda a:i32[3]; b:i32[3]. let _:i32[3] = iota[dimension=0 dtype=int32 shape=(3,) sharding=None] ; c:i32[3] = add b a in (c,) }"},
		{"a reduction of computed arrays",
			"{ lambda ; a:f32[]. let b:i32[3] = iota[dimension=0 dtype=int32 shape=(3,) sharding=None] ; c:i32[] = reduce_max[axes=(0,) out_sharding=None] b; d:f32[] = convert_element_type[new_dtype=float32 weak_type=False] c; e:f32[] = mul a d in (e,) }",
			"{ lambda ; a:f32[]. let _:i32[3] = iota[dimension=0 dtype=int32 shape=(3,) sharding=None] ; b:f32[] = mul a 2.0:f32[] in (b,) }"},
		{"a result is computed on each call",
			"{ lambda ; . let b:f32[] = mul 2.0:f32[] 3.0:f32[]; c:f32[] = sqrt b in (b, c) }",
			"{ lambda ; . let a:f32[] = mul 2.0:f32[] 3.0:f32[]; b:f32[] = sqrt a in (a, b) }"},
		{"a reduction of an array of too many bytes",
			"{ lambda ; a:i32[]. let b:i32[5000] = iota[dimension=0 dtype=int32 shape=(5000,) sharding=None] ; c:i32[] = reduce_max[axes=(0,) out_sharding=None] b; d:i32[] = add a c in (d,) }",
			"{ lambda ; a:i32[]. let b:i32[5000] = iota[dimension=0 dtype=int32 shape=(5000,) sharding=None] ; c:i32[] = reduce_max[axes=(0,)] b; d:i32[] = add a c in (d,) }"},
		{"a reduction of an array of too much work",
			"{ lambda ; a:i32[]. let b:i32[1000] = iota[dimension=0 dtype=int32 shape=(1000,) sharding=None] ; c:i32[1000] = mul b b; d:i32[] = reduce_max[axes=(0,) out_sharding=None] c; e:i32[] = add a d in (e,) }",
			"{ lambda ; a:i32[]. let b:i32[1000] = iota[dimension=0 dtype=int32 shape=(1000,) sharding=None] ; c:i32[1000] = mul b b; d:i32[] = reduce_max[axes=(0,)] c; e:i32[] = add a d in (e,) }"},
		{"too many bytes",
			"{ lambda ; a:f32[9000]. let b:f32[9000] = broadcast_in_dim 1.0:f32[]; c:f32[9000] = sin b; d:f32[9000] = add a c in (d,) }",
			"{ lambda ; a:f32[9000]. let b:f32[9000] = broadcast_in_dim 1.0:f32[]; c:f32[9000] = sin b; d:f32[9000] = add a c in (d,) }"},
	} {
		ircheck.Prints(t, c.name, alone(t, "fold", c.text), c.want)
	}
}

// An equation whose declared type is wrong fails where the program runs, so it stays.
func TestFoldKeepsWrongTypes(t *testing.T) {
	for text, wrong := range map[string]core.ShapedArray{
		"f32[2]": core.Aval(core.Float32, 2), "f32[1]": core.Aval(core.Float32, 1), "f64[]": core.Aval(core.Float64), "i32[]": core.Aval(core.Int32),
	} {
		j := parse(t, "{ lambda ; a:f32[]. let b:f32[] = sqrt 4.0:f32[]; c:f32[] = add a b in (c,) }")
		j.Eqns[0].Outs[0].Type = wrong
		want := "{ lambda ; a:f32[]. let b:" + text + " = sqrt 4.0:f32[]; c:f32[] = add a b in (c,) }"
		if got := lower.After(j, "fold").Text(jaxpr.Options{Width: 1000}); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
}

func TestCSE(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"chain",
			"{ lambda ; a:f32[]. let b:f32[] = sin a; c:f32[] = sin a; d:f32[] = cos b; e:f32[] = cos c; f:f32[] = add d e in (f,) }",
			"{ lambda ; a:f32[]. let b:f32[] = sin a; c:f32[] = cos b; d:f32[] = add c c in (d,) }"},
		{"literals",
			"{ lambda ; a:f32[]. let b:f32[] = add a 1.0:f32[]; c:f32[] = add a 2.0:f32[]; d:f32[] = add a 1.0:f32[]; e:f32[] = mul b c; f:f32[] = mul e d in (f,) }",
			"{ lambda ; a:f32[]. let b:f32[] = add a 1.0:f32[]; c:f32[] = add a 2.0:f32[]; d:f32[] = mul b c; e:f32[] = mul d b in (e,) }"},
		{"negative zero is another literal",
			"{ lambda ; a:f32[]. let b:f32[] = add a 0.0:f32[]; c:f32[] = add a -0.0:f32[]; d:f32[] = mul b c in (d,) }",
			"{ lambda ; a:f32[]. let b:f32[] = add a 0.0:f32[]; c:f32[] = add a -0.0:f32[]; d:f32[] = mul b c in (d,) }"},
		{"two results are two arrays",
			"{ lambda ; a:f32[]. let b:f32[] = sin a; c:f32[] = sin a; d:f32[] = sin a; e:f32[] = add c d in (b, c, e) }",
			"{ lambda ; a:f32[]. let b:f32[] = sin a; c:f32[] = sin a; d:f32[] = add c b in (b, c, d) }"},
		{"rematerialized programs stay apart",
			"{ lambda ; a:f32[]. let b:f32[] = sin a; c:f32[] = remat2[differentiated=True jaxpr={ lambda ; a:f32[]. let b:f32[] = sin a; c:f32[] = sin a; d:f32[] = add b c in (d,) } policy=None prevent_cse=True] a; d:f32[] = add b c in (d,) }",
			"{ lambda ; a:f32[]. let b:f32[] = sin a; c:f32[] = remat2[differentiated=True jaxpr={ lambda ; d:f32[]. let e:f32[] = sin d; f:f32[] = add e e in (f,) } policy=None prevent_cse=True] a; g:f32[] = add b c in (g,) }"},
	} {
		ircheck.Prints(t, c.name, alone(t, "cse", c.text), c.want)
	}
	ircheck.Prints(t, "after all passes", lower.Program(parse(t,
		"{ lambda ; a:f32[]. let b:f32[] = sin a; c:f32[] = remat2[differentiated=True jaxpr={ lambda ; a:f32[]. let b:f32[] = sin a; c:f32[] = sin a; d:f32[] = add b c in (d,) } policy=None prevent_cse=True] a; d:f32[] = add b c in (d,) }")),
		"{ lambda ; a:f32[]. let b:f32[] = sin a; c:f32[] = sin a; d:f32[] = add c c; e:f32[] = add b d in (e,) }")
}

func TestHoist(t *testing.T) {
	scan := func(body, ins, operands string, consts int) string {
		return fmt.Sprintf("{ lambda ; %s. let %s:f32[] = scan[jaxpr={ lambda ; %s } length=4 num_carry=1 num_consts=%d reverse=False unroll=1] %s in (%[2]s,) }", ins, "z", body, consts, operands)
	}
	while := func(body, ins, operands string, consts int) string {
		return fmt.Sprintf("{ lambda ; %s. let z:f32[] = while[body_jaxpr={ lambda ; %s } body_nconsts=%d cond_jaxpr={ lambda ; a:f32[]. let b:bool[] = lt a 9.0:f32[] in (b,) } cond_nconsts=0] %s in (z,) }", ins, body, consts, operands)
	}
	const inner = "scan[jaxpr={ lambda ; p:f32[] q:f32[]. let r:f32[] = exp p; s:f32[] = mul q r in (s,) } length=3 num_carry=1 num_consts=1 reverse=False unroll=1]"
	for _, c := range []struct{ name, text, want string }{
		{"what is light goes along",
			scan("a:f32[] b:f32[]. let c:f32[] = add a 1.0:f32[]; d:f32[] = sin c; e:f32[] = mul d c; f:f32[] = add b e in (f,)", "x:f32[] y:f32[]", "x y", 1),
			"{ lambda ; a:f32[] b:f32[]. let c:f32[] = add a 1.0:f32[]; d:f32[] = sin c; e:f32[] = scan[" +
				"jaxpr={ lambda ; f:f32[] g:f32[] h:f32[] i:f32[]. let j:f32[] = mul h g; k:f32[] = add i j in (k,) } length=4 num_carry=1 num_consts=3 reverse=False unroll=1] a c d b in (e,) }"},
		{"what is light stays",
			scan("a:f32[] b:f32[]. let c:f32[] = add a 1.0:f32[]; d:f32[] = add b c in (d,)", "x:f32[] y:f32[]", "x y", 1), ""},
		{"of a carry stays",
			scan("a:f32[] b:f32[]. let c:f32[] = sin b; d:f32[] = add a c in (d,)", "x:f32[] y:f32[]", "x y", 1), ""},
		{"out of two loops",
			scan("a:f32[] b:f32[]. let c:f32[] = "+inner+" a b in (c,)", "x:f32[] y:f32[]", "x y", 1),
			"{ lambda ; a:f32[] b:f32[]. let c:f32[] = exp a; d:f32[] = scan[jaxpr={ lambda ; e:f32[] f:f32[] g:f32[]. let h:f32[] = scan[" +
				"jaxpr={ lambda ; i:f32[] j:f32[] k:f32[]. let l:f32[] = mul k j in (l,) } length=3 num_carry=1 num_consts=2 reverse=False unroll=1] e f g in (h,) } " +
				"length=4 num_carry=1 num_consts=2 reverse=False unroll=1] a c b in (d,) }"},
		{"while", while("a:f32[] b:f32[]. let c:f32[] = log a; d:f32[] = add b c in (d,)", "x:f32[] y:f32[]", "x y", 1),
			"{ lambda ; a:f32[] b:f32[]. let c:f32[] = log a; d:f32[] = while[body_jaxpr={ lambda ; e:f32[] f:f32[] g:f32[]. let h:f32[] = add g f in (h,) } body_nconsts=2 " +
				"cond_jaxpr={ lambda ; i:f32[]. let j:bool[] = lt i 9.0:f32[] in (j,) } cond_nconsts=0] a c b in (d,) }"},
		{"a loop that might not end stays in one that might not run",
			while("a:f32[] b:f32[]. let c:f32[] = "+inner+" a a; d:f32[] = add b c in (d,)", "x:f32[] y:f32[]", "x y", 1),
			"{ lambda ; a:f32[] b:f32[]. let c:f32[] = exp a; d:f32[] = while[body_jaxpr={ lambda ; e:f32[] f:f32[] g:f32[]. let h:f32[] = scan[" +
				"jaxpr={ lambda ; i:f32[] j:f32[] k:f32[]. let l:f32[] = mul k j in (l,) } length=3 num_carry=1 num_consts=2 reverse=False unroll=1] e f e; m:f32[] = add g h in (m,) } body_nconsts=2 " +
				"cond_jaxpr={ lambda ; n:f32[]. let o:bool[] = lt n 9.0:f32[] in (o,) } cond_nconsts=0] a c b in (d,) }"},
		{"effects stay",
			scan("a:f32[] b:f32[]. let c:f32[] = optimization_barrier a; d:f32[] = sin c; e:f32[] = add b d in (e,)", "x:f32[] y:f32[]", "x y", 1), ""},
	} {
		if c.want == "" {
			j := parse(t, c.text)
			if got := lower.After(j, "hoist"); got != j {
				t.Errorf("%s: got\n%v", c.name, got)
			}
			continue
		}
		ircheck.Prints(t, c.name, alone(t, "hoist", c.text), c.want)
	}
}

func TestDeadCode(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"unused",
			"{ lambda ; a:f32[] b:f32[]. let c:f32[] = sin a; d:f32[] = sin c; e:f32[] = add a b in (e,) }",
			"{ lambda ; a:f32[] b:f32[]. let c:f32[] = add a b in (c,) }"},
		{"unused in a loop",
			"{ lambda ; a:f32[]. let b:f32[] = scan[jaxpr={ lambda ; c:f32[]. let d:f32[] = sin c; e:f32[] = cos c in (d,) } length=3 num_carry=1 num_consts=0 reverse=False unroll=1] a in (b,) }",
			"{ lambda ; a:f32[]. let\n    b:f32[] = scan[\n      jaxpr={ lambda ; c:f32[]. let d:f32[] = sin c in (d,) }\n      length=3\n      num_carry=1\n      num_consts=0\n      reverse=False\n      unroll=1\n    ] a\n  in (b,) }"},
		{"a carry and a stacked result of a scan",
			"{ lambda ; a:f32[] x:f32[3]. let b:f32[] c:f32[] d:f32[3] = scan[jaxpr={ lambda ; k:f32[] e:f32[] f:f32[] x:f32[]. let g:f32[] = sin e; h:f32[] = mul f k; i:f32[] = add f x in (g, h, i) } length=3 num_carry=2 num_consts=1 reverse=False unroll=1] a a a x in (b,) }",
			"{ lambda ; a:f32[] b:f32[3]. let\n    c:f32[] = scan[\n      jaxpr={ lambda ; d:f32[]. let e:f32[] = sin d in (e,) }\n      length=3\n      num_carry=1\n      num_consts=0\n      reverse=False\n      unroll=1\n    ] a\n  in (c,) }"},
		{"a carry that another needs stays",
			"{ lambda ; a:f32[]. let b:f32[] c:f32[] d:f32[] = scan[jaxpr={ lambda ; e:f32[] f:f32[] g:f32[]. let h:f32[] = add e f; i:f32[] = sin f; j:f32[] = add g e in (h, i, j) } length=3 num_carry=3 num_consts=0 reverse=False unroll=1] a a a in (b,) }",
			"{ lambda ; a:f32[]. let\n    b:f32[] _:f32[] = scan[\n      jaxpr={ lambda ; c:f32[] d:f32[]. let\n          e:f32[] = add c d\n          f:f32[] = sin d\n        in (e, f) }\n      length=3\n      num_carry=2\n      num_consts=0\n      reverse=False\n      unroll=1\n    ] a a\n  in (b,) }"},
		{"a carry of a while loop, and its constant",
			"{ lambda ; a:f32[] n:i32[]. let b:i32[] c:f32[] d:f32[] = while[body_jaxpr={ lambda ; k:f32[] i:i32[] e:f32[] f:f32[]. let j:i32[] = add i 1:i32[]; g:f32[] = sin e; h:f32[] = mul f k in (j, g, h) } body_nconsts=1 cond_jaxpr={ lambda ; n:i32[] i:i32[] e:f32[] f:f32[]. let l:bool[] = lt i n in (l,) } cond_nconsts=1] n a 0:i32[] a a in (c,) }",
			"{ lambda ; a:f32[] b:i32[]. let\n    _:i32[] c:f32[] = while[\n      body_jaxpr={ lambda ; d:i32[] e:f32[]. let\n          f:i32[] = add d 1:i32[]\n          g:f32[] = sin e\n        in (f, g) }\n      body_nconsts=0\n      cond_jaxpr={ lambda ; h:i32[] i:i32[] j:f32[]. let\n          k:bool[] = lt i h\n        in (k,) }\n      cond_nconsts=1\n    ] b 0:i32[] a\n  in (c,) }"},
		{"a result of branches in a loop, and what leads to it",
			"{ lambda ; a:f32[] p:i32[]. let b:f32[] c:f32[] = scan[jaxpr={ lambda ; p:i32[] e:f32[] f:f32[]. let g:f32[] h:f32[] = cond[branches=({ lambda ; e:f32[] f:f32[]. let g:f32[] = sin e; h:f32[] = cos f in (g, h) } { lambda ; e:f32[] f:f32[]. let in (e, f) })] p e f in (g, h) } length=3 num_carry=2 num_consts=1 reverse=False unroll=1] p a a in (b,) }",
			"{ lambda ; a:f32[] b:i32[]. let\n    c:f32[] = scan[\n      jaxpr={ lambda ; d:i32[] e:f32[]. let\n          f:f32[] = cond[\n            branches=(\n              { lambda ; g:f32[]. let h:f32[] = sin g in (h,) }\n              { lambda ; i:f32[]. let  in (i,) }\n            )\n          ] d e\n        in (f,) }\n      length=3\n      num_carry=1\n      num_consts=1\n      reverse=False\n      unroll=1\n    ] b a\n  in (c,) }"},
		{"a carry that a print reads stays",
			"{ lambda ; a:f32[]. let b:f32[] c:f32[] = scan[jaxpr={ lambda ; e:f32[] f:f32[]. let g:f32[] = sin e; h:f32[] = cos f; frobnicate f in (g, h) } length=3 num_carry=2 num_consts=0 reverse=False unroll=1] a a in (b,) }",
			"{ lambda ; a:f32[]. let\n    b:f32[] _:f32[] = scan[\n      jaxpr={ lambda ; c:f32[] d:f32[]. let\n          e:f32[] = sin c\n          f:f32[] = cos d\n          frobnicate d\n        in (e, f) }\n      length=3\n      num_carry=2\n      num_consts=0\n      reverse=False\n      unroll=1\n    ] a a\n  in (b,) }"},
		{"what no executor runs stays",
			"{ lambda ; a:f32[]. let b:f32[] = frobnicate a in (a,) }",
			"{ lambda ; a:f32[]. let _:f32[] = frobnicate a in (a,) }"},
		{"what does not fit in memory stays",
			"{ lambda ; a:f32[]. let b:f32[99999999999999] = broadcast_in_dim a in (a,) }",
			"{ lambda ; a:f32[]. let _:f32[99999999999999] = broadcast_in_dim a in (a,) }"},
	} {
		ircheck.Prints(t, c.name, alone(t, "dce", c.text), c.want)
	}
}

// keeper is a primitive with a program that cannot be replaced.
type keeper struct{ j *jaxpr.Jaxpr }

func (keeper) Name() string                                     { return "keeper" }
func (k keeper) Abstract([]core.ShapedArray) []core.ShapedArray { return k.j.OutAvals() }
func (k keeper) Programs() []*jaxpr.Jaxpr                       { return []*jaxpr.Jaxpr{k.j} }

// Passes leave the programs of a primitive alone that is no jaxpr.Rebuilder, and rewrite what is
// around it.
func TestProgramsThatCannotBeReplaced(t *testing.T) {
	k := keeper{parse(t, "{ lambda ; a:f32[]. let b:f32[] = sin a; c:f32[] = cos a in (b,) }")}
	want := k.j.String()
	x, y, z := &jaxpr.Var{Type: f32}, &jaxpr.Var{Type: f32}, &jaxpr.Var{Type: f32}
	j := &jaxpr.Jaxpr{Ins: []*jaxpr.Var{x}, Outs: []jaxpr.Atom{y}, Eqns: []*jaxpr.Eqn{
		{Prim: k, Ins: []jaxpr.Atom{x}, Outs: []*jaxpr.Var{y}},
		{Prim: k, Ins: []jaxpr.Atom{y}, Outs: []*jaxpr.Var{z}},
	}}
	out := lower.Program(j)
	if len(out.Eqns) != 1 || out.Eqns[0].Prim != core.Primitive(k) || k.j.String() != want {
		t.Errorf("got\n%v\nwant one equation of the primitive with the program\n%s", out, want)
	}
}

func TestProgramIsMemoized(t *testing.T) {
	j := parse(t, "{ lambda ; a:f32[] b:f32[]. let c:f32[] = sin a; d:f32[] = add a b in (d,) }")
	k := lower.Program(j)
	if k == j || lower.Program(j) != k || lower.Program(k) != k {
		t.Errorf("Program(j) is computed again: %p, %p, %p", k, lower.Program(j), lower.Program(k))
	}
	if len(j.Eqns) != 2 {
		t.Errorf("the program changed: %v", j)
	}
	short := parse(t, "{ lambda ; a:f32[]. let b:f32[] = sin a in (b,) }")
	if lower.Program(short) != short {
		t.Error("a program that no pass changes is copied")
	}
}

func TestUnknownPass(t *testing.T) {
	err := core.Catch(func() { lower.After(parse(t, "{ lambda ; a:f32[]. let  in (a,) }"), "fuse") })
	if err == nil || !strings.Contains(err.Error(), `unknown pass "fuse"; the passes are expand, inline, sums, identities, fold, accumulate, hoist, cse, remat, dce`) {
		t.Errorf("got %v", err)
	}
}
