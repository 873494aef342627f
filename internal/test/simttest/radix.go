package simttest

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/schedule"
	"github.com/weft-go/weft/lower/simt"
)

// Radix returns the sort of a row of n u32 with their numbers, in tiles of 256·items.
func Radix(n, items int64) *schedule.Radix {
	b := scalar.NewBuilder(core.Uint32)
	key := b.Finish([]core.DType{core.Uint32}, []scalar.Ref{b.Param(0, 0)})
	return &schedule.Radix{Element: scalar.U32, Key: key, High: 32, Payload: scalar.I32, Numbers: true, Rows: 1, N: n, Items: items}
}

// Select returns the selection of the k least u32 of rows.
func Select(rows, n, k int64) *schedule.Select {
	r := Radix(n, 0)
	return &schedule.Select{Element: r.Element, Key: r.Key, High: r.High, Rows: rows, N: n, K: k}
}

// Fourier returns the functions of Fourier transforms of rows of n numbers.
func Fourier(rows, n int) (all []*simt.Func) {
	b := jaxpr.NewBuilder()
	v := b.Eqn(prim.FFTP{Kind: prim.FFTForward, Lengths: core.MakeDims(n)}, b.Input(core.Aval(core.Complex64, rows, n)))[0]
	for _, w := range schedule.SequenceOf(&fuse.Call{Eqn: b.Build(v).Eqns[0]}, schedule.Device{}).Work {
		all = append(all, simt.FuncOf(w.Kernel))
	}
	return all
}

// RadixFuncs are the functions of a digit of a sort.
type RadixFuncs struct {
	Count, Sum, Place *simt.Func
	Fresh             bool // Place does not take payloads
}

// Passes returns the functions of a sort.
func Passes(r *schedule.Radix) (all []RadixFuncs) {
	for _, p := range r.Passes() {
		all = append(all, RadixFuncs{simt.FuncOf(p.Count), simt.FuncOf(p.Sum), simt.FuncOf(p.Place), p.Place.Fresh})
	}
	return all
}
