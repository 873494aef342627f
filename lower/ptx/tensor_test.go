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
	"strconv"
	"strings"
	"testing"

	"github.com/weft-go/weft/internal/test/ptxeval"
	"github.com/weft-go/weft/internal/test/simteval"
	"github.com/weft-go/weft/lower/ptx"
	"github.com/weft-go/weft/lower/simt"
)

// tensorCase is a product on tensor cores with operands that are transposed or not.
type tensorCase struct {
	simt.Tensor
	turnA, turnB bool // neighbours along m, or n, are neighbours in memory
}

func (c *tensorCase) String() string {
	return fmt.Sprintf("unit %d %v transposed %v %v, %d×%d×%d ×%d, tile %v", c.Unit, c.Kind, c.turnA, c.turnB, c.M, c.K, c.N, c.Batches(), c.Tile)
}

// place sets the operands and the batch of n products.
func (c *tensorCase) place(n int) {
	c.A, c.B = simt.Operand{Outer: c.K, K: 1}, simt.Operand{Outer: c.K, K: 1}
	if c.turnA {
		c.A = simt.Operand{Outer: 1, K: c.M}
	}
	if c.turnB {
		c.B = simt.Operand{Outer: 1, K: c.N}
	}
	if n > 1 {
		c.Batch = []simt.BatchAxis{{N: n, A: c.M * c.K, B: c.K * c.N}}
	}
}

// rounded returns x as an operand has it, and its bits in memory.
func rounded(k simt.TensorKind, x float32) (float64, uint32) {
	if k == simt.TF32 {
		return float64(x), math.Float32bits(x)
	}
	b := uint32(simteval.Bits(k, x))
	return simteval.Number(k, b), b
}

// runTensor compares the results of a product's text with sums in f64: no error exceeds the
// stated bound.
func runTensor(t *testing.T, c *tensorCase, target, groups int) {
	t.Helper()
	n := c.Batches()
	r := rand.New(rand.NewPCG(uint64(c.M*c.N), uint64(c.K)))
	size := c.Kind.Size()
	fill := func(n int) ([]float64, []byte) {
		xs, data := make([]float64, n), make([]byte, n*size)
		for i := range xs {
			x, bits := rounded(c.Kind, float32(r.NormFloat64()))
			xs[i] = x
			if size == 4 {
				binary.LittleEndian.PutUint32(data[4*i:], bits)
			} else {
				binary.LittleEndian.PutUint16(data[2*i:], uint16(bits))
			}
		}
		return xs, data
	}
	a, bytesA := fill(n * c.M * c.K)
	b, bytesB := fill(n * c.K * c.N)
	out := make([]byte, n*c.M*c.N*c.Out().Size())
	for i := range out {
		out[i] = 0xff
	}
	f := simt.TensorFunc("product", &c.Tensor, [3]int64{int64(len(a)), int64(len(b)), int64(n * c.M * c.N)})
	m := ptx.Print(target, f)
	p, err := ptxeval.Parse(m.Text)
	if err != nil {
		t.Fatalf("%v: %v", c, err)
	}
	if err := p.RunTensor(m.Names[0], groups, [][]byte{bytesA, bytesB, out}, f); err != nil {
		t.Errorf("%v: %v", c, err)
		return
	}
	bound := c.Bound()
	for s := range n {
		for i := range c.M {
			for j := range c.N {
				var want, scale float64
				for k := range c.K {
					x, y := a[s*c.M*c.K+i*c.A.Outer+k*c.A.K], b[s*c.K*c.N+j*c.B.Outer+k*c.B.K]
					want += x * y
					scale += math.Abs(x * y)
				}
				at := (s*c.M+i)*c.N + j
				var got float64
				if c.Narrow {
					got = simteval.Number(c.Kind, uint32(binary.LittleEndian.Uint16(out[2*at:])))
				} else {
					got = float64(math.Float32frombits(binary.LittleEndian.Uint32(out[4*at:])))
				}
				limit := bound * scale
				if c.Narrow {
					limit += math.Abs(want) * c.RoundOut()
				}
				if !(math.Abs(got-want) <= limit) {
					t.Errorf("%v: element (%d, %d, %d) is %g, want %g ± %g", c, s, i, j, got, want, limit)
					return
				}
			}
		}
	}
}

