package ptx_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft/internal/test/ptxeval"
	"github.com/weft-go/weft/internal/test/simteval"
	"github.com/weft-go/weft/lower/ptx"
	"github.com/weft-go/weft/lower/simt"
)

// A gradCase is a derivative of an attention of two heads that share keys and values.
type gradCase struct {
	*attentionCase
	c          []float64 // cotangents [head, t, d]
	g          [2]simt.AttentionGrad
	f          [2]*simt.Func
	rows       []byte
	in         [][]byte
	dq, dk, dv []byte
}

func newGrad(kind simt.TensorKind, t, s, h, d int, biased, masked, causal, narrow bool) *gradCase {
	c := &gradCase{attentionCase: newAttention(kind, t, s, h, d, biased, masked, false)}
	c.Causal, c.Fill = causal, -1e9
	c.bias = slices.Clone(c.bias)
	for i, x := range c.bias { // rows without weights have no derivative
		if math.IsInf(x, -1) {
			c.bias[i] = 2
			binary.LittleEndian.PutUint32(c.buffers[simt.Bias][4*i:], math.Float32bits(2))
		}
	}
	r := rand.New(rand.NewPCG(uint64(t+s), uint64(h+d)))
	c.in = slices.Clone(c.buffers)
	c.in[simt.Mixed] = make([]byte, 2*t*d*kind.Size())
	for i := range 2 * t * d {
		x, bits := rounded(kind, float32(r.NormFloat64()))
		c.c = append(c.c, x)
		if kind.Size() == 4 {
			binary.LittleEndian.PutUint32(c.in[simt.Mixed][4*i:], bits)
		} else {
			binary.LittleEndian.PutUint16(c.in[simt.Mixed][2*i:], uint16(bits))
		}
	}
	lens := [6]int64{int64(2 * t * h), int64(s * h), int64(s * d), int64(2 * t * d), int64(2 * t * s), int64(t * s)}
	for i := range c.g {
		c.g[i] = simt.AttentionGrad{Attention: c.Attention, OfKeys: i == 1, Factor: 0.25, Common: 1, Narrow: [2]bool{narrow, narrow}}
		c.f[i] = simt.AttentionGradFunc("gradient", &c.g[i], lens)
	}
	return c
}

func (c *gradCase) String() string {
	return fmt.Sprintf("%v, causal %v, narrow %v", c.attentionCase, c.Causal, c.g[0].Narrow[0])
}

// compute runs both halves.
func (c *gradCase) compute(run func(f *simt.Func, buffers [][]byte) error) error {
	filled := func(f *simt.Func, i int) []byte {
		b := f.Kernel.Buffers[i]
		return slices.Repeat([]byte{0xff}, int(b.Len.Value)*b.Type.Size())
	}
	n := c.g[0].RowNumbers()
	c.rows, c.dq = filled(c.f[0], n), filled(c.f[0], n+1)
	if err := run(c.f[0], append(slices.Clone(c.in), c.rows, c.dq)); err != nil {
		return err
	}
	c.dk, c.dv = filled(c.f[1], n+1), filled(c.f[1], n+2)
	return run(c.f[1], append(slices.Clone(c.in), c.rows, c.dk, c.dv))
}

// check compares the results with exact ones in f64, within the bounds, and returns the greatest share of a bound.
func (c *gradCase) check() (share float64, err error) {
	T, S, H, D := c.T, c.S, c.H, c.D
	dq, dk, dv := make([]float64, 2*T*H), make([]float64, S*H), make([]float64, S*D)
	limit := [3][]float64{make([]float64, 2*T*H), make([]float64, S*H), make([]float64, S*D)}
	fit, most := 0., 0.
	for b := range 2 {
		for t := range T {
			q := c.x[0][b*H+t*2*H:][:H]
			w, product, size := make([]float64, S), make([]float64, S), make([]float64, S)
			hidden := make([]bool, S)
			largest, total := math.Inf(-1), 0.
			for s := range S {
				sum := 0.
				for h := range H {
					w[s] += q[h] * c.x[1][s*H+h]
					sum += math.Abs(q[h] * c.x[1][s*H+h])
				}
				w[s] *= float64(c.Scale)
				fit = max(fit, float64(c.Scale)*sum)
				if c.Biased {
					w[s] += c.bias[(b*T+t)*S+s]
				}
				most = max(most, math.Abs(w[s]))
				if c.Masked && c.mask[t*S+s] == 0 {
					w[s], hidden[s] = float64(c.Fill), true
				}
				if c.Causal && s > t {
					w[s], hidden[s] = math.Inf(-1), true
				}
				largest = max(largest, w[s])
				for d := range D {
					p := c.c[(b*T+t)*D+d] * c.x[2][s*D+d]
					product[s] += p
					size[s] += math.Abs(p)
				}
			}
			for s := range S {
				w[s] = math.Exp(w[s] - largest)
				total += w[s]
			}
			mean, spread := 0., 0.
			for s := range S {
				w[s] /= total
				mean += w[s] * product[s]
				spread += w[s] * size[s]
			}
			for s := range S {
				for d := range D {
					x := c.c[(b*T+t)*D+d]
					dv[s*D+d] += w[s] * x
					limit[2][s*D+d] += w[s] * math.Abs(x)
				}
				if hidden[s] {
					continue
				}
				g, most := 0.25*w[s]*(product[s]-mean), 0.25*w[s]*(size[s]+spread)
				for h := range H {
					dq[(b*T+t)*H+h] += g * c.x[1][s*H+h]
					dk[s*H+h] += g * q[h]
					limit[0][(b*T+t)*H+h] += most * math.Abs(c.x[1][s*H+h])
					limit[1][s*H+h] += most * math.Abs(q[h])
				}
			}
		}
	}
	values, scores := c.g[1].GradientBounds(fit, most, 2*T)
	for r, want := range [][]float64{dq, dk, dv} {
		out := [][]byte{c.dq, c.dk, c.dv}[r]
		for i := range want {
			got, bound := 0., scores*limit[r][i]
			if r == 2 {
				bound = values * limit[r][i]
			}
			if c.g[0].Narrow[0] {
				got = simteval.Number(c.Kind, uint32(binary.LittleEndian.Uint16(out[2*i:])))
				bound += (math.Abs(want[i]) + bound) * map[simt.TensorKind]float64{simt.BF16: 0x1p-8, simt.F16: 0x1p-11}[c.Kind]
			} else {
				got = float64(math.Float32frombits(binary.LittleEndian.Uint32(out[4*i:])))
			}
			if c.Kind == simt.F16 {
				bound += 0x1p-24 * float64(T+S) * 8 // weights and derivatives that are subnormal
			}
			if got != want[i] && !(math.Abs(got-want[i]) <= bound) {
				return 0, fmt.Errorf("%s, element %d is %g, want %g ± %g", []string{"queries", "keys", "values"}[r], i, got, want[i], bound)
			}
			if bound > 0 {
				share = max(share, math.Abs(got-want[i])/bound)
			}
		}
	}
	return share, nil
}

