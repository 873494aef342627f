package runtime

import (
	"math"
	"sync/atomic"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/reference"
)

// Apply evaluates an operation of one result and one or two operands: see
// [core.Applier]. A small one makes no garbage but the result.
func (b bottom) Apply(p core.Primitive, x, y core.Value) core.Value {
	set := Current()
	set.ask()
	least := leastElements(currentExecutor(set))
	if set.Watch != 0 || least == 0 {
		return b.interpret(p, x, y)
	}
	s := scratches.Get().(*scratch)
	n := 1
	s.in[0] = readOnly(p, x)
	s.avals[0] = s.in[0].t.ShapedArray
	if y != nil {
		n = 2
		s.in[1] = readOnly(p, y)
		s.avals[1] = s.in[1].t.ShapedArray
	}
	op := s.ops.Find(p, s.avals[:n])
	if op == nil {
		if made, ok := prepare(p, s.avals[:n]); ok {
			s.ops.Add(p, s.avals[:n], made)
			op = &made
		}
	}
	if op == nil || s.in[0].remote() != nil || n == 2 && s.in[1].remote() != nil ||
		least != math.MaxInt && (max(op.out.Size(), s.avals[0].Size()) >= least || n == 2 && s.avals[1].Size() >= least) {
		s.in[0], s.in[1] = nil, nil
		scratches.Put(s)
		return b.interpret(p, x, y)
	}
	out := New(op.out)
	s.out[0] = out
	holdArgs(p.Name(), s.in[:n])
	set.runKernel(op.run, p, s.in[:n], s.out[:1])
	dropAll(s.in[:n])
	set.ask()
	s.in[0], s.in[1], s.out[0] = nil, nil, nil
	scratches.Put(s)
	return out
}

// preparedOp is an operation on operands of certain types.
type preparedOp struct {
	out core.ShapedArray
	run reference.Func
}

// prepare returns an operation ready to run by its kernel; ok is false if it has none, or one that
// runs programs.
func prepare(p core.Primitive, in []core.ShapedArray) (op preparedOp, ok bool) {
	if _, program := reference.LookupProgram(p); program {
		return op, false
	}
	if _, ok := reference.Lookup(p); !ok {
		return op, false
	}
	types := core.AbstractOf(p, in)
	op.out = types[0]
	op.run, ok = reference.Prepare(p, in, types)
	return op, ok
}

func (b bottom) interpret(p core.Primitive, x, y core.Value) core.Value {
	if y == nil {
		return b.Interpret(p, []core.Value{x})[0]
	}
	return b.Interpret(p, []core.Value{x, y})[0]
}

// readOnly is concrete for an operand that is only read and not handed out: the array of a
// literal is cached.
func readOnly(p core.Primitive, v core.Value) *Array {
	l, ok := v.(core.Literal)
	if !ok {
		return concrete(p, v)
	}
	at := &literals[l.Hash()%uint64(len(literals))]
	if a := at.Load(); a != nil && a.literal == l {
		return a.array
	}
	a := &literalArray{l, FromLiteral(l)}
	at.Store(a)
	return a.array
}

// literals caches the arrays of literals by hash.
var literals [64]atomic.Pointer[literalArray]

type literalArray struct {
	literal core.Literal
	array   *Array
}
