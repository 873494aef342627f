//go:build linux

package cpu

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/windows"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/schedule"
	"github.com/weft-go/weft/runtime"
)

// drawn returns an array of numbers of many magnitudes, now and then an infinity or a NaN.
func drawn(r *rand.Rand, a core.ShapedArray) *runtime.Array {
	x := runtime.New(a)
	data := x.Tensor().Data
	size := a.DType.Size()
	for i := 0; i < len(data); i += size {
		v := r.NormFloat64() * math.Exp2(float64(r.IntN(8)))
		if r.IntN(500) == 0 {
			v = []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1)}[r.IntN(4)]
		}
		switch {
		case !a.DType.IsFloat():
			copy(data[i:i+size], binary.LittleEndian.AppendUint32(nil, r.Uint32()))
		case size == 8:
			binary.LittleEndian.PutUint64(data[i:], math.Float64bits(v))
		case size == 4:
			binary.LittleEndian.PutUint32(data[i:], math.Float32bits(float32(v)))
		default: // bf16
			binary.LittleEndian.PutUint16(data[i:], uint16(math.Float32bits(float32(v))>>16))
		}
	}
	return x
}

// sample is a program of one operation with its arguments.
type sample struct {
	program *jaxpr.Jaxpr
	args    []*runtime.Array
	want    []byte
}

func newSample(t *testing.T, r *rand.Rand, p core.Primitive, in ...core.ShapedArray) *sample {
	b := jaxpr.NewBuilder()
	s := &sample{}
	var atoms []jaxpr.Atom
	for _, a := range in {
		atoms = append(atoms, b.Input(a))
		s.args = append(s.args, drawn(r, a))
	}
	s.program = b.Build(b.Eqn(p, atoms...)[0])
	out, err := runtime.Evaluate(context.Background(), runtime.Reference, s.program, s.args)
	if err != nil {
		t.Fatal(err)
	}
	s.want = out[0].Tensor().Data
	return s
}

// run compares the sample's result under an executor with its bits.
func (s *sample) run(t *testing.T, e *executor, o runtime.Options, what schedule.Choices) {
	t.Helper()
	x, err := e.Compile(&runtime.Request{Jaxpr: s.program, Options: o})
	if err != nil {
		t.Fatalf("%+v: %v", what, err)
	}
	got := make([]*runtime.Array, 1)
	if err := x.Run(context.Background(), s.args, got); err != nil {
		t.Fatalf("%+v: %v", what, err)
	}
	if string(got[0].Tensor().Data) != string(s.want) {
		t.Fatalf("%s, %d threads, %+v: other bits than the reference's\n%v", e.name, o.Threads, what, s.program)
	}
}

// choicesOf calls f for choices of every kind: each register tile, each way to read the
// operands, and some sizes of blocks.
func choicesOf(m schedule.Processor, e schedule.Element, rows, cols, chunk int, lines bool, f func(schedule.Choices)) {
	both := []schedule.Choice{schedule.Yes, schedule.No}
	left, right := both, both
	if lines {
		left, right = both[:1], both[:1]
	}
	for r, v := range m.Tiles(e, rows, cols) {
		for _, few := range both {
			for _, sweep := range left {
				for _, l := range left {
					for _, q := range right {
						for _, deep := range []int{0, chunk, 3 * chunk} {
							for _, panel := range []int{0, 1, 3 * v * m.Vector / e.Size()} {
								f(schedule.Choices{Rows: r, Vecs: v, Few: few, Lines: few, Sweep: sweep, Left: l, Right: q, Deep: deep, Panel: panel})
							}
						}
					}
				}
			}
		}
	}
}

// distinct appends a plan under choices to those of other choices, if it is another one.
func distinct(seen map[string]bool, all []schedule.Choices, plan any, c schedule.Choices) []schedule.Choices {
	if key := fmt.Sprintf("%+v", plan); !seen[key] {
		seen[key] = true
		all = append(all, c)
	}
	return all
}

// productChoices returns choices for all plans of a product.
func productChoices(s *fuse.Product, m schedule.Processor) (all []schedule.Choices) {
	p, seen := schedule.ProductOf(s, m), map[string]bool{}
	choicesOf(m, p.Elem, p.M, p.N, s.Chunk, false, func(c schedule.Choices) {
		all = distinct(seen, all, *schedule.ProductWith(s, m, c), c)
	})
	return all
}

