package device_test

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lax"
)

// wideOp is an operation that adds values to the pool. It is drawn in proportion to its weight.
type wideOp struct {
	name   string
	weight int
	apply  func(g *wideGen)
}

var wideOps = []wideOp{
	{"unary", 8, (*wideGen).unary},
	{"binary", 10, (*wideGen).binary},
	{"integers", 2, (*wideGen).integers},
	{"convert", 4, (*wideGen).convert},
	{"complex", 1, (*wideGen).complex},
	{"where", 4, func(g *wideGen) {
		x := g.pick()
		g.add(weft.Where(g.fit(x.Shape()).Gt(0), x, g.fit(x.Shape())))
	}},
	{"clip", 1, func(g *wideGen) { g.add(weft.Clip(g.float(), -1.5, 2)) }},
	{"reduce", 8, (*wideGen).reduce},
	{"normalize", 3, (*wideGen).normalize},
	{"cumulate", 4, (*wideGen).cumulate},
	{"transpose", 5, func(g *wideGen) { x := g.ranked(2); g.add(x.Transpose(g.r.Perm(x.Rank())...)) }},
	{"reshape", 4, (*wideGen).reshape},
	{"slice", 4, (*wideGen).slice},
	{"flip", 2, func(g *wideGen) { x := g.ranked(1); g.add(weft.Flip(x, g.axes(x)...)) }},
	{"roll", 1, func(g *wideGen) { x := g.ranked(1); g.add(weft.Roll(x, g.r.IntN(40)-20, g.r.IntN(x.Rank()))) }},
	{"pad", 2, (*wideGen).pad},
	{"concat", 3, (*wideGen).concat},
	{"broadcast", 2, func(g *wideGen) { g.add(g.fit(g.drawShape())) }},
	{"take", 4, (*wideGen).take},
	{"dynamic slice", 2, (*wideGen).dynamicSlice},
	{"dynamic update", 3, (*wideGen).dynamicUpdate},
	{"scatter", 4, (*wideGen).scatter},
	{"segments", 1, func(g *wideGen) {
		x := g.ranked(1)
		n := g.size()
		g.add(weft.SegmentReduce(x, g.indices(n+1, x.Dim(0)), n, []weft.ReduceOp{weft.ReduceSum, weft.ReduceMax, weft.ReduceMin}[g.r.IntN(3)]))
	}},
	{"sort", 3, (*wideGen).sort},
	{"product", 5, (*wideGen).product},
	{"convolution", 2, (*wideGen).convolution},
	{"window", 2, (*wideGen).window},
	{"random", 1, func(g *wideGen) {
		bits := lax.RandomBits(lax.RandomSeed(uint32(g.r.IntN(9))), []int{8, 16, 32, 64}[g.r.IntN(4)], g.drawShape()...)
		g.add(bits.AsType(core.Float32).Mul(1e-5))
	}},
	{"fft", 1, func(g *wideGen) {
		x := g.ranked(1)
		n := x.Dim(-1)
		if n > 600 {
			panic(errTooLarge)
		}
		g.add(weft.Abs(lax.FFT(toType(x, core.Complex64), lax.FFTForward, n)).AsType(core.Float32))
	}},
	{"factor", 1, (*wideGen).factor},
	{"calm", 4, func(g *wideGen) { g.add(weft.Sin(g.float())) }},
}

// step applies one operation, or control flow whose nesting is at most depth. If an operation does not
// fit the pool, another one is drawn.
func (g *wideGen) step(depth int) {
	sum := 0
	for _, o := range wideOps {
		sum += o.weight
	}
	for range 20 {
		apply := func() { g.control(depth) }
		if k := g.r.IntN(sum + 14*min(depth, 1)); k < sum {
			i := 0
			for ; k >= wideOps[i].weight; i++ {
				k -= wideOps[i].weight
			}
			apply = func() { wideOps[i].apply(g) }
		}
		n := len(g.pool)
		if core.Catch(apply) == nil && len(g.pool) > n {
			return
		}
		g.pool = g.pool[:n]
	}
}

