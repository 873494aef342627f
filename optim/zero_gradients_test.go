package optim_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/optim"
)

type zeroModel struct{ B, W weft.Array }

// stepOf returns a step of an optimizer that is made anew, so that a step leaves no traced state.
type stepOf func(p zeroModel) func(p, g zeroModel) zeroModel

// stepper makes a stepOf from a constructor.
func stepper[O any, U interface {
	*O
	optim.Optimizer[zeroModel]
}](make func(p zeroModel) O) stepOf {
	return func(p zeroModel) func(p, g zeroModel) zeroModel {
		o := make(p)
		return func(p, g zeroModel) zeroModel { return U(&o).Update(p, g) }
	}
}

var zeroSteppers = map[string]stepOf{
	"NewSGD": stepper(func(p zeroModel) optim.SGD[zeroModel] { return optim.NewSGD(p, optim.Rate(0.1)) }),
	"NewMomentum": stepper(func(p zeroModel) optim.Momentum[zeroModel] {
		return optim.NewMomentum(p, optim.MomentumConfig{Rate: optim.Rate(0.1), Nesterov: true})
	}),
	"NewAdam": stepper(func(p zeroModel) optim.Adam[zeroModel] {
		return optim.NewAdam(p, optim.AdamConfig{Rate: optim.Rate(0.1)})
	}),
	"NewAdam, EpsRoot": stepper(func(p zeroModel) optim.Adam[zeroModel] {
		return optim.NewAdam(p, optim.AdamConfig{Rate: optim.Rate(0.1), EpsRoot: 1e-6})
	}),
	"NewAdam, no Eps": stepper(func(p zeroModel) optim.Adam[zeroModel] {
		return optim.NewAdam(p, optim.AdamConfig{Rate: optim.Rate(0.1), Eps: -1})
	}),
	"NewAdamW": stepper(func(p zeroModel) optim.Adam[zeroModel] {
		return optim.NewAdamW(p, optim.AdamConfig{Rate: optim.Rate(0.1)})
	}),
	"NewNadam": stepper(func(p zeroModel) optim.Adam[zeroModel] {
		return optim.NewNadam(p, optim.AdamConfig{Rate: optim.Rate(0.1)})
	}),
	"NewRMSProp": stepper(func(p zeroModel) optim.RMSProp[zeroModel] {
		return optim.NewRMSProp(p, optim.RMSPropConfig{Rate: optim.Rate(0.1), Momentum: 0.9})
	}),
	"NewRMSProp, no Eps": stepper(func(p zeroModel) optim.RMSProp[zeroModel] {
		return optim.NewRMSProp(p, optim.RMSPropConfig{Rate: optim.Rate(0.1), Eps: -1})
	}),
	"NewLion": stepper(func(p zeroModel) optim.Lion[zeroModel] {
		return optim.NewLion(p, optim.LionConfig{Rate: optim.Rate(0.1)})
	}),
	"NewAdagrad": stepper(func(p zeroModel) optim.Adagrad[zeroModel] {
		return optim.NewAdagrad(p, optim.AdagradConfig{Rate: optim.Rate(0.1)})
	}),
	"NewAdagrad, from 0": stepper(func(p zeroModel) optim.Adagrad[zeroModel] {
		return optim.NewAdagrad(p, optim.AdagradConfig{Rate: optim.Rate(0.1), Start: -1, Eps: -1})
	}),
	"NewAdafactor": stepper(func(p zeroModel) optim.Adafactor[zeroModel] { return optim.NewAdafactor(p, optim.AdafactorConfig{}) }),
	"NewAdafactor, factored": stepper(func(p zeroModel) optim.Adafactor[zeroModel] {
		return optim.NewAdafactor(p, optim.AdafactorConfig{Size: 2, Momentum: 0.9})
	}),
	"NewLBFGS": stepper(func(p zeroModel) optim.LBFGS[zeroModel] {
		return optim.NewLBFGS(p, optim.LBFGSConfig{Rate: optim.Rate(0.1), Memory: 3})
	}),
	"NewParts": stepper(func(p zeroModel) optim.Parts[zeroModel] {
		return optim.NewParts(p, optim.Part[zeroModel]{New: func(p zeroModel) optim.Optimizer[zeroModel] {
			o := optim.NewAdam(p, optim.AdamConfig{Rate: optim.Rate(0.1)})
			return &o
		}})
	}),
	"NewAccumulate": stepper(func(p zeroModel) optim.Accumulate[zeroModel] {
		o := optim.NewAdam(p, optim.AdamConfig{Rate: optim.Rate(0.1)})
		return optim.NewAccumulate(p, &o, 2)
	}),
	"NewAverage": func(p zeroModel) func(p, g zeroModel) zeroModel {
		o := optim.NewAverage(p, 0.9)
		return func(p, g zeroModel) zeroModel {
			return o.Update(weft.TreeMap2(func(p, g weft.Array) weft.Array { return p.Add(g) }, p, g))
		}
	},
	"ClipByNorm": func(zeroModel) func(p, g zeroModel) zeroModel {
		return func(_, g zeroModel) zeroModel { g, _ = optim.ClipByNorm(g, 1); return g }
	},
	"ClipByValue": func(zeroModel) func(p, g zeroModel) zeroModel {
		return func(_, g zeroModel) zeroModel {
			if g.W.DType().IsComplex() {
				return g
			}
			return optim.ClipByValue(g, 1)
		}
	},
	"Norm": func(zeroModel) func(p, g zeroModel) zeroModel {
		return func(_, g zeroModel) zeroModel { return zeroModel{optim.Norm(g), g.W} }
	},
}

