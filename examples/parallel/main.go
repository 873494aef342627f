// Command parallel learns to read handwritten digits on four devices, each of which has a part of
// every batch. It writes checkpoints and goes on from the last one. It runs in one process, or as
// a job of one, two or four, with the same bits:
//
//	go run ./examples/parallel
//	mpiexec -n 4 parallel -o checkpoint
package main

import (
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log"
	"os"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/data"
	"github.com/weft-go/weft/examples/handwriting"
	"github.com/weft-go/weft/mesh"
	"github.com/weft-go/weft/nn"
	"github.com/weft-go/weft/optim"
	"github.com/weft-go/weft/random"
	"github.com/weft-go/weft/runtime/mpi"
)

func main() {
	dir := flag.String("o", "", "the directory of checkpoints, which all processes see; none are written if empty")
	steps := flag.Int("steps", 240, "how many batches to learn from")
	flag.Parse()
	t, err := mpi.Open()
	if err != nil {
		log.Fatal(err)
	}
	w := io.Writer(os.Stdout)
	if rank, _ := t.Rank(); rank > 0 {
		w = io.Discard
	}
	if err := mesh.Run(t, func() error { return run(w, *dir, *steps) }); err != nil {
		log.Fatal(err)
	}
}

const (
	devices = 4
	batch   = 64
	heldOut = 450
	every   = 80 // the number of steps between checkpoints
)

// Model is a network of two layers.
type Model struct{ Up, Down nn.Linear }

// Logits returns how much each picture looks like each digit.
func (m Model) Logits(pixels weft.Array) weft.Array {
	return m.Down.Apply(nn.Relu(m.Up.Apply(pixels)))
}

// State is what training changes.
type State struct {
	Model Model
	Opt   optim.Adam[Model]
	Step  weft.Array
}

func run(w io.Writer, dir string, steps int) error {
	digits, err := handwriting.Load()
	if err != nil {
		return err
	}
	test, train := data.Split(digits, heldOut, 1)
	m := mesh.New(mesh.Axis("data", devices))
	loss := mesh.DataParallel(m, "data", func(m Model, b handwriting.Digits) weft.Array {
		return nn.CrossEntropy(m.Logits(b.Pixels), b.Label).Mean()
	})
	step := weft.Jit(func(s State, b handwriting.Digits) (State, weft.Array) {
		l, g := weft.ValueAndGradAt(s.Model, func(m Model) weft.Array { return loss(m, b) })
		s.Model = s.Opt.Update(s.Model, g)
		s.Step = s.Step.Add(1)
		return s, l
	})

	key := random.New(3)
	model := Model{nn.NewLinear(key.FoldIn(0), 64, 64), nn.NewLinear(key.FoldIn(1), 64, 10)}
	s := State{model, optim.NewAdam(model, optim.AdamConfig{Rate: optim.Rate(3e-3)}), weft.Scalar(0)}
	if dir != "" {
		switch old, err := mesh.Load(dir, m, mesh.P(), s); {
		case err == nil:
			s = old
			fmt.Fprintf(w, "goes on from step %d\n", s.Step.Int())
		case !errors.Is(err, fs.ErrNotExist):
			return err
		}
	}
	n := data.Len(train) / batch
	for i := s.Step.Int(); i < steps; i++ {
		b := data.Slice(train, i%n*batch, i%n*batch+batch)
		var l weft.Array
		s, l = step(s, b)
		if i%40 == 39 {
			fmt.Fprintf(w, "step %3d  loss %.4f\n", i+1, l.Float())
		}
		if dir != "" && i%every == every-1 {
			if err := mesh.Save(dir, s); err != nil {
				return err
			}
		}
	}
	right := s.Model.Logits(test.Pixels).ArgMax(-1).Eq(test.Label)
	fmt.Fprintf(w, "%d of %d held out are right\n", right.AsType(weft.Int32).Sum().Int(), heldOut)
	bits := sha256.New()
	if err := weft.Save(bits, s.Model); err != nil {
		return err
	}
	fmt.Fprintf(w, "the weights' bits: %x\n", bits.Sum(nil)[:8])
	return nil
}
