package device

import (
	"context"
	goruntime "runtime"
	"time"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/runtime"
)

// StepTime is how long a step of a plan took, in all its calls. The time of a loop includes that
// of the steps in it.
type StepTime struct {
	Plan  *fuse.Plan
	Step  fuse.Step
	Calls int
	Time  time.Duration
}

// A Timer is a Driver whose device has a clock. Otherwise steps are measured by the host's clock, which includes the
// costs of a launch and a wait.
type Timer interface {
	// Stamp records the device's time after the commands given so far. It is called between Enter and
	// Leave.
	Stamp() (Stamp, error)

	// Elapsed waits for the second of two stamps and returns the time between them.
	Elapsed(from, to Stamp) (time.Duration, error)

	// Forget ends the use of stamps.
	Forget(stamps []Stamp)
}

// Stamp is a point in time on a device.
type Stamp uintptr

// clock measures the steps of an execution, including the steps in loops.
type clock struct {
	timer    Timer // nil: the host's time
	programs []*program
	times    map[*program][]StepTime
	spans    []span
	stamps   []Stamp
}

type span struct {
	of       *StepTime
	from, to Stamp
}

func (c *clock) stamp() (Stamp, error) {
	s, err := c.timer.Stamp()
	if err == nil {
		c.stamps = append(c.stamps, s)
	}
	return s, err
}

func (c *clock) run(p *program, i int, x *execution, f *frame) error {
	times, ok := c.times[p]
	if !ok {
		times = make([]StepTime, len(p.steps))
		for k := range times {
			times[k].Plan, times[k].Step = p.plan, p.plan.Steps[k]
		}
		c.programs, c.times[p] = append(c.programs, p), times
	}
	times[i].Calls++
	if c.timer == nil {
		start := time.Now()
		err := p.steps[i].run(x, f)
		if err == nil {
			err = x.settled()
		}
		times[i].Time += time.Since(start)
		return err
	}
	from, err := c.stamp()
	if err != nil {
		return err
	}
	if err := p.steps[i].run(x, f); err != nil {
		return err
	}
	to, err := c.stamp()
	c.spans = append(c.spans, span{&times[i], from, to})
	return err
}

// settled waits for the commands given so far.
func (x *execution) settled() error {
	mark, err := x.e.driver.Mark()
	if err != nil {
		return err
	}
	return x.e.driver.Wait(mark)
}

// read adds the times between stamps to those of their steps.
func (c *clock) read() error {
	if c.timer == nil {
		return nil
	}
	defer func() {
		c.timer.Forget(c.stamps)
		c.spans, c.stamps = c.spans[:0], c.stamps[:0]
	}()
	for _, s := range c.spans {
		d, err := c.timer.Elapsed(s.from, s.to)
		if err != nil {
			return err
		}
		s.of.Time += d
	}
	return nil
}

// Profile runs a program of a device once without measuring, and then at least once and for at least the time atLeast.
// It returns the times of the steps, by the device's clock if it has one, and the number of measured runs. Steps are
// launched one by one, not as a graph, and arguments are not donated. Profile refuses other executors' programs.
func Profile(ctx context.Context, exe runtime.Executable, args []*runtime.Array, atLeast time.Duration) (times []StepTime, runs int, err error) {
	p, ok := exe.(*program)
	if !ok {
		return nil, 0, &core.Error{Kind: core.ErrDevice, Msg: "the program is none of a device; profile programs that a device's executor compiles"}
	}
	if err := runtime.CheckCounts(len(p.plan.Ins), len(p.plan.Outs), args, make([]*runtime.Array, len(p.plan.Outs))); err != nil {
		return nil, 0, err
	}
	timer, _ := p.e.driver.(Timer)
	newClock := func() *clock { return &clock{timer: timer, times: map[*program][]StepTime{}} }
	if err := p.measure(ctx, newClock(), args); err != nil {
		return nil, 0, err
	}
	c := newClock()
	for start := time.Now(); runs == 0 || time.Since(start) < atLeast; runs++ {
		if err := p.measure(ctx, c, args); err != nil {
			return nil, 0, err
		}
	}
	for _, q := range c.programs {
		times = append(times, c.times[q]...)
	}
	return times, runs, nil
}

// measure runs a program once and adds the times of its steps to a clock's.
func (p *program) measure(ctx context.Context, c *clock, args []*runtime.Array) (err error) {
	var in []view
	for _, a := range args {
		v, err := p.e.at(ctx, a)
		if err != nil {
			return err
		}
		in = append(in, v)
	}
	x := &execution{ctx: ctx, e: p.e, name: p.name, clock: c}
	if err := x.enter(); err != nil {
		return err
	}
	defer x.leave()
	defer x.release(0)
	out, err := p.into(x, in, make([]view, len(p.plan.Outs)))
	if err == nil {
		err = x.settled()
	}
	if read := c.read(); err == nil {
		err = read
	}
	goruntime.KeepAlive(out)
	goruntime.KeepAlive(args)
	return err
}
