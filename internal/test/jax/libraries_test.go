package jax_test

import (
	"math"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/fft"
	"github.com/weft-go/weft/internal/test/python"
	"github.com/weft-go/weft/lax"
	"github.com/weft-go/weft/linalg"
	"github.com/weft-go/weft/random"
)

// libraryFunction are functions of jax.numpy.linalg, jax.numpy.fft, jax.random and jax.lax.
func libraryFunction(name string, args []any, kw map[string]any) (any, bool) {
	x := func(i int) weft.Array { return arr(args[i]) }
	switch name {
	case "jnp.linalg.det":
		return linalg.Det(x(0)), true
	case "jnp.linalg.inv":
		return linalg.Inv(x(0)), true
	case "jnp.linalg.solve":
		return linalg.Solve(x(0), x(1)), true
	case "jnp.linalg.cholesky":
		return linalg.Cholesky(x(0)), true
	case "jnp.linalg.eigvalsh":
		return linalg.EigvalsH(x(0)), true
	case "jnp.linalg.svd":
		if uv, ok := pop(kw, "compute_uv"); ok && uv == false {
			return linalg.SingularValues(x(0)), true
		}
	case "jnp.linalg.pinv":
		a := x(0)
		return linalg.PInv(a, 10*float64(max(a.Shape()[0], a.Shape()[1]))*0x1p-23), true
	case "jnp.linalg.matrix_power":
		return linalg.MatrixPower(x(0), args[1].(int)), true
	case "jnp.fft.fft":
		return fft.FFT(x(0)), true
	case "jnp.fft.rfft":
		return fft.RFFT(x(0)), true
	case "lax.conv_general_dilated":
		n, _ := pop(kw, "dimension_numbers")
		if d, ok := n.(tuple); !ok || d[0] != "NHWC" || d[1] != "HWIO" || d[2] != "NHWC" {
			panic(errUnknown("a layout of convolutions"))
		}
		return weft.Conv(x(0).Transpose(0, 3, 1, 2), x(1).Transpose(3, 2, 0, 1), weft.ConvConfig{Strides: ints(args[2]), Same: args[3] == "SAME"}).Transpose(0, 2, 3, 1), true
	case "lax.reduce_window":
		if args[1] != math.Inf(-1) || args[5] != "VALID" {
			panic(errUnknown("another window than a maximum's"))
		}
		return lax.ReduceWindow(x(0), x(1), lax.Max, lax.WindowConfig{Dims: ints(args[3]), Strides: ints(args[4])}), true
	case "random.key":
		return random.FromSeed(x(0)).Data, true
	}
	return randomFunction(name, args)
}

// randomFunction are functions of jax.random, whose first argument is a key.
func randomFunction(name string, args []any) (any, bool) {
	key := func() random.Key { return random.Key{Data: arr(args[0])} }
	dims := func() []int {
		if len(args) > 1 {
			return ints(args[1])
		}
		return nil
	}
	as := func() random.Key {
		if len(args) > 2 {
			return random.As(key(), typeIn(args[2]))
		}
		return key()
	}
	switch name {
	case "random.bernoulli":
		return random.Bernoulli(key(), 0.5), true
	case "random.bits":
		return random.Bits(key()), true
	case "random.categorical":
		return random.Categorical(key(), arr(args[1])), true
	case "random.choice":
		return random.Choice(key(), args[1].(int)), true
	case "random.exponential":
		return random.Exponential(key()), true
	case "random.fold_in":
		return key().FoldIn(args[1]).Data, true
	case "random.gamma":
		return random.Gamma(key(), arr(args[1])), true
	case "random.key_data":
		return key().Words(), true
	case "random.normal":
		return random.Normal(as(), dims()...), true
	case "random.permutation":
		return random.Permutation(key(), args[1].(int)), true
	case "random.randint":
		k := key()
		if len(args) > 4 {
			k = random.As(k, typeIn(args[4]))
		}
		return random.RandInt(k, args[2].(int), args[3].(int), dims()...), true
	case "random.split":
		n := 2
		if len(args) > 1 {
			n = args[1].(int)
		}
		return key().SplitN(n).Data, true
	case "random.uniform":
		return random.Uniform(as(), dims()...), true
	}
	return nil, false
}

// piecewise returns jnp.piecewise of functions, one for each condition.
func piecewise(x weft.Array, conditions, functions tuple) weft.Array {
	y := weft.ZerosLike(x)
	for i, c := range conditions {
		y = weft.Where(arr(c), arr(functions[i].(*python.Func).Call([]any{x}, nil)), y)
	}
	return y
}

// tupleOf returns arrays as a tuple.
func tupleOf(xs []weft.Array) (t tuple) {
	for _, x := range xs {
		t = append(t, x)
	}
	return t
}
