package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/golden"
	"github.com/weft-go/weft/internal/test/loopback"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/mesh"
	"github.com/weft-go/weft/transforms/exchange"
)

// jobVariable holds, in a process of a job that counts, its rank, the file with the programs and the
// addresses of the processes.
const jobVariable = "WEFT_TEST_COUNTING"

// TestMain runs a process of a job instead of the tests if jobVariable is set.
func TestMain(m *testing.M) {
	if words := strings.Split(os.Getenv(jobVariable), ","); len(words) > 2 {
		if err := core.Catch(func() { countSendings(words) }); err != nil {
			fmt.Println("error:", err)
			os.Exit(3)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// countSendings evaluates programs as a process of a job, and prints what the transport counted for each.
func countSendings(words []string) {
	rank, _ := strconv.Atoi(words[0])
	text, err := os.ReadFile(words[1])
	if err != nil {
		panic(err)
	}
	var programs []string
	if err := json.Unmarshal(text, &programs); err != nil {
		panic(err)
	}
	t, err := loopback.Connect(rank, words[2:], 20*time.Second)
	if err != nil {
		panic(err)
	}
	err = mesh.Run(t, func() error {
		for _, p := range programs {
			j, err := jaxpr.Parse(p, prim.Vocabulary)
			if err != nil {
				return err
			}
			bytes, calls := t.Bytes.Load(), t.Calls.Load()
			evalOnes(j)
			fmt.Println(t.Bytes.Load()-bytes, t.Calls.Load()-calls)
		}
		return nil
	})
	if err != nil {
		panic(err)
	}
}

// evalOnes evaluates a program on arrays of ones.
func evalOnes(j *jaxpr.Jaxpr) {
	ones := func(vars []*jaxpr.Var) (out []core.Value) {
		for _, v := range vars {
			out = append(out, prim.BroadcastInDim(prim.Num(core.Aval(v.Type.DType), 1), v.Type.Shape, core.Dims{}))
		}
		return out
	}
	for _, v := range jaxpr.Eval(j, ones(j.Consts), ones(j.Ins)) {
		if c, ok := v.(core.Concrete); !ok || c.Aval().Size() < 0 {
			panic(fmt.Sprintf("got %v", v))
		}
	}
}

// meshTexts returns the golden programs over meshes, their derivatives and batches, and the programs of the examples.
func meshTexts(t *testing.T) (names, texts []string) {
	type record struct {
		Name, Text, Error string
		VJP               string `json:"vjp_text"`
		Vmap              string `json:"vmap_text"`
	}
	records, whole := golden.Records[record](t, "jax/shard.jsonl")
	for _, r := range records {
		if r.Error != "" {
			continue
		}
		for i, text := range []string{r.Text, r.VJP, r.Vmap} {
			if text != "" {
				names, texts = append(names, r.Name+[]string{"", ", vjp", ", vmap"}[i]), append(texts, text)
			}
		}
	}
	if whole && len(texts) < 142 {
		t.Errorf("got %d golden texts, want 142", len(texts))
	}
	files, _ := filepath.Glob("../../examples/*/testdata/mesh.jaxpr")
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		names, texts = append(names, f), append(texts, string(b))
	}
	if len(files) < 3 {
		t.Errorf("got %d programs of examples, want 3", len(files))
	}
	return names, texts
}

// The plan states exactly the sendings that transports count, for each program and process.
func TestPlanCounts(t *testing.T) {
	names, texts := meshTexts(t)
	for _, size := range []int{2, 4} {
		var programs []string
		var is []int
		for i, text := range texts {
			j, err := jaxpr.Parse(text, prim.Vocabulary)
			if err != nil {
				t.Fatalf("%s: %v", names[i], err)
			}
			switch err := core.Catch(func() { sendings(meshPrograms(j, 1), 0, size) }); {
			case err == nil:
				programs, is = append(programs, text), append(is, i)
			case !strings.Contains(err.Error(), "cannot be divided evenly"):
				t.Errorf("%s: %v", names[i], err)
			}
		}
		if len(texts)-len(programs) > 3 {
			t.Errorf("%d processes: %d of %d programs are compared", size, len(programs), len(texts))
		}
		b, _ := json.Marshal(programs)
		file := filepath.Join(t.TempDir(), "programs")
		if err := os.WriteFile(file, b, 0o600); err != nil {
			t.Fatal(err)
		}
		addrs, err := loopback.Addresses(size)
		if err != nil {
			t.Skipf("no loopback: %v", err)
		}
		var wait sync.WaitGroup
		counted := make([]string, size)
		for rank := range size {
			wait.Go(func() {
				c := exec.CommandContext(t.Context(), os.Args[0])
				c.Env = append(os.Environ(), jobVariable+"="+strings.Join(append([]string{strconv.Itoa(rank), file}, addrs...), ","))
				b, err := c.CombinedOutput()
				if counted[rank] = string(b); err != nil {
					t.Errorf("process %d of %d: %v\n%s", rank, size, err, b)
				}
			})
		}
		wait.Wait()
		for k, i := range is {
			j, _ := jaxpr.Parse(texts[i], prim.Vocabulary)
			for rank := range size {
				bytes, calls := totals(sendings(meshPrograms(j, 1), rank, size))
				lines := strings.Split(counted[rank], "\n")
				if got, want := fmt.Sprint(bytes, " ", calls), lines[min(k, len(lines)-1)]; got != want {
					t.Errorf("%s, process %d of %d: the plan has %s bytes and exchanges, the transport counts %s", names[i], rank, size, got, want)
				}
			}
		}
	}
}

// No process sends more in an exchange than the plan prints, although the plan examines only a few processes.
func TestPlanOfMost(t *testing.T) {
	const size = 8
	names, texts := meshTexts(t)
	for i, text := range texts {
		j, err := jaxpr.Parse(text, prim.Vocabulary)
		if err != nil {
			t.Fatalf("%s: %v", names[i], err)
		}
		var sizes []jaxpr.MeshAxis
		for _, a := range meshPrograms(j, 1)[0].p.Mesh.Axes {
			sizes = append(sizes, jaxpr.MeshAxis{Name: a.Name, Size: size * a.Size})
		}
		ps := machinesOf(j, sizes, network{}).programs()
		printed := most(ps, size)
		for rank := range size {
			own := sendings(ps, rank, size)
			if len(own) != len(printed) {
				t.Errorf("%s, process %d: %d exchanges, the plan prints %d", names[i], rank, len(own), len(printed))
				continue
			}
			for k, s := range own {
				if s.Bytes > printed[k].Bytes {
					t.Errorf("%s, process %d, exchange %d: sends %d bytes, the plan prints %d", names[i], rank, k, s.Bytes, printed[k].Bytes)
				}
			}
		}
	}
}

func totals(ss []exchange.Sending) (bytes, calls int) {
	for _, s := range ss {
		bytes, calls = bytes+s.Bytes*s.Times, calls+s.Times
	}
	return bytes, calls
}

// delaying is the transport of a process that is alone in a job and receives what it sends. Each exchange advances the
// clock by the time that it would take on a network.
type delaying struct {
	seat
	net   network
	clock *float64 // seconds
}

func (d delaying) delay(bytes int) error {
	*d.clock += d.net.seconds(exchange.Sending{Bytes: bytes, Times: 1})
	return nil
}

func (d delaying) Gather(_ context.Context, group []int, in, out []byte) error {
	for i := range group {
		copy(out[i*len(in):], in)
	}
	return d.delay((len(group) - 1) * len(in))
}

func (d delaying) Exchange(_ context.Context, group []int, in, out []byte) error {
	copy(out, in)
	return d.delay(len(in) / len(group) * (len(group) - 1))
}

func (d delaying) Permute(_ context.Context, to, _ int, in, out []byte) error {
	copy(out, in)
	if to < 0 {
		in = nil
	}
	return d.delay(len(in))
}

// By the clock of a delaying transport, the exchanges of programs take the time that the plan says.
func TestPlanTimes(t *testing.T) {
	net := network{alpha: 0.02, beta: 50e3, node: 1, flops: 50e9}
	for _, text := range []string{
		dataParallel, // a large sum among 4 processes is two exchanges
		strings.NewReplacer("psum_invariant[axes=('d',)]", "ppermute[axis_name=d perm=((0, 1), (1, 2), (2, 3), (3, 0))]",
			"i:f32[1024] =", "i:f32[1024]{V:d} =", "out_specs=(P(),)", "out_specs=(P('d',),)", "c:f32[1024] =", "c:f32[4096] =").Replace(dataParallel),
	} {
		j, err := jaxpr.Parse(text, prim.Vocabulary)
		if err != nil {
			t.Fatal(err)
		}
		want := 0.0
		for _, s := range sendings(meshPrograms(j, 1), 1, 4) {
			want += net.seconds(s)
		}
		got := 0.0
		leave := mesh.Join(delaying{seat{rank: 1, size: 4}, net, &got})
		evalOnes(j)
		leave(nil)
		if math.Abs(got-want) > 1e-12*want || want < 0.1 {
			t.Errorf("takes %v s, the plan says %v s:\n%s", got, want, text)
		}
	}
}
