package simttest

import (
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/simt"
)

// Fetches returns a function that copies to shared memory: each of n threads fetches four
// elements and, in a second set if it is in the first half, one more. It stores the last of the
// four and the other one of the thread beside it.
func Fetches(n int) *simt.Func {
	f := &simt.Func{Name: "fetches", Group: true, Threads: n, Kernel: &ir.Kernel{Name: "fetches", Buffers: []ir.Buffer{
		{Name: "x", Role: ir.In, Type: scalar.F32, Len: ir.Const(int64(4 * n))}, {Name: "y", Role: ir.Out, Type: scalar.F32, Len: ir.Const(int64(2 * n))}}},
		Arrays: []simt.Array{{Shared: true, Type: scalar.F32, Len: 4 * n}, {Shared: true, Type: scalar.F32, Len: n}}}
	add := func(s simt.Stmt) { f.Body = append(f.Body, s) }
	op := func(o scalar.Op, t scalar.Type, imm uint64, args ...simt.Reg) simt.Reg {
		in := scalar.Inst{Op: o, Type: t, Imm: imm, Args: [3]simt.Reg{simt.NoReg, simt.NoReg, simt.NoReg}}
		copy(in.Args[:], args)
		f.Types = append(f.Types, t)
		r := simt.Reg(len(f.Types) - 1)
		add(&simt.Op{Dst: r, Inst: in})
		return r
	}
	num := func(x int) simt.Reg { return op(scalar.OpConst, scalar.I32, uint64(x)) }
	tid := op(scalar.OpConst, scalar.I32, 0)
	f.Body = []simt.Stmt{&simt.Special{Dst: tid, What: simt.Thread}}
	at := op(scalar.OpMul, scalar.I32, 0, tid, num(4))
	add(&simt.Fetch{Array: 0, To: at, Buffer: 0, From: at, N: 4, If: simt.NoReg})
	add(&simt.Commit{})
	add(&simt.Fetch{Array: 1, To: tid, Buffer: 0, From: at, FromPlus: 2, N: 1, If: op(scalar.OpLt, scalar.Bool, 0, tid, num(n/2))})
	add(&simt.Commit{})
	add(&simt.Await{Left: 1})
	add(&simt.Barrier{})
	beside := op(scalar.OpXor, scalar.I32, 0, tid, num(1))
	f.Types = append(f.Types, scalar.F32, scalar.F32, scalar.F32)
	r := simt.Reg(len(f.Types) - 3)
	add(&simt.GetVec{Dst: []simt.Reg{r, r + 1}, Array: 0, At: op(scalar.OpMul, scalar.I32, 0, beside, num(4)), Plus: 2})
	add(&simt.Await{Left: 0})
	add(&simt.Barrier{})
	add(&simt.Get{Dst: r + 2, Array: 1, At: beside})
	add(&simt.StoreVec{Buffer: 1, At: op(scalar.OpMul, scalar.I32, 0, tid, num(2)), Values: []simt.Reg{r + 1, r + 2}})
	return f
}
