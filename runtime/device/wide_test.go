package device_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/devicecheck"
	"github.com/weft-go/weft/internal/test/drivertest"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/device"
)

var (
	widePrograms = flag.Int("wide.programs", 60, "how many random programs TestWidePrograms runs")
	wideFrom     = flag.Uint64("wide.from", 0, "the seed of the first")
	wideOn       = flag.String("wide.on", "", "the executor that runs them, as opencl:0; simulated devices unless set")
)

// Random programs on arrays of many shapes, whose sizes are close to those of vectors, warps,
// groups and blocks, have the reference's bits: on simulated devices, one in four also by their PTX, half of them on one whose graphs
// have loops.
func TestWidePrograms(t *testing.T) {
	race.Values(t)
	t.Parallel()
	n := *widePrograms
	if testing.Short() {
		n = min(n, 10)
	}
	if *wideOn != "" {
		e, err := runtime.Select(*wideOn)
		if err != nil {
			t.Fatal(err)
		}
		runWide(t, n, func(uint64) []runtime.Executor { return []runtime.Executor{e} })
		return
	}
	threads, ptx := device.New(&drivertest.Simulated{}), device.New(&drivertest.Simulated{PTX: true})
	loops := device.New(&drivertest.Simulated{Loop: true})
	runWide(t, n, func(seed uint64) []runtime.Executor {
		switch seed % 4 {
		case 0:
			return []runtime.Executor{threads, ptx}
		case 1:
			return []runtime.Executor{threads}
		}
		return []runtime.Executor{loops}
	})
}

// Random programs have the reference's bits on the machine's OpenCL devices.
func TestWideProgramsOnOpenCL(t *testing.T) {
	if testing.Short() {
		t.Skip("compiling for a device takes long")
	}
	var on []runtime.Executor
	for _, e := range runtime.Executors() {
		if strings.HasPrefix(e.Name(), "opencl:") && e.Available() == nil {
			on = append(on, e)
		}
	}
	if len(on) == 0 {
		devicecheck.Absent(t, "opencl", "no OpenCL device computes the reference's bits")
	}
	runWide(t, *widePrograms/10, func(uint64) []runtime.Executor { return on })
}

// runWide compares n programs on executors with the reference. Programs for which there is no rule, or no
// kernel, do not count.
func runWide(t *testing.T, n int, on func(seed uint64) []runtime.Executor) {
	kernels, tried, ran := 0, 0, 0
	for ; ran < n && tried < 2*n+20; tried++ {
		w := newWide(*wideFrom + uint64(tried))
		devices := on(w.seed)
		d, k, ok := w.differ(devices)
		kernels += k
		if ok && k > 0 {
			ran++
		}
		if d == "" {
			continue
		}
		w.shrink(devices)
		if smaller, _, _ := w.differ(devices); smaller != "" {
			d = smaller
		}
		t.Errorf("seed %d: %s\n%v", w.seed, d, w.program())
	}
	t.Logf("%d programs ran, %d kernels; %d were tried", ran, kernels, tried)
	if ran < n {
		t.Errorf("%d programs ran, want %d", ran, n)
	}
}

// wide is a random program. Operations are drawn by their number, so that a program without
// some of them has the others.
type wide struct {
	seed    uint64
	ops     int
	without map[int]bool
	outs    int // the greatest number of results; 0: all
}

func newWide(seed uint64) *wide {
	return &wide{seed: seed, ops: 2 + rand.New(rand.NewPCG(seed, 7)).IntN(10), without: map[int]bool{}}
}

// program traces the program; it is nil if the transformation of the seed has no rule for it.
func (w *wide) program() *weft.IR {
	r := rand.New(rand.NewPCG(w.seed, 1))
	g := &wideGen{r: r, limit: []int{1 << 10, 1 << 11, 1 << 12, 1 << 12, 1 << 13, 1 << 14}[r.IntN(6)]}
	g.drawSizes()
	var args []any
	for range 1 + r.IntN(4) {
		a := g.drawType()
		args = append(args, weft.ZerosOf(a.DType, a.Shape.Ints()...))
	}
	j, err := weft.Jaxpr(func(in []weft.Array) []weft.Array { return w.transformed(g, in) }, toArrays(args))
	if err != nil {
		return nil
	}
	return j
}

func toArrays(args []any) []weft.Array {
	in := make([]weft.Array, len(args))
	for i, a := range args {
		in[i] = a.(weft.Array)
	}
	return in
}

// results applies the operations and returns some of the values, always the last one.
func (w *wide) results(g *wideGen, in []weft.Array) []weft.Array {
	g.pool = append([]weft.Array(nil), in...)
	for i := range w.ops {
		g.r = rand.New(rand.NewPCG(w.seed, 1000+uint64(i)))
		if !w.without[i] {
			g.step(2)
		}
	}
	g.r = rand.New(rand.NewPCG(w.seed, 3))
	last := len(g.pool) - 1
	outs := []weft.Array{g.pool[last]}
	for range g.r.IntN(4) {
		outs = append(outs, g.pool[max(0, last-g.r.IntN(6))])
	}
	if w.outs > 0 {
		outs = outs[:min(w.outs, len(outs))]
	}
	return outs
}

