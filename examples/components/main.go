// Command components finds the principal components of handwritten digits by singular values, draws the first ones, and reads
// digits by the nearest neighbour among their coordinates.
package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/examples/handwriting"
	"github.com/weft-go/weft/linalg"
)

func run(w io.Writer) error {
	d, err := handwriting.Load()
	if err != nil {
		return err
	}
	n := d.Pixels.Dim(0)
	mean := d.Pixels.Mean(0)
	centered := d.Pixels.Sub(mean)
	_, s, vh, err := linalg.TrySVD(centered)
	if err != nil {
		return err
	}
	variance := weft.Square(s)
	share := variance.CumSum().Div(variance.Sum())
	for _, k := range []int{1, 2, 5, 10, 20, 40} {
		fmt.Fprintf(w, "%2d components: %.1f %% of the variance\n", k, 100*share.Index(k-1).Float())
	}
	fmt.Fprintf(w, "%d of 64 pixels are not constant\n", linalg.MatrixRank(centered).Int())

	fmt.Fprintln(w, "the mean and the first three components:")
	pictures := []weft.Array{mean}
	for k := range 3 {
		v := vh.Index(k)
		// The sign of a component is free: its largest element is made positive.
		sign := weft.Sign(v.Index(weft.Abs(v).ArgMax()))
		pictures = append(pictures, v.Mul(sign))
	}
	for row := range 8 {
		var line strings.Builder
		for _, p := range pictures {
			top := weft.Abs(p).Max().Float()
			for column := range 8 {
				v := p.Index(8*row+column).Float() / top
				line.WriteByte(" .:-=+*#%@"[int(9.99*max(0, v))])
			}
			line.WriteString("   ")
		}
		fmt.Fprintln(w, strings.TrimRight(line.String(), " "))
	}

	train := n - 300
	read := weft.Jit(func(x weft.Array) weft.Array {
		a, b := x.Index(weft.R(0, train)), x.Index(weft.R(train, weft.End))
		distance := weft.Square(a).Sum(-1).Sub(b.MatMul(a.T()).Mul(2)) // without the squares of b, which change no order
		found := weft.Take(d.Label, distance.ArgMin(-1))
		return found.Eq(d.Label.Index(weft.R(train, weft.End))).AsType(weft.Int32).Sum()
	})
	for _, k := range []int{2, 5, 10, 20, 64} {
		coordinates := centered.MatMul(vh.Index(weft.R(0, k)).T())
		fmt.Fprintf(w, "nearest neighbour in %2d components: %d of 300 right\n", k, read(coordinates).Int())
	}
	return nil
}

func main() {
	if err := run(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
