package device_test

import (
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/simt"
	"github.com/weft-go/weft/nn"
	"github.com/weft-go/weft/runtime/device"
)

// derivatives are functions of queries, keys, values [heads, position, feature] and a mask, with the number of kernels that compute their
// derivatives on a device with tensor cores.
var derivatives = map[string]struct {
	f       func(q, k, v, mask weft.Array) weft.Array
	kernels int
	scores  func(x, mask weft.Array) weft.Array // of scaled products, in f64
	shared  int                                 // heads that have the same keys
}{
	"plain": {func(q, k, v, _ weft.Array) weft.Array {
		return nn.Softmax(q.MatMul(k.SwapAxes(-1, -2)).Mul(0.25)).MatMul(v)
	}, 2, func(x, _ weft.Array) weft.Array { return x }, 1},
	"causal": {func(q, k, v, _ weft.Array) weft.Array {
		return swapped(nn.Attention(swapped(q), swapped(k), swapped(v), nn.AttentionConfig{Causal: true}))
	}, 2, func(x, _ weft.Array) weft.Array {
		return weft.Where(weft.Tri(x.Dim(-2), x.Dim(-1)).Gt(0), x, -1e30)
	}, 1},
	"masked": {func(q, k, v, mask weft.Array) weft.Array {
		return swapped(nn.Attention(swapped(q), swapped(k), swapped(v), nn.AttentionConfig{Causal: true, Mask: mask}))
	}, 2, func(x, mask weft.Array) weft.Array {
		return weft.Where(weft.LogicalAnd(mask, weft.Tri(x.Dim(-2), x.Dim(-1)).Gt(0)), x, -1e30)
	}, 1},
	"shared keys": {func(q, k, v, mask weft.Array) weft.Array {
		return swapped(nn.Attention(swapped(q), swapped(k), swapped(v), nn.AttentionConfig{Bias: mask.AsType(weft.Float32).Mul(3)}))
	}, 2, func(x, mask weft.Array) weft.Array { return x.Add(mask.AsType(weft.Float64).Mul(3)) }, 2},
	"mapped": {func(q, k, v, mask weft.Array) weft.Array {
		return weft.Vmap(func(q, k, v weft.Array) weft.Array {
			return nn.Softmax(weft.Where(mask, q.MatMul(k.T()).Div(4), -1e9)).MatMul(v)
		})(q, k, v)
	}, 2, func(x, mask weft.Array) weft.Array { return weft.Where(mask, x, -1e30) }, 1},
	"weights read": {func(q, k, v, _ weft.Array) weft.Array {
		w := nn.Softmax(q.MatMul(k.SwapAxes(-1, -2)).Mul(0.25))
		return w.MatMul(v).Add(w.Max())
	}, 0, nil, 1},
	"capped": {func(q, k, v, _ weft.Array) weft.Array {
		return nn.Softmax(weft.Tanh(q.MatMul(k.SwapAxes(-1, -2)))).MatMul(v)
	}, 0, nil, 1},
}

func swapped(x weft.Array) weft.Array { return x.SwapAxes(0, 1) }

// Under weft.Fast a device with tensor cores computes the derivative of an attention in two kernels, within the stated error; without
// it the bits are the reference's.
func TestAttentionDerivatives(t *testing.T) {
	const heads, n, keys, features = 2, 24, 40, 16
	wave := func(c float64, heads, n int) weft.Array {
		return weft.Sin(weft.Linspace(0, c, heads*n*features)).Reshape(heads, n, features)
	}
	cores := simt.TensorCores{MMA: true, Shared: simt.LeastTensorShared, Processors: 2}
	devices := []weft.Device{tensorDevice(cores, false), tensorDevice(cores, true)}
	mask := weft.Cos(weft.Linspace(0, 3000, n*keys)).Reshape(n, keys).Gt(-0.3)
	for name, a := range derivatives {
		q, k, v, c := wave(500, heads, n), wave(700, heads/a.shared, keys), wave(900, heads/a.shared, keys), wave(300, heads, n)
		f := func(x [4]weft.Array) (all [4]weft.Array) {
			y, back := weft.VJP(func(x [3]weft.Array) weft.Array { return a.f(x[0], x[1], x[2], mask) }, [3]weft.Array(x[:3]))
			d := back(x[3])
			return [4]weft.Array{d[0], d[1], d[2], y}
		}
		args := [4]weft.Array{q, k, v, c}
		weft.With(weft.Precision(weft.Fast), func() {
			j, err := weft.Lower(f, args)
			if err != nil {
				t.Fatal(err)
			}
			steps := fuse.Translate(j, fuse.Target{Tensor: device.TensorOptions(cores)})
			plan := steps.String()
			for _, s := range steps.Steps { // a causal mask is nowhere in memory
				if g, ok := s.(*fuse.AttentionGrad); ok && (g.Causal != (name == "causal") || g.Causal && g.In[4] >= 0) {
					t.Errorf("%s: causal: %v, mask %d", name, g.Causal, g.In[4])
				}
			}
			if got := strings.Count(plan, "attention derivative"); got != a.kernels {
				t.Errorf("%s: %d kernels of derivatives, want %d\n%v\n%v", name, got, a.kernels, j, plan)
			}
			if got := strings.Count(plan, "attention "); a.kernels > 0 && got != 3 {
				t.Errorf("%s: %d kernels, want 3", name, got)
			}
		})
		if a.kernels == 0 {
			continue
		}
		limits, exact := gradLimits(args, a.shared, func(x weft.Array) weft.Array { return a.scores(x, mask) })
		for i, d := range devices {
			weft.With(weft.Precision(weft.Fast), func() {
				got := weft.Jit(f, weft.On(d))(args)
				for r := range exact {
					most := greatest(weft.Abs(got[r].AsType(weft.Float64).Sub(exact[r])).Div(limits[r].Add(1e-30)))
					if !(most <= 1) {
						t.Errorf("%v, %s, result %d: the error is %g times the bound", devices[i], name, r, most)
					}
				}
			})
		}
		want := weft.Jit(f)(args)
		for r, x := range weft.Jit(f, weft.On(devices[0]))(args) {
			if !testcheck.SameBinary(x, want[r]) {
				t.Errorf("%s, result %d: the bits are not exact", name, r)
			}
		}
	}
}

