package optim_test

import (
	"bytes"
	_ "embed"
	"fmt"
	"math"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/goldenfile"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/optim"
)

//go:embed testdata/optax.jsonl
var optax []byte // made by testdata/make_optax.py

// params are the parameters in the data, with an integer that no optimizer may change.
type params struct {
	B, W  weft.Array
	Count weft.Array
}

type leafData map[string][]float64

func (d leafData) params(dt weft.DType, count weft.Array) params {
	make := func(x []float64, dims ...int) weft.Array {
		if dt.IsComplex() {
			c := weft.FromSlice(x).Reshape(-1, 2)
			return weft.FromSlice(complexes(c)).Reshape(dims...).AsType(dt)
		}
		return weft.FromSlice(x).Reshape(dims...).AsType(dt)
	}
	return params{B: make(d["b"]), W: make(d["w"], 2, 3), Count: count}
}

func complexes(pairs weft.Array) []complex128 {
	v := weft.ToSlice[float64](pairs)
	out := make([]complex128, len(v)/2)
	for i := range out {
		out[i] = complex(v[2*i], v[2*i+1])
	}
	return out
}

type optaxRecord struct {
	Fn, Dtype string
	Config    struct {
		Rate, Decay, Beta1, Beta2, Eps, Momentum, Most, From, To, Least, Power, Clip float64
		Nesterov, Stairs, Absolute                                                   bool
		Steps, Warmup, Size, Begin                                                   int
		Changes                                                                      [][2]float64
	}
	Start leafData
	Steps []struct{ Grad, After leafData }
	Rates []float64
}

func readOptax(t *testing.T) []optaxRecord {
	var out []optaxRecord
	for r := range goldenfile.Records[optaxRecord](t, bytes.NewReader(optax)) {
		if r.Fn != "" {
			out = append(out, r)
		}
	}
	return out
}

// optimizer returns the optimizer of a record, made for p, and the function that is applied to
// gradients first.
func optimizer(r optaxRecord, p params) (optim.Optimizer[params], func(params) params) {
	same := func(g params) params { return g }
	c := r.Config
	rate := optim.Rate(c.Rate)
	switch r.Fn {
	case "sgd":
		o := optim.NewSGD(p, rate)
		return &o, same
	case "momentum":
		o := optim.NewMomentum(p, optim.MomentumConfig{Rate: rate, Decay: c.Decay, Nesterov: c.Nesterov})
		return &o, same
	case "adam":
		o := optim.NewAdam(p, optim.AdamConfig{Rate: rate, Beta1: c.Beta1, Beta2: c.Beta2, Eps: c.Eps})
		return &o, same
	case "adamw":
		o := optim.NewAdamW(p, optim.AdamConfig{Rate: rate, Decay: c.Decay})
		return &o, same
	case "adam_schedule":
		o := optim.NewAdam(p, optim.AdamConfig{Rate: optim.Warmup{Steps: 3, Then: optim.Cosine{From: 0.1, To: 0.01, Steps: 7}}})
		return &o, same
	case "rmsprop":
		o := optim.NewRMSProp(p, optim.RMSPropConfig{Rate: rate, Decay: c.Decay, Eps: c.Eps, Momentum: c.Momentum})
		return &o, same
	case "clip_norm":
		o := optim.NewSGD(p, rate)
		return &o, func(g params) params { g, _ = optim.ClipByNorm(g, c.Most); return g }
	case "clip_value":
		o := optim.NewSGD(p, rate)
		return &o, func(g params) params { return optim.ClipByValue(g, c.Most) }
	}
	return second(r, p), same
}

// second returns the optimizer of a record of the script's second part.
func second(r optaxRecord, p params) optim.Optimizer[params] {
	c := r.Config
	rate := optim.Rate(c.Rate)
	isW := func(path string, _ weft.Array) bool { return path == ".W" }
	isB := func(path string, _ weft.Array) bool { return path == ".B" }
	newAdam := func(p params) optim.Optimizer[params] {
		o := optim.NewAdam(p, optim.AdamConfig{Rate: rate})
		return &o
	}
	switch r.Fn {
	case "adamw_mask":
		o := optim.NewAdamW(p, optim.AdamConfig{Rate: rate, Decay: c.Decay, DecayOn: optim.Matrices})
		return &o
	case "nadam":
		o := optim.NewNadam(p, optim.AdamConfig{Rate: rate, Beta1: c.Beta1, Beta2: c.Beta2, Eps: c.Eps})
		return &o
	case "lion":
		config := optim.LionConfig{Rate: rate, Beta1: c.Beta1, Beta2: c.Beta2, Decay: c.Decay}
		if c.Decay != 0 {
			config.DecayOn = optim.Matrices
		}
		o := optim.NewLion(p, config)
		return &o
	case "adagrad":
		o := optim.NewAdagrad(p, optim.AdagradConfig{Rate: rate, Start: c.From, Eps: c.Eps})
		return &o
	case "lbfgs":
		o := optim.NewLBFGS(p, optim.LBFGSConfig{Rate: rate, Memory: c.Steps})
		return &o
	case "adafactor":
		config := optim.AdafactorConfig{Size: c.Size, Power: c.Power, Clip: c.Clip, Momentum: c.Momentum, Decay: c.Decay, Absolute: c.Absolute}
		if c.Rate != 0 {
			config.Rate = rate
		}
		o := optim.NewAdafactor(p, config)
		return &o
	case "accumulate":
		o := optim.NewAccumulate(p, newAdam(p), c.Steps)
		return &o
	case "parts":
		o := optim.NewParts(p, optim.Part[params]{Where: isB, New: func(p params) optim.Optimizer[params] {
			o := optim.NewSGD(p, rate)
			return &o
		}}, optim.Part[params]{New: newAdam})
		return &o
	case "parts_kept":
		o := optim.NewParts(p, optim.Part[params]{Where: isW, New: newAdam})
		return &o
	}
	panic(r.Fn)
}

