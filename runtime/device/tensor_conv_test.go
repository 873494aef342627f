package device_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lax"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/simt"
	"github.com/weft-go/weft/runtime/device"
)

// convCase is a convolution whose sums tensor cores may take.
type convCase struct {
	c      lax.ConvConfig
	x, w   []int
	dt     weft.DType
	inputs [2]weft.Array
	wide   [2]weft.Array // the inputs in f64
}

func (c *convCase) String() string {
	return fmt.Sprintf("%v %v * %v %+v", c.dt, c.x, c.w, c.c)
}

// randomConv draws a convolution of n spatial axes with at least 16 rows, outputs and terms for each group.
func randomConv(r *rand.Rand, n int, dt weft.DType) *convCase {
	for {
		c := &convCase{dt: dt}
		groups := 1
		if r.IntN(3) == 0 {
			groups = 2
			*[]*int{&c.c.FeatureGroups, &c.c.BatchGroups}[r.IntN(2)] = 2
		}
		batch, channels, outputs := 1+r.IntN(3), 1+r.IntN(9), (16+r.IntN(9))*groups
		if r.IntN(2) == 0 {
			channels, outputs = 8*(1+r.IntN(3)), 8*(2+r.IntN(2))*groups
		}
		if r.IntN(3) == 0 {
			batch = 8
		}
		pointwise := r.IntN(6) == 0
		features := channels
		if c.c.BatchGroups > 0 {
			batch *= groups
		} else {
			features *= groups
		}
		x, w := map[byte]int{'N': batch, 'C': features}, map[byte]int{'O': outputs, 'I': channels}
		const axes = "HWD"
		rows, terms := batch, channels
		order := func(letters string) string {
			b := []byte(letters + axes[:n])
			switch r.IntN(4) {
			case 0: // features last
				b = append(append([]byte{b[0]}, b[2:]...), b[1])
			case 1: // the batch, or outputs, last
				b = append(b[1:], b[0])
			case 2:
				r.Shuffle(len(b), func(i, j int) { b[i], b[j] = b[j], b[i] })
			}
			return string(b)
		}
		at := map[byte]int{} // of an axis among those of strides and padding
		c.c.Lhs, c.c.Rhs, c.c.Out = order("NC"), order("OI"), order("NC")
		for _, l := range []byte(c.c.Rhs) {
			if l != 'O' && l != 'I' {
				at[l] = len(at)
			}
		}
		pads := make([][2]int, n)
		c.c.Strides, c.c.LhsDilation, c.c.RhsDilation = make([]int, n), make([]int, n), make([]int, n)
		if c.c.BatchGroups > 0 {
			rows /= groups
		}
		for i := range n {
			taps, stride, gap, dilation := 1+r.IntN(4), 1+r.IntN(2), 1+r.IntN(3)/2, 1+r.IntN(3)/2
			size := 2 + r.IntN(map[int]int{1: 40, 2: 9, 3: 5}[n])
			low, high := r.IntN(6)-2, r.IntN(6)-2
			if pointwise {
				taps, stride, gap, low, high = 1, 1, 1, 0, 0
			}
			total := (size-1)*gap + 1 + low + high - (taps-1)*dilation - 1
			if total < 0 {
				rows = 0
				break
			}
			rows, terms = rows*(total/stride+1), terms*taps
			x[axes[i]], w[axes[i]] = size, taps
			k := at[axes[i]]
			c.c.Strides[k], c.c.LhsDilation[k], c.c.RhsDilation[k], pads[k] = stride, gap, dilation, [2]int{low, high}
		}
		if rows < 16 || terms < 16 || rows*terms > 60000 {
			continue
		}
		for _, l := range []byte(c.c.Lhs) {
			c.x = append(c.x, x[l])
		}
		for _, l := range []byte(c.c.Rhs) {
			c.w = append(c.w, w[l])
		}
		c.c.Preferred, c.c.Padding = weft.Float32, lax.Pads(pads...)
		same := r.IntN(2) == 0
		c.inputs[0], c.wide[0] = operand(dt, same, r.Float64(), c.x...)
		c.inputs[1], c.wide[1] = operand(dt, same, r.Float64(), c.w...)
		return c
	}
}

