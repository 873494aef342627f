package pjrt

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	goruntime "runtime"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/stablehlo"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/internal/codecache"
	"github.com/weft-go/weft/runtime/pjrt/internal/capi"
)

type module struct {
	text   string
	inputs []*runtime.Array // captured arrays that are passed in front of the program's own inputs
	steps  []int64          // numbers of equations that the host runs
	chlo   bool             // operations that StableHLO lacks are written as operations of CHLO
}

// largeBytes is the size from which captured arrays are inputs. Smaller ones that are not cut are constants
// in the text of the module.
const largeBytes = 256

// write writes a program for the plugin's compiler: with the user's lines if lines is true, and divided
// among devices unless division is nil.
func (c *client) write(r *runtime.Request, lines bool, division *stablehlo.Division) (*module, error) {
	m := &module{chlo: !c.decomposes.Load(), inputs: capturedInputs(r.Jaxpr)}
	o := stablehlo.WriteOptions{Bytes: elementsOf, Locations: lines, Plain: true, Stacked: true, Division: division, Donated: r.Donated}
	if !m.chlo {
		o.Missing = stablehlo.Decompose
	}
	var refused error
	err := core.Catch(func() {
		runtime.RefuseLarge(r.Jaxpr)
		c.refuse(r.Jaxpr)
	})
	if err != nil {
		return nil, err
	}
	for _, a := range m.inputs {
		o.Inputs = append(o.Inputs, a)
	}
	if c.calls() {
		var within *client
		if division != nil {
			within = c
		}
		o.Step = func(e *jaxpr.Eqn) int {
			n, err := addStep(r, e, within)
			if err != nil {
				refused = err
				return 0
			}
			m.steps = append(m.steps, n)
			return int(n)
		}
	}
	m.text, err = stablehlo.Write(r.Jaxpr, o)
	if err == nil {
		err = refused
	}
	if err != nil {
		dropSteps(m.steps)
		return nil, err
	}
	return m, nil
}

// refuse panics if a program, or one within it, has an element type that XLA lacks, or an operation
// that this plugin's XLA cannot compile.
func (c *client) refuse(j *jaxpr.Jaxpr) {
	var n narrowProgram
	n.walk(j, map[*jaxpr.Jaxpr]bool{})
	if e := n.permutes; n.arrays && e != nil && c.api.Minor < narrowTranspositions {
		panic(&core.Error{Kind: core.ErrDType, Op: e.Prim.Name(), Pos: e.Site.String(), Avals: core.AvalsOf(e.Ins), Msg: fmt.Sprintf(
			"the plugin, of version 0.%d of the interface, may end the process where a program exchanges axes and has numbers of fewer than 8 bits; use a newer plugin, or convert them with AsType before", c.api.Minor)})
	}
}

// capturedInputs returns the arrays that a program and those within it captured, if they are large or cut.
func capturedInputs(j *jaxpr.Jaxpr) (inputs []*runtime.Array) {
	seen, listed := map[*jaxpr.Jaxpr]bool{}, map[*runtime.Array]bool{}
	var walk func(j *jaxpr.Jaxpr)
	walk = func(j *jaxpr.Jaxpr) {
		if seen[j] {
			return
		}
		seen[j] = true
		for _, v := range j.ConstVals {
			if a, ok := v.(*runtime.Array); ok && !listed[a] && (bytesOf(a.Aval()) >= largeBytes || isCut(a)) {
				listed[a] = true
				inputs = append(inputs, a)
			}
		}
		for _, e := range j.Eqns {
			for _, q := range jaxpr.Programs(e.Prim) {
				walk(q)
			}
		}
	}
	walk(j)
	return inputs
}

// isCut reports whether an array lies on the devices of a group.
func isCut(a *runtime.Array) bool {
	_, ok := a.Buffer().(*pieces)
	return ok
}

