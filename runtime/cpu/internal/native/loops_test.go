//go:build ((linux && (amd64 || arm64)) || js) && !purego

package native_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft/internal/test/ireval"
	"github.com/weft-go/weft/internal/test/irtext"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// checkText compares the code of a kernel in text form with the evaluator on random buffers.
func checkText(t *testing.T, text string, symbols ...[]int64) {
	t.Helper()
	k, err := irtext.Parse(text)
	require.NoError(t, err, text)
	require.NoError(t, k.Check(), text)
	checkKernel(t, k, symbols...)
}

func checkKernel(t *testing.T, k *ir.Kernel, symbols ...[]int64) {
	t.Helper()
	c := compile(t, k)
	if len(symbols) == 0 {
		symbols = [][]int64{nil}
	}
	rng := rand.New(rand.NewPCG(10, 1))
	for _, s := range symbols {
		var buffers [][]byte
		for _, b := range k.Buffers {
			n := int(b.Len.In(s))
			x := randomBytes(rng, b.Type, n)
			if b.Type.IsFloat() { // sums of moderate numbers, not of infinities
				x = x[:0]
				for range n {
					v := rng.NormFloat64()
					var bits uint64
					if b.Type == scalar.F32 {
						bits = ireval.Apply(op(scalar.OpConvert, scalar.F32, 0), scalar.F64, math.Float64bits(v), 0, 0)
					} else {
						bits = math.Float64bits(v)
					}
					for j := range b.Type.Size() {
						x = append(x, byte(bits>>(8*j)))
					}
				}
			}
			buffers = append(buffers, x)
		}
		c.check(t, s, buffers)
	}
}

// Running folds of columns side by side, whole and in parts.
func TestCumulateColumns(t *testing.T) {
	race.Values(t)
	for _, ty := range []scalar.Type{scalar.F32, scalar.F64, scalar.I32, scalar.U8} {
		for _, columns := range []int64{3, 16, 70} {
			for _, reverse := range []bool{false, true} {
				t.Run(fmt.Sprint(ty, columns, reverse), func(t *testing.T) {
					write := func(n, all ir.Size, b *ir.Builder) *ir.Kernel {
						x, y := b.Buffer("x", ir.In, ty, all), b.Buffer("y", ir.Out, ty, all)
						b.Vector(ir.Const(columns), nil, func(i ir.Axis) {
							at := func(buffer int, j ir.Axis) ir.Access {
								terms := []ir.Term{{Axis: i, Coeff: ir.Const(1)}, {Axis: j, Coeff: ir.Const(columns)}}
								return ir.Access{Buffer: buffer, Coords: []ir.Coord{{Stride: ir.Const(1), Bound: all, Terms: terms, Value: ir.NoRef}}}
							}
							b.Cumulate(ir.Sum, n, reverse, func(j ir.Axis) ir.Ref { return b.Load(at(x, j)) },
								func(j ir.Axis, r ir.Ref) { b.Store(at(y, j), canon(b, r)) })
						})
						return b.Finish()
					}
					for _, n := range []int64{40, 1<<16 + 333} {
						if n*columns*int64(ty.Size()) < maxBuffer {
							checkKernel(t, write(ir.Const(n), ir.Const(n*columns), ir.NewBuilder("columns")))
						}
					}
					b := ir.NewBuilder("columns")
					n, all := b.Symbol("n"), b.Symbol("all")
					k := write(n, all, b)
					for _, n := range []int64{0, 1, 31, 255, 256, 300, 1100} {
						checkKernel(t, k, []int64{n, n * columns})
					}
				})
			}
		}
	}
}