var wideUnary = []func(x weft.Array) weft.Array{
	weft.Sin, weft.Cos, weft.Tanh, weft.Exp, weft.Log1p, weft.Sqrt, weft.Abs, weft.Square, weft.Floor, weft.Sign, weft.Reciprocal, weft.Atan, lax.Logistic, lax.Erf,
	weft.Cbrt, weft.Expm1, weft.Rsqrt, weft.Array.Neg, func(x weft.Array) weft.Array { return weft.Round(x) }, lax.Lgamma, weft.Exp2, weft.Log, weft.Sinh,
	func(x weft.Array) weft.Array { return x.Mul(x).Add(1) }, func(x weft.Array) weft.Array { return x.Mul(0.5).Sub(0.25) }, func(x weft.Array) weft.Array { return x.Pow(3) },
}

func (g *wideGen) unary() { g.add(wideUnary[g.r.IntN(len(wideUnary))](g.float())) }

func (g *wideGen) binary() {
	x := g.pick()
	y := g.fit(x.Shape())
	if g.r.IntN(3) > 0 && !y.DType().IsComplex() && x.DType() != core.Bool {
		y = toType(y, x.DType())
	}
	if g.r.IntN(2) == 0 {
		x, y = y, x
	}
	switch g.r.IntN(12) {
	case 0, 1:
		g.add(x.Sub(y))
	case 2, 3, 4:
		g.add(x.Mul(y))
	case 5:
		g.add(x.Div(y))
	case 6:
		g.add(weft.Maximum(x, y))
	case 7:
		g.add(x.Lt(y))
	case 8:
		g.add(weft.Atan2(x, y))
	case 9:
		g.add(x.Mul(y).Add(x))
	default:
		g.add(x.Add(y))
	}
}

func (g *wideGen) integers() {
	x := g.pickIf(func(x weft.Array) bool { return x.DType().IsInteger() })
	y := toType(g.fit(x.Shape()), x.DType())
	g.add([]func() weft.Array{
		func() weft.Array { return x.And(y) }, func() weft.Array { return x.Xor(y) }, func() weft.Array { return x.Shl(3) }, func() weft.Array { return x.Shr(1) },
		func() weft.Array { return x.FloorDiv(y) }, func() weft.Array { return x.Rem(y) }, func() weft.Array { return weft.PopulationCount(x) }, func() weft.Array { return lax.Clz(x) },
		func() weft.Array { return x.Mul(y) }, func() weft.Array { return x.Not() },
	}[g.r.IntN(10)]())
}

var wideNarrow = []core.DType{core.Int4, core.Uint4, core.Float8E4M3FN, core.Float8E5M2, core.Int2}

func (g *wideGen) convert() {
	x := g.pick()
	switch g.r.IntN(4) {
	case 0:
		g.add(toType(toType(x, wideNarrow[g.r.IntN(len(wideNarrow))]), core.Float32).Add(0.5))
	case 1:
		x = toType(x, []core.DType{core.Float32, core.Int32}[g.r.IntN(2)])
		g.add(x.View([]core.DType{core.Uint32, core.Uint16, core.Uint8, core.Int16}[g.r.IntN(4)]).AsType(core.Int32).Rem(1000))
	default:
		g.add(toType(x, g.dtype()))
	}
}

func (g *wideGen) complex() {
	x := g.pick()
	if !x.DType().IsComplex() {
		x = lax.Complex(toType(x, core.Float32), toType(g.fit(x.Shape()), core.Float32))
	}
	switch g.r.IntN(5) {
	case 0:
		g.add(x)
	case 1:
		g.add(x.Mul(weft.Conj(x)))
	case 2:
		g.add(x.Imag())
	case 3:
		g.add(weft.Abs(x))
	default:
		g.add(weft.Exp(x.Mul(0.1)))
	}
}

