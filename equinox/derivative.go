package equinox

import (
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/transforms"
)

// adjointOf applies the adjoint of f to y. f is a real linear function, whose arguments have the types `in`.
func adjointOf(f func(x []value) []value, in []aval, y []value) []value {
	for _, a := range in {
		if a.DType.IsComplex() {
			core.FailOp(core.ErrNoRule, "linear_solve", in, "the derivative of complex least squares is not known; solve a square system")
		}
	}
	_, back := transforms.LinearTranspose(f, in)
	out := back(y)
	for i, v := range out {
		out[i] = orZeros(v, in[i])
	}
	return out
}

func combined(f func(x, y value) value, xs, ys []value) []value {
	out := make([]value, len(xs))
	for i := range xs {
		out[i] = f(xs[i], ys[i])
	}
	return out
}

// with binds p for another vector, and returns the solution.
func (p solveP) with(in, vector []value) []value {
	args := append([]value(nil), in...)
	for k, i := range p.tree.kids[2].leavesOf(nil) {
		args[p.dynamic[i]] = vector[k]
	}
	return core.Bind(p, args...)[:p.solutions()]
}

// JVP returns the tangent of the solution: with the pseudoinverse A⁺ and x = A⁺b it is
//
//	x' = A⁺(b' − A'x + (A⁺)ᵀA'ᵀ(b − Ax) − Ay) + y,  y = A'ᵀ(A⁺)ᵀx
//
// where the terms with (A⁺)ᵀ vanish for independent rows and columns.
func (p solveP) JVP(in, out, t []value) []value {
	vector := p.tree.kids[2]
	b, x := at(p, vector, in), out[:p.solutions()]
	db := at(p, vector, t)
	for i, v := range db {
		db[i] = orZeros(v, b[i].Aval().Tangent())
	}
	var sols []value
	if op := p.derivable(in, t); op.tangent != nil {
		m, n := size(core.AvalsOf(b)), size(core.AvalsOf(x))
		db = combined(prim.Sub, db, op.tangent(x))
		var back solveP
		var backIn []value
		if !p.full || m != n {
			back, backIn = p.transposed(in)
		}
		if !p.full || m > n {
			rest := combined(prim.Sub, b, op.apply(x))
			db = combined(prim.Add, db, back.with(backIn, adjointOf(op.tangent, core.AvalsOf(x), rest)))
		}
		if !p.full || m < n {
			sols = adjointOf(op.tangent, core.AvalsOf(x), back.with(backIn, x))
			db = combined(prim.Sub, db, op.apply(sols))
		}
	}
	dx := p.with(in, db)
	if sols != nil {
		dx = combined(prim.Add, dx, sols)
	}
	return append(dx, make([]value, len(out)-len(dx))...)
}

func (p solveP) Transpose(ct, in []value, lin []bool, av []aval) []value {
	vector := p.tree.kids[2].leavesOf(nil)
	of := map[int]bool{}
	for _, i := range vector {
		of[p.dynamic[i]] = true
	}
	for k, l := range lin {
		if l && !of[k] {
			core.FailOp(core.ErrNoRule, "linear_solve", av, "is linear in its vector only; operand %d is another", k)
		}
	}
	full := append([]value(nil), in...)
	for k, l := range lin {
		if l {
			full[k] = prim.Zeros(av[k]) // the transposed solve has another vector as its operand
		}
	}
	q, qIn := p.transposed(full)
	cts := make([]value, p.solutions())
	for i := range cts {
		cts[i] = orZeros(ct[i], p.out[i].Strong())
	}
	sol := q.with(qIn, cts)
	out := make([]value, len(in))
	for k, i := range vector {
		if lin[p.dynamic[i]] {
			out[p.dynamic[i]] = sol[k]
		}
	}
	return out
}

// transposed returns the solve with the transposed operator and its operands, whose vector has the
// types of p's solution.
func (p solveP) transposed(in []value) (solveP, []value) {
	opNode, state := p.tree.kids[0], *p.state
	op, arrays := at(p, opNode, in), at(p, p.state, in)
	opText := opNode.String()
	switch {
	case opNode.is("MatrixLinearOperator", 1) && len(op) == 1:
		op = []value{transposed(op[0])}
	default:
		opText = flipped(opNode).String()
	}
	state.kids = append([]*node(nil), state.kids...)
	flip := func(i int) { state.kids[i] = withFlag(state.kids[i], !flag(state.kids[i])) }
	switch p.solver {
	case "LU":
		flip(2)
	case "QR":
		flip(1)
	case "Triangular":
		flip(4)
	case "SVD":
		arrays = []value{transposed(arrays[2]), arrays[1], transposed(arrays[0])}
	case "Tridiagonal":
		arrays = []value{arrays[0], arrays[2], arrays[1]}
	case "CG":
		state.kids[0] = flipped(state.kids[0])
	case "GMRES", "BiCGStab", "LSMR":
		state = *flipped(p.state)
	case "Normal":
		flip(1)
		state.kids[2] = flipped(state.kids[2])
	case "Cholesky":
		if arrays[0].Aval().DType.IsComplex() {
			arrays = []value{prim.Conj(arrays[0])}
		}
	}
	stateText := state.String()
	if p.tree.kids[1] != p.state { // the solver was chosen automatically: its state is part of a pair
		stateText = "(" + p.tree.kids[1].kids[0].String() + ", " + stateText + ")"
	}
	vectorText := "*"
	k := p.solutions()
	if k != 1 {
		stars := make([]string, k)
		for i := range stars {
			stars[i] = "*"
		}
		vectorText = tupleText(stars)
	}
	rest := append([]*node{flippedOptions(p.tree.kids[3])}, p.tree.kids[4:]...)
	text := "PyTreeDef((" + opText + ", " + stateText + ", " + vectorText
	for _, n := range rest {
		text += ", " + n.String()
	}
	tree, _, ok := parseTree(text + "))")
	if !ok {
		core.FailOp(core.ErrNoRule, "linear_solve", nil, "its tree cannot be transposed: %s", text)
	}
	var static []leaf
	add := func(n *node) {
		for _, i := range n.leavesOf(nil) {
			static = append(static, p.static[i])
		}
	}
	add(opNode)
	add(p.tree.kids[1])
	args := append(append([]value(nil), op...), arrays...)
	vector := at(p, p.tree.kids[2], in)
	out := append([]aval(nil), core.AvalsOf(vector)...)
	out = append(out, p.out[k:]...)
	for _, a := range p.out[:k] {
		static = append(static, leaf{array: true, text: "<object object at 0xXXXXXXXXXXXX>"})
		args = append(args, prim.Zeros(a.Strong()))
	}
	for _, n := range rest {
		add(n)
		args = append(args, at(p, n, in)...)
	}
	s, why := newSolve(tree, static, out)
	if why != "" {
		core.FailOp(core.ErrNoRule, "linear_solve", nil, "%s", strings.TrimSpace(why))
	}
	return solveP{s}, args
}

func (p solveP) Batch(n int, in []value, mapped []bool) ([]value, []bool) {
	return batched(p, n, in, mapped)
}
