package ptx_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft/internal/test/ptxeval"
	"github.com/weft-go/weft/internal/test/simteval"
	"github.com/weft-go/weft/lower/ptx"
	"github.com/weft-go/weft/lower/simt"
)

// attentionCase is an attention of two heads that share keys and values, with its operands.
type attentionCase struct {
	simt.Attention
	f       *simt.Func
	lens    [6]int64
	x       [3][]float64 // queries, keys, values
	bias    []float64
	mask    []byte
	buffers [][]byte
}

func newAttention(kind simt.TensorKind, t, s, h, d int, biased, masked, narrow bool) *attentionCase {
	c := &attentionCase{Attention: simt.Attention{Kind: kind, Narrow: narrow, T: t, S: s, H: h, D: d, Scale: 0.5, Biased: biased, Masked: masked, Fill: -1e30}}
	// Queries have the axes t, head, feature; the others are row-major.
	c.Batch = []simt.AttentionAxis{{N: 2, Steps: [6]int{simt.Queries: h, simt.Mixed: t * d, simt.Bias: t * s}}}
	c.Row = [6]int{simt.Queries: 2 * h, simt.Keys: h, simt.Values: d, simt.Mixed: d, simt.Bias: s, simt.Mask: s}
	c.Column = [6]int{simt.Bias: 1, simt.Mask: 1}
	lens := [6]int64{int64(2 * t * h), int64(s * h), int64(s * d), int64(2 * t * d), int64(2 * t * s), int64(t * s)}
	r := rand.New(rand.NewPCG(uint64(t*s), uint64(h*d)))
	size := kind.Size()
	for i := range c.x {
		data := make([]byte, int(lens[i])*size)
		for at := range int(lens[i]) {
			x, bits := rounded(kind, float32(r.NormFloat64()))
			c.x[i] = append(c.x[i], x)
			if size == 4 {
				binary.LittleEndian.PutUint32(data[4*at:], bits)
			} else {
				binary.LittleEndian.PutUint16(data[2*at:], uint16(bits))
			}
		}
		c.buffers = append(c.buffers, data)
	}
	c.buffers = append(c.buffers, bytes.Repeat([]byte{0xff}, int(lens[simt.Mixed])*c.Out().Size()))
	if biased {
		data := make([]byte, 4*lens[simt.Bias])
		for at := range int(lens[simt.Bias]) {
			x := float32(3 * r.NormFloat64())
			if at < 2*s { // rows in which no key, or none of the first keys, has a weight
				if x = float32(math.Inf(-1)); at > s+70 {
					x = 1
				}
			}
			c.bias = append(c.bias, float64(x))
			binary.LittleEndian.PutUint32(data[4*at:], math.Float32bits(x))
		}
		c.buffers = append(c.buffers, data)
	}
	if masked {
		c.mask = make([]byte, lens[simt.Mask])
		for at := range c.mask {
			c.mask[at] = byte(r.IntN(2))
			if at/s == 5 { // a row that is masked
				c.mask[at] = 0
			}
		}
		c.buffers = append(c.buffers, c.mask)
	}
	c.lens = lens
	c.f = simt.AttentionFunc("attention", &c.Attention, lens)
	return c
}

// byWGMMA returns the case for the other unit.
func (c *attentionCase) byWGMMA() *attentionCase {
	simt.TensorCores{MMA: true, WGMMA: true, Shared: 227 << 10, Processors: 132}.Choose(&c.Attention)
	c.f = simt.AttentionFunc("attention", &c.Attention, c.lens)
	return c
}

func (c *attentionCase) String() string {
	return fmt.Sprintf("%v, bias %v, mask %v, narrow %v", &c.Attention, c.Biased, c.Masked, c.Narrow)
}

// run runs a text of the attention with a number of groups and returns the result.
func (c *attentionCase) run(text, name string, groups int) ([]byte, error) {
	p, err := ptxeval.Parse(text)
	if err != nil {
		return nil, err
	}
	buffers := slices.Clone(c.buffers)
	buffers[simt.Mixed] = slices.Clone(buffers[simt.Mixed])
	err = p.RunTensor(name, groups, buffers, c.f)
	return buffers[simt.Mixed], err
}

