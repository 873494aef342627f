package fuzzgen

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/weft-go/weft/core"
)

// Kind is a kind of wrapper.
type Kind int

// The kinds of wrappers. JitClosing is a jit whose function is made to use a value of
// the function around it. RematPolicy saves something.
const (
	Jit Kind = iota
	JitClosing
	Grad
	VJP
	JVP
	Linearize
	Vmap
	Remat
	RematPolicy
	Scan
	Cond
	Switch
	While
	ForI
	CustomJVP
	CustomVJP
	NumKinds
)

var kindNames = [NumKinds]string{"jit", "jit closing", "grad", "vjp", "jvp", "linearize", "vmap", "remat", "remat policy",
	"scan", "cond", "switch", "while", "fori", "custom_jvp", "custom_vjp"}

// String is the kind's name.
func (k Kind) String() string { return kindNames[k] }

// Recorder reports whether the functions of such a wrapper are recorded.
func (k Kind) Recorder() bool {
	switch k {
	case Jit, JitClosing, Remat, RematPolicy, Scan, Cond, Switch, While, ForI:
		return true
	}
	return false
}

// Var is a variable: bound once, as a parameter or by a node.
type Var struct {
	ID   int
	Type core.ShapedArray

	mag   float64 // a bound of the elements' size, roughly
	owner *Func   // the recorded function in which it is written, nil if there is none
}

// Arg is an operand: a variable, a literal, or nothing.
type Arg struct {
	Var *Var
	Lit core.Literal
}

// None reports whether the operand is missing: a tangent or cotangent that is zero.
func (a Arg) None() bool { return a.Var == nil && a.Lit.Type == core.Invalid }

// Type is the operand's type.
func (a Arg) Type() core.ShapedArray {
	if a.Var != nil {
		return a.Var.Type
	}
	return a.Lit.Aval()
}

// Func is a function.
type Func struct {
	ID     int
	Params []*Var
	Body   []*Node
	Outs   []Arg

	around   *Func
	recorded bool
}

// Types are the types of the results.
func (f *Func) Types() []core.ShapedArray {
	out := make([]core.ShapedArray, len(f.Outs))
	for i, a := range f.Outs {
		out[i] = a.Type()
	}
	return out
}

// Node is an application of a leaf operation or of a wrapper. What A to Flag mean
// depends on the operation.
type Node struct {
	Op      string
	In      []Arg
	Out     []*Var
	A, B, C []int
	N       int
	DType   core.DType
	Flag    bool
	Name    string
	W       *Wrap
	Partly  bool // some results are for nothing, in a function that is pruned
}

// Wrap is what a wrapper has besides operands.
//
// The functions are: the body; for Cond and Switch the branches (of Cond the one for
// true first); for While condition and body; for CustomJVP function and rule; for
// CustomVJP function, forward and backward rule. For an inlined call: the body.
type Wrap struct {
	Kind      Kind
	Fs        []*Func
	Active    []bool  // of Grad, VJP, JVP, Linearize: operands to differentiate
	Along     [][]Arg // tangents, or cotangents: one list an application
	Mode      Mode    // how a linear map is applied
	Again     []Arg   // operands of a second call of a jit, if any
	Size      int     // of Vmap
	InAxes    []int   // of Vmap; −1 is not mapped
	OutAxes   []int
	Axis      string // the name of Vmap's axis, "" for none
	Length    int    // of Scan
	NumCarry  int    // of Scan, While and ForI
	Reverse   bool
	Bounds    [2]Arg // of ForI
	Policy    string // of RematPolicy
	NumRes    int    // of CustomVJP
	Symbolic  bool   // rules get zeros as they are
	Forwarded bool   // a rule that applies the derivative of the function itself
}

// Mode says where the linear map of VJP or Linearize is applied.
type Mode int

// The modes: at once, in a program of its own, or mapped over a batch of both.
const (
	Direct Mode = iota
	InJit
	InVmap
	numModes
)

// Program is a random program: a function, and values for its parameters.
type Program struct {
	Main  *Func
	Args  []Value
	Depth int
	Stats Stats
}

// Value is the value of a parameter: complex numbers hold floats too.
type Value struct {
	Type  core.ShapedArray
	Elems []complex128
}

