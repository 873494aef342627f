package stablehlo_test

import (
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/golden"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/stablehlo"
	"github.com/weft-go/weft/runtime"
	_ "github.com/weft-go/weft/transforms"
)

// meshRecord is a line of shard.jsonl: a program over a mesh, as JAX printed it and as it wrote it for XLA.
type meshRecord struct {
	Name, Text, StableHLO string
	In, Out               golden.Arrays
}

func evaluate(t *testing.T, what string, j *jaxpr.Jaxpr, r meshRecord) []core.Value {
	t.Helper()
	var out []core.Value
	if err := core.Catch(func() { out = jaxpr.Eval(j, j.ConstVals, r.In.Values()) }); err != nil {
		t.Errorf("%s: %s: %v", r.Name, what, err)
	}
	return out
}

// Modules over meshes that JAX wrote return JAX's results. So do JAX's programs after they are written and read back.
func TestMeshes(t *testing.T) {
	records, _ := golden.Records[meshRecord](t, "jax/shard.jsonl")
	read, written := 0, 0
	for _, r := range records {
		if r.StableHLO == "" || len(r.Out) == 0 {
			continue
		}
		program := func(what, text string) *jaxpr.Jaxpr {
			m, err := stablehlo.Parse(r.Name, text)
			if err != nil {
				t.Errorf("%s: %s: %v", r.Name, what, err)
				return nil
			}
			types, err := m.Avals(m.Main())
			if err != nil {
				t.Errorf("%s: %s: %v", r.Name, what, err)
				return nil
			}
			p, err := m.Program(m.Main(), types, options)
			if err != nil {
				t.Errorf("%s: %s: %v\n%s", r.Name, what, err, text)
				return nil
			}
			return p.Jaxpr
		}
		j := program("JAX's module", r.StableHLO)
		if j == nil {
			continue
		}
		got := evaluate(t, "JAX's module", j, r)
		for i := range got {
			if d := golden.Compare(got[i], r.Out[i], 4, golden.Largest(r.Out[i])); d != "" {
				t.Errorf("%s: result %d: %s", r.Name, i, d)
			}
		}
		read++
		text, err := stablehlo.Write(j, stablehlo.WriteOptions{Bytes: constantBytes})
		if err != nil {
			t.Errorf("%s: %v", r.Name, err)
			continue
		}
		if strings.Contains(r.StableHLO, "sdy.manual_computation") != strings.Contains(text, "sdy.manual_computation") {
			t.Errorf("%s: the mesh is lost:\n%s", r.Name, text)
		}
		back := program("what is written", text)
		if back == nil {
			continue
		}
		again := evaluate(t, "what is written", back, r)
		for i := range again {
			if d := golden.Compare(again[i], r.Out[i], 4, golden.Largest(r.Out[i])); d != "" {
				t.Errorf("%s: result %d of what is written: %s", r.Name, i, d)
			}
		}
		written++
	}
	if read == 0 || read != written {
		t.Errorf("%d modules were read, %d written", read, written)
	}
	t.Logf("%d modules", read)
}

func constantBytes(v core.Value) ([]byte, bool) {
	a, ok := v.(*runtime.Array)
	if !ok {
		return nil, false
	}
	return a.Tensor().Data, true
}

// over is a module over a mesh: its region gets a piece of the operand and returns %1.
const over = `module @m {
  sdy.mesh @mesh = <["u"=1, "x"=2, "y"=2]>
  func.func public @main(%arg0: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x", "u", "y"} (%arg1: tensor<2x4xf32>) {
      BODY
      sdy.return %1 : tensor<2x4xf32>
    } : (tensor<4x4xf32>) -> tensor<4x4xf32>
    return %0 : tensor<4x4xf32>
  }
}`

// overMesh translates the module over, with body as its region, after the replacements.
func overMesh(body string, replacements ...string) (*jaxpr.Jaxpr, error) {
	m, err := stablehlo.Parse("m", strings.NewReplacer(replacements...).Replace(strings.Replace(over, "BODY", body, 1)))
	if err != nil {
		return nil, err
	}
	types, err := m.Avals(m.Main())
	if err != nil {
		return nil, err
	}
	p, err := m.Program(m.Main(), types, options)
	if err != nil {
		return nil, err
	}
	return p.Jaxpr, nil
}