// convChoices returns choices for all plans of a convolution.
func convChoices(s *fuse.Conv, m schedule.Processor) (all []schedule.Choices) {
	p, seen := schedule.ConvOf(s, m), map[string]bool{}
	choicesOf(m, p.Elem, p.M, p.N, s.Chunk, true, func(c schedule.Choices) {
		q := schedule.ConvWith(s, m, c)
		lines := ""
		if q.Lines != nil {
			lines = fmt.Sprintf("%+v", *q.Lines)
		}
		all = distinct(seen, all, fmt.Sprintf("%+v %d %v", q.Product, q.Windows, lines), c)
	})
	return all
}

// Every schedule of a product has the same bits: each register tile, operands read where they
// lie or copied, blocks of every kind, one thread and several.
func TestProductSchedules(t *testing.T) {
	d := core.MakeDims
	plain := prim.DotGeneralP{LhsContract: d(1), RhsContract: d(0)}
	transposed := prim.DotGeneralP{LhsContract: d(1), RhsContract: d(1)}
	down := prim.DotGeneralP{LhsContract: d(0), RhsContract: d(0)}
	batched := prim.DotGeneralP{LhsContract: d(2), RhsContract: d(1), LhsBatch: d(0), RhsBatch: d(0)}
	f32, f64 := core.Float32, core.Float64
	wide := func(p prim.DotGeneralP) prim.DotGeneralP { p.Preferred = core.Int32; return p }
	for i, c := range []struct {
		p    prim.DotGeneralP
		l, r core.ShapedArray
		fast bool
	}{
		{p: plain, l: core.Aval(f32, 19, 300), r: core.Aval(f32, 300, 133)},
		{p: transposed, l: core.Aval(f32, 9, 520), r: core.Aval(f32, 70, 520)},
		{p: down, l: core.Aval(f32, 260, 21), r: core.Aval(f32, 260, 97)},
		{p: plain, l: core.Aval(f64, 17, 150), r: core.Aval(f64, 150, 61)},
		{p: down, l: core.Aval(f64, 150, 7), r: core.Aval(f64, 150, 50)},
		{p: batched, l: core.Aval(f32, 5, 6, 30), r: core.Aval(f32, 5, 30, 40)},
		{p: transposed, l: core.Aval(f32, 31, 270), r: core.Aval(f32, 3, 270, 64)}, // panels
		{p: plain, l: core.Aval(f32, 1, 400), r: core.Aval(f32, 400, 290)},
		{p: transposed, l: core.Aval(f32, 3, 700), r: core.Aval(f32, 50, 700)},
		{p: transposed, l: core.Aval(f32, 40, 300), r: core.Aval(f32, 1, 300)},
		{p: plain, l: core.Aval(core.Int32, 11, 140), r: core.Aval(core.Int32, 140, 45)},
		{p: wide(transposed), l: core.Aval(core.Uint8, 11, 140), r: core.Aval(core.Int8, 45, 140)},
		{p: wide(transposed), l: core.Aval(core.Uint8, 39, 268), r: core.Aval(core.Int8, 37, 268)},
		{p: wide(transposed), l: core.Aval(core.Int8, 11, 139), r: core.Aval(core.Int8, 45, 139)},
		{p: wide(plain), l: core.Aval(core.Uint8, 11, 140), r: core.Aval(core.Uint8, 140, 45)},
		{p: wide(transposed), l: core.Aval(core.Int8, 9, 260), r: core.Aval(core.Uint8, 33, 260)},
		{p: wide(batched), l: core.Aval(core.Int8, 2, 9, 32), r: core.Aval(core.Int8, 2, 32, 17)},
		{p: wide(transposed), l: core.Aval(core.Uint8, 1, 700), r: core.Aval(core.Int8, 90, 700)},
		{p: wide(plain), l: core.Aval(core.Int8, 11, 141), r: core.Aval(core.Int16, 141, 45)},
		{p: wide(transposed), l: core.Aval(core.Int16, 1, 700), r: core.Aval(core.Int16, 90, 700)},
		{p: plain, l: core.Aval(core.BFloat16, 11, 300), r: core.Aval(core.BFloat16, 300, 45), fast: true},
	} {
		t.Run(fmt.Sprintf("%v·%v", c.l, c.r), func(t *testing.T) {
			r := rand.New(rand.NewPCG(uint64(i), 20))
			s := newSample(t, r, c.p, c.l, c.r)
			executors := nativeExecutors(t)
			if c.l.DType.Bits() == 8 && executors[0].matrices != nil { // also without matrices in registers
				e := newExecutor(executors[0].target)
				e.processor.Matrices = nil
				executors = append(executors, e)
			}
			for _, e := range executors {
				o := runtime.Options{Threads: 1}
				if c.fast {
					o.Precision = runtime.Fast
					if !e.plans(o).Tensor.Pairs {
						continue
					}
				}
				var all []schedule.Choices
				e.product = func(s *fuse.Product, m schedule.Processor) *schedule.Product {
					all = productChoices(s, m)
					return schedule.ProductOf(s, m)
				}
				if c.fast { // other bits than the reference's, the same for all schedules
					x, err := e.Compile(&runtime.Request{Jaxpr: s.program, Options: o})
					if err != nil {
						t.Fatal(err)
					}
					out := make([]*runtime.Array, 1)
					if err := x.Run(context.Background(), s.args, out); err != nil {
						t.Fatal(err)
					}
					s.want = out[0].Tensor().Data
				}
				s.run(t, e, o, schedule.Choices{})
				if len(all) < 20 {
					t.Errorf("%v: got %d schedules, want all tiles", c.p, len(all))
				}
				for n, want := range all {
					e.product = func(s *fuse.Product, m schedule.Processor) *schedule.Product {
						return schedule.ProductWith(s, m, want)
					}
					o.Threads = 1 + n%2*2
					s.run(t, e, o, want)
				}
			}
		})
	}
}