// free calls f with every variable that fn uses and does not bind, once for each use.
// Rules are left out: they are no part of the function that is recorded. What is only
// handed on to a function that does not use it is not used.
func (fn *Func) free(f func(*Var)) {
	bound := map[*Var]bool{}
	fn.freeIn(bound, f)
}

func (fn *Func) freeIn(bound map[*Var]bool, f func(*Var)) {
	for _, p := range fn.Params {
		bound[p] = true
	}
	one := func(a Arg) {
		if a.Var != nil && !bound[a.Var] {
			f(a.Var)
		}
	}
	use := func(args []Arg) {
		for _, a := range args {
			one(a)
		}
	}
	for _, n := range fn.Body {
		w := n.W
		if w == nil {
			use(n.In)
		} else {
			use(w.Again)
			use(w.Bounds[:])
			for k, a := range n.In {
				if !n.hands(k) || w.Fs[0].uses(k) {
					one(a)
				}
			}
			for _, list := range w.Along {
				for k, a := range list {
					if w.Mode != Direct || w.Kind != JVP || w.Fs[0].uses(k) {
						one(a)
					}
				}
			}
			for k, g := range w.Fs {
				if k > 0 && (w.Kind == CustomJVP || w.Kind == CustomVJP) {
					continue
				}
				g.freeIn(bound, f)
			}
		}
		for _, v := range n.Out {
			bound[v] = true
		}
	}
	use(fn.Outs)
}

// prune drops nodes that nothing depends on, in functions within too.
func (fn *Func) prune() {
	live := fn.live()
	fn.Body = slices.DeleteFunc(fn.Body, func(n *Node) bool {
		return !slices.ContainsFunc(n.Out, func(v *Var) bool { return live[v] })
	})
	for _, n := range fn.Body {
		n.Partly = slices.ContainsFunc(n.Out, func(v *Var) bool { return !live[v] })
		if n.W != nil {
			for _, g := range n.W.Fs {
				g.prune()
			}
		}
	}
}

// live are the variables on which the results of fn depend, of the functions around and
// within it too.
func (fn *Func) live() map[*Var]bool {
	live := map[*Var]bool{}
	use := func(as []Arg) {
		for _, a := range as {
			live[a.Var] = true
		}
	}
	use(fn.Outs)
	for _, n := range slices.Backward(fn.Body) {
		if !slices.ContainsFunc(n.Out, func(v *Var) bool { return live[v] }) {
			continue
		}
		use(n.In)
		if w := n.W; w != nil {
			use(w.Again)
			use(w.Bounds[:])
			for _, l := range w.Along {
				use(l)
			}
			for _, g := range w.Fs {
				maps.Copy(live, g.live())
			}
		}
	}
	return live
}

// ruled reports whether the node is a call of a function with rules.
func (n *Node) ruled() bool {
	return n.W != nil && (n.W.Kind == CustomJVP || n.W.Kind == CustomVJP)
}

// hands reports whether operand k of a wrapper is handed to its function as it is.
func (n *Node) hands(k int) bool {
	switch {
	case n.Op == "call":
		return true
	case n.W.Kind == Vmap:
		return n.W.InAxes[k] <= 0
	}
	switch n.W.Kind {
	case Grad, VJP, JVP, Linearize:
		return true
	}
	return false
}

// uses reports whether the function uses its parameter k.
func (fn *Func) uses(k int) bool {
	p := fn.Params[k]
	used := false
	g := &Func{Params: slices.Delete(slices.Clone(fn.Params), k, k+1), Body: fn.Body, Outs: fn.Outs}
	g.free(func(v *Var) { used = used || v == p })
	return used
}

// freeVars are the free variables, each once.
func (fn *Func) freeVars() []*Var {
	var out []*Var
	fn.free(func(v *Var) {
		if !slices.Contains(out, v) {
			out = append(out, v)
		}
	})
	return out
}

// String writes the program down for people.
func (p *Program) String() string {
	var b strings.Builder
	for i, a := range p.Args {
		fmt.Fprintf(&b, "%v = %v\n", p.Main.Params[i], a.Elems)
	}
	p.Main.write(&b, "")
	return b.String()
}

