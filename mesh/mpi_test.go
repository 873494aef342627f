package mesh

import (
	"crypto/sha256"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/golden"
	"github.com/weft-go/weft/internal/test/loopback"
	"github.com/weft-go/weft/internal/test/mpijob"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/mpi"
)

// overMPI, in the environment of a process of a job, states that an MPI launcher has started it.
const overMPI = "WEFT_TEST_OVER=mpi"

// connect returns the transport of a process of a job.
func connect(rank int, addrs []string) (Transport, error) {
	if name, value, _ := strings.Cut(overMPI, "="); os.Getenv(name) != value {
		return loopback.Connect(rank, addrs, 20*time.Second)
	}
	if err := mpijob.Redirect(); err != nil {
		return nil, err
	}
	return mpi.Open()
}

// outside stands for the test in a process that runs none.
type outside struct{ testing.TB }

func (outside) Helper()        {}
func (outside) Cleanup(func()) {}
func (outside) Fatal(args ...any) {
	panic(fmt.Sprint(args...))
}
func (outside) Fatalf(format string, args ...any) {
	panic(fmt.Sprintf(format, args...))
}

// goldens prints the values of the golden programs whose meshes four processes can divide.
func goldens() {
	records, _ := golden.Records[record](outside{}, "jax/shard.jsonl")
	for _, r := range records {
		if r.Error != "" {
			continue
		}
		j, err := jaxpr.Parse(r.Text, prim.Vocabulary)
		if err != nil {
			panic(err)
		}
		axes := j.Eqns[0].Prim.(*jaxpr.ShardMap).Mesh.Axes
		if core.Catch(func() { partsOf(0, 4, axes) }) != nil {
			continue
		}
		for _, v := range jaxpr.Eval(j, nil, r.In.Values()) {
			x := v.(*runtime.Array)
			fmt.Printf("%s %v %x\n", r.Name, x.Aval(), sha256.Sum256(x.Tensor().Data))
		}
	}
}

// Jobs of MPI compute the bits of one process, in each size and on each executor. OpenCL's is one if
// the test is built with drivers, in one size: a driver takes long to compile the programs of another.
// A job without MPI compiles them first, for its driver's cache, so that the limit is on what jobs of MPI do.
func TestMPI(t *testing.T) {
	const opencl = "opencl:0"
	executors := map[string][]int{"reference": {1, 2, 4}, "": {1, 2, 4}}
	if _, err := runtime.Lookup(opencl); err == nil {
		executors[opencl] = []int{2}
	}
	wants := map[string]string{} // by part
	mpijob.Each(t, func(t *testing.T, m mpijob.MPI) {
		for _, part := range []string{"programs", "goldens"} {
			want, known := wants[part]
			if !known {
				printed, failed := runJob(t, part, 1)
				want = printed[0]
				if failed[0] || strings.Count(want, "\n") < leastPrinted(part) {
					t.Fatalf("one process: got %q", want)
				}
				for _, n := range executors[opencl] {
					printed, _ := runJob(t, part, n, runtime.ExecutorVariable+"="+opencl)
					for rank, got := range printed {
						if got != want {
							t.Errorf("%s, process %d of %d without MPI, executor %q: got\n%s\nwant\n%s", part, rank, n, opencl, got, want)
						}
					}
				}
				wants[part] = want
			}
			for executor, sizes := range executors {
				for _, n := range sizes {
					r := m.Run(t, n, 2*time.Minute, "WEFT_TEST_PART="+part, overMPI, runtime.ExecutorVariable+"="+executor)
					if r.Status != 0 {
						t.Errorf("%s on %d processes, executor %q: ended with status %d: %s", part, n, executor, r.Status, r.Output)
					}
					for rank, got := range r.Printed {
						if got != want {
							t.Errorf("%s, process %d of %d, executor %q: got\n%s\nwant\n%s", part, rank, n, executor, got, want)
						}
					}
				}
			}
		}
	})
}

// What goes wrong in one process ends the job with its reason, soon, and no process stays.
func TestMPIThatFails(t *testing.T) {
	mpijob.Each(t, func(t *testing.T, m mpijob.MPI) {
		for part, want := range map[string]string{
			"killed": "",
			"lost":   "",
			"panics": "process 1 of 2 has failed: this process fails",
			"late":   "waiting for process 1: nothing came within 300ms",
			"shape":  "processes run different programs: run 2 of process ",
			"order":  "processes run different programs: run 2 of process ",
		} {
			r := m.Run(t, 2, 30*time.Second, "WEFT_TEST_PART="+part, overMPI)
			// MPICH's launcher has status 0 if a process ends with 0 before its time.
			if !strings.Contains(r.Output, want) || r.Status == 0 && part != "lost" || want != "" && r.Status != mpi.Status {
				t.Errorf("%s: ended with status %d after %v: %s\nwant %q", part, r.Status, r.Took, r.Output, want)
			}
			t.Logf("%s: ended with status %d after %v", part, r.Status, r.Took)
		}
	})
}
