package optim_test

import (
	"fmt"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/optim"
)

// Line is a model of two parameters.
type Line struct{ Slope, Offset weft.Array }

func (l Line) loss(x, y weft.Array) weft.Array {
	return weft.Square(x.Mul(l.Slope).Add(l.Offset).Sub(y)).Mean()
}

func Example() {
	x := weft.Arange(0., 4)
	y := x.Mul(2).Add(1)
	line := Line{weft.Zeros(), weft.Zeros()}
	opt := optim.NewAdam(line, optim.AdamConfig{Rate: optim.Rate(0.3)})
	step := weft.Jit(func(line *Line, opt *optim.Adam[Line], x, y weft.Array) weft.Array {
		loss, grad := weft.ValueAndGradAt(*line, func(l Line) weft.Array { return l.loss(x, y) })
		*line = opt.Update(*line, grad)
		return loss
	})
	for range 200 {
		step(&line, &opt, x, y)
	}
	fmt.Printf("%.2f x + %.2f after %v steps\n", line.Slope, line.Offset, opt.Step)
	// Output: 2.00 x + 1.00 after 200 steps
}

func ExampleNewSGD() {
	p := weft.Of(1., 2)
	opt := optim.NewSGD(p, optim.Rate(0.5))
	fmt.Println(opt.Update(p, weft.Of(1., -1)))
	// Output: [0.5 2.5]
}

func ExampleNewMomentum() {
	p := weft.Of(1.)
	opt := optim.NewMomentum(p, optim.MomentumConfig{Rate: optim.Rate(0.5), Decay: 0.5})
	for range 3 {
		p = opt.Update(p, weft.Of(1.))
		fmt.Println(p)
	}
	// Output:
	// [0.5]
	// [-0.25]
	// [-1.125]
}

func ExampleNewAdamW() {
	p := weft.Of(1., -2)
	opt := optim.NewAdamW(p, optim.AdamConfig{Rate: optim.Rate(0.1), Decay: 0.5})
	fmt.Printf("%.3f\n", opt.Update(p, weft.Of(3., 0)))
	// Output: [ 0.850 -1.900]
}

func ExampleNewRMSProp() {
	p := weft.Of(1., 1)
	opt := optim.NewRMSProp(p, optim.RMSPropConfig{Rate: optim.Rate(0.1)})
	fmt.Printf("%.3f\n", opt.Update(p, weft.Of(100., 0.01)))
	// Output: [0.684 0.684]
}

func ExampleClipByNorm() {
	grad := Line{weft.Scalar(30.), weft.Scalar(40.)}
	clipped, norm := optim.ClipByNorm(grad, 1)
	fmt.Printf("%.1f %.1f, before %v\n", clipped.Slope, clipped.Offset, norm)
	// Output: 0.6 0.8, before 50.0
}

func ExampleClipByValue() {
	fmt.Println(optim.ClipByValue(weft.Of(-3., 0.5, 2), 1))
	// Output: [-1.   0.5  1. ]
}

func ExampleWarmup() {
	s := optim.Warmup{Steps: 4, Then: optim.Cosine{From: 1, Steps: 8}}
	fmt.Printf("%.2f\n", weft.Vmap(s.At)(weft.Arange(0, 14, 2)))
	// Output: [0.00 0.50 1.00 0.85 0.50 0.15 0.00]
}

func ExampleExponential() {
	s := optim.Exponential{From: 1, Decay: 0.5, Steps: 10}
	fmt.Printf("%.3f\n", weft.Vmap(s.At)(weft.Of(0, 5, 10, 20)))
	// Output: [1.000 0.707 0.500 0.250]
}

func ExamplePiecewise() {
	s := optim.Piecewise{From: 1, Changes: []optim.Change{{Step: 10, By: 0.5}, {Step: 20, By: 0.1}}}
	fmt.Printf("%.2f\n", weft.Vmap(s.At)(weft.Of(9, 10, 30)))
	// Output: [1.00 0.50 0.05]
}
