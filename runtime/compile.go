package runtime

import (
	"context"
	"reflect"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower"
)

// Compiled is a program that an executor is ready to run, with what the library does around it:
// arguments are moved and kept alive, results are checked.
type Compiled struct {
	executor Executor
	exe      Executable
	ref      *program // the executable, if it is the reference executor's
	jaxpr    *jaxpr.Jaxpr
	label    string
	types    []core.ShapedArray // of the results
	later    *later             // of a program that is not compiled yet
}

// Compile lowers a program and translates it for an executor. Errors of the executor and
// breaches of its contract are returned as errors.
func Compile(e Executor, r *Request) (*Compiled, error) {
	if err := usable("Compile", e); err != nil {
		return nil, err
	}
	if err := checkRequest(r); err != nil {
		return nil, err
	}
	l, err := lowered(e, r)
	if err != nil {
		return nil, err
	}
	return compileLowered(e, l)
}

// lowered returns the request with its program lowered; for an [Inexact] executor it stays as traced.
func lowered(e Executor, r *Request) (*Request, error) {
	l := *r
	err := core.Catch(func() {
		if len(r.Jaxpr.ConstVals) != len(r.Jaxpr.Consts) {
			noConstants(r.Jaxpr)
		}
		if _, own := e.(Inexact); own {
			return
		}
		defer dropAll(holdConsts(r.Jaxpr)) // folding reads constants
		l.Jaxpr = lower.Program(r.Jaxpr)
	})
	return &l, err
}

// compileLowered is Compile for a program as the executor receives it. It holds the captured arrays, because
// executors read them.
func compileLowered(e Executor, r *Request) (*Compiled, error) {
	var held []*Array
	if err := core.Catch(func() { held = holdConsts(r.Jaxpr) }); err != nil {
		return nil, err
	}
	defer dropAll(held)
	exe, err := e.Compile(r)
	if err != nil {
		return nil, executorError(e, r.Label, err)
	}
	if v := reflect.ValueOf(exe); exe == nil || v.Kind() == reflect.Pointer && v.IsNil() {
		return nil, executorErrorf(e, r.Label, "Compile returned neither an executable nor an error; report it to the executor's authors")
	}
	c := &Compiled{executor: e, exe: exe, jaxpr: r.Jaxpr, label: r.Label, types: r.Jaxpr.OutAvals()}
	c.ref, _ = exe.(*program)
	return c, nil
}

func noConstants(j *jaxpr.Jaxpr) {
	core.Failf(core.ErrCheck, "the program was read from text, without the values of its %s; make them inputs", core.Count(len(j.Consts), "constant"))
}

// asWritten returns a program as the reference executor runs it where results are searched
// for NaNs or infinities: with all of the user's equations.
func asWritten(j *jaxpr.Jaxpr, label string) *Compiled {
	j = j.Anew()
	p := programOf(j)
	return &Compiled{executor: Reference, exe: p, ref: p, jaxpr: j, label: label, types: p.types}
}

// Executor returns the executor that runs the program.
func (c *Compiled) Executor() Executor { return c.executor }

// Account reports the program's kernels and memory.
func (c *Compiled) Account() Account { return c.exe.Account() }

type compiledKey struct {
	executor Executor
	donated  string
	options  Options
}

// compiledFor returns the program compiled for e. Programs are cached, failures are not. It
// panics with the error.
func compiledFor(e Executor, j *jaxpr.Jaxpr, donated []bool, s *Settings, label string) *Compiled {
	j = j.Anew()
	key := compiledKey{executor: e, options: s.Options}
	if e == Reference {
		key.options, donated = Options{}, nil
	}
	if donated = largeOnly(donated, j); donated != nil {
		b := make([]byte, len(donated))
		for i, d := range donated {
			if d {
				b[i] = 1
			}
		}
		key.donated = string(b)
	}
	if v, ok := j.Memoized(key); ok {
		return v.(*Compiled)
	}
	r, err := lowered(e, &Request{Jaxpr: j, Donated: donated, Options: s.Options, Label: label})
	var c *Compiled
	if err == nil {
		c, err = compileLater(e, r)
	}
	if err == nil && c == nil {
		c, err = compileLowered(e, r)
	}
	if err != nil {
		fail(label, err)
	}
	return j.Memo(key, func() any { return c }).(*Compiled)
}

// largeOnly returns the donated inputs whose memory can be taken, nil if there is none.
func largeOnly(donated []bool, j *jaxpr.Jaxpr) []bool {
	var large []bool
	for i, d := range donated {
		if t := j.Ins[i].Type; d && t.Size()*t.DType.Size() > smallBytes {
			if large == nil {
				large = make([]bool, len(donated))
			}
			large[i] = true
		}
	}
	return large
}