// check compares a result with exact weights and sums in f64, within the bound.
func (c *attentionCase) check(out []byte) error {
	for b := range 2 {
		for t := range c.T {
			x, fit, most, largest := make([]float64, c.S), 0., 0., math.Inf(-1)
			for s := range x {
				sum := 0.
				for h := range c.H {
					p := c.x[0][b*c.H+t*2*c.H+h] * c.x[1][s*c.H+h]
					x[s] += p
					sum += math.Abs(p)
				}
				x[s] *= float64(c.Scale)
				fit = max(fit, float64(c.Scale)*sum)
				if c.Biased {
					x[s] += c.bias[b*c.T*c.S+t*c.S+s]
				}
				if !math.IsInf(x[s], -1) {
					most = max(most, math.Abs(x[s]))
				}
				if c.Masked && c.mask[t*c.S+s] == 0 {
					x[s] = float64(c.Fill)
				}
				if c.Causal && s > t {
					x[s] = math.Inf(-1)
				}
				largest = max(largest, x[s])
			}
			total := 0.
			for s := range x {
				x[s] = math.Exp(x[s] - largest)
				total += x[s]
			}
			for d := range c.D {
				want, scale, all := 0., 0., 0.
				for s := range x {
					v := c.x[2][s*c.D+d]
					want += x[s] / total * v
					scale += x[s] / total * math.Abs(v)
					all += math.Abs(v)
				}
				at := (b*c.T+t)*c.D + d
				got, limit := 0., c.Bound(fit, most)*scale
				if c.Narrow {
					got = simteval.Number(c.Kind, uint32(binary.LittleEndian.Uint16(out[2*at:])))
					limit += math.Abs(want) * map[simt.TensorKind]float64{simt.BF16: 0x1p-8, simt.F16: 0x1p-11}[c.Kind]
				} else {
					got = float64(math.Float32frombits(binary.LittleEndian.Uint32(out[4*at:])))
				}
				if c.Kind == simt.F16 {
					limit += 0x1p-24 * all // weights that are subnormal
				}
				if math.IsNaN(want) != math.IsNaN(got) || !math.IsNaN(want) && got != want && !(math.Abs(got-want) <= limit) {
					return fmt.Errorf("element (%d, %d, %d) is %g, want %g ± %g", b, t, d, got, want, limit)
				}
			}
		}
	}
	return nil
}

func attentionCases() []*attentionCase {
	return []*attentionCase{
		newAttention(simt.TF32, 64, 128, 32, 16, false, false, false),
		newAttention(simt.TF32, 70, 131, 16, 64, true, true, false),
		newAttention(simt.BF16, 64, 64, 16, 128, false, true, true),
		newAttention(simt.BF16, 17, 200, 64, 32, true, false, false),
		newAttention(simt.F16, 96, 130, 128, 16, true, true, true),
		newAttention(simt.F16, 130, 64, 32, 32, false, false, false),
		newAttention(simt.TF32, 20, 50, 128, 128, false, true, false),
		newAttention(simt.TF32, 1, 1, 16, 16, false, false, false),
		newAttention(simt.BF16, 3, 65, 16, 16, false, true, true),
	}
}

// set replaces element i of an operand.
func (c *attentionCase) set(operand, i int, x float64) {
	x, bits := rounded(c.Kind, float32(x))
	c.x[operand][i] = x
	if c.Kind.Size() == 4 {
		binary.LittleEndian.PutUint32(c.buffers[operand][4*i:], bits)
	} else {
		binary.LittleEndian.PutUint16(c.buffers[operand][2*i:], uint16(bits))
	}
}

