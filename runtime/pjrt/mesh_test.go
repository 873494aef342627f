package pjrt

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/golden"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/stablehlo"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/pjrt/internal/capi"
)

// meshRecord is a line of shard.jsonl: a program over a mesh of JAX, with JAX's results.
type meshRecord struct {
	Name, Text string
	In, Out    golden.Arrays
}

// pluginOf opens the machine's plugin with eight devices, if it is one for processors, under a name of
// its own. A test that gets none is skipped.
func pluginOf(t *testing.T, name string) *Plugin {
	t.Helper()
	file := flag.Lookup("plugin").Value.String()
	if list := filepath.SplitList(os.Getenv(Variable)); file == "" && len(list) > 0 {
		file = list[0]
	}
	if file == "" {
		t.Skip("no plugin: set WEFT_PJRT, or pass -plugin (docs/pjrt.md)")
	}
	p, err := load(file, []capi.Value{{Name: "cpu_device_count", Value: int64(8)}}, name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Programs over meshes, as they are written for XLA, have JAX's results on as many devices.
func TestJudgeMeshes(t *testing.T) {
	p := pluginOf(t, "meshes")
	records, _ := golden.Records[meshRecord](t, "jax/shard.jsonl")
	ran := map[int]int{}
	for _, r := range records {
		j, err := jaxpr.Parse(r.Text, prim.Vocabulary)
		if err != nil || len(j.Consts) > 0 || len(r.Out) == 0 {
			continue // package mesh's test of these records reports the former
		}
		devices := 0
		for _, e := range j.Eqns {
			if s, ok := e.Prim.(*jaxpr.ShardMap); ok {
				devices = 1
				for _, a := range s.Mesh.Axes {
					devices *= a.Size
				}
			}
		}
		if devices == 0 {
			continue
		}
		if devices > len(p.devices) {
			t.Errorf("%s: %d devices", r.Name, devices)
			continue
		}
		out, err := partitioned(p, devices, j, r.In.Values())
		if err != nil {
			t.Errorf("%s: %v", r.Name, err)
			continue
		}
		ran[devices]++
		for k, list := range out {
			for i, a := range list {
				if d := golden.Compare(a, r.Out[i], 4, golden.Largest(r.Out[i])); d != "" {
					t.Errorf("%s: result %d on device %d: %s", r.Name, i, k, d)
				}
			}
		}
	}
	t.Logf("programs by devices: %v", ran)
	if len(ran) == 0 {
		t.Error("nothing ran")
	}
}

// whole returns a module whose arguments and results are whole on each device: else Shardy cuts them.
func whole(text string, j *jaxpr.Jaxpr) string {
	sharding := func(rank int) string {
		return fmt.Sprintf(" {sdy.sharding = #sdy.sharding<@mesh, [%s]>}", strings.Join(slices.Repeat([]string{"{}"}, rank), ", "))
	}
	head, rest, _ := strings.Cut(text, "func.func public @main(")
	args, rest, _ := strings.Cut(rest, ") -> (")
	results, rest, _ := strings.Cut(rest, ") {\n")
	mark := func(list string, types []core.ShapedArray) string {
		parts := strings.Split(list, ", ")
		for i, t := range types {
			parts[i] += sharding(t.Rank())
		}
		return strings.Join(parts, ", ")
	}
	return head + "func.func public @main(" + mark(args, j.InAvals()) + ") -> (" + mark(results, j.OutAvals()) + ") {\n" + rest
}

// partitioned runs a program on several devices, of which each has all arguments, and returns the
// results of each.
func partitioned(p *Plugin, n int, j *jaxpr.Jaxpr, in []core.Value) ([][]*runtime.Array, error) {
	text, err := stablehlo.Write(j, stablehlo.WriteOptions{Bytes: elementsOf, Plain: true})
	if err != nil {
		return nil, err
	}
	text = whole(text, j)
	api := p.client.api
	var ids []int
	args, outs := make([][]capi.Handle, n), make([][]capi.Handle, n)
	for k, d := range p.devices[:n] {
		ids = append(ids, d.id)
		outs[k] = make([]capi.Handle, len(j.Outs))
		for _, v := range in {
			a := v.(*runtime.Array)
			t, err := typeOf(a.Aval())
			if err != nil {
				return nil, err
			}
			h, err := api.Upload(p.client.handle, d.handle, a.Tensor().Data, t)
			if err != nil {
				return nil, err
			}
			defer api.DestroyBuffer(h)
			args[k] = append(args[k], h)
		}
	}
	exe, err := api.Compile(p.client.handle, []byte(text), compileOptions(true, ids...))
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, text)
	}
	defer api.DestroyProgram(exe)
	if err := api.ExecuteAll(exe, outs, args); err != nil {
		return nil, err
	}
	results := make([][]*runtime.Array, n)
	for k := range outs {
		for i, t := range j.OutAvals() {
			defer api.DestroyBuffer(outs[k][i])
			a := runtime.New(t)
			if err := api.Download(outs[k][i], a.Tensor().Data, t.Rank()); err != nil {
				return nil, err
			}
			results[k] = append(results[k], a)
		}
	}
	return results, nil
}