// String is the variable's name and type.
func (v *Var) String() string { return fmt.Sprintf("v%d:%v", v.ID, v.Type) }

// String is the variable's name, or the literal.
func (a Arg) String() string {
	switch {
	case a.None():
		return "none"
	case a.Var != nil:
		return fmt.Sprintf("v%d", a.Var.ID)
	}
	s := a.Lit.String()
	if a.Lit.Weak {
		s = "~" + s
	}
	return s
}

func names(vs []*Var) string {
	var s []string
	for _, v := range vs {
		s = append(s, v.String())
	}
	return strings.Join(s, " ")
}

func (fn *Func) write(b *strings.Builder, indent string) {
	fmt.Fprintf(b, "%sf%d(%s)\n", indent, fn.ID, names(fn.Params))
	indent += "  "
	for _, n := range fn.Body {
		fmt.Fprintf(b, "%s%s = %s", indent, names(n.Out), n.Op)
		if n.W != nil && n.Op == "" {
			b.WriteString(n.W.Kind.String())
		}
		for _, l := range [][]int{n.A, n.B, n.C} {
			if l != nil {
				fmt.Fprintf(b, " %v", l)
			}
		}
		if n.N != 0 {
			fmt.Fprintf(b, " n=%d", n.N)
		}
		if n.DType != core.Invalid {
			fmt.Fprintf(b, " %v", n.DType)
		}
		if n.Flag {
			b.WriteString(" flag")
		}
		if n.Name != "" {
			fmt.Fprintf(b, " %q", n.Name)
		}
		fmt.Fprintf(b, " %v", n.In)
		w := n.W
		if w == nil {
			b.WriteString("\n")
			continue
		}
		fmt.Fprint(b, w.details())
		b.WriteString("\n")
		if n.Op == "call" {
			fmt.Fprintf(b, "%s  (f%d)\n", indent, w.Fs[0].ID)
			continue
		}
		for _, g := range w.Fs {
			g.write(b, indent+"  ")
		}
	}
	fmt.Fprintf(b, "%sreturn %v\n", indent, fn.Outs)
}

func (w *Wrap) details() string {
	var b strings.Builder
	if w.Active != nil {
		fmt.Fprintf(&b, " active=%v", w.Active)
	}
	if w.Along != nil {
		fmt.Fprintf(&b, " along=%v mode=%d", w.Along, w.Mode)
	}
	if w.Again != nil {
		fmt.Fprintf(&b, " again=%v", w.Again)
	}
	switch w.Kind {
	case Vmap:
		fmt.Fprintf(&b, " size=%d in=%v out=%v axis=%q", w.Size, w.InAxes, w.OutAxes, w.Axis)
	case Scan:
		fmt.Fprintf(&b, " length=%d carry=%d reverse=%v", w.Length, w.NumCarry, w.Reverse)
	case ForI:
		fmt.Fprintf(&b, " bounds=%v", w.Bounds)
	case RematPolicy:
		fmt.Fprintf(&b, " policy=%s", w.Policy)
	case CustomVJP:
		fmt.Fprintf(&b, " residuals=%d", w.NumRes)
	}
	if w.Symbolic {
		b.WriteString(" symbolic zeros")
	}
	return b.String()
}

// Open reports whether the function, or a rule within it, uses variables of the functions
// around it, or names an axis.
func (fn *Func) Open() bool {
	bound := map[*Var]bool{}
	open := false
	var walk func(f *Func)
	use := func(as []Arg) {
		for _, a := range as {
			open = open || a.Var != nil && !bound[a.Var]
		}
	}
	walk = func(f *Func) {
		for _, p := range f.Params {
			bound[p] = true
		}
		for _, n := range f.Body {
			use(n.In)
			open = open || n.Op == "axisindex"
			if w := n.W; w != nil {
				for _, l := range w.Along {
					use(l)
				}
				use(w.Again)
				use(w.Bounds[:])
				for _, g := range w.Fs {
					walk(g)
				}
			}
			for _, v := range n.Out {
				bound[v] = true
			}
		}
		use(f.Outs)
	}
	walk(fn)
	return open
}
