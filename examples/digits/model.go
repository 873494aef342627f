package main

import (
	"math"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/examples/handwriting"
	"github.com/weft-go/weft/nn"
	"github.com/weft-go/weft/random"
)

// Digits is a set of digits, for example a batch.
type Digits = handwriting.Digits

// Model is a network of two layers. A gradient has the same type.
type Model struct{ Hidden, Out Layer }

// Layer is a matrix and an offset.
type Layer struct{ W, B weft.Array }

const hidden = 128

// NewModel returns a model before training.
func NewModel(key random.Key) Model {
	k1, k2 := key.Split()
	return Model{newLayer(k1, 64, hidden), newLayer(k2, hidden, 10)}
}

func newLayer(key random.Key, in, out int) Layer {
	return Layer{random.Normal(key, in, out).Mul(math.Sqrt(2 / float64(in))), weft.Zeros(out)}
}

// Of returns the layer's values for a batch.
func (l Layer) Of(x weft.Array) weft.Array { return x.Dot(l.W).Add(l.B) }

// Logits returns how likely each digit is, as logarithms up to a common offset.
func (m Model) Logits(x weft.Array) weft.Array { return m.Out.Of(nn.Relu(m.Hidden.Of(x))) }

// Loss returns the mean surprise at the labels.
func (m Model) Loss(d Digits) weft.Array {
	likely := nn.LogSoftmax(m.Logits(d.Pixels))
	return likely.Mul(weft.OneHot(d.Label, 10)).Sum(-1).Mean().Neg()
}
