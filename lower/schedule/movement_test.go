package schedule_test

import (
	"context"
	"encoding/binary"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	_ "github.com/weft-go/weft/internal/test/executors"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/schedule"
	"github.com/weft-go/weft/runtime"
)

// Movements take each element from where the operation does, and merge axes whose elements follow one another.
func TestMovements(t *testing.T) {
	d := core.MakeDims
	for _, c := range []struct {
		p    core.Primitive
		in   core.Dims
		axes int
	}{
		{prim.BroadcastInDimP{Shape: d(4, 2, 3, 5), Dims: d(1, 2)}, d(2, 3), 3},
		{prim.BroadcastInDimP{Shape: d(4, 3), Dims: d(0, 1)}, d(1, 3), 2},
		{prim.TransposeP{Perm: d(1, 2, 0)}, d(2, 3, 4), 2},
		{prim.TransposeP{Perm: d(0, 1)}, d(2, 3), 1},
		{prim.SliceP{Start: d(1, 0), Limit: d(3, 4), Strides: d(1, 2)}, d(4, 5), 2},
		{prim.SliceP{Start: d(2, 0), Limit: d(3, 5)}, d(4, 5), 1},
		{prim.RevP{Dims: d(0, 1)}, d(3, 4), 1},
		{prim.RevP{Dims: d(1)}, d(3, 4), 2},
		{prim.ReshapeP{Shape: d(6, 2)}, d(3, 4), 1},
		{prim.ReshapeP{Shape: d(1, 1)}, d(), 1},
		{prim.TransposeP{Perm: d(1, 0)}, d(1, 1), 1},
	} {
		b := jaxpr.NewBuilder()
		x := b.Input(core.ShapedArray{DType: core.Int32, Shape: c.in})
		y := b.Eqn(c.p, x)[0]
		in, out := x.Aval(), y.Aval()
		m, ok := schedule.MovementOf(c.p, in, out)
		if !ok || len(m.Axes) != c.axes {
			t.Errorf("%s of %v: got %v, %v, want %d axes", c.p.Name(), in, m, ok, c.axes)
			continue
		}
		numbers := runtime.New(in)
		for i := range in.Size() {
			binary.LittleEndian.PutUint32(numbers.Tensor().Data[4*i:], uint32(i))
		}
		want, err := runtime.Evaluate(context.Background(), runtime.Reference, b.Build(y), []*runtime.Array{numbers})
		if err != nil {
			t.Fatal(err)
		}
		for i := range out.Size() {
			at, rest := m.Base, int64(i)
			for k := len(m.Axes) - 1; k >= 0; k-- {
				at += rest % m.Axes[k].N * m.Axes[k].Stride
				rest /= m.Axes[k].N
			}
			if rest != 0 || at != int64(binary.LittleEndian.Uint32(want[0].Tensor().Data[4*i:])) {
				t.Errorf("%s of %v: element %d is taken from %d", c.p.Name(), in, i, at)
				break
			}
		}
	}
	if m, ok := schedule.MovementOf(prim.SinP{}, core.Aval(core.Float32, 3), core.Aval(core.Float32, 3)); ok {
		t.Errorf("sin is the movement %v", m)
	}
	for axes := range 4 {
		if err := schedule.MoveKernel(scalar.U32, axes).Check(); err != nil {
			t.Errorf("the kernel of %d axes: %v", axes, err)
		}
	}
}
