// Command browser fits a curve in a web page: its numbers are computed by WebAssembly with vectors,
// which the program generates while it runs. Outside of a page it is an ordinary program.
package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/weft-go/weft"
)

func main() {
	run(os.Stdout)
	fmt.Println("on", weft.Device{})
}

const waves = 8

// curve returns the sum of waves of the given heights at x.
func curve(heights, x weft.Array) weft.Array {
	n := weft.Arange(waves).AsType(weft.Float32).Add(1)
	return weft.Sin(x.ExpandDims(1).Mul(n)).MatMul(heights)
}

func loss(heights, x, y weft.Array) weft.Array { return weft.Square(curve(heights, x).Sub(y)).Mean() }

// fit takes 200 steps of gradient descent.
var fit = weft.Jit(func(heights, x, y weft.Array) weft.Array {
	return weft.ForI(200, func(_, h weft.Array) weft.Array {
		return h.Sub(weft.Grad(func(h weft.Array) weft.Array { return loss(h, x, y) })(h).Mul(0.5))
	}, heights)
})

// run fits waves to a sawtooth, whose waves have the heights 2/1, −2/2, 2/3, …
func run(w io.Writer) {
	const points = 20_000
	x := weft.Arange(points).AsType(weft.Float32).Mul(6.2831855 / points).Sub(3.1415927)
	heights := fit(weft.Zeros(waves), x, x)
	for i := range waves {
		h := heights.Index(i).Float()
		fmt.Fprintf(w, "sin %dx %6.3f %s\n", i+1, h, strings.Repeat("#", int(20*max(h, -h)+0.5)))
	}
}
