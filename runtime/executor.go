package runtime

import (
	"context"
	"sync/atomic"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower"
)

// Executor turns programs into what can be run. The reference executor defines the
// numbers; others must compute the same bits.
type Executor interface {
	// Name tells executors apart.
	Name() string
	// Compile prepares a program whose constants, if it has any, have concrete
	// values. It panics with *core.Error where it cannot.
	Compile(j *jaxpr.Jaxpr) Executable
}

// Executable is a program that is ready to run, by many goroutines at once.
type Executable interface {
	// Run computes the program's results. It panics with *core.Error; the
	// context's error, if it ends first, is behind that error.
	Run(ctx context.Context, args []*Array) []*Array
}

// Reference is the executor that evaluates programs operation by operation.
var Reference Executor = reference{}

type reference struct{}

func (reference) Name() string { return "reference" }

func (reference) Compile(j *jaxpr.Jaxpr) Executable { return programOf(j) }

var executor atomic.Pointer[Executor]

func init() { executor.Store(&Reference) }

// Default is the executor that calls of programs use.
func Default() Executor { return *executor.Load() }

// SetDefault makes e the executor that calls of programs use from now on.
func SetDefault(e Executor) { executor.Store(&e) }

type executableKey struct{ executor Executor }

// Compile is j, lowered, as the default executor runs it. It is memoized in j.
func Compile(j *jaxpr.Jaxpr) Executable { return compileFor(Default(), j) }

func compileFor(e Executor, j *jaxpr.Jaxpr) Executable {
	return j.Memo(executableKey{e}, func() any { return e.Compile(lower.Program(j)) }).(Executable)
}

// Call runs the program of p on concrete operands, literals among them, and takes
// the memory of donated ones. ctx is asked between operations and on every trip of
// a loop.
func Call(ctx context.Context, p *jaxpr.Jit, in []core.Value) []core.Value {
	arrays := make([]*Array, len(in))
	for i, v := range in {
		arrays[i] = concrete(p, v)
	}
	return typed(runProgram(ctx, p, arrays), p.Jaxpr.OutAvals())
}

// runProgram runs a program on arrays and takes the memory of donated ones. Where
// results are looked at the reference executor runs it, which has them all, and the
// same bits.
func runProgram(ctx context.Context, p *jaxpr.Jit, arrays []*Array) []*Array {
	var e Executable
	if watching() != 0 {
		e = programOf(p.Jaxpr)
	} else {
		e = Compile(p.Jaxpr)
	}
	outs := e.Run(ctx, arrays)
	donate(p.Donated, arrays, outs)
	return outs
}
