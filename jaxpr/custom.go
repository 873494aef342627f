package jaxpr

import (
	"iter"

	"github.com/weft-go/weft/core"
)

// CustomJVP is a function with a user-defined forward derivative. It is bound
// with Go functions; once recorded it contains the program of F and keeps the rule,
// which runs when a derivative is taken. F takes all operands; the rule takes
// all but the first NumConsts, which F had closed over. A call that was read
// from text has no rule.
type CustomJVP struct {
	Enclosed
	Fn, RuleName  string
	F             func(in []core.Value) []core.Value
	Rule          func(in, t []core.Value) (out, dout []core.Value)
	Jaxpr         *Jaxpr             // F as recorded; nil before
	NumConsts     int                // leading operands that F closed over
	SymbolicZeros bool               // zero tangents reach the rule as nil
	Closed        bool               // the functions close over no traced value
	OutAvals      []core.ShapedArray // of F, where Jaxpr is nil
}

func (*CustomJVP) Name() string { return "custom_jvp_call" }

func (p *CustomJVP) Abstract(in []core.ShapedArray) []core.ShapedArray {
	core.RequireReceiver("jaxpr.CustomJVP.Abstract", p == nil)
	return customAvals(p.Jaxpr, p.OutAvals, in)
}

func customAvals(j *Jaxpr, out, in []core.ShapedArray) []core.ShapedArray {
	if j == nil {
		if out == nil {
			core.Failf(core.ErrCheck, "the call was not recorded, so its types are not known; set its Jaxpr or OutAvals")
		}
		return out
	}
	return callAvals("the function", j, in)
}

// Closureful is true unless p is Closed: the functions may close over values of the youngest interpreter, so that it
// gets the call first.
func (p *CustomJVP) Closureful() bool {
	core.RequireReceiver("jaxpr.CustomJVP.Closureful", p == nil)
	return !p.Closed
}

// Programs returns the function's program, if it was recorded.
func (p *CustomJVP) Programs() []*Jaxpr {
	core.RequireReceiver("jaxpr.CustomJVP.Programs", p == nil)
	return optional(p.Jaxpr)
}

// Function returns the Go function of a call that was not recorded; ok is false if it was.
func (p *CustomJVP) Function() (f func(in []core.Value) []core.Value, ok bool) {
	core.RequireReceiver("jaxpr.CustomJVP.Function", p == nil)
	return unrecorded(p, p.Jaxpr, p.F)
}

// Function returns the Go function of a call that was not recorded; ok is false if it was.
func (p *CustomVJP) Function() (f func(in []core.Value) []core.Value, ok bool) {
	core.RequireReceiver("jaxpr.CustomVJP.Function", p == nil)
	return unrecorded(p, p.Jaxpr, p.F)
}

// Function returns the Go function of a call that was not recorded; ok is false if it was.
func (p *CustomVmap) Function() (f func(in []core.Value) []core.Value, ok bool) {
	core.RequireReceiver("jaxpr.CustomVmap.Function", p == nil)
	return unrecorded(p, p.Jaxpr, p.F)
}

func unrecorded(p core.Primitive, j *Jaxpr, f func(in []core.Value) []core.Value) (func(in []core.Value) []core.Value, bool) {
	if j != nil {
		return nil, false
	}
	if f == nil {
		core.FailOp(core.ErrCustomRule, p.Name(), nil, "the call has neither a function nor a program; set F or Jaxpr")
	}
	return f, true
}

func optional(j *Jaxpr) []*Jaxpr {
	if j == nil {
		return nil
	}
	return []*Jaxpr{j}
}

func (p *CustomJVP) Effects() core.Effect {
	core.RequireReceiver("jaxpr.CustomJVP.Effects", p == nil)
	return optionalEffects(p.Jaxpr)
}

func optionalEffects(j *Jaxpr) core.Effect {
	if j == nil {
		return 0
	}
	return j.Effects()
}

func (p *CustomJVP) AxisNames() iter.Seq[string] {
	core.RequireReceiver("jaxpr.CustomJVP.AxisNames", p == nil)
	return axisNames(optional(p.Jaxpr)...)
}

