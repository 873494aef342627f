package runtime

import (
	"reflect"
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/reference"
)

// onExecutor evaluates p on executor e, which is not the reference. Control flow runs as a program
// of one equation, other operations by the executor's leaf. An operation without a leaf is
// expanded if it has an expansion and no kernel of the reference executor. Otherwise the reference
// executor runs it, and its results go to e's memory. If results are searched for NaNs or
// infinities, every operation runs in this last way. The caller holds the operands.
func onExecutor(s *Settings, e Executor, p core.Primitive, in []*Array, avals, types []core.ShapedArray) []*Array {
	ctx := s.context()
	if s.Watch == 0 {
		if len(jaxpr.Programs(p)) > 0 {
			return compiledFor(e, single(p, avals), nil, s, p.Name()).run(ctx, in)
		}
		if l := leafFor(e, p, avals, types); l != nil {
			outs := make([]*Array, len(types))
			if err := l(ctx, p, placeAll(ctx, e, p.Name(), in), types, outs); err != nil {
				fail(p.Name(), executorError(e, p.Name(), err))
			}
			checkResults(e, p.Name(), types, outs)
			return outs
		}
		if x, ok := p.(core.Expander); ok && !reference.Has(p) {
			return expand(s, x, in, avals, types)
		}
	}
	return placeAll(ctx, e, p.Name(), onReference(s, p, in, avals, types))
}

// leafFor returns the executor's code for an operation, nil if it has none. The latest results are cached.
func leafFor(e Executor, p core.Primitive, in, out []core.ShapedArray) Leaf {
	if !reflect.TypeOf(p).Comparable() {
		return e.Leaf(p, in, out)
	}
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	n := &s.leaves[len(p.Name())%len(s.leaves)]
	if n.executor == e && n.p == p && slices.Equal(n.in, in) && slices.Equal(n.out, out) {
		return n.leaf
	}
	l := e.Leaf(p, in, out)
	*n = leafNote{e, p, slices.Clone(in), slices.Clone(out), l}
	return l
}

// leafNote is a cached result of Executor.Leaf.
type leafNote struct {
	executor Executor
	p        core.Primitive
	in, out  []core.ShapedArray
	leaf     Leaf
}

// singleKey is the key of the program of the one equation p in the memos of p's first program.
type singleKey struct{ p core.Primitive }

// single returns a program of the one equation p. The one for the types of the first call is cached
// in p's first program, if p can be a key.
func single(p core.Primitive, avals []core.ShapedArray) *jaxpr.Jaxpr {
	key := singleKey{p}
	if !reflect.TypeOf(p).Comparable() {
		return newSingle(p, avals)
	}
	j := jaxpr.Programs(p)[0].Memo(key, func() any { return newSingle(p, avals) }).(*jaxpr.Jaxpr)
	if !slices.Equal(j.InAvals(), avals) {
		return newSingle(p, avals)
	}
	return j
}

func newSingle(p core.Primitive, avals []core.ShapedArray) *jaxpr.Jaxpr {
	b := jaxpr.NewBuilder()
	in := make([]jaxpr.Atom, len(avals))
	for i, a := range avals {
		in[i] = b.Input(a)
	}
	var outs []jaxpr.Atom
	for _, v := range b.Eqn(p, in...) {
		outs = append(outs, v)
	}
	return b.Build(outs...)
}