// Products of all layouts, aligned and not, have no error beyond the bound.
func TestTensorMMA(t *testing.T) {
	for _, kind := range []simt.TensorKind{simt.TF32, simt.BF16, simt.F16} {
		for i := range 4 {
			for _, shape := range [][3]int{{72, 136, 200}, {67, 35, 77}} {
				c := &tensorCase{turnA: i&1 != 0, turnB: i&2 != 0}
				c.Tensor = simt.Tensor{Unit: simt.MMA, Kind: kind, Narrow: kind != simt.TF32 && i > 0, M: shape[0], N: shape[1], K: shape[2],
					Tile: [3]int{64, 128, 128 / kind.Size()}, Warps: [2]int{1, 2}, Stages: 3, Rows: 16}
				c.place(1 + i%2)
				runTensor(t, c, 90, 2)
				if kind == simt.TF32 { // rounded by another instruction
					runTensor(t, c, 80, 2)
				}
			}
		}
	}
}

func TestTensorCopied(t *testing.T) {
	for _, kind := range []simt.TensorKind{simt.TF32, simt.BF16, simt.F16} {
		for i := range 4 {
			if kind == simt.TF32 && i != 0 {
				continue // by MMA
			}
			for groups := 1; groups <= 2; groups++ {
				c := &tensorCase{turnA: i&1 != 0, turnB: i&2 != 0}
				c.Tensor = simt.Tensor{Unit: simt.WGMMA, Kind: kind, Narrow: kind != simt.TF32 && i > 0, M: 136, N: 136, K: 328,
					Tile: [3]int{64 * groups, 128, 128 / kind.Size()}, Stages: 3, Rows: 16}
				c.place(1 + i%2)
				runTensor(t, c, 90, 2)
				if groups == 2 && i > 0 {
					continue
				}
				c.Unit, c.K, c.Tile[1] = simt.TCGEN05, 136, 64*groups
				c.Tile[0] = 128
				c.place(1 + i%2)
				runTensor(t, c, 100, 1)
			}
		}
	}
}

// tensorSamples are products by each unit, as a device of each generation gets them.
func tensorSamples() []*tensorCase {
	var all []*tensorCase
	for _, kind := range []simt.TensorKind{simt.TF32, simt.BF16} {
		for _, unit := range []simt.TensorUnit{simt.MMA, simt.WGMMA, simt.TCGEN05} {
			c := &tensorCase{turnB: kind != simt.TF32}
			c.Tensor = simt.Tensor{Unit: unit, Kind: kind, Narrow: kind != simt.TF32, M: 64, N: 72, K: 264, Tile: [3]int{64, 128, 128 / kind.Size()}, Warps: [2]int{1, 2}, Stages: 3, Rows: 16}
			if unit == simt.TCGEN05 {
				c.Tile[0], c.Tile[1] = 128, 64
			}
			c.place(1)
			all = append(all, c)
		}
	}
	return all
}

// target is one that has the unit of a product.
func (c *tensorCase) target() int {
	if c.Unit == simt.TCGEN05 {
		return 100
	}
	return 90
}

// A product by each unit, of each format, has the text of its golden file.
func TestTensorPrint(t *testing.T) {
	for _, c := range tensorSamples() {
		name := map[simt.TensorUnit]string{simt.MMA: "mma", simt.WGMMA: "wgmma", simt.TCGEN05: "tcgen05"}[c.Unit] + "_" + c.Kind.String()
		if c.Unit == simt.MMA && c.Kind == simt.TF32 { // the text is short where tiles are small
			c.Tile, c.Warps = [3]int{32, 32, 16}, [2]int{2, 2}
		}
		f := simt.TensorFunc(name, &c.Tensor, [3]int64{int64(c.M * c.K), int64(c.K * c.N), int64(c.M * c.N)})
		sameText(t, name, ptx.Print(c.target(), f).Text)
	}
}