// The derivative of a sum with respect to queries alone needs neither the attention itself nor the kernel of keys and values.
func TestAttentionDerivativeOfQueries(t *testing.T) {
	cores := simt.TensorCores{MMA: true, Shared: simt.LeastTensorShared, Processors: 2}
	wave := func(c float64, n int) weft.Array {
		return weft.Sin(weft.Linspace(0, c, 2*n*16)).Reshape(2, n, 16)
	}
	args := [4]weft.Array{wave(500, 20), wave(700, 40), wave(900, 40), weft.Ones(2, 20, 16)}
	grad := weft.Grad(func(q weft.Array) weft.Array { return derivatives["plain"].f(q, args[1], args[2], weft.Array{}).Sum() })
	limits, exact := gradLimits(args, 1, func(x weft.Array) weft.Array { return x })
	weft.With(weft.Precision(weft.Fast), func() {
		j, err := weft.Lower(grad, args[0])
		if err != nil {
			t.Fatal(err)
		}
		plan := fuse.Translate(j, fuse.Target{Tensor: device.TensorOptions(cores)}).String()
		if strings.Count(plan, "attention ") != 1 || !strings.Contains(plan, "attention derivative of queries") {
			t.Errorf("got\n%v", plan)
		}
		got := weft.Jit(grad, weft.On(tensorDevice(cores, true)))(args[0])
		if most := greatest(weft.Abs(got.AsType(weft.Float64).Sub(exact[0])).Div(limits[0])); !(most <= 1) {
			t.Errorf("the error is %g times the bound", most)
		}
	})
}

// gradLimits returns the stated bounds of derivatives on tensor cores for operands of f32, and exact derivatives, in f64. Scores are a
// quarter of products, changed by scores.
func gradLimits(args [4]weft.Array, shared int, scores func(x weft.Array) weft.Array) (limits, exact [3]weft.Array) {
	spread := func(x weft.Array) weft.Array { // a head of its own for each query's
		s := x.Shape()
		return weft.Stack(1, []weft.Array{x, x}[:shared]...).Reshape(s[0]*shared, s[1], s[2])
	}
	gather := func(x weft.Array) weft.Array {
		s := x.Shape()
		return x.Reshape(s[0]/shared, shared, s[1], s[2]).Sum(1)
	}
	wide := func(x weft.Array) weft.Array { return x.AsType(weft.Float64) }
	q, k, v, c := wide(args[0]), spread(wide(args[1])), spread(wide(args[2])), wide(args[3])
	turned := func(x weft.Array) weft.Array { return x.SwapAxes(-1, -2) }
	scale := 0.25
	w := nn.Softmax(scores(q.MatMul(turned(k)).Mul(scale)))
	products := c.MatMul(turned(v))
	g := w.Mul(products.Sub(w.Mul(products).Sum(-1).Reshape(w.Dim(0), w.Dim(1), 1))).Mul(scale)
	sizes := weft.Abs(c).MatMul(weft.Abs(turned(v)))
	most := w.Mul(sizes.Add(w.Mul(sizes).Sum(-1).Reshape(w.Dim(0), w.Dim(1), 1))).Mul(scale)
	a := simt.AttentionGrad{Attention: simt.Attention{Kind: simt.TF32, T: w.Dim(1), S: w.Dim(2), H: q.Dim(-1), D: v.Dim(-1)}}
	fit := scale * greatest(weft.Abs(q).MatMul(weft.Abs(turned(k))))
	ofValues, ofScores := a.GradientBounds(fit, fit+3, shared*w.Dim(1))
	exact = [3]weft.Array{g.MatMul(k), gather(turned(g).MatMul(q)), gather(turned(w).MatMul(c))}
	limits = [3]weft.Array{most.MatMul(weft.Abs(k)).Mul(ofScores), gather(turned(most).MatMul(weft.Abs(q))).Mul(ofScores), gather(turned(w).MatMul(weft.Abs(c))).Mul(ofValues)}
	return limits, exact
}
