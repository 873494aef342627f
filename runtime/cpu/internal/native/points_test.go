//go:build ((linux && (amd64 || arm64)) || js) && !purego

package native_test

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// Kernels of short rows, which are computed several at once, have the bits of one row after the other, for every number
// of rows that are left in the end.
func TestShortRowsAtOnce(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 3))
	for _, typ := range []scalar.Type{scalar.F32, scalar.F64} {
		for i, n := range []int64{128, 100, 129, 256} {
			rows := int64(1<<13)/n + 1 + int64(i)
			b := ir.NewBuilder("rows")
			x := b.Buffer("x", ir.In, typ, ir.Const(rows*n))
			y := b.Buffer("y", ir.InOut, typ, ir.Const(rows*n))
			sums := b.Buffer("sums", ir.Out, typ, ir.Const(rows))
			row := b.Grid(ir.Const(rows))
			at := func(buffer int, i ir.Axis) ir.Access {
				return ir.Access{Buffer: buffer, Coords: []ir.Coord{
					{Stride: ir.Const(n), Bound: ir.Const(rows), Terms: []ir.Term{{Axis: row, Coeff: ir.Const(1)}}, Value: ir.NoRef},
					{Stride: ir.Const(1), Bound: ir.Const(n), Terms: []ir.Term{{Axis: i, Coeff: ir.Const(1)}}, Value: ir.NoRef}}}
			}
			most := b.Reduce(ir.Any, 0, ir.Const(n), nil, func(i ir.Axis) []ir.Elem {
				return []ir.Elem{{Op: ir.Max, Value: b.Load(at(x, i)), Second: ir.NoRef}}
			})[0]
			b.Vector(ir.Const(n), nil, func(i ir.Axis) {
				b.Store(at(y, i), canon(b, b.Op(op(scalar.OpSub, typ, b.Load(at(x, i)), most))))
			})
			sum := b.Reduce(ir.Lanes, ir.LaneBytes/typ.Size(), ir.Const(n), nil, func(i ir.Axis) []ir.Elem {
				return []ir.Elem{{Op: ir.Sum, Value: b.Load(at(y, i)), Second: ir.NoRef}}
			})[0]
			negative := b.Op(op(scalar.OpLt, scalar.Bool, sum, b.Const(typ, 0)))
			sum = canon(b, b.Op(op(scalar.OpRare, typ, negative, b.Op(op(scalar.OpSqrt, typ, b.Op(op(scalar.OpAbs, typ, sum)))), sum)))
			b.Store(ir.Access{Buffer: sums, Coords: []ir.Coord{{Stride: ir.Const(1), Bound: ir.Const(rows), Terms: []ir.Term{{Axis: row, Coeff: ir.Const(1)}}, Value: ir.NoRef}}}, sum)
			b.Vector(ir.Const(n), nil, func(i ir.Axis) {
				b.Store(at(y, i), canon(b, b.Op(op(scalar.OpDiv, typ, b.Load(at(y, i)), sum))))
			})
			k := b.Finish()
			c := compile(t, k)
			numbers := make([]byte, int(rows*n)*typ.Size())
			for range 4 {
				for i := range int(rows * n) {
					if x := rng.NormFloat64(); typ == scalar.F32 {
						binary.LittleEndian.PutUint32(numbers[4*i:], math.Float32bits(float32(x)))
					} else {
						binary.LittleEndian.PutUint64(numbers[8*i:], math.Float64bits(x))
					}
				}
				c.check(t, nil, [][]byte{numbers, make([]byte, len(numbers)), make([]byte, int(rows)*typ.Size())})
			}
			c.check(t, nil, [][]byte{randomBytes(rng, typ, int(rows*n)), make([]byte, len(numbers)), make([]byte, int(rows)*typ.Size())})
		}
	}
}