// Faults that are put into the text of a product are found: waits, fences and barriers that
// are missing, and copies of too few bytes.
func TestTensorFaults(t *testing.T) {
	faults := map[simt.TensorUnit][]struct{ old, new, want string }{
		simt.MMA: {
			{"\tcp.async.wait_group 1;\n", "", "being fetched"},
			{"\tbar.sync 0;\n", "", "at once"},
			{"cp.async.cg.shared.global [", "cp.async.cg.shared.global [%rt1], [%rt1], 15;\n\tcp.async.cg.shared.global [", "copies no 15 bytes"},
		},
		simt.WGMMA: {
			{"\twgmma.fence.sync.aligned;\n", "", "without a fence"},
			{"\twgmma.wait_group.sync.aligned 0;\n", "", "a register is read that nothing has written"},
			{"\twgmma.wait_group.sync.aligned 1;\n", "", "is written while wgmma reads it"},
			{"\twgmma.commit_group.sync.aligned;\n", "", "is written while wgmma reads it"},
		},
		simt.TCGEN05: {
			{"\ttcgen05.fence::before_thread_sync;\n", "", "no tcgen05.fence::before_thread_sync"},
			{"\ttcgen05.fence::after_thread_sync;\n", "", "no tcgen05.fence::after_thread_sync"},
			{"\ttcgen05.wait::ld.sync.aligned;\n", "", "a register is read that nothing has written"},
		},
	}
	for _, c := range tensorSamples() {
		f := simt.TensorFunc("product", &c.Tensor, [3]int64{int64(c.M * c.K), int64(c.K * c.N), int64(c.M * c.N)})
		m := ptx.Print(c.target(), f)
		size := c.Kind.Size()
		buffers := [][]byte{make([]byte, c.M*c.K*size), make([]byte, c.K*c.N*size), make([]byte, c.M*c.N*c.Out().Size())}
		try := func(text string) error {
			p, err := ptxeval.Parse(text)
			if err != nil {
				return err
			}
			return p.RunTensor(m.Names[0], 1, buffers, f)
		}
		if err := try(m.Text); err != nil {
			t.Errorf("%v: %v", c, err)
		}
		for _, x := range faults[c.Unit] {
			text := strings.ReplaceAll(m.Text, x.old, x.new)
			if text == m.Text {
				t.Errorf("%v: the text has no %q", c, x.old)
			} else if err := try(text); err == nil || !strings.Contains(err.Error(), x.want) {
				t.Errorf("%v, %q → %q: got %v, want %q", c, x.old, x.new, err, x.want)
			}
		}
		if c.Unit == simt.WGMMA { // a wait for a copy that is not there, and one that never ends
			full := regexp.MustCompile(`(?m)^\tmbarrier\.try_wait\.parity\.shared::cta\.b64 (%pt\d+), \[(%rt\d+)\+0\], .*;\n`)
			if err := try(full.ReplaceAllString(m.Text, "\tsetp.eq.u32 $1, 0, 0;\n")); err == nil || !strings.Contains(err.Error(), "while a copy writes it") {
				t.Errorf("%v: reads before the copy: got %v", c, err)
			}
			bytes := regexp.MustCompile(`(mbarrier\.arrive\.expect_tx\.shared::cta\.b64 _, \[%rt\d+\]), \d+;`)
			if err := try(bytes.ReplaceAllString(m.Text, "$1, 4096;")); err == nil || !strings.Contains(err.Error(), "waits for ever") {
				t.Errorf("%v: other bytes are expected: got %v", c, err)
			}
			empty := regexp.MustCompile(`(?m)^\t@%pt\d+ mbarrier\.arrive\.shared::cta\.b64 .*;\n`)
			if err := try(empty.ReplaceAllString(m.Text, "")); err == nil || !strings.Contains(err.Error(), "waits for ever") {
				t.Errorf("%v: without arrivals: got %v", c, err)
			}
		}
	}
}

// synchronization matches the instructions that order threads, copies and products.
var synchronization = regexp.MustCompile(`^\t(@!?%\w+ )?(bar\.sync|bar\.warp|tcgen05\.(alloc|dealloc|relinquish|fence|commit|wait)|cp\.async\.wait_group|cp\.async\.commit_group|mbarrier|fence|wgmma\.(fence|commit|wait)|xor\.b32 %rt\d+, %rt\d+, 1;|setmaxnreg)`)

