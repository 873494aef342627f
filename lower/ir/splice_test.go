package ir_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"testing"

	"github.com/weft-go/weft/internal/test/ireval"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// A spliced kernel computes what launching it would, on rows of other buffers, too.
func TestSplice(t *testing.T) {
	inner := ir.NewBuilder("inner")
	x := inner.Buffer("x", ir.In, scalar.F32, ir.Const(12))
	y := inner.Buffer("y", ir.Out, scalar.F32, ir.Const(4))
	row := inner.Grid(ir.Const(4))
	place := func(buffer int, n int64, terms ...ir.Term) ir.Access {
		return ir.Access{Buffer: buffer, Coords: []ir.Coord{{Stride: ir.Const(1), Bound: ir.Const(n), Terms: terms, Value: ir.NoRef}}}
	}
	r := inner.Reduce(ir.Ordered, 0, ir.Const(3), nil, func(a ir.Axis) []ir.Elem {
		v := inner.Load(place(x, 12, ir.Term{Axis: row, Coeff: ir.Const(3)}, ir.Term{Axis: a, Coeff: ir.Const(1)}))
		return []ir.Elem{{Op: ir.Sum, Value: v, Second: ir.NoRef}}
	})
	inner.Store(place(y, 4, ir.Term{Axis: row, Coeff: ir.Const(1)}), r[0])
	k := inner.Finish()

	b := ir.NewBuilder("outer")
	all := b.Buffer("all", ir.In, scalar.F32, ir.Const(24))
	sums := b.Buffer("sums", ir.InOut, scalar.F32, ir.Const(8))
	for i := range uint64(2) {
		at := b.Const(scalar.I64, i)
		b.Splice(k, []int{all, sums}, func(i int) *ir.Coord {
			return &ir.Coord{Stride: k.Buffers[i].Len, Bound: ir.Const(2), Mode: ir.Clamp, Value: at}
		})
	}
	q := b.Finish()

	data, got, want := make([]byte, 96), make([]byte, 32), make([]byte, 32)
	for i := range 24 {
		binary.LittleEndian.PutUint32(data[4*i:], math.Float32bits(float32(i*i)+0.5))
	}
	if err := ireval.Run(q, nil, [][]byte{data, got}); err != nil {
		t.Fatal(err)
	}
	for i := range 2 {
		if err := ireval.Run(k, nil, [][]byte{data[48*i:][:48], want[16*i:][:16]}); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(got, want) {
		t.Errorf("got %x, want %x\n%v", got, want, q)
	}
}