func (g *wideGen) reduce() {
	x := g.ranked(1)
	axes := g.axes(x)
	if g.r.IntN(4) == 0 {
		axes = []int{x.Rank() - 1}
	}
	var y weft.Array
	switch g.r.IntN(10) {
	case 0:
		y = x.Max(axes...)
	case 1:
		y = x.Min(axes...)
	case 2:
		y = x.Mul(0.5).Prod(axes...)
	case 3:
		y = x.ArgMax(axes[0])
	case 4:
		y = x.ArgMin(axes[0])
	case 5:
		y = x.Gt(0).Any(axes...)
	case 6:
		y = x.Mean(axes...)
	case 7:
		y = x.Var(axes...)
	default:
		y = x.Sum(axes...)
	}
	g.add(y)
}

// normalize combines a value with reductions of it, which are broadcast to its shape.
func (g *wideGen) normalize() {
	x := g.ranked(1)
	x = toType(x, []core.DType{core.Float32, core.Float32, core.Float64, core.BFloat16, core.Float16}[g.r.IntN(5)])
	axes := g.axes(x)
	kept := x.Sum(axes...).ExpandDims(sorted(axes)...)
	switch g.r.IntN(3) {
	case 0:
		e := weft.Exp(x.Sub(x.Max(axes...).ExpandDims(sorted(axes)...)))
		g.add(e.Div(e.Sum(axes...).ExpandDims(sorted(axes)...)))
	case 1:
		m := x.Sub(x.Mean(axes...).ExpandDims(sorted(axes)...))
		g.add(m.Mul(weft.Rsqrt(m.Mul(m).Mean(axes...).ExpandDims(sorted(axes)...).Add(1e-3))))
	default:
		g.add(x.Mul(kept).Add(x))
	}
}

func (g *wideGen) cumulate() {
	x := g.ranked(1)
	axis := g.r.IntN(x.Rank())
	reverse := g.r.IntN(3) == 0
	if x.DType() == core.Bool {
		x = x.AsType(core.Int32)
	}
	switch g.r.IntN(6) {
	case 0:
		g.add(lax.Cumprod(x, axis, reverse))
	case 1:
		g.add(lax.Cummax(x, axis, reverse))
	case 2:
		g.add(lax.Cumlogsumexp(toType(x, core.Float32), axis, reverse))
	case 3:
		g.add(lax.Cummin(x, axis, reverse))
	default:
		g.add(lax.Cumsum(x, axis, reverse))
	}
}

func (g *wideGen) sort() {
	x := g.ranked(1)
	axis := g.r.IntN(x.Rank())
	if x.DType().IsComplex() {
		x = x.Real()
	}
	switch g.r.IntN(5) {
	case 0:
		g.add(x.ArgSort(axis))
	case 1:
		y := g.fit(x.Shape())
		g.add(lax.SortBy(axis, 1+g.r.IntN(2), true, x, y, x)...)
	case 2:
		x = x.MoveAxis(axis, -1)
		v, i := weft.TopK(x, 1+g.r.IntN(min(x.Dim(-1), 20)))
		g.add(v, i)
	default:
		g.add(x.Sort(axis))
	}
}

func (g *wideGen) product() {
	dt := []core.DType{core.Float32, core.Float32, core.Float32, core.Float64, core.BFloat16, core.Float16, core.Int32, core.Complex64}[g.r.IntN(8)]
	x := toType(g.ranked(1), dt)
	contract := g.axes(x)
	contract = contract[:1+g.r.IntN(min(len(contract), 2))]
	var batch []int
	for i := range x.Rank() {
		if indexOf(contract, i) < 0 && g.r.IntN(4) == 0 {
			batch = append(batch, i)
		}
	}
	var shape, lb, rb, rc []int
	for i, a := range batch {
		shape, lb, rb = append(shape, x.Dim(a)), append(lb, a), append(rb, i)
	}
	work := x.Size()
	for _, a := range contract {
		rc = append(rc, len(shape))
		shape = append(shape, x.Dim(a))
	}
	if g.r.IntN(4) > 0 {
		n := g.size()
		if work*n > 1<<21 {
			n = 1 + g.r.IntN(3)
		}
		shape = append(shape, n)
	}
	perm := g.r.Perm(len(shape))
	laid := make([]int, len(shape))
	for i, p := range perm {
		laid[p] = shape[i]
	}
	for i := range rb {
		rb[i] = perm[rb[i]]
	}
	for i := range rc {
		rc[i] = perm[rc[i]]
	}
	g.add(lax.DotGeneral(x, g.fitType(laid, dt), lax.DotConfig{LhsContract: contract, RhsContract: rc, LhsBatch: lb, RhsBatch: rb}))
}