// terms returns the number of terms of a sum, and the errors of rounding the operands.
func (c *convCase) terms() (k int, rounding float64) {
	k = 1
	for i, n := range c.w {
		if c.c.Rhs[i] != 'O' {
			k *= n
		}
	}
	return k, narrowTypes[slices.IndexFunc(narrowTypes, func(t struct {
		dt                weft.DType
		operands, weights float64
	}) bool {
		return t.dt == c.dt
	})].operands
}

// errorOf returns the error of results of a convolution as a share of the stated bound.
func (c *convCase) errorOf(got weft.Array) float64 {
	k, rounding := c.terms()
	config := c.c
	config.Preferred = weft.Float64
	bound := lax.ConvGeneralDilated(weft.Abs(c.wide[0]), weft.Abs(c.wide[1]), config).Mul(rounding + float64(k+9)*0x1p-22).Add(0x1p-60)
	return greatest(weft.Abs(got.AsType(weft.Float64).Sub(lax.ConvGeneralDilated(c.wide[0], c.wide[1], config))).Div(bound))
}

// tensorStep returns the step of the first convolution on tensor cores of a program, nil if it has none.
func tensorStep(j *jaxpr.Jaxpr, cores simt.TensorCores) fuse.Step {
	for _, s := range fuse.Translate(j, fuse.Target{Tensor: device.TensorOptions(cores)}).Steps {
		switch x := s.(type) {
		case *fuse.TensorConv:
			return s
		case *fuse.Product:
			if x.Tensor != 0 {
				return s
			}
		}
	}
	return nil
}

// Convolutions of all layouts, strides, paddings, dilations, groups and types have errors within the bound under weft.Fast, on the
// evaluator of PTX too, and the reference's bits without it.
func TestTensorConvolutions(t *testing.T) {
	race.Values(t)
	samples := 90
	if testing.Short() {
		samples = 12
	}
	cores := simt.TensorCores{MMA: true, Shared: simt.LeastTensorShared, Processors: 8}
	hopper := simt.TensorCores{MMA: true, WGMMA: true, Shared: 227 << 10, Processors: 8}
	devices := [3]weft.Device{tensorDevice(cores, false), tensorDevice(cores, true), tensorDevice(hopper, true)}
	r := rand.New(rand.NewPCG(1, 7))
	seen := map[string]int{}
	for i := range samples {
		c := randomConv(r, 1+i%3, narrowTypes[i/3%3].dt)
		f := func(x, w weft.Array) weft.Array { return lax.ConvGeneralDilated(x, w, c.c) }
		d := devices[i/2%3]
		weft.With(weft.Precision(weft.Fast), func() {
			got := weft.Jit(f, weft.On(d))(c.inputs[0], c.inputs[1])
			if most := c.errorOf(got); !(most <= 1) {
				t.Errorf("sample %d, %v: %v: the error is %g times the bound", i, d, c, most)
			}
			j, err := weft.Lower(f, c.inputs[0], c.inputs[1])
			if err != nil {
				t.Fatal(err)
			}
			switch s := tensorStep(j, cores).(type) {
			case nil:
				t.Errorf("sample %d: %v does not run on tensor cores", i, c)
			case *fuse.Product:
				seen["product"]++
			case *fuse.TensorConv:
				x := device.TensorConv(s)
				if i/2%3 == 2 {
					seen[fmt.Sprintf("unit %d of %v", simt.LowerWindows("", x, [3]int64{}, hopper)[0].Tensor.Unit, c.dt)]++
				}
				seen[fmt.Sprintf("%d axes", len(s.Axes))]++
				for side := range 2 {
					s := x.Side(side)
					seen[fmt.Sprintf("side %d {Transposed:%v Whole:%v Gathered:%v}", side, s.Transposed, s.Whole, s.Gathered)]++
					if s.Group > 0 {
						seen[fmt.Sprintf("side %d in groups, shifted %v", side, s.Shifted)]++
					}
				}
			}
		})
		if i%10 == 0 {
			if got := weft.Jit(f, weft.On(d))(c.inputs[0], c.inputs[1]); !testcheck.SameBinary(got, f(c.inputs[0], c.inputs[1])) {
				t.Errorf("sample %d: %v is not exact without Fast", i, c)
			}
		}
	}
	for _, want := range []string{"unit 0 of f32", "unit 1 of bf16", "unit 1 of f16", "product", "0 axes", "1 axes", "2 axes", "3 axes", "side 0 {Transposed:false Whole:true Gathered:true}", "side 0 {Transposed:true Whole:true Gathered:true}",
		"side 0 {Transposed:false Whole:false Gathered:true}", "side 0 {Transposed:true Whole:false Gathered:true}", "side 1 {Transposed:false Whole:true Gathered:true}",
		"side 1 {Transposed:true Whole:true Gathered:true}", "side 1 {Transposed:false Whole:false Gathered:true}", "side 1 {Transposed:true Whole:false Gathered:true}",
		"side 0 in groups, shifted false", "side 0 in groups, shifted true", "side 1 in groups, shifted false", "side 1 {Transposed:false Whole:true Gathered:false}", "side 1 {Transposed:true Whole:true Gathered:false}"} {
		if seen[want] == 0 && !testing.Short() {
			t.Errorf("no sample is of kind %q, of %v", want, seen)
		}
	}
}

