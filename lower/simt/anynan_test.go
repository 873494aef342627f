package simt_test

import (
	"testing"

	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/simt"
)

// A register may hold any NaN if only arithmetic and comparisons read it, but not if it is stored, moved, exchanged or
// selected, or its bits are read.
func TestAnyNaN(t *testing.T) {
	op := func(o scalar.Op, args ...simt.Reg) simt.Stmt {
		in := scalar.Inst{Op: o, Type: scalar.F32, Args: [3]simt.Reg{simt.NoReg, simt.NoReg, simt.NoReg}}
		copy(in.Args[:], args)
		return &simt.Op{Dst: 9, Inst: in}
	}
	add := op(scalar.OpAdd, 1, 0)
	open := [][]simt.Stmt{
		{add}, {op(scalar.OpFMA, 1, 2, 0)}, {op(scalar.OpLe, 0, 1)}, {op(scalar.OpCanon, 0)}, {op(scalar.OpMax, 0, 0), add},
		{&simt.If{Cond: 1, Then: []simt.Stmt{add}}},
	}
	exact := []simt.Stmt{
		op(scalar.OpSelect, 2, 1, 0), op(scalar.OpRare, 2, 0, 1), op(scalar.OpBitcast, 0), op(scalar.OpNeg, 0), op(scalar.OpAbs, 0),
		&simt.Move{Dst: 9, Src: 0}, &simt.Store{At: 1, Value: 0}, &simt.Put{At: 1, Value: 0}, &simt.Shuffle{Dst: 9, Src: 0, Xor: 1},
		&simt.StoreVec{At: 1, Values: []simt.Reg{1, 0}}, &simt.PutVec{At: 1, Values: []simt.Reg{1, 0}},
	}
	check := func(i int, want bool, b ...simt.Stmt) {
		t.Helper()
		if got := (&simt.Func{Body: b}).AnyNaN()[0]; got != want {
			t.Errorf("list %d: got %t, want %t", i, got, want)
		}
	}
	for i, b := range open {
		check(i, true, b...)
	}
	check(-1, false)
	for i, s := range exact {
		check(i, false, s)
		check(i, false, add, s)
		check(i, false, s, add)
		check(i, false, add, &simt.For{Index: 3, Body: []simt.Stmt{s}})
	}
}
