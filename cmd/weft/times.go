package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"os/signal"
	"slices"
	"strings"
	"time"

	"github.com/weft-go/weft/cmd/weft/internal/args"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/cpu"
	"github.com/weft-go/weft/runtime/device"
)

// measuredFor is how long a program is run repeatedly.
const measuredFor = 500 * time.Millisecond

// showTimes runs a program and writes the time of each of its steps, the slowest first.
func showTimes(e *env, j *jaxpr.Jaxpr, on string, words []string) error {
	x, err := executorNamed(on)
	if err != nil {
		return err
	}
	j = constantsFirst(j)
	var in []*runtime.Array
	made := ""
	if len(words) > 0 {
		if words, err = e.named(words); err != nil {
			return err
		}
		if in, err = args.Read(words, j.InAvals()); err != nil {
			return err
		}
	} else {
		for i, a := range j.InAvals() {
			v, err := sampleOf(a, i)
			if err != nil {
				return err
			}
			in = append(in, v)
		}
		if len(in) > 0 {
			made = ", on arguments between 0 and 1"
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	times, runs, err := profiled(ctx, x, j, in)
	if err != nil {
		return err
	}
	bandwidth, operations, err := limits(ctx, x)
	if err != nil {
		return err
	}
	rows, total := stepRows(times, runs)
	fmt.Fprintf(e.out, "%s a run, of %d runs on %s%s\n", duration(total), runs, x.Name(), made)
	fmt.Fprintf(e.out, "the machine: %s byte/s to add 1 to 128 MiB, %s op/s to multiply matrices of 1024×1024\n", rate(bandwidth), rate(operations))
	fmt.Fprintf(e.out, "%10s %6s %8s %9s %9s  step\n", "time", "share", "calls", "byte/s", "op/s")
	var fallbacks []string
	for _, r := range rows {
		per := func(n float64) string {
			if n == 0 || r.time <= 0 {
				return "–"
			}
			return rate(n / (r.time / 1e9))
		}
		fmt.Fprintf(e.out, "%10s %5.1f%% %8g %9s %9s  %s\n", duration(r.time), 100*r.time/max(total, 1), r.calls, per(r.bytes), per(r.operations), r.line)
		if r.fallback != "" {
			fallbacks = append(fallbacks, r.fallback)
		}
	}
	if len(fallbacks) > 0 {
		fmt.Fprintf(e.out, "without machine code: %s\n", strings.Join(fallbacks, "; "))
	}
	return nil
}

// profiled compiles a program and runs it for measuredFor. It returns the times of its steps and the number of runs.
func profiled(ctx context.Context, x runtime.Executor, j *jaxpr.Jaxpr, in []*runtime.Array) (times []cpu.StepTime, runs int, err error) {
	var exe runtime.Executable
	if err := core.Catch(func() { j = lower.Program(j) }); err != nil {
		return nil, 0, err
	}
	if exe, err = x.Compile(&runtime.Request{Jaxpr: j}); err != nil {
		return nil, 0, err
	}
	if !isDevice(x.Name()) {
		return cpu.Profile(ctx, exe, in, measuredFor)
	}
	on, runs, err := device.Profile(ctx, exe, in, measuredFor)
	for _, t := range on {
		times = append(times, cpu.StepTime(t))
	}
	return times, runs, err
}

// limits returns the bytes and operations per second that the executor reaches on this machine.
func limits(ctx context.Context, x runtime.Executor) (bandwidth, operations float64, err error) {
	measure := func(text string) (float64, error) {
		j, err := jaxpr.Parse(text, prim.Vocabulary)
		if err != nil {
			return 0, err
		}
		v, err := sampleOf(j.InAvals()[0], 0)
		if err != nil {
			return 0, err
		}
		times, runs, err := profiled(ctx, x, j, []*runtime.Array{v})
		total := 0.0
		for _, s := range times {
			total += s.Time.Seconds()
		}
		return total / float64(max(runs, 1)), err
	}
	const n, m = 1 << 25, 1024
	adds, err := measure(fmt.Sprintf("{ lambda ; a:f32[%d]. let b:f32[%d] = add a 1.0:f32[] in (b,) }", n, n))
	if err != nil {
		return 0, 0, err
	}
	product, err := measure(fmt.Sprintf("{ lambda ; a:f32[%[1]d,%[1]d]. let b:f32[%[1]d,%[1]d] = dot_general[dimension_numbers=(([1], [0]), ([], [])) preferred_element_type=float32] a a in (b,) }", m))
	return 2 * 4 * n / adds, 2 * m * m * m / product, err
}

// mostSample is the size in bytes of the largest argument that sampleOf makes.
const mostSample = 1 << 30

// sampleOf returns an array of numbers between 0 and 1, or of zeros if t is not inexact.
func sampleOf(t core.ShapedArray, seed int) (*runtime.Array, error) {
	if n := uint64(t.Size()) * uint64(t.DType.Size()); t.DType == core.Token || t.Ref || runtime.TooLarge(t) != "" || n > mostSample {
		return nil, &core.Error{Kind: core.ErrStatic, Msg: fmt.Sprintf("--time makes no argument of type %v; pass the arguments", t)}
	}
	a := runtime.New(t.Strong())
	if !t.DType.IsInexact() {
		return a, nil
	}
	w := t.DType.Size()
	for i := range t.Size() {
		_, f := math.Modf(float64(i+1)*0.6180339887498949 + float64(seed)*0.414)
		elem.Put(a.Tensor().Data[i*w:], core.FloatNumber(f), t.DType)
	}
	return a, nil
}

type stepRow struct {
	time, calls       float64 // time in nanoseconds, without that of the programs of a loop
	bytes, operations float64
	line, fallback    string
}

// stepRows returns the steps, the slowest first, and the total time of a run in nanoseconds.
func stepRows(times []cpu.StepTime, runs int) (rows []stepRow, total float64) {
	within := map[*fuse.Plan]float64{} // the time of all steps of a plan
	for _, s := range times {
		within[s.Plan] += float64(s.Time)
	}
	costs := counter{}
	for _, s := range times {
		r := stepRow{time: float64(s.Time), calls: float64(s.Calls), line: s.Plan.Line(s.Step)}
		for _, q := range s.Step.Inner() {
			r.time -= within[q]
		}
		r.time = max(r.time, 0)
		if len(s.Step.Inner()) == 0 {
			seen := map[int]bool{}
			for _, id := range append(slices.Clone(s.Step.Reads()), s.Step.Writes()...) {
				if id >= 0 && !seen[id] {
					seen[id] = true
					r.bytes += float64(s.Plan.Values[id].Bytes()) * r.calls
				}
			}
			r.operations = r.calls * operationsOf(s.Step, costs)
		}
		if c, ok := s.Step.(*fuse.Call); ok {
			r.fallback = c.Eqn.Prim.Name() + ": " + c.Reason
		}
		n := float64(runs)
		r.time, r.calls, r.bytes, r.operations = r.time/n, r.calls/n, r.bytes/n, r.operations/n
		total += r.time
		rows = append(rows, r)
	}
	slices.SortStableFunc(rows, func(a, b stepRow) int { return cmp.Compare(b.time, a.time) })
	return rows, total
}

// operationsOf returns the number of operations on numbers in one call of a step, or 0 or NaN if it is unknown.
func operationsOf(s fuse.Step, costs counter) float64 {
	switch s := s.(type) {
	case *fuse.Product:
		return float64(costs.equation(s.Eqn).flops)
	case *fuse.Conv:
		return float64(costs.equation(s.Eqn).flops)
	case *fuse.TensorConv:
		return float64(costs.equation(s.Eqn).flops)
	case *fuse.Call:
		return float64(costs.equation(s.Eqn).flops)
	case *fuse.RowTiles:
		n := 0.0
		for _, q := range s.Steps {
			n += operationsOf(q, costs)
		}
		return n
	case *fuse.Launch:
		k := s.Kernel
		n := statements(k, k.Body)
		for _, d := range k.Grid {
			if !d.Extent.IsConst() {
				return 0
			}
			n *= float64(d.Extent.In(nil))
		}
		return n
	}
	return 0
}

// statements returns the number of operations for one point of a kernel's grid, with one iteration of each while loop.
// It returns NaN if the number depends on sizes.
func statements(k *ir.Kernel, b ir.Block) float64 {
	times := func(e ir.Size, n float64) float64 {
		if !e.IsConst() {
			return math.NaN()
		}
		return float64(e.In(nil)) * n
	}
	n := 0.0
	for _, s := range b {
		switch s := s.(type) {
		case *ir.Let:
			n++
		case *ir.Apply:
			n += float64(len(k.Funcs[s.Func].Code))
		case *ir.Loop:
			n += times(s.Extent, statements(k, s.Body))
		case *ir.Reduce:
			n += times(s.Extent, 1+statements(k, s.Body))
		case *ir.Cumulate:
			n += times(s.Extent, 1+statements(k, s.Body)+statements(k, s.Then))
		case *ir.While:
			n += statements(k, s.Cond) + statements(k, s.Body)
		case *ir.If:
			n += max(statements(k, s.Then), statements(k, s.Else))
		}
	}
	return n
}

// duration formats nanoseconds with three digits.
func duration(ns float64) string { return scaled(ns, " ns", " µs", " ms", " s") }

// rate formats a number per second with three digits.
func rate(n float64) string {
	if math.IsNaN(n) || math.IsInf(n, 0) {
		return "–"
	}
	return scaled(n/1e3, "k", "M", "G", "T", "P")
}