// Reductions of a whole array, in every order and operation, of many lengths.
func TestReductions(t *testing.T) {
	race.Values(t)
	for _, ty := range types {
		for fold := range ir.FoldOps {
			if fold.Pairs() {
				continue
			}
			for order := ir.Any; order <= ir.Chain; order++ {
				floats := fold == ir.Sum || fold == ir.Prod || fold == ir.Max || fold == ir.Min
				if ty.IsFloat() && !floats || ty == scalar.Bool && (fold == ir.Sum || fold == ir.Prod) || order == ir.Chain && (fold != ir.Sum || ty == scalar.Bool) ||
					order == ir.Any && ty.IsFloat() && fold.Rounds() {
					continue
				}
				t.Run(fmt.Sprint(ty, fold, order), func(t *testing.T) {
					b := ir.NewBuilder("reduce")
					n := b.Symbol("n")
					x, y := b.Buffer("x", ir.In, ty, n), b.Buffer("y", ir.Out, ty, ir.Const(1))
					lanes := 0
					if order == ir.Lanes {
						lanes = ir.LaneBytes / ty.Size()
					}
					r := b.Reduce(order, lanes, n, nil, func(i ir.Axis) []ir.Elem {
						v := b.Load(element(x, n, i))
						second := ir.NoRef
						if order == ir.Chain {
							second = v
						}
						return []ir.Elem{{Op: fold, Value: v, Second: second}}
					})
					b.Store(ir.Access{Buffer: y}, canon(b, r[0]))
					checkKernel(t, b.Finish(), []int64{0}, []int64{1}, []int64{7}, []int64{63}, []int64{64}, []int64{65}, []int64{100}, []int64{128}, []int64{129}, []int64{300}, []int64{1000}, []int64{4096}, []int64{4097}, []int64{13000})
				})
			}
		}
	}
}

// Reductions of constant length, rows and columns of a matrix.
func TestReduceRowsAndColumns(t *testing.T) {
	race.Values(t)
	for _, n := range []int{1, 3, 16, 17, 64, 100, 129, 400} {
		for _, ty := range []string{"f32", "f64"} {
			w := map[string]int{"f32": 64, "f64": 32}[ty]
			for _, order := range []string{"any", "ordered", "chunks", "tree", "chain", fmt.Sprint("lanes ", w)} {
				fold, second := "sum", ""
				if order == "any" {
					fold = "max"
				}
				if order == "chain" {
					second = " %0"
				}
				t.Run(fmt.Sprint(n, ty, order), func(t *testing.T) {
					checkText(t, fmt.Sprintf(`kernel rows(in x %[1]s[%[2]d], out y %[1]s[5]) grid a0<5 {
  reduce %[3]s a1<%[4]d {
    %%0 = load %[1]s x[%[4]d*a0+a1<%[2]d]
  } fold %%1 = %[5]s %%0%[6]s
  store y[a0<5], %%1
}`, ty, 5*n, order, n, fold, second))
					checkText(t, fmt.Sprintf(`kernel columns(in x %[1]s[%[2]d], out y %[1]s[37]) {
  vector a0<37 {
    reduce %[3]s a1<%[4]d {
      %%0 = load %[1]s x[37*a1+a0<%[2]d]
    } fold %%1 = %[5]s %%0%[6]s
    store y[a0<37], %%1
  }
}`, ty, 37*n, order, n, fold, second))
				})
			}
		}
	}
}

func TestArgMax(t *testing.T) {
	for _, ty := range []scalar.Type{scalar.F32, scalar.F64, scalar.I32, scalar.I64, scalar.U8} {
		for _, fold := range []ir.FoldOp{ir.ArgMax, ir.ArgMin} {
			for _, order := range []ir.Order{ir.Any, ir.Ordered, ir.Chunks} {
				t.Run(fmt.Sprint(ty, fold, order), func(t *testing.T) {
					b := ir.NewBuilder("arg")
					n := b.Symbol("n")
					x, y, z := b.Buffer("x", ir.In, ty, n), b.Buffer("y", ir.Out, scalar.I32, ir.Const(1)), b.Buffer("z", ir.Out, ty, ir.Const(1))
					r := b.Reduce(order, 0, n, nil, func(i ir.Axis) []ir.Elem {
						return []ir.Elem{{Op: fold, Value: b.Load(element(x, n, i)), Second: b.Index(scalar.I32, ir.Const(0), ir.Term{Axis: i, Coeff: ir.Const(1)})}}
					})
					b.Store(ir.Access{Buffer: z}, r[0])
					b.Store(ir.Access{Buffer: y}, r[1])
					k := b.Finish()
					c := compile(t, k)
					rng := rand.New(rand.NewPCG(11, 1))
					for _, n := range []int{0, 1, 2, 15, 16, 17, 64, 100, 1000} {
						for range 5 {
							c.check(t, []int64{int64(n)}, [][]byte{randomBytes(rng, ty, n), make([]byte, 4), make([]byte, ty.Size())})
						}
					}
				})
			}
		}
	}
}

