package cpu

import (
	"fmt"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/runtime"
)

// noCode is the reason why a program, or a loop in it, has no machine code. The reference
// executor runs it.
type noCode struct{ reason string }

// Error returns the reason.
func (n *noCode) Error() string { return n.reason }

// recoverNoCode is deferred by translations. A panic of the translator becomes a noCode,
// since the reference executor can run the program. An error in the program stays one.
func recoverNoCode(err *error) {
	switch r := recover().(type) {
	case nil:
	case *core.Error:
		*err = r
	default:
		*err = &noCode{fmt.Sprintf("the translation failed: %v", r)}
	}
}

// refused is a program without machine code.
type refused struct {
	runtime.Executable // of the reference executor
	account            runtime.Account
}

// onReference compiles a program that has no machine code for the reference executor.
func onReference(r *runtime.Request, why *noCode) (runtime.Executable, error) {
	x, err := runtime.Reference.Compile(r)
	if err != nil {
		return nil, err
	}
	a := x.Account()
	a.Kernels = 0
	for _, e := range r.Jaxpr.Eqns {
		a.Fallbacks = append(a.Fallbacks, runtime.Fallback{Op: e.Prim.Name(), Pos: e.Site.String(), Reason: why.reason})
	}
	return &refused{x, a}, nil
}

// Account lists each equation as a fallback.
func (p *refused) Account() runtime.Account { return p.account }