// Convolutions that keep their bits under weft.Fast: with few outputs, channels or positions, of the highest precision, and of f64.
func TestExactConvolutions(t *testing.T) {
	cores := simt.TensorCores{MMA: true, Shared: simt.LeastTensorShared, Processors: 8}
	d := tensorDevice(cores, false)
	for name, c := range map[string]struct {
		outputs, channels int
		dt                weft.DType
		config            lax.ConvConfig
		exact             bool
	}{
		"many":                {16, 2, weft.Float32, lax.ConvConfig{}, false},
		"few outputs":         {15, 2, weft.Float32, lax.ConvConfig{}, true},
		"few outputs a group": {24, 8, weft.Float32, lax.ConvConfig{FeatureGroups: 2}, true},
		"few terms":           {16, 1, weft.Float32, lax.ConvConfig{}, true},
		"highest precision":   {16, 2, weft.Float32, lax.ConvConfig{Precision: lax.HighestPrecision}, true},
		"high precision":      {16, 2, weft.Float32, lax.ConvConfig{Precision: lax.HighPrecision}, false},
		"other algorithm":     {16, 2, weft.Float32, lax.ConvConfig{Precision: "F32_F32_F32"}, true},
		"bf16":                {16, 2, weft.Float32, lax.ConvConfig{Precision: "BF16_BF16_F32"}, false},
		"f64":                 {16, 2, weft.Float64, lax.ConvConfig{}, true},
	} {
		x, _ := operand(c.dt, false, 1, 1, c.channels, 6, 6)
		w, _ := operand(c.dt, false, 2, c.outputs, c.channels/max(1, c.config.FeatureGroups), 3, 3)
		f := func(x, w weft.Array) weft.Array { return lax.ConvGeneralDilated(x, w, c.config) }
		want := f(x, w)
		weft.With(weft.Precision(weft.Fast), func() {
			if got := weft.Jit(f, weft.On(d))(x, w); testcheck.SameBinary(got, want) != c.exact {
				t.Errorf("%s: the exact bits: want %v", name, c.exact)
			}
			j, err := weft.Lower(f, x, w)
			if err != nil {
				t.Fatal(err)
			}
			if exact := tensorStep(j, cores) == nil; exact != c.exact {
				t.Errorf("%s: exact in the plan: got %v, want %v", name, exact, c.exact)
			}
		})
	}
}

