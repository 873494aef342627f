package ptx_test

import (
	"bytes"
	"encoding/binary"
	"flag"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weft-go/weft/internal/test/ireval"
	"github.com/weft-go/weft/internal/test/irtext"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/internal/test/ptxeval"
	"github.com/weft-go/weft/internal/test/simttest"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/ptx"
	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/schedule"
	"github.com/weft-go/weft/lower/simt"
	"github.com/weft-go/weft/runtime/device"
)

var update = flag.Bool("update", false, "write the golden files")

// plans returns the plans of one of stride samples of every primitive in every type.
func plans(stride int) []*fuse.Plan {
	var ps []*fuse.Plan
	n := 0
	for _, s := range primtest.EveryType() {
		if !s.Standalone() {
			continue
		}
		if n++; n%stride != 0 {
			continue
		}
		ps = append(ps, device.PlanOf(s.Jaxpr()))
	}
	return ps
}

// kernels returns the kernels of the plans of one of stride samples.
func kernels(stride int) []*ir.Kernel {
	var ks []*ir.Kernel
	for _, p := range plans(stride) {
		for _, step := range p.Steps {
			if l, ok := step.(*fuse.Launch); ok {
				ks = append(ks, l.Kernel)
			}
		}
	}
	return ks
}

// fill writes small numbers and, for about one of four, random bits.
func fill(r *rand.Rand, t scalar.Type, b []byte) {
	for i := 0; i+t.Size() <= len(b); i += t.Size() {
		x := r.Uint64()
		if f := (r.Float64() - .5) * 8; r.IntN(4) != 0 {
			switch t {
			case scalar.F32:
				x = uint64(math.Float32bits(float32(f)))
			case scalar.F64:
				x = math.Float64bits(f)
			default:
				x = uint64(int64(f))
			}
		}
		if t == scalar.Bool {
			x &= 1
		}
		var word [8]byte
		binary.LittleEndian.PutUint64(word[:], x)
		copy(b[i:i+t.Size()], word[:])
	}
}

// The text of kernels of every primitive, in every type, computes what the kernel IR's
// evaluator does; one of five, or all if WEFT_SAMPLES is all. Each thread, or each group,
// has a point.
func TestSamples(t *testing.T) {
	stride := 5
	if os.Getenv("WEFT_SAMPLES") == "all" {
		stride = 1
	}
	ks := kernels(stride)
	if len(ks) < 4000/stride {
		t.Fatalf("%d kernels, want %d", len(ks), 4000/stride)
	}
	for n, k := range ks {
		for _, mode := range []simt.Mode{simt.PerThread, simt.PerGroup} {
			if !run(t, k, uint64(n), simt.Lower(k, simt.Options{Mode: mode, Threads: 64})) {
				return
			}
		}
	}
}

// run compares a kernel's text with its evaluator.
func run(t *testing.T, k *ir.Kernel, seed uint64, f *simt.Func) bool {
	r := rand.New(rand.NewPCG(seed, 5))
	var want, got [][]byte
	for _, b := range k.Buffers {
		m := make([]byte, int(b.Len.Value)*b.Type.Size())
		if b.Role != ir.Out {
			fill(r, b.Type, m)
		}
		want, got = append(want, m), append(got, bytes.Clone(m))
	}
	if err := ireval.Run(k, nil, want); err != nil {
		t.Errorf("%v\n%v", err, k)
		return false
	}
	target := 80
	if f.Cluster > 1 {
		target = 90
	}
	m := ptx.Print(target, f)
	p, err := ptxeval.Parse(m.Text)
	if err == nil {
		err = p.Run(m.Names[0], min(int(f.Groups(nil)), 2*max(f.Cluster, 1)), got, nil)
	}
	if err != nil {
		t.Errorf("%v\n%v\n%s", err, k, m.Text)
		return false
	}
	for i, b := range k.Buffers {
		if !equal(b.Type, got[i], want[i]) {
			t.Errorf("buffer %d is\n%x, want\n%x\n%v\n%s", i, got[i], want[i], k, m.Text)
			return false
		}
	}
	return true
}

// equal compares elements. Kernels make NaNs canonical where their bits are visible; other NaNs
// may have any bits, which show only if a kernel runs alone.
func equal(t scalar.Type, a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	for i := 0; i < len(a); i += t.Size() {
		x, y := a[i:i+t.Size()], b[i:i+t.Size()]
		if bytes.Equal(x, y) {
			continue
		}
		switch t {
		case scalar.F32:
			p, q := math.Float32frombits(binary.LittleEndian.Uint32(x)), math.Float32frombits(binary.LittleEndian.Uint32(y))
			if p != p && q != q {
				continue
			}
		case scalar.F64:
			p, q := math.Float64frombits(binary.LittleEndian.Uint64(x)), math.Float64frombits(binary.LittleEndian.Uint64(y))
			if p != p && q != q {
				continue
			}
		}
		return false
	}
	return true
}

// golden returns the kernels of testdata by name.
func golden(t *testing.T) map[string]*ir.Kernel {
	files, err := filepath.Glob("testdata/*.kernel")
	if err != nil || len(files) < 5 {
		t.Fatalf("%d kernels: %v", len(files), err)
	}
	ks := map[string]*ir.Kernel{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		k, err := irtext.Parse(string(text))
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		ks[strings.TrimSuffix(file, ".kernel")] = k
	}
	return ks
}

// One kernel of each kind has the text of its golden file.
func TestPrint(t *testing.T) {
	for name, k := range golden(t) {
		got := ptx.Print(80, simt.Lower(k, simt.Options{})).Text
		if *update {
			if err := os.WriteFile(name+".ptx", []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(name + ".ptx")
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s has changed:\n%s", name, got)
		}
	}
}

// The kernels of testdata compute what the evaluator does.
func TestKinds(t *testing.T) {
	for name, k := range golden(t) {
		if name != "testdata/rows" { // too long to evaluate
			run(t, k, 1, simt.Lower(k, simt.Options{}))
		}
	}
}

// sampleFunctions returns the functions that devices compile for one of stride samples of
// every primitive in every type.
func sampleFunctions(stride int) []*simt.Func {
	var fs []*simt.Func
	for i, p := range plans(stride) {
		list := device.Functions(p, schedule.Device{Digits: int64(1 - i%2)})
		if len(list) == 1 && i%2 == 0 {
			if l, ok := p.Steps[0].(*fuse.Launch); ok && len(p.Steps) == 1 { // shared by groups, too
				list = append(list, simt.Lower(l.Kernel, simt.Options{Mode: simt.PerGroup, Threads: 64}))
			}
		}
		fs = append(fs, list...)
	}
	return fs
}

// Functions that are not lowered from a kernel file have the text of their golden files.
func TestPrintKinds(t *testing.T) {
	for name, f := range simttest.Kinds() {
		sameText(t, name, ptx.Print(80, f).Text)
	}
}

// sameText compares a text with the golden file of its name.
func sameText(t *testing.T, name, got string) {
	t.Helper()
	file := "testdata/" + name + ".ptx"
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s has changed:\n%s", file, got)
	}
}
