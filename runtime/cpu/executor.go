package cpu

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strconv"
	"sync"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/ir"
	codegen "github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/schedule"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/cpu/internal/native"
)

type executor struct {
	target
	processor schedule.Processor
	compile   func(*ir.Kernel, codegen.Options) (*codegen.Code, error)
	product   func(*fuse.Product, schedule.Processor) *schedule.Product
	conv      func(*fuse.Conv, schedule.Processor) *schedule.Conv
	micro     func(codegen.MicroKernel) (*native.Code, error)
	least     int                        // bytes that steps must pass to each other to run on row tiles: see fuse.Target
	tileRows  func(s *fuse.RowTiles) int // rows of a row tile; nil: the planner chooses
	memory    func() error               // why machine code cannot run here, nil if it can
	perilous  func() error               // why the system may end the process, nil if it does not
	checked   func() error               // compares bits with records, once
	leaves    leafCache
	codes     codeCache
}

func newExecutor(t target) *executor {
	e := &executor{target: t, compile: codegen.Compile, product: schedule.ProductOf, conv: schedule.ConvOf, least: fuse.LeastTiled,
		micro:  func(k codegen.MicroKernel) (*native.Code, error) { return micro(k, t.isa) },
		memory: native.Available, perilous: native.Perilous}
	e.checked = sync.OnceValue(func() error { return e.check(sampleResults) })
	if t.isa != nil {
		e.processor = t.isa.Model().Processor
		e.processor.Dots, e.processor.Matrices = t.dots, t.matrices
	}
	return e
}

func init() {
	for _, t := range targets {
		register(newExecutor(t))
	}
}

// register registers an executor. If another package took its name, programs run without it.
func register(e *executor) {
	add := runtime.RegisterDefault
	if e.named {
		add = runtime.Register
	}
	if err := add(e); err != nil {
		slog.Warn("weft: programs run without native executor " + e.name + ": " + err.Error())
	}
}

// Name returns the instruction set.
func (e *executor) Name() string { return e.name }

// Available returns nil, or why native code cannot run in this process.
func (e *executor) Available() error {
	if e.lacks != "" {
		return native.Unsupported("the processor has no " + e.lacks)
	}
	if err := e.perilous(); err != nil && !selected() {
		return err
	}
	if err := e.memory(); err != nil || !e.unseen {
		return err
	}
	return e.checked()
}

func (e *executor) Memory() runtime.Memory { return runtime.Host }

func (e *executor) Place(ctx context.Context, a *runtime.Array) (*runtime.Array, error) {
	return runtime.Reference.Place(ctx, a)
}

// Allocate returns an array with arbitrary elements. Memory of large arrays is reused.
func (e *executor) Allocate(t core.ShapedArray) *runtime.Array {
	return newResult(nil, t)
}

// LeastElements returns the number of elements from which an eager operation takes less time as machine code.
func (e *executor) LeastElements() int { return fewElements }

func (e *executor) Compile(r *runtime.Request) (runtime.Executable, error) {
	if err := e.Available(); err != nil {
		return nil, &core.Error{Kind: core.ErrDevice, Msg: "executor " + e.name + " cannot run here", Err: err}
	}
	if _, err := threadsFrom(os.Getenv(ThreadsVariable), 1); err != nil {
		return nil, err
	}
	if err := core.Catch(func() { runtime.RefuseLarge(r.Jaxpr) }); err != nil {
		return nil, err
	}
	p, err := compileNative(e, r)
	var none *noCode
	if errors.As(err, &none) {
		return onReference(r, none)
	}
	if err != nil {
		return nil, err
	}
	return p, nil
}

// compileNative is newProgram, but returns panics of the translation as errors.
func compileNative(e *executor, r *runtime.Request) (p *program, err error) {
	defer recoverNoCode(&err)
	return newProgram(e, r)
}

// plans returns the target that programs are planned for. Only with [runtime.Fast] are pairs of bf16
// multiplied, because that changes bits.
func (e *executor) plans(o runtime.Options) fuse.Target {
	t := fuse.Native()
	t.RowTiles, t.ShortPairs, t.ByteDots = e.least, true, e.dots
	if o.Precision == runtime.Fast && e.pairs {
		t.Tensor = fuse.TensorOptions{Cores: true, Pairs: true}
	}
	return t
}

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

// defaultThreads returns the number of threads of programs without an option: GOMAXPROCS
// at the first call, bounded by WEFT_THREADS.
var defaultThreads = sync.OnceValue(func() int {
	n, _ := threadsFrom(os.Getenv(ThreadsVariable), maxProcs())
	return n
})

// threadsFrom returns the number in text, which is the value of WEFT_THREADS, but at most `most`; most if text is
// empty. Text that is no positive number is an error.
func threadsFrom(text string, most int) (n int, err error) {
	if text == "" {
		return most, nil
	}
	n, err = strconv.Atoi(text)
	if err != nil || n < 1 {
		return most, &core.Error{Kind: core.ErrDevice, Msg: fmt.Sprintf("the environment variable %s is no positive number (got %q); unset it or set it to a number of threads", ThreadsVariable, text)}
	}
	return min(n, most), nil
}

// A Fact is a property of the machine that decides how native programs run.
type Fact struct{ Name, Value string }

// Facts returns the facts that decide how native programs run here.
func Facts() []Fact {
	var memory string
	err := native.Perilous()
	if err == nil || selected() {
		memory, err = native.Memory()
	}
	if err != nil {
		memory = err.Error()
	}
	n, err := threadsFrom(os.Getenv(ThreadsVariable), maxProcs())
	threads := strconv.Itoa(n)
	if err != nil {
		threads += ": " + err.Error()
	}
	return []Fact{{"executable memory", memory}, {"threads", threads}}
}
