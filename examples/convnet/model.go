package main

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/examples/handwriting"
	"github.com/weft-go/weft/nn"
	"github.com/weft-go/weft/optim"
	"github.com/weft-go/weft/random"
)

// Model is a convolutional network: twice convolution, batch norm and pooling, then a layer for
// the ten digits.
type Model struct {
	Conv1, Conv2 nn.Conv
	Norm1, Norm2 nn.BatchNorm
	Out          nn.Linear
}

// newModel returns the model before training.
func newModel(k random.Key) Model {
	keys := k.SplitN(3)
	same := weft.ConvConfig{Same: true}
	return Model{
		Conv1: nn.NewConv(keys.At(0), 1, 16, []int{3, 3}, same),
		Norm1: nn.NewBatchNorm(16),
		Conv2: nn.NewConv(keys.At(1), 16, 32, []int{3, 3}, same),
		Norm2: nn.NewBatchNorm(32),
		Out:   nn.NewLinear(keys.At(2), 32*2*2, 10),
	}
}

// pool halves both axes of a picture.
func pool(x weft.Array) weft.Array { return nn.MaxPool(x, nn.PoolConfig{Window: []int{2, 2}}) }

// logits returns scores of the digits for pictures [n, 64].
func (m Model) logits(pixels weft.Array) weft.Array {
	x := pixels.Reshape(-1, 1, 8, 8)
	x = pool(nn.Relu(m.Norm1.Apply(m.Conv1.Apply(x))))
	x = pool(nn.Relu(m.Norm2.Apply(m.Conv2.Apply(x))))
	return m.Out.Apply(x.Reshape(x.Dim(0), -1))
}

// train returns logits for training: the norms use the batch, and the result has new running
// statistics. Some features are dropped.
func (m Model) train(pixels weft.Array, k random.Key) (weft.Array, Model) {
	x := pixels.Reshape(-1, 1, 8, 8)
	x, m.Norm1 = m.Norm1.Train(m.Conv1.Apply(x))
	x, m.Norm2 = m.Norm2.Train(m.Conv2.Apply(pool(nn.Relu(x))))
	x = pool(nn.Relu(x))
	x = nn.Dropout(k, x.Reshape(x.Dim(0), -1), 0.2)
	return m.Out.Apply(x), m
}

// State is everything that training changes. It is a tree: a checkpoint is the whole of it.
type State struct {
	Model Model
	Opt   optim.Adam[Model]
	Key   random.Key
	Epoch weft.Array // epochs done
}

// newState returns the state before training.
func newState(seed uint64, steps int) State {
	model, key := random.New(seed).Split()
	m := newModel(model)
	rate := optim.OneCycle{Peak: 1e-2, Steps: steps}
	return State{m, optim.NewAdamW(m, optim.AdamConfig{Rate: rate, DecayOn: optim.Matrices}), key, weft.ZerosOf(weft.Int32)}
}

// step is one step of training. It changes the state behind the pointer.
var step = weft.Jit(func(s *State, b handwriting.Digits) (weft.Array, error) {
	key, dropout := s.Key.Split()
	loss, grad, trained := weft.ValueAndGradAux(func(m Model) (weft.Array, Model) {
		logits, m := m.train(b.Pixels, dropout)
		return nn.CrossEntropy(logits, b.Label).Mean(), m
	})(s.Model)
	s.Model, s.Key = s.Opt.Update(trained, grad), key
	return loss, nil
})

// read returns the probabilities of the digits for each picture.
var read = weft.Jit(func(m Model, pixels weft.Array) weft.Array { return nn.Softmax(m.logits(pixels)) })
