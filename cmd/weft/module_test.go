package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	api "github.com/weft-go/weft"
)

func TestModuleCommands(t *testing.T) {
	const affine = "testdata/affine.mlir"
	for _, c := range []struct {
		words  []string
		status int
		out    string
		errs   string
	}{
		{[]string{"eval", affine, "{1,2}", "{3,4}"}, done, "f32[]{12.0}\n", ""},
		{[]string{"eval", affine, "x={3,4}", "w={1,2}"}, done, "f32[]{12.0}\n", ""},
		{[]string{"eval", "--func", "relu", affine, "-3"}, done, "f32[]{0.0}\n", ""},
		{[]string{"eval", "--func", "none", affine, "-3"}, wrong, "", `there is no function "none"; there are main, relu`},
		{[]string{"eval", affine, "x={3,4}"}, wrong, "", "the argument w is missing"},
		{[]string{"eval", "../../stablehlo/testdata/exports/while.mlir", "x=1.1"}, done, "i32[]{4}\nf32[]{", ""},
		{[]string{"eval", "../../stablehlo/testdata/exports/while.mlirbc", "x=1.1"}, done, "i32[]{4}\nf32[]{", ""},
		{[]string{"check", affine}, done, "testdata/affine.mlir: ok, 4 equations in 1 function, 0 checks\n", ""},
		{[]string{"eval", "testdata/affine.mlirbc", "{1,2}", "{3,4}"}, done, "f32[]{12.0}\n", ""},
		{[]string{"eval", "testdata/affine.mlirbc", "arg1={3,4}", "arg0={1,2}"}, done, "f32[]{12.0}\n", ""},
		{[]string{"check", "testdata/affine.mlirbc"}, done, "testdata/affine.mlirbc: ok, 4 equations in 1 function, 0 checks\n", ""},
		{[]string{"show", "--as", "text", "--func", "relu", "testdata/affine.mlirbc"}, done, "{ lambda ; a:f32[]. let b:f32[] = max a 0.0:f32[] in (b,) }\n", ""},
		{[]string{"check", "testdata/infeed.mlirbc"}, wrong, "", "testdata/infeed.mlirbc:operations byte 151 (infeed.py:3:7): stablehlo.infeed: is not supported: a program has no feed from the host; pass the values as arguments\n"},
		{[]string{"check", "testdata/checks.mlir"}, wrong, "",
			"testdata/checks.mlir:14:3: check.expect_almost_eq_const: 2147483648 ulp, 4 absolute, 1.68e+07 ε of the largest; element 1 is -2.0, want 2.0\n" +
				"testdata/checks.mlir: FAIL, 1 of 2 checks\n"},
		{[]string{"show", "--as", "text", "--func", "relu", affine}, done, "{ lambda ; a:f32[]. let b:f32[] = max a 0.0:f32[] in (b,) }\n", ""},
	} {
		status, out, errs := weft(t, "", c.words...)
		assert.Equal(t, c.status, status, "%v: %s", c.words, errs)
		if strings.HasSuffix(c.out, "{") { // the rest depends on how the executor rounds
			out = out[:min(len(out), len(c.out))]
		}
		assert.Equal(t, c.out, out, "%v", c.words)
		assert.Contains(t, errs, c.errs, "%v", c.words)
	}
}

// A function that a custom call names is checked in the call, for the types that it has there.
func TestCheckOfCalledComputations(t *testing.T) {
	const text = `func.func @main(%x: tensor<5xf32>) -> tensor<2xf32> {
  %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.custom_call @ApproxTopK(%x, %lowest) {called_computations = [@greater], mhlo.backend_config = {reduction_dim = 0 : i64, top_k = 2 : i64}} : (tensor<5xf32>, tensor<f32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func private @greater(%a: tensor<f32>, %b: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}
`
	status, out, errs := weft(t, text, "check")
	assert.Equal(t, done, status, errs)
	assert.Contains(t, out, "in 1 function,")
}

