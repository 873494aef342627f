package device_test

import (
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/drivertest"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/lax"
	"github.com/weft-go/weft/lower/simt"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/device"
)

// building is a simulated device that counts the different functions that it builds, and its launches.
type building struct {
	*drivertest.Simulated
	name            string
	built, launched int
	compiled        map[string]bool // by the text of the code
}

// Name returns the device's name.
func (b *building) Name() string { return b.name }

// Build keeps the functions.
func (b *building) Build(fs []*simt.Func) (device.Code, error) {
	for _, f := range fs {
		if key := f.Key(); !b.compiled[key] {
			if b.compiled == nil {
				b.compiled = map[string]bool{}
			}
			b.compiled[key] = true
			b.built++
		}
	}
	return b.Simulated.Build(fs)
}

// Launch runs a kernel.
func (b *building) Launch(k device.Kernel, groups int, buffers []device.Place, symbols []int64) error {
	b.launched++
	return b.Simulated.Launch(k, groups, buffers, symbols)
}

// eagerOperations are operations whose kernels take their extents as arguments.
var eagerOperations = map[string]func(x weft.Array) weft.Array{
	"add":         func(x weft.Array) weft.Array { return x.Add(x) },
	"add one":     func(x weft.Array) weft.Array { return x.Add(1) },
	"sin":         func(x weft.Array) weft.Array { return weft.Sin(x) },
	"power":       func(x weft.Array) weft.Array { return weft.Square(x) },
	"less":        func(x weft.Array) weft.Array { return x.Lt(0.5) },
	"to integers": func(x weft.Array) weft.Array { return x.AsType(weft.Int32) },
	"to bf16":     func(x weft.Array) weft.Array { return x.AsType(weft.BFloat16) },
	"to c64":      func(x weft.Array) weft.Array { return x.AsType(weft.Complex64) },
	"where":       func(x weft.Array) weft.Array { return weft.Where(x.Gt(0.25), x, 2) },
	"transpose":   func(x weft.Array) weft.Array { return x.T() },
	"flip":        func(x weft.Array) weft.Array { return weft.Flip(x, 0) },
	"broadcast":   func(x weft.Array) weft.Array { return x.BroadcastTo(append([]int{3}, x.Shape()...)...) },
	"slice":       func(x weft.Array) weft.Array { return x.Index("::2") },
}

// shapesOf returns shapes with a number of axes whose extents are 0, 1, and others.
func shapesOf(axes int) [][]int {
	r := rand.New(rand.NewPCG(1, uint64(axes)))
	var all [][]int
	for i := range 7 {
		s := make([]int, axes)
		for d := range s {
			s[d] = []int{1, 2, 3, 5, 31, 64, 0}[(r.IntN(6)+i)%7]
		}
		all = append(all, s)
	}
	return all
}

// An eager operation on arrays of another shape builds nothing, and has the reference's bits.
func TestEagerShapesShareKernels(t *testing.T) {
	for name, ptx := range map[string]bool{"building": false, "building-ptx": true} {
		b := &building{Simulated: &drivertest.Simulated{PTX: ptx}, name: name}
		if err := runtime.Register(device.New(b)); err != nil {
			t.Fatal(err)
		}
		d := weft.DeviceNamed(name)
		for op, f := range eagerOperations {
			for axes := 1; axes < 4; axes++ {
				most := 0
				for i, s := range shapesOf(axes) {
					size := 1
					for _, n := range s {
						size *= n
					}
					x := weft.Sin(weft.Iota(weft.Float32, 0, size)).Mul(3).Reshape(s...)
					got := f(x.To(d))
					if want := f(x); !testcheck.SameBinary(got, want) {
						t.Errorf("%s, %s of %v: got %v, want %v", name, op, s, got, want)
					}
					if i == 3 {
						most = b.built // of any structure
					}
				}
				if op != "transpose" && op != "broadcast" && op != "slice" && op != "flip" && b.built != most {
					t.Errorf("%s, %s of %d axes: %d more kernels were built", name, op, axes, b.built-most)
				}
			}
		}
		before := b.built
		for op, f := range eagerOperations { // what has been built is enough
			x := weft.Sin(weft.Iota(weft.Float32, 0, 77*6)).Reshape(7, 11, 6)
			if got := f(x.To(d)); !testcheck.SameBinary(got, f(x)) {
				t.Errorf("%s, %s again: the bits differ from the reference's", name, op)
			}
		}
		if b.built != before {
			t.Errorf("%s: %d more kernels were built for another shape", name, b.built-before)
		}
	}
}