const (
	doubled  = `%1 = stablehlo.add %arg1, %arg1 : tensor<2x4xf32>`
	permuted = `%1 = "stablehlo.collective_permute"(%arg1) <{source_target_pairs = dense<PAIRS> : tensor<2x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>`
	summed   = `%1 = "stablehlo.all_reduce"(%arg1) <{replica_groups = dense<GROUPS> : tensor<2x2xi64>}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %2 = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %2 : tensor<f32>
      }) : (tensor<2x4xf32>) -> tensor<2x4xf32>`
)

// Groups of devices are expressed by as few axes as possible.
func TestGroupsOfDevices(t *testing.T) {
	for groups, want := range map[string]string{
		"[[0, 1], [2, 3]]": "axes=('y',)",
		"[[1, 3], [0, 2]]": "axes=('x',)",
		"[[0, 3], [1, 2]]": "axes=('u', 'x', 'y') axis_index_groups=((0, 3), (1, 2))",
	} {
		j, err := overMesh(summed, "GROUPS", groups)
		if err != nil {
			t.Errorf("%s: %v", groups, err)
		} else if text := strings.Join(strings.Fields(j.String()), " "); !strings.Contains(text, want) {
			t.Errorf("%s: got %s, want %s", groups, text, want)
		}
	}
}

// Axes that are not manual leave the region's arrays whole.
func TestFreeAxes(t *testing.T) {
	j, err := overMesh(doubled, `manual_axes={"x", "u", "y"}`, `manual_axes={"y"}`, "2x4", "4x4")
	if err != nil {
		t.Fatal(err)
	}
	x := runtime.New(core.Aval(core.Float32, 4, 4))
	for i := range x.Tensor().Data {
		x.Tensor().Data[i] = byte(i) & 0x1f
	}
	got, want := jaxpr.Eval(j, j.ConstVals, []core.Value{x}), prim.Add(x, x)
	if a, b := golden.Concrete(got[0]), golden.Concrete(want); string(a.Tensor().Data) != string(b.Tensor().Data) {
		t.Errorf("got %v, want %v", a, b)
	}
}

// Modules over meshes that make no sense are errors.
func TestMeshMistakes(t *testing.T) {
	for _, c := range []struct{ body, old, new, want string }{
		{doubled, `"y"=2]`, `"x"=2]`, `the mesh mesh has no axis "y"`},
		{doubled, `"x"=2`, `"x"=3`, "which do not divide its size 4"},
		{doubled, `in_shardings=[<@mesh, [{"x"}, {}]>]`, `in_shardings=[]`, "with shardings of 0 and 1"},
		{doubled, `in_shardings=[<@mesh, [{"x"}, {}]>]`, `in_shardings=[<@mesh, [{"x"}, {}, {"y"}]>]`, "has 3 entries"},
		{doubled, `in_shardings=[<@mesh, [{"x"}, {}]>]`, `in_shardings=[<@mesh, [{"x"}, {"x"}]>]`, `names the axis "x" twice`},
		{doubled, `out_shardings=[<@mesh`, `out_shardings=[<@other`, "two meshes, mesh and other, cut"},
		{doubled, `manual_axes={"x", "u", "y"}`, `manual_axes={"y"}`, "declared tensor<2x4xf32>, got tensor<4x4xf32>"},
		{doubled, `(%arg1: tensor<2x4xf32>)`, `(%arg1: tensor<2x4xf32>, %arg2: tensor<2x4xf32>)`, "the region takes 2 arguments, got 1"},
		{permuted, "dense<PAIRS> : tensor<2x2", "dense<0> : tensor<4x1", "source_target_pairs has 1 column"},
		{permuted, "PAIRS", "[[0, 1], [0, 2]]", "sources and targets must be distinct"},
		{permuted, "PAIRS", "[[0, -1], [2, 1]]", "sources and targets must be distinct"},
	} {
		if _, err := overMesh(c.body, c.old, c.new); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s instead of %s: got %v, want %q", c.new, c.old, err, c.want)
		}
	}
}
