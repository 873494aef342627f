package transforms_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/golden"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
	"github.com/weft-go/weft/transforms"
)

// shardRecord is a line of shard.jsonl: a program over a mesh, its value, its derivatives and its
// batch, as text and as numbers. The batch is of three: each operand, one more, and twice it.
type shardRecord struct {
	Name        string
	Text        string
	VJPText     string `json:"vjp_text"`
	VmapText    string `json:"vmap_text"`
	VJPError    string `json:"vjp_error"`
	DiffArgs    []int  `json:"diff_args"`
	In, Out, Ct golden.Arrays
	VJP, Vmap   golden.Arrays
	Error       string
}

// shardRecords returns the records that are programs; the others are mistakes.
func shardRecords(t *testing.T) (records []shardRecord) {
	all, whole := golden.Records[shardRecord](t, "jax/shard.jsonl")
	for _, r := range all {
		if r.Error == "" {
			records = append(records, r)
		}
	}
	if whole && len(records) < 51 {
		t.Fatalf("got %d records, want 51", len(records))
	}
	return records
}

// shardUlps are the programs that round: the largest error against JAX in units in the last place.
var shardUlps = map[string]float64{"softmax across": 1}

// plain returns a text of JAX without the marks of NumPy integers, which some of its rules leave, and
// without a sharding on the mesh of the map around, which its rule of reshape adds and which cuts nothing.
func plain(text string) string {
	for {
		head, rest, ok := strings.Cut(text, "sharding=NamedSharding(")
		if !ok {
			break
		}
		_, rest, _ = strings.Cut(rest, "spec=P(")
		_, rest, _ = strings.Cut(rest, "))")
		text = head + "sharding=None" + rest
	}
	for {
		head, rest, ok := strings.Cut(text, "np.int64(")
		if !ok {
			return text
		}
		n, rest, _ := strings.Cut(rest, ")")
		text = head + n + rest
	}
}

func parseShard(t *testing.T, text string) *jaxpr.Jaxpr {
	t.Helper()
	j, err := jaxpr.Parse(text, prim.Vocabulary)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return j
}

// Texts of programs over meshes are read, checked and written back.
func TestShardTexts(t *testing.T) {
	for _, r := range shardRecords(t) {
		t.Run(r.Name, func(t *testing.T) {
			for _, text := range []string{r.Text, r.VJPText, r.VmapText} {
				if text == "" {
					continue
				}
				j := parseShard(t, text)
				if got := j.String(); got != text {
					t.Errorf("got\n%s\nwant\n%s", got, text)
				}
				if err := jaxpr.Check(j); err != nil {
					t.Errorf("%v\n%s", err, text)
				}
			}
		})
	}
}

func compareShard(t *testing.T, what string, got []core.Value, want golden.Arrays, ulps float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: got %d results, want %d", what, len(got), len(want))
	}
	for i, w := range want {
		if diff := golden.Compare(got[i], w, ulps, 0); diff != "" {
			t.Errorf("%s, result %d: %s", what, i, diff)
		}
	}
}

// batchOf stacks x, x + 1 and 2x.
func batchOf(in []core.Value) []core.Value {
	out := make([]core.Value, len(in))
	for i, x := range in {
		a := x.Aval().WithShape(core.Dims{})
		out[i] = prim.Concatenate(0, slices.Collect(func(yield func(core.Value) bool) {
			for _, v := range []core.Value{x, prim.Add(x, prim.Num(a, 1)), prim.Mul(x, prim.Num(a, 2))} {
				if !yield(prim.ExpandDims(v, core.MakeDims(0))) {
					return
				}
			}
		})...)
	}
	return out
}

// The program that runs all devices at once computes once what is the same on all of them.
func TestStackComputesCopiesOnce(t *testing.T) {
	j := parseShard(t, `{ lambda ; a:f32[3] b:f32[4]. let
    c:f32[3] d:f32[4] = shard_map[
      check_vma=True
      in_specs=(P(), P('d',))
      jaxpr={ lambda ; e:f32[3] f:f32[2]{V:d}. let g:f32[3] = sin e; h:f32[2]{V:d} = cos f in (g, h) }
      mesh=Mesh('d': 2, axis_types=(Auto,))
      newly_manual_axes=frozenset({'d'})
      out_specs=(P(), P('d',))
    ] a b
  in (c, d) }`)
	stack := trace.Stage("stack", j.InAvals(), func(vs []core.Value) []core.Value {
		return jaxpr.Stacked(j.Eqns[0].Prim.(*jaxpr.ShardMap), vs)
	}).String()
	for _, want := range []string{"f32[3] = sin a\n", "f32[2,2] = cos "} {
		if !strings.Contains(stack, want) {
			t.Errorf("got\n%s\nwant %q", stack, want)
		}
	}
}

// Programs over meshes have JAX's values, and so have their derivatives and batches, by the texts of JAX,
// by our rules, and by the rules applied to the program that runs all devices at once.
func TestShardValues(t *testing.T) {
	for _, r := range shardRecords(t) {
		t.Run(r.Name, func(t *testing.T) {
			ulps := shardUlps[r.Name]
			j := parseShard(t, r.Text)
			in := r.In.Values()
			stack := trace.Stage("stack", j.InAvals(), func(vs []core.Value) []core.Value {
				return jaxpr.Stacked(j.Eqns[0].Prim.(*jaxpr.ShardMap), vs)
			})
			compareShard(t, "value", jaxpr.Eval(j, nil, in), r.Out, ulps)
			compareShard(t, "stack", jaxpr.Eval(stack, nil, in), r.Out, ulps)

			axes := make([]int, len(in))
			batch := batchOf(in)
			compareShard(t, "vmap text", jaxpr.Eval(parseShard(t, r.VmapText), nil, batch), r.Vmap, ulps)
			vmapped := transforms.VmapProgram(j, axes, make([]int, len(r.Out)), 3)
			if err := jaxpr.Check(vmapped); err != nil {
				t.Errorf("vmap: %v", err)
			}
			if got, want := vmapped.String(), parseShard(t, plain(r.VmapText)).String(); got != want {
				t.Errorf("vmap: got\n%s\nwant\n%s", got, want)
			}
			compareShard(t, "vmap", jaxpr.Eval(vmapped, nil, batch), r.Vmap, ulps)

			if r.VJP == nil {
				return
			}
			ct := r.Ct.Values()
			text := parseShard(t, r.VJPText)
			compareShard(t, "vjp text", jaxpr.Eval(text, ct, in), r.VJP, ulps)
			for what, p := range map[string]*jaxpr.Jaxpr{"vjp": j, "vjp of stack": stack} {
				d := transforms.VJPProgram(p)
				if err := jaxpr.Check(d); err != nil {
					t.Errorf("%s: %v\n%s", what, err, d)
				}
				compareShard(t, what, jaxpr.Eval(d, nil, slices.Concat(in, ct)), r.VJP, ulps)
				if what == "vjp" {
					again := parseShard(t, d.String())
					if again.String() != d.String() {
						t.Errorf("%s does not print back:\n%s", what, d)
					}
				}
			}
		})
	}
}
