package jaxpr

import (
	"iter"
	"slices"

	"github.com/weft-go/weft/core"
)

// The types of programs within programs. Each is bound as a pointer; their rules under
// transformations are in package transforms. Here are their contents, types and text.

func init() {
	core.Calls = func(p core.Primitive) bool {
		switch p.(type) {
		case *Jit, *CoreCall, *Cond, *While, *Scan, *Remat, *ShardMap, *CustomJVP, *CustomVJP, *CustomLin, *CustomVmap, *LinearCall, *LinearSolve:
			return true
		}
		return false
	}
}

// callAvals checks that operands fit a program's inputs, weak marks aside, and
// returns the program's result types.
func callAvals(what string, j *Jaxpr, in []core.ShapedArray) []core.ShapedArray {
	if j == nil {
		core.Failf(core.ErrCheck, "%s is nil; set it in the primitive's fields", what)
	}
	if len(in) != len(j.Ins) {
		core.Failf(core.ErrCheck, "%s must have %s (got %d); pass one for each input of its program", what, core.Count(len(j.Ins), "operand"), len(in))
	}
	for i, v := range j.Ins {
		if !v.Type.Fits(in[i]) {
			core.Failf(core.ErrCheck, "operand %d of %s must be %v (got %v); convert it", i, what, v.Type.Full(), in[i].Full())
		}
	}
	return j.OutAvals()
}

// axisNames ranges over the axes that programs name. Most programs name none: for them it
// allocates nothing.
func axisNames(js ...*Jaxpr) iter.Seq[string] {
	if !slices.ContainsFunc(js, func(j *Jaxpr) bool { return len(j.axes()) > 0 }) {
		return noNames
	}
	js = slices.Clone(js)
	return func(yield func(string) bool) {
		for _, j := range js {
			for _, n := range j.axes() {
				if !yield(n) {
					return
				}
			}
		}
	}
}

func noNames(func(string) bool) {}

// Jit is a call of a compiled program.
type Jit struct {
	Enclosed
	Fn      string // the function's name
	Jaxpr   *Jaxpr
	Donated []bool       // operands whose buffers may be reused
	Device  string       // the executor that runs the call; "": that of the program around it
	Extra   []core.Param // further parameters that a text showed
}

func (*Jit) Name() string { return "jit" }

func (p *Jit) Abstract(in []core.ShapedArray) []core.ShapedArray {
	core.RequireReceiver("jaxpr.Jit.Abstract", p == nil)
	return callAvals("the program", p.Jaxpr, in)
}

// Programs returns the one program.
func (p *Jit) Programs() []*Jaxpr {
	core.RequireReceiver("jaxpr.Jit.Programs", p == nil)
	return []*Jaxpr{p.Jaxpr}
}

func (p *Jit) Effects() core.Effect {
	core.RequireReceiver("jaxpr.Jit.Effects", p == nil)
	return p.Jaxpr.Effects()
}

func (p *Jit) AxisNames() iter.Seq[string] {
	core.RequireReceiver("jaxpr.Jit.AxisNames", p == nil)
	return p.Jaxpr.AxisNames()
}

func (p *Jit) Closureful() bool {
	core.RequireReceiver("jaxpr.Jit.Closureful", p == nil)
	return p.Jaxpr.Closureful()
}

// CoreCall calls a program without compiling it: it only groups equations under a name.
type CoreCall struct {
	Enclosed
	Fn    string
	Jaxpr *Jaxpr
	// Word is the name of a call that was read from text under another name than core_call: "call",
	// "closed_call", "composite" or "remat_opt". The field Shown has its parameters, nil in the place of the
	// program. Transformed calls have neither.
	Word  string
	Shown []core.Param
}

// Name returns "core_call", or the word that was read.
func (p *CoreCall) Name() string {
	if p != nil && p.Word != "" {
		return p.Word
	}
	return "core_call"
}

func (p *CoreCall) Abstract(in []core.ShapedArray) []core.ShapedArray {
	core.RequireReceiver("jaxpr.CoreCall.Abstract", p == nil)
	return callAvals("the program", p.Jaxpr, in)
}

// Programs returns the one program.
func (p *CoreCall) Programs() []*Jaxpr {
	core.RequireReceiver("jaxpr.CoreCall.Programs", p == nil)
	return []*Jaxpr{p.Jaxpr}
}

func (p *CoreCall) Effects() core.Effect {
	core.RequireReceiver("jaxpr.CoreCall.Effects", p == nil)
	return p.Jaxpr.Effects()
}

func (p *CoreCall) AxisNames() iter.Seq[string] {
	core.RequireReceiver("jaxpr.CoreCall.AxisNames", p == nil)
	return p.Jaxpr.AxisNames()
}

func (p *CoreCall) Closureful() bool {
	core.RequireReceiver("jaxpr.CoreCall.Closureful", p == nil)
	return p.Jaxpr.Closureful()
}

