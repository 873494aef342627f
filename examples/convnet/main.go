// Command convnet trains a small convolutional network on handwritten digits, with batch norm,
// dropout and a schedule, keeps a checkpoint after each epoch, resumes from it to the same bits,
// and serves the network over HTTP.
//
//	go run ./examples/convnet -o run
//	go run ./examples/convnet -o run -resume -epochs 12
//	go run ./examples/convnet -o run -listen :8080
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"path/filepath"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/data"
	"github.com/weft-go/weft/examples/curve"
	"github.com/weft-go/weft/examples/handwriting"
)

type config struct {
	epochs int
	total  int // epochs that the schedule is made for
	seed   uint64
	dir    string
	resume bool
}

func main() {
	c := config{}
	flag.IntVar(&c.epochs, "epochs", 8, "train up to this epoch")
	flag.IntVar(&c.total, "total", 8, "the epochs that the learning rate is planned for")
	flag.Uint64Var(&c.seed, "seed", 0, "of the weights and of the order of the digits")
	flag.StringVar(&c.dir, "o", ".", "the folder of convnet.safetensors and loss.svg")
	flag.BoolVar(&c.resume, "resume", false, "go on from convnet.safetensors")
	listen := flag.String("listen", "", "serve the network of convnet.safetensors at this address instead")
	flag.Parse()
	err := error(nil)
	if *listen != "" {
		err = serve(*listen, c)
	} else {
		_, err = run(os.Stdout, c)
	}
	if err != nil {
		log.Fatal(err)
	}
}

const (
	heldOut = 450
	batch   = 64
)

// stepsOf returns the number of steps of an epoch.
func stepsOf(d handwriting.Digits) int { return data.Len(d) / batch }

// run trains and returns the last state.
func run(w io.Writer, c config) (State, error) {
	digits, err := handwriting.Load()
	if err != nil {
		return State{}, err
	}
	test, train := data.Split(digits, heldOut, 1)
	s := newState(c.seed, c.total*stepsOf(train))
	if c.resume {
		if err := load(c, &s); err != nil {
			return State{}, err
		}
		fmt.Fprintf(w, "resumed after epoch %d\n", s.Epoch.Int())
	}
	var losses []float64
	for epoch := s.Epoch.Int(); epoch < c.epochs; epoch++ {
		// The order of each epoch follows from the seed and its number, so that a resumed training
		// computes what an uninterrupted one would.
		for b := range data.Batches(data.Shuffle(train, c.seed+uint64(epoch)), batch, data.DropRest) {
			loss, err := step(&s, b)
			if err != nil {
				return State{}, err
			}
			losses = append(losses, loss.Float())
		}
		s.Epoch = weft.Scalar(int32(epoch + 1))
		fmt.Fprintf(w, "epoch %d: loss %.4f, %d of %d held out are right\n", epoch+1, losses[len(losses)-1], right(s.Model, test), heldOut)
		if err := save(c, s); err != nil {
			return State{}, err
		}
	}
	if len(losses) == 0 {
		return s, nil
	}
	return s, draw(c, losses)
}

// right returns the number of digits that the model reads correctly.
func right(m Model, d handwriting.Digits) int {
	return read(m, d.Pixels).ArgMax(-1).Eq(d.Label).Sum().Int()
}

func (c config) file() string { return filepath.Join(c.dir, "convnet.safetensors") }

// save writes the state to a new file, which then replaces the old checkpoint, so that there is always
// a complete one.
func save(c config, s State) error {
	f, err := os.CreateTemp(c.dir, "checkpoint-*")
	if err != nil {
		return err
	}
	err = errors.Join(weft.Save(f, s), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), c.file())
	}
	return err
}

// load reads a checkpoint into a state of the same structure.
func load(c config, s *State) error {
	f, err := os.Open(c.file())
	if err != nil {
		return err
	}
	defer f.Close()
	return weft.Load(f, s)
}

func draw(c config, losses []float64) error {
	f, err := os.Create(filepath.Join(c.dir, "loss.svg"))
	if err != nil {
		return err
	}
	return errors.Join(curve.SVG(f, "A convolutional network reads digits", curve.Line{Name: "loss of each batch", Values: losses}), f.Close())
}

// serve answers POST /read, whose body is {"pixels": [[…]]}: pictures of 64 numbers from 0 to 1.
func serve(address string, c config) error {
	s := newState(c.seed, 1)
	if err := load(c, &s); err != nil {
		return err
	}
	http.Handle("POST /read", handler(s.Model))
	log.Printf("reading digits at %s/read", address)
	return http.ListenAndServe(address, nil)
}