// elementsOf returns the elements of a captured array, which the caller of Compile holds.
func elementsOf(v core.Value) ([]byte, bool) {
	a, ok := v.(*runtime.Array)
	if !ok {
		return nil, false
	}
	host, err := runtime.Reference.Place(context.Background(), a)
	if err != nil {
		panic(&core.Error{Kind: core.ErrDevice, Pos: core.HerePos(), Msg: "a captured array cannot be read", Err: err})
	}
	return host.Tensor().Data, true
}

// executable is a compiled program of a plugin, which is freed when nothing uses it.
type executable struct {
	handle     capi.Handle
	code       int // its bytes on the disk, 0 if they are not known
	scratch    int
	fromFolder bool
}

type program struct {
	d         *device
	exe       *executable
	inputs    []*buffer
	types     []core.ShapedArray
	takes     int
	steps     *stepList // nil: the host runs none
	constants int
	reused    int // bytes of results that take the memory of donated arguments
	fallbacks []runtime.Fallback
}

func (d *device) Compile(r *runtime.Request) (runtime.Executable, error) {
	m, err := d.write(r, false, nil)
	if err != nil {
		return nil, err
	}
	p, err := d.compile(m, r)
	if err != nil { // a nil *program is no nil Executable
		return nil, err
	}
	return p, nil
}

// older reports whether a module does not compile because the plugin is older than an operation of
// CHLO. From then on the plugin gets decompositions of these operations.
func (c *client) older(m *module, err error) bool {
	if err == nil || !m.chlo || !strings.Contains(err.Error(), "unregistered operation 'chlo.") {
		return false
	}
	c.decomposes.Store(true)
	return true
}

// compile compiles a module, whose steps live as long as the program.
func (d *device) compile(m *module, r *runtime.Request) (*program, error) {
	p, err := d.translate(m, r)
	if !d.older(m, err) {
		return p, err
	}
	if m, err = d.write(r, false, nil); err != nil {
		return nil, err
	}
	return d.translate(m, r)
}

func (d *device) translate(m *module, r *runtime.Request) (p *program, err error) {
	steps := newStepList(m.steps)
	p = &program{d: d, types: r.Jaxpr.OutAvals(), takes: len(r.Jaxpr.Ins), steps: steps}
	if steps != nil {
		p.fallbacks = steps.fallbacks()
	}
	for _, k := range stablehlo.Aliases(r.Jaxpr, r.Donated) {
		p.reused += bytesOf(p.types[k])
	}
	if p.exe, err = d.executable(m, target{ids: []int{d.id}}); err != nil {
		return nil, d.locate(err, r, d.name, nil)
	}
	if err := d.check(p.exe, p.types); err != nil {
		return nil, err
	}
	for _, a := range m.inputs {
		placed, err := d.Place(context.Background(), a)
		if err != nil {
			return nil, err
		}
		b := placed.Buffer().(*buffer)
		p.inputs = append(p.inputs, b)
		p.constants += b.bytes
	}
	return p, nil
}

// check compares the results of a compiled module, on each device, with the types that are expected.
func (c *client) check(x *executable, types []core.ShapedArray) error {
	results, err := c.api.Results(x.handle)
	if err != nil {
		return c.explain(err)
	}
	if len(results) != len(types) {
		return fmt.Errorf("the plugin compiled a program of %d results to one of %d; use another version of it", len(types), len(results))
	}
	for i, a := range types {
		t, err := typeOf(a)
		if err != nil {
			return err
		}
		if !sameType(t, results[i]) {
			return fmt.Errorf("the plugin compiled result %d of type %v to element type %d with axes %v; use another version of it", i, a.Full(), results[i].Element, results[i].Dims)
		}
	}
	return nil
}

