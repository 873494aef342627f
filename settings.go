package weft

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/keyreuse"
	"github.com/weft-go/weft/internal/leaves"
	"github.com/weft-go/weft/internal/nd"
	"github.com/weft-go/weft/promote"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/trace"
)

// settings is what a Setting changes. It is comparable: part of Jit's key, but for
// what does not change programs.
type settings struct {
	bits   int // default width of untyped constants: 32 or 64
	system promote.System
	ranks  RankMode
	data   bool            // traces follow data dependence only
	watch  runtime.Watch   // no part of Jit's key: see tracing
	keys   bool            // keys that are used twice are errors; no part of the key
	idle   bool            // gradients with respect to what nothing depends on are errors
	ctx    context.Context // asked by what runs at once, or nil; no part of the key
}

var (
	processSettings atomic.Pointer[settings]
	defaultsMu      sync.Mutex // held while they change
)

func init() {
	processSettings.Store(&settings{bits: 32, system: promote.JAX})
	trace.DataDependence = func() bool { return current().data }
	nd.Current = func() nd.Settings {
		s := current()
		return nd.Settings{Bits: s.bits, System: s.system, RaiseRanks: s.ranks == Raise}
	}
	nd.WithSystem = func(system promote.System, f func()) { With(Promotion(system), f) }
}

// current returns the settings of this goroutine, else of the process.
func current() *settings {
	if s, ok := core.Local().(*settings); ok {
		return s
	}
	return processSettings.Load()
}

// Setting is a choice that [With] makes for a goroutine, or [SetDefault] for the
// process.
type Setting func(*settings)

// DefaultBits returns the width, 32 or 64, of arrays that are made of untyped constants
// and of the results that have no other: 32 unless set. Arrays of 64 bits stay 64
// bits wide under either.
func DefaultBits(bits int) Setting {
	if bits != 32 && bits != 64 {
		core.Failf(core.ErrDType, "the default width is 32 or 64 bits, not %d", bits)
	}
	return func(s *settings) { s.bits = bits }
}

// Promotion returns the system by which operands of different types find a common one:
// jax.numpy's unless set. It is part of the key under which Jit keeps programs.
//
// It decides between operands only: what one operand becomes by itself, a mean of
// integers or a square root, is the same under all. Some systems know no bare
// numbers, so that x.Add(1.) is an error under promote.MAX and x.Add(float32(1))
// none. Under promote.NumPy1 the value of an untyped Go constant counts; of a scalar
// that is an array or traced the value cannot count, which is an error.
func Promotion(system promote.System) Setting {
	if system == nil {
		core.Failf(core.ErrPromotion, "Promotion needs a system, as promote.NumPy")
	}
	return func(s *settings) { s.system = system }
}

// RankMode says what happens when arrays of different numbers of axes meet.
type RankMode uint8

// The ways to deal with operands of different ranks.
const (
	Allow RankMode = iota // axes of size 1 are put in front, as NumPy does
	Raise                 // an error
)

// String returns the mode's name.
func (m RankMode) String() string {
	if m == Raise {
		return "Raise"
	}
	return "Allow"
}

// RankPromotion says whether an operand of fewer axes is spread over the leading
// axes of another. Scalars always are.
func RankPromotion(m RankMode) Setting {
	if m > Raise {
		core.Failf(core.ErrShape, "RankPromotion takes Allow or Raise")
	}
	return func(s *settings) { s.ranks = m }
}

// Omnistaging says what Jit and its like record: every operation, as they do unless it
// is switched off, or only those that depend on an argument, while all others are
// executed as the function is traced and become constants of the program. The second
// is how tracing once was; it is here to be compared with.
func Omnistaging(on bool) Setting {
	return func(s *settings) { s.data = !on }
}

// With runs f under a setting, on this goroutine.
func With(set Setting, f func()) {
	leaves.RequireNonNil("With", set, f)
	s := *current()
	set(&s)
	core.WithLocal(&s, f)
}

// SetDefault makes a setting the process's: for programs, before they make their
// first array.
func SetDefault(set Setting) {
	defaultsMu.Lock()
	defer defaultsMu.Unlock()
	s := *processSettings.Load()
	set(&s)
	if s.ctx != nil {
		core.FailOp(core.ErrStatic, "SetDefault", nil, "a context ends, and the process's settings do not; give it to a goroutine, as in weft.With(weft.Context(ctx), f)")
	}
	processSettings.Store(&s)
	runtime.SetWatch(s.watch)
	keyreuse.SetProcess(s.keys)
}

// String shows the settings as cache explanations name them.
func (s *settings) String() string {
	return fmt.Sprintf("DefaultBits(%d), Promotion(%s), RankPromotion(%v), Omnistaging(%v)", s.bits, s.system.Name(), s.ranks, !s.data)
}
