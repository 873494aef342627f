package pjrt

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	goruntime "runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/stablehlo"
	"github.com/weft-go/weft/runtime"
)

// Equations that call Go functions or print, and factorizations, are calls of one function that is
// registered with the plugin. The call's configuration has the number of a step: the reference executor
// runs the equation of this step on the plugin's memory.

// step is an equation that the host runs.
type step struct {
	run     runtime.Step
	in, out []core.ShapedArray
	eqn     *jaxpr.Eqn
	within  *client // the client, for a step of a program of several devices; nil for one device
	callers *callers
}

// steps are the steps of programs that are in use, by number.
var steps struct {
	sync.Map // int64 to *step
	last     atomic.Int64
}

// addStep makes an equation a step and returns its number. within is the client of a program of several devices, nil for one device.
func addStep(r *runtime.Request, e *jaxpr.Eqn, within *client) (int64, error) {
	run, err := r.Step(e)
	if err != nil {
		return 0, err
	}
	s := &step{run: run, eqn: e, within: within, in: make([]core.ShapedArray, len(e.Ins)), out: make([]core.ShapedArray, len(e.Outs))}
	for i, a := range e.Ins {
		s.in[i] = a.Aval()
	}
	for i, v := range e.Outs {
		s.out[i] = v.Type
	}
	n := steps.last.Add(1)
	steps.Store(n, s)
	return n, nil
}

func dropSteps(numbers []int64) {
	for _, n := range numbers {
		steps.Delete(n)
	}
}

// stepList are the steps of a program. When the collector frees the list, they are removed from steps.
type stepList struct {
	numbers []int64
	callers *callers
}

// callers are the goroutines that run a program. A step runs on a thread of the plugin, and on behalf
// of the caller if the program has exactly one.
type callers struct {
	sync.Mutex
	all []uintptr
}

// enter adds this goroutine until leave is called.
func (c *callers) enter() (leave func()) {
	id := core.Goroutine()
	c.Lock()
	defer c.Unlock()
	c.all = append(c.all, id)
	return func() {
		c.Lock()
		defer c.Unlock()
		i := slices.Index(c.all, id)
		c.all = slices.Delete(c.all, i, i+1)
	}
}

// do calls f, on behalf of the caller if there is exactly one.
func (c *callers) do(f func()) {
	c.Lock()
	all := slices.Compact(slices.Sorted(slices.Values(c.all)))
	c.Unlock()
	if len(all) != 1 {
		f()
		return
	}
	core.OnBehalf(all[0], f)
}

func newStepList(numbers []int64) *stepList {
	if len(numbers) == 0 {
		return nil
	}
	l := &stepList{numbers, &callers{}}
	for _, n := range numbers {
		if v, ok := steps.Load(n); ok {
			v.(*step).callers = l.callers
		}
	}
	goruntime.AddCleanup(l, dropSteps, numbers)
	return l
}

func (l *stepList) fallbacks() (fs []runtime.Fallback) {
	for _, n := range l.numbers {
		if v, ok := steps.Load(n); ok {
			e := v.(*step).eqn
			fs = append(fs, runtime.Fallback{Op: e.Prim.Name(), Pos: e.Site.String(), Reason: "XLA has no code for it"})
		}
	}
	return fs
}

// call runs the step with a number on the memory of operands and results.
func call(number int64, in, out [][]byte) (err error) {
	v, ok := steps.Load(number)
	if !ok {
		return fmt.Errorf("BUG: there is no step %d", number)
	}
	s := v.(*step)
	if len(in) != len(s.in) || len(out) != len(s.out) {
		return fmt.Errorf("BUG: %s has %d operands and %d results (got %d and %d)", s.eqn.Prim.Name(), len(s.in), len(s.out), len(in), len(out))
	}
	views := func(types []core.ShapedArray, memory [][]byte) []*runtime.Array {
		list := make([]*runtime.Array, len(types))
		for i, t := range types {
			n := bytesOf(t)
			if n > len(memory[i]) {
				err = fmt.Errorf("BUG: %s: an array of type %v has %d bytes (want %d)", s.eqn.Prim.Name(), t.Full(), len(memory[i]), n)
				return nil
			}
			list[i] = runtime.NewView(t)
			list[i].Show(memory[i][:n])
		}
		return list
	}
	args, results := views(s.in, in), views(s.out, out)
	if err != nil {
		return err
	}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%s panicked: %v", s.eqn.Prim.Name(), r)
		}
	}()
	ctx := context.Background()
	if s.within == nil {
		s.callers.do(func() { err = s.run.Run(ctx, args, results) })
		return err
	}
	ctx = context.WithValue(ctx, withinKey{}, s.within)
	runtime.WithSettings(func(t *runtime.Settings) { t.Context = ctx }, func() { err = s.run.Run(ctx, args, results) })
	return err
}

// withinKey is the key of a step's context for the client that runs the step within a program of several devices.
type withinKey struct{}

// refuseNested returns an error where a Go function of a program of several devices is about to run another
// program of the client. XLA's threads wait for the function on each device, and none is left to run it.
func (c *client) refuseNested(ctx context.Context) error {
	if ctx.Value(withinKey{}) != c {
		return nil
	}
	return errors.New("a Go function of a program of several devices runs a program on the same plugin, which would wait for ever; run it on another executor, or outside of the function")
}

// stepErrors are the latest errors of steps, by number. A plugin reports only a text, at each result that
// is waited for; the text contains the number.
var stepErrors struct {
	sync.Mutex
	last  int64
	known map[int64]error
}

// mostStepErrors bounds the errors that are kept. For an error that is not kept, the plugin's text is reported.
const mostStepErrors = 100

var stepMark = regexp.MustCompile(`\[weft step error (\d+)\]`)

// markStepError keeps an error of a step under a number and returns the text that a plugin passes on for it, which
// contains the number.
func markStepError(err error) string {
	stepErrors.Lock()
	defer stepErrors.Unlock()
	if stepErrors.known == nil || len(stepErrors.known) >= mostStepErrors {
		stepErrors.known = map[int64]error{}
	}
	stepErrors.last++
	stepErrors.known[stepErrors.last] = err
	return fmt.Sprintf("%v [weft step error %d]", err, stepErrors.last)
}

// stepError returns the error of a step that a plugin's message is about, nil if it is about none or
// the error is no longer kept.
func stepError(message string) error {
	m := stepMark.FindStringSubmatch(message)
	if m == nil {
		return nil
	}
	n, _ := strconv.ParseInt(m[1], 10, 64)
	stepErrors.Lock()
	defer stepErrors.Unlock()
	return stepErrors.known[n]
}

// processors is the platform whose memory is the host's.
const processors = "cpu"

// calls reports whether programs of the client can call the host: where memory is the host's, and the
// plugin has the extension for foreign functions.
func (c *client) calls() bool {
	if c.platform != processors {
		return false
	}
	c.registered.Do(func() {
		c.callable = c.api.Register(stablehlo.StepTarget, "Host", stablehlo.StepNumber, call, markStepError) == nil
	})
	return c.callable
}
