package cpu

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"sync"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/amd64"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/cpu/internal/native"
)

// executor compiles for one instruction set.
type executor struct {
	name   string
	isa    amd64.ISA
	leaves leafCache
}

func init() {
	runtime.Register(&executor{name: "avx512", isa: amd64.AVX512})
	runtime.Register(&executor{name: "avx2", isa: amd64.AVX2})
}

// missing returns what the processor lacks, "" if it has all that the code needs.
func (e *executor) missing() string {
	f := native.CPU()
	switch {
	case e.isa == amd64.AVX2 && !f.AVX2:
		return "the processor has no AVX2 with FMA"
	case e.isa == amd64.AVX512 && !f.AVX512:
		return "the processor has no AVX-512 (F, BW, DQ, VL, CD)"
	}
	return ""
}

// Name returns the instruction set.
func (e *executor) Name() string { return e.name }

// Available returns nil, or why native code cannot run in this process.
func (e *executor) Available() error {
	if why := e.missing(); why != "" {
		return fmt.Errorf("%s", why)
	}
	return native.Available()
}

// Memory is the host's.
func (e *executor) Memory() runtime.Memory { return runtime.Host }

// Place returns the array with its elements in host memory.
func (e *executor) Place(ctx context.Context, a *runtime.Array) (*runtime.Array, error) {
	return runtime.Reference.Place(ctx, a)
}

// LeastElements returns the number of elements from which machine code is worth a call.
func (e *executor) LeastElements() int { return fewElements }

// Compile translates a lowered program.
func (e *executor) Compile(r *runtime.Request) (runtime.Executable, error) {
	var plan *fuse.Plan
	err := core.Catch(func() {
		refuseLarge(r.Jaxpr)
		plan = fuse.Translate(r.Jaxpr)
	})
	if err != nil {
		return nil, err
	}
	return newProgram(e, r, plan)
}

// refuseLarge panics where a variable is too large for any memory.
func refuseLarge(j *jaxpr.Jaxpr) {
	for _, e := range j.Eqns {
		for _, v := range e.Outs {
			if why := runtime.TooLarge(v.Type); why != "" {
				panic(&core.Error{Kind: core.ErrShape, Op: e.Prim.Name(), Pos: e.Site.String(), Avals: core.AvalsOf(e.Ins), Msg: "its result cannot be: " + why})
			}
		}
		for _, q := range jaxpr.Programs(e.Prim) {
			refuseLarge(q)
		}
	}
}

// threads returns how many threads a program uses.
func threads(o runtime.Options) int {
	n := defaultThreads()
	if o.Threads > 0 {
		n = min(n, o.Threads)
	}
	return n
}

// ThreadsVariable is the environment variable that bounds the threads of native
// programs.
const ThreadsVariable = "WEFT_THREADS"

var defaultThreads = sync.OnceValue(func() int {
	n := maxProcs()
	if m, err := strconv.Atoi(os.Getenv(ThreadsVariable)); err == nil && m > 0 {
		n = min(n, m)
	}
	return n
})
