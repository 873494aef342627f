// Package exchange has the steps in which processes that run parts of one program send each other rows. It orders
// a program so that processes compute while rows are on their way, and lists what a program sends.
package exchange

import (
	"context"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/hostcall"
)

// Value is an array, or what stands for one while a program is traced.
type Value = core.Value

// An Exchange is a step of a program in which processes send each other rows.
type Exchange struct {
	Kind     Kind
	Axis     string // of the mesh
	For      string // the collective that it is a part of; "" for results that all processes get
	Group    []int  // ranks, ascending, this process's among them
	To, From int    // ranks, of Permuting; -1 for none
}

// Kind is what processes do with their rows.
type Kind string

const (
	Gathering  Kind = "gather"   // each process gets the rows of all, in their order
	Exchanging Kind = "exchange" // each gets a part of everyone's rows
	Summing    Kind = "sum"      // each gets a part of everyone's rows, adds these, and gets the sums of all
	Permuting  Kind = "permute"  // rows go to one process and come from another
)

// Start begins to send rows to processes of a group. wait returns the rows that arrive.
type Start = func(ctx context.Context, e Exchange, x Value, result core.ShapedArray) (wait func() Value)

// Rows returns the rows that an exchange brings. rows is their number.
func Rows(begin Start, e Exchange, rows int, x Value) Value {
	return core.Bind1(newAcross(begin, e, rows), x)
}

func newAcross(begin Start, e Exchange, rows int) acrossP {
	h := &halves{begin, e, rows}
	f := &hostcall.HostFunc{Name: string(e.Kind) + "_" + e.Axis, Op: "ShardMap"}
	f.CallIn = func(ctx context.Context, in []Value) []Value { return []Value{h.start(ctx, in[0])()} }
	return acrossP{f, h}
}

// WithRows returns the type with another number of rows.
func WithRows(a core.ShapedArray, rows int) core.ShapedArray {
	return a.WithShape(a.Shape.Slice(1, a.Rank()).Prepend(rows))
}

// acrossP is an exchange of rows along the leading axis. It runs on the host, in the order of the
// program.
type acrossP struct {
	fn *hostcall.HostFunc
	of *halves
}

func (p acrossP) Name() string { return p.fn.Name }

// Host returns the function that is called.
func (p acrossP) Host() *hostcall.HostFunc { return p.fn }

func (p acrossP) Abstract(in []core.ShapedArray) []core.ShapedArray {
	return []core.ShapedArray{WithRows(in[0], p.of.rows)}
}

func (acrossP) Effects() core.Effect { return core.EffectOrderedIO }

// Batch exchanges the rows of the whole batch at once.
func (p acrossP) Batch(_ int, in []Value, _ []bool) ([]Value, []bool) {
	return []Value{swapped(core.Bind1(p, swapped(in[0])))}, []bool{true}
}

func swapped(x Value) Value {
	axes := core.Range(0, x.Aval().Rank()).Ints()
	axes[0], axes[1] = 1, 0
	return prim.Transpose(x, core.MakeDims(axes...))
}
