package main

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/nn"
	"github.com/weft-go/weft/optim"
	"github.com/weft-go/weft/random"
)

const (
	width   = 64 // features of a position
	heads   = 4
	blocks  = 2
	context = 64 // positions that the model is trained on
	longest = 256
)

// Block is a block of a transformer: attention, then a layer for each position by itself.
type Block struct {
	Norm1, Norm2 nn.RMSNorm
	Attention    nn.MultiHead
	Up, Down     nn.Linear
}

// Model predicts the next character of a text.
type Model struct {
	Letters nn.Embedding // also the output layer
	Blocks  []Block
	Norm    nn.RMSNorm
}

func newModel(letters int, k random.Key) Model {
	m := Model{Letters: nn.NewEmbedding(k.FoldIn(0), letters, width, nn.Params{Init: nn.Normal(0.1)}), Norm: nn.NewRMSNorm(width)}
	for i := range blocks {
		keys := k.FoldIn(i + 1).SplitN(3)
		m.Blocks = append(m.Blocks, Block{
			Norm1: nn.NewRMSNorm(width), Norm2: nn.NewRMSNorm(width),
			Attention: nn.NewMultiHead(keys.At(0), width, heads, nn.MultiHeadConfig{Params: nn.Params{NoBias: true}}),
			Up:        nn.NewLinear(keys.At(1), width, 4*width, nn.Params{NoBias: true}),
			Down:      nn.NewLinear(keys.At(2), 4*width, width, nn.Params{NoBias: true}),
		})
	}
	return m
}

// attend applies a block to x, whose positions begin at from, with an attention over queries, keys and values.
func (b Block) attend(x weft.Array, from weft.Array, attention func(q, k, v weft.Array) weft.Array) weft.Array {
	positions := weft.Iota(weft.Int32, 0, x.Dim(1)).Add(from)
	q, k, v := b.Attention.Project(b.Norm1.Apply(x))
	q, k = nn.Rotary(q, positions, nn.RotaryConfig{}), nn.Rotary(k, positions, nn.RotaryConfig{})
	x = x.Add(b.Attention.Merge(attention(q, k, v)))
	return x.Add(b.Down.Apply(nn.Gelu(b.Up.Apply(b.Norm2.Apply(x)))))
}

// logits returns scores of the next character at each position of texts [n, positions].
func (m Model) logits(texts weft.Array) weft.Array {
	x := m.Letters.Apply(texts)
	for _, b := range m.Blocks {
		x = b.attend(x, weft.Scalar(int32(0)), func(q, k, v weft.Array) weft.Array {
			return nn.Attention(q, k, v, nn.AttentionConfig{Causal: true})
		})
	}
	return m.Letters.Attend(m.Norm.Apply(x))
}

// loss returns the mean surprise at each next character.
func (m Model) loss(texts weft.Array) weft.Array {
	return nn.CrossEntropy(m.logits(texts.Index(weft.All, ":-1")), texts.Index(weft.All, "1:")).Mean()
}

// State is everything that training changes.
type State struct {
	Model Model
	Opt   optim.Adam[Model]
	Mean  optim.Average[Model] // the model that writes
	Key   random.Key
}

func newState(letters, steps int, seed uint64) State {
	model, key := random.New(seed).Split()
	m := newModel(letters, model)
	rate := optim.Warmup{Steps: 20, Then: optim.Cosine{From: 3e-3, To: 3e-4, Steps: steps}}
	return State{m, optim.NewAdamW(m, optim.AdamConfig{Rate: rate, Beta2: 0.99, DecayOn: optim.Matrices}), optim.NewAverage(m, 0.95), key}
}

const batch = 16

// step trains on random pieces of the text.
var step = weft.Jit(func(s *State, text weft.Array) (weft.Array, error) {
	key, sub := s.Key.Split()
	starts := random.RandInt(sub, 0, text.Len()-context, batch, 1)
	pieces := text.Index(starts.Add(weft.Iota(weft.Int32, 1, 1, context+1)))
	loss, grad := weft.ValueAndGradAt(s.Model, func(m Model) weft.Array { return m.loss(pieces) })
	grad, _ = optim.ClipByNorm(grad, 1)
	s.Model, s.Key = s.Opt.Update(s.Model, grad), key
	s.Mean.Update(s.Model)
	return loss, nil
})

// pen is what writing carries from character to character.
type pen struct {
	Caches []nn.KVCache
	Letter weft.Array // the last letter: [1, 1]
	Key    random.Key
}

// next reads characters [1, n] and draws the character after them. The caches hold the keys and
// values of all characters before, so that each character costs one row of attention.
func (m Model) next(p pen, letters weft.Array, temperature weft.Array) pen {
	x := m.Letters.Apply(letters)
	caches := make([]nn.KVCache, len(m.Blocks))
	for i, b := range m.Blocks {
		x = b.attend(x, p.Caches[i].Len, func(q, k, v weft.Array) (y weft.Array) {
			y, caches[i] = p.Caches[i].Attend(q, k, v)
			return y
		})
	}
	logits := m.Letters.Attend(m.Norm.Apply(x)).Index(0, -1)
	key, sub := p.Key.Split()
	letter := random.Categorical(sub, logits.Div(temperature)).AsType(weft.Int32)
	return pen{caches, letter.Reshape(1, 1), key}
}

// written returns n characters after a beginning.
func (m Model) written(beginning, temperature weft.Array, k random.Key, n int) weft.Array {
	p := pen{Key: k}
	for _, b := range m.Blocks {
		p.Caches = append(p.Caches, b.Attention.NewCache(longest, 1))
	}
	first := m.next(p, beginning.ExpandDims(0), temperature)
	_, letters := weft.ScanN(func(p pen) (pen, weft.Array) {
		return m.next(p, p.Letter, temperature), p.Letter.Reshape()
	}, first, n)
	return letters
}

// write is written, jitted: it has a program for each length of the beginning and the result.
var write = weft.Jit(Model.written)
