package equinox

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/transforms"
)

// operator is the matrix A of a solve as a function of the leaves of a vector, and its tangent.
type operator struct {
	apply   func(x []value) []value
	tangent func(x []value) []value // nil if it is zero
}

// knows reports whether the operator of a node can be applied.
func (s *solve) knows(n *node) bool {
	switch {
	case n.is("MatrixLinearOperator", 1), n.is("DiagonalLinearOperator", 1):
		return len(n.leavesOf(nil)) == 1
	case n.is("TridiagonalLinearOperator", 3):
		return len(n.leavesOf(nil)) == 3
	case n.is("FunctionLinearOperator", 1):
		return s.closure(n.kids[0]) != nil
	case n.is("JacobianLinearOperator", 4):
		return s.closure(n.kids[0]) != nil
	case n.is("IdentityLinearOperator", -1):
		return true
	case n.is("MulLinearOperator", 2):
		return s.knows(n.kids[0]) && n.kids[1].is("*", 0) && s.static[n.kids[1].leaf].array
	case n.is("Transposed", 1), n.is("TaggedLinearOperator", 1), n.is("NegLinearOperator", 1):
		return s.knows(n.kids[0])
	case n.is("ComposedLinearOperator", 2), n.is("AddLinearOperator", 2):
		return s.knows(n.kids[0]) && s.knows(n.kids[1])
	}
	return false
}

// closure returns the program of a function that is closed over arrays, or nil if n is not such a function.
func (s *solve) closure(n *node) *jaxpr.Jaxpr {
	if !n.is("_ClosureConvert", 2) || n.kids[0].name != "*" {
		return nil
	}
	f := s.static[n.kids[0].leaf].program
	if f == nil || len(f.Consts) != s.arrays(n) {
		return nil
	}
	return f
}

func (s *solve) arrays(n *node) int {
	count := 0
	for _, i := range n.leavesOf(nil) {
		if s.static[i].array {
			count++
		}
	}
	return count
}

// derivable returns the operator with tangents t of the operands. It refuses one whose derivative is not known, unless that has no
// tangents: then it returns an operator without functions.
func (p solveP) derivable(in, t []value) operator {
	n := p.tree.kids[0]
	if p.knows(n) {
		return p.operator(n, in, t, p.results()[:p.solutions()], core.AvalsOf(at(p, p.tree.kids[2], in)))
	}
	for _, v := range at(p, n, t) {
		if v != nil {
			core.FailOp(core.ErrNoRule, "linear_solve", core.AvalsOf(in), "the derivative by an operator %s is not known; use a matrix or a function", n.name)
		}
	}
	return operator{}
}