// Sizes that a module leaves open follow from the arguments, or from --types.
func TestModuleOfOpenSizes(t *testing.T) {
	const open, export = "testdata/open.mlir", "../../stablehlo/testdata/exports/dynamic"
	for _, c := range []struct {
		in     string
		words  []string
		status int
		out    string
		errs   string
	}{
		{"", []string{"eval", open, "{1,2,3}", "{{1,2},{3,4},{5,6}}"}, done, "f32[2]{22.0,28.0}\n", ""},
		{"", []string{"eval", open, "x={{1,2}}", "w={3}"}, done, "f32[2]{3.0,6.0}\n", ""},
		{"", []string{"eval", open, "f32[0]{}", "{}"}, done, "f32[2]{0.0,0.0}\n", ""},
		{`{"dtype":"f32","shape":[1],"bits":"00000040"} {"dtype":"f32","shape":[1,2],"bits":"0000803f00000040"}`,
			[]string{"eval", "--bits", open}, done, `{"dtype":"f32","shape":[2],"bits":"0000004000008040"}` + "\n", ""},
		{"", []string{"eval", open, "{1,2,3}", "{{1,2},{3,4,5}}"}, wrong, "", "axis 1 has 2 elements, got more"},
		{"", []string{"eval", open, "{1,2,3}", "f32[3,3]{{1,2,3},{1,2,3},{1,2,3}}"}, wrong, "", "argument 2: the program takes f32[?,2], got f32[3,3]"},
		{"", []string{"eval", open, "{1,2,3}"}, wrong, "", "the program takes 2 arguments (f32[?], f32[?,2]), got 1"},
		{"", []string{"eval", open, "{1,2,3}", "5"}, wrong, "", "the program takes f32[?,2]; write its elements as f32[?,2]{{…}}"},
		{"", []string{"eval", open, "{1,2,3}", "{{1,2}}"}, wrong, "", "contract"},
		{"", []string{"show", "--as", "text", open}, wrong, "", "argument 1 (w) is f32[?]: its sizes are known when the function is called; give such types to weft show, lower or a transformation, as --types 'f32[3]'"},
		{"", []string{"show", "--as", "text", "--types", "f32[3]", open}, wrong, "", "argument 2 (x) is f32[?,2]"},
		{"", []string{"show", "--as", "text", "--types", "f32[3] f32[3,2] f32", open}, wrong, "", "--types: f32 is left over"},
		{"", []string{"show", "--as", "text", "--types", "y=f32[3]", open}, wrong, "", "--types: no argument is called y"},
		{"", []string{"show", "--as", "text", "--types", "f32[3,2]", open}, wrong, "", "--types: argument 1: the program takes f32[?], got f32[3,2]"},
		{"", []string{"show", "--as", "text", "--types", "f32[3", open}, wrong, "", `--types: "f32[3" is no type`},
		{"", []string{"grad", open}, wrong, "", "--types 'f32[3]'"},
		{"", []string{"fmt", open}, wrong, "", "--types 'f32[3]'"},
		{"", []string{"check", export + ".mlirbc"}, done, "../../stablehlo/testdata/exports/dynamic.mlirbc: ok, ", ""},
		{"", []string{"eval", export + ".mlirbc", export + ".npz:in.00"}, wrong, "", "the program takes 5 arguments (f32[16], f32[4], f32[8,16], f32[16,4], f32[?,8]), got 1"},
		{"", []string{"eval", export + ".mlirbc", export + ".npz:in.00", export + ".npz:in.01", export + ".npz:in.02", export + ".npz:in.03", export + ".npz:in.04"}, done, "f32[4]{", ""},
	} {
		status, out, errs := weft(t, c.in, c.words...)
		assert.Equal(t, c.status, status, "%v: %s", c.words, errs)
		if strings.HasSuffix(c.out, ", ") || strings.HasSuffix(c.out, "{") {
			out = out[:min(len(out), len(c.out))]
		}
		assert.Equal(t, c.out, out, "%v", c.words)
		assert.Contains(t, errs, c.errs, "%v", c.words)
	}
	for _, types := range []string{"f32[3] f32[3,2]", "x=f32[3,2] w=f32[3]"} {
		for _, command := range []string{"jvp", "vjp", "vmap", "linearize", "jit", "lower"} {
			words := []string{command, "--types", types, open}
			switch command {
			case "vmap":
				words = append(words, "--size", "4")
			case "lower":
				words = append(words, "--to", "stablehlo")
			}
			status, _, errs := weft(t, "", words...)
			assert.Equal(t, done, status, "%v: %s", words, errs)
		}
	}
	status, grad, errs := weft(t, "", "grad", "--func", "total", "--types", "f32[3]", open)
	assert.Equal(t, done, status, errs)
	status, out, errs := weft(t, grad, "eval", "-", "{1,2,3}")
	assert.Equal(t, done, status, errs)
	assert.Equal(t, "f32[3]{2.0,4.0,6.0}\n", out)
}

func TestModuleTransformed(t *testing.T) {
	status, grad, errs := weft(t, "", "grad", "--wrt", "1", "testdata/affine.mlir")
	assert.Equal(t, done, status, errs)
	status, out, errs := weft(t, grad, "eval", "-", "{1,2}", "{3,4}")
	assert.Equal(t, done, status, errs)
	assert.Equal(t, "f32[2]{1.0,2.0}\n", out)
}

func TestModuleWritten(t *testing.T) {
	status, text, errs := weft(t, "", "lower", "--to", "stablehlo", "testdata/affine.mlir")
	assert.Equal(t, done, status, errs)
	assert.Contains(t, text, "func.func private @relu(")
	status, out, errs := weft(t, text, "eval", "-", "{1,2}", "{3,4}")
	assert.Equal(t, done, status, errs)
	assert.Equal(t, "f32[]{12.0}\n", out)
	status, again, errs := weft(t, text, "show", "--as", "stablehlo", "-")
	assert.Equal(t, done, status, errs)
	assert.Equal(t, text, again)
	status, _, errs = weft(t, "", "lower", "--to", "hlo", "testdata/affine.mlir")
	assert.Equal(t, usage, status)
	assert.Contains(t, errs, "unknown form \"hlo\"; write --to stablehlo or --to onnx")
}

func TestModuleResultsInFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	status, _, errs := weft(t, "", "eval", "--out", dir, "testdata/affine.mlir", "{1,2}", "{3,4}")
	assert.Equal(t, done, status, errs)
	b, err := os.ReadFile(filepath.Join(dir, "0.npy"))
	assert.NoError(t, err)
	assert.Contains(t, string(b), "NUMPY")

	dir = filepath.Join(t.TempDir(), "narrow")
	status, _, errs = weft(t, "{ lambda ; a:bf16[2]. let b:bf16[2] = mul a a in (b,) }", "eval", "--out", dir, "-", "{1,2}")
	assert.Equal(t, done, status, errs)
	f, err := os.Open(filepath.Join(dir, "0.safetensors"))
	assert.NoError(t, err)
	defer f.Close()
	got := map[string]api.Array{"0": api.ZerosOf(api.BFloat16, 2)}
	assert.NoError(t, api.Load(f, &got))
	assert.Equal(t, "[1. 4.]", got["0"].String())
	assert.NoFileExists(t, filepath.Join(dir, "0.npy"), "what could not be written is removed")
}
