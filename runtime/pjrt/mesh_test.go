package pjrt

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/golden"
	"github.com/weft-go/weft/internal/test/samples"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/pjrt/internal/capi"
)

// meshRecord is a line of shard.jsonl: a program over a mesh of JAX, with JAX's results.
type meshRecord struct {
	Name, Text    string
	VJPText       string `json:"vjp_text"`
	VmapText      string `json:"vmap_text"`
	In, Out       golden.Arrays
	CT, VJP, Vmap golden.Arrays
}

// pluginFile returns the file of the machine's plugin. The test is skipped if there is none.
func pluginFile(t *testing.T) string {
	t.Helper()
	file := flag.Lookup("plugin").Value.String()
	if list := filepath.SplitList(os.Getenv(Variable)); file == "" && len(list) > 0 {
		file = list[0]
	}
	if file == "" {
		t.Skip("no plugin: set WEFT_PJRT, or pass -plugin (docs/pjrt.md)")
	}
	return file
}

// pluginOf opens the machine's plugin under a name, with eight devices if it is a plugin for processors.
func pluginOf(t *testing.T, name string) *Plugin {
	t.Helper()
	p, err := load(pluginFile(t), []capi.Value{{Name: "cpu_device_count", Value: int64(8)}}, name, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// together returns the group of the first devices of a plugin.
func together(t *testing.T, p *Plugin, n int) *group {
	t.Helper()
	if n > len(p.devices) {
		t.Fatalf("the plugin has %d devices, want %d", len(p.devices), n)
	}
	var list []runtime.Executor
	for _, d := range p.devices[:n] {
		list = append(list, d)
	}
	g, err := p.devices[0].Together(list)
	if err != nil {
		t.Fatal(err)
	}
	return g.(*group)
}

// meshOf returns the mesh of a program, and the specs with which its inputs enter a ShardMap.
func meshOf(j *jaxpr.Jaxpr) (m jaxpr.Mesh, devices int, specs []jaxpr.Spec) {
	specs = make([]jaxpr.Spec, len(j.Ins))
	for _, e := range j.Eqns {
		s, ok := e.Prim.(*jaxpr.ShardMap)
		if !ok {
			continue
		}
		m, devices = s.Mesh, 1
		for _, a := range s.Mesh.Axes {
			devices *= a.Size
		}
		for i, a := range e.Ins {
			if k := slices.IndexFunc(j.Ins, func(v *jaxpr.Var) bool { return v == a }); k >= 0 {
				specs[k] = s.In[i]
			}
		}
	}
	return m, devices, specs
}

// outSpecs returns the specs of those results of a program that a ShardMap returns cut along some axis.
func outSpecs(j *jaxpr.Jaxpr) []jaxpr.Spec {
	out := make([]jaxpr.Spec, len(j.Outs))
	for _, e := range j.Eqns {
		if s, ok := e.Prim.(*jaxpr.ShardMap); ok {
			for i, a := range j.Outs {
				if k := slices.IndexFunc(e.Outs, func(v *jaxpr.Var) bool { return v == a }); k >= 0 && len(s.Out[k].Names()) > 0 {
					out[i] = s.Out[k]
				}
			}
		}
	}
	return out
}

// Programs over meshes, their derivatives and batches have JAX's results on as many devices, for whole
// arguments and for arguments that are cut as the program cuts them.
func TestJudgeMeshes(t *testing.T) {
	p := pluginOf(t, "meshes")
	records, _ := golden.Records[meshRecord](t, "jax/shard.jsonl")
	ran := map[int]int{}
	ctx := context.Background()
	share, stride := samples.Share(t, 8)
	for i, r := range records {
		if i%stride != share {
			continue
		}
		for _, c := range []struct {
			what, text string
			in, want   golden.Arrays
		}{{"value", r.Text, r.In, r.Out}, {"vjp", r.VJPText, r.In, r.VJP}, {"vmap", r.VmapText, r.In, r.Vmap}} {
			if c.text == "" || len(c.want) == 0 {
				continue
			}
			name := r.Name + ", " + c.what
			j, err := jaxpr.Parse(c.text, prim.Vocabulary)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			var args []*runtime.Array
			switch c.what {
			case "value":
				args = concrete(c.in)
			case "vjp":
				j.ConstVals = r.CT.Values()[:len(j.Consts)]
				args = concrete(r.In)
			case "vmap":
				args = batched(t, r.In)
			}
			m, devices, specs := meshOf(j)
			if devices == 0 {
				continue
			}
			g := together(t, p, devices)
			for _, cut := range []bool{false, true} {
				in := args
				if cut {
					in = make([]*runtime.Array, len(args))
					for i, a := range args {
						if in[i], err = runtime.Cut(ctx, g, a, m, specs[i]); err != nil {
							t.Fatalf("%s: %v", name, err)
						}
					}
				}
				outs, err := runtime.Evaluate(ctx, g, j, in)
				if err != nil {
					t.Errorf("%s, cut: %t: %v", name, cut, err)
					continue
				}
				for i, want := range outSpecs(j) {
					if got := outs[i].Buffer().(*pieces).layout; cut && devices > 1 && want != nil && got != g.layout(m, want) {
						t.Errorf("%s: result %d is cut as %v on %v, want %v", name, i, got.spec, got.mesh, want)
					}
				}
				for i, a := range outs {
					h, err := runtime.Reference.Place(ctx, a)
					if err != nil {
						t.Errorf("%s: %v", name, err)
						continue
					}
					if d := golden.Compare(h, c.want[i], 4, golden.Largest(c.want[i])); d != "" {
						t.Errorf("%s, cut: %t: result %d: %s", name, cut, i, d)
					}
				}
			}
			ran[devices]++
		}
	}
	t.Logf("programs by devices: %v", ran)
	if stride == 1 && ran[1]+ran[4]+ran[8] != 142 {
		t.Error("142 programs were to run")
	}
}

func concrete(as golden.Arrays) (list []*runtime.Array) {
	for _, v := range as.Values() {
		list = append(list, golden.Concrete(v))
	}
	return list
}

// batched returns the arguments of the records' batches: for each array a the batch of a, a+1 and 2a.
func batched(t *testing.T, as golden.Arrays) (list []*runtime.Array) {
	t.Helper()
	for _, a := range concrete(as) {
		b := jaxpr.NewBuilder()
		x := b.Input(a.Aval())
		one := func(n float64) jaxpr.Atom { return core.Lit(core.FloatNumber(n), a.Aval().DType) }
		rows := []jaxpr.Atom{x, b.Eqn(prim.AddP{}, x, one(1))[0], b.Eqn(prim.MulP{}, x, one(2))[0]}
		for i, v := range rows {
			dims := append([]int{1}, a.Aval().Shape.Ints()...)
			rows[i] = b.Eqn(prim.ReshapeP{Shape: core.MakeDims(dims...)}, v)[0]
		}
		out, err := runtime.Evaluate(context.Background(), runtime.Reference, b.Build(b.Eqn(prim.ConcatenateP{}, rows...)[0]), []*runtime.Array{a})
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, out[0])
	}
	return list
}
