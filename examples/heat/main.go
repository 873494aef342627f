// Command heat computes how heat spreads on a plate whose rows are cut among the devices of a mesh.
// In each step a device gets the rows beside its own from its neighbours. The result has the bits
// of the plate in one piece. It runs in one process, or as a job of two or four (mpiexec -n 4 heat).
package main

import (
	"fmt"
	"io"
	"log"
	"os"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/lax"
	"github.com/weft-go/weft/mesh"
	"github.com/weft-go/weft/runtime/mpi"
)

func main() {
	t, err := mpi.Open()
	if err != nil {
		log.Fatal(err)
	}
	w := io.Writer(os.Stdout)
	if rank, _ := t.Rank(); rank > 0 {
		w = io.Discard
	}
	if err := mesh.Run(t, func() error { return run(w) }); err != nil {
		log.Fatal(err)
	}
}

const (
	size    = 64
	devices = 4
	steps   = 200
)

// spread returns rows of the plate a step later, from the row above and the row below them. The
// rim is cold.
func spread(rows, above, below weft.Array) weft.Array {
	n := rows.Dim(0)
	all := weft.Concat(0, above, rows, below)
	side := weft.Zeros(n, 1)
	left := weft.Concat(1, side, rows.Index(weft.All, weft.R(0, size-1)))
	right := weft.Concat(1, rows.Index(weft.All, weft.R(1, size)), side)
	around := all.Index(weft.R(0, n)).Add(all.Index(weft.R(2, n+2))).Add(left).Add(right)
	return rows.Add(around.Sub(rows.Mul(4)).Mul(0.2))
}

// whole takes a step with the plate in one piece.
func whole(plate weft.Array) weft.Array {
	cold := weft.Zeros(1, size)
	return spread(plate, cold, cold)
}

// piece takes a step with a device's rows. Ppermute sends a row to each neighbour; the devices at
// the rim get zeros.
func piece(rows weft.Array) weft.Array {
	var down, up [][2]int
	for i := range devices - 1 {
		down, up = append(down, [2]int{i, i + 1}), append(up, [2]int{i + 1, i})
	}
	n := rows.Dim(0)
	above := lax.Ppermute(rows.Index(weft.R(n-1, n)), "rows", down...)
	below := lax.Ppermute(rows.Index(weft.R(0, 1)), "rows", up...)
	return spread(rows, above, below)
}

func after(step func(weft.Array) weft.Array) func(weft.Array) weft.Array {
	return weft.Jit(func(plate weft.Array) weft.Array {
		return weft.ForI(steps, func(_, plate weft.Array) weft.Array { return step(plate) }, plate)
	})
}

func run(w io.Writer) error {
	m := mesh.New(mesh.Axis("rows", devices))
	cut := mesh.ShardMap(piece, m, mesh.In(mesh.P("rows")), mesh.Out(mesh.P("rows")))

	plate := weft.Zeros(size, size).At(weft.R(14, 18), weft.R(30, 34)).Set(100.) // on the border of two devices
	fmt.Fprint(w, mesh.Draw(m, mesh.P("rows"), plate.Shape()))
	one := after(whole)(plate)
	many := mesh.Gather(after(cut)(mesh.Put(m, mesh.P("rows"), plate)))
	fmt.Fprintf(w, "\nafter %d steps along a column, from the hot place:\n", steps)
	for i := 16; i < size; i += 8 {
		fmt.Fprintf(w, "%2d %7.4f\n", i, many.Index(i, 32).Float())
	}
	fmt.Fprintf(w, "heat left: %.4f of 1600\nthe bits of the plate in one piece: %t\n", many.Sum().Float(), many.Equal(one))
	return nil
}
