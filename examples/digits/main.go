// Command digits learns to read handwritten digits: 8×8 pictures, a network of two
// layers, Adam. It prints the program of the loss before and after Grad, and writes
// the course of the loss and the digits that it misreads as pictures.
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"time"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/data"
	"github.com/weft-go/weft/examples/handwriting"
	"github.com/weft-go/weft/optim"
	"github.com/weft-go/weft/random"
	_ "github.com/weft-go/weft/runtime/cuda"   // devices for --on
	_ "github.com/weft-go/weft/runtime/opencl" // drivers are loaded only when a device is asked for
)

func main() {
	c := config{}
	flag.IntVar(&c.epochs, "epochs", 60, "how often to go through the digits")
	flag.Uint64Var(&c.seed, "seed", 0, "of the weights and of the order of the digits")
	flag.StringVar(&c.dir, "o", ".", "where to write loss.png, loss.svg and misread.png")
	flag.StringVar(&c.on, "on", "", "the device: cuda, opencl, or a name as cuda:1; the default one if empty")
	flag.Parse()
	if err := runOn(os.Stdout, os.Stderr, c); err != nil {
		log.Fatal(err)
	}
}

type config struct {
	epochs int
	seed   uint64
	dir    string
	on     string
}

// runOn runs on the device that c names.
func runOn(w, screen io.Writer, c config) (err error) {
	if c.on == "" {
		return run(w, screen, c)
	}
	name := c.on
	if name == "cuda" || name == "opencl" {
		name += ":0"
	}
	d, err := weft.Try(func() weft.Device { return weft.DeviceNamed(name) })
	if err != nil {
		return err
	}
	weft.With(weft.DefaultDevice(d), func() { err = run(w, screen, c) })
	return err
}

const (
	heldOut = 450
	batch   = 64
)

// step is one step of training, traced once and run as a program. It changes what the
// pointers point to.
var step = weft.Jit(func(s *State, b Digits) (weft.Array, error) {
	key, sub := s.Key.Split()
	b.Pixels = b.Pixels.Add(random.Normal(sub, b.Pixels.Shape()...).Mul(0.2)) // noise, so that no picture is learnt by heart
	loss, grad := weft.ValueAndGradAt(s.Model, func(m Model) weft.Array { return m.Loss(b) })
	s.Key, s.Model = key, s.Opt.Update(s.Model, grad)
	return loss, nil
})

// State is what a step of training changes.
type State struct {
	Model Model
	Opt   optim.Adam[Model]
	Key   random.Key
}

// read returns the digits that the model sees in pictures.
var read = weft.Jit(func(m Model, pixels weft.Array) weft.Array { return m.Logits(pixels).ArgMax(-1) })

// run trains and reports to w. If screen is a terminal, run shows the progress there.
func run(w, screen io.Writer, c config) error {
	digits, err := handwriting.Load()
	if err != nil {
		return err
	}
	// The split is always the same, regardless of the seed.
	test, train := data.Split(digits, heldOut, 1)
	fmt.Fprintf(w, "%d digits to learn from, %d held out\n\n", data.Len(train), data.Len(test))

	key, sub := random.New(c.seed).Split()
	state := State{Model: NewModel(sub), Key: key}
	if err := show(w, state.Model, data.Slice(train, 0, batch)); err != nil {
		return err
	}

	steps := c.epochs * (data.Len(train) / batch)
	state.Opt = optim.NewAdamW(state.Model, optim.AdamConfig{Rate: optim.Cosine{From: 1e-2, Steps: max(steps, 1)}, Decay: 0.05})
	bar := newProgress(screen, steps)
	start := time.Now()
	var losses []float64
	seen := 0
	for epoch, b := range data.Epochs(train, c.epochs, batch, data.DropRest, c.seed) {
		loss, err := step(&state, b)
		if err != nil {
			return err
		}
		losses = append(losses, loss.Float())
		bar.Add(loss.Float())
		if seen++; seen%(10*(data.Len(train)/batch)) == 0 {
			bar.Pause()
			fmt.Fprintf(w, "epoch %2d: loss %.4f, %d of %d held out are right\n", epoch+1, loss.Float(), right(state.Model, test), heldOut)
		}
	}
	bar.Pause()
	fmt.Fprintf(screen, "learnt for %.1f s\n", time.Since(start).Seconds())

	n := right(state.Model, test)
	fmt.Fprintf(w, "\nread %d of %d digits of the test set: %.1f %%\n", n, heldOut, 100*float64(n)/heldOut)
	if err := drawLoss(c.dir, losses); err != nil {
		return err
	}
	wrong, err := drawMisread(c.dir, state.Model, test)
	if err != nil {
		return err
	}
	for _, s := range wrong {
		fmt.Fprintln(w, s)
	}
	fmt.Fprintln(w, "\nwrote loss.png, loss.svg and misread.png")
	return nil
}

// right returns how many digits the model reads correctly.
func right(m Model, d Digits) int { return read(m, d.Pixels).Eq(d.Label).Sum().Int() }

// show prints the program of the loss of a small model, and that of its gradient. Both
// are ordinary functions until they are traced.
func show(w io.Writer, m Model, b Digits) error {
	loss := func(m Model, b Digits) weft.Array { return m.Loss(b) }
	grad := func(m Model, b Digits) Model {
		return weft.GradAt(m, func(m Model) weft.Array { return loss(m, b) })
	}
	before, err := weft.Jaxpr(loss, m, b)
	if err != nil {
		return err
	}
	after, err := weft.Jaxpr(grad, m, b)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "the loss of a batch\n%v\n\nits gradient\n%v\n\n", before, after)
	return nil
}