// Cond runs one of several programs: the first operand is an int32 index, clamped,
// the rest are the operands of the branch.
type Cond struct {
	Enclosed
	Branches  []*Jaxpr
	Platforms string // branches_platforms, as a text showed it
}

func (*Cond) Name() string { return "cond" }

// Abstract returns the branches' common result types; weak marks are those of the first
// branch.
func (p *Cond) Abstract(in []core.ShapedArray) []core.ShapedArray {
	core.RequireReceiver("jaxpr.Cond.Abstract", p == nil)
	if len(in) == 0 || in[0].Rank() != 0 || in[0].DType != core.Int32 {
		core.Failf(core.ErrCheck, "the index of cond must be i32[]; convert it")
	}
	if len(p.Branches) == 0 {
		core.Failf(core.ErrCheck, "cond has no branches; write at least one")
	}
	out := callAvals("each branch", p.Branches[0], in[1:])
	for _, b := range p.Branches[1:] {
		o := callAvals("each branch", b, in[1:])
		if len(o) != len(out) {
			core.Failf(core.ErrCheck, "branches of cond return %d and %s; return equally many results", len(out), core.Count(len(o), "result"))
		}
		for i := range o {
			if !o[i].Fits(out[i]) {
				core.Failf(core.ErrCheck, "result %d of cond is %v in one branch and %v in another; convert one of them", i, out[i].Full(), o[i].Full())
			}
		}
	}
	return out
}

// Programs returns the branches.
func (p *Cond) Programs() []*Jaxpr {
	core.RequireReceiver("jaxpr.Cond.Programs", p == nil)
	return p.Branches
}

func (p *Cond) Effects() core.Effect {
	core.RequireReceiver("jaxpr.Cond.Effects", p == nil)
	var e core.Effect
	for _, b := range p.Branches {
		e |= b.Effects()
	}
	return e
}

func (p *Cond) AxisNames() iter.Seq[string] {
	core.RequireReceiver("jaxpr.Cond.AxisNames", p == nil)
	return axisNames(p.Branches...)
}

func (p *Cond) Closureful() bool {
	core.RequireReceiver("jaxpr.Cond.Closureful", p == nil)
	return slices.ContainsFunc(p.Branches, (*Jaxpr).Closureful)
}

// While repeats Body while Cond holds. Operands are the condition's constants,
// the body's constants, and the carry. A condition with axes has a lane for each of
// its elements, and the shape of every carry begins with its shape: the loop goes on while
// any lane's condition holds, and the lanes whose condition does not hold keep their carry.
type While struct {
	Enclosed
	Cond       *Jaxpr // cond constants, carry → bool
	CondConsts int
	Body       *Jaxpr // body constants, carry → carry
	BodyConsts int
}

func (*While) Name() string { return "while" }

func (p *While) Abstract(in []core.ShapedArray) []core.ShapedArray {
	core.RequireReceiver("jaxpr.While.Abstract", p == nil)
	cc, bc := p.CondConsts, p.BodyConsts
	if cc < 0 || bc < 0 || len(in) < cc+bc {
		core.Failf(core.ErrCheck, "while needs at least %s (got %d); pass constants and the carry", core.Count(cc+bc, "operand"), len(in))
	}
	carry := in[cc+bc:]
	pred := callAvals("the condition", p.Cond, slices.Concat(in[:cc], carry))
	if len(pred) != 1 || pred[0].DType != core.Bool {
		core.Failf(core.ErrCheck, "the condition of while must return one bool[] (got %s); reduce it", avalList(pred))
	}
	if n := pred[0].Rank(); n > 0 {
		for i, c := range carry {
			if c.Rank() < n || c.Shape.Slice(0, n) != pred[0].Shape {
				core.Failf(core.ErrCheck, "the condition of while returns %v, so carry %d must have its lanes in front (got %v); broadcast it", pred[0], i, c.Full())
			}
		}
	}
	out := callAvals("the body", p.Body, slices.Concat(in[cc:cc+bc], carry))
	sameCarry("while", carry, out)
	return out
}

func sameCarry(op string, carry, out []core.ShapedArray) {
	if len(carry) != len(out) {
		core.Failf(core.ErrCheck, "%s carries %s, but its body returns %d; return the carry", op, core.Count(len(carry), "value"), len(out))
	}
	for i := range carry {
		if !carry[i].Fits(out[i]) {
			core.Failf(core.ErrCheck, "carry %d of %s is %v, but its body returns %v; convert one of them", i, op, carry[i].Full(), out[i].Full())
		}
	}
}

// Programs returns the body and the condition, in the order in which the text shows them.
func (p *While) Programs() []*Jaxpr {
	core.RequireReceiver("jaxpr.While.Programs", p == nil)
	return []*Jaxpr{p.Body, p.Cond}
}

func (p *While) Effects() core.Effect {
	core.RequireReceiver("jaxpr.While.Effects", p == nil)
	return p.Cond.Effects() | p.Body.Effects()
}