// Operations that change the shape or the type alone run no kernel. A donation of their results, or of
// their operands, leaves the others as they are.
func TestEagerRenamesShareMemory(t *testing.T) {
	b := &building{Simulated: &drivertest.Simulated{}, name: "building-renames"}
	if err := runtime.Register(device.New(b)); err != nil {
		t.Fatal(err)
	}
	d := weft.DeviceNamed(b.name)
	host := weft.Linspace(3, 4, 3000).Reshape(1, 3, 1000)
	want := host.Mul(2)
	give := weft.Jit(func(x weft.Array) weft.Array { return x.Mul(2) }, weft.On(d), weft.Donate(0))
	for name, f := range map[string]func(x weft.Array) weft.Array{
		"reshape":     func(x weft.Array) weft.Array { return x.Reshape(10, -1) },
		"squeeze":     func(x weft.Array) weft.Array { return x.Squeeze(0) },
		"expand dims": func(x weft.Array) weft.Array { return x.ExpandDims(1) },
		"broadcast":   func(x weft.Array) weft.Array { return x.BroadcastTo(1, 1, 3, 1000) },
		"transpose":   func(x weft.Array) weft.Array { return x.Transpose(1, 0, 2) },
		"bitcast":     func(x weft.Array) weft.Array { return lax.BitcastConvertType(x, weft.Int32) },
	} {
		x := host.To(d)
		before := b.launched
		y, z := f(x), f(x)
		if n := b.launched - before; n > 0 {
			t.Errorf("%s: %d kernels were launched", name, n)
		}
		if got := give(x); !testcheck.SameBinary(got, want) {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
		give(y)
		weft.Linspace(5, 6, 3000).To(d) // takes memory that is free
		if !testcheck.SameBinary(z, f(host)) {
			t.Errorf("%s: the result changed to %v", name, z)
		}
	}
}

// reductions are reductions and products of arrays of three axes.
var reductions = map[string]func(x weft.Array) weft.Array{
	"sum":            func(x weft.Array) weft.Array { return x.Sum() },
	"sum of rows":    func(x weft.Array) weft.Array { return x.Sum(2) },
	"sum of columns": func(x weft.Array) weft.Array { return x.Sum(0) },
	"sum between":    func(x weft.Array) weft.Array { return x.Sum(1) },
	"sum around":     func(x weft.Array) weft.Array { return x.Sum(0, 2) },
	"product":        func(x weft.Array) weft.Array { return x.Prod(0, 1) },
	"greatest":       func(x weft.Array) weft.Array { return x.Max(1, 2) },
	"argument":       func(x weft.Array) weft.Array { return x.ArgMin(1) },
	"any":            func(x weft.Array) weft.Array { return x.Gt(0.9).Any(2) },
	"matrices":       func(x weft.Array) weft.Array { return x.MatMul(x.Transpose(0, 2, 1)) },
	"columns":        func(x weft.Array) weft.Array { return x.Transpose(0, 2, 1).MatMul(x) },
	"matrix":         func(x weft.Array) weft.Array { return x.Reshape(x.Dim(0)*x.Dim(1), -1).MatMul(x.Index(0).T()) },
	"rows": func(x weft.Array) weft.Array {
		return weft.Take(x, weft.Arange(2*x.Dim(0)).Mul(7).Rem(x.Dim(0)).AsType(weft.Int32), 0)
	},
	"rows between": func(x weft.Array) weft.Array {
		return weft.Take(x, weft.From([]int32{0, -1, 5, 1000, -2000, 1}), 1)
	},
	"vector": func(x weft.Array) weft.Array { return x.Index(0).MatMul(x.Index(0, 0)) },
}

// Eager reductions and products of another shape build nothing, and have the reference's bits.
func TestEagerReductionsShareKernels(t *testing.T) {
	shapes := [][]int{{3, 4, 5}, {2, 3, 33}, {3, 2, 140}, {2, 70, 3}, {1, 1, 1}, {1, 7, 1}, {3, 1, 4}, {0, 2, 3}, {9, 9, 1}}
	const same = 4 // of these shapes have the same structure
	for name, ptx := range map[string]bool{"building-folds": false, "building-folds-ptx": true} {
		b := &building{Simulated: &drivertest.Simulated{PTX: ptx}, name: name}
		if err := runtime.Register(device.New(b)); err != nil {
			t.Fatal(err)
		}
		d := weft.DeviceNamed(name)
		for i, dt := range []weft.DType{weft.Float32, weft.BFloat16, weft.Int32, weft.Complex64} {
			for op, f := range reductions {
				if dt == weft.Complex64 && (op == "greatest" || op == "argument" || op == "any") || i > 0 && ptx {
					continue
				}
				first := 0
				for k, s := range shapes {
					if s[0]*s[1]*s[2] == 0 && op == "argument" || s[0] == 0 && (op == "greatest" || op == "vector" || op == "matrix" || op == "rows") {
						continue
					}
					x := weft.Sin(weft.Iota(weft.Float32, 0, s[0]*s[1]*s[2])).Mul(3).Reshape(s...).AsType(dt)
					got := f(x.To(d))
					if want := f(x); !testcheck.SameBinary(got, want) {
						t.Errorf("%s, %s of %v %v: got %v, want %v", name, op, dt, s, got, want)
					}
					switch {
					case k == 0:
						first = b.built
					case k == same-1 && b.built > first+2 && dt != weft.Int32 && dt != weft.Complex64: // by threads, too
						t.Errorf("%s, %s of %v: %d more kernels were built", name, op, dt, b.built-first)
					}
				}
			}
		}
	}
}

// A large array whose shape occurs again has a kernel of its own, from the second operation on.
func TestLargeEagerShapes(t *testing.T) {
	b := &building{Simulated: &drivertest.Simulated{}, name: "building-large"}
	if err := runtime.Register(device.New(b)); err != nil {
		t.Fatal(err)
	}
	x := weft.Iota(weft.Float32, 0, 1<<20).To(weft.DeviceNamed(b.name))
	var counts []int
	for range 3 {
		x = x.Neg()
		counts = append(counts, b.built)
	}
	if counts[0] != 1 || counts[1] != 2 || counts[2] != 2 {
		t.Errorf("after each operation %v kernels were built, want [1 2 2]", counts)
	}
	if !testcheck.SameBinary(x, weft.Iota(weft.Float32, 0, 1<<20).Neg()) {
		t.Error("the bits differ from the reference's")
	}
}
