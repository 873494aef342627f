package keyreuse

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/rng"
	"github.com/weft-go/weft/jaxpr"
)

// operation returns the keys in the results of an operation, and uses up those that it consumes.
// `in` has an entry for each operand, and the list that it returns one for each result.
func (c *checker) operation(p core.Primitive, in []cells, avals, types []core.ShapedArray, site core.Site) []cells {
	out := make([]cells, len(types))
	first := func() cells { return in[0] }
	shape := func() core.Dims { return avals[0].Shape }
	switch p := p.(type) {
	case rng.RandomBitsP:
		c.consume(p, first(), site)
	case rng.RandomSplitP:
		c.consume(p, first(), site)
	case prim.ReshapeP, prim.SqueezeP, prim.CopyP:
		out[0] = first()
	case prim.BroadcastInDimP:
		out[0] = move(first(), types[0].Shape, func(at []int) int { return spread(at, p.Dims, shape()) })
	case prim.TransposeP:
		out[0] = move(first(), types[0].Shape, func(at []int) int {
			from := make([]int, len(at))
			for i := range at {
				from[p.Perm.At(i)] = at[i]
			}
			return offset(from, shape())
		})
	case prim.RevP:
		out[0] = move(first(), types[0].Shape, func(at []int) int {
			from := append([]int(nil), at...)
			for _, d := range p.Dims.All() {
				from[d] = shape().At(d) - 1 - from[d]
			}
			return offset(from, shape())
		})
	case prim.SliceP:
		out[0] = move(first(), types[0].Shape, func(at []int) int {
			from := make([]int, len(at))
			for i := range at {
				stride := 1
				if p.Strides.Len() > 0 {
					stride = p.Strides.At(i)
				}
				from[i] = p.Start.At(i) + stride*at[i]
			}
			return offset(from, shape())
		})
	case prim.ConcatenateP:
		out[0] = concatenate(in, avals, types[0].Shape, p.Dimension)
	case prim.StackP:
		out[0] = stack(in, types[0].Shape, p.Axis)
	case *jaxpr.Jit:
		copy(out, c.program(p.Jaxpr, in))
	case *jaxpr.CoreCall:
		copy(out, c.program(p.Jaxpr, in))
	case *jaxpr.Remat:
		again := c.again
		c.again = again || p.Differentiated
		copy(out, c.program(p.Jaxpr, in))
		c.again = again
	case *jaxpr.CustomJVP:
		if p.Jaxpr != nil {
			copy(out, c.program(p.Jaxpr, in))
		}
	case *jaxpr.CustomVJP:
		if p.Jaxpr != nil {
			copy(out, c.program(p.Jaxpr, in))
		}
	case *jaxpr.CustomVmap:
		if p.Jaxpr != nil {
			copy(out, c.program(p.Jaxpr, in))
		}
	case *jaxpr.Cond:
		out = c.cond(p, in[1:], len(types))
	case *jaxpr.While:
		out = c.while(p, in)
	case *jaxpr.Scan:
		out = c.scan(p, in, types)
	}
	for i, t := range types {
		if t.DType.IsKey() && out[i] == nil {
			out[i] = fresh(t.Size())
		}
	}
	return out
}

func (c *checker) program(j *jaxpr.Jaxpr, in []cells) []cells {
	env := map[*jaxpr.Var]cells{}
	for i, v := range j.Consts {
		if v.Type.DType.IsKey() && i < len(j.ConstVals) {
			env[v] = known.of(j.ConstVals[i])
		}
	}
	for i, v := range j.Ins {
		if v.Type.DType.IsKey() {
			if env[v] = in[i]; in[i] == nil {
				env[v] = fresh(v.Type.Size())
			}
		}
	}
	look := func(a jaxpr.Atom) cells {
		if v, ok := a.(*jaxpr.Var); ok {
			return env[v]
		}
		return nil
	}
	for _, e := range j.Eqns {
		args := make([]cells, len(e.Ins))
		any := false
		for i, a := range e.Ins {
			args[i] = look(a)
			any = any || args[i] != nil
		}
		types := make([]core.ShapedArray, len(e.Outs))
		for i, v := range e.Outs {
			types[i] = v.Type
			any = any || v.Type.DType.IsKey()
		}
		if !any && !holdsKeys(e.Prim) {
			continue
		}
		for i, k := range c.operation(e.Prim, args, core.AvalsOf(e.Ins), types, e.Site) {
			env[e.Outs[i]] = k
		}
	}
	out := make([]cells, len(j.Outs))
	for i, a := range j.Outs {
		out[i] = look(a)
	}
	return out
}

