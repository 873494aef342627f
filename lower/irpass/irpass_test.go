package irpass_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/weft-go/weft/internal/test/ireval"
	"github.com/weft-go/weft/internal/test/irtext"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/irpass"
	"github.com/weft-go/weft/lower/scalar"
)

func parsed(t *testing.T, text string) *ir.Kernel {
	t.Helper()
	k, err := irtext.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// memory returns memory for the buffers of a kernel. Buffers that it reads have random numbers.
func memory(k *ir.Kernel) [][]byte {
	r := rand.New(rand.NewPCG(1, 2))
	mem := make([][]byte, len(k.Buffers))
	for i, b := range k.Buffers {
		mem[i] = make([]byte, int(b.Len.Value)*b.Type.Size())
		for at := 0; b.Role == ir.In && at < len(mem[i]); at += 4 {
			x := uint32(r.IntN(100))
			if b.Type == scalar.F32 {
				x = math.Float32bits(float32(r.NormFloat64()))
			}
			binary.LittleEndian.PutUint32(mem[i][at:], x)
		}
	}
	return mem
}

func run(t *testing.T, k *ir.Kernel, mem [][]byte) {
	t.Helper()
	if err := ireval.Run(k, nil, mem); err != nil {
		t.Fatalf("%v\n%v", err, k)
	}
}

// copied returns a copy of a kernel, which passes may change.
func copied(t *testing.T, k *ir.Kernel) *ir.Kernel { return parsed(t, k.String()) }

const (
	// A concatenation of two arrays: an element of the result is read from the array that contains it.
	concatenation = `kernel k(in x f32[40], in y f32[60], out z f32[100]) {
  %0 = const i64 0x28
  vector a0<100 {
    %1 = index i64 a0
    %2 = lt bool %1, %0
    %3 = load f32 x[clamp a0<40]
    %4 = load f32 y[clamp -40+a0<60]
    %5 = select f32 %2, %3, %4
    store z[a0<100], %5
  }
}`
	// The sum of a long row, and of its squares.
	sums = `kernel k(in x f32[131073], out y f32[1], out z f32[1]) {
  reduce lanes 64 a0<131073 {
    %0 = load f32 x[a0<131073]
    %1 = mul f32 %0, %0
  } fold %2 = sum %0, %3 = sum %1
  store y[], %2
  store z[], %3
}`
	// The sums of long columns.
	columns = `kernel k(in x f32[262146], out y f32[2]) {
  vector a0<2 {
    reduce chunks a1<131073 {
      %0 = load f32 x[a0+2*a1<262146]
    } fold %1 = sum %0
    store y[a0<2], %1
  }
}`
)

func TestSegment(t *testing.T) {
	k := parsed(t, concatenation)
	q := irpass.Segment(k)
	loops := 0
	q.Body.Walk(func(s ir.Stmt) {
		switch s := s.(type) {
		case *ir.Loop:
			loops++
		case *ir.Let:
			if s.Inst.Op == scalar.OpSelect {
				t.Errorf("a segment selects\n%v", q)
			}
		}
	})
	if loops != 2 {
		t.Errorf("%d loops, want 2\n%v", loops, q)
	}
	want, got := memory(k), memory(k)
	run(t, k, want)
	run(t, q, got)
	if !bytes.Equal(want[2], got[2]) {
		t.Errorf("got other elements\n%v", q)
	}
	if again := irpass.Segment(q); again != q {
		t.Errorf("segments are divided\n%v", again)
	}

	// The new kernel may share loops that are not divided with the old kernel, which must not change.
	two := parsed(t, strings.TrimSuffix(concatenation, "}")+"  vector a1<40 {\n    %6 = load f32 x[a1<40]\n    store z[a1<100], %6\n  }\n}")
	before := two.String()
	irpass.Segment(two)
	if after := two.String(); after != before {
		t.Errorf("the kernel that is divided has changed: got\n%s\nwant\n%s", after, before)
	}
}

// Kernels that a machine divides become parts that compute the same bits.
func TestSplit(t *testing.T) {
	for name, m := range map[string]irpass.Machine{
		"processor": irpass.Processor{},
		"rows":      irpass.Processor{Rows: true},
		"device":    irpass.Device{Divider: divides(false)},
		"itself":    irpass.Device{Divider: divides(true)},
	} {
		for _, text := range []string{concatenation, sums, columns} {
			k := parsed(t, text)
			want := memory(k)
			run(t, k, want)
			parts, temps := irpass.Split(copied(t, k), m)
			if whole := text == concatenation || name == "itself"; (len(parts) == 1) != whole {
				t.Errorf("%s: %d parts, want one: %t\n%v", name, len(parts), whole, k)
			}
			mem := memory(k)
			for _, x := range temps {
				mem = append(mem, make([]byte, int(x.Len)*x.Type.Size()))
			}
			for _, p := range parts {
				if err := p.Kernel.Check(); err != nil {
					t.Fatalf("%s: %v\n%v", name, err, p.Kernel)
				}
				bufs := make([][]byte, len(p.Buffers))
				for i, b := range p.Buffers {
					bufs[i] = mem[b]
				}
				run(t, p.Kernel, bufs)
			}
			for i := range k.Buffers {
				if !bytes.Equal(mem[i], want[i]) {
					t.Errorf("%s: buffer %d has other bits\n%v", name, i, k)
				}
			}
		}
	}
}

// divides is a device's executor that divides all kernels itself, or none.
type divides bool

func (d divides) Divides(*ir.Kernel) bool { return bool(d) }

// Statements that do not change in a loop move out of it, and arithmetic does not wait for a canon.
func TestHoistAndDropCanon(t *testing.T) {
	k := parsed(t, `kernel k(in x f32[1], in y f32[64], out z f32[64]) {
  vector a0<64 {
    %0 = load f32 x[]
    %1 = mul f32 %0, %0
    %2 = canon f32 %1
    %3 = load f32 y[a0<64]
    %4 = add f32 %2, %3
    %5 = canon f32 %4
    store z[a0<64], %5
  }
}`)
	q := irpass.DropCanon(irpass.Hoist(copied(t, k)))
	if err := q.Check(); err != nil {
		t.Fatal(err)
	}
	if len(q.Body) != 3 {
		t.Errorf("%d statements outside of the loop, want the load and the product\n%v", len(q.Body)-1, q)
	}
	canons := 0
	q.Body.Walk(func(s ir.Stmt) {
		if l, ok := s.(*ir.Let); ok && l.Inst.Op == scalar.OpCanon {
			canons++
		}
	})
	if canons != 1 {
		t.Errorf("%d canons, want that of the result\n%v", canons, q)
	}
	want, got := memory(k), memory(k)
	run(t, k, want)
	run(t, q, got)
	if !bytes.Equal(want[2], got[2]) {
		t.Errorf("got other elements\n%v", q)
	}
}

func TestRareFinder(t *testing.T) {
	k := parsed(t, `kernel k(in x f32[64], out y f32[64]) {
  %0 = const f32 0x40000000
  vector a0<64 {
    %1 = load f32 x[a0<64]
    %2 = lt bool %0, %1
    %3 = mul f32 %1, %1
    %4 = div f32 %3, %0
    %5 = sqrt f32 %1
    %6 = add f32 %4, %5
    %7 = rare f32 %2, %6, %5
    store y[a0<64], %7
  }
}`)
	var r irpass.RareFinder
	found := map[ir.Ref]ir.Ref{}
	body := k.Body[1].(*ir.Loop).Body
	if !r.Find(len(k.Types), body, nil, func(l *ir.Let, cond ir.Ref) { found[l.Dst] = cond }) {
		t.Error("the block has an OpRare")
	}
	for v, want := range map[ir.Ref]ir.Ref{2: ir.NoRef, 3: 2, 4: 2, 5: ir.NoRef, 6: 2, 7: ir.NoRef} {
		if got, ok := found[v]; !ok || got != want {
			t.Errorf("%%%d is for condition %d, want %d", v, got, want)
		}
	}
	// A result that is read after the block is not rare.
	r.Find(len(k.Types), body, []ir.Ref{4}, func(l *ir.Let, cond ir.Ref) { found[l.Dst] = cond })
	for v, want := range map[ir.Ref]ir.Ref{3: ir.NoRef, 4: ir.NoRef, 6: 2} {
		if got := found[v]; got != want {
			t.Errorf("with %%4 read behind: %%%d is for condition %d, want %d", v, got, want)
		}
	}
	if r.Find(len(k.Types), k.Body[:1], nil, func(*ir.Let, ir.Ref) { t.Error("called") }) {
		t.Error("the block has no OpRare")
	}
}
