package mesh_test

import (
	"fmt"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/lax"
	"github.com/weft-go/weft/mesh"
	"github.com/weft-go/weft/random"
)

// Each device adds up its rows; Psum adds up over the devices.
func ExampleShardMap() {
	m := mesh.New(mesh.Axis("data", 4))
	total := mesh.ShardMap(func(x weft.Array) weft.Array {
		return lax.Psum(x.Sum(0), "data")
	}, m, mesh.In(mesh.P("data")), mesh.Out(mesh.P()))
	fmt.Println(total(weft.Arange(16.).Reshape(8, 2)))
	// Output:
	// [56. 64.]
}

// A product whose contracted axis is cut: each device has some of the columns of x and of the rows of w.
func ExampleShardMap_jaxpr() {
	m := mesh.New(mesh.Axis("model", 2))
	f := mesh.ShardMap(func(x, w weft.Array) weft.Array {
		return lax.Psum(x.MatMul(w), "model")
	}, m, mesh.In(mesh.P(nil, "model"), mesh.P("model")), mesh.Out(mesh.P()))
	j, err := weft.Jaxpr(f, weft.OnesOf(weft.Float32, 3, 4), weft.OnesOf(weft.Float32, 4, 2))
	if err != nil {
		panic(err)
	}
	fmt.Print(j)
	// Output:
	// { lambda ; a:f32[3,4] b:f32[4,2]. let
	//     c:f32[3,2] = shard_map[
	//       check_vma=True
	//       in_specs=(P(None, 'model'), P('model',))
	//       jaxpr={ lambda ; d:f32[3,2]{V:model} e:f32[2,2]{V:model}. let
	//           f:f32[3,2]{V:model} = dot_general[
	//             dimension_numbers=(([1], [0]), ([], []))
	//             preferred_element_type=float32
	//           ] d e
	//           g:f32[3,2] = psum_invariant[axes=('model',)] f
	//         in (g,) }
	//       mesh=Mesh('model': 2, axis_types=(Auto,))
	//       newly_manual_axes=frozenset({'model'})
	//       out_specs=(P(),)
	//     ] a b
	//   in (c,) }
}

// The loss is written for a batch. Its gradient is the mean of the devices' gradients.
func ExampleDataParallel() {
	loss := func(w, x, y weft.Array) weft.Array { return weft.Square(x.MatMul(w).Sub(y)).Mean() }
	m := mesh.New(mesh.Axis("data", 4))
	parallel := mesh.DataParallel(m, "data", loss)
	x, y := weft.Arange(16.).Reshape(8, 2), weft.Ones(8)
	grad := weft.Grad(func(w weft.Array) weft.Array { return parallel(w, x, y) })
	fmt.Println(grad(weft.Zeros(2)))
	// Output:
	// [-14. -16.]
}

// One key draws different numbers on each device.
func ExampleShardMap_random() {
	m := mesh.New(mesh.Axis("d", 2))
	draw := mesh.ShardMap(func(k random.Key) weft.Array {
		return random.RandInt(k.FoldIn(lax.AxisIndex("d")), 0, 100, 3)
	}, m, mesh.In(mesh.P()), mesh.Out(mesh.P("d")))
	x := draw(random.New(1))
	fmt.Println(x.Shape(), x.Index("0:3").Equal(x.Index("3:6")))
	// Output:
	// (6,) false
}

func ExampleDraw() {
	m := mesh.New(mesh.Axis("data", 2), mesh.Axis("model", 2))
	fmt.Print(mesh.Draw(m, mesh.P("model"), weft.Shape{8, 4}))
	// Output:
	// (8, 4) cut as P('model',) on data=2, model=2: pieces (4, 4)
	// ┌─────┐
	// │ 0,2 │
	// ├─────┤
	// │ 1,3 │
	// └─────┘
}

func ExampleShards() {
	m := mesh.New(mesh.Axis("d", 2))
	for s := range mesh.Shards(m, mesh.P(nil, "d"), weft.Arange(8.).Reshape(2, 4)) {
		fmt.Println(s.Device, s.Start, s.Piece.Ravel())
	}
	// Output:
	// 0 [0 0] [0. 1. 4. 5.]
	// 1 [0 2] [2. 3. 6. 7.]
}
