package weft

import (
	"context"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/keyreuse"
	"github.com/weft-go/weft/internal/leaves"
	"github.com/weft-go/weft/promote"
	"github.com/weft-go/weft/runtime"
)

// Setting is a choice that [With] makes for a goroutine, or [SetProcessDefault] for the process.
type Setting interface{ set(*runtime.Settings) }

type setting func(*runtime.Settings)

func (f setting) set(s *runtime.Settings) { f(s) }

// DefaultBits sets the width, 32 or 64, of arrays made of untyped constants and of results that
// have no other width: 32 unless set. Arrays of 64 bits stay 64 bits wide under either.
func DefaultBits(bits int) Setting {
	if bits != 32 && bits != 64 {
		core.FailOp(core.ErrDType, "DefaultBits", nil, "the width must be 32 or 64 bits (got %d); use one of them", bits)
	}
	return setting(func(s *runtime.Settings) { s.Bits = bits })
}

// Promotion sets the system that finds a common type of operands of different types: jax.numpy's
// unless set. It is part of the key under which Jit keeps programs.
//
// It only decides between operands. The type of an operation on one operand, such as a mean of
// integers or a square root, is the same under all systems. Some systems have no type for untyped
// constants: x.Add(1.) is an error under promote.MAX, and x.Add(float32(1)) is not. Under
// promote.NumPy1 the value of a scalar counts beside arrays of its kind or a higher one, such as an
// integer beside floats; an unknown value there, such as that of a traced argument, is an error.
func Promotion(system promote.System) Setting {
	if system == nil {
		core.FailOp(core.ErrPromotion, "Promotion", nil, "the promotion system is nil; pass one, such as promote.NumPy")
	}
	return setting(func(s *runtime.Settings) { s.Promotion = system })
}

// RankMode is how operations treat operands with different numbers of axes.
type RankMode uint8

// The modes of [RankPromotion].
const (
	Allow RankMode = iota // axes of size 1 are put in front, as NumPy does
	Raise                 // an error
)

// RankPromotion sets whether an operand with fewer axes is broadcast over the leading axes of
// another. Scalars always are.
func RankPromotion(m RankMode) Setting {
	if m > Raise {
		core.FailOp(core.ErrShape, "RankPromotion", nil, "unknown mode (got %d); use Allow or Raise", m)
	}
	return setting(func(s *runtime.Settings) { s.RaiseRanks = m == Raise })
}

// Omnistaging sets which operations [Jit] and the other staging functions record. When it is on,
// as it is unless set, they record every operation. When it is off, they record only operations
// that depend on an argument; all others are executed as the function is traced and become
// constants of the program. JAX once traced in this way; it is here for comparison. The
// environment variable WEFT_OMNISTAGING=0 switches it off for the process.
func Omnistaging(on bool) Setting {
	return setting(func(s *runtime.Settings) { s.DataDependence = !on })
}

// Threads returns a setting that bounds the threads on which one program runs: at most n at once,
// or as many as GOMAXPROCS if n is 0, the default. Results do not depend on it. A program is
// compiled again for another number, but not traced.
func Threads(n int) Setting {
	if n < 0 {
		core.FailOp(core.ErrStatic, "Threads", nil, "the number of threads is negative (got %d); pass 0 for as many as GOMAXPROCS", n)
	}
	return setting(func(s *runtime.Settings) { s.Options.Threads = n })
}

// PrecisionMode is the precision that executors must keep: see [Precision].
type PrecisionMode = runtime.Precision

// The values of Precision.
const (
	Exact = runtime.Exact // the reference executor's bits
	Fast  = runtime.Fast  // products may round their operands, sums may be taken in another order
)

