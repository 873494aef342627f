package jax

import (
	"math"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/custom"
	"github.com/weft-go/weft/fft"
	"github.com/weft-go/weft/lax"
	"github.com/weft-go/weft/linalg"
	"github.com/weft-go/weft/nn"
	"github.com/weft-go/weft/random"
	"github.com/weft-go/weft/special"
)

// The libraries beside jax.numpy, as calls of the packages nn, linalg, fft, random and custom.

// pyNeural are functions of jax.nn of one array.
var pyNeural = map[string]func(array) array{
	"relu": nn.Relu, "sigmoid": nn.Sigmoid, "softplus": nn.Softplus, "silu": nn.Silu, "elu": nn.Elu, "leaky_relu": nn.LeakyRelu,
	"relu6": nn.Relu6, "hard_tanh": nn.HardTanh, "hard_sigmoid": nn.HardSigmoid, "hard_silu": nn.HardSilu, "log_sigmoid": nn.LogSigmoid,
	"mish": nn.Mish, "soft_sign": nn.Softsign, "squareplus": nn.SquarePlus, "selu": nn.Selu, "standardize": func(x array) array { return nn.Standardize(x) },
	"celu": func(x array) array { return nn.Celu(x, 1) },
}

func pyLibraries() map[string]func(a *pyArgs) any {
	key := func(a *pyArgs) random.Key { return random.Key{Data: a.array(0, "key")} }
	m := map[string]func(a *pyArgs) any{
		"nn.softmax":     func(a *pyArgs) any { return nn.Softmax(a.array(0, "x"), pyAxis(a, 1)...) },
		"nn.log_softmax": func(a *pyArgs) any { return nn.LogSoftmax(a.array(0, "x"), pyAxis(a, 1)...) },
		"nn.logsumexp": func(a *pyArgs) any {
			return special.LogSumExp(a.array(0, "a"), pyKeep(pyAxis(a, 1), pyTruth(a.or(-1, "keepdims", false)))...)
		},
		"nn.gelu": func(a *pyArgs) any {
			if pyTruth(a.or(1, "approximate", true)) {
				return nn.GeluTanh(a.array(0, "x"))
			}
			return nn.Gelu(a.array(0, "x"))
		},
		"nn.glu": func(a *pyArgs) any { return nn.Glu(a.array(0, "x"), a.int(1, "axis")) },
		"nn.one_hot": func(a *pyArgs) any {
			h := weft.OneHot(a.array(0, "x"), a.int(1, "num_classes"))
			if dt := a.or(2, "dtype", nil); dt != nil {
				return h.AsType(pyDType(dt))
			}
			return h
		},

		"jnp.linalg.solve": pyPair(linalg.Solve, "a", "b"), "jnp.linalg.det": pyMap(linalg.Det, "a"), "jnp.linalg.inv": pyMap(linalg.Inv, "a"),
		"jnp.linalg.cholesky": pyMap(linalg.Cholesky, "a"), "jnp.linalg.eigvalsh": pyMap(linalg.EigvalsH, "a"), "jnp.linalg.norm": pyNorm,
		"jnp.linalg.slogdet":      func(a *pyArgs) any { sign, log := linalg.SlogDet(a.array(0, "a")); return pyTuple{sign, log} },
		"jnp.linalg.matrix_power": func(a *pyArgs) any { return linalg.MatrixPower(a.array(0, "a"), a.int(1, "n")) },
		"jnp.linalg.pinv": pyMap(func(x array) array {
			return linalg.PInv(x, 10*float64(max(x.Dim(0), x.Dim(1)))*0x1p-23)
		}, "a"),
		"jnp.linalg.svd": func(a *pyArgs) any {
			if pyTruth(a.or(-1, "compute_uv", true)) {
				pyCannot("svd with vectors")
			}
			return linalg.SingularValues(a.array(0, "a"))
		},
		"jsp.linalg.solve_triangular": func(a *pyArgs) any {
			return linalg.TriangularSolve(a.array(0, "a"), a.array(1, "b"), linalg.Triangle{Lower: pyTruth(a.or(-1, "lower", false))})
		},
		"jnp.fft.fft": pyMap(func(x array) array { return fft.FFT(x) }, "a"), "jnp.fft.ifft": pyMap(func(x array) array { return fft.IFFT(x) }, "a"),
		"jnp.fft.rfft":  pyMap(func(x array) array { return fft.RFFT(x) }, "a"),
		"jnp.fft.irfft": func(a *pyArgs) any { return fft.Config{Sizes: []int{a.int(1, "n")}}.IRFFT(a.array(0, "a")) },

		"random.uniform": func(a *pyArgs) any { return random.Uniform(pyKeyOf(a, 2), pyShapeOf(a)...) },
		"random.randint": func(a *pyArgs) any {
			return random.RandInt(pyKeyOf(a, 4), a.array(2, "minval"), a.array(3, "maxval"), pyShapeOf(a)...)
		},
		"random.permutation": func(a *pyArgs) any { return random.Permutation(key(a), a.int(1, "x")) },
		"random.bernoulli": func(a *pyArgs) any {
			return random.Bernoulli(key(a), pyArray(a.or(1, "p", 0.5)), pyInts(a.or(2, "shape", pyTuple{}))...)
		},

		"lax.conv": func(a *pyArgs) any {
			return lax.ConvGeneralDilated(a.array(0, "lhs"), a.array(1, "rhs"), lax.ConvConfig{Strides: a.ints(2, "window_strides"), Padding: pyPadding(a.must(3, "padding"))})
		},
		"lax.custom_root": func(a *pyArgs) any {
			of := func(f any) func(array) array {
				return func(x array) array { return pyArray(pyCall(f, []any{x}, nil)) }
			}
			function := func(f func(array) array) any {
				return &pyBuiltin{"function", func(a *pyArgs) any { return f(a.array(0, "x")) }}
			}
			solve, tangent := a.must(2, "solve"), a.must(3, "tangent_solve")
			return custom.Root(of(a.must(0, "f")), a.array(1, "initial_guess"),
				func(f func(array) array, x array) array { return pyArray(pyCall(solve, []any{function(f), x}, nil)) },
				func(g func(array) array, y array) array { return pyArray(pyCall(tangent, []any{function(g), y}, nil)) })
		},
		"jax.tree.map": func(a *pyArgs) any {
			f := a.must(0, "f")
			first, form := Flatten(a.must(1, "tree"))
			others := a.rest(2)
			out := make([]array, len(first))
			for i, x := range first {
				args := []any{x}
				for _, o := range others {
					l, _ := Flatten(o)
					args = append(args, l[i])
				}
				out[i] = pyArray(pyCall(f, args, nil))
			}
			return form.rebuild(out)
		},
	}
	for name, f := range pyNeural {
		m["nn."+name] = pyMap(f, "x")
	}
	for name, op := range map[string]weft.ReduceOp{"sum": weft.ReduceSum, "max": weft.ReduceMax, "prod": weft.ReduceProd} {
		m["jax.ops.segment_"+name] = func(a *pyArgs) any {
			return weft.SegmentReduce(a.array(0, "data"), a.array(1, "segment_ids"), a.int(2, "num_segments"), op)
		}
	}
	return m
}

