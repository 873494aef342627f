package stablehlo_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/stablehlo"
)

const affine = `
module @jit_affine attributes {mhlo.num_partitions = 1 : i32} {
  func.func public @main(%arg0: tensor<3x2xf32> {jax.arg_info = "w"}, %arg1: tensor<2xf32> {jax.arg_info = "b"}, %arg2: tensor<3xf32> {jax.arg_info = "x"}) -> (tensor<2xf32> {jax.result_info = ""}) {
    %0 = stablehlo.dot_general %arg2, %arg0, contracting_dims = [0] x [0] : (tensor<3xf32>, tensor<3x2xf32>) -> tensor<2xf32>
    %1 = stablehlo.add %0, %arg1 : tensor<2xf32> loc(#loc1)
    %2 = call @relu(%1) : (tensor<2xf32>) -> tensor<2xf32>
    return %2 : tensor<2xf32>
  }
  func.func private @relu(%arg0: tensor<2xf32>) -> tensor<2xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<2xf32>
    return %1 : tensor<2xf32>
  }
}
#loc = loc(unknown)
#loc1 = loc("add"(#loc))
`

func load(t *testing.T, text string) *stablehlo.Model {
	t.Helper()
	m, err := stablehlo.Load(strings.NewReader(text))
	require.NoError(t, err)
	return m
}

func weights() (w, b, x weft.Array) {
	return weft.FromSlice([]float32{1, 2, 3, 4, 5, 6}, 3, 2), weft.FromSlice([]float32{10, -100}, 2), weft.FromSlice([]float32{1, 0, 2}, 3)
}

func TestModelCall(t *testing.T) {
	m := load(t, affine)
	w, b, x := weights()
	out, err := m.Call(w, b, x)
	require.NoError(t, err)
	assert.Equal(t, []float32{21, 0}, weft.ToSlice[float32](out[0]))
	assert.Equal(t, []string{"main", "relu"}, m.Functions())
	assert.Equal(t, []string{"w", "b", "x"}, m.Args(""))

	_, err = m.Call(w, b)
	assert.ErrorContains(t, err, `main: takes 3 arguments, got 2; argument "x" is missing`)
	_, err = m.Call(w, b, w)
	assert.ErrorContains(t, err, "argument 2: declared tensor<3xf32>, got tensor<3x2xf32>")
}

func TestModelIR(t *testing.T) {
	ir, err := load(t, affine).IR("main")
	require.NoError(t, err)
	assert.Contains(t, ir.String(), "name=relu")
	assert.Contains(t, ir.String(), "dot_general")
	_, err = load(t, affine).IR("missing")
	assert.ErrorContains(t, err, `there is no function "missing"; there are main, relu`)
}

func TestModelUnderTransformations(t *testing.T) {
	main := load(t, affine).Func("main")
	w, b, x := weights()
	grads := weft.Grad(func(p []weft.Array) weft.Array { return main(p)[0].Sum() })([]weft.Array{w, b, x})
	assert.Equal(t, []float32{1, 0, 0, 0, 2, 0}, weft.ToSlice[float32](grads[0]))
	assert.Equal(t, []float32{1, 0}, weft.ToSlice[float32](grads[1]))
	assert.Equal(t, []float32{1, 3, 5}, weft.ToSlice[float32](grads[2]))

	rows := weft.Stack(0, x, x.Mul(2), x)
	mapped := weft.Vmap(func(x weft.Array) weft.Array { return main([]weft.Array{w, b, x})[0] })(rows)
	assert.Equal(t, []float32{21, 0, 32, 0, 21, 0}, weft.ToSlice[float32](mapped))
	jitted := weft.Jit(main)([]weft.Array{w, b, x})
	assert.Equal(t, []float32{21, 0}, weft.ToSlice[float32](jitted[0]))
}

func TestModelBind(t *testing.T) {
	m := load(t, affine)
	w, b, x := weights()
	bound, err := m.Bind(map[string]weft.Array{"w": w, "b": b})
	require.NoError(t, err)
	out, err := bound.Call(x)
	require.NoError(t, err)
	assert.Equal(t, []float32{21, 0}, weft.ToSlice[float32](out[0]))

	bound, err = m.Bind(map[string]weft.Array{"layer.weight": w, "layer.bias": b}, "layer.weight", "layer.bias")
	require.NoError(t, err)
	out, err = bound.Call(x)
	require.NoError(t, err)
	assert.Equal(t, []float32{21, 0}, weft.ToSlice[float32](out[0]))

	_, err = m.Bind(map[string]weft.Array{"q": w})
	assert.ErrorContains(t, err, `no argument is called "q"; there are w, b, x`)
	_, err = m.Bind(map[string]weft.Array{"w": b})
	assert.ErrorContains(t, err, `the weight "w" is f32[2], the argument f32[3,2]`)
}

// A mistake in a module is reported with its line and column when it is loaded.
func TestLoadMistakes(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{strings.Replace(affine, "tensor<2xf32> loc(#loc1)", "tensor<3xf32>", 1), "module:5:10: stablehlo.add: operand 0: declared tensor<3xf32>, got tensor<2xf32>"},
		{strings.Replace(affine, "stablehlo.add %0, %arg1", "stablehlo.add %0, %arg7", 1), "module:5:28: stablehlo: the value %arg7 is not defined here"},
		{strings.Replace(affine, "stablehlo.maximum", "stablehlo.infeed", 1), "module:12:10: stablehlo.infeed: "},
		{strings.Replace(affine, "call @relu", "call @main", 1), "module:6:10: func.call: the function main calls itself"},
		{"", "the text has no module and no function; write func.func @main"},
	} {
		_, err := stablehlo.Load(strings.NewReader(c.text))
		if assert.Error(t, err) {
			assert.Contains(t, err.Error(), c.want)
		}
	}
}