func TestComplexProduct(t *testing.T) {
	for _, order := range []string{"ordered", "chunks", "tree", "lanes 32"} {
		checkText(t, fmt.Sprintf(`kernel prod(size n, size m, in x f32[m], out y f32[2]) {
  reduce %s a0<n {
    %%0 = load f32 x[a0<n*2]
    %%1 = load f32 x@1[a0<n*2]
  } fold %%2 %%3 = cprod %%0 %%1
  store y[], %%2
  store y@1[], %%3
}`, order), []int64{0, 0}, []int64{1, 2}, []int64{20, 40}, []int64{33, 66}, []int64{130, 260})
	}
}

func TestCumulate(t *testing.T) {
	race.Values(t)
	for _, ty := range []scalar.Type{scalar.F32, scalar.F64, scalar.I32, scalar.U8, scalar.Bool} {
		for fold := range ir.FoldOps {
			if fold.Pairs() || ty.IsFloat() && fold > ir.Min || ty == scalar.Bool && fold < ir.Max {
				continue
			}
			for _, reverse := range []bool{false, true} {
				t.Run(fmt.Sprint(ty, fold, reverse), func(t *testing.T) {
					write := func(extent ir.Size, n ir.Size, b *ir.Builder) *ir.Kernel {
						x, y := b.Buffer("x", ir.In, ty, n), b.Buffer("y", ir.Out, ty, n)
						b.Cumulate(fold, extent, reverse, func(i ir.Axis) ir.Ref { return b.Load(element(x, n, i)) },
							func(i ir.Axis, r ir.Ref) { b.Store(element(y, n, i), canon(b, r)) })
						return b.Finish()
					}
					b := ir.NewBuilder("scan")
					n := b.Symbol("n")
					checkKernel(t, write(n, n, b), []int64{0}, []int64{1}, []int64{255}, []int64{256}, []int64{257}, []int64{1000}, []int64{70000 / int64(ty.Size())})
					for _, m := range []int64{10, 256, 600, 1<<16 + 777} {
						checkKernel(t, write(ir.Const(m), ir.Const(m), ir.NewBuilder("scan")))
					}
				})
			}
		}
	}
	checkText(t, `kernel columns(in x f32[9000], out y f32[9000]) {
  vector a0<30 {
    cumulate sum a1<300 {
      %0 = load f32 x[30*a1+a0<9000]
    } then %1 = %0 {
      store y[30*a1+a0<9000], %1
    }
  }
}`)
}

// Accesses of every kind: strided, reversed, repeated, computed, clamped, dropped.
func TestAccesses(t *testing.T) {
	race.Values(t)
	for _, ty := range types {
		for name, access := range map[string]string{
			"stride":     "x[3*a0<3000]",
			"stride2":    "x@1[2*a0<2900]",
			"reversed":   "x[999+-1*a0<1000]",
			"same":       "x[5<10]",
			"computed":   "x[clamp %0<1000]",
			"computed64": "x[clamp 7+%9<1000*3]",
			"offset":     "x[clamp -20+a0<900]",
			"dropped":    "x[drop -20+a0<900]",
			"both":       "x[drop 2+%0<50*20, clamp a0<20]",
			"two":        "x[clamp %0<30*90, clamp %9<40*2]",
		} {
			t.Run(fmt.Sprint(ty, name), func(t *testing.T) {
				checkText(t, fmt.Sprintf(`kernel gather(in x %[1]v[3000], in i i32[1000], in j i64[1000], out y %[1]v[1000]) {
  vector a0<1000 {
    %%0 = load i32 i[a0<1000]
    %%9 = load i64 j[a0<1000]
    %%2 = load %[1]v %[2]s
    store y[a0<1000], %%2
  }
}`, ty, access))
				if name == "same" {
					return
				}
				checkText(t, fmt.Sprintf(`kernel scatter(inout x %[1]v[3000], in i i32[1000], in j i64[1000], in y %[1]v[1000]) {
  vector a0<1000 {
    %%0 = load i32 i[a0<1000]
    %%9 = load i64 j[a0<1000]
    %%2 = load %[1]v y[a0<1000]
    store %[2]s, %%2
  }
}`, ty, access))
				checkText(t, fmt.Sprintf(`kernel single(in x %[1]v[3000], in i i32[100], in j i64[100], out y %[1]v[100]) grid a0<100 {
  %%0 = load i32 i[a0<100]
  %%9 = load i64 j[a0<100]
  %%2 = load %[1]v %[2]s
  store y[a0<100], %%2
}`, ty, access))
			})
		}
	}
}

