package main

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/mesh"
	"github.com/weft-go/weft/transforms"
	"github.com/weft-go/weft/transforms/exchange"
)

// seat is the transport of a process of a job that does not run: it has a rank and a size only.
type seat struct {
	mesh.Transport
	rank, size int
}

func (s seat) Rank() (rank, size int) { return s.rank, s.size }

func (seat) Close(error) error { return nil }

// sendings returns what a process of a job would send in a run of programs over meshes, one after
// the other: programs on whole operands, as weft eval runs them.
func sendings(ps []meshProgram, rank, size int) (out []exchange.Sending) {
	leave := mesh.Join(seat{rank: rank, size: size})
	defer leave(nil)
	for _, p := range ps {
		for _, s := range transforms.Sendings(p.p, p.in) {
			s.Times *= p.times
			out = append(out, s)
		}
	}
	return out
}

// most returns, for each exchange, the sending of the process that sends most among the first two processes, the last one
// and one in the middle.
func most(ps []meshProgram, size int) (out []exchange.Sending) {
	ranks := []int{0, 1, size / 2, size - 1}
	slices.Sort(ranks)
	for _, rank := range slices.Compact(ranks) {
		if rank >= size {
			continue
		}
		for i, s := range sendings(ps, rank, size) {
			if i == len(out) {
				out = append(out, s)
			} else if s.Bytes > out[i].Bytes {
				out[i] = s
			}
		}
	}
	return out
}

// A meshProgram is a program over a mesh, with the types of its operands and the number of times it runs.
type meshProgram struct {
	p     *jaxpr.ShardMap
	in    []core.ShapedArray
	times int
}

// meshPrograms lists the programs over meshes within j, which itself runs the given number of times.
func meshPrograms(j *jaxpr.Jaxpr, times int) (out []meshProgram) {
	for _, e := range j.Eqns {
		if p, ok := e.Prim.(*jaxpr.ShardMap); ok {
			out = append(out, meshProgram{p, core.AvalsOf(e.Ins), times})
			continue
		}
		n := times
		if s, ok := e.Prim.(*jaxpr.Scan); ok {
			n *= s.Length
		}
		for _, q := range jaxpr.Programs(e.Prim) {
			out = append(out, meshPrograms(q, n)...)
		}
	}
	return out
}

// resized returns programs with the exchanges of p, on a mesh of other sizes whose devices have pieces of the same
// shapes: one program for each collective and for each result that is divided.
func resized(p *jaxpr.ShardMap, axes []jaxpr.MeshAxis) (out []meshProgram) {
	over := func(in []jaxpr.Spec, outs []jaxpr.Spec, j *jaxpr.Jaxpr, times int) meshProgram {
		m := &jaxpr.ShardMap{Jaxpr: j, Mesh: jaxpr.Mesh{Axes: axes}, Manual: p.Manual, In: in, Out: outs}
		t := meshProgram{p: m, times: times}
		for i, v := range j.Ins {
			dims := v.Type.Shape.Ints()
			for k, names := range in[i] {
				for _, name := range names {
					n, _ := m.Mesh.Size(name)
					dims[k] *= n
				}
			}
			t.in = append(t.in, v.Type.WithShape(core.MakeDims(dims...)))
		}
		return t
	}
	for _, c := range collectives(p.Jaxpr, 1, p.Manual) {
		n := 1
		for _, a := range axes {
			if slices.Contains(c.names, a.Name) {
				n *= a.Size
			}
		}
		j, in := &jaxpr.Jaxpr{}, []jaxpr.Spec{}
		var pieces []jaxpr.Atom
		var types []core.ShapedArray
		q := c.e.Prim
		for _, a := range core.AvalsOf(c.e.Ins) {
			a = core.ShapedArray{DType: a.DType, Shape: a.Shape}
			q, a = collectiveOver(c.e.Prim, a, n)
			row, piece := jaxpr.NewVar(a.WithShape(a.Shape.Prepend(1))), jaxpr.NewVar(a)
			j.Ins, in = append(j.Ins, row), append(in, jaxpr.Spec{c.names})
			j.Eqns = append(j.Eqns, &jaxpr.Eqn{Prim: prim.SqueezeP{Dims: core.MakeDims(0)}, Ins: []jaxpr.Atom{row}, Outs: []*jaxpr.Var{piece}})
			pieces, types = append(pieces, piece), append(types, a)
		}
		e := &jaxpr.Eqn{Prim: q, Ins: pieces}
		for _, t := range core.AbstractOf(q, types) {
			e.Outs = append(e.Outs, jaxpr.NewVar(t))
		}
		j.Eqns = append(j.Eqns, e)
		out = append(out, over(in, nil, j, c.times))
	}
	for i, s := range p.Out {
		if a := p.Jaxpr.Outs[i].Aval(); len(s.Names()) > 0 {
			v := jaxpr.NewVar(core.ShapedArray{DType: a.DType, Shape: a.Shape})
			out = append(out, over([]jaxpr.Spec{s}, []jaxpr.Spec{s}, &jaxpr.Jaxpr{Ins: []*jaxpr.Var{v}, Outs: []jaxpr.Atom{v}}, 1))
		}
	}
	return out
}

