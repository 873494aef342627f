package main

import (
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	format "github.com/weft-go/weft/lower/onnx"
	"github.com/weft-go/weft/onnx"
	"github.com/weft-go/weft/runtime"
)

// onnxModels measures the models below the folder WEFT_ONNX (rows p/), each a folder with model.onnx
// and test_data_set_0/input_*.pb: a call, and the time from the file to the first answer.
func onnxModels(r *runner) {
	names, err := filepath.Glob(filepath.Join(os.Getenv("WEFT_ONNX"), "*", "model.onnx"))
	if err != nil || os.Getenv("WEFT_ONNX") == "" {
		return
	}
	for _, name := range names {
		row := "p/" + filepath.Base(filepath.Dir(name))
		r.row(row, work{}, func() (func(), func() float64) {
			f, args := onnxModel(name)
			return func() { f(args) }, func() float64 { return meanAbs(f(args)[0]) }
		})
		if row == "p/decoder" { // g/decode as PyTorch exports it: see onnx/testdata/decoder
			r.row(row+"/in-place", work{}, func() (func(), func() float64) { return onnxDecoder(name) })
		}
		if row += "/first-answer"; r.want(row) {
			r.first(row, func() {
				f, args := onnxModel(name)
				f(args)
			})
		}
	}
}

// first stores how long f takes, five times.
func (r *runner) first(row string, f func()) {
	defer r.recover(row)
	var samples []float64
	for range 5 {
		t := r.clock()
		f()
		samples = append(samples, float64(r.clock()-t)/float64(time.Nanosecond))
	}
	r.samples(row, "", samples)
}

// onnxModel returns a model as a jitted function, and its inputs except for scalars. These are bound,
// because they select one of several networks.
func onnxModel(name string) (func([]weft.Array) []weft.Array, []weft.Array) {
	m := must(onnx.LoadFile(name))
	var args []weft.Array
	bound := map[string]weft.Array{}
	for i, x := range onnxInputs(name, m) {
		if x.Rank() == 0 {
			bound[m.Inputs()[i].Name] = x
		} else {
			args = append(args, x)
		}
	}
	return weft.Jit(must(m.Bind(bound)).Func()), args
}

// onnxDecoder returns a step of a decoder whose caches have room for one more token.
func onnxDecoder(name string) (func(), func() float64) {
	m := must(onnx.LoadFile(name))
	in := onnxInputs(name, m)
	const others = 3 // ids, mask and positions
	room := in[1].Dim(1)
	d := must(m.Decoder(room))
	var caches []weft.Array
	for _, x := range in[others:] {
		caches = append(caches, weft.Concat(2, x, weft.Zeros(x.Dim(0), x.Dim(1), 1, x.Dim(3))))
	}
	step, at := weft.Jit(d.Step, weft.Donate(0)), weft.Scalar(int32(room-1))
	var out []weft.Array
	return func() { out, caches = step(caches, at, in[:others]) }, func() float64 { return meanAbs(out[0]) }
}

// onnxInputs returns the inputs that are stored beside a model.
func onnxInputs(name string, m *onnx.Model) []weft.Array {
	var in []weft.Array
	for i := range m.Inputs() {
		t := must(format.ReadTensor(must(os.ReadFile(filepath.Join(filepath.Dir(name), "test_data_set_0", "input_"+strconv.Itoa(i)+".pb")))))
		dims := make([]int, len(t.Dims))
		for i, d := range t.Dims {
			dims[i] = int(d)
		}
		x := runtime.New(core.ShapedArray{Shape: core.MakeDims(dims...), DType: t.Elem.DType()})
		copy(x.Tensor().Data, t.Data)
		in = append(in, weft.FromValue(x))
	}
	return in
}

// must returns v; an error fails the row.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
