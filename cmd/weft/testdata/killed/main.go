// Command killed is a process of a job that trains with checkpoints. In the first run, a process is killed in the step
// that is the argument. It prints the losses.
package main

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/mpijob"
	"github.com/weft-go/weft/mesh"
	"github.com/weft-go/weft/random"
	"github.com/weft-go/weft/runtime/mpi"
)

// state is the contents of a checkpoint.
type state struct{ W, Losses weft.Array }

const steps = 6

func main() {
	if err := mpijob.Redirect(); err != nil {
		log.Fatal(err)
	}
	t, err := mpi.Open()
	if err != nil {
		log.Fatal(err)
	}
	rank, _ := t.Rank()
	dir, lost := os.Args[1], os.Args[2]
	if err := mesh.Run(t, func() error { return train(rank, dir, lost) }); err != nil {
		log.Fatal(err)
	}
}

func train(rank int, dir, lost string) error {
	m := mesh.New(mesh.Axis("data", 4))
	x, y := random.Normal(random.New(1), 8, 3), random.Normal(random.New(2), 8, 2)
	loss := mesh.DataParallel(m, "data", func(w, x, y weft.Array) weft.Array {
		return weft.Square(weft.Tanh(x.MatMul(w)).Sub(y)).Mean()
	})
	step := weft.Jit(func(s state) state {
		l, g := weft.ValueAndGrad(func(w weft.Array) weft.Array { return loss(w, x, y) })(s.W)
		return state{s.W.Sub(g.Mul(0.5)), weft.Concat(0, s.Losses.Index(weft.R(1, steps)), l.Reshape(1))}
	})
	s := state{random.Normal(random.New(3), 3, 2), weft.Zeros(steps)}
	begun := 0
	if _, err := os.Stat(filepath.Join(dir, "index.json")); err == nil {
		saved, err := mesh.Load(dir, m, mesh.P(), struct {
			S    state
			Step weft.Array
		}{s, weft.Arange(1)})
		if err != nil {
			return err
		}
		s, begun = saved.S, weft.ToSlice[int](saved.Step)[0]
	}
	for k := begun; k < steps; k++ {
		if fmt.Sprint(k) == lost && rank == 1 && os.Getenv("WEFT_RESTART") == "0" {
			p, _ := os.FindProcess(os.Getpid())
			p.Kill()
			select {}
		}
		s = step(s)
		err := mesh.Save(dir, struct {
			S    state
			Step weft.Array
		}{s, weft.Arange(k+1, k+2)})
		if err != nil {
			return err
		}
	}
	fmt.Printf("%x\nfrom step %d\n", weft.ToSlice[float32](s.Losses), begun)
	return nil
}
