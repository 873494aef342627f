package onnx

import (
	"slices"
	"strconv"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
)

// programs writes operations that hold programs; nil if p is another operation. Calls are inlined.
func (b *block) programs(p core.Primitive, in []value, out []core.ShapedArray) []value {
	call := func(j *jaxpr.Jaxpr) []value {
		if j == nil {
			core.Failf(core.ErrNoRule, "its function is not recorded; trace the program once more")
		}
		return slices.Concat([]value{}, b.inline(j, in))
	}
	switch p := p.(type) {
	case *jaxpr.Jit:
		return call(p.Jaxpr)
	case *jaxpr.CoreCall:
		return call(p.Jaxpr)
	case *jaxpr.Remat:
		return call(p.Jaxpr)
	case *jaxpr.CustomJVP:
		return call(p.Jaxpr)
	case *jaxpr.CustomVJP:
		return call(p.Jaxpr)
	case *jaxpr.CustomVmap:
		return call(p.Jaxpr)
	case *jaxpr.Cond:
		return b.cond(p.Branches, 0, in[0], in[1:], out)
	case *jaxpr.While:
		return b.while(p, in, out)
	case *jaxpr.Scan:
		return b.scan(p, in, out)
	}
	return nil
}

// inner writes a graph within a node. It sees the values around it.
func (b *block) inner(name string, in []core.ShapedArray, f func(b *block, in []value) []value) *Graph {
	i := &block{writer: b.writer, graph: &Graph{Name: name}}
	xs := make([]value, len(in))
	for k, a := range in {
		b.last++
		xs[k] = value{b.name("v"+strconv.Itoa(b.last), "v"), a.Strong()}
		i.graph.Inputs = append(i.graph.Inputs, infoOf(xs[k]))
	}
	for _, y := range f(i, xs) {
		i.result(y)
	}
	return i.graph
}

// cond writes the choice among branches[first:]: an If for each but the last.
func (b *block) cond(branches []*jaxpr.Jaxpr, first int, index value, in []value, out []core.ShapedArray) []value {
	if len(out) == 0 {
		return []value{}
	}
	if first == len(branches)-1 {
		return b.inline(branches[first], in)
	}
	branch := func(f func(b *block) []value) *Graph {
		return b.inner("branch", nil, func(b *block, _ []value) []value { return f(b) })
	}
	later := b.compare("Greater", index, b.integer(first, index.DType))
	if index.DType.IsBool() {
		later = index
	}
	then := branch(func(b *block) []value { return b.cond(branches, first+1, index, in, out) })
	otherwise := branch(func(b *block) []value { return b.inline(branches[first], in) })
	return b.node("If", out, []*Attr{attrGraph("then_branch", then), attrGraph("else_branch", otherwise)}, later)
}

// while writes a Loop without a bound, whose body computes the next condition.
func (b *block) while(p *jaxpr.While, in []value, out []core.ShapedArray) []value {
	cc, bc, carry := in[:p.CondConsts], in[p.CondConsts:p.CondConsts+p.BodyConsts], in[p.CondConsts+p.BodyConsts:]
	if len(carry) == 0 {
		core.Failf(core.ErrNoRule, "a loop without a carry cannot be written; carry a value")
	}
	if p.Cond.OutAvals()[0].Rank() > 0 {
		core.Failf(core.ErrNoRule, "a loop whose condition is an array cannot be written; export the function before Vmap")
	}
	goes := b.inline(p.Cond, slices.Concat(cc, carry))[0]
	types := []core.ShapedArray{core.Aval(core.Int64), core.Aval(core.Bool)}
	for _, x := range carry {
		types = append(types, x.ShapedArray)
	}
	body := b.inner("body", types, func(b *block, in []value) []value {
		next := b.inline(p.Body, slices.Concat(bc, in[2:]))
		return slices.Concat(b.inline(p.Cond, slices.Concat(cc, next)), next)
	})
	return b.node("Loop", out, []*Attr{attrGraph("body", body)}, slices.Concat([]value{{}, goes}, carry)...)
}

// scan writes a Scan. If there is no array to scan, it scans over numbers. A scan of length 0 returns its carry and empty
// arrays, without a Scan.
func (b *block) scan(p *jaxpr.Scan, in []value, out []core.ShapedArray) []value {
	consts, carry, xs := in[:p.NumConsts], in[p.NumConsts:p.NumConsts+p.NumCarry], in[p.NumConsts+p.NumCarry:]
	if len(out) == 0 {
		return []value{}
	}
	if p.Length == 0 {
		ys := slices.Clone(carry)
		for _, a := range out[p.NumCarry:] {
			writable(a)
			ys = append(ys, b.expand(b.number(0, a.DType), a.Shape))
		}
		return ys
	}
	dummy := len(xs) == 0
	if dummy {
		xs = []value{b.iota(core.Int64, core.MakeDims(p.Length), 0)}
	}
	var types []core.ShapedArray
	for _, x := range carry {
		types = append(types, x.ShapedArray)
	}
	for _, x := range xs {
		types = append(types, x.WithShape(x.Shape.Slice(1, x.Rank())))
	}
	body := b.inner("body", types, func(b *block, in []value) []value {
		if dummy {
			in = in[:len(in)-1]
		}
		return b.inline(p.Jaxpr, slices.Concat(consts, in))
	})
	attrs := []*Attr{attrGraph("body", body), attrInt("num_scan_inputs", len(xs))}
	if p.Reverse {
		attrs = append(attrs, attrInts("scan_input_directions", slices.Repeat([]int{1}, len(xs))))
		if n := len(out) - p.NumCarry; n > 0 {
			attrs = append(attrs, attrInts("scan_output_directions", slices.Repeat([]int{1}, n)))
		}
	}
	return b.node("Scan", out, attrs, slices.Concat(carry, xs)...)
}