var optaxTypes = map[string]weft.DType{"float32": weft.Float32, "float64": weft.Float64, "complex64": weft.Complex64, "complex128": weft.Complex128}

func TestAgainstOptax(t *testing.T) {
	seen := 0
	for i, r := range readOptax(t) {
		if r.Rates != nil || r.Fn == "ema" {
			continue
		}
		seen++
		t.Run(fmt.Sprintf("%d_%s_%s", i, r.Fn, r.Dtype), func(t *testing.T) {
			dt := optaxTypes[r.Dtype]
			count := weft.Scalar(int64(5))
			p := r.Start.params(dt, count)
			o, clip := optimizer(r, p)
			for k, step := range r.Steps {
				g := step.Grad.params(dt, weft.ZerosOf(weft.Float0))
				p = o.Update(p, clip(g))
				want := step.After.params(dt, count)
				eps := map[int]float64{32: 0x1p-23, 64: 0x1p-52}[dt.Real().Bits()]
				if r.Fn == "adafactor" { // of which Optax computes the decay of the squares in f32
					eps = 0x1p-23
				}
				for _, c := range [][2]weft.Array{{p.B, want.B}, {p.W, want.W}} {
					if c[0].DType() != dt {
						t.Fatalf("step %d: the parameter became %v", k, c[0].DType())
					}
					allowed := 16 * eps * math.Max(1, weft.Abs(c[1]).Max().AsType(weft.Float64).Float())
					if d := weft.Abs(c[0].Sub(c[1])).Max().AsType(weft.Float64).Float(); !(d < allowed) {
						t.Fatalf("step %d: off by %g, allowed %g:\n%v\nwant\n%v", k, d, allowed, c[0], c[1])
					}
				}
				if !p.Count.Equal(count) {
					t.Fatalf("the integer became %v", p.Count)
				}
			}
		})
	}
	if seen < 25 {
		t.Errorf("only %d records", seen)
	}
}

func TestSchedulesAgainstOptax(t *testing.T) {
	seen := 0
	for _, r := range readOptax(t) {
		if r.Rates == nil {
			continue
		}
		seen++
		c := r.Config
		var s optim.Schedule
		switch r.Fn {
		case "constant":
			s = optim.Rate(c.From)
		case "linear":
			s = optim.Linear{From: c.From, To: c.To, Steps: c.Steps}
		case "exponential":
			s = optim.Exponential{From: c.From, Decay: c.Decay, Steps: c.Steps, Stairs: c.Stairs, Least: c.Least}
		case "cosine":
			s = optim.Cosine{From: c.From, To: c.To, Steps: c.Steps, Power: c.Power}
		case "warmup_cosine":
			s = optim.Warmup{From: c.Least, Steps: c.Warmup, Then: optim.Cosine{From: c.From, To: c.To, Steps: c.Steps - c.Warmup}}
		case "warmup_constant":
			s = optim.Warmup{Steps: c.Warmup, Then: optim.Rate(c.From)}
		case "polynomial":
			s = optim.Polynomial{From: c.From, To: c.To, Power: c.Power, Begin: c.Begin, Steps: c.Steps}
		case "warmup_exponential":
			s = optim.Warmup{From: c.Least, Steps: c.Warmup, Then: optim.Exponential{From: c.From, Decay: c.Decay, Steps: c.Steps}}
		case "interpolate", "interpolate_cosine":
			p := optim.Interpolate{From: c.From, Cosine: r.Fn == "interpolate_cosine"}
			for _, x := range c.Changes {
				p.Changes = append(p.Changes, optim.Change{Step: int(x[0]), By: x[1]})
			}
			s = p
		case "onecycle", "onecycle_linear":
			s = optim.OneCycle{Peak: c.From, Steps: c.Steps, Linear: r.Fn == "onecycle_linear"}
		case "restarts":
			s = optim.Restarts{{From: 0.01, Peak: 0.1, Warmup: 3, Steps: 12, To: 0.02}, {From: 0.02, Peak: 0.05, Warmup: 2, Steps: 15}}
		case "join":
			s = optim.Join{Schedules: []optim.Schedule{optim.Rate(0.1), optim.Linear{From: 0.1, To: 0.02, Steps: 10}}, Steps: []int{12}}
		case "piecewise":
			p := optim.Piecewise{From: c.From}
			for _, x := range c.Changes {
				p.Changes = append(p.Changes, optim.Change{Step: int(x[0]), By: x[1]})
			}
			s = p
		default:
			t.Fatal(r.Fn)
		}
		at := weft.Jit(s.At)
		for step, want := range r.Rates {
			for _, got := range []weft.Array{s.At(weft.Scalar(int32(step))), at(weft.Scalar(int32(step)))} {
				testcheck.Within(t, fmt.Sprintf("%s%+v at step %d", r.Fn, c, step), got.Float(), want, 4e-8*0.1*4)
			}
		}
	}
	if seen < 10 {
		t.Errorf("only %d schedules", seen)
	}
}