func gradCases() []*gradCase {
	return []*gradCase{
		newGrad(simt.TF32, 64, 64, 16, 16, false, false, false, false),
		newGrad(simt.TF32, 70, 40, 16, 32, true, true, false, false),
		newGrad(simt.BF16, 64, 128, 32, 16, false, true, false, true),
		newGrad(simt.BF16, 90, 90, 16, 16, false, false, true, false),
		newGrad(simt.F16, 20, 130, 16, 32, true, false, true, true),
		newGrad(simt.TF32, 130, 64, 16, 16, false, false, true, false),
		newGrad(simt.BF16, 33, 20, 128, 16, true, true, false, false),
		newGrad(simt.TF32, 33, 20, 64, 128, false, false, true, false),
		newGrad(simt.TF32, 1, 1, 16, 16, false, false, false, false),
		newGrad(simt.BF16, 20, 200, 16, 16, false, false, true, false), // one group has several tiles of keys without queries
	}
}

// Derivatives of attention have no error beyond the bound, by the text and by the evaluator of programs of threads.
func TestAttentionGradient(t *testing.T) {
	for i, c := range gradCases() {
		target := []int{80, 90}[i%2]
		err := c.compute(func(f *simt.Func, buffers [][]byte) error {
			m := ptx.Print(target, f)
			p, err := ptxeval.Parse(m.Text)
			if err != nil {
				return err
			}
			return p.RunTensor(m.Names[0], 1+i%3, buffers, f)
		})
		share := 0.
		if err == nil {
			share, err = c.check()
		}
		if err != nil {
			t.Errorf("%v: %v", c, err)
		}
		t.Logf("%v: error ÷ bound %.3f", c, share)
		err = c.compute(func(f *simt.Func, buffers [][]byte) error { return simteval.Run(f, nil, buffers, 2) })
		if err == nil {
			_, err = c.check()
		}
		if err != nil {
			t.Errorf("%v, evaluated: %v", c, err)
		}
	}
}

// NVIDIA's assembler accepts derivatives of attention without spills, for all targets with mma.sync if WEFT_SAMPLES is all.
func TestAttentionGradientAssembler(t *testing.T) {
	assembler := os.Getenv("WEFT_PTXAS")
	if assembler == "" {
		t.Skip("WEFT_PTXAS does not name ptxas")
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "k.ptx")
	for _, kind := range []simt.TensorKind{simt.TF32, simt.BF16} {
		for _, features := range []int{64, 128} {
			cores := simt.TensorCores{MMA: true, Shared: 227 << 10, Processors: 132}
			if !cores.RunsGradient(&simt.Attention{Kind: kind, H: features, D: features}) {
				t.Errorf("%d features of kind %v: there is no kernel", features, kind)
			}
			some := features <= 64 || kind != simt.TF32
			c := newGrad(kind, 256, 300, features, features, some, some, false, kind != simt.TF32)
			causal := newGrad(kind, 256, 256, features, features, false, false, true, kind != simt.TF32)
			for i, target := range []int{90, 80, 100, 120} {
				if i > 0 && os.Getenv("WEFT_SAMPLES") != "all" {
					break
				}
				text := ptx.Print(target, c.f[0], c.f[1], causal.f[0], causal.f[1]).Text
				if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
				out, err := exec.Command(assembler, "-v", fmt.Sprintf("-arch=sm_%d", target), "-o", filepath.Join(dir, "k.cubin"), file).CombinedOutput()
				if err != nil || strings.Count(string(out), " 0 bytes spill stores, 0 bytes spill loads") != 4 {
					t.Errorf("%v, sm_%d: %v\n%s", c, target, err, out[:min(len(out), 4000)])
				}
			}
		}
	}
}
