// Command killed is a process of a job that loses one of its processes at first.
package main

import (
	"fmt"
	"log"
	"os"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/mpijob"
	"github.com/weft-go/weft/lax"
	"github.com/weft-go/weft/mesh"
	"github.com/weft-go/weft/runtime/mpi"
)

func main() {
	if err := mpijob.Redirect(); err != nil {
		log.Fatal(err)
	}
	t, err := mpi.Open()
	if err != nil {
		log.Fatal(err)
	}
	err = mesh.Run(t, func() error {
		total := mesh.ShardMap(func(a weft.Array) weft.Array { return lax.Psum(a.Sum(), "x") },
			mesh.New(mesh.Axis("x", 4)), mesh.In(mesh.P("x")), mesh.Out(mesh.P()))
		x := weft.Arange(8.)
		total(x)
		if rank, _ := t.Rank(); rank == 1 && os.Getenv("WEFT_RESTART") == "0" {
			p, _ := os.FindProcess(os.Getpid())
			p.Kill()
			select {}
		}
		fmt.Printf("sum %v after %s restarts\n", total(x), os.Getenv("WEFT_RESTART"))
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
}