// transformed returns the results of the program, of a derivative of it, or of the program on a batch.
func (w *wide) transformed(g *wideGen, in []weft.Array) []weft.Array {
	way := rand.New(rand.NewPCG(w.seed, 2)).IntN(8)
	f := func(in []weft.Array) []weft.Array {
		h := *g
		return w.results(&h, in)
	}
	real := func(in []weft.Array) (some []weft.Array) {
		for _, x := range in {
			if x.DType().IsFloat() {
				some = append(some, x)
			}
		}
		return some
	}
	active := real(in)
	if len(active) == 0 {
		way = 7
	}
	with := func(x []weft.Array) []weft.Array {
		all, k := append([]weft.Array(nil), in...), 0
		for i := range all {
			if all[i].DType().IsFloat() {
				all[i] = x[k]
				k++
			}
		}
		return all
	}
	switch way {
	case 0, 1:
		return weft.Grad(func(x []weft.Array) weft.Array {
			sum := weft.Scalar(float32(0))
			for _, y := range real(f(with(x))) {
				sum = sum.Add(y.Mul(weft.Sin(weft.Iota(weft.Float32, 0, y.Size()).Reshape(y.Shape()...))).Sum())
			}
			return sum
		})(active)
	case 2:
		outs, touts := weft.JVP(func(x []weft.Array) []weft.Array { return real(f(with(x))) }, active, active)
		return append(outs, touts...)
	case 3:
		return weft.Vmap(func(i weft.Array) []weft.Array {
			return f(with(weft.TreeMap(func(x weft.Array) weft.Array { return x.Mul(i).AsType(x.DType()) }, active)))
		})(weft.Linspace(0.5, 1, 1+g.r.IntN(3)))
	}
	return f(in)
}

// differ runs the program and returns how its results differ from the reference's, "" if they do not.
func (w *wide) differ(on []runtime.Executor) (d string, kernels int, ran bool) {
	j := w.program()
	if j == nil {
		return "", 0, false
	}
	ctx := context.Background()
	r := rand.New(rand.NewPCG(w.seed, 4))
	var args []*runtime.Array
	for _, v := range j.Ins {
		x := drivertest.Draw(r, v.Type, primtest.Domain{})
		if r.IntN(3) == 0 {
			drivertest.Spoil(r, x)
		}
		args = append(args, x)
	}
	want, err := runtime.Evaluate(ctx, runtime.Reference, j, args)
	if err != nil {
		return fmt.Sprintf("reference: %v", err), 0, true
	}
	for _, e := range on {
		c, err := runtime.Compile(e, &runtime.Request{Jaxpr: j, Label: "wide"})
		if err != nil {
			return fmt.Sprintf("%s: %v", e.Name(), err), kernels, true
		}
		kernels += c.Account().Kernels
		there := args
		for call := range 2 {
			got, err := c.Run(ctx, there)
			if err != nil {
				return fmt.Sprintf("%s, call %d: %v", e.Name(), call, err), kernels, true
			}
			for i := range got {
				a, err := wideBytes(ctx, got[i])
				b, _ := wideBytes(ctx, want[i])
				if err != nil || !bytes.Equal(a, b) {
					return fmt.Sprintf("%s, call %d, result %d, %v: %s %v", e.Name(), call, i, got[i].Aval(), firstDifference(a, b, got[i].Aval().DType.Size()), err), kernels, true
				}
			}
			there = make([]*runtime.Array, len(args))
			for i, a := range args {
				if there[i], err = e.Place(ctx, a); err != nil {
					return err.Error(), kernels, true
				}
			}
		}
	}
	return "", kernels, true
}

func wideBytes(ctx context.Context, a *runtime.Array) ([]byte, error) {
	h, err := runtime.Reference.Place(ctx, a)
	if err != nil {
		return nil, err
	}
	return h.Tensor().Data, nil
}

func firstDifference(a, b []byte, size int) string {
	if len(a) != len(b) {
		return fmt.Sprintf("got %d bytes, want %d", len(a), len(b))
	}
	n, first := 0, -1
	for i := 0; i < len(a); i += size {
		if !bytes.Equal(a[i:i+size], b[i:i+size]) {
			if n++; first < 0 {
				first = i
			}
		}
	}
	if first < 0 {
		return "equal"
	}
	return fmt.Sprintf("%d elements differ, the first is %d: got %x, want %x", n, first/size, a[first:first+size], b[first:first+size])
}

// shrink leaves out operations and results as long as the program differs.
func (w *wide) shrink(on []runtime.Executor) {
	fails := func() bool { d, _, _ := w.differ(on); return d != "" }
	for again := true; again; {
		again = false
		for i := range w.ops {
			if w.without[i] {
				continue
			}
			w.without[i] = true
			if fails() {
				again = true
			} else {
				delete(w.without, i)
			}
		}
	}
	for w.outs = 1; w.outs < 5 && !fails(); w.outs++ { // the fewest
	}
}

// errTooLarge is the error of operations that do not fit: their values would be too large, or no operand suits them.
var errTooLarge = &core.Error{Kind: core.ErrShape, Msg: "too large"}