func (g *wideGen) convolution() {
	n := 1 + g.r.IntN(2)
	sizes := []int{1 + g.r.IntN(3), 1 + g.r.IntN(5)}
	ws := []int{1 + g.r.IntN(40), sizes[1]}
	work := 40
	for range n {
		s := g.size()
		if n == 2 {
			s = 1 + s%40
		}
		k := 1 + g.r.IntN(5)
		sizes, ws = append(sizes, s), append(ws, k)
		work *= s * k
	}
	if work > 1<<20 {
		panic(errTooLarge)
	}
	c := lax.ConvConfig{Padding: lax.Same}
	for range n {
		c.Strides, c.RhsDilation = append(c.Strides, 1+g.r.IntN(2)), append(c.RhsDilation, 1+g.r.IntN(2))
	}
	dt := []core.DType{core.Float32, core.Float32, core.BFloat16, core.Float64}[g.r.IntN(4)]
	g.add(lax.ConvGeneralDilated(g.fitType(sizes, dt), g.fitType(ws, dt), c))
}

func (g *wideGen) window() {
	x := g.ranked(1)
	c := lax.WindowConfig{}
	for range x.Rank() {
		c.Dims, c.Strides = append(c.Dims, 1), append(c.Strides, 1)
	}
	for _, a := range g.axes(x)[:1] {
		c.Dims[a], c.Strides[a] = 1+g.r.IntN(min(x.Dim(a), 9)), 1+g.r.IntN(3)
	}
	if g.r.IntN(2) == 0 {
		c.Padding = lax.Same
	}
	x = toType(x, core.Float32)
	if g.r.IntN(2) == 0 {
		g.add(lax.ReduceWindow(x, weft.Scalar(float32(0)), func(a, b weft.Array) weft.Array { return a.Add(b) }, c))
	} else {
		g.add(lax.ReduceWindow(x, weft.Scalar(float32(-1e9)), func(a, b weft.Array) weft.Array { return weft.Maximum(a, b) }, c))
	}
}

// factor adds factors of matrices, products with factors, or solutions of systems.
func (g *wideGen) factor() {
	m, n := g.size(), g.size()
	if m > 150 || n > 150 || m*n == 0 {
		panic(errTooLarge)
	}
	dt := []core.DType{core.Float32, core.Float32, core.Float64, core.BFloat16}[g.r.IntN(4)]
	count := 1 + g.r.IntN(3)
	matrices := func(m, n int) weft.Array { return weft.Sin(g.fitType([]int{count, m, n}, dt)) }
	square := func() weft.Array { return matrices(n, n).Add(weft.Eye(n).Mul(float64(n)).AsType(dt)) }
	switch g.r.IntN(5) {
	case 0:
		g.add(lax.Cholesky(square()))
	case 1:
		g.add(lax.QR(matrices(m, n), lax.QRConfig{Full: g.r.IntN(2) == 0})...)
	case 2:
		packed, taus := lax.Geqrf(matrices(m, n))
		g.add(packed, lax.Ormqr(packed, taus, matrices(n, m), false, g.r.IntN(2) == 0))
	case 3:
		packed, pivots, permutation := lax.LU(matrices(m, n))
		g.add(packed, pivots, permutation)
	default:
		c := lax.TriangularConfig{LeftSide: true, Lower: g.r.IntN(2) == 0, TransposeA: g.r.IntN(2) == 0, UnitDiagonal: g.r.IntN(4) == 0}
		g.add(lax.TriangularSolve(square(), matrices(n, m), c))
	}
}
