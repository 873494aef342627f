package simt

import (
	"slices"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// Guarded returns f with one more buffer after the others, of one Bool: if it is false,
// the program does nothing. A launch whose guard another kernel writes needs no decision
// by the host.
func (f *Func) Guarded() *Func {
	k := *f.Kernel
	k.Buffers = append(slices.Clone(k.Buffers), ir.Buffer{Name: "live", Role: ir.In, Type: scalar.Bool, Len: ir.Const(1)})
	g := *f
	g.Kernel = &k
	g.Types = append(slices.Clone(f.Types), scalar.I32, scalar.Bool)
	at, live := Reg(len(f.Types)), Reg(len(f.Types)+1)
	g.Body = []Stmt{
		&Op{at, scalar.Inst{Op: scalar.OpConst, Type: scalar.I32, Args: [3]Reg{NoReg, NoReg, NoReg}}},
		&Load{live, len(k.Buffers) - 1, at},
		&If{Cond: live, Then: f.Body},
	}
	return &g
}
