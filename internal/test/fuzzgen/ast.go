package fuzzgen

import "github.com/weft-go/weft/core"

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
	CustomVmap
	NumKinds
)

var kindNames = [NumKinds]string{"jit", "jit closing", "grad", "vjp", "jvp", "linearize", "vmap", "remat", "remat policy",
	"scan", "cond", "switch", "while", "fori", "custom_jvp", "custom_vjp", "custom_vmap"}

// String returns the kind's name.
func (k Kind) String() string { return kindNames[k] }

// Recorder reports whether the functions of the wrapper are recorded.
func (w *Wrap) Recorder() bool {
	switch w.Kind {
	case Vmap:
		return w.Mesh
	case Jit, JitClosing, Remat, RematPolicy, Scan, Cond, Switch, While, ForI, CustomVmap:
		return true
	}
	return false
}

// Var is a variable: bound once, as a parameter or by a node.
type Var struct {
	ID   int
	Type core.ShapedArray

	mag float64 // a bound of the elements' size, roughly
}

// Arg is an operand: a variable, a literal, or nothing.
type Arg struct {
	Var *Var
	Lit core.Literal
}

// None reports whether the operand is missing: a tangent or cotangent that is zero.
func (a Arg) None() bool { return a.Var == nil && a.Lit.Type == core.Invalid }

// Type returns the operand's type.
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
}

// Types returns the types of the results.
func (f *Func) Types() []core.ShapedArray {
	out := make([]core.ShapedArray, len(f.Outs))
	for i, a := range f.Outs {
		out[i] = a.Type()
	}
	return out
}

// Node is an application of a leaf operation or of a wrapper. The meaning of A to Flag depends on
// the operation.
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
}

// hands reports whether operand k of a wrapper is passed to its function unchanged.
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

// Wrap holds the parts of a wrapper besides operands.
//
// The functions are: the body; for Cond and Switch the branches (for Cond the one for true
// first); for While condition and body; for CustomJVP function and rule; for CustomVJP function,
// forward and backward rule; for CustomVmap, whose rule does what Vmap does, and for an inlined
// call, the body.
type Wrap struct {
	Kind     Kind
	Fs       []*Func
	Active   []bool  // of Grad, VJP, JVP, Linearize: operands to differentiate
	Along    [][]Arg // tangents, or cotangents: one list an application
	Mode     Mode    // how a linear map is applied
	Again    []Arg   // operands of a second call of a jit, if any
	Size     int     // of Vmap
	InAxes   []int   // of Vmap; −1 is not mapped
	OutAxes  []int
	Axis     string // the name of Vmap's axis, "" for none
	Mesh     bool   // Vmap over the devices of a mesh: a ShardMap
	Length   int    // of Scan
	NumCarry int    // of Scan, While and ForI
	Reverse  bool
	Bounds   [2]Arg // of ForI
	Policy   string // of RematPolicy
	NumRes   int    // of CustomVJP
	Symbolic bool   // rules get zeros as they are
	OneByOne bool   // of CustomVmap: the rule is a loop over the batch
}

// Mode is where the linear map of VJP or Linearize is applied.
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