func TestTransposeAndTiles(t *testing.T) {
	checkText(t, `kernel transpose(in x f32[1200], out y f32[1200]) grid a0<30 {
  vector a1<40 {
    %0 = load f32 x[a1<40*30, a0<30]
    store y[40*a0+a1<1200], %0
  }
}`)
	checkText(t, `kernel tiles(size n, size chunks, in x f32[n], in s f32[1], out y f32[n]) grid a0<chunks {
  %0 = load f32 s[]
  vector a1<64 tail a0 n {
    %1 = load f32 x[64*a0+a1<n]
    %2 = mul f32 %1, %0
    store y[64*a0+a1<n], %2
  }
}`, []int64{1, 1}, []int64{64, 1}, []int64{65, 2}, []int64{1000, 16})
	checkText(t, `kernel grid3(size n, size m, size nm, in x f64[nm], out y f64[nm]) grid a0<n, a1<m {
  %0 = load f64 x[a0<n*m, a1<m]
  %1 = index i64 3+a0+2*a1
  %2 = convert f64 %1
  %3 = add f64 %0, %2
  store y[a0<n*m, a1<m], %3
}`, []int64{3, 5, 15}, []int64{1, 1, 1}, []int64{20, 7, 140})
}

func TestSequentialLoops(t *testing.T) {
	checkText(t, `kernel fib(size n, out y i64[n]) {
  %0 = const i64 0x0
  %1 = const i64 0x1
  loop a0<n carry %2 = %0, %3 -> %6 : i64; %3 = %1, %4 -> %7 : i64 {
    %4 = add i64 %2, %3
    store y[a0<n], %2
  }
}`, []int64{0}, []int64{1}, []int64{50})
	checkText(t, `kernel swap(in x f32[2], out y f32[2]) {
  %0 = load f32 x[]
  %1 = load f32 x@1[]
  loop a0<7 carry %2 = %0, %3 -> %4 : f32; %3 = %1, %2 -> %5 : f32 {
  }
  store y[], %4
  store y@1[], %5
}`)
	checkText(t, `kernel collatz(in x u32[1], out y u32[1]) {
  %0 = load u32 x[]
  %1 = const u32 0xffff
  %2 = and u32 %0, %1
  %3 = const u32 0x1
  %4 = max u32 %2, %3
  %5 = const u32 0x0
  while carry %6 = %4, %20 -> %21 : u32; %7 = %5, %22 -> %23 : u32 {
    %8 = const u32 0x1
    %9 = lt bool %8, %6
  } test %9 {
    %10 = const u32 0x1
    %11 = and u32 %6, %10
    %12 = eq bool %11, %10
    if %12 {
      %13 = const u32 0x3
      %14 = mul u32 %6, %13
      %15 = add u32 %14, %10
    } else {
      %16 = shr u32 %6, %10
    } merge %20 = %15 | %16 : u32
    %22 = add u32 %7, %10
  }
  store y[], %23
}`)
	checkText(t, `kernel flags(in x bool[8], out y bool[1]) {
  %0 = const bool 0x0
  loop a0<8 carry %1 = %0, %3 -> %4 : bool {
    %2 = load bool x[a0<8]
    %3 = xor bool %1, %2
  }
  store y[], %4
}`)
	checkText(t, `kernel powers(in x f32[100], out y f32[100]) {
  vector a0<100 {
    %0 = load f32 x[a0<100]
    %1 = const f32 0x3f800000
    loop a1<5 carry %2 = %1, %3 -> %4 : f32 {
      %3 = mul f32 %2, %0
    }
    store y[a0<100], %4
  }
}`)
}