// Attention of each format, ragged and not, with bias and mask, has no error beyond the bound, by the
// text and by the evaluator of programs of threads. Rows without weights are NaN.
func TestAttention(t *testing.T) {
	for _, c := range attentionCases() {
		for groups, target := range map[int]int{1: 80, 3: 90} {
			m := ptx.Print(target, c.f)
			out, err := c.run(m.Text, m.Names[0], groups)
			if err == nil {
				err = c.check(out)
			}
			if err != nil {
				t.Errorf("%v, %d groups: %v", c, groups, err)
			}
		}
		buffers := slices.Clone(c.buffers)
		buffers[simt.Mixed] = slices.Clone(buffers[simt.Mixed])
		err := simteval.Run(c.f, nil, buffers, 2)
		if err == nil {
			err = c.check(buffers[simt.Mixed])
		}
		if err != nil {
			t.Errorf("%v, evaluated: %v", c, err)
		}
	}
}

// Attention by wgmma, ragged and not, with bias and mask, and causal, has no error beyond the bound.
func TestAttentionWGMMA(t *testing.T) {
	for i, c := range []*attentionCase{
		newAttention(simt.BF16, 128, 128, 64, 64, false, false, true),
		newAttention(simt.BF16, 130, 70, 64, 128, true, true, false),
		newAttention(simt.F16, 40, 200, 128, 64, true, false, true),
		newAttention(simt.F16, 150, 150, 64, 64, false, true, false),
		newAttention(simt.BF16, 200, 180, 64, 64, false, false, false),
	} {
		c.Causal = i > 2
		c.byWGMMA()
		m := ptx.Print(90, c.f)
		out, err := c.run(m.Text, m.Names[0], 1+i%3)
		if err == nil {
			err = c.check(out)
		}
		if err != nil || c.Unit != simt.WGMMA {
			t.Errorf("%v, unit %d: %v", c, c.Unit, err)
		}
		buffers := slices.Clone(c.buffers)
		buffers[simt.Mixed] = slices.Clone(buffers[simt.Mixed])
		err = simteval.Run(c.f, nil, buffers, 2)
		if err == nil {
			err = c.check(buffers[simt.Mixed])
		}
		if err != nil {
			t.Errorf("%v, evaluated: %v", c, err)
		}
	}
}

// The unit of an attention follows from the device, the format, the features and the places of rows.
func TestAttentionUnit(t *testing.T) {
	hopper := simt.TensorCores{MMA: true, WGMMA: true, Shared: 227 << 10, Processors: 132}
	for _, c := range []struct {
		name       string
		cores      simt.TensorCores
		kind       simt.TensorKind
		h, d, more int // more elements from row to row of keys
		want       simt.TensorUnit
	}{
		{"whole lines", hopper, simt.BF16, 64, 128, 0, simt.WGMMA},
		{"greatest", hopper, simt.F16, 128, 128, 8, simt.WGMMA},
		{"no wgmma", simt.TensorCores{MMA: true, Shared: 227 << 10}, simt.BF16, 64, 64, 0, simt.MMA},
		{"f32", hopper, simt.TF32, 64, 64, 0, simt.MMA},
		{"few features of keys", hopper, simt.BF16, 32, 64, 0, simt.MMA},
		{"few features of values", hopper, simt.BF16, 64, 16, 0, simt.MMA},
		{"rows that are not aligned", hopper, simt.BF16, 64, 64, 4, simt.MMA},
		{"little memory", simt.TensorCores{MMA: true, WGMMA: true, Shared: 96 << 10}, simt.BF16, 128, 128, 0, simt.MMA},
	} {
		a := newAttention(c.kind, 128, 128, c.h, c.d, false, false, false).Attention
		a.Row[simt.Keys] += c.more
		if c.cores.Choose(&a); a.Unit != c.want || a.Unit == simt.WGMMA && a.SharedBytes() > c.cores.Shared {
			t.Errorf("%s: unit %d, want %d", c.name, a.Unit, c.want)
		}
	}
}