// Neither operand, nor the result, of a convolution or its gradients is transposed, in the layouts that programs have; sums of
// gradients by filters are computed in parts; and errors are within the bound.
func TestTensorConvolutionGradients(t *testing.T) {
	race.Values(t)
	cores := simt.TensorCores{MMA: true, Shared: 227 << 10, Processors: 64}
	for _, layout := range [][3]string{{"NHWC", "HWIO", "NHWC"}, {"NCHW", "OIHW", "NCHW"}} {
		for _, dt := range []weft.DType{weft.Float32, weft.BFloat16} {
			cores.WGMMA = dt == weft.BFloat16
			width := map[weft.DType]int{weft.Float32: 23, weft.BFloat16: 20}[dt]
			sizes := map[byte]int{'N': 8, 'C': 16, 'H': 24, 'W': width, 'O': 24, 'I': 16}
			shape := func(spec string, spatial int) (s []int) {
				for _, l := range []byte(spec) {
					n := sizes[l]
					if spatial > 0 && (l == 'H' || l == 'W') {
						n = spatial
					}
					s = append(s, n)
				}
				return s
			}
			x, x64 := operand(dt, false, 1, shape(layout[0], 0)...)
			w, w64 := operand(dt, false, 2, shape(layout[1], 3)...)
			config := lax.ConvConfig{Strides: []int{2, 1}, Padding: lax.Pads([2]int{1, 1}, [2]int{1, 1}), Lhs: layout[0], Rhs: layout[1], Out: layout[2]}
			conv := func(x, w weft.Array) weft.Array { return lax.ConvGeneralDilated(x, w, config) }
			z, z64 := operand(dt, false, 3, conv(x, w).Shape()...)
			grads := func(x, w, z weft.Array) [2]weft.Array {
				_, back := weft.VJP(func(v [2]weft.Array) weft.Array { return conv(v[0], v[1]) }, [2]weft.Array{x, w})
				return back(z)
			}
			exact, scale := grads(x64, w64, z64), grads(weft.Abs(x64), weft.Abs(w64), weft.Abs(z64))
			weft.With(weft.Precision(weft.Fast), func() {
				g := weft.Jit(grads, weft.On(tensorDevice(cores, true)))
				got := g(x, w, z)
				for i, terms := range []int{24 * 9, 8 * 12 * width} {
					bound := 2*0x1p-11 + float64(terms+9)*0x1p-22
					if dt != weft.Float32 {
						bound = 0x1p-8 + float64(terms+9)*0x1p-21
					}
					if most := greatest(weft.Abs(got[i].AsType(weft.Float64).Sub(exact[i])).Div(scale[i].Mul(bound))); !(most <= 1) {
						t.Errorf("%v %s, gradient %d: the error is %g times the bound", dt, layout[0], i, most)
					}
				}
				if again := g(x, w, z); !testcheck.SameBinary(again[0], got[0]) || !testcheck.SameBinary(again[1], got[1]) {
					t.Errorf("%v %s: another call has other bits", dt, layout[0])
				}
				j, err := weft.Lower(grads, x, w, z)
				if err != nil {
					t.Fatal(err)
				}
				plan := fuse.Translate(j, fuse.Target{Tensor: device.TensorOptions(cores)})
				parts, convs := 0, 0
				for _, s := range plan.Steps {
					if c, ok := s.(*fuse.TensorConv); ok {
						convs++
						parts = max(parts, c.Parts)
						x := device.TensorConv(c)
						if s := x.Side(0); layout[0] == "NCHW" && dt == weft.BFloat16 && (s.Group != 4 || !s.Shifted) && x.Windows.Scale() == 1 {
							t.Errorf("pieces of %v are %+v, want shifted groups of 4", c, s)
						}
					}
				}
				if text := plan.String(); convs != 2 || parts < 2 || strings.Contains(text, "transpose") || strings.Contains(text, "_rev") {
					t.Errorf("%v %s: %d convolutions in at most %d parts, want 2, and several parts, and no transposition:\n%s", dt, layout[0], convs, parts, text)
				}
			})
		}
	}
}

