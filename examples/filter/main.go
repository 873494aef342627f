// Command filter sharpens and edge-detects a picture: the filter is a function of one
// pixel's neighbourhood, and Vmap, twice, runs it on all of them. It draws the results
// with characters.
package main

import (
	"fmt"
	"io"
	"log"
	"os"
	"strings"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/lax"
)

func main() {
	if err := run(os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// A pixel function receives the 3×3 pixels around one.
type pixel func(around weft.Array) weft.Array

// blur returns the mean with the middle weighted most.
func blur(a weft.Array) weft.Array {
	k := weft.Of(1., 2, 1)
	return a.Mul(weft.Outer(k, k)).Sum().Div(16.)
}

// edges returns the length of the slope.
func edges(a weft.Array) weft.Array {
	k := weft.Outer(weft.Of(1., 2, 1), weft.Of(-1., 0, 1)) // Sobel's
	dx, dy := a.Mul(k).Sum(), a.Mul(k.T()).Sum()
	return weft.Sqrt(weft.Square(dx).Add(weft.Square(dy)).Add(1e-12)).Div(4.)
}

// median removes single wrong pixels, which no weighted mean does.
func median(a weft.Array) weft.Array { return weft.Median(a) }

// everywhere returns a function that applies f at every pixel of a picture.
func everywhere(f pixel) func(weft.Array) weft.Array {
	return weft.Jit(func(picture weft.Array) weft.Array {
		rows, cols := picture.Dim(0), picture.Dim(1)
		wide := weft.Pad(picture, [][2]int{{1, 1}}, weft.PadConfig{Mode: weft.PadEdge})
		at := func(i, j weft.Array) weft.Array { return f(lax.DynamicSlice(wide, []weft.Array{i, j}, 3, 3)) }
		row := func(i weft.Array) weft.Array {
			return weft.Vmap(func(j weft.Array) weft.Array { return at(i, j) })(weft.Arange(cols))
		}
		return weft.Vmap(row)(weft.Arange(rows))
	})
}

// scene returns a disc on a slope of grey, with some pixels wrong.
func scene(rows, cols int) weft.Array {
	g := weft.Meshgrid(weft.GridIJ, weft.Linspace(-1, 1, rows), weft.Linspace(-1.6, 1.6, cols))
	y, x := g[0], g[1]
	disc := weft.Square(x.Add(0.4)).Add(weft.Square(y)).Lt(0.45)
	picture := weft.Where(disc, 1., x.Mul(0.12).Add(0.25))
	wrong := weft.Iota(weft.Int32, 0, rows, cols).Mul(31).Add(weft.Iota(weft.Int32, 1, rows, cols).Mul(17)).Mod(29).Eq(0)
	return weft.Where(wrong, weft.Sub(1., picture), picture)
}

// draw shows a picture with characters from dark to light.
func draw(w io.Writer, name string, picture weft.Array) {
	const shades = " .:-=+*#%@"
	fmt.Fprintln(w, name)
	level := weft.Clip(picture.Mul(float64(len(shades)-1)), 0., float64(len(shades)-1))
	for _, row := range weft.Round(level).AsType(weft.Int32).Rows() {
		var line strings.Builder
		for k := range weft.Values[int32](row) {
			line.WriteByte(shades[k])
		}
		fmt.Fprintln(w, strings.TrimRight(line.String(), " "))
	}
	fmt.Fprintln(w)
}

func run(w io.Writer) error {
	picture := scene(18, 56)
	clean := everywhere(median)(picture)
	draw(w, "scene", picture)
	draw(w, "median", clean)
	draw(w, "edges of the median", everywhere(edges)(clean))
	sharp := clean.Mul(2.).Sub(everywhere(blur)(clean))
	fmt.Fprintf(w, "sharpened: contrast %.3f, before %.3f\n", sharp.Max().Sub(sharp.Min()).Float(), clean.Max().Sub(clean.Min()).Float())

	// A filter is a function like any other: the slope of the picture's mean brightness
	// with respect to each pixel.
	g := weft.Grad(func(p weft.Array) weft.Array { return everywhere(blur)(p).Mean() })(picture)
	fmt.Fprintf(w, "each pixel's share in the blurred mean, times their number: from %.3f to %.3f\n", g.Min().Mul(18*56.).Float(), g.Max().Mul(18*56.).Float())
	return nil
}