// Run runs the program on arguments in any memory. It is an error if an argument or a captured array must stay in
// another executor's memory.
func (c *Compiled) Run(ctx context.Context, args []*Array) (outs []*Array, err error) {
	err = core.Catch(func() {
		if n := len(c.jaxpr.Ins); len(args) != n {
			core.FailOp(core.ErrCheck, c.label, nil, "the program takes %s (got %d); pass one for each input", core.Count(n, "argument"), len(args))
		}
		checkArgs(c.label, c.jaxpr, args)
		requireAt(c.executor, c.label, c.jaxpr.InAvals(), args, placedIn(c.jaxpr))
		holdArgs(c.label, args)
		defer dropAll(args)
		outs = c.run(ctx, args)
	})
	return outs, err
}

// RunInto runs the program in the goroutine's context and puts the results into outs; it
// allocates nothing else. It panics where Run returns an error. It reports false, without a
// run, where arguments, results, or captured arrays that To placed lie in a device's memory, or are not ready.
func (c *Compiled) RunInto(args, outs []*Array) bool {
	if c.executor.Memory() != Host || !allReady(args) || !allReady(placedIn(c.jaxpr)) {
		return false
	}
	holdArgs(c.label, args)
	defer dropAll(args)
	k := c.now()
	k.into(Context(), args, outs)
	if k.ref == nil {
		checkResults(k.executor, k.label, k.types, outs)
	}
	return true
}

// Evaluate compiles a program for an executor and runs it once.
func Evaluate(ctx context.Context, e Executor, j *jaxpr.Jaxpr, args []*Array) ([]*Array, error) {
	c, err := Compile(e, &Request{Jaxpr: j, Options: Current().Options})
	if err != nil {
		return nil, err
	}
	return c.Run(ctx, args)
}

// run runs the program on arguments that the caller holds.
func (c *Compiled) run(ctx context.Context, args []*Array) []*Array {
	c = c.now()
	outs := c.start(ctx, args)
	if c.ref == nil {
		checkResults(c.executor, c.label, c.types, outs)
	}
	return outs
}

// start moves arguments that the caller holds to the executor's memory and runs the program.
func (c *Compiled) start(ctx context.Context, args []*Array) []*Array {
	outs := make([]*Array, len(c.types))
	if c.ref != nil {
		args = hostArrays(ctx, c.label, args)
	} else {
		args = placeAll(ctx, c.executor, c.label, args)
	}
	c.into(ctx, args, outs)
	return outs
}

// into runs the program on arguments in the executor's memory and puts the results into outs.
func (c *Compiled) into(ctx context.Context, args, outs []*Array) {
	if c.ref != nil {
		c.ref.runInto(ctx, args, outs)
		for i, a := range outs { // an argument or a constant may have another weak mark
			outs[i] = a.marked(c.types[i])
		}
		return
	}
	if held := holdConsts(c.jaxpr); len(held) > 0 {
		defer dropAll(held)
	}
	if err := c.exe.Run(ctx, args, outs); err != nil {
		fail(c.label, executorError(c.executor, c.label, err))
	}
}

// hostArrays is allOnHost, but panics with the error.
func hostArrays(ctx context.Context, op string, as []*Array) []*Array {
	hs, err := allOnHost(ctx, as)
	if err != nil {
		fail(op, err)
	}
	return hs
}

// holdArgs adds a reader to each argument, which the caller must drop. It panics in op's name if an
// argument was donated.
func holdArgs(op string, args []*Array) {
	if i := holdAll(args); i >= 0 {
		t := args[i].Aval()
		core.FailOp(core.ErrDevice, op, []core.ShapedArray{t},
			"an operand of type %v was donated to an earlier call, which has its memory now; use that call's result, or do not donate", t.Full())
	}
}

// RefuseLarge panics if a result within the program is too large for any memory.
func RefuseLarge(j *jaxpr.Jaxpr) { refuseLarge(j, map[*jaxpr.Jaxpr]bool{}) }

func refuseLarge(j *jaxpr.Jaxpr, seen map[*jaxpr.Jaxpr]bool) {
	if seen[j] {
		return
	}
	seen[j] = true
	for _, e := range j.Eqns {
		for _, v := range e.Outs {
			if why := TooLarge(v.Type); why != "" {
				panic(&core.Error{Kind: core.ErrShape, Op: e.Prim.Name(), Pos: e.Site.String(), Avals: core.AvalsOf(e.Ins), Msg: "the result cannot be allocated: " + why})
			}
		}
		for _, q := range jaxpr.Programs(e.Prim) {
			refuseLarge(q, seen)
		}
	}
}