// executable returns the compiled module. It compiles a module without steps only if neither the process
// nor the disk has the result.
func (c *client) executable(m *module, t target) (*executable, error) {
	options := t.options()
	key := codecache.Key(sha256.Sum256(fmt.Appendf(c.identity[:len(c.identity):len(c.identity)], "%x\n%s", options, m.text)))
	folder := c.folder
	if len(m.steps) > 0 { // the module contains their numbers, which other processes do not know
		folder = nil
	} else if x := c.executables.Get(key); x != nil {
		return x, nil
	}
	x := &executable{}
	var err error
	if code, ok := folder.Read(key); ok && c.api.Has(capi.ExecutableDeserializeAndLoad) {
		x.handle, err = c.api.Load(c.handle, code)
		x.code, x.fromFolder = len(code), err == nil // if the plugin refuses the file, compile
	}
	if x.handle == 0 {
		if x.handle, err = c.api.Compile(c.handle, []byte(m.text), options); err != nil {
			return nil, err
		}
	}
	goruntime.AddCleanup(x, func(h capi.Handle) {
		c.executables.Forget(key)
		_ = c.api.DestroyProgram(h) // there is no caller to report an error to
	}, x.handle)
	if folder != nil && !x.fromFolder && c.api.Has(capi.ExecutableSerialize) {
		if code, err := c.api.Serialize(x.handle); err == nil {
			x.code = len(code)
			folder.Write(key, code)
			folder.TrimLater()
		}
	}
	x.scratch = c.api.Scratch(x.handle)
	if len(m.steps) > 0 {
		return x, nil
	}
	return c.executables.Add(key, x), nil
}

// Run starts the program. It returns before the results are computed, unless the host runs steps of it or
// results are copied to arrays of outs.
func (p *program) Run(ctx context.Context, args, outs []*runtime.Array) error {
	if err := runtime.CheckCounts(p.takes, len(p.types), args, outs); err != nil {
		return err
	}
	if err := runtime.Ended(ctx); err != nil {
		return err
	}
	d := p.d
	if err := d.refuseNested(ctx); err != nil {
		return err
	}
	bs := make([]*buffer, len(args))
	for i, a := range args {
		b, ok := a.Buffer().(*buffer)
		if !ok || b.d != d {
			return fmt.Errorf("argument %d is in memory %s; place it on the device", i, a.Memory())
		}
		bs[i] = b
	}
	hs := make([]capi.Handle, len(outs))
	var err error
	if p.steps == nil {
		err = p.start(bs, hs)
	} else {
		defer p.steps.callers.enter()() // an abandoned run goes on without a caller
		err = until(ctx, func() error { return p.start(bs, hs) }, func(err error) {
			for _, h := range hs {
				_ = d.api.DestroyBuffer(h)
			}
		})
	}
	if err != nil {
		return d.explain(err)
	}
	d.memory.given.Add(-int64(p.reused))
	for i, t := range p.types {
		b := d.buffer(t, hs[i])
		if outs[i] == nil {
			outs[i] = runtime.MadeIn(t, b)
		} else if e := b.download(outs[i].Tensor().Data); err == nil {
			err = e
		}
	}
	return err
}

// start starts the program on buffers, and waits for it if the host runs steps of it.
func (p *program) start(in []*buffer, out []capi.Handle) error {
	run := func() error {
		return p.d.api.Execute(p.exe.handle, out, len(p.inputs)+len(in), func(hs []capi.Handle) {
			for i, b := range p.inputs {
				hs[i] = b.handle
			}
			for i, b := range in {
				hs[len(p.inputs)+i] = b.handle
			}
		}, p.steps != nil)
	}
	err := run()
	var e *capi.Error
	if errors.As(err, &e) && e.OutOfMemory() {
		collect()
		err = run()
	}
	goruntime.KeepAlive(in)
	goruntime.KeepAlive(p)
	return err
}

// Account reports the program's memory, and the equations that the host runs.
func (p *program) Account() runtime.Account {
	a := runtime.Account{Kernels: 1, CodeBytes: p.exe.code, ConstantBytes: p.constants, ArenaBytes: p.exe.scratch, Fallbacks: p.fallbacks}
	for _, t := range p.types {
		a.ResultBytes += bytesOf(t)
	}
	return a
}
