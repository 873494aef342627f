package simt

import (
	"math"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// AttentionGrad is the statement of half of the derivative of an [Attention], for a cotangent C of its result. C has the
// layout of Y:
//
//	P[b, t, s] = softmaxₛ(X[b, t, s])
//	G[b, t, s] = Factor·P·(A[b, t, s] − Σₛ P·A[b, t, s]), 0 where Mask is Fills
//	A[b, t, s] = Σ_d C[b, t, d]·V[b, s, d]
//
// One half has the result Σₛ G·K, a row for each query, and also stores numbers of each row of X. From these the
// other half computes P and G again. Its results are Σₜ G·Q and Σₜ P·C, a row for each key. No sum uses atomics. All
// results are dense.
type AttentionGrad struct {
	Attention
	OfKeys bool
	Factor float32
	Common int     // the last Common axes of Batch share keys and values
	Narrow [2]bool // by result: it has the operands' format, else f32
}

// rowNumbers counts the numbers that are stored for each row of scores: the number that is subtracted from the scores, the
// factor of their exponentials, and Σₛ P·A.
const rowNumbers = 3

// Block returns the number of rows that a group computes with at a time: as many as registers suffice for.
func (g *AttentionGrad) Block() int {
	block := 64
	if g.Kind == TF32 {
		block /= 2
	}
	if max(g.H, g.D) > 64 {
		block /= 2
	}
	return block
}

// Twice reports whether a group of keys goes through the queries once for each result, since registers do not suffice for the
// sums of both.
func (g *AttentionGrad) Twice() bool {
	return g.OfKeys && max(g.H, g.D) > 64 && (g.Kind == TF32 || g.Biased || g.Masked)
}

// Own returns the operands of which a group keeps [AttentionQueries] rows, and Others those whose rows it goes through. The
// first one of each pair is an operand of the scores.
func (g *AttentionGrad) Own() [2]int {
	if g.OfKeys {
		return [2]int{Keys, Values}
	}
	return [2]int{Queries, Mixed}
}

func (g *AttentionGrad) Others() [2]int {
	if g.OfKeys {
		return [2]int{Queries, Mixed}
	}
	return [2]int{Keys, Values}
}

// SharedBytes returns the size of a group's shared memory, which begins at a multiple of 16.
func (g *AttentionGrad) SharedBytes() int {
	return (AttentionQueries + g.Block()) * (g.Pitch(Queries) + g.Pitch(Values))
}

// Shared returns the number of items of a batch that have the same keys.
func (g *AttentionGrad) Shared() int {
	n := 1
	for _, b := range g.Batch[len(g.Batch)-g.Common:] {
		n *= b.N
	}
	return n
}

// Items returns the number of tiles that groups compute.
func (g *AttentionGrad) Items() int {
	if g.OfKeys {
		return g.Batches() / g.Shared() * ((g.S + AttentionQueries - 1) / AttentionQueries)
	}
	return g.Batches() * g.Tiles()
}

// RowNumbers returns the index of the buffer that holds the rowNumbers numbers of each row: element (i·Batches + b)·T + t is
// number i of row t of item b of the batch.
func (g *AttentionGrad) RowNumbers() int {
	n := Bias
	if g.Biased {
		n++
	}
	if g.Masked {
		n++
	}
	return n
}

// Results returns the numbers of the result buffers.
func (g *AttentionGrad) Results() []int {
	if n := g.RowNumbers(); g.OfKeys {
		return []int{n + 1, n + 2}
	}
	return []int{g.RowNumbers() + 1}
}

// AttentionGradFunc returns the function of half of a derivative. Its buffers are Q, K, V, C, Bias and Mask if present, that of
// [AttentionGrad.RowNumbers], and the results; lens are the numbers of elements by operand.
func AttentionGradFunc(name string, g *AttentionGrad, lens [attentionOperands]int64) *Func {
	k := AttentionFunc(name, &g.Attention, lens).Kernel
	c := &k.Buffers[Mixed]
	c.Name, c.Role, c.Type = "c", ir.In, g.Kind.Stored()
	add := func(name string, role ir.Role, t scalar.Type, n int) {
		k.Buffers = append(k.Buffers, ir.Buffer{Name: name, Role: role, Type: t, Len: ir.Const(int64(n))})
	}
	out := func(i int) scalar.Type {
		if g.Narrow[i] {
			return g.Kind.Stored()
		}
		return scalar.F32
	}
	numbers := rowNumbers * g.Batches() * g.T
	if g.OfKeys {
		rows := g.Batches() / g.Shared() * g.S
		add("rows", ir.In, scalar.F32, numbers)
		add("dk", ir.Out, out(0), rows*g.H)
		add("dv", ir.Out, out(1), rows*g.D)
	} else {
		add("rows", ir.Out, scalar.F32, numbers)
		add("dq", ir.Out, out(0), g.Batches()*g.T*g.H)
	}
	return &Func{Name: name, Kernel: k, Group: true, Threads: AttentionThreads, Gradient: g, Body: []Stmt{g}, extents: []ir.Size{ir.Const(int64(g.Items()))}}
}

// RunsGradient reports whether tensor cores can run the derivative of an attention. With more than 64 features
// of f32, registers suffice only where there is no bias and no mask.
func (c TensorCores) RunsGradient(a *Attention) bool {
	return c.Runs(a) && (&AttentionGrad{Attention: *a}).SharedBytes() <= c.Shared && (max(a.H, a.D) <= 64 || a.Kind != TF32 || !a.Biased && !a.Masked)
}

// GradientBounds returns bounds of the errors of the results before they are rounded to their
// types, unless a number overflows or is subnormal. Let w be the exact weights, B = Σ_d |C||V|, and
// B̄ = Σₛ w·B of the row. A sum Σₜ P·C is wrong by at most values·Σₜ w|C|. A sum of G·x, where x is
// Q or K, is wrong by at most scores·|Factor|·Σ w·(B + B̄)|x|. fit and most are those of
// [Attention.Bound], n is the number of scores that are added.
//
// P is wrong by at most b·w, where Bound returns b, and A by at most ε·B, the bound of a product.
// So A − Σ P·A is wrong by about (ε + b)(B + B̄), and it is at most B + B̄ in magnitude.
func (g *AttentionGrad) GradientBounds(fit, most float64, n int) (values, scores float64) {
	a := g.Attention
	a.S = max(g.S, n)
	values = a.Bound(fit, most)
	product := float64(g.D+9) * 0x1p-22
	if g.Kind == TF32 {
		product += 2 * 0x1p-11
	}
	return values, math.Expm1(2*math.Log1p(values) + math.Log1p(product))
}
