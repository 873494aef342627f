package weft

import "github.com/weft-go/weft/runtime"

// DebugNaNs makes every operation whose result holds NaN an error of the kind
// core.ErrNaN that names the operation, its equation, your line and the operands: eager
// ones, and those of compiled programs wherever they stand, in branches and the
// bodies of loops too. Programs run on the reference executor meanwhile, which has
// the same bits; they are not traced again.
//
// A NaN that a later Where leaves out counts, since derivatives see it; one that an
// argument brings in counts in the first operation that gives it on.
func DebugNaNs(on bool) Setting { return watching(runtime.NaNs, on) }

// DebugInfs is DebugNaNs for infinities.
func DebugInfs(on bool) Setting { return watching(runtime.Infs, on) }

func watching(w runtime.Watch, on bool) Setting {
	return func(s *settings) {
		s.watch &^= w
		if on {
			s.watch |= w
		}
	}
}

// Watched is what results are looked at for.
func (s *settings) Watched() runtime.Watch { return s.watch }

// tracing is the settings that change programs: what Jit keeps them by.
func (s *settings) tracing() settings {
	t := *s
	t.watch = 0
	return t
}