// Precision returns a setting that permits executors to compute other bits than the reference
// executor: Exact, the default, permits none. A program is compiled again for another precision,
// but not traced.
//
// Under Fast, jitted functions compute products and convolutions of two arrays of one type on tensor
// cores, where their device has them: cuda:i from compute capability 8.0. Executor avx512 does so only
// for bf16, with the instructions of AVX512-BF16 where the processor has them. An element that sums k
// products differs from the exact sum by at most ε·Σ|a||b|, where no number overflows or is
// subnormal:
//
//	operands            read as                        ε
//	f32                 tf32, rounded to 11 bits       2⁻¹⁰ + (k+9)·2⁻²²
//	bf16, f16           bf16, f16                      (k+9)·2⁻²²
//
// The sum is in f32; a result of 16 bits is rounded once, by 2⁻⁸ (bf16) or 2⁻¹¹ (f16) of itself at
// most. For a product of f32 that requests the algorithm BF16_BF16_F32 or F16_F16_F32 the operands
// are rounded to that type, by 2⁻⁸ or 2⁻¹¹ each. The bits of a NaN are not specified.
//
// Products with fewer than 16 rows, columns or terms, convolutions with fewer than 16 windows,
// outputs or terms in a group, and those of both that request lax.HighestPrecision have the exact
// bits. So have all other operations, and all operations on an executor without such instructions.
//
// A softmax between two such products is one kernel if nothing else reads its scores; docs/gpu.md
// bounds its error.
func Precision(p PrecisionMode) Setting {
	if p > Fast {
		core.FailOp(core.ErrStatic, "Precision", nil, "there is no precision %d; pass weft.Exact or weft.Fast", p)
	}
	return setting(func(s *runtime.Settings) { s.Options.Precision = p })
}

// With runs f under a setting, on this goroutine.
func With(set Setting, f func()) {
	requireSetting("With", set)
	leaves.RequireNonNil("With", f)
	runtime.WithSettings(set.set, f)
}

// SetProcessDefault applies a setting to the whole process. Programs call it before they make
// their first array.
func SetProcessDefault(set Setting) {
	requireSetting("SetProcessDefault", set)
	runtime.SetProcess(func(s *runtime.Settings) {
		set.set(s)
		if s.Context != nil {
			core.FailOp(core.ErrStatic, "SetProcessDefault", nil, "a context ends, and the process's settings do not; give it to a goroutine, as in weft.With(weft.Context(ctx), f)")
		}
	})
}

func requireSetting(op string, set Setting) {
	if set == nil {
		core.FailOp(core.ErrStatic, op, nil, "the setting is nil; pass one, as weft.DebugNaNs(true)")
	}
}

// Context binds the operations that [With] runs to a context: every operation and program that runs
// at once checks it before it begins and on every iteration of a loop, gradients and batches too.
// When the context has ended they panic with an *[Error], which wraps the context's error and which
// [Try] returns. Operations that are only recorded do not check it; their program does when it
// runs.
//
//	_, err := weft.Try(func() (v weft.Array) {
//		weft.With(weft.Context(ctx), func() { v = weft.Grad(loss)(params) })
//		return v
//	})
//	if errors.Is(err, context.DeadlineExceeded) { … }
func Context(ctx context.Context) Setting {
	if ctx == nil {
		core.FailOp(core.ErrStatic, "Context", nil, "takes a context; this one is nil: pass context.Background() for one that never ends")
	}
	return setting(func(s *runtime.Settings) { s.Context = ctx })
}

// DebugNaNs makes every operation whose result contains NaN an error of the kind
// core.ErrNaN that names the operation, its equation, your line and the operands: eager
// ones, and those of compiled programs wherever they stand, in branches and the
// bodies of loops too. Programs run on the reference executor meanwhile, which has
// the same bits; they are not traced again.
//
// A NaN that a later Where leaves out counts, since it reaches derivatives; one that an argument
// brings in counts in the first operation that propagates it.
func DebugNaNs(on bool) Setting { return watching(runtime.NaNs, on) }

// DebugInfs checks for infinities as DebugNaNs does for NaN.
func DebugInfs(on bool) Setting { return watching(runtime.Infs, on) }

func watching(w runtime.Watch, on bool) Setting {
	return setting(func(s *runtime.Settings) {
		s.Watch &^= w
		if on {
			s.Watch |= w
		}
	})
}

// DebugKeyReuse makes it an error of the kind core.ErrKeyReuse to use a random key twice. A use is
// a draw from it or a split. The error names both lines. Eager operations are checked as they
// happen, and programs before they run: a key may be the argument of two calls, be carried around a
// loop, or be drawn from in two places.
//
// FoldIn does not use a key up. A branch that is not taken counts as if it were. Uses that depend
// on an index known only when the program runs are not followed.
func DebugKeyReuse(on bool) Setting {
	if on {
		keyreuse.Install()
	}
	return setting(func(s *runtime.Settings) { s.DebugKeys = on })
}

// DebugGradients makes it an error of the kind core.ErrNoRule to ask for the gradient of
// a function whose result depends on none of its parameters: such a gradient is zero, and
// most often the function uses a variable from outside by mistake.
func DebugGradients(on bool) Setting {
	return setting(func(s *runtime.Settings) { s.DebugGradients = on })
}