// cond follows every branch from the same state; a key is used if one of the branches uses it.
func (c *checker) cond(p *jaxpr.Cond, in []cells, results int) []cells {
	out := make([]cells, results)
	all := map[*cell]*use{}
	for _, b := range p.Branches {
		mark := len(c.trail)
		copy(out, c.program(b, in))
		for k, u := range c.undo(mark) {
			all[k] = u
		}
	}
	for k, u := range all {
		k.used = u
		c.trail = append(c.trail, k)
	}
	for i := range out { // it is not known which branch's keys these are
		out[i] = nil
	}
	return out
}

// while follows two iterations.
func (c *checker) while(p *jaxpr.While, in []cells) []cells {
	nc, nb := p.CondConsts, p.BodyConsts
	consts, carry := in[nc:nc+nb], in[nc+nb:]
	for range 2 {
		c.program(p.Cond, append(in[:nc:nc], carry...))
		carry = c.program(p.Body, append(consts[:nb:nb], carry...))
	}
	return carry
}

// scan follows two iterations, and marks the keys of the other iterations as used where those of
// the second are.
func (c *checker) scan(p *jaxpr.Scan, in []cells, types []core.ShapedArray) []cells {
	nc, nk := p.NumConsts, p.NumCarry
	carry := in[nc : nc+nk]
	rows := func(i int) []cells {
		args := append(in[:nc:nc], carry...)
		for _, x := range in[nc+nk:] {
			if x != nil {
				n := len(x) / p.Length
				x = x[i*n : (i+1)*n]
			}
			args = append(args, x)
		}
		return args
	}
	out := make([]cells, len(types))
	trips := min(p.Length, 2)
	for i := range trips {
		got := c.program(p.Jaxpr, rows(i))
		carry = got[:nk]
	}
	copy(out, carry)
	if p.Length > 2 {
		for _, x := range in[nc+nk:] {
			n := len(x) / p.Length
			for i := 2 * n; i < len(x); i++ {
				if like := x[n+i%n]; like.used != nil && x[i].used == nil {
					x[i].used = like.used
					c.trail = append(c.trail, x[i])
				}
			}
		}
	}
	return out
}

func holdsKeys(p core.Primitive) bool {
	return slices.ContainsFunc(jaxpr.Programs(p), hold)
}

// move returns keys in other positions. For each position of the result, the function `from` returns the one in keys.
func move(keys cells, shape core.Dims, from func(at []int) int) cells {
	return make(cells, shape.Size()).fill(shape, func(at []int) *cell { return keys[from(at)] })
}

func offset(at []int, shape core.Dims) int {
	k := 0
	for i, n := range shape.All() {
		k = k*n + at[i]
	}
	return k
}

// spread returns the position in the operand of broadcast_in_dim.
func spread(at []int, dims core.Dims, shape core.Dims) int {
	from := make([]int, shape.Len())
	for i, d := range dims.All() {
		if shape.At(i) > 1 {
			from[i] = at[d]
		}
	}
	return offset(from, shape)
}

func concatenate(in []cells, avals []core.ShapedArray, shape core.Dims, axis int) cells {
	return make(cells, shape.Size()).fill(shape, func(at []int) *cell {
		from := append([]int(nil), at...)
		for i, a := range avals {
			if n := a.Shape.At(axis); from[axis] >= n {
				from[axis] -= n
				continue
			}
			return in[i][offset(from, avals[i].Shape)]
		}
		panic("BUG: a position beyond all parts")
	})
}

func stack(in []cells, shape core.Dims, axis int) cells {
	return make(cells, shape.Size()).fill(shape, func(at []int) *cell {
		k := 0
		for i, n := range shape.All() {
			if i != axis {
				k = k*n + at[i]
			}
		}
		return in[at[axis]][k]
	})
}

func (c cells) fill(shape core.Dims, f func(at []int) *cell) cells {
	at := make([]int, shape.Len())
	for i := range c {
		c[i] = f(at)
		for d := len(at) - 1; d >= 0; d-- {
			if at[d]++; at[d] < shape.At(d) {
				break
			}
			at[d] = 0
		}
	}
	return c
}