// A loop of a known number of steps has a reverse derivative.
func TestCountedLoopGradient(t *testing.T) {
	m := load(t, `
func.func public @main(%x: tensor<f32>) -> tensor<f32> {
  %n = stablehlo.constant dense<5> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %a = %x) : tensor<i32>, tensor<f32>
   cond {
    %1 = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.add %i, %one : tensor<i32>
    %2 = stablehlo.multiply %a, %x : tensor<f32>
    stablehlo.return %1, %2 : tensor<i32>, tensor<f32>
  }
  return %0#1 : tensor<f32>
}`)
	f := m.Func("")
	x := weft.Scalar(float32(2))
	assert.Equal(t, 64.0, f([]weft.Array{x})[0].Float())
	g := weft.Grad(func(x weft.Array) weft.Array { return f([]weft.Array{x})[0] })(x)
	assert.Equal(t, 6*32.0, g.Float())
}

// Dimensions of unknown size take the sizes of the arguments.
func TestDynamicBatch(t *testing.T) {
	m := load(t, `
func.func public @main(%x: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x2xf32>) -> tensor<i32>
  %1 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
  %2 = stablehlo.constant dense<2> : tensor<1xi32>
  %3 = stablehlo.concatenate %1, %2, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %c = stablehlo.constant dense<[1.0, 10.0]> : tensor<2xf32>
  %4 = stablehlo.dynamic_broadcast_in_dim %c, %3, dims = [1] : (tensor<2xf32>, tensor<2xi32>) -> tensor<?x2xf32>
  %5 = stablehlo.add %x, %4 : tensor<?x2xf32>
  return %5 : tensor<?x2xf32>
}`)
	for _, n := range []int{1, 3} {
		out, err := m.Call(weft.Zeros(n, 2))
		require.NoError(t, err)
		assert.Equal(t, weft.Shape{n, 2}, out[0].Shape())
		assert.Equal(t, float32(10), weft.ToSlice[float32](out[0])[1])
	}
	_, err := m.IR("")
	assert.ErrorContains(t, err, "its shape is known when the function is called")
}

// An error of a transformation names the line of the module.
func TestModelErrorPlace(t *testing.T) {
	m := load(t, `
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<2.0> : tensor<f32>
  %0 = stablehlo.while(%a = %x) : tensor<f32>
  cond {
    %p = stablehlo.compare LT, %a, %c : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %b = stablehlo.multiply %a, %c : tensor<f32>
    stablehlo.return %b : tensor<f32>
  }
  return %0 : tensor<f32>
}
`)
	_, err := weft.Try(func() weft.Array {
		return weft.Grad(func(x weft.Array) weft.Array {
			y := m.Func("")([]weft.Array{x})[0]
			m = nil
			collected(t) // only the tape is left of the model
			return y
		})(weft.Scalar(float32(1)))
	})
	assert.ErrorContains(t, err, "module:4:8: while: reverse-mode differentiation does not go through")
}

// collected collects garbage until cleanups have run.
func collected(t *testing.T) {
	ran := make(chan bool)
	runtime.AddCleanup(&struct{ p *int }{new(int)}, func(c chan bool) { close(c) }, ran)
	for start := time.Now(); time.Since(start) < time.Minute; {
		runtime.GC()
		select {
		case <-ran:
			runtime.GC()
			return
		case <-time.After(time.Millisecond):
		}
	}
	t.Fatal("cleanups do not run")
}

// A program of a model that is gone names its lines.
func TestProgramOutlivesModel(t *testing.T) {
	m := load(t, `
func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.sine %x : tensor<3xf32>
  return %0 : tensor<3xf32>
}
`)
	j, err := m.IR("")
	require.NoError(t, err)
	runtime.KeepAlive(m)
	collected(t)
	assert.Equal(t, "module:3:8", j.Eqns[0].Site.String())
}

// The constants of a module are its own: a call to which one is donated does not write to it.
func TestModelConstantDonated(t *testing.T) {
	const n = 1024
	m := load(t, fmt.Sprintf(`
func.func @main() -> tensor<%[1]dxf32> {
  %%0 = stablehlo.constant dense<"0x%[2]s"> : tensor<%[1]dxf32>
  return %%0 : tensor<%[1]dxf32>
}
func.func @other() -> tensor<%[1]dxf32> {
  %%0 = stablehlo.constant dense<"0x%[2]s"> : tensor<%[1]dxf32>
  %%1 = stablehlo.add %%0, %%0 : tensor<%[1]dxf32>
  return %%1 : tensor<%[1]dxf32>
}
`, n, strings.Repeat("0000803F", n)))
	b, err := m.Bind(nil) // it has its own programs, with the same constants
	require.NoError(t, err)
	out, err := m.Call()
	require.NoError(t, err)
	three := weft.Jit(func(x weft.Array) weft.Array { return x.Mul(3.0) }, weft.Donate(0))(out[0])
	again, err := b.Call()
	require.NoError(t, err)
	other := b.Func("other")(nil)
	assert.Equal(t, []float32{3, 1, 2}, []float32{weft.ToSlice[float32](three)[0], weft.ToSlice[float32](again[0])[0], weft.ToSlice[float32](other[0])[0]})
}
