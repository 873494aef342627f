// Command mpi measures exchanges of 2 processes over package runtime/mpi. See run.sh. With the
// argument sums it measures programs that add up over a mesh, each process bound to a processor of
// its own (mpiexec -bind-to core), and compares them with the model of weft show --mesh: an exchange
// takes the time alpha plus its bytes divided by beta.
package main

import (
	"context"
	"fmt"
	"log"
	"math"
	"os"
	"slices"
	"time"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/lax"
	"github.com/weft-go/weft/mesh"
	"github.com/weft-go/weft/runtime/mpi"
)

const (
	blocks = 51
	warmup = 64 << 20 // bytes summed before runs are timed: by then new arrays reuse the memory of collected ones
)

func main() {
	t, err := mpi.Open()
	if err != nil {
		log.Fatal(err)
	}
	rank, size := t.Rank()
	if len(os.Args) > 1 && os.Args[1] == "sums" {
		if err := mesh.Run(t, func() error { return sums(rank) }); err != nil {
			log.Fatal(err)
		}
		return
	}
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

// sums prints the median times of sums of 1 KB to 64 MB, and the times of the model whose alpha and beta
// fit them best. A run has two exchanges: one of 32 bytes at its beginning, and that of the operand.
func sums(rank int) error {
	m := mesh.New(mesh.Axis("d", 2))
	sum := weft.Jit(mesh.ShardMap(func(x weft.Array) weft.Array { return lax.Psum(x, "d") }, m, mesh.In(mesh.P("d")), mesh.Out(mesh.P())))
	var sizes, times []float64
	for n := 1 << 10; n <= 64<<20; n *= 4 {
		x := mesh.Put(m, mesh.P("d"), weft.Ones(2*n/4))
		var all []time.Duration
		warm := warmup / n
		for i := range warm + max(blocks, warm) {
			began := time.Now()
			sum(x).Index(0).Float()
			if i >= warm {
				all = append(all, time.Since(began))
			}
		}
		slices.Sort(all)
		sizes, times = append(sizes, float64(n)+32), append(times, all[len(all)/2].Seconds())
	}
	// The best alpha and beta are those for which the worst ratio of a time and the model is smallest.
	best, alpha, beta := math.Inf(1), 0.0, 0.0
	for a := 1e-6; a < 1e-2; a *= 1.05 {
		for b := 1e8; b < 1e11; b *= 1.05 {
			worst := 1.0
			for i, n := range sizes {
				r := times[i] / (2*a + n/b)
				worst = max(worst, r, 1/r)
			}
			if worst < best {
				best, alpha, beta = worst, a, b
			}
		}
	}
	if rank == 0 {
		fmt.Printf("alpha %.3g s, beta %.3g B/s, worst ratio %.2f\n", alpha, beta, best)
		for i, n := range sizes {
			fmt.Printf("%.0f %.3g s, model %.3g s, ratio %.2f\n", n-32, times[i], 2*alpha+n/beta, times[i]/(2*alpha+n/beta))
		}
	}
	return nil
}