// collectiveOver returns the collective q adapted to n devices, and the type of an operand that it accepts there, of as
// many bytes as a, rounded up.
func collectiveOver(q core.Primitive, a core.ShapedArray, n int) (core.Primitive, core.ShapedArray) {
	rows := a.WithShape(core.MakeDims(n, (a.Size()+n-1)/n))
	switch q := q.(type) {
	case prim.AllGatherP:
		if q.Groups.Size == 0 {
			q.Size = n
		}
		return q, a
	case prim.ReduceScatterP:
		if q.Groups.Size == 0 {
			return prim.ReduceScatterP{Axis: q.Axis, Size: n}, rows
		}
	case prim.AllToAllP:
		if q.Groups.Size == 0 {
			return prim.AllToAllP{Axis: q.Axis, Size: n}, rows
		}
	case prim.PpermuteP:
		return prim.PpermuteP{Axis: q.Axis, Perm: permutationOver(q.Perm, n)}, a
	}
	return q, a
}

// permutationOver extends a permutation to n devices. If all pairs move by the same distance, so do the pairs of the
// result, in a ring if one pair wraps around. Otherwise it keeps the pairs between the first n devices.
func permutationOver(perm core.Dims, n int) core.Dims {
	pairs, size := perm.Ints(), 0
	for _, k := range pairs {
		size = max(size, k+1)
	}
	if size == 0 {
		return perm
	}
	by, ring, regular := (pairs[1]-pairs[0]+size)%size, false, true
	if by > size/2 {
		by -= size
	}
	for i := 0; i < len(pairs); i += 2 {
		d := pairs[i+1] - pairs[i]
		ring = ring || d != by
		regular = regular && (d-by)%size == 0
	}
	var out []int
	for k := range n {
		switch to := k + by; {
		case !regular:
		case ring:
			out = append(out, k, ((to%n)+n)%n)
		case to >= 0 && to < n:
			out = append(out, k, to)
		}
	}
	for i := 0; i < len(pairs) && !regular; i += 2 {
		if pairs[i] < n && pairs[i+1] < n {
			out = append(out, pairs[i], pairs[i+1])
		}
	}
	return core.MakeDims(out...)
}

type collective struct {
	e     *jaxpr.Eqn
	names []string
	times int // how often it runs
}

// collectives lists the collectives of j and of the programs within it. j itself runs the given number of times.
func collectives(j *jaxpr.Jaxpr, times int, manual []string) (out []collective) {
	for _, e := range j.Eqns {
		if programs := jaxpr.Programs(e.Prim); len(programs) > 0 {
			n := times
			if s, ok := e.Prim.(*jaxpr.Scan); ok {
				n *= s.Length
			}
			for _, q := range programs {
				out = append(out, collectives(q, n, manual)...)
			}
			continue
		}
		switch e.Prim.(type) {
		case prim.AxisIndexP, prim.PvaryP:
			continue
		}
		c := collective{e: e, times: times}
		for name := range core.AxisNamesOf(e.Prim) {
			if slices.Contains(manual, name) {
				c.names = append(c.names, name)
			}
		}
		if len(c.names) > 0 {
			out = append(out, c)
		}
	}
	return out
}