// operator returns the operator of a node that is known. The vectors that it takes have the types `from`, its results the types
// `to`; for a factor of a product one of the two lists is nil, as the types between the factors are not known. t are tangents of
// the operands, which may be nil.
func (p solveP) operator(n *node, in, t []value, from, to []aval) operator {
	switch n.name {
	case "IdentityLinearOperator":
		return operator{apply: func(x []value) []value { return x }}
	case "TaggedLinearOperator":
		return p.operator(n.kids[0], in, t, from, to)
	case "NegLinearOperator":
		return p.operator(n.kids[0], in, t, from, to).each(func(f func([]value) []value, x []value) []value {
			out := f(x)
			for i, v := range out {
				out[i] = prim.Neg(v)
			}
			return out
		})
	case "Transposed":
		return p.operator(n.kids[0], in, t, to, from).each(func(f func([]value) []value, x []value) []value {
			return adjointOf(f, to, x)
		})
	case "AddLinearOperator":
		a, b := p.operator(n.kids[0], in, t, from, to), p.operator(n.kids[1], in, t, from, to)
		return operator{sum(a.apply, b.apply), sum(a.tangent, b.tangent)}
	case "ComposedLinearOperator":
		a, b := p.operator(n.kids[0], in, t, nil, to), p.operator(n.kids[1], in, t, from, nil)
		return operator{after(a.apply, b.apply), sum(after(a.tangent, b.apply), after(a.apply, b.tangent))}
	}
	args, moved := at(p, n, in), false
	full := make([]value, len(args))
	if t != nil {
		for i, v := range at(p, n, t) {
			moved = moved || v != nil
			full[i] = orZeros(v, args[i].Aval().Tangent())
		}
	}
	var of func(args, x []value) []value
	switch n.name {
	case "MatrixLinearOperator":
		of = func(args, x []value) []value { return []value{product(args[0], x[0])} }
	case "DiagonalLinearOperator":
		of = func(args, x []value) []value { return []value{prim.Mul(args[0], x[0])} }
	case "TridiagonalLinearOperator":
		of = func(args, x []value) []value { return []value{tridiagonal(args[0], args[1], args[2], x[0])} }
	case "FunctionLinearOperator":
		f := p.closure(n.kids[0])
		of = func(args, x []value) []value { return jaxpr.Eval(f, args, x) }
	case "JacobianLinearOperator":
		f, consts, at := p.closure(n.kids[0]), p.arrays(n.kids[0]), p.arrays(n.kids[1])
		of = func(args, x []value) []value {
			out, d := transforms.JVP(func(v []value) []value {
				return jaxpr.Eval(f, args[:consts], append(append([]value(nil), v...), args[consts+at:]...))
			}, args[consts:consts+at], x)
			for i, v := range d {
				d[i] = orZeros(v, out[i].Aval().Tangent())
			}
			return d
		}
	case "MulLinearOperator":
		inner := p.arrays(n.kids[0])
		of = func(args, x []value) []value {
			all := append([]value(nil), in...) // args stand for the operands that are leaves of n
			k := 0
			for _, i := range n.leavesOf(nil) {
				if d, ok := p.dynamic[i]; ok {
					all[d], k = args[k], k+1
				}
			}
			out := p.operator(n.kids[0], all, nil, from, to).apply(x)
			for i, v := range out {
				out[i] = prim.Mul(v, spread(args[inner], v.Aval().Shape))
			}
			return out
		}
	}
	op := operator{apply: func(x []value) []value { return of(args, x) }}
	if moved {
		op.tangent = func(x []value) []value {
			out, d := transforms.JVP(func(args []value) []value { return of(args, x) }, args, full)
			for i, v := range d {
				d[i] = orZeros(v, out[i].Aval().Tangent())
			}
			return d
		}
	}
	return op
}

// tridiagonal returns the product of a matrix with a vector x. The matrix has a diagonal d, l below it and u above.
func tridiagonal(d, l, u, x value) value {
	n := x.Aval().Shape.At(0)
	zero := prim.Num(x.Aval().WithShape(core.Dims{}), 0)
	below := prim.Pad(prim.Mul(l, prim.SliceAxis(x, 0, 0, n-1, 1)), zero, core.MakeDims(1, 0, 0))
	above := prim.Pad(prim.Mul(u, prim.SliceAxis(x, 0, 1, n, 1)), zero, core.MakeDims(0, 1, 0))
	return prim.Add(prim.Add(below, prim.Mul(d, x)), above)
}

// each returns an operator with f applied to both functions of o.
func (o operator) each(f func(of func([]value) []value, x []value) []value) operator {
	with := func(of func([]value) []value) func([]value) []value {
		if of == nil {
			return nil
		}
		return func(x []value) []value { return f(of, x) }
	}
	return operator{with(o.apply), with(o.tangent)}
}

// sum returns the sum of two functions; nil is the zero function.
func sum(f, g func([]value) []value) func([]value) []value {
	if f == nil || g == nil {
		if f == nil {
			return g
		}
		return f
	}
	return func(x []value) []value { return combined(prim.Add, f(x), g(x)) }
}

// after returns the function f(g(x)); nil is the zero function.
func after(f, g func([]value) []value) func([]value) []value {
	if f == nil || g == nil {
		return nil
	}
	return func(x []value) []value { return f(g(x)) }
}

// flipped returns the node of the transposed operator.
func flipped(n *node) *node {
	if n.is("Transposed", 1) {
		return n.kids[0]
	}
	return &node{name: "Transposed", kids: []*node{n}}
}

// flippedOptions returns the options of a solve with the transposed operator, without the first
// guess, which belongs to another solution.
func flippedOptions(n *node) *node {
	out := &node{name: n.name, aux: n.aux}
	for i, k := range n.keys {
		if k == "'preconditioner'" {
			out.keys, out.kids = append(out.keys, k), append(out.kids, flipped(n.kids[i]))
		}
	}
	return out
}
