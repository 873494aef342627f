package runtime

import (
	"context"
	"math"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
)

// An Executor compiles and runs programs. The reference executor defines the numbers;
// every other executor computes the same bits, except where [Options].Precision allows
// other ones and unless it is [Inexact]. Many goroutines use an executor at once.
//
// What lies outside of the program (memory, a driver, a device) fails with an error,
// never with a panic. An error that is a *[core.Error] reaches the user as it is; every
// other error is reported in the name of the executor.
type Executor interface {
	// Name returns the name by which users select the executor.
	Name() string

	// Available returns nil, or why the executor cannot run in this process: an
	// [errors.ErrUnsupported] if the machine lacks what it needs.
	Available() error

	// Memory returns the memory that the executor's programs read and write. Arrays in
	// one memory need no copy between the executors that share it.
	Memory() Memory

	// Compile translates a program whose constants have concrete values.
	Compile(r *Request) (Executable, error)

	// Leaf returns code for one operation outside of programs, on operands and results
	// of these types; nil leaves the operation to the library, which expands it or runs
	// it on the reference executor. The library caches the latest ones, not all: an
	// executor keeps its own code.
	Leaf(p core.Primitive, in, out []core.ShapedArray) Leaf

	// Place returns an array with a's elements in the executor's memory, which is a
	// itself if its elements are there. The copy need not be ready.
	Place(ctx context.Context, a *Array) (*Array, error)
}

// An Inexact executor has a compiler of its own and that compiler's bits. It receives programs as
// they were traced, before the passes of package lower. It cannot be registered as a default:
// users select it by name.
type Inexact interface {
	Executor

	// Inexact tells whose bits the results have.
	Inexact() string
}

// A Selective executor leaves eager operations whose operands, at most four, all have fewer
// than LeastElements elements to the kernels of the reference executor, where a call costs
// least. Its memory is the host's.
type Selective interface {
	Executor
	LeastElements() int
}

// leastElements returns the least number of elements with which an operand makes e run an eager
// operation itself.
func leastElements(e Executor) int {
	if e == Reference {
		return math.MaxInt
	}
	if s, ok := e.(Selective); ok {
		return s.LeastElements()
	}
	return 0
}

// Memory names a memory in which arrays lie, as "host" or "cuda:0".
type Memory string

// Host is the memory of the process. An array whose elements are there and ready has no
// [Buffer].
const Host Memory = "host"

// A Request describes a program for an executor to compile.
type Request struct {
	Jaxpr *jaxpr.Jaxpr

	// Donated marks the inputs whose memory a run may overwrite or return; nil means
	// none. Inputs of 64 bytes and less are never marked. A run that fails leaves them as
	// they were: an executor overwrites an input only when nothing that follows can fail,
	// the context included, or restores it.
	Donated []bool

	Options Options

	// Label names the program in profiles and errors.
	Label string
}

// Options are settings that change an executor's code, but not the program.
type Options struct {
	Threads   int // at most this many at once; 0: the executor's default
	Precision Precision
}

// Precision is the accuracy that an executor must keep.
type Precision uint8

const (
	// Exact requires the reference executor's bits.
	Exact Precision = iota
	// Fast allows products to round their operands and to sum in another order, within the error
	// that weft.Precision documents.
	Fast
)

// String returns the precision's name.
func (p Precision) String() string {
	if p == Fast {
		return "Fast"
	}
	return "Exact"
}

// An Executable is a program that is ready to run, by many goroutines at once.
type Executable interface {
	// Run computes the results on arguments in the executor's memory and puts them into
	// outs, which has one element for each result. An element that is nil is the
	// executor's to allocate. One that is an array is memory of the result's type to
	// write into; it may be in host memory regardless of the executor's memory.
	//
	// Results need not be ready when Run returns: see [Buffer]. An argument may be
	// returned as a result. Run checks ctx between kernels and returns its error.
	Run(ctx context.Context, args, outs []*Array) error

	// Account reports the executable's kernels and memory.
	Account() Account
}

// An Account reports what an executable consists of and needs.
type Account struct {
	Kernels       int // pieces of code that one run calls; those of a loop's body count once
	CodeBytes     int // of machine code or of an assembler's text
	ConstantBytes int // of captured arrays
	ArenaBytes    int // most bytes that intermediate arrays, and an operation's copies of its operands, occupy at one time
	ThreadBytes   int // of all threads of a native program: parts of operands and results that each works on, kept from call to call
	ResultBytes   int // of results that do not lie in donated inputs
	Fallbacks     []Fallback
	Notes         []string // what costs time, and the setting that changes it
}

// A Fallback is an equation that the reference executor runs.
type Fallback struct {
	Op     string // the primitive's name
	Pos    string // the user's line, "" if it is not known
	Reason string
}

// A Leaf runs one operation on operands in the executor's memory. types are those of the
// results. outs follows the rules of [Executable].
type Leaf func(ctx context.Context, p core.Primitive, in []*Array, types []core.ShapedArray, outs []*Array) error

// LeafRequest returns the program of one operation on operands of the types in, for executors that
// compile what a [Leaf] runs.
func LeafRequest(p core.Primitive, in []core.ShapedArray) *Request {
	return &Request{Jaxpr: newSingle(p, in), Label: p.Name()}
}

// A Step runs one equation of a program on the reference executor. Its operands may be
// in any memory. Results go to host memory: into the arrays of outs, or into new ones
// where outs has nil.
type Step interface {
	Run(ctx context.Context, in, outs []*Array) error
}

// A Buffer holds the elements of an array that are not in host memory, or not computed yet.
// Many goroutines may use it at once.
type Buffer interface {
	// Executor returns the executor in whose memory the elements lie. It runs eager operations on them.
	Executor() Executor

	// Wait returns when the elements have been computed, with the error of what failed.
	// If ctx ends first, Wait returns its error.
	Wait(ctx context.Context) error

	// Bytes waits and returns the elements in host memory, aligned to 16 bytes. They
	// must stay valid as long as the buffer is reachable; nothing writes them.
	Bytes(ctx context.Context) ([]byte, error)
}