// CustomVJP is a function with a user-defined reverse derivative: Fwd returns the
// results followed by residuals, Bwd maps residuals and cotangents to cotangents
// of the operands, nil for none.
//
// Forward, if set, replaces Fwd and Bwd: it receives which operands are differentiated, and
// returns results, residuals, and the reverse rule that takes these residuals.
type CustomVJP struct {
	Enclosed
	Fn, FwdName, BwdName string
	F                    func(in []core.Value) []core.Value
	Fwd                  func(in []core.Value) (out, res []core.Value)
	Bwd                  func(res, ct []core.Value) []core.Value
	Forward              func(in []core.Value, active []bool) (out, res []core.Value, bwd Backward)
	Jaxpr                *Jaxpr
	NumConsts            int
	SymbolicZeros        bool
	Closed               bool
	OutAvals             []core.ShapedArray
}

// Backward is a reverse rule: residuals and cotangents to cotangents.
type Backward = func(res, ct []core.Value) []core.Value

// HasRules reports whether the call has rules: one that was read from text has none.
func (p *CustomVJP) HasRules() bool {
	core.RequireReceiver("jaxpr.CustomVJP.HasRules", p == nil)
	return p.Forward != nil || p.Fwd != nil
}

// Run runs the forward pass and returns its reverse rule.
func (p *CustomVJP) Run(in []core.Value, active []bool) (out, res []core.Value, bwd Backward) {
	core.RequireReceiver("jaxpr.CustomVJP.Run", p == nil)
	if p.Forward != nil {
		return p.Forward(in, active)
	}
	if p.Fwd == nil {
		core.FailOp(core.ErrCustomRule, p.Name(), core.AvalsOf(in), "the call has no forward rule; set Forward, or Fwd and Bwd")
	}
	out, res = p.Fwd(in)
	return out, res, p.Bwd
}

func (*CustomVJP) Name() string { return "custom_vjp_call" }

func (p *CustomVJP) Abstract(in []core.ShapedArray) []core.ShapedArray {
	core.RequireReceiver("jaxpr.CustomVJP.Abstract", p == nil)
	return customAvals(p.Jaxpr, p.OutAvals, in)
}

// Closureful is true unless p is Closed: the functions may close over values of the youngest interpreter, so that it
// gets the call first.
func (p *CustomVJP) Closureful() bool {
	core.RequireReceiver("jaxpr.CustomVJP.Closureful", p == nil)
	return !p.Closed
}

// Programs returns the function's program, if it was recorded.
func (p *CustomVJP) Programs() []*Jaxpr {
	core.RequireReceiver("jaxpr.CustomVJP.Programs", p == nil)
	return optional(p.Jaxpr)
}

func (p *CustomVJP) Effects() core.Effect {
	core.RequireReceiver("jaxpr.CustomVJP.Effects", p == nil)
	return optionalEffects(p.Jaxpr)
}

func (p *CustomVJP) AxisNames() iter.Seq[string] {
	core.RequireReceiver("jaxpr.CustomVJP.AxisNames", p == nil)
	return axisNames(optional(p.Jaxpr)...)
}

// CustomLin stands in a linear program for the derivative of a CustomVJP: its operands are
// residuals and tangents. It cannot be evaluated; its transpose calls Bwd.
type CustomLin struct {
	Enclosed
	BwdName       string
	Bwd           func(res, ct []core.Value) []core.Value
	NumRes        int
	InZeros       []bool // operands of the function whose tangent is zero and absent
	SymbolicZeros bool
	Closed        bool
	OutAvals      []core.ShapedArray
}

func (*CustomLin) Name() string { return "custom_lin" }

func (p *CustomLin) Abstract(in []core.ShapedArray) []core.ShapedArray {
	core.RequireReceiver("jaxpr.CustomLin.Abstract", p == nil)
	return p.OutAvals
}

// Closureful is true unless the rule is closed: Bwd may close over tracers.
func (p *CustomLin) Closureful() bool {
	core.RequireReceiver("jaxpr.CustomLin.Closureful", p == nil)
	return !p.Closed
}

// CustomVmap is a function with a user-defined batching rule.
type CustomVmap struct {
	Enclosed
	Fn, RuleName string
	F            func(in []core.Value) []core.Value
	Rule         func(n int, in []core.Value, mapped []bool) (out []core.Value, outMapped []bool)
	Jaxpr        *Jaxpr
	OneByOne     bool // Rule applies F to one element after the other
	NumConsts    int
	OutAvals     []core.ShapedArray
	Extra        []core.Param
}

func (*CustomVmap) Name() string { return "custom_vmap_call" }

