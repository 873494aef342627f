package device_test

import (
	"errors"
	"flag"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/internal/test/drivertest"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/device"
)

// Every sample of every primitive, in every type, has the reference's bits on a device
// that reports races and accesses out of bounds.
func TestSamples(t *testing.T) {
	race.Values(t)
	t.Parallel()
	drivertest.Samples(t, device.New(&drivertest.Simulated{}), 1, 1)
}

// Samples with axes of size 0 run on devices, too.
func TestEmptyAxes(t *testing.T) {
	race.Values(t)
	t.Parallel()
	drivertest.Empty(t, device.New(&drivertest.Simulated{}), 1, 8)
}

// Random operations of varied geometry have the reference's bits.
func TestOperations(t *testing.T) {
	race.Values(t)
	t.Parallel()
	drivertest.Operations(t, device.New(&drivertest.Simulated{}), 60)
}

// Kernels with a loop for each of several small arrays have the reference's bits.
func TestPieces(t *testing.T) {
	t.Parallel()
	drivertest.Pieces(t, device.New(&drivertest.Simulated{}), 60)
	drivertest.Pieces(t, device.New(&drivertest.Simulated{PTX: true}), 10)
}

// Sorts by digits, and scatters that sort their updates by digits, have the reference's bits:
// for random operations, and for rows of several tiles.
func TestRadixSorts(t *testing.T) {
	race.Values(t)
	t.Parallel()
	e := device.New(&drivertest.Simulated{Radix: true})
	drivertest.Operations(t, e, 12, "sort", "scatter")
	drivertest.Operations(t, device.New(&drivertest.Simulated{PTX: true, Radix: true}), 3, "sort")
	r := rand.New(rand.NewPCG(8, 1))
	for i, dt := range []core.DType{core.Bool, core.Int8, core.Uint16, core.BFloat16, core.Float16, core.Float32, core.Int64, core.Complex64} {
		for operands := 1 + i%3; operands <= 3; operands += 2 {
			b := jaxpr.NewBuilder()
			var in []jaxpr.Atom
			var args []*runtime.Array
			for i := range operands {
				a := core.Aval([]core.DType{dt, core.Float32, core.Complex64}[i], 2, 1030)
				in = append(in, b.Input(a))
				args = append(args, drivertest.Draw(r, a, primtest.Domain{}))
			}
			var outs []jaxpr.Atom
			for _, v := range b.Eqn(indexed.SortP{Dimension: 1, NumKeys: 1, Stable: true}, in...) {
				outs = append(outs, v)
			}
			drivertest.Compare(t, e, b.Build(outs...), args, []string{"sort", "second", "third"})
		}
		if dt.IsComplex() {
			continue
		}
		b := jaxpr.NewBuilder()
		a := core.Aval(dt, 2, 1030)
		var outs []jaxpr.Atom
		for _, v := range b.Eqn(indexed.TopKP{K: 7, Axis: 1}, b.Input(a)) {
			outs = append(outs, v)
		}
		drivertest.Compare(t, e, b.Build(outs...), []*runtime.Array{drivertest.Draw(r, a, primtest.Domain{})}, []string{"top_k", "indices"})
	}
}

var update = flag.Bool("update", false, "write testdata anew")

// The file testdata/fallbacks.txt lists the equations that the reference executor runs for a
// device: for samples of every primitive in every type, the primitive and the reason. -update
// writes it anew.
func TestFallbacks(t *testing.T) {
	race.Values(t)
	found := map[string]bool{}
	e := device.New(&drivertest.Simulated{})
	for _, s := range primtest.EveryType() {
		c, err := runtime.Compile(e, &runtime.Request{Jaxpr: s.Jaxpr()})
		if err != nil {
			if !errors.Is(err, core.ErrAxis) { // an axis name that is bound nowhere
				t.Errorf("%s of %v: %v", s.Prim.Name(), s.In, err)
			}
			continue
		}
		for _, f := range c.Account().Fallbacks {
			op := f.Op
			switch s.Prim.(type) { // forms of primitives that have kernels
			case prim.AccurateP:
				op += "[accuracy]"
			case prim.MulToP:
				op += "[out_dtype]"
			}
			found[op+": "+f.Reason] = true
		}
	}
	const file = "testdata/fallbacks.txt"
	if *update {
		text := strings.Join(slices.Sorted(maps.Keys(found)), "\n") + "\n"
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	for _, line := range want {
		if !found[line] {
			t.Errorf("the reference does not run %s; remove the line, or write %s anew with -update", line, file)
		}
	}
	for line := range found {
		if !slices.Contains(want, line) {
			t.Errorf("the reference runs %s", line)
		}
	}
}
