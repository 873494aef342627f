// Command mpi measures exchanges of 2 processes over package runtime/mpi. See run.sh.
package main

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/weft-go/weft/runtime/mpi"
)

func main() {
	t, err := mpi.Open()
	if err != nil {
		log.Fatal(err)
	}
	rank, size := t.Rank()
	var group []int
	for k := range size {
		group = append(group, k)
	}
	ctx := context.Background()
	for _, n := range []int{8, 4 << 20} {
		reps, in, out := 1000, make([]byte, n), make([]byte, n*size)
		if n > 1000 {
			reps = 4
		}
		for _, what := range []string{"gather", "exchange"} {
			f := func() error { return t.Gather(ctx, group, in, out) }
			if what == "exchange" {
				f = func() error { return t.Exchange(ctx, group, in, out[:n]) }
			}
			best := time.Hour
			for range 60 {
				if err := t.Gather(ctx, group, in[:1], out[:size]); err != nil {
					log.Fatal(err)
				}
				began := time.Now()
				for range reps {
					if err := f(); err != nil {
						log.Fatal(err)
					}
				}
				best = min(best, time.Since(began)/time.Duration(reps))
			}
			if rank == 0 {
				fmt.Printf("weft %s %d %.2f\n", what, n, float64(best.Nanoseconds())/1e3)
			}
		}
	}
	if err := t.Close(nil); err != nil {
		log.Fatal(err)
	}
}
