package runtime

import (
	"os"
	"sync"
	"sync/atomic"

	"github.com/weft-go/weft/jaxpr"
)

// A Gradual executor takes so long to compile that a program which runs seldom, on few elements,
// finishes sooner on the reference executor. Programs start there, and are compiled once their
// runs have cost as much as compiling does. Its memory is the host's.
type Gradual interface {
	Executor

	// Costs estimates the nanoseconds that a run of a lowered program takes on the
	// reference executor, and those that Compile takes.
	Costs(j *jaxpr.Jaxpr) (run, compile float64)
}

// CompileVariable is the environment variable that makes executors compile programs
// before their first run, where its value is "first".
const CompileVariable = "WEFT_COMPILE"

var compileFirst = sync.OnceValue(func() bool { return os.Getenv(CompileVariable) == "first" })

// later is the compilation of a program that runs on the reference executor until it has
// cost enough.
type later struct {
	executor Executor
	request  *Request // with the lowered program
	run      int64    // nanoseconds of a run
	limit    int64    // … of all runs, before the program is compiled
	spent    atomic.Int64
	mu       sync.Mutex
	compiled atomic.Pointer[Compiled]
}

// compileLater returns the program as the reference executor runs it until compiling
// for e pays off; nil if the program is to be compiled at once. r's program is lowered.
func compileLater(e Executor, r *Request) (*Compiled, error) {
	g, ok := e.(Gradual)
	if !ok || compileFirst() {
		return nil, nil
	}
	run, compile := g.Costs(r.Jaxpr)
	if !(run < compile) { // also if one is NaN
		return nil, nil
	}
	run = max(run, 1)
	c, err := compileLowered(Reference, r)
	if err != nil {
		return nil, err
	}
	c.executor = e
	c.later = &later{executor: e, request: r, run: int64(run), limit: int64(compile)}
	return c, nil
}

// now returns the program for one more run: the reference executor's, or the compiled one once the
// runs have cost enough. It compiles the program when they have.
func (c *Compiled) now() *Compiled {
	l := c.later
	if l == nil {
		return c
	}
	if k := l.compiled.Load(); k != nil {
		return k
	}
	if l.spent.Add(l.run) < l.limit || !l.mu.TryLock() {
		return c
	}
	defer l.mu.Unlock()
	if k := l.compiled.Load(); k != nil {
		return k
	}
	k, err := compileLowered(l.executor, l.request)
	if err != nil {
		fail(c.label, err)
	}
	l.compiled.Store(k)
	return k
}
