package ir_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/ireval"
	"github.com/weft-go/weft/internal/test/irtext"
	. "github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// at returns an access to buffer b by proved coordinates base + Σ coeff·axis under
// the bound, stride 1.
func at(b int, bound Size, base int64, terms ...Term) Access {
	return Access{Buffer: b, Coords: []Coord{{Stride: Const(1), Bound: bound, Base: Const(base), Terms: terms, Value: NoRef}}}
}

func times(a Axis, coeff int64) Term { return Term{a, Const(coeff)} }

// softmaxKernel normalizes rows: maximum, sum of differences (in place of
// exponentials), quotient.
func softmaxKernel(rows, cols int64) *Kernel {
	b := NewBuilder("rows")
	x := b.Buffer("x", In, scalar.F32, Const(rows*cols))
	y := b.Buffer("y", Out, scalar.F32, Const(rows*cols))
	i := b.Grid(Const(rows))
	n := Const(rows * cols)
	load := func(j Axis) Ref { return b.Load(at(x, n, 0, times(i, cols), times(j, 1))) }
	m := b.Reduce(Any, 0, Const(cols), nil, func(j Axis) []Elem { return []Elem{{Max, load(j), NoRef}} })[0]
	minus := func(j Axis) Ref {
		return b.Op(scalar.Inst{Op: scalar.OpSub, Type: scalar.F32, Args: [3]Ref{load(j), m, NoRef}})
	}
	s := b.Reduce(Lanes, 64, Const(cols), nil, func(j Axis) []Elem { return []Elem{{Sum, minus(j), NoRef}} })[0]
	b.Vector(Const(cols), nil, func(j Axis) {
		b.Store(at(y, n, 0, times(i, cols), times(j, 1)), b.Op(scalar.Inst{Op: scalar.OpDiv, Type: scalar.F32, Args: [3]Ref{minus(j), s, NoRef}}))
	})
	return b.Finish()
}

// everyForm uses every statement, mode and kind of the IR.
func everyForm() *Kernel {
	b := NewBuilder("every_form")
	n := b.Symbol("n")
	chunks := b.Symbol("chunks")
	x := b.Buffer("x", In, scalar.I32, n)
	y := b.Buffer("y", InOut, scalar.I32, n)
	tmp := b.Buffer("tmp", Scratch, scalar.I32, Const(8))
	o := b.Grid(chunks)
	b.Vector(Const(4), &Tail{o, n}, func(i Axis) {
		v := b.Load(at(x, n, 0, times(o, 4), times(i, 1)))
		taken := b.Load(Access{Buffer: x, Coords: []Coord{{Stride: Const(1), Bound: n, Mode: Clamp, Value: v}}})
		shifted := b.Load(Access{Buffer: x, Coords: []Coord{{Stride: Const(1), Bound: n, Mode: Drop, Base: Const(-1), Terms: []Term{times(o, 4), times(i, 1)}, Value: NoRef}}})
		sum := b.Op(scalar.Inst{Op: scalar.OpAdd, Type: scalar.I32, Args: [3]Ref{taken, shifted}})
		pos := b.Index(scalar.I32, Const(7), times(i, 2))
		b.Store(at(y, n, 0, times(o, 4), times(i, 1)), b.Op(scalar.Inst{Op: scalar.OpXor, Type: scalar.I32, Args: [3]Ref{sum, pos}}))
	})
	zero := b.Const(scalar.I32, 0)
	total := b.Loop(Const(8), []Ref{zero}, func(i Axis, c []Ref) []Ref {
		k := b.Index(scalar.I32, Const(0), times(i, 1))
		next := b.Op(scalar.Inst{Op: scalar.OpAdd, Type: scalar.I32, Args: [3]Ref{c[0], k}})
		b.Store(at(tmp, Const(8), 7, times(i, -1)), next)
		return []Ref{next}
	})[0]
	one := b.Const(scalar.I32, 1)
	halved := b.While([]Ref{total}, func(c []Ref) Ref {
		return b.Op(scalar.Inst{Op: scalar.OpLt, Type: scalar.Bool, Args: [3]Ref{one, c[0]}})
	}, func(c []Ref) []Ref {
		u := b.Const(scalar.I32, 1)
		return []Ref{b.Op(scalar.Inst{Op: scalar.OpShr, Type: scalar.I32, Args: [3]Ref{c[0], u}})}
	})[0]
	small := b.Op(scalar.Inst{Op: scalar.OpEq, Type: scalar.Bool, Args: [3]Ref{halved, one}})
	merged := b.If(small, func() []Ref { return []Ref{total} }, func() []Ref { return []Ref{zero} })[0]
	best := b.Reduce(Any, 0, Const(8), nil, func(i Axis) []Elem {
		v := b.Load(at(tmp, Const(8), 0, times(i, 1)))
		return []Elem{{ArgMax, v, b.Index(scalar.I64, Const(0), times(i, 1))}, {Sum, merged, NoRef}}
	})
	b.Cumulate(Sum, Const(8), true, func(i Axis) Ref {
		return b.Load(at(tmp, Const(8), 0, times(i, 1)))
	}, func(i Axis, r Ref) {
		b.Store(Access{Buffer: tmp, Coords: []Coord{{Stride: Const(1), Bound: Const(8), Mode: Drop, Terms: []Term{times(i, 1)}, Value: NoRef}}}, r)
	})
	b.Store(Access{Buffer: tmp, Coords: []Coord{{Stride: Const(1), Bound: Const(8), Mode: Clamp, Value: best[1]}}}, best[2])
	return b.Finish()
}

