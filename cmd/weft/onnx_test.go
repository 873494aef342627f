package main

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestONNXCommands(t *testing.T) {
	const open = "testdata/open.onnx"
	for _, c := range []struct {
		words  []string
		status int
		out    string
		errs   string
	}{
		{[]string{"eval", open, "{{1,2}}", "{3,1}"}, done, "f32[3,1]{{5.0},{0.0},{2.0}}\n", ""},
		{[]string{"eval", open, "shape={1,-1}", "x={{1,2},{0,1}}"}, done, "f32[1,6]{{5.0,0.0,2.0,2.0,0.5,1.0}}\n", ""},
		{[]string{"eval", "--bind", "shape={1,3}", open, "{{1,2}}"}, done, "f32[1,3]{{5.0,0.0,2.0}}\n", ""},
		{[]string{"eval", open, "{{1,2}}"}, wrong, "", "the program takes 2 arguments (f32[?,2], i64[2]), got 1"},
		{[]string{"eval", open, "{{1,2}}", "{2,1}"}, wrong, "", `testdata/open.onnx: onnx: Reshape "last": `},
		{[]string{"eval", "--bind", "size={1,3}", open, "{{1,2}}"}, wrong, "", "--bind size={1,3}: no input is called size; inputs are [x: f32[rows,2] shape: i64[2]]"},
		{[]string{"check", open}, done, "testdata/open.onnx: ok, from x: f32[rows,2], shape: i64[2] to y: f32[?,?]\n", ""},
		{[]string{"check", "-q", open}, done, "", ""},
		{[]string{"show", "--as", "text", open}, wrong, "", "argument 1 (x) is f32[?,2]: its sizes are known when the function is called"},
		{[]string{"show", "--as", "text", "--types", "f32[1,2]", open}, wrong, "", `the value of input 2 ("shape") decides a shape`},
		{[]string{"show", "--as", "text", "--types", "f32[1,2]", "--bind", "shape={3,1}", open}, done,
			"{ lambda a:f32[2,3]; b:f32[1,2]. let\n    c:f32[1,3] = dot_general[\n      dimension_numbers=(([1], [0]), ([], []))\n      preferred_element_type=float32\n    ] b a\n" +
				"    d:f32[1,3] = broadcast_in_dim 0.0:f32[]\n    e:f32[1,3] = max c d\n    f:f32[3,1] = reshape[dimensions=None new_sizes=(3, 1) sharding=None] e\n  in (f,) }\n", ""},
		{[]string{"eval", "testdata/missing.onnx"}, wrong, "", "weft: open testdata/missing.onnx: "},
	} {
		status, out, errs := weft(t, "", c.words...)
		assert.Equal(t, c.status, status, "%v: %s", c.words, errs)
		assert.Equal(t, c.out, out, "%v", c.words)
		assert.Contains(t, errs, c.errs, "%v", c.words)
	}
}

// Programs are written as models, which go through pipes as texts do.
func TestONNXWritten(t *testing.T) {
	status, model, errs := weft(t, "", "lower", "--to", "onnx", "testdata/affine.mlir")
	assert.Equal(t, done, status, errs)
	status, out, errs := weft(t, model, "check", "-")
	assert.Equal(t, done, status, errs)
	assert.Regexp(t, `^<stdin>: ok, \d+ equations, from w: f32\[2\], x: f32\[2\] to out0: f32\[\]\n$`, out)
	status, out, errs = weft(t, model, "eval", "-", "{1,2}", "{3,4}")
	assert.Equal(t, done, status, errs)
	assert.Equal(t, "f32[]{12.0}\n", out)
	status, module, errs := weft(t, model, "lower", "--to", "stablehlo", "-")
	assert.Equal(t, done, status, errs)
	status, out, errs = weft(t, module, "eval", "-", "{1,2}", "{3,4}")
	assert.Equal(t, done, status, errs)
	assert.Equal(t, "f32[]{12.0}\n", out)
	status, grad, errs := weft(t, model, "grad", "--wrt", "1", "-")
	assert.Equal(t, done, status, errs)
	status, out, errs = weft(t, grad, "eval", "-", "{1,2}", "{3,4}")
	assert.Equal(t, done, status, errs)
	assert.Equal(t, "f32[2]{1.0,2.0}\n", out)
	status, _, errs = weft(t, "{ lambda ; a:c64[]. let b:c64[] = exp a in (b,) }", "lower", "--to", "onnx", "-")
	assert.Equal(t, wrong, status)
	assert.Contains(t, errs, "<stdin>:1:25: exp: ONNX has no arithmetic of complex numbers")
}

// A file that is not a model is refused with an error that names it.
func TestONNXDamaged(t *testing.T) {
	whole, err := os.ReadFile("testdata/open.onnx")
	assert.NoError(t, err)
	inFolder(t, map[string]string{"half.onnx": string(whole[:len(whole)/2]), "text.onnx": "{ lambda ; . let in () }", "empty.onnx": ""})
	for _, name := range []string{"half.onnx", "text.onnx", "empty.onnx"} {
		for _, command := range []string{"eval", "show", "check"} {
			status, _, errs := weft(t, "", command, name)
			assert.Equal(t, wrong, status, name)
			assert.True(t, strings.HasPrefix(errs, name+": onnx: "), errs)
		}
	}
}