// Numbers that are not finite appear where exact sums have them: those of a query only in its row,
// those of values also where their weight is 0.
func TestAttentionNotFinite(t *testing.T) {
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for operand, i := range []int{3*2*16 + 5, 100*16 + 2, 100*16 + 7} {
			for _, kind := range []simt.TensorKind{simt.TF32, simt.BF16, simt.F16} {
				if operand == simt.Values && kind == simt.F16 {
					continue // weights below 2⁻²⁵ are 0 in f16, and 0·∞ is NaN
				}
				c := newAttention(kind, 20, 130, 16, 16, operand != 1, operand == 2, false)
				c.set(operand, i, x)
				m := ptx.Print(80, c.f)
				out, err := c.run(m.Text, m.Names[0], 1)
				if err == nil {
					err = c.check(out)
				}
				if err != nil {
					t.Errorf("%v, %g in operand %d: %v", c, x, operand, err)
				}
			}
		}
	}
}

// The weight of a score that exceeds all others by far is 1, in whichever block of keys it is.
func TestAttentionHugeScores(t *testing.T) {
	for _, kind := range []simt.TensorKind{simt.TF32, simt.BF16, simt.F16} {
		large := 0x1p60
		if kind == simt.F16 {
			large = 0x1p15
		}
		for _, key := range []int{0, 70, 129} {
			c := newAttention(kind, 20, 130, 16, 16, false, false, false)
			for operand := range 2 {
				for i := range c.x[operand] {
					x := large
					if operand == 1 && i/c.H != key {
						x = -large
					}
					c.set(operand, i, x)
				}
			}
			m := ptx.Print(80, c.f)
			out, err := c.run(m.Text, m.Names[0], 1)
			if err != nil {
				t.Fatal(err)
			}
			for i := range len(out) / 4 {
				got, want := float64(math.Float32frombits(binary.LittleEndian.Uint32(out[4*i:]))), c.x[simt.Values][key*c.D+i%c.D]
				if !(math.Abs(got-want) <= 0x1p-11*math.Abs(want)) {
					t.Fatalf("%v, key %d: element %d is %g, want %g", c, key, i, got, want)
				}
			}
		}
	}
}

// Each instruction that orders threads and copies is needed: without any one of them the
// evaluator reports a fault.
func TestAttentionSynchronization(t *testing.T) {
	testAttentionSynchronization(t, newAttention(simt.BF16, 130, 130, 16, 16, false, false, false), 0)
	// By wgmma, the numbers of registers are not.
	testAttentionSynchronization(t, newAttention(simt.BF16, 130, 190, 64, 64, false, false, false).byWGMMA(), 2)
}

func testAttentionSynchronization(t *testing.T, c *attentionCase, idle int) {
	m := ptx.Print(90, c.f)
	want, err := c.run(m.Text, m.Names[0], 1)
	if err != nil {
		t.Fatalf("%v: %v", c, err)
	}
	text := strings.Split(m.Text, "\n")
	n := 0
	var unused []string
	for i, line := range text {
		if !synchronization.MatchString(line) {
			continue
		}
		n++
		without := slices.Clone(text)
		without[i] = ""
		if got, err := c.run(strings.Join(without, "\n"), m.Names[0], 1); err == nil && bytes.Equal(got, want) {
			unused = append(unused, fmt.Sprintf("%d: %s", i+1, line))
		}
	}
	if n < 8 || len(unused) != idle {
		t.Errorf("%v: of %d instructions %d are not needed, want %d:\n%s", c, n, len(unused), idle, strings.Join(unused, "\n"))
	}
}

