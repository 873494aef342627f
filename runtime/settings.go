package runtime

import (
	"context"
	"os"
	"strconv"
	"sync/atomic"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/promote"
	"github.com/weft-go/weft/trace"
)

// Settings are the choices that the library's users make for a goroutine or for the
// process. A record is not changed after it was set: a change sets a copy.
type Settings struct {
	Tracing
	Running
}

// Tracing are the settings that change what a function is traced to. They are comparable, since
// they are part of the keys of cached programs.
type Tracing struct {
	Bits           int            // default width of untyped constants: 32 or 64
	Promotion      promote.System // how operands of different types get a common type
	RaiseRanks     bool           // operands of different ranks are an error
	DataDependence bool           // traces record only what depends on an argument
	DebugGradients bool           // the gradient of a result that depends on no parameter is an error
}

// Running are the settings that change how programs and operations run.
type Running struct {
	Context   context.Context // checked by what runs; nil: none
	Watch     Watch           // what results are searched for
	DebugKeys bool            // keys that are used twice are errors
	Executor  Executor        // nil: the process's default
	Options   Options

	// Bounds of what a jitted function keeps; 0 in both: the default bounds.
	CachePrograms int
	CacheBytes    int64
}

var (
	process atomic.Pointer[Settings]
	local   core.Local[Settings]
)

// OmnistagingVariable is the environment variable that switches omnistaging off for the
// process where its value is 0 or false. It is on where the variable is empty, 1 or true.
const OmnistagingVariable = "WEFT_OMNISTAGING"

func init() {
	value := os.Getenv(OmnistagingVariable)
	on, err := strconv.ParseBool(value)
	bad := value != "" && err != nil
	process.Store(&Settings{Tracing: Tracing{Bits: 32, Promotion: promote.JAX, DataDependence: value != "" && err == nil && !on}})
	trace.DataDependence = func() bool {
		if bad {
			core.FailOp(core.ErrStatic, "", nil, "the environment variable %s is %q; set it to 0 or 1, or leave it out", OmnistagingVariable, value)
		}
		return Current().DataDependence
	}
}

// Current returns the goroutine's settings, else the process's. The caller must not
// change them.
func Current() *Settings {
	if s := local.Get(); s != nil {
		return s
	}
	return process.Load()
}

// WithSettings runs f under a copy of the goroutine's settings to which change was applied. It
// panics if their executor cannot be used.
func WithSettings(change func(*Settings), f func()) {
	s := *Current()
	change(&s)
	s.check()
	local.With(&s, f)
}

func (s *Settings) check() {
	if s.Executor == nil {
		return
	}
	if err := usable("", s.Executor); err != nil {
		panic(err)
	}
}

// SetProcess changes the settings of goroutines that have none of their own.
func SetProcess(change func(*Settings)) {
	for {
		old := process.Load()
		s := *old
		change(&s)
		s.check()
		if process.CompareAndSwap(old, &s) {
			return
		}
	}
}
