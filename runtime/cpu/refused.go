package cpu

import (
	"errors"
	"fmt"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/legalize"
	"github.com/weft-go/weft/runtime"
)

// noCode is the reason why a program, or an equation in it, has no machine code. The
// reference executor runs it.
type noCode struct{ reason string }

func (n *noCode) Error() string { return n.reason }

// recoverNoCode is deferred by translations. A panic of the translator becomes a noCode,
// since the reference executor can run the program. A panic with a *core.Error, which reports an
// error in the program, becomes that error.
func recoverNoCode(err *error) {
	switch r := recover().(type) {
	case nil:
	case *core.Error:
		*err = r
	default:
		*err = &noCode{fmt.Sprintf("the translation failed: %v", r)}
	}
}

// newProgram translates a program and compiles its kernels. Equations whose kernels are
// refused run on the reference executor; the others stay native.
func newProgram(e *executor, r *runtime.Request) (*program, error) {
	refused := fuse.Refusals{}
	if j := legalize.WithoutEmpty(r.Jaxpr); j != r.Jaxpr {
		changed := *r
		changed.Jaxpr = j
		r = &changed
	}
	for {
		b := newBuilder(e, r)
		p, err := b.program(fuse.TranslateWithout(r.Jaxpr, e.plans(r.Options), refused))
		if err != nil {
			return nil, err
		}
		if len(b.refused) == 0 {
			p.finish(r, b.account)
			return p, nil
		}
		known, reason := len(refused), ""
		for eqn, why := range b.refused {
			refused[eqn] = why
			reason = why
		}
		if len(refused) == known {
			return nil, &noCode{reason}
		}
	}
}

// kernelOf returns the code of a kernel that computes some equations. If it has none, the
// equations without code of their own are noted as refused, or all equations if each has code.
func (b *programBuilder) kernelOf(p *program, k *ir.Kernel, eqns ...*jaxpr.Eqn) (*kernel, error) {
	compiled, err := b.kernel(k)
	if err == nil {
		return compiled, nil
	}
	var alone []*jaxpr.Eqn
	for _, e := range eqns {
		if len(eqns) == 1 || !b.compiles(e) {
			alone = append(alone, e)
		}
	}
	if len(alone) == 0 {
		alone = eqns
	}
	return nil, b.refuse(p, err, alone...)
}

// refuse records that equations of a plan have no code if err is a noCode. It returns other errors, and a noCode
// that concerns no equation.
func (b *programBuilder) refuse(p *program, err error, eqns ...*jaxpr.Eqn) error {
	var none *noCode
	if !errors.As(err, &none) {
		return err
	}
	if len(eqns) == 0 {
		return none
	}
	if b.refused == nil {
		b.refused = fuse.Refusals{}
	}
	for _, e := range eqns {
		b.refused[p.plan.Source(e)] = none.reason
	}
	return nil
}

// coded calls f. Its errors become a noCode, its panics what recoverNoCode makes of them.
func coded[T any](f func() (T, error)) (x T, err error) {
	defer recoverNoCode(&err)
	if x, err = f(); err != nil {
		return x, &noCode{err.Error()}
	}
	return x, nil
}

// compiles reports whether an equation has code by itself.
func (b *programBuilder) compiles(e *jaxpr.Eqn) bool {
	in := jaxpr.NewBuilder()
	args := make([]jaxpr.Atom, len(e.Ins))
	for i, a := range e.Ins {
		args[i] = a
		if v, ok := a.(*jaxpr.Var); ok {
			args[i] = in.Input(v.Type)
		}
	}
	var outs []jaxpr.Atom
	for _, v := range in.Eqn(e.Prim, args...) {
		outs = append(outs, v)
	}
	for _, s := range fuse.Translate(in.Build(outs...), fuse.Target{}).Steps {
		if l, ok := s.(*fuse.Launch); ok {
			if _, err := b.kernel(l.Kernel); err != nil {
				return false
			}
		}
	}
	return true
}

// refused is a program without machine code.
type refused struct {
	runtime.Executable // of the reference executor
	account            runtime.Account
}

// onReference lets the reference executor compile a program that has no machine code.
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
