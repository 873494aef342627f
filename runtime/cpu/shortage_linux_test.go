package cpu_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/internal/test/drivertest"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/runtime"
)

// shortage is set in the process that TestShortage starts: the executor, and the megabytes by which it may grow.
const shortage = "WEFT_TEST_SHORTAGE"

// A process with little address space reports what does not fit, and goes on with what does.
func TestShortage(t *testing.T) {
	if os.Getenv(shortage) != "" {
		t.Skip("it is the process with little memory")
	}
	if race.Enabled {
		t.Skip("the race detector ends the process if it gets no memory")
	}
	for _, e := range runtime.Executors() {
		if e.Memory() != runtime.Host || e.Available() != nil {
			continue
		}
		for _, megabytes := range []int{600, 400} {
			cmd := exec.Command(os.Args[0], "-test.run", "^TestWithLittleMemory$", "-test.v")
			cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s %d", shortage, e.Name(), megabytes), "GOMAXPROCS=2", "GOGC=100")
			out, err := cmd.CombinedOutput()
			if errors.Is(err, syscall.ENOEXEC) {
				t.Skip("an emulator runs this process, and the system starts none of its kind")
			}
			if err != nil || !strings.Contains(string(out), "--- PASS") {
				t.Errorf("%s with %d MB: %v\n%s", e.Name(), megabytes, err, out[:min(len(out), 3000)])
			}
		}
	}
}

// limit lets the address space of this process grow by n bytes at most.
func limit(t *testing.T, n uint64) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	_, size, _ := strings.Cut(string(status), "VmSize:")
	size, _, _ = strings.Cut(size, "kB")
	now, err := strconv.ParseUint(strings.TrimSpace(size), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_AS, &syscall.Rlimit{Cur: now<<10 + n, Max: now<<10 + n}); err != nil {
		t.Fatal(err)
	}
}

// TestWithLittleMemory is what TestShortage runs: results that are kept until no more fit, then dropped.
func TestWithLittleMemory(t *testing.T) {
	name, size, ok := strings.Cut(os.Getenv(shortage), " ")
	if !ok {
		t.Skip("it runs in a process of TestShortage")
	}
	megabytes, err := strconv.Atoi(size)
	if err != nil {
		t.Fatal(err)
	}
	e, err := runtime.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	r := rand.New(rand.NewPCG(1, 1))
	of := func(p core.Primitive, in ...core.ShapedArray) func() ([]*runtime.Array, error) {
		c, err := runtime.Compile(e, &runtime.Request{Jaxpr: primtest.Sample{Prim: p, In: in}.Jaxpr()})
		if err != nil {
			t.Fatal(err)
		}
		args := make([]*runtime.Array, len(in))
		for i, a := range in {
			args[i] = drivertest.Draw(r, a, primtest.Domain{})
		}
		return func() (out []*runtime.Array, err error) {
			caught := core.Catch(func() { out, err = c.Run(ctx, args) })
			return out, errors.Join(err, caught)
		}
	}
	const n = 1 << 19
	broadcast := of(prim.BroadcastInDimP{Shape: core.MakeDims(16, n), Dims: core.MakeDims(1)}, core.Aval(core.Float32, n)) // 32 MiB
	sorted := of(indexed.SortP{NumKeys: 1}, core.Aval(core.Float32, n), core.Aval(core.Int32, n))
	huge := of(prim.BroadcastInDimP{Shape: core.MakeDims(4<<10, n), Dims: core.MakeDims(1)}, core.Aval(core.Int8, n)) // 2 GiB
	limit(t, uint64(megabytes)<<20)
	for round := range 2 {
		var kept [][]*runtime.Array
		for {
			out, err := broadcast()
			if err != nil {
				if !errors.Is(err, core.ErrDevice) {
					t.Fatalf("got %v, want an error of the device", err)
				}
				break
			}
			kept = append(kept, out)
			if len(kept) > 100 {
				t.Fatal("3.2 GB fit in memory")
			}
		}
		_, err := sorted() // may fail
		if err != nil && !errors.Is(err, core.ErrDevice) {
			t.Errorf("sort: got %v, want an error of the device", err)
		}
		t.Logf("round %d: %d results fit, sort: %v", round, len(kept), err)
		if len(kept) < 4 {
			t.Fatalf("%d results of 32 MiB fit in %d MB", len(kept), megabytes)
		}
		kept = nil
		for range 6 { // dropped at once
			if _, err := broadcast(); err != nil {
				t.Fatalf("after all results were dropped: %v", err)
			}
		}
		if _, err := sorted(); err != nil {
			t.Errorf("sort after all results were dropped: %v", err)
		}
	}
	if _, err := huge(); err != nil && !errors.Is(err, core.ErrDevice) {
		t.Errorf("2 GiB: got %v, want an error of the device", err)
	}
}