// Every schedule of a convolution has the same bits: each register tile, windows and lines
// of the input copied, blocks of every kind.
func TestConvSchedules(t *testing.T) {
	d := core.MakeDims
	same := windows.ConvP{Strides: d(1, 1), Padding: d(1, 1, 1, 1), LhsDilation: d(1, 1), RhsDilation: d(1, 1), LhsSpec: d(0, 3, 1, 2), RhsSpec: d(3, 2, 0, 1), OutSpec: d(0, 3, 1, 2), FeatureGroups: 1, BatchGroups: 1}
	strided, spread, grouped := same, same, same
	strided.Strides, strided.Padding = d(2, 1), d(0, 2, 3, 1)
	spread.LhsDilation, spread.RhsDilation = d(2, 1), d(1, 2)
	grouped.FeatureGroups = 2
	finite := func(s *sample) { // padding is skipped: kernels with other numbers run otherwise
		data := s.args[1].Tensor().Data
		for i := 0; i < len(data); i += 4 {
			if v := math.Float32frombits(binary.LittleEndian.Uint32(data[i:])); v-v != 0 {
				binary.LittleEndian.PutUint32(data[i:], 0x3f800000)
			}
		}
	}
	for i, c := range []struct {
		p    windows.ConvP
		x, w core.ShapedArray
	}{
		{same, core.Aval(core.Float32, 2, 9, 11, 18), core.Aval(core.Float32, 3, 3, 18, 37)},
		{strided, core.Aval(core.Float32, 1, 12, 13, 40), core.Aval(core.Float32, 3, 3, 40, 20)},
		{spread, core.Aval(core.Float32, 1, 7, 9, 24), core.Aval(core.Float32, 3, 3, 24, 70)},
		{grouped, core.Aval(core.Float32, 1, 8, 9, 32), core.Aval(core.Float32, 3, 3, 16, 40)},
	} {
		r := rand.New(rand.NewPCG(uint64(i), 21))
		s := newSample(t, r, c.p, c.x, c.w)
		finite(s)
		out, err := runtime.Evaluate(context.Background(), runtime.Reference, s.program, s.args)
		if err != nil {
			t.Fatal(err)
		}
		s.want = out[0].Tensor().Data
		for _, e := range nativeExecutors(t) {
			var all []schedule.Choices
			e.conv = func(s *fuse.Conv, m schedule.Processor) *schedule.Conv {
				all = convChoices(s, m)
				return schedule.ConvOf(s, m)
			}
			s.run(t, e, runtime.Options{Threads: 1}, schedule.Choices{})
			if len(all) < 20 {
				t.Errorf("%v: got %d schedules, want all tiles", c.p, len(all))
			}
			for n, want := range all {
				e.conv = func(s *fuse.Conv, m schedule.Processor) *schedule.Conv {
					return schedule.ConvWith(s, m, want)
				}
				s.run(t, e, runtime.Options{Threads: 1 + n%2*2}, want)
			}
		}
	}
}
