package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
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
		if strings.HasSuffix(c.out, "{") { // a number of XLA's follows
			out = out[:min(len(out), len(c.out))]
		}
		assert.Equal(t, c.out, out, "%v", c.words)
		assert.Contains(t, errs, c.errs, "%v", c.words)
	}
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
	status, _, errs = weft(t, "", "lower", "--to", "onnx", "testdata/affine.mlir")
	assert.Equal(t, usage, status)
	assert.Contains(t, errs, "unknown form \"onnx\"; write --to stablehlo")
}

func TestModuleResultsInFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	status, _, errs := weft(t, "", "eval", "--out", dir, "testdata/affine.mlir", "{1,2}", "{3,4}")
	assert.Equal(t, done, status, errs)
	b, err := os.ReadFile(filepath.Join(dir, "0.npy"))
	assert.NoError(t, err)
	assert.Contains(t, string(b), "NUMPY")
}
