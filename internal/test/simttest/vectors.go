package simttest

import (
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/simt"
)

// Vectors returns a function with accesses of neighbouring elements and exchanges in warps:
// each of n threads loads four elements, puts them into shared memory, gets the two last
// ones of the thread beside it, adds what thread tid xor 5 got, and stores the sums and, as
// numbers of 64 bits and as truths, exchanged values.
func Vectors(n int) *simt.Func {
	buffer := func(name string, r ir.Role, t scalar.Type, each int) ir.Buffer {
		return ir.Buffer{Name: name, Role: r, Type: t, Len: ir.Const(int64(each * n))}
	}
	f := &simt.Func{Name: "vectors", Group: true, Threads: n, Kernel: &ir.Kernel{Name: "vectors", Buffers: []ir.Buffer{
		buffer("x", ir.In, scalar.F32, 4), buffer("y", ir.Out, scalar.F32, 2), buffer("d", ir.Out, scalar.F64, 2), buffer("b", ir.Out, scalar.Bool, 1), buffer("a", ir.Out, scalar.Bool, 1)}}}
	reg := func(t scalar.Type) simt.Reg {
		f.Types = append(f.Types, t)
		return simt.Reg(len(f.Types) - 1)
	}
	add := func(s simt.Stmt) { f.Body = append(f.Body, s) }
	op := func(o scalar.Op, t scalar.Type, args ...simt.Reg) simt.Reg {
		in := scalar.Inst{Op: o, Type: t, Args: [3]simt.Reg{simt.NoReg, simt.NoReg, simt.NoReg}}
		copy(in.Args[:], args)
		r := reg(t)
		add(&simt.Op{Dst: r, Inst: in})
		return r
	}
	num := func(x int) simt.Reg {
		r := reg(scalar.I32)
		add(&simt.Op{Dst: r, Inst: scalar.Inst{Op: scalar.OpConst, Type: scalar.I32, Imm: uint64(x), Args: [3]simt.Reg{simt.NoReg, simt.NoReg, simt.NoReg}}})
		return r
	}
	shuffle := func(x simt.Reg, xor int) simt.Reg {
		r := reg(f.Types[x])
		add(&simt.Shuffle{Dst: r, Src: x, Xor: xor})
		return r
	}
	tid := reg(scalar.I32)
	add(&simt.Special{Dst: tid, What: simt.Thread})
	f.Arrays = []simt.Array{{Shared: true, Type: scalar.F32, Len: 4 * n}}
	at := op(scalar.OpMul, scalar.I32, tid, num(4))
	x := []simt.Reg{reg(scalar.F32), reg(scalar.F32), reg(scalar.F32), reg(scalar.F32)}
	add(&simt.LoadVec{Dst: x, Buffer: 0, At: at})
	add(&simt.PutVec{Array: 0, At: at, Values: x})
	add(&simt.Barrier{})
	beside := op(scalar.OpMul, scalar.I32, op(scalar.OpXor, scalar.I32, tid, num(1)), num(4))
	y := []simt.Reg{reg(scalar.F32), reg(scalar.F32)}
	add(&simt.GetVec{Dst: y, Array: 0, At: beside, Plus: 2})
	var sums []simt.Reg
	for _, r := range y {
		sums = append(sums, op(scalar.OpAdd, scalar.F32, r, shuffle(r, 5)))
	}
	two := op(scalar.OpMul, scalar.I32, tid, num(2))
	add(&simt.StoreVec{Buffer: 1, At: two, Values: sums})
	wide := op(scalar.OpConvert, scalar.F64, x[0])
	add(&simt.StoreVec{Buffer: 2, At: two, Values: []simt.Reg{shuffle(wide, 16), wide}})
	less := op(scalar.OpLt, scalar.Bool, x[0], x[1])
	add(&simt.Store{Buffer: 3, At: tid, Value: shuffle(less, 1)})
	aligned := reg(scalar.Bool)
	add(&simt.Special{Dst: aligned, What: simt.Aligned, Index: 0})
	add(&simt.Store{Buffer: 4, At: tid, Value: aligned})
	return f
}