// The gradient by an image of a convolution with steps runs as convolutions without zeros between its elements, by each unit, with errors within the bound.
func TestTensorConvolutionClasses(t *testing.T) {
	race.Values(t)
	for i, config := range []lax.ConvConfig{
		{Strides: []int{2, 2}, Padding: lax.Same, Lhs: "NHWC", Rhs: "HWIO", Out: "NHWC"},
		{Strides: []int{3, 2}, Padding: lax.Pads([2]int{2, 0}, [2]int{1, 2}), RhsDilation: []int{1, 2}, FeatureGroups: 2},
	} {
		cores := simt.TensorCores{MMA: true, WGMMA: i == 0, Shared: 227 << 10, Processors: 1}
		xs, ws := []int{2, 19, 18, 64}, []int{3, 3, 64, 64}
		if i == 1 {
			xs, ws = []int{2, 128, 19, 18}, []int{64, 64, 3, 3}
		}
		x := weft.Zeros(xs...).AsType(weft.BFloat16)
		w, w64 := operand(weft.BFloat16, true, 1, ws...)
		conv := func(x, w weft.Array) weft.Array { return lax.ConvGeneralDilated(x, w, config) }
		z, z64 := operand(weft.BFloat16, true, 2, conv(x, w).Shape()...)
		back := func(z, x, w weft.Array) weft.Array {
			_, back := weft.VJP(func(x weft.Array) weft.Array { return conv(x, w) }, x)
			return back(z)
		}
		want := back(z64, x.AsType(weft.Float64), w64)
		weft.With(weft.Precision(weft.Fast), func() {
			f := func(z, w weft.Array) weft.Array { return back(z, x, w) }
			got := weft.Jit(f, weft.On(tensorDevice(cores, true)))(z, w).AsType(weft.Float64)
			j, err := weft.Lower(f, z, w)
			if err != nil {
				t.Fatal(err)
			}
			c, ok := tensorStep(j, cores).(*fuse.TensorConv)
			if !ok {
				t.Fatalf("%+v does not run on tensor cores", config)
			}
			fs := simt.LowerWindows("", device.TensorConv(c), [3]int64{}, cores)
			if n := []int{4, 6}[i]; len(fs) != n || (fs[0].Tensor.Unit == simt.WGMMA) != cores.WGMMA {
				t.Errorf("%+v: %d kernels by unit %d, want %d", config, len(fs), fs[0].Tensor.Unit, n)
			}
			_, _, k := c.Sizes()
			bound := want.Mul(0x1p-8 + float64(k+9)*0x1p-22).Add(0x1p-60) // operands are positive
			if most := greatest(weft.Abs(got.Sub(want)).Div(bound)); !(most <= 1) {
				t.Errorf("%+v: the error is %g times the bound", config, most)
			}
		})
	}
}

// The gradients of a residual block, two convolutions and a shortcut of one tap with a step of 2, are those in f64 but for what its
// rounded operands explain, in both layouts.
func TestTensorConvolutionBlock(t *testing.T) {
	race.Values(t)
	cores := simt.TensorCores{MMA: true, Shared: simt.LeastTensorShared, Processors: 8}
	for i, layout := range [][2]string{{"NHWC", "HWIO"}, {"NCHW", "OIHW"}} {
		conv := func(x, w weft.Array, stride int) weft.Array {
			return lax.ConvGeneralDilated(x, w, lax.ConvConfig{Strides: []int{stride, stride}, Padding: lax.Same, Lhs: layout[0], Rhs: layout[1], Out: layout[0]})
		}
		loss := func(v [4]weft.Array) weft.Array {
			smooth := func(x weft.Array) weft.Array { return weft.Tanh(x.Mul(0.1)) } // so that rounding has no great effects
			return weft.Square(smooth(conv(smooth(conv(v[0], v[1], 2)), v[2], 1).Add(conv(v[0], v[3], 2)))).Mean()
		}
		var x, x64 [4]weft.Array
		for k, dims := range [][4]int{{2, 8, 8, 16}, {3, 3, 16, 24}, {3, 3, 24, 24}, {1, 1, 16, 24}} {
			if i == 1 && k == 0 {
				dims = [4]int{dims[0], dims[3], dims[1], dims[2]}
			} else if i == 1 {
				dims = [4]int{dims[3], dims[2], dims[0], dims[1]}
			}
			x[k], x64[k] = operand(weft.Float32, false, float64(k), dims[:]...)
		}
		want := weft.Grad(loss)(x64)
		weft.With(weft.Precision(weft.Fast), func() {
			got := weft.Jit(weft.Grad(loss), weft.On(tensorDevice(cores, true)))(x)
			for k := range got {
				most := greatest(weft.Abs(got[k].AsType(weft.Float64).Sub(want[k]))) / greatest(weft.Abs(want[k]))
				if !(most <= 0.01) || most == 0 {
					t.Errorf("%s, gradient %d: an error of %g of the greatest element, want at most 0.01, and not 0", layout[0], k, most)
				}
			}
			j, err := weft.Lower(weft.Grad(loss), x)
			if err != nil {
				t.Fatal(err)
			}
			plan := fuse.Translate(j, fuse.Target{Tensor: device.TensorOptions(cores)}).String()
			if n := strings.Count(plan, "tensor f32"); n != 9 || strings.Contains(plan, "transpose") {
				t.Errorf("%s: %d convolutions on tensor cores, want 9, and none transposed:\n%s", layout[0], n, plan)
			}
		})
	}
}
