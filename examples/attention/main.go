// Command attention is a transformer's block, written for one head of one sequence: Vmap
// adds the heads, Vmap again the batch. It learns to reverse short sequences.
package main

import (
	"fmt"
	"io"
	"log"
	"math"
	"os"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/nn"
	"github.com/weft-go/weft/optim"
	"github.com/weft-go/weft/random"
)

func main() {
	if err := run(os.Stdout); err != nil {
		log.Fatal(err)
	}
}

const (
	length = 6
	words  = 8
	width  = 32
	heads  = 4
)

// Head is the weights of one head; of all heads, with a leading axis.
type Head struct{ Query, Key, Value, Out weft.Array }

// attend mixes the places of a sequence x, whose rows they are, by how well keys fit queries.
func (h Head) attend(x weft.Array) weft.Array {
	q, k, v := x.Dot(h.Query), x.Dot(h.Key), x.Dot(h.Value)
	fit := q.MatMul(k.T()).Div(math.Sqrt(width / heads))
	return nn.Softmax(fit).MatMul(v).Dot(h.Out)
}

// Model reads numbers and predicts a number for each place.
type Model struct {
	Words, Places weft.Array
	Heads         Head
	Up, Down      weft.Array
	Scale, Shift  [2]weft.Array
	Guess         weft.Array
}

func newModel(k random.Key) Model {
	keys := k.SplitN(9)
	i := -1
	normal := func(fan int, dims ...int) weft.Array {
		i++
		return random.Normal(keys.At(i), dims...).Div(math.Sqrt(float64(fan)))
	}
	one, zero := weft.Ones(width), weft.Zeros(width)
	return Model{
		Words: normal(1, words, width), Places: normal(1, length, width),
		Heads: Head{normal(width, heads, width, width/heads), normal(width, heads, width, width/heads),
			normal(width, heads, width, width/heads), normal(width, heads, width/heads, width)},
		Up: normal(width, width, 2*width), Down: normal(2*width, 2*width, width),
		Scale: [2]weft.Array{one, one}, Shift: [2]weft.Array{zero, zero},
		Guess: normal(width, width, words),
	}
}

// apply applies the block to one sequence of numbers.
func (m Model) apply(x weft.Array) weft.Array {
	h := m.Words.Index(x).Add(m.Places)
	each := weft.Vmap(func(head Head, x weft.Array) weft.Array { return head.attend(x) }, weft.In(0, weft.None))
	h = h.Add(each(m.Heads, nn.LayerNorm{Scale: m.Scale[0], Shift: m.Shift[0]}.Apply(h)).Sum(0))
	h = h.Add(nn.Gelu(nn.LayerNorm{Scale: m.Scale[1], Shift: m.Shift[1]}.Apply(h).Dot(m.Up)).Dot(m.Down))
	return h.Dot(m.Guess)
}

// batch applies the block to many sequences.
func (m Model) batch(xs weft.Array) weft.Array { return weft.Vmap(m.apply)(xs) }

var train = weft.Jit(func(m *Model, o *optim.Adam[Model], xs weft.Array) (weft.Array, error) {
	loss, grad := weft.ValueAndGradAt(*m, func(m Model) weft.Array {
		return nn.CrossEntropy(m.batch(xs), weft.Flip(xs, 1)).Mean()
	})
	*m = o.Update(*m, grad)
	return loss, nil
})

func sequences(k random.Key, n int) weft.Array { return random.RandInt(k, 0, words, n, length) }

func run(w io.Writer) error {
	key := random.New(5)
	m := newModel(key.FoldIn(0))
	o := optim.NewAdam(m, optim.AdamConfig{Rate: optim.Rate(3e-3)})
	for i := range 161 {
		loss, err := train(&m, &o, sequences(key.FoldIn(i+1), 32))
		if err != nil {
			return err
		}
		if i%40 == 0 {
			fmt.Fprintf(w, "step %3d  loss %.4f\n", i, loss.Float())
		}
	}
	test := sequences(key.FoldIn(1000), 200)
	guess := m.batch(test).ArgMax(-1)
	right := guess.Eq(weft.Flip(test, 1))
	fmt.Fprintf(w, "\nof 200 new sequences %.1f%% of the numbers are right\n", 100*right.AsType(weft.Float32).Mean().Float())
	fmt.Fprintf(w, "%v reversed is %v\n", test.Index(0), guess.Index(0))
	return nil
}