func (p *CustomVmap) Abstract(in []core.ShapedArray) []core.ShapedArray {
	core.RequireReceiver("jaxpr.CustomVmap.Abstract", p == nil)
	return customAvals(p.Jaxpr, p.OutAvals, in)
}

// Closureful is true: the functions may close over values of the youngest interpreter, so that it gets the call first.
func (p *CustomVmap) Closureful() bool {
	core.RequireReceiver("jaxpr.CustomVmap.Closureful", p == nil)
	return true
}

// Programs returns the function's program, if it was recorded.
func (p *CustomVmap) Programs() []*Jaxpr {
	core.RequireReceiver("jaxpr.CustomVmap.Programs", p == nil)
	return optional(p.Jaxpr)
}

func (p *CustomVmap) Effects() core.Effect {
	core.RequireReceiver("jaxpr.CustomVmap.Effects", p == nil)
	return optionalEffects(p.Jaxpr)
}

func (p *CustomVmap) AxisNames() iter.Seq[string] {
	core.RequireReceiver("jaxpr.CustomVmap.AxisNames", p == nil)
	return axisNames(optional(p.Jaxpr)...)
}

// LinearCall is a linear function with a user-defined transpose. Operands are
// residuals, then what the function is linear in.
type LinearCall struct {
	Fn, TransposeName string
	Jaxpr             *Jaxpr
	Transposed        *Jaxpr // residuals, cotangents → cotangents
	NumRes            int
}

func (*LinearCall) Name() string { return "linear_call" }

func (p *LinearCall) Abstract(in []core.ShapedArray) []core.ShapedArray {
	core.RequireReceiver("jaxpr.LinearCall.Abstract", p == nil)
	return callAvals("the function", p.Jaxpr, in)
}

// Programs returns the programs of the function and of its transpose.
func (p *LinearCall) Programs() []*Jaxpr {
	core.RequireReceiver("jaxpr.LinearCall.Programs", p == nil)
	return []*Jaxpr{p.Jaxpr, p.Transposed}
}

func (p *LinearCall) Effects() core.Effect {
	core.RequireReceiver("jaxpr.LinearCall.Effects", p == nil)
	return p.Jaxpr.Effects() | p.Transposed.Effects()
}

func (p *LinearCall) AxisNames() iter.Seq[string] {
	core.RequireReceiver("jaxpr.LinearCall.AxisNames", p == nil)
	return axisNames(p.Programs()...)
}

// LinearSolve solves matvec(x) = b by the user's solver; its derivative is a solve
// again. Operands are the four programs' constants, then b.
type LinearSolve struct {
	Matvec, Vecmat, Solve, TransposeSolve                         *Jaxpr // Vecmat and TransposeSolve may be nil: reverse derivatives are then refused
	MatvecConsts, VecmatConsts, SolveConsts, TransposeSolveConsts int
}

func (*LinearSolve) Name() string { return "custom_linear_solve" }

func (p *LinearSolve) Abstract(in []core.ShapedArray) []core.ShapedArray {
	core.RequireReceiver("jaxpr.LinearSolve.Abstract", p == nil)
	n := p.MatvecConsts + p.VecmatConsts + p.SolveConsts + p.TransposeSolveConsts
	if len(in) < n {
		core.Failf(core.ErrCheck, "custom_linear_solve needs at least %s (got %d); pass constants and the right sides", core.Count(n, "operand"), len(in))
	}
	lo := p.MatvecConsts + p.VecmatConsts
	args := append(append([]core.ShapedArray(nil), in[lo:lo+p.SolveConsts]...), in[n:]...)
	return callAvals("the solver", p.Solve, args)
}

// Programs returns the programs that are there, in order.
func (p *LinearSolve) Programs() []*Jaxpr {
	core.RequireReceiver("jaxpr.LinearSolve.Programs", p == nil)
	var js []*Jaxpr
	for _, j := range []*Jaxpr{p.Matvec, p.Vecmat, p.Solve, p.TransposeSolve} {
		js = append(js, optional(j)...)
	}
	return js
}

func (p *LinearSolve) Effects() core.Effect {
	core.RequireReceiver("jaxpr.LinearSolve.Effects", p == nil)
	var e core.Effect
	for _, j := range p.Programs() {
		e |= j.Effects()
	}
	return e
}

func (p *LinearSolve) AxisNames() iter.Seq[string] {
	core.RequireReceiver("jaxpr.LinearSolve.AxisNames", p == nil)
	return axisNames(p.Programs()...)
}
