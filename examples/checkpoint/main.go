// Command checkpoint saves a model and its optimizer in the middle of training, loads both
// in a fresh start, and goes on: the end is the same to the bit.
package main

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"os"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/optim"
	"github.com/weft-go/weft/random"
)

func main() {
	if err := run(os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// Layer is one layer of a network.
type Layer struct{ W, B weft.Array }

// Model is a network. Its activation is static: part of the program, not of the data, and
// not saved.
type Model struct {
	Layers []Layer
	Act    func(weft.Array) weft.Array
}

func newModel(k random.Key, sizes ...int) Model {
	m := Model{Act: weft.Tanh}
	for i, n := range sizes[1:] {
		m.Layers = append(m.Layers, Layer{random.Normal(k.FoldIn(i), sizes[i], n).Mul(0.5), weft.Zeros(n)})
	}
	return m
}

func (m Model) apply(x weft.Array) weft.Array {
	for i, l := range m.Layers {
		x = x.Dot(l.W).Add(l.B)
		if i+1 < len(m.Layers) {
			x = m.Act(x)
		}
	}
	return x
}

// Run is everything that training changes: a tree, which can be saved.
type Run struct {
	Model Model
	Opt   optim.Adam[Model]
}

var train = weft.Jit(func(r *Run, x, y weft.Array) (weft.Array, error) {
	loss, grad := weft.ValueAndGradAt(r.Model, func(m Model) weft.Array { return weft.Square(m.apply(x).Sub(y)).Mean() })
	r.Model = r.Opt.Update(r.Model, grad)
	return loss, nil
})

func begin() Run {
	m := newModel(random.New(2), 1, 16, 1)
	return Run{m, optim.NewAdam(m, optim.AdamConfig{Rate: optim.Rate(0.02)})}
}

func run(w io.Writer) error {
	x := weft.Linspace(-3, 3, 64).ExpandDims(1)
	y := weft.Sin(x)
	steps := func(r *Run, n int) (loss weft.Array, err error) {
		for range n {
			if loss, err = train(r, x, y); err != nil {
				return loss, err
			}
		}
		return loss, nil
	}

	r := begin()
	loss, err := steps(&r, 100)
	if err != nil {
		return err
	}
	var file bytes.Buffer // a file, or anything else that is an io.Writer
	if err := weft.Save(&file, r); err != nil {
		return err
	}
	fmt.Fprintf(w, "after 100 steps the loss is %.6f; saved in %d bytes\n", loss.Float(), file.Len())

	// A fresh start: the structure comes from the program, the numbers from the file.
	fresh := begin()
	if err := weft.Load(bytes.NewReader(file.Bytes()), &fresh); err != nil {
		return err
	}
	a, err := steps(&r, 100)
	if err != nil {
		return err
	}
	b, err := steps(&fresh, 100)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "after 200 steps            %.6f\n", a.Float())
	fmt.Fprintf(w, "loaded, after 100 more     %.6f, the same bits: %v\n", b.Float(), a.Equal(b) && r.Model.Layers[0].W.Equal(fresh.Model.Layers[0].W))

	// Loading a file that does not fit is an error that names the reason, and changes nothing.
	small := Run{newModel(random.New(2), 1, 8, 1), r.Opt}
	fmt.Fprintf(w, "\nloading it into another network: %v\n", weft.Load(bytes.NewReader(file.Bytes()), &small.Model) != nil)

	var names map[string]weft.Array
	if err := weft.Load(bytes.NewReader(file.Bytes()), &names); err != nil {
		return err
	}
	fmt.Fprintf(w, "the file contains %d arrays, such as Model.Layers.0.W, %v %v\n", len(names), names["Model.Layers.0.W"].DType(), names["Model.Layers.0.W"].Shape())
	return nil
}
