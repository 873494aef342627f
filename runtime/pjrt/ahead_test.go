package pjrt

import (
	"encoding/gob"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
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

var (
	ahead      = flag.String("ahead", "", "what TestAhead compiles for: the plugin's name of devices, as v5e:2x4 of TPUs; a file that describes a GPU, eight of which it has then; or here, the plugin's own devices")
	aheadLimit = flag.Duration("ahead-limit", 2*time.Minute, "how long TestAhead waits for the compiler at each program")
	aheadChild = flag.Bool("ahead-child", false, "compile what TestAhead of another process passes")
)

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
	if *aheadChild {
		serve(t, compilerFor(t, file))
		return
	}
	var c child
	defer c.end()
	share, stride := samples.Share(t, 20)
	written, compiled, refused, late := map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}
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
			a, err := c.compile(aheadModule{[]byte(text), target{ids: ids}.options()})
			took := time.Since(start).Round(time.Millisecond)
			switch {
			case err != nil:
				t.Error(err)
			case a.late:
				late[kind]++
				t.Skipf("no end of the compiler in %v", took)
			case a.Message != "":
				message, _, _ := strings.Cut(a.Message, "\n")
				for part, why := range lacking {
					if strings.Contains(message, part) {
						refused[kind]++
						t.Skip(why, ": ", message)
					}
				}
				t.Error(message)
			default:
				compiled[kind]++
				t.Logf("%d bytes in %v", a.Size, took)
			}
		})
	}
	for kind, n := range written {
		t.Logf("%s for %s: %s: %d of %d compile, %d need what it lacks, %d take more than %v", filepath.Base(file), filepath.Base(*ahead), kind, compiled[kind], n, refused[kind], late[kind], *aheadLimit)
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

// aheadModule is what a child compiles.
type aheadModule struct{ Module, Options []byte }

// aheadAnswer is what it answers: the size of the code, or the compiler's message.
type aheadAnswer struct {
	Size    int
	Message string
	late    bool // no answer came in time
}

// serve compiles the modules that the standard input brings.
func serve(t *testing.T, compile func(module, options []byte) (int, error)) {
	in, out := gob.NewDecoder(os.Stdin), gob.NewEncoder(os.NewFile(3, "answers"))
	for {
		var m aheadModule
		if err := in.Decode(&m); err == io.EOF {
			return
		} else if err != nil {
			t.Fatal(err)
		}
		size, err := compile(m.Module, m.Options)
		a := aheadAnswer{Size: size}
		if err != nil {
			a.Message = err.Error()
		}
		if err := out.Encode(a); err != nil {
			t.Fatal(err)
		}
	}
}

// child is a process that compiles, so that one program can neither end the test nor hold it up.
type child struct {
	process *exec.Cmd
	modules *gob.Encoder
	answers *gob.Decoder
	pipes   []io.Closer
}

func (c *child) start() error {
	modules, to, err := os.Pipe()
	if err != nil {
		return err
	}
	from, answers, err := os.Pipe()
	if err != nil {
		return err
	}
	c.process = exec.Command(os.Args[0], append(slices.Clone(os.Args[1:]), "-ahead-child", "-test.run=^TestAhead$", "-test.v=false")...)
	c.process.Stdin, c.process.Stderr, c.process.ExtraFiles = modules, os.Stderr, []*os.File{answers}
	err = c.process.Start()
	modules.Close()
	answers.Close()
	c.modules, c.answers, c.pipes = gob.NewEncoder(to), gob.NewDecoder(from), []io.Closer{to, from}
	return err
}

// end ends the process, unless none is under way.
func (c *child) end() {
	if c.process == nil {
		return
	}
	_ = c.process.Process.Kill()
	_ = c.process.Wait()
	for _, p := range c.pipes {
		p.Close()
	}
	c.process = nil
}

func (c *child) compile(m aheadModule) (a aheadAnswer, err error) {
	if c.process == nil {
		if err := c.start(); err != nil {
			return a, err
		}
	}
	var late atomic.Bool
	alarm := time.AfterFunc(*aheadLimit, func() {
		late.Store(true)
		_ = c.process.Process.Kill()
	})
	err = c.modules.Encode(m)
	if err == nil {
		err = c.answers.Decode(&a)
	}
	if alarm.Stop() && err == nil {
		return a, nil
	}
	c.end()
	if late.Load() {
		return aheadAnswer{late: true}, nil
	}
	return a, fmt.Errorf("the plugin has ended the process: %w", err)
}