// Each instruction that orders threads, copies and products is needed: without any one of them
// the evaluator reports a fault, or results are wrong. Two tiles follow one another.
func TestTensorSynchronization(t *testing.T) {
	idle := map[simt.TensorUnit]int{
		simt.MMA:   1, // the wait at the end of a tile, whose copies have been waited for
		simt.WGMMA: 1, // the number of registers of threads that copy
		// The permit to allocate, which another group may need; and what lets the threads of a warp meet, as they do here anyway.
		simt.TCGEN05: 2,
	}
	for _, c := range tensorSamples() {
		c.N, c.K = 136, 376 // the next tile begins in the stage that is read last
		if c.Unit == simt.TCGEN05 {
			c.N, c.K = 200, 312 // both tiles of sums are used again, and the last stage is not the last one that is read
		}
		c.place(1)
		f := simt.TensorFunc("product", &c.Tensor, [3]int64{int64(c.M * c.K), int64(c.K * c.N), int64(c.M * c.N)})
		m := ptx.Print(c.target(), f)
		run := func(text string) ([]byte, error) {
			p, err := ptxeval.Parse(text)
			if err != nil {
				return nil, err
			}
			size := c.Kind.Size()
			buffers := [][]byte{make([]byte, c.M*c.K*size), make([]byte, c.K*c.N*size), make([]byte, c.M*c.N*c.Out().Size())}
			for i := range buffers[:2] {
				for at := 0; at < len(buffers[i]); at += size {
					bits := math.Float32bits(float32(at%7 - 3))
					if size == 4 {
						binary.LittleEndian.PutUint32(buffers[i][at:], bits)
					} else {
						binary.LittleEndian.PutUint16(buffers[i][at:], simteval.Bits(c.Kind, math.Float32frombits(bits)))
					}
				}
			}
			err = p.RunTensor(m.Names[0], 1, buffers, f)
			return buffers[2], err
		}
		want, err := run(m.Text)
		if err != nil {
			t.Fatalf("%v: %v", c, err)
		}
		text := strings.Split(m.Text, "\n")
		var unused []string
		n := 0
		for i, line := range text {
			if !synchronization.MatchString(line) {
				continue
			}
			n++
			without := slices.Clone(text)
			without[i] = ""
			if got, err := run(strings.Join(without, "\n")); err == nil && bytes.Equal(got, want) {
				unused = append(unused, fmt.Sprintf("%d: %s", i+1, line))
			}
		}
		if n < 5 || len(unused) != idle[c.Unit] {
			t.Errorf("%v: of %d instructions %d are not needed, want %d:\n%s", c, n, len(unused), idle[c.Unit], strings.Join(unused, "\n"))
		}
	}
}

// NVIDIA's assembler, where WEFT_PTXAS names it, accepts the text of products for the targets that
// have their unit, without spilled registers where copies by TMA or of 16 bytes bring the operands.
func TestTensorAssembler(t *testing.T) {
	assembler := os.Getenv("WEFT_PTXAS")
	if assembler == "" {
		t.Skip("WEFT_PTXAS does not name ptxas")
	}
	dir := t.TempDir()
	cores := simt.TensorCores{MMA: true, WGMMA: true, Shared: 227 << 10, Processors: 132}
	for _, kind := range []simt.TensorKind{simt.TF32, simt.BF16, simt.F16} {
		for i, n := range []int{1000, 1024, 2048, 8192, 1024} {
			b := simt.Operand{Outer: n, K: 1}
			if i == 4 { // as x·x has them
				b = simt.Operand{Outer: 1, K: n}
			}
			others := []string{"80", "90", "100", "120"} // they assemble the same instructions
			if os.Getenv("WEFT_SAMPLES") != "all" {
				others = others[i%4 : i%4+1]
			}
			for _, target := range append(others, "90a", "100a") {
				cores.WGMMA, cores.TCGEN05 = target == "90a", target == "100a"
				p := &simt.Product{Name: "product", M: n, N: n, K: n, A: simt.Operand{Outer: n, K: 1}, B: b, Lens: [3]int64{int64(n * n), int64(n * n), int64(n * n)}}
				number, err := strconv.Atoi(strings.TrimSuffix(target, "a"))
				if err != nil {
					t.Fatal(err)
				}
				file := filepath.Join(dir, "k.ptx")
				f := simt.LowerTensor(p, kind, kind != simt.TF32, cores)
				if err := os.WriteFile(file, []byte(ptx.Print(number, f).Text), 0o644); err != nil {
					t.Fatal(err)
				}
				out, err := exec.Command(assembler, "-v", "-arch=sm_"+target, "-o", filepath.Join(dir, "k.cubin"), file).CombinedOutput()
				if err != nil || !strings.Contains(string(out), " 0 bytes spill stores, 0 bytes spill loads") || strings.Contains(string(out), "serialize") {
					t.Errorf("%v, %d, sm_%s, tile %v: %v\n%s", kind, n, target, f.Tensor.Tile, err, out[:min(len(out), 2000)])
				}
			}
		}
	}
}