// Faults that are put into the text of an attention are found.
func TestAttentionFaults(t *testing.T) {
	c := newAttention(simt.BF16, 130, 130, 16, 16, true, true, false)
	m := ptx.Print(80, c.f)
	for _, x := range []struct{ name, old, new, want string }{
		{"too short a wait", `cp\.async\.wait_group 1`, "cp.async.wait_group 2", "being fetched"},
		{"queries beyond the last", `(?m)^\t@%pt\d+ (ld\.global\.u8)`, "\t$1", "of global memory"},
		{"bias beyond the last", `(?m)^\t@%pt\d+ (ld\.global\.f32)`, "\t$1", "of global memory"},
		{"keys beyond the last", `selp\.b64 (%dt\d+), (%dt\d+), %base\d, %pt\d+;\n\tselp\.b32 (%rt\d+), .*;`, "mov.b64 $1, $2;\n\tmov.u32 $3, 16;", "memory"},
		{"results beyond the last", `(?m)^\t@%pt\d+ (st\.global)`, "\t$1", "of global memory"},
		{"a row that is not aligned", `(ldmatrix\.sync\.aligned\.m8n8\.x4\.shared\.b16 .*)\+0\]`, "$1+8]", "not aligned"},
		{"a copy that is not aligned", `(cp\.async\.cg\.shared\.global \[%rt\d+)\]`, "$1+4]", "not aligned"},
		{"a barrier of some threads", `(?m)^\tbar\.sync 0;`, "\tsetp.lt.u32 %pt1, %rt1, 96;\n\t@%pt1 bar.sync 0;", "at once"},
		{"an exchange of some lanes", `(?m)^\tshfl`, "\tsetp.ne.u32 %pt1, %rt1, 3;\n\t@%pt1 shfl", "nothing has written"},
		{"no sums to begin with", `mov\.f32 %ft\d+, 0f00000000;`, "", "nothing has written"},
	} {
		text := regexp.MustCompile(x.old).ReplaceAllString(m.Text, x.new)
		if text == m.Text {
			t.Errorf("%s: the text has no %s", x.name, x.old)
		} else if _, err := c.run(text, m.Names[0], 1); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: got %v, want %q", x.name, err, x.want)
		}
	}
}

// Attention has the text of its golden file.
func TestAttentionPrint(t *testing.T) {
	c := newAttention(simt.BF16, 64, 64, 8, 8, false, false, true)
	sameText(t, "attention_bf16", ptx.Print(80, c.f).Text)
}

// NVIDIA's assembler accepts attention for all targets with mma.sync, without spills.
func TestAttentionAssembler(t *testing.T) {
	assembler := os.Getenv("WEFT_PTXAS")
	if assembler == "" {
		t.Skip("WEFT_PTXAS does not name ptxas")
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "k.ptx")
	for _, kind := range []simt.TensorKind{simt.TF32, simt.BF16} {
		for _, features := range []int{64, 128} {
			c := newAttention(kind, 256, 300, features, features, true, true, kind != simt.TF32)
			for _, target := range []int{80, 90, 100, 120} {
				if err := os.WriteFile(file, []byte(ptx.Print(target, c.f).Text), 0o644); err != nil {
					t.Fatal(err)
				}
				out, err := exec.Command(assembler, "-v", fmt.Sprintf("-arch=sm_%d", target), "-o", filepath.Join(dir, "k.cubin"), file).CombinedOutput()
				if err != nil || !strings.Contains(string(out), " 0 bytes spill stores, 0 bytes spill loads") {
					t.Errorf("%v, sm_%d: %v\n%s", c, target, err, out[:min(len(out), 2000)])
				}
			}
		}
	}
	for i := range 8 {
		c := newAttention(simt.BF16, 256, 256+i/4*44, 64<<(i%2), 128>>(i/2%2), i >= 4, i >= 4, i%4 == 1)
		c.Causal = i < 2
		c.byWGMMA()
		if err := os.WriteFile(file, []byte(ptx.Print(90, c.f).Text), 0o644); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(assembler, "-v", "-arch=sm_90a", "-o", filepath.Join(dir, "k.cubin"), file).CombinedOutput()
		if err != nil || !strings.Contains(string(out), " 0 bytes spill stores, 0 bytes spill loads") || strings.Contains(string(out), "serialize") {
			t.Errorf("%v, sm_90a: %v\n%s", c, err, out[:min(len(out), 2000)])
		}
	}
}