// The derivatives of three steps of every optimizer, with respect to the gradients and to the
// parameters, are finite where all gradients and parameters, or some of them, are 0, as those of
// units that are dead.
func TestDerivativesAtZeroGradients(t *testing.T) {
	for name, start := range zeroSteppers {
		for _, dt := range []weft.DType{weft.Float32, weft.Float64, weft.Float16, weft.BFloat16, weft.Complex64} {
			for k, g := range []zeroModel{
				{weft.Zeros(2), weft.Zeros(3, 4)},
				{weft.Of(1., 0), weft.Arange(12.).Reshape(3, 4).Sub(4)},
			} {
				g = weft.TreeMap(func(x weft.Array) weft.Array { return x.AsType(dt) }, g)
				p := g
				sum := func(in [2]zeroModel) weft.Array {
					step := start(in[0])
					p := in[0]
					total := weft.ZerosOf(dt.Real())
					for range 3 {
						p = step(p, in[1])
						for _, x := range weft.TreeLeaves(p) {
							total = total.Add(x.Real().Sum())
						}
					}
					return total
				}
				in := [2]zeroModel{p, g}
				if v := sum(in).Float(); math.IsNaN(v) || math.IsInf(v, 0) {
					t.Errorf("%s of %v, gradients %d: the parameters sum to %v", name, dt, k, v)
				}
				for path, x := range weft.TreeLeaves(weft.Grad(sum)(in)) {
					if dt == weft.Float16 && k == 0 { // whose largest number is 65504: the derivative 0.1/1e-8 leaves it
						x = weft.Where(weft.IsInf(x), 0, x)
					}
					if !weft.IsFinite(x).All().Bool() {
						t.Errorf("%s of %v, gradients %d: the derivative by %s is %v, want finite numbers", name, dt, k, path, x)
					}
				}
			}
		}
	}
}

// Every function of the package that makes an optimizer is in the table above.
func TestEveryOptimizerIsDifferentiated(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Recv == nil && strings.HasPrefix(d.Name.Name, "New") {
				n++
				if zeroSteppers[d.Name.Name] == nil {
					t.Errorf("%s is not in zeroSteppers; add it", d.Name.Name)
				}
			}
		}
	}
	if n < 10 {
		t.Errorf("found %d constructors, want 10 or more", n)
	}
}

// The first step of Adam at the gradient 0 has a true derivative, −rate/ε, which is found; with
// EpsRoot it is −rate/(√EpsRoot + ε).
func TestAdamDerivativeAtZero(t *testing.T) {
	for _, c := range []struct{ eps, root, want float64 }{{0, 0, -0.1 / 1e-8}, {1e-3, 0, -100}, {1e-8, 1e-4, -0.1 / (1e-2 + 1e-8)}} {
		step := func(g weft.Array) weft.Array {
			o := optim.NewAdam(g, optim.AdamConfig{Rate: optim.Rate(0.1), Eps: c.eps, EpsRoot: c.root})
			return o.Update(weft.FromSlice([]float64{2}, 1).Index(0), g)
		}
		got := weft.Grad(step)(weft.FromSlice([]float64{0}, 1).Index(0)).Float()
		if d := math.Abs(got/c.want - 1); !(d < 1e-6) { // the rate is f32
			t.Errorf("%s: got %v, want %v", fmt.Sprintf("Eps %v, EpsRoot %v", c.eps, c.root), got, c.want)
		}
	}
}

// The derivative of a minimum by a number of the function is finite where the search begins at it.
func TestMinimizeDerivative(t *testing.T) {
	at := func(a weft.Array) weft.Array {
		return optim.Minimize(func(x weft.Array) weft.Array { return weft.Square(x.Sub(a)).Sum() }, weft.FromSlice([]float64{0}), optim.MinimizeConfig{Tolerance: 1e-12}).X.Sum()
	}
	for _, a := range []float64{0, 2} {
		x := weft.FromSlice([]float64{a}, 1).Index(0)
		_, d := weft.JVP(at, x, weft.OnesLike(x))
		want := 1.
		if a == 0 { // no step is taken
			want = 0
		}
		if got := d.Float(); !(math.Abs(got-want) < 1e-9) {
			t.Errorf("at %v: got %v, want %v", a, got, want)
		}
	}
}
