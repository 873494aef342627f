package main

import (
	"bytes"
	_ "embed"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/onnx"
)

//go:embed silero_vad.onnx
var modelFile []byte

const (
	rate   = 16000 // samples a second
	window = 512   // samples that have a probability
	before = 64    // samples of the window before, which the model sees too
	block  = 32    // windows in a call
)

// A Detector finds speech. It may be used by many goroutines at once.
type Detector struct {
	step func(windows, h, c weft.Array) found
}

// found is what a call returns: a probability for each window, and the state of the model.
type found struct{ Probabilities, H, C weft.Array }

// NewDetector reads the model.
func NewDetector() (*Detector, error) {
	m, err := onnx.Load(bytes.NewReader(modelFile))
	if err != nil {
		return nil, err
	}
	model := m.Func()
	return &Detector{weft.Jit(func(windows, h, c weft.Array) found {
		out := model([]weft.Array{windows, h, c})
		return found{out[0], out[1], out[2]}
	})}, nil
}

// Probabilities returns for each window of a sound how likely it is speech. All calls have one size, so that one
// program is compiled; silence fills up the last one.
func (d *Detector) Probabilities(sound []float32) ([]float32, error) {
	n := (len(sound) + window - 1) / window
	h, c := weft.Zeros(1, 1, 128), weft.Zeros(1, 1, 128)
	var all []float32
	for first := 0; first < n; first += block {
		windows := make([]float32, block*(before+window))
		for i := range block {
			at := (first + i) * window
			for k := range before + window {
				if j := at - before + k; j >= 0 && j < len(sound) {
					windows[i*(before+window)+k] = sound[j]
				}
			}
		}
		y, err := weft.Try(func() found { return d.step(weft.FromSlice(windows, block, before+window), h, c) })
		if err != nil {
			return nil, err
		}
		h, c = y.H, y.C
		all = append(all, weft.ToSlice[float32](y.Probabilities)...)
	}
	return all[:n], nil
}

// A Segment is a part of a sound, in seconds.
type Segment struct {
	Start float64 `json:"start"`
	End   float64 `json:"end"`
}

// Speech begins in a window above on and ends in one below off, if quiet windows follow. It has least windows or more.
const (
	on, off = 0.5, 0.35
	quiet   = 100. / 1000 * rate / window
	least   = 250. / 1000 * rate / window
)

// Segments returns where speech is.
func Segments(probabilities []float32) []Segment {
	list := []Segment{}
	start, end := -1, -1 // of the speech, and of what may be its end
	stop := func(end int) {
		if float64(end-start) >= least {
			list = append(list, Segment{float64(start*window) / rate, float64(end*window) / rate})
		}
	}
	for i, p := range probabilities {
		switch {
		case p >= on:
			if start < 0 {
				start = i
			}
			end = -1
		case start >= 0 && p < off:
			if end < 0 {
				end = i
			}
			if float64(i-end+1) >= quiet {
				stop(end)
				start, end = -1, -1
			}
		}
	}
	if start >= 0 {
		stop(len(probabilities))
	}
	return list
}
