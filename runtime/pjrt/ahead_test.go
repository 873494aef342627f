package pjrt

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/golden"
	"github.com/weft-go/weft/internal/test/goldenfile"
	"github.com/weft-go/weft/internal/test/samples"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/stablehlo"
	"github.com/weft-go/weft/runtime/pjrt/internal/capi"
)

var ahead = flag.String("ahead", "", "what TestAhead compiles for: the plugin's name of devices, as v5e:2x4 of TPUs; a file that describes a GPU, eight of which it has then; or here, the plugin's own devices")

// exported is a program that weft lower --to stablehlo writes.
type exported struct {
	name, text string
	consts     golden.Arrays // begins with the arrays that the program captured
}

// exports returns the programs that JAX printed of evaluations, over meshes, and of libraries.
func exports(t *testing.T) (list []exported) {
	evaluations, _ := golden.Records[struct {
		Name, Text string
		In         golden.Arrays
	}](t, "jax/evals.jsonl")
	for _, r := range evaluations {
		list = append(list, exported{"evaluations/" + r.Name, golden.NameBlanks(r.Text), r.In})
	}
	meshes, _ := golden.Records[meshRecord](t, "jax/shard.jsonl")
	for _, r := range meshes {
		list = append(list, exported{"meshes/" + r.Name, r.Text, nil})
		if r.VJPText != "" {
			list = append(list, exported{"meshes/" + r.Name + "_vjp", r.VJPText, r.CT})
		}
		if r.VmapText != "" {
			list = append(list, exported{"meshes/" + r.Name + "_vmap", r.VmapText, nil})
		}
	}
	for r := range goldenfile.Records[struct {
		ID, Text string
		In       golden.Arrays
	}](t, goldenfile.Open(t, "jax/eco/programs.dev.jsonl.gz", "testdata/eco.jsonl.gz")) {
		list = append(list, exported{"libraries/" + r.ID, r.Text, r.In})
	}
	return list
}

// lacking has, for parts of a plugin's messages, what the plugin lacks that the program needs.
var lacking = map[string]string{
	"lapack_": "LAPACK's routines, by which factorizations are exported, are jaxlib's",
	"While rewriting computation to not contain X{64|128} element types": "no code for TPUs with 64-bit integers or floats",
	"Supported lowering only of Sum all reduce":                          "TPUs add up floats of 64 bits, and have no other reduction of them",
}

// Exported programs compile for devices that the machine need not have, if the plugin can do that.
func TestAhead(t *testing.T) {
	if *ahead == "" {
		t.Skip("pass -ahead, with -plugin (runtime/pjrt/ahead.sh)")
	}
	file := flag.Lookup("plugin").Value.String()
	compile := compilerFor(t, file)
	share, stride := samples.Share(t, 20)
	written, compiled, refused := map[string]int{}, map[string]int{}, map[string]int{}
	for i, x := range exports(t) {
		if i%stride != share {
			continue
		}
		kind, _, _ := strings.Cut(x.name, "/")
		t.Run(x.name, func(t *testing.T) {
			j, err := jaxpr.Parse(x.text, prim.Vocabulary)
			if err != nil {
				t.Skip(err) // package runtime's tests report it
			}
			if len(j.Consts) > len(x.consts) {
				t.Skip("its constants are not known")
			}
			j.ConstVals = x.consts.Values()[:len(j.Consts)]
			text, err := stablehlo.Write(j, stablehlo.WriteOptions{Bytes: elementsOf})
			if err != nil {
				t.Skip("not exported: ", err)
			}
			written[kind]++
			_, devices, _ := meshOf(j)
			ids := slices.Collect(func(yield func(int) bool) {
				for id := 0; id < max(devices, 1) && yield(id); id++ {
				}
			})
			start := time.Now()
			size, err := compile([]byte(text), target{ids: ids}.options())
			var e *capi.Error
			switch {
			case errors.As(err, &e):
				message, _, _ := strings.Cut(e.Message, "\n")
				for part, why := range lacking {
					if strings.Contains(message, part) {
						refused[kind]++
						t.Skip(why, ": ", message)
					}
				}
				t.Error(message)
			case err != nil:
				t.Error(err)
			default:
				compiled[kind]++
				t.Logf("%d bytes in %v", size, time.Since(start).Round(time.Millisecond))
			}
		})
	}
	for kind, n := range written {
		t.Logf("%s for %s: %s: %d of %d compile, %d need what it lacks", filepath.Base(file), filepath.Base(*ahead), kind, compiled[kind], n, refused[kind])
	}
}

// compilerFor returns a function that compiles a module for the devices that the flag -ahead names.
func compilerFor(t *testing.T, file string) func(module, options []byte) (size int, err error) {
	if *ahead == "here" {
		p := pluginOf(t, "here")
		return func(module, options []byte) (int, error) {
			h, err := p.client.api.Compile(p.client.handle, module, options)
			if err != nil {
				return 0, err
			}
			code, err := p.client.api.Serialize(h)
			return len(code), errors.Join(err, p.client.api.DestroyProgram(h))
		}
	}
	l, err := open(file)
	if err != nil {
		t.Fatal(err)
	}
	name, options := *ahead, []capi.Value(nil)
	if text, err := os.ReadFile(*ahead); err == nil {
		name, options = "", []capi.Value{{Name: "target_config", Value: string(text)}, {Name: "topology", Value: "1x1x8"}}
	}
	devices, err := l.api.NewTopology(name, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.api.DestroyTopology(devices); err != nil {
			t.Error(err)
		}
	})
	return func(module, options []byte) (int, error) { return l.api.CompileFor(devices, module, options) }
}
