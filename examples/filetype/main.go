// Command filetype tells what files contain by the model of Google's Magika (https://github.com/google/magika, Apache License 2.0), which knows
// 214 types. The model is part of the package magika 1.0.3:
//
//	pip download --no-deps magika==1.0.3 && unzip -j magika-*.whl '*/standard_v3_3/model.onnx'
//	go run ./examples/filetype -model model.onnx FILE…
package main

import (
	_ "embed"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"strconv"
	"strings"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/onnx"
)

func main() {
	model := flag.String("model", "model.onnx", "the model, from the package magika")
	flag.Parse()
	t, err := NewTeller(*model)
	if err != nil {
		log.Fatal(err)
	}
	if err := t.Tell(os.Stdout, flag.Args()); err != nil {
		log.Fatal(err)
	}
}

// labels.tsv has a line for each of the model's results: its name, the type that it stands for, the least
// probability at which it counts, and the answer below that. testdata/compare.py wrote it.
//
//go:embed labels.tsv
var labelsFile string

// A label is a result of the model.
type label struct {
	name   string
	least  float32
	unsure string
}

// A Teller tells the types of files.
type Teller struct {
	labels []label
	scores func(features weft.Array) weft.Array
}

// NewTeller reads the model.
func NewTeller(name string) (*Teller, error) {
	m, err := onnx.LoadFile(name)
	if err != nil {
		return nil, err
	}
	t := &Teller{}
	for line := range strings.Lines(labelsFile) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		least, err := strconv.ParseFloat(f[2], 32)
		if err != nil {
			return nil, err
		}
		t.labels = append(t.labels, label{f[1], float32(least), f[3]})
	}
	rows := func(v []onnx.Value, size int) bool {
		return len(v) == 1 && len(v[0].Dims) == 2 && v[0].Dims[1].Size == size
	}
	if in, out := m.Inputs(), m.Outputs(); !rows(in, 2*side) || !rows(out, len(t.labels)) {
		return nil, fmt.Errorf("%s has the inputs %v and outputs %v; take standard_v3_3 of magika 1.0.3", name, in, out)
	}
	model := m.Func()
	t.scores = weft.Jit(func(x weft.Array) weft.Array { return model([]weft.Array{x})[0] })
	return t, nil
}

// batch is the largest number of files that the model sees at once.
const batch = 8

// Tell writes the type and the probability of each file.
func (t *Teller) Tell(w io.Writer, names []string) error {
	for len(names) > 0 {
		k := min(len(names), batch)
		if err := t.some(w, names[:k]); err != nil {
			return err
		}
		names = names[k:]
	}
	return nil
}

// some tells the types of a batch. The number of files that the model sees is padded to a power of two, so that few
// programs are compiled.
func (t *Teller) some(w io.Writer, names []string) error {
	types := make([]string, len(names))
	var rows []int32
	var asked []int
	for i, name := range names {
		x, few, err := fileFeatures(name)
		if err != nil {
			return err
		}
		if x == nil {
			types[i] = few + " 1.000"
			continue
		}
		rows, asked = append(rows, x...), append(asked, i)
	}
	if len(asked) > 0 {
		n := 1
		for n < len(asked) {
			n *= 2
		}
		rows = append(rows, make([]int32, (n-len(asked))*2*side)...)
		scores, err := weft.Try(func() weft.Array { return t.scores(weft.FromSlice(rows, n, 2*side)) })
		if err != nil {
			return err
		}
		all := weft.ToSlice[float32](scores)
		for k, i := range asked {
			types[i] = t.decide(all[k*len(t.labels) : (k+1)*len(t.labels)])
		}
	}
	for i, name := range names {
		if _, err := fmt.Fprintf(w, "%s: %s\n", name, types[i]); err != nil {
			return err
		}
	}
	return nil
}

// decide returns the likeliest type, or the answer that the label has if it is not likely enough, and its probability.
func (t *Teller) decide(scores []float32) string {
	best := 0
	for i, v := range scores {
		if v > scores[best] {
			best = i
		}
	}
	l := t.labels[best]
	if scores[best] < l.least {
		l.name = l.unsure
	}
	return fmt.Sprintf("%s %.3f", l.name, scores[best])
}

func fileFeatures(name string) ([]int32, string, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, "", err
	}
	if !info.Mode().IsRegular() {
		return nil, "", fmt.Errorf("%s is no file; name files", name)
	}
	return readFeatures(f, info.Size())
}