func (p *While) AxisNames() iter.Seq[string] {
	core.RequireReceiver("jaxpr.While.AxisNames", p == nil)
	return axisNames(p.Body, p.Cond)
}

func (p *While) Closureful() bool {
	core.RequireReceiver("jaxpr.While.Closureful", p == nil)
	return p.Cond.Closureful() || p.Body.Closureful()
}

// Scan runs a program Length times. Operands are constants, the initial carry,
// and arrays whose leading axis is the loop's; results are the last carry and
// the stacked outputs.
type Scan struct {
	Enclosed
	Jaxpr               *Jaxpr // consts, carry, x → carry, y
	Length              int
	NumConsts, NumCarry int
	Reverse             bool
	Unroll              int

	// Of a linear scan whose reverse rules may close over values of the scan that was
	// linearized: that scan, and its operands.
	Primal     *Scan
	PrimalArgs []core.Value
}

func (*Scan) Name() string { return "scan" }

func (p *Scan) Abstract(in []core.ShapedArray) []core.ShapedArray {
	core.RequireReceiver("jaxpr.Scan.Abstract", p == nil)
	nc, nk := p.NumConsts, p.NumCarry
	if nc < 0 || nk < 0 || p.Length < 0 {
		core.Failf(core.ErrCheck, "negative number in a scan (got length %d, %s and %d carried values); use 0 or more", p.Length, core.Count(nc, "constant"), nk)
	}
	if len(in) < nc+nk {
		core.Failf(core.ErrCheck, "scan needs at least %s (got %d); pass constants and the carry", core.Count(nc+nk, "operand"), len(in))
	}
	body := slices.Clone(in)
	for i := nc + nk; i < len(in); i++ {
		if in[i].Rank() == 0 || in[i].Shape.At(0) != p.Length {
			core.Failf(core.ErrCheck, "operand %d of scan is %v, but its leading axis must be the loop's length %d; slice it or change the length", i, in[i].Full(), p.Length)
		}
		body[i] = in[i].WithShape(in[i].Shape.Slice(1, in[i].Rank()))
	}
	out := slices.Clone(callAvals("the body of scan", p.Jaxpr, body))
	if len(out) < nk {
		core.Failf(core.ErrCheck, "scan carries %s, but its body returns %d; return the carry first", core.Count(nk, "value"), len(out))
	}
	sameCarry("scan", in[nc:nc+nk], out[:nk])
	for i := nk; i < len(out); i++ {
		out[i] = out[i].WithShape(out[i].Shape.Prepend(p.Length))
	}
	return out
}

// Programs returns the body.
func (p *Scan) Programs() []*Jaxpr {
	core.RequireReceiver("jaxpr.Scan.Programs", p == nil)
	return []*Jaxpr{p.Jaxpr}
}

func (p *Scan) Effects() core.Effect {
	core.RequireReceiver("jaxpr.Scan.Effects", p == nil)
	return p.Jaxpr.Effects()
}

func (p *Scan) AxisNames() iter.Seq[string] {
	core.RequireReceiver("jaxpr.Scan.AxisNames", p == nil)
	return p.Jaxpr.AxisNames()
}

func (p *Scan) Closureful() bool {
	core.RequireReceiver("jaxpr.Scan.Closureful", p == nil)
	return p.Jaxpr.Closureful()
}

// Policy decides what a Remat keeps: whether the results of an equation are saved
// for the backward pass. Policies are comparable and print as IR text shows them.
type Policy interface {
	Saves(p core.Primitive, in []core.ShapedArray) bool
	String() string
}

// Remat runs a program whose intermediate values are computed again when its
// derivative needs them, except what the policy saves.
type Remat struct {
	Enclosed
	Jaxpr          *Jaxpr
	Policy         Policy // nil saves nothing
	PreventCSE     bool
	Differentiated bool
}

func (*Remat) Name() string { return "remat2" }

func (p *Remat) Abstract(in []core.ShapedArray) []core.ShapedArray {
	core.RequireReceiver("jaxpr.Remat.Abstract", p == nil)
	return callAvals("the program", p.Jaxpr, in)
}

// Programs returns the one program.
func (p *Remat) Programs() []*Jaxpr {
	core.RequireReceiver("jaxpr.Remat.Programs", p == nil)
	return []*Jaxpr{p.Jaxpr}
}

func (p *Remat) Effects() core.Effect {
	core.RequireReceiver("jaxpr.Remat.Effects", p == nil)
	return p.Jaxpr.Effects()
}

func (p *Remat) AxisNames() iter.Seq[string] {
	core.RequireReceiver("jaxpr.Remat.AxisNames", p == nil)
	return p.Jaxpr.AxisNames()
}

func (p *Remat) Closureful() bool {
	core.RequireReceiver("jaxpr.Remat.Closureful", p == nil)
	return p.Jaxpr.Closureful()
}