// pyKeyOf returns the key of a sampler, with the dtype as argument i.
func pyKeyOf(a *pyArgs, i int) random.Key {
	k := random.Key{Data: a.array(0, "key")}
	if dt := a.or(i, "dtype", nil); dt != nil {
		return random.As(k, pyDType(dt))
	}
	return k
}

func pyShapeOf(a *pyArgs) []int { return pyInts(a.or(1, "shape", pyTuple{})) }

// pyFacade are the functions of jax.random and jax.lax that expressions of jax.numpy call by way of
// the packages weft and random, programs by way of lax.
func pyFacade() map[string]func(a *pyArgs) any {
	key := func(a *pyArgs) random.Key { return random.Key{Data: a.array(0, "key")} }
	return map[string]func(a *pyArgs) any{
		"random.key":         func(a *pyArgs) any { return random.FromSeed(a.array(0, "seed")).Data },
		"random.fold_in":     func(a *pyArgs) any { return key(a).FoldIn(a.must(1, "data")).Data },
		"random.split":       func(a *pyArgs) any { return key(a).SplitN(pyInt(a.or(1, "num", 2))).Data },
		"random.key_data":    func(a *pyArgs) any { return key(a).Words() },
		"random.bits":        func(a *pyArgs) any { return random.Bits(key(a)) },
		"random.normal":      func(a *pyArgs) any { return random.Normal(pyKeyOf(a, 2), pyShapeOf(a)...) },
		"random.categorical": func(a *pyArgs) any { return random.Categorical(key(a), a.array(1, "logits")) },
		"random.choice":      func(a *pyArgs) any { return random.Choice(key(a), a.int(1, "a")) },
		"random.exponential": func(a *pyArgs) any { return random.Exponential(key(a)) },
		"random.gamma":       func(a *pyArgs) any { return random.Gamma(key(a), a.array(1, "a")) },
		"jnp.array": func(a *pyArgs) any { // of an array: JAX's programs copy it
			if x, ok := a.pos[0].(array); ok {
				a.rest(0)
				a.or(-1, "copy", nil)
				return x
			}
			return pyLibrary()["jnp.array"](a)
		},
		"jnp.stack": func(a *pyArgs) any {
			return weft.Stack(pyInt(a.or(1, "axis", 0)), pyArrays(a.must(0, "arrays"))...)
		},
		"lax.cummax": func(a *pyArgs) any { return a.array(0, "operand").CumMax(a.int(1, "axis")) },
		"lax.top_k": func(a *pyArgs) any {
			v, i := weft.TopK(a.array(0, "operand"), a.int(1, "k"))
			return pyTuple{v, i}
		},
		"lax.conv_general_dilated": func(a *pyArgs) any {
			x, w, strides, same := a.array(0, "lhs"), a.array(1, "rhs"), a.ints(2, "window_strides"), a.must(3, "padding") == "SAME"
			if d := pyIterate(a.must(-1, "dimension_numbers")); d[0] != "NHWC" || d[1] != "HWIO" || d[2] != "NHWC" {
				pyCannot("a layout of convolutions")
			}
			return weft.Conv(x.Transpose(0, 3, 1, 2), w.Transpose(3, 2, 0, 1), weft.ConvConfig{Strides: strides, Same: same}).Transpose(0, 2, 3, 1)
		},
		"lax.reduce_window": func(a *pyArgs) any {
			x, init := a.array(0, "operand"), a.must(1, "init_value")
			if f, ok := a.must(2, "computation").(*pyBuiltin); !ok || f.name != "lax.max" || init != math.Inf(-1) || a.must(5, "padding") != "VALID" {
				pyCannot("another window than a maximum's")
			}
			return lax.ReduceWindow(x, pyArray(init), lax.Max, lax.WindowConfig{Dims: a.ints(3, "window_dimensions"), Strides: a.ints(4, "window_strides")})
		},
	}
}