// tabled returns a scalar program with two tables.
func tabled() *scalar.Prog {
	sb := scalar.NewBuilder(core.Float32, core.Int32)
	low := sb.Lookup(scalar.FloatTable(scalar.F32, 1, 2, 3, 4), sb.Param(1, 0))
	high := sb.Lookup(scalar.FloatTable(scalar.F32, 10, 20), sb.Param(1, 0))
	return sb.Finish([]core.DType{core.Float32}, []scalar.Ref{sb.FMA(sb.Param(0, 0), low, high)})
}

// inlined writes a scalar program twice.
func inlined(t *testing.T) *Kernel {
	k := twice("inlined", (*Builder).Inline)
	require.Len(t, k.Tables, 2)
	return k
}

// applied uses a function twice.
func applied(t *testing.T) *Kernel {
	k := twice("applied", (*Builder).Apply)
	require.Len(t, k.Funcs, 1)
	return k
}

func twice(name string, write func(*Builder, *scalar.Prog, [][]Ref) []Ref) *Kernel {
	p := tabled()
	b := NewBuilder(name)
	x, y := b.Buffer("x", In, scalar.F32, Const(4)), b.Buffer("y", Out, scalar.F32, Const(4))
	b.Vector(Const(4), nil, func(i Axis) {
		v, n := b.Load(at(x, Const(4), 0, times(i, 1))), b.Index(scalar.I32, Const(0), times(i, 1))
		r := write(b, p, [][]Ref{{v}, {n}})[0]
		r = write(b, p, [][]Ref{{r}, {n}})[0] // the tables, or the function, are there already
		b.Store(at(y, Const(4), 0, times(i, 1)), r)
	})
	return b.Finish()
}

func TestScalarPrograms(t *testing.T) {
	without := applied(t).Inlined()
	require.NoError(t, without.Check())
	require.Empty(t, without.Funcs)
	for _, k := range []*Kernel{inlined(t), applied(t), without} {
		y := make([]byte, 16)
		require.NoError(t, ireval.Run(k, nil, [][]byte{floats(0, 1, 2, 3), y}))
		require.Equal(t, floats((0*1+10)*1+10, (1*2+20)*2+20, (2*3+10)*3+10, (3*4+20)*4+20), y)
	}
}

func TestTextRoundTrip(t *testing.T) {
	for _, k := range []*Kernel{softmaxKernel(3, 5), everyForm(), inlined(t), applied(t)} {
		text := k.String()
		q, err := irtext.Parse(text)
		require.NoError(t, err, text)
		require.Equal(t, text, q.String())
		require.Equal(t, k, q)
	}
}

