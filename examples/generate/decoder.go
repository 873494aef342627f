package main

import (
	"bytes"
	_ "embed"
	"encoding/binary"
	"fmt"
	"hash"
	"hash/fnv"
	"math"
	"math/rand/v2"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/onnx"
	"github.com/weft-go/weft/tokenizer"
)

// What PyTorch exported: see train.py.
//
//go:embed decoder.onnx
var decoderFile []byte

//go:embed tokenizer.json
var tokenizerFile []byte

// A Decoder continues texts by steps of a transformer. A step takes a token of each text, its place, and the keys and
// values of the tokens before it, and returns the logits of the next token and the new caches.
type Decoder struct {
	Tokens *tokenizer.Tokenizer
	empty  []weft.Array // caches of no tokens
	places int          // tokens that a cache has room for
	step   func(ids, places weft.Array, caches [][]weft.Array) stepped
}

// stepped is what a step returns: for each text logits and caches.
type stepped struct {
	Logits weft.Array
	Caches [][]weft.Array
}

// LoadDecoder reads the model and its tokenizer.
func LoadDecoder() (*Decoder, error) {
	t, err := tokenizer.Load(bytes.NewReader(tokenizerFile))
	if err != nil {
		return nil, err
	}
	m, err := onnx.LoadBytes(decoderFile, nil)
	if err != nil {
		return nil, err
	}
	d := &Decoder{Tokens: t}
	for _, v := range m.Inputs()[2:] { // past_key_values.0.key: f32[batch,4,256,24], …
		d.empty = append(d.empty, weft.ZerosOf(v.DType, 1, v.Dims[1].Size, v.Dims[2].Size, v.Dims[3].Size))
		d.places = v.Dims[2].Size
	}
	model := m.Func()
	d.step = weft.Jit(func(ids, places weft.Array, caches [][]weft.Array) stepped {
		in := []weft.Array{ids, places}
		for k := range d.empty {
			rows := make([]weft.Array, len(caches))
			for i, c := range caches {
				rows[i] = c[k]
			}
			in = append(in, weft.Concat(0, rows...))
		}
		out := model(in)
		next := make([][]weft.Array, len(caches))
		for _, x := range out[1:] {
			for i, row := range weft.SplitEvenly(x, 0, len(caches)) {
				next[i] = append(next[i], row)
			}
		}
		return stepped{out[0], next}
	})
	return d, nil
}

// text is a text that is being continued.
type text struct {
	ids    []int // of the prompt and of the tokens after it
	prompt int   // how many ids the prompt has
	limit  int
	heat   float64
	draw   *rand.Rand
	caches []weft.Array
	at     int // the place of the next token that the model reads
	sum    hash.Hash64
	batch  int // the largest batch that it was part of
	out    chan string
	err    error
}

// next runs a step for a batch of texts. Their number is padded to a power of two, so that few programs are
// compiled; the padding changes no bit.
func (d *Decoder) next(texts []*text) error {
	n := 1
	for n < len(texts) {
		n *= 2
	}
	ids, places, caches := make([]int64, n), make([]int64, n), make([][]weft.Array, n)
	for i := range n {
		caches[i] = d.empty
		if i < len(texts) {
			t := texts[i]
			ids[i], places[i], caches[i] = int64(t.ids[t.at]), int64(t.at), t.caches
		}
	}
	out, err := weft.Try(func() stepped { return d.step(weft.FromSlice(ids, n), weft.FromSlice(places, n), caches) })
	if err != nil {
		return err
	}
	logits := weft.ToSlice[float32](out.Logits)
	size := len(logits) / n
	for i, t := range texts {
		t.caches = out.Caches[i]
		t.batch = max(t.batch, len(texts))
		if t.at++; t.at < len(t.ids) {
			continue // still the prompt
		}
		row := logits[i*size : (i+1)*size]
		for _, v := range row {
			t.sum.Write(binary.LittleEndian.AppendUint32(nil, math.Float32bits(v)))
		}
		t.ids = append(t.ids, pick(row, t.heat, t.draw))
	}
	return nil
}

// pick draws a token. At heat 0 it is the likeliest one.
func pick(logits []float32, heat float64, r *rand.Rand) int {
	best := 0
	for i, v := range logits {
		if v > logits[best] {
			best = i
		}
	}
	if heat == 0 {
		return best
	}
	total := 0.0
	weights := make([]float64, len(logits))
	for i, v := range logits {
		weights[i] = math.Exp(float64(v-logits[best]) / heat)
		total += weights[i]
	}
	x := r.Float64() * total
	for i, w := range weights {
		if x -= w; x < 0 {
			return i
		}
	}
	return best
}

// newText begins a text.
func (d *Decoder) newText(q Request) (*text, error) {
	e, err := d.Tokens.Encode(q.Prompt)
	if err != nil {
		return nil, err
	}
	if len(e.IDs) == 0 {
		return nil, fmt.Errorf("the prompt is empty; begin a sentence")
	}
	if len(e.IDs)+q.Tokens > d.places {
		return nil, fmt.Errorf("the prompt has %d tokens, and %d more are wanted; the model has room for %d", len(e.IDs), q.Tokens, d.places)
	}
	return &text{
		ids: e.IDs, prompt: len(e.IDs), limit: len(e.IDs) + q.Tokens, heat: q.Heat, draw: rand.New(rand.NewPCG(q.Seed, 0)),
		caches: d.empty, sum: fnv.New64a(), out: make(chan string, q.Tokens+1),
	}, nil
}
