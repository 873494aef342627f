package onnx_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	format "github.com/weft-go/weft/lower/onnx"
)

// Products with matrices of few bits have the same bits as products with the matrix of floats, for few rows and for many.
func TestMatMulNBits(t *testing.T) {
	for _, c := range []struct {
		bits, k, n, block int
		zero              string // "", "ints" or "floats"
	}{
		{4, 256, 192, 32, ""}, {4, 384, 70, 128, "ints"}, {4, 1024, 64, 256, "floats"}, {4, 352, 65, 16, "floats"},
		{2, 640, 64, 32, "ints"}, {8, 160, 128, 32, ""}, {8, 512, 129, 256, "ints"}, {4, 250, 100, 32, ""}, {8, 96, 200, 96, "floats"},
	} {
		blocks := (c.k + c.block - 1) / c.block
		bytes := func(n, seed int) []byte {
			b := make([]byte, n)
			for i := range b {
				b[i] = byte((i + seed) * 7919 >> 3)
			}
			return b
		}
		floats32 := func(n int, of func(i int) float64) (b []byte) {
			for i := range n {
				b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(of(i))))
			}
			return b
		}
		w := &format.Tensor{Name: "w", Dims: []int64{int64(c.n), int64(blocks), int64(c.block * c.bits / 8)}, Elem: 2}
		w.Data = bytes(c.n*blocks*c.block*c.bits/8, c.k)
		s := &format.Tensor{Name: "s", Dims: []int64{int64(c.n * blocks)}, Elem: 1, Data: floats32(c.n*blocks, func(i int) float64 { return 0.01 + float64(i%97)/1000 })}
		attr := func(name string, v int) *format.Attr {
			return &format.Attr{Name: name, Type: format.AttrInt, Int: int64(v)}
		}
		n := &format.Node{Op: "MatMulNBits", Domain: "com.microsoft", Inputs: []string{"x", "w", "s"}, Outputs: []string{"y"},
			Attrs: map[string]*format.Attr{"K": attr("K", c.k), "N": attr("N", c.n), "bits": attr("bits", c.bits), "block_size": attr("block_size", c.block)}}
		g := &format.Graph{Name: "g", Inputs: []*format.ValueInfo{floats("x")}, Outputs: []*format.ValueInfo{floats("y")}, Nodes: []*format.Node{n}, Initializers: []*format.Tensor{w, s}}
		switch c.zero {
		case "ints":
			packed := (blocks*c.bits + 7) / 8
			g.Initializers = append(g.Initializers, &format.Tensor{Name: "z", Dims: []int64{int64(c.n * packed)}, Elem: 2, Data: bytes(c.n*packed, 5)})
		case "floats":
			g.Initializers = append(g.Initializers, &format.Tensor{Name: "z", Dims: []int64{int64(c.n * blocks)}, Elem: 1, Data: floats32(c.n*blocks, func(i int) float64 { return float64(i%13) / 3 })})
		}
		if c.zero != "" {
			n.Inputs = append(n.Inputs, "z")
		}
		m := built(t, g)
		for _, dims := range [][]int{{1, c.k}, {c.k}, {2, 3, c.k}, {33, c.k}} {
			size := 1
			for _, d := range dims {
				size *= d
			}
			x := weft.Sin(weft.Arange(float32(size))).Reshape(dims...)
			want, err := m.Call(x)
			if err != nil {
				t.Fatal(err)
			}
			if y := weft.Jit(m.Func())([]weft.Array{x})[0]; !y.Equal(want[0]) {
				t.Errorf("%v, %v: got %v, want %v", fmt.Sprint(c), dims, y, want[0])
			}
			if y := weft.Jit(m.Func(), weft.On(weft.DeviceNamed("reference")))([]weft.Array{x})[0].To(weft.Device{}); !y.Equal(want[0]) {
				t.Errorf("%v, %v: on the reference got %v, want %v", fmt.Sprint(c), dims, y, want[0])
			}
		}
	}
}

// Matrices of other bits than divide bytes are errors, in compiled calls, too.
func TestBitsOfMatMulNBits(t *testing.T) {
	const k, n, block = 512, 256, 32
	for _, bits := range []int{0, 1, 3, 16} {
		w := &format.Tensor{Name: "w", Dims: []int64{n, k / block, int64(block * bits / 8)}, Elem: 2, Data: make([]byte, n*k*bits/8)}
		s := &format.Tensor{Name: "s", Dims: []int64{n * k / block}, Elem: 1, Data: make([]byte, 4*n*k/block)}
		attr := func(name string, v int) *format.Attr {
			return &format.Attr{Name: name, Type: format.AttrInt, Int: int64(v)}
		}
		m := built(t, &format.Graph{Name: "g", Inputs: []*format.ValueInfo{floats("x")}, Outputs: []*format.ValueInfo{floats("y")}, Initializers: []*format.Tensor{w, s},
			Nodes: []*format.Node{{Op: "MatMulNBits", Domain: "com.microsoft", Inputs: []string{"x", "w", "s"}, Outputs: []string{"y"},
				Attrs: map[string]*format.Attr{"K": attr("K", k), "N": attr("N", n), "bits": attr("bits", bits), "block_size": attr("block_size", block)}}}})
		x := []weft.Array{weft.Ones(2, k)}
		_, err := m.Call(x...)
		compiled := core.Catch(func() { weft.Jit(m.Func())(x) })
		for _, err := range []error{err, compiled} {
			if !errors.Is(err, core.ErrNoRule) {
				t.Errorf("%d bits: got the error %v, want %v", bits, err, core.ErrNoRule)
			}
		}
	}
}
