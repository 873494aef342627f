package weft

import (
	"github.com/weft-go/weft/internal/keyreuse"
	"github.com/weft-go/weft/runtime"
)

// DebugNaNs makes every operation whose result contains NaN an error of the kind
// core.ErrNaN that names the operation, its equation, your line and the operands: eager
// ones, and those of compiled programs wherever they stand, in branches and the
// bodies of loops too. Programs run on the reference executor meanwhile, which has
// the same bits; they are not traced again.
//
// A NaN that a later Where leaves out counts, since it is in derivatives; one that an
// argument brings in counts in the first operation that propagates it.
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

// DebugKeyReuse makes it an error of the kind core.ErrKeyReuse to use a key of random
// numbers twice: to draw from it or to split it after that was done before. Both lines
// are named. Operations that happen are looked at, and programs before they run: a key
// that is the argument of two calls, that a loop takes around, that a function draws
// from in two places. FoldIn does not use a key up, and a branch that is not taken
// counts as if it were. What depends on an index that is known only when the program runs is not
// followed.
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
