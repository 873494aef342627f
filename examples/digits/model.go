package main

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"fmt"
	"io"
	"math"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/nn"
	"github.com/weft-go/weft/random"
)

// The digits are scikit-learn's, written by make_digits.py: the test set of the Optical
// Recognition of Handwritten Digits data set by E. Alpaydin and C. Kaynak, 1998, UCI
// Machine Learning Repository, https://doi.org/10.24432/C50P49, licence CC BY 4.0.
//
//go:embed digits.bin.gz
var file []byte

// Digits is a number of digits, or a batch of them.
type Digits struct {
	Pixels weft.Array // [n, 64], from 0 to 1
	Label  weft.Array // [n]
}

func load() (Digits, error) {
	z, err := gzip.NewReader(bytes.NewReader(file))
	if err != nil {
		return Digits{}, err
	}
	b, err := io.ReadAll(z)
	if err != nil {
		return Digits{}, err
	}
	if len(b)%65 != 0 {
		return Digits{}, fmt.Errorf("the digits have %d bytes, not 65 each", len(b))
	}
	all := weft.FromSlice(b, -1, 65)
	return Digits{
		Pixels: all.Index(weft.All, "0:64").AsType(weft.Float32).Div(16),
		Label:  all.Index(weft.All, 64).AsType(weft.Int32),
	}, nil
}

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
