// Command mpi measures exchanges of 2 processes over package runtime/mpi. See run.sh.
package main

import (
	"context"
	"fmt"
	"log"
	"slices"
	"time"

	"github.com/weft-go/weft/runtime/mpi"
)

const blocks = 51

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
	for _, n := range []int{8, 1 << 10, 32 << 10, 4 << 20} {
		reps, in, out := 200, make([]byte, n), make([]byte, n*size)
		switch {
		case n > 100_000:
			reps = 4
		case n > 10_000:
			reps = 20
		}
		for _, what := range []string{"gather", "exchange", "permute"} {
			f := func() error { return t.Gather(ctx, group, in, out) }
			switch what {
			case "exchange":
				f = func() error { return t.Exchange(ctx, group, in, out[:n]) }
			case "permute":
				f = func() error { return t.Permute(ctx, (rank+1)%size, (rank+size-1)%size, in, out[:n]) }
			}
			var times []time.Duration
			for range blocks {
				if err := t.Gather(ctx, group, in[:1], out[:size]); err != nil {
					log.Fatal(err)
				}
				began := time.Now()
				for range reps {
					if err := f(); err != nil {
						log.Fatal(err)
					}
				}
				times = append(times, time.Since(began)/time.Duration(reps))
			}
			slices.Sort(times)
			us := func(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e3 }
			if rank == 0 {
				fmt.Printf("weft %s %d %.3f %.3f\n", what, n, us(times[0]), us(times[blocks/2]))
			}
		}
	}
	if err := t.Close(nil); err != nil {
		log.Fatal(err)
	}
}
