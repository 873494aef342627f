package fuse

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/core/prim/matrices"
	"github.com/weft-go/weft/core/prim/rng"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/expand"
)

// Bounds of programs whose arrays are kept in registers, one value for each element.
const (
	smallArray   = 64   // elements
	smallProgram = 8192 // operations
	// Outside of loops a call runs an operation once, so that compiling it must cost less: all
	// programs around factorizations together have at most tinyProgram operations.
	tinyProgram = 4096
	// Transcendental functions gain most from vectors, which registers of single elements do
	// without: a program has at most fewFunctions of them, and functionsEach more for each equation,
	// since each unrolled equation saves a part of a launch.
	fewFunctions  = 16
	functionsEach = 4
	// An element that is read or written by an index is chosen among all elements of its array. A
	// processor runs loops over arrays in memory in one kernel, too, and these take less time than
	// more than fewChoices comparisons.
	fewChoices = 64
)

// A smallCount is the size of a program that is to be unrolled.
type smallCount struct {
	ops       int
	functions int // elements of transcendental functions
	choices   int // comparisons of indices
	eqns      int
}

func (n *smallCount) fits() bool {
	return n.ops <= smallProgram && n.functions <= fewFunctions+functionsEach*n.eqns
}

// randomOps is an estimate of the number of operations that a block of random bits takes.
const randomOps = 120

// smallKey is the key of the counts that isSmall memoizes: where the carries are.
type smallKey struct{ first, carries int }

// isSmall reports whether a program of a loop is to be unrolled. Its carries are the inputs from
// first on, their next values its first results; a condition has no carries. The count is memoized
// in j.
func (p *planner) isSmall(j *jaxpr.Jaxpr, first, carries int) bool {
	n := j.Memo(smallKey{first, carries}, func() any {
		var n smallCount
		if !countSmallOf(j, first, carries, &n) {
			return (*smallCount)(nil)
		}
		return &n
	}).(*smallCount)
	return n != nil && n.fits() && (n.choices <= fewChoices || !p.target.Tiny)
}

// countSmall is countSmallOf for a program without carries.
func countSmall(j *jaxpr.Jaxpr, n *smallCount) bool { return countSmallOf(j, 0, 0, n) }

// countSmallOf adds the operations of j to n and reports whether all of j can be unrolled. Inputs
// that do not fit in registers are permitted if only a few of their elements are read, and carries
// if only a few of their elements are changed, and no equation reads a carry as it was before a
// change.
func countSmallOf(j *jaxpr.Jaxpr, first, carries int, n *smallCount) bool {
	if len(j.Consts) > 0 {
		return false
	}
	large := map[jaxpr.Atom]bool{} // arrays in memory, with the changes so far
	carry := map[jaxpr.Atom]int{}  // the arrays in large that are carries: their numbers
	for _, v := range j.Ins {
		if fitsSmall(v.Type) {
			continue
		}
		if unfit(v.Type) != "" {
			return false
		}
		large[v] = true
	}
	for k := range carries {
		if v := j.Ins[first+k]; large[v] {
			carry[v] = k
		}
	}
	for _, e := range j.Eqns {
		if k, ok := changes(e, carry); ok && large[e.Ins[0]] {
			delete(large, e.Ins[0])
			large[e.Outs[0]], carry[e.Outs[0]] = true, k
			n.eqns++
			n.ops += 4 * e.Ins[1].Aval().Size()
			continue
		}
		for i, a := range e.Ins {
			if !fitsSmall(a.Aval()) && (!large[a] || !readsSome(e, i)) {
				return false
			}
		}
		for _, v := range e.Outs {
			if !fitsSmall(v.Type) {
				return false
			}
		}
		if n.eqns++; !unrolls(e, n) || n.ops > smallProgram {
			return false
		}
	}
	for i, a := range j.Outs {
		if fitsSmall(a.Aval()) {
			continue
		}
		if k, ok := carry[a]; !ok || k != i || !large[a] {
			return false
		}
	}
	return true
}

// changes reports whether an equation changes a few elements of a large carry, and which carry it is.
func changes(e *jaxpr.Eqn, carry map[jaxpr.Atom]int) (k int, ok bool) {
	if _, ok := e.Prim.(indexed.DynamicUpdateSliceP); !ok {
		return 0, false
	}
	k, ok = carry[e.Ins[0]]
	return k, ok && fitAtoms(e.Ins[1:])
}

func fitAtoms(as []jaxpr.Atom) bool {
	for _, a := range as {
		if !fitsSmall(a.Aval()) {
			return false
		}
	}
	return true
}

