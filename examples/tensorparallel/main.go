// Command tensorparallel cuts a transformer's block among four devices: the batch in two, and the
// heads and the hidden layer in two. The function is written for one device; it adds up over the
// devices that share the heads in two places. It learns as the block in one piece does, in one
// process or as a job of two or four (mpiexec -n 4 tensorparallel).
package main

import (
	"fmt"
	"io"
	"log"
	"math"
	"os"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/lax"
	"github.com/weft-go/weft/mesh"
	"github.com/weft-go/weft/nn"
	"github.com/weft-go/weft/random"
	"github.com/weft-go/weft/runtime/mpi"
)

func main() {
	t, err := mpi.Open()
	if err != nil {
		log.Fatal(err)
	}
	w := io.Writer(os.Stdout)
	if rank, _ := t.Rank(); rank > 0 {
		w = io.Discard
	}
	if err := mesh.Run(t, func() error { return run(w) }); err != nil {
		log.Fatal(err)
	}
}

const (
	batch  = 8
	length = 6
	width  = 16
	heads  = 4
)

// Block is the weights: those of the heads have a leading axis, one entry a head.
type Block struct{ Query, Key, Value, Out, Up, Down weft.Array }

func newBlock(k random.Key) Block {
	i := -1
	normal := func(fan int, dims ...int) weft.Array {
		i++
		return random.Normal(k.FoldIn(i), dims...).Div(math.Sqrt(float64(fan)))
	}
	const each = width / heads
	return Block{
		Query: normal(width, heads, width, each), Key: normal(width, heads, width, each), Value: normal(width, heads, width, each),
		Out: normal(width, heads, each, width), Up: normal(width, width, 4*width), Down: normal(4*width, 4*width, width),
	}
}

// cut is how the weights are cut: whole heads, columns of Up, and rows of Down.
var cut = weft.Axes{
	"Query": mesh.P("model"), "Key": mesh.P("model"), "Value": mesh.P("model"), "Out": mesh.P("model"),
	"Up": mesh.P(nil, "model"), "Down": mesh.P("model"),
}

// apply applies the block to sequences x, with the heads and the part of the hidden layer that b
// has. total adds up what all parts contribute.
func (b Block) apply(x weft.Array, total func(weft.Array) weft.Array) weft.Array {
	head := func(q, k, v, out, x weft.Array) weft.Array { // of one sequence
		fit := x.MatMul(q).MatMul(x.MatMul(k).T()).Div(math.Sqrt(width / heads))
		return nn.Softmax(fit).MatMul(x.MatMul(v)).MatMul(out)
	}
	all := func(x weft.Array) weft.Array {
		each := weft.Vmap(func(w Block, x weft.Array) weft.Array { return head(w.Query, w.Key, w.Value, w.Out, x) },
			weft.In(weft.Axes{"Query": 0, "Key": 0, "Value": 0, "Out": 0, "Up": weft.None, "Down": weft.None}, weft.None))
		return each(b, x).Sum(0)
	}
	x = x.Add(total(weft.Vmap(all)(x)))
	return x.Add(total(nn.Gelu(x.MatMul(b.Up)).MatMul(b.Down)))
}

func loss(y, want weft.Array) weft.Array { return weft.Square(y.Sub(want)).Mean() }

func run(w io.Writer) error {
	m := mesh.New(mesh.Axis("data", 2), mesh.Axis("model", 2))
	parallel := mesh.ShardMap(func(b Block, x, want weft.Array) weft.Array {
		y := b.apply(x, func(part weft.Array) weft.Array { return lax.Psum(part, "model") })
		return lax.Pmean(loss(y, want), "data")
	}, m, mesh.In(cut, mesh.P("data"), mesh.P("data")), mesh.Out(mesh.P()))
	whole := func(b Block, x, want weft.Array) weft.Array {
		return loss(b.apply(x, func(all weft.Array) weft.Array { return all }), want)
	}

	key := random.New(1)
	b := newBlock(key)
	x := random.Normal(key.FoldIn(100), batch, length, width)
	want := weft.Flip(x, 1)
	train := func(f func(Block, weft.Array, weft.Array) weft.Array) func(b Block, x, want weft.Array) (Block, weft.Array) {
		return weft.Jit(func(b Block, x, want weft.Array) (Block, weft.Array) {
			l, g := weft.ValueAndGrad(func(b Block) weft.Array { return f(b, x, want) })(b)
			return weft.TreeMap2(func(p, g weft.Array) weft.Array { return p.Sub(g.Mul(0.2)) }, b, g), l
		})
	}
	onMesh, inOne := train(parallel), train(whole)

	// The weights and the data stay on the devices from step to step.
	p := mesh.Put(m, cut, b)
	px, pw := mesh.Put(m, mesh.P("data"), x), mesh.Put(m, mesh.P("data"), want)
	fmt.Fprint(w, mesh.Draw(m, mesh.P(nil, "model"), b.Up.Shape()), "\nstep   loss on four devices   in one piece\n")
	for i := range 61 {
		var l, l1 weft.Array
		p, l = onMesh(p, px, pw)
		b, l1 = inOne(b, x, want)
		if i%20 == 0 {
			fmt.Fprintf(w, "%4d %22.4f %14.4f\n", i, l.Float(), l1.Float())
		}
	}
	off := weft.Abs(mesh.Gather(p).Up.Sub(b.Up)).Max().Float()
	fmt.Fprintf(w, "\nweights differ by less than 1e-4: %t\n", off < 1e-4)
	return nil
}
