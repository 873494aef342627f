package cpu

import (
	"context"
	"time"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/runtime"
)

// StepTime is how long a step of a plan took, in all its calls. The time of a loop includes the time of the
// steps in it.
type StepTime struct {
	Plan  *fuse.Plan
	Step  fuse.Step
	Calls int
	Time  time.Duration
}

// clock measures the steps of an execution, those in loops included.
type clock struct {
	programs []*program
	times    map[*program][]StepTime
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
	start := time.Now()
	err := p.steps[i].run(x, f)
	times[i].Time += time.Since(start)
	times[i].Calls++
	return err
}

// Profile runs a program of this package's executors again and again, for at least a given time and
// at least twice. The first run is not measured. Profile returns the times of its steps and the
// number of measured runs. It refuses programs that run on the reference as a whole.
func Profile(ctx context.Context, exe runtime.Executable, args []*runtime.Array, atLeast time.Duration) (times []StepTime, runs int, err error) {
	p, ok := exe.(*program)
	if !ok {
		return nil, 0, &core.Error{Kind: core.ErrDevice, Msg: "the program has no machine code and runs on the reference as a whole; profile programs that a native executor compiles"}
	}
	if err := p.Run(ctx, args, make([]*runtime.Array, len(p.plan.Outs))); err != nil {
		return nil, 0, err
	}
	c := &clock{times: map[*program][]StepTime{}}
	for start := time.Now(); runs == 0 || time.Since(start) < atLeast; runs++ {
		x := begin(ctx, p.threads)
		x.clock = c
		err := p.guarded(x, args, make([]*runtime.Array, len(p.plan.Outs)))
		x.end()
		if err != nil {
			return nil, 0, err
		}
	}
	for _, q := range c.programs {
		times = append(times, c.times[q]...)
	}
	return times, runs, nil
}