// readsSome reports whether an equation with small results reads only those elements of an operand of
// which its results consist. What programs of conds and scans read is checked when they are counted.
func readsSome(e *jaxpr.Eqn, operand int) bool {
	switch q := e.Prim.(type) {
	case indexed.DynamicSliceP, indexed.GatherP, prim.SliceP:
		return operand == 0
	case *jaxpr.Cond:
		return operand > 0
	case *jaxpr.Scan:
		return operand < q.NumConsts
	}
	return false
}

// fitsSmall reports whether an array fits in registers and is of a type that kernels can use. One without elements fits.
func fitsSmall(a core.ShapedArray) bool {
	if a.Size() == 0 {
		a.Shape = core.Dims{}
	}
	return unfit(a) == "" && a.Size() <= smallArray
}

func fitAll(vs []*jaxpr.Var) bool {
	for _, v := range vs {
		if !fitsSmall(v.Type) {
			return false
		}
	}
	return true
}

// unrolls reports whether an equation on small arrays can be unrolled, and adds its operations to
// n.
func unrolls(e *jaxpr.Eqn, n *smallCount) bool {
	switch p := e.Prim.(type) {
	case *jaxpr.Cond:
		if core.EffectsOf(p) != 0 {
			return false
		}
		for _, b := range p.Branches {
			if !countSmall(b, n) {
				return false
			}
		}
		return true
	case *jaxpr.Scan:
		if core.EffectsOf(p) != 0 || p.Length > smallProgram {
			return false
		}
		var one smallCount
		if !countSmall(p.Jaxpr, &one) {
			return false
		}
		n.ops += (one.ops + one.eqns) * p.Length
		n.functions += one.functions * p.Length
		n.choices += one.choices * p.Length
		n.eqns += one.eqns * p.Length
		return true
	case *jaxpr.While:
		return false
	case matrices.CholeskyP, matrices.TriangularSolveP, matrices.LUP:
		return unrollsFactor(e, n)
	case matrices.LUPivotsToPermutationP:
		n.ops += 4 * e.Outs[0].Type.Size() * e.Ins[0].Aval().Shape.At(-1)
		return true
	case indexed.DynamicUpdateSliceP:
		k := e.Ins[0].Aval().Size() * e.Ins[1].Aval().Size()
		n.ops += 2 * k
		n.choices += k
		return true
	}
	size := 0
	for _, v := range e.Outs {
		size += v.Type.Size()
	}
	c, _ := classOf(e)
	if c == empty {
		return true
	}
	if q, ok := e.Prim.(prim.DotGeneralP); ok {
		n.ops += size * max(1, contracted(q, e))
		dt := e.Outs[0].Type.DType
		c, _ := productClass(e)
		return c == product && !dt.IsComplex()
	}
	switch c {
	case movement:
		switch e.Prim.(type) {
		case indexed.DynamicSliceP, indexed.GatherP:
			n.ops += 4 * size
			if fitsSmall(e.Ins[0].Aval()) { // chosen from all of its elements
				k := size * e.Ins[0].Aval().Size()
				n.ops += 2 * k
				n.choices += k
			}
		}
		return true
	case source:
		return true
	case reduction:
		n.ops += 2 * e.Ins[0].Aval().Size()
		return true
	case pointwise:
		if expand.Has(e.Prim) {
			k := len(programOf(e).Code)
			n.ops += size * k
			if k >= functionOps {
				n.functions += size
			}
			return true
		}
		switch e.Prim.(type) {
		case rng.RandomBitsP, rng.RandomSplitP, rng.RandomFoldInP, rng.Threefry2x32P:
			n.ops += size * randomOps
		}
		n.ops += 4 * size
		return true
	}
	return false
}

// unrollsFactor is unrolls for factorizations and triangular solves. Those of complex numbers are not unrolled.
func unrollsFactor(e *jaxpr.Eqn, n *smallCount) bool {
	a := e.Ins[0].Aval()
	if !a.DType.IsFloat() || a.Rank() < 2 {
		return false
	}
	rows, cols := a.Shape.At(a.Rank()-2), a.Shape.At(a.Rank()-1)
	if a.Size() == 0 {
		return e.Outs[0].Type.Size() == 0 && len(e.Outs) == 1
	}
	batch := a.Size() / (rows * cols)
	switch e.Prim.(type) {
	case matrices.CholeskyP:
		n.ops += batch * (rows*rows*rows/6 + 2*rows*rows)
	case matrices.TriangularSolveP:
		n.ops += e.Outs[0].Type.Size() * (rows/2 + 2)
	default:
		n.ops += batch * rows * rows * cols * 2
	}
	return true
}

// contracted returns how many products an element of a dot_general consists of.
func contracted(q prim.DotGeneralP, e *jaxpr.Eqn) int {
	n := 1
	for _, d := range q.LhsContract.All() {
		n *= e.Ins[0].Aval().Shape.At(d)
	}
	return n
}
