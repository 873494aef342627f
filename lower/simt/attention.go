package simt

import (
	"fmt"
	"math"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// The operands of an [Attention], which index its lists of strides.
const (
	Queries = iota
	Keys
	Values
	Mixed // the result
	Bias
	Mask
	attentionOperands
)

// Attention is the statement of a softmax between two products,
//
//	Y[b, t] = Σₛ softmaxₛ(X[b, t, s])·V[b, s]
//	X[b, t, s] = Scale·Σₕ Q[b, t, h]·K[b, s, h] + Bias[b, t, s], Fill where Mask is Fills
//
// on tensor cores, with running maxima and sums: X is not stored in memory. The statement is
// the whole body of its function. Rows of Q, K, V and Y are contiguous.
type Attention struct {
	Unit   TensorUnit // MMA or WGMMA
	Kind   TensorKind
	Narrow bool // Y has the operands' format, rounded once; else f32
	T, S   int
	H, D   int // features of keys and of values: powers of two from 16 to 128
	Scale  float32

	Biased, Masked bool
	Causal         bool // keys at s > t have no weight
	Fill           float32
	Fills          bool // the value of Mask where X is Fill

	Batch  []AttentionAxis
	Offset [attentionOperands]int // elements before the first
	Row    [attentionOperands]int // from row to row: along s for K and V, else along t
	Column [attentionOperands]int // along s, of Bias and Mask
}

// AttentionAxis is a batch axis with the strides of all operands.
type AttentionAxis struct {
	N     int
	Steps [attentionOperands]int
}

func (*Attention) isStmt()     {}
func (*AttentionGrad) isStmt() {}

// The numbers of queries and of threads of a group with MMA. Each of its warps computes 16 queries.
const (
	AttentionQueries = 64
	AttentionThreads = 2 * AttentionQueries
)

// AttentionStages is the number of blocks of keys, and of values, that a group with WGMMA holds in shared memory.
const AttentionStages = 2

// Queries returns the number of queries of a group: with WGMMA, 64 for each of the two warpgroups that compute.
func (a *Attention) Queries() int {
	if a.Unit == WGMMA {
		return 2 * AttentionQueries
	}
	return AttentionQueries
}

// Threads returns the number of threads of a group.
func (a *Attention) Threads() int {
	if a.Unit == WGMMA {
		return 3 * 128
	}
	return AttentionThreads
}

// Block returns the number of keys that a group computes with at a time: fewer where the
// registers would not suffice.
func (a *Attention) Block() int {
	if a.Kind == TF32 && max(a.H, a.D) > 64 {
		return 32
	}
	return 64
}

// Pitch returns the number of bytes from one row of operand i to the next in shared memory:
// eight consecutive rows begin in different banks.
func (a *Attention) Pitch(i int) int {
	if i == Values || i == Mixed { // gradients read the cotangents of Mixed
		return a.D*a.Kind.Size() + 16
	}
	return a.H*a.Kind.Size() + 16
}

// SharedBytes returns the size of a group's shared memory, which begins at a multiple of 16. With WGMMA it includes
// the bytes that align the tiles to 1024, and the barriers.
func (a *Attention) SharedBytes() int {
	if a.Unit == WGMMA {
		return 1024 + a.Kind.Size()*(a.Queries()*a.H+AttentionStages*a.Block()*(a.H+a.D)) + 16*(1+2*AttentionStages)
	}
	return AttentionQueries*a.Pitch(Queries) + a.Block()*(a.Pitch(Keys)+a.Pitch(Values))
}

// Out returns the type of Y's buffer.
func (a *Attention) Out() scalar.Type {
	if a.Narrow {
		return a.Kind.Stored()
	}
	return scalar.F32
}

// Batches returns the number of items of the batch: the product of the extents of Batch.
func (a *Attention) Batches() int {
	n := 1
	for _, b := range a.Batch {
		n *= b.N
	}
	return n
}

// Tiles returns the number of tiles of queries of one item of the batch.
func (a *Attention) Tiles() int { return (a.T + a.Queries() - 1) / a.Queries() }

// AttentionFunc returns the function of an attention. Its buffers are Q, K, V, Y, and Bias and
// Mask if present; lens are their numbers of elements, by operand.
func AttentionFunc(name string, a *Attention, lens [attentionOperands]int64) *Func {
	k := &ir.Kernel{Name: name}
	add := func(name string, role ir.Role, t scalar.Type, i int) {
		k.Buffers = append(k.Buffers, ir.Buffer{Name: name, Role: role, Type: t, Len: ir.Const(lens[i])})
	}
	add("q", ir.In, a.Kind.Stored(), Queries)
	add("k", ir.In, a.Kind.Stored(), Keys)
	add("v", ir.In, a.Kind.Stored(), Values)
	add("y", ir.Out, a.Out(), Mixed)
	if a.Biased {
		add("bias", ir.In, scalar.F32, Bias)
	}
	if a.Masked {
		add("mask", ir.In, scalar.Bool, Mask)
	}
	f := &Func{Name: name, Kernel: k, Group: true, Threads: a.Threads(), Attention: a, Body: []Stmt{a},
		extents: []ir.Size{ir.Const(int64(a.Batches())), ir.Const(int64(a.Tiles()))}}
	if a.Unit == WGMMA {
		f.Resident = 1
	}
	return f
}

// Maps returns the tensor maps of queries, keys and values; only attentions with WGMMA have them.
func (a *Attention) Maps() []TensorMap {
	if a.Unit != WGMMA {
		return nil
	}
	size := a.Kind.Size()
	var maps []TensorMap
	for i := Queries; i <= Values; i++ {
		rows, box, features := a.S, a.Block(), a.H
		if i == Queries {
			rows, box = a.T, a.Queries()
		}
		if i == Values {
			features = a.D
		}
		m := TensorMap{Buffer: i, Offset: a.Offset[i] * size, Kind: a.Kind, Rank: 2, Dims: [5]uint64{uint64(features), uint64(rows)}, Box: [5]uint32{uint32(128 / size), uint32(box)}}
		m.Strides[0] = uint64(a.Row[i] * size)
		for d := len(a.Batch) - 1; d >= 0; d-- {
			m.along(a.Batch[d].N, a.Batch[d].Steps[i]*size)
		}
		maps = append(maps, m)
	}
	return maps
}

// Choose sets the unit of an attention: WGMMA, on devices that have it, for operands of 16 bits whose rows are whole lines of 128
// bytes, if TMA can copy them and shared memory suffices, else MMA.
func (c TensorCores) Choose(a *Attention) {
	a.Unit = MMA
	if !c.WGMMA || a.Kind == TF32 || a.H%64 != 0 || a.D%64 != 0 {
		return
	}
	a.Unit = WGMMA
	for _, m := range a.Maps() {
		if !m.copies() || a.SharedBytes() > c.Shared {
			a.Unit = MMA
			return
		}
	}
}

// Buffer returns the number of the buffer of operand i.
func (a *Attention) Buffer(i int) int {
	if i == Mask && !a.Biased {
		return Bias
	}
	return i
}

// Runs reports whether tensor cores can run the attention.
func (c TensorCores) Runs(a *Attention) bool {
	fits := func(n int) bool { return n >= 16 && n <= 128 && n&(n-1) == 0 }
	return c.MMA && fits(a.H) && fits(a.D) && a.SharedBytes() <= c.Shared
}

func (a *Attention) String() string {
	return fmt.Sprintf("%v %d×%d, features %d and %d", a.Kind, a.T, a.S, a.H, a.D)
}

// Bound returns b such that an element of Y, before it is rounded to its type, differs from the
// exact one by at most b·Σₛ w|V|, w being the exact weights, unless a number overflows or is
// subnormal. fit is the greatest Scale·Σₕ|Q||K| of a row of scores, most the greatest |X| that
// is finite and not Fill. A score is wrong by at most δ: the bound of a product, and a rounding
// of scale and bias. An exponential is wrong by 2⁻¹⁵ of itself at most: x − max and its product
// with log₂e are rounded, and ex2.approx has 2⁻²². Weights are rounded, and with tf32 also values.
// Sums and the factors that rescale them have an error of 2⁻²¹ for each key. The errors of roundings and
// sums are relative to the computed weights, which are at most e^(2δ + 2⁻¹³) times the exact ones.
func (a *Attention) Bound(fit, most float64) float64 {
	product, rounding := float64(a.H+9)*0x1p-22, 2*0x1p-11
	switch a.Kind {
	case TF32:
		product += 2 * 0x1p-11
	case BF16:
		rounding = 0x1p-8
	case F16:
		rounding = 0x1p-11
	}
	delta := fit*product + (fit+most)*0x1p-22
	weights := 2*delta + 0x1p-13
	return math.Expm1(weights) + math.Exp(weights)*(rounding+float64(a.S+9)*0x1p-21)
}
