// Command lstm learns to continue a text, character by character: an LSTM is a function of
// one step, and Scan runs it along the text, forwards and, under Grad, backwards.
package main

import (
	"fmt"
	"io"
	"log"
	"math"
	"os"
	"slices"
	"strings"

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

const text = "she sells sea shells by the sea shore. "

const hidden = 32

// LSTM contains the weights of the four gates, side by side, and of the next character.
type LSTM struct{ In, Back, Bias, Out weft.Array }

// State is what the network carries from character to character.
type State struct{ Cell, Hidden weft.Array }

func newLSTM(letters int, k random.Key) LSTM {
	keys := k.SplitN(3)
	scale := 1 / math.Sqrt(hidden)
	// The forget gate begins open.
	bias := weft.Zeros(4 * hidden).At(weft.R(hidden, 2*hidden)).Set(1.)
	return LSTM{
		In:   random.Normal(keys.At(0), letters, 4*hidden).Mul(scale),
		Back: random.Normal(keys.At(1), hidden, 4*hidden).Mul(scale),
		Bias: bias,
		Out:  random.Normal(keys.At(2), hidden, letters).Mul(scale),
	}
}

// step reads one character, as its number, and predicts the next.
func (m LSTM) step(s State, letter weft.Array) (State, weft.Array) {
	gates := m.In.Index(letter).Add(s.Hidden.Dot(m.Back)).Add(m.Bias)
	g := weft.SplitEvenly(gates, 0, 4)
	cell := s.Cell.Mul(nn.Sigmoid(g[1])).Add(nn.Sigmoid(g[0]).Mul(weft.Tanh(g[2])))
	h := weft.Tanh(cell).Mul(nn.Sigmoid(g[3]))
	return State{cell, h}, h.Dot(m.Out)
}

func start() State { return State{weft.Zeros(hidden), weft.Zeros(hidden)} }

// loss returns how surprised the network is by each next character, on average.
func (m LSTM) loss(letters weft.Array) weft.Array {
	_, guesses := weft.Scan(m.step, start(), letters.Index(":-1"))
	return nn.CrossEntropy(guesses, letters.Index("1:")).Mean()
}

var train = weft.Jit(func(m *LSTM, o *optim.Adam[LSTM], letters weft.Array) (weft.Array, error) {
	loss, grad := weft.ValueAndGradAt(*m, func(m LSTM) weft.Array { return m.loss(letters) })
	grad, _ = optim.ClipByNorm(grad, 1)
	*m = o.Update(*m, grad)
	return loss, nil
})

// write continues from a character, always with the likeliest one: a Scan whose input is
// its own output.
var write = weft.Jit(func(m LSTM, letter weft.Array) weft.Array {
	type pen struct {
		S      State
		Letter weft.Array
	}
	_, written := weft.ScanN(func(p pen) (pen, weft.Array) {
		s, guess := m.step(p.S, p.Letter)
		next := guess.ArgMax()
		return pen{s, next}, next
	}, pen{start(), letter}, 2*len(text))
	return written
})

func run(w io.Writer) error {
	alphabet := []byte(text)
	slices.Sort(alphabet)
	alphabet = slices.Compact(alphabet)
	numbers := make([]int32, 0, 2*len(text))
	for _, c := range []byte(text + text) {
		numbers = append(numbers, int32(slices.Index(alphabet, c)))
	}
	letters := weft.FromSlice(numbers)

	m := newLSTM(len(alphabet), random.New(1))
	o := optim.NewAdam(m, optim.AdamConfig{Rate: optim.Rate(0.02)})
	say := func(i int, loss float64) {
		var b strings.Builder
		for n := range weft.Values[int32](write(m, letters.Index(0))) {
			b.WriteByte(alphabet[n])
		}
		fmt.Fprintf(w, "%4d  %.3f  s%s\n", i, loss, b.String()[:len(text)])
	}
	fmt.Fprintln(w, "step  loss   continues s with")
	for i := range 61 {
		loss, err := train(&m, &o, letters)
		if err != nil {
			return err
		}
		if i%10 == 0 {
			say(i, loss.Float())
		}
	}
	return nil
}