func floats(xs ...float32) []byte {
	var b []byte
	for _, x := range xs {
		b = binary.NativeEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

func ints(xs ...int32) []byte {
	var b []byte
	for _, x := range xs {
		b = binary.NativeEndian.AppendUint32(b, uint32(x))
	}
	return b
}

func TestRunRows(t *testing.T) {
	k := softmaxKernel(2, 3)
	y := make([]byte, 24)
	require.NoError(t, ireval.Run(k, nil, [][]byte{floats(1, 2, 3, 0, -4, 4), y}))
	minus0 := float32(math.Copysign(0, -1))
	require.Equal(t, floats(-2/-3., -1/-3., minus0, -4/-12., -8/-12., minus0), y)
}

func TestRunEveryForm(t *testing.T) {
	k := everyForm()
	y, tmp := make([]byte, 24), make([]byte, 32)
	x := []int32{5, 0, 9, -1, 2, 3}
	require.NoError(t, ireval.Run(k, []int64{6, 2}, [][]byte{ints(x...), y, tmp}))
	want := make([]int32, 6)
	for i := range want {
		shifted := int32(0) // before the first element
		if i > 0 {
			shifted = x[i-1]
		}
		want[i] = (x[min(max(x[i], 0), 5)] + shifted) ^ int32(7+2*(i%4))
	}
	require.Equal(t, ints(want...), y)
	// tmp[7-i] = 0+1+…+i, reversed running sums of it, then the sum of eight merged
	// totals (28·8) at the place of the greatest, which is 0.
	tri := []int32{28, 21, 15, 10, 6, 3, 1, 0}
	for i := 6; i >= 0; i-- {
		tri[i] += tri[i+1]
	}
	tri[0] = 28 * 8
	require.Equal(t, ints(tri...), tmp)
}

func TestCheckRefuses(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		want string
	}{
		"out of bounds":     {"kernel k(in x f32[4], out y f32[4]) grid a0<5 {\n%0 = load f32 x[a0<5]\nstore y[], %0\n}", "leaves the buffer"},
		"coordinate":        {"kernel k(in x f32[9], out y f32[4]) grid a0<5 {\n%0 = load f32 x[a0<4]\nstore y[], %0\n}", "leaves its bounds"},
		"split axis":        {"kernel k(in x f32[100]) grid a0<4 {\nvector a1<64 tail a0 256 {\n%0 = load f32 x[64*a0+a1+5*a0<100]\n}\n}", "leaves its bounds"},
		"write to input":    {"kernel k(in x f32[4]) {\n%0 = load f32 x[]\nstore x[], %0\n}", "only read"},
		"scope":             {"kernel k(in x f32[4], out y f32[4]) {\nvector a0<4 {\n%0 = load f32 x[a0<4]\n}\nstore y[], %0\n}", "not visible"},
		"types":             {"kernel k(in x f32[4], in z i32[4], out y f32[4]) {\n%0 = load f32 x[]\n%1 = load i32 z[]\n%2 = add f32 %0, %1\n}", "operand 1 is a i32"},
		"axis":              {"kernel k(in x f32[4], out y f32[4]) {\n%0 = load f32 x[a0<4]\n}", "axis a0 is not visible"},
		"computed":          {"kernel k(in x i32[4], out y i32[4]) {\n%0 = load i32 x[]\n%1 = load i32 x[%0<4]\n}", "cannot be proved"},
		"branch in vector":  {"kernel k(in x bool[4]) {\nvector a0<4 {\n%0 = load bool x[a0<4]\nif %0 {\n} else {\n}\n}\n}", "stands in a vector loop"},
		"lanes":             {"kernel k(in x f32[4]) {\nreduce lanes 3 a0<4 {\n%0 = load f32 x[a0<4]\n} fold %1 = sum %0\n}", "power of two"},
		"sum of bool":       {"kernel k(in x bool[4]) {\nreduce any a0<4 {\n%0 = load bool x[a0<4]\n} fold %1 = sum %0\n}", "does not take bool"},
		"defined twice":     {"kernel k(in x f32[4]) {\n%0 = load f32 x[]\n%0 = load f32 x[]\n}", "defined twice"},
		"overflow":          {"kernel k(in x f32[4]) grid a0<4611686018427387904 {\n%0 = load f32 x[4*a0<4]\n}", "leaves"},
		"clamp to nothing":  {"kernel k(in x f32[0], in i i32[1]) {\n%0 = load i32 i[]\n%1 = load f32 x[clamp %0<0]\n}", "clamped to nothing"},
		"nested vectors":    {"kernel k(in x f32[4]) {\nvector a0<4 {\nvector a1<4 {\n}\n}\n}", "another one"},
		"no function":       {"kernel k(in x f32[4]) {\n%0 = load f32 x[]\napply f0 %0 -> %1\n}", "not a function"},
		"function's types":  {"kernel k(in x i32[4]) {\nf0 = func(f32) f32 {\n%0 = param f32 0\nret %0\n}\n%0 = load i32 x[]\napply f0 %0 -> %1\n}", "want f32"},
		"read of an output": {"kernel k(out x f32[4]) {\n%0 = load f32 x[]\n}", "only written"},
	} {
		_, err := irtext.Parse(test.text)
		require.ErrorContains(t, err, test.want, name)
	}
}

// A while loop in a vector loop ends for all elements at the same time.
func TestWhileInVector(t *testing.T) {
	const text = `kernel k(in n i64[1], in x f32[8], inout y f32[8]) {
  %%0 = load i64 n[]
  %%1 = const i64 0x0
  %%2 = const i64 0x1
  %%3 = const f32 0x3f000000
  vector a0<8 {
    %%4 = load f32 x[a0<8]
    while carry %%5 = %%1, %%9 -> %%10 : i64; %%6 = %%4, %%8 -> %%11 : f32 {
      %%7 = lt bool %s, %s
    } test %%7 {
      %%8 = mul f32 %%6, %%3
      %%9 = add i64 %%5, %%2
    }
    store y[a0<8], %%11
  }
}`
	k, err := irtext.Parse(fmt.Sprintf(text, "%5", "%0"))
	require.NoError(t, err)
	x, y, n := make([]byte, 32), make([]byte, 32), []byte{3, 0, 0, 0, 0, 0, 0, 0}
	for i := range 8 {
		binary.LittleEndian.PutUint32(x[4*i:], math.Float32bits(float32(8*i)))
	}
	require.NoError(t, ireval.Run(k, nil, [][]byte{n, x, y}))
	for i := range 8 {
		require.Equal(t, float32(i), math.Float32frombits(binary.LittleEndian.Uint32(y[4*i:])))
	}
	_, err = irtext.Parse(fmt.Sprintf(text, "%3", "%6")) // an element decides
	require.ErrorContains(t, err, "end at different times")
	_, err = irtext.Parse(strings.ReplaceAll(fmt.Sprintf(text, "%5", "%0"), "%9 = add i64 %5, %2", "%12 = convert i64 %6\n%9 = add i64 %5, %12"))
	require.ErrorContains(t, err, "end at different times")
	_, err = irtext.Parse(strings.ReplaceAll(fmt.Sprintf(text, "%5", "%0"), "%4 = load", "loop a1<2 {\nwhile {\n%12 = const bool 0x0\n} test %12 {\n}\n}\n%4 = load"))
	require.ErrorContains(t, err, "in a block within a vector loop")
}

// The joint range of a split axis is that of the whole, not of the rounded-up pieces.
func TestBoundsOfSplitAxes(t *testing.T) {
	k := everyForm()
	require.NoError(t, k.CheckLaunch([]int64{6, 2}, []int64{6, 6, 8}))
	require.NoError(t, k.CheckLaunch([]int64{6, 100}, []int64{6, 6, 8}))
	require.Error(t, k.CheckLaunch([]int64{6, 2}, []int64{6, 5, 8}))
	require.Error(t, k.CheckLaunch([]int64{6}, nil))
	require.Zero(t, testing.AllocsPerRun(10, func() { _ = k.CheckLaunch([]int64{6, 2}, nil) }))
}

func FuzzParse(f *testing.F) {
	f.Add(softmaxKernel(3, 5).String())
	f.Add(everyForm().String())
	f.Add(twice("applied", (*Builder).Apply).String())
	f.Add("kernel k(size n, in x f32[n]) grid a0<n {\n}\n")
	f.Fuzz(func(t *testing.T, text string) {
		k, err := irtext.Parse(text)
		if err != nil {
			return
		}
		again, err := irtext.Parse(k.String())
		if err != nil {
			t.Fatalf("prints what does not read: %v\n%s\nprinted:\n%s", err, text, k)
		}
		if again.String() != k.String() || again.Key() != k.Key() {
			t.Errorf("printed twice it differs:\n%s\n%s", k, again)
		}
	})
}

// Kernels whose texts differ in more than names have different keys.
func TestKey(t *testing.T) {
	for _, k := range []*Kernel{softmaxKernel(3, 5), everyForm(), inlined(t), applied(t)} {
		text := k.String()
		words := regexp.MustCompile(`\b(0x[0-9a-f]+|[0-9]+|f32|add|mul|sub|max|sum|lanes|clamp|drop|in|inout)\b`).FindAllStringIndex(text, -1)
		changed := 0
		for i, at := range words {
			for _, by := range []string{"0", "1", "2", "i32", "f64", "add", "min", "prod", "", "out"} {
				q, err := irtext.Parse(text[:at[0]] + by + text[at[1]:])
				if err != nil || q.String() == text || q.Name != k.Name {
					continue
				}
				changed++
				require.NotEqual(t, k.Key(), q.Key(), "%d: %q became %q in\n%s", i, text[at[0]:at[1]], by, text)
			}
		}
		require.Greater(t, changed, 20)
		renamed := *k
		renamed.Name = "other"
		renamed.Buffers = slices.Clone(k.Buffers)
		renamed.Buffers[0].Name = "other"
		require.Equal(t, k.Key(), renamed.Key())
	}
}
