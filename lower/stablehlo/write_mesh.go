package stablehlo

import (
	"fmt"
	"slices"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
)

// Programs over meshes are operations sdy.manual_computation, whose regions are programs of one
// device. Devices are numbered row by row over the axes of the mesh; collectives list groups of these
// numbers.

func (w *writer) meshName(m jaxpr.Mesh) string {
	var axes []string
	for _, a := range m.Axes {
		axes = append(axes, fmt.Sprintf("%s=%d", quote(a.Name), a.Size))
	}
	text := "<[" + strings.Join(axes, ", ") + "]>"
	for i, known := range w.meshes {
		if known == text {
			return meshSymbol(i)
		}
	}
	w.meshes = append(w.meshes, text)
	w.partitions = max(w.partitions, deviceCount(m))
	return meshSymbol(len(w.meshes) - 1)
}

func deviceCount(m jaxpr.Mesh) int {
	n := 1
	for _, a := range m.Axes {
		n *= a.Size
	}
	return n
}

func meshSymbol(i int) string {
	if i == 0 {
		return "mesh"
	}
	return fmt.Sprintf("mesh_%d", i-1)
}

func (b *block) shardMap(p *jaxpr.ShardMap, in []operand, out []core.ShapedArray) []operand {
	if b.mesh != nil {
		core.Failf(core.ErrNoRule, "a mesh within a mesh is not written; name all axes in one mesh")
	}
	mesh := b.meshName(p.Mesh)
	var ins, outs []string
	for i, x := range in {
		ins = append(ins, specText(mesh, p.In[i], x.aval))
	}
	for i, a := range out {
		outs = append(outs, specText(mesh, p.Out[i], a))
	}
	var axes []string
	for _, a := range p.ManualAxes() {
		axes = append(axes, a.Name)
	}
	inner := &block{writer: b.writer, indent: b.indent + "  ", next: b.next, env: map[*jaxpr.Var]operand{}, consts: map[string]operand{}, mesh: &p.Mesh}
	args := make([]operand, len(in))
	var head []string
	for i, v := range p.Jaxpr.Ins {
		args[i] = operand{b.fresh(), v.Type.Strong()}
		head = append(head, args[i].name+": "+args[i].typ())
	}
	results := inner.inline(p.Jaxpr, args)
	xs, left := b.bind(out)
	b.line("%ssdy.manual_computation(%s) in_shardings=[%s] out_shardings=[%s] manual_axes=%s (%s) {", left, names(in), strings.Join(ins, ", "), strings.Join(outs, ", "), axisList(axes), strings.Join(head, ", "))
	b.lines.WriteString(inner.lines.String())
	var types []string
	for _, x := range results {
		types = append(types, x.typ())
	}
	colon := ""
	if len(results) > 0 {
		colon = " : " + strings.Join(types, ", ")
	}
	fmt.Fprintf(&b.lines, "%ssdy.return %s%s\n", inner.indent, names(results), colon)
	b.line("} : %s", signature(in, out))
	return xs
}

// specText returns how an array is cut: <@mesh, [{"x"}, {}]>.
func specText(mesh string, s jaxpr.Spec, a core.ShapedArray) string {
	rank := wordsOf(a).Rank()
	dims := make([]string, rank)
	for i := range dims {
		dims[i] = "{}"
		if i < len(s) {
			dims[i] = axisList(s[i])
		}
	}
	return fmt.Sprintf("<@%s, [%s]>", mesh, strings.Join(dims, ", "))
}

// axisList returns {"x", "y"}.
func axisList(axes []string) string {
	quoted := make([]string, len(axes))
	for i, n := range axes {
		quoted[i] = quote(n)
	}
	return "{" + strings.Join(quoted, ", ") + "}"
}

// stride returns the difference of the numbers of neighbouring devices along an axis of a mesh, and the axis's size.
func stride(m jaxpr.Mesh, axis string) (n, size int) {
	n = 1
	for i := len(m.Axes) - 1; i >= 0; i-- {
		if m.Axes[i].Name == axis {
			return n, m.Axes[i].Size
		}
		n *= m.Axes[i].Size
	}
	core.Failf(core.ErrAxis, "no mesh around it has the axis %q; use one of its axes", axis)
	return 0, 0
}

// deviceOffsets returns the numbers of the devices of a group that communicates along axes, less the number of the
// group's first device. They are in the order of the devices' indices along axes, the first axis the slowest.
func deviceOffsets(m jaxpr.Mesh, axes []string) []int {
	offsets := []int{0}
	for _, name := range axes {
		n, size := stride(m, name)
		var next []int
		for _, o := range offsets {
			for i := range size {
				next = append(next, o+i*n)
			}
		}
		offsets = next
	}
	return offsets
}

// deviceGroups returns the devices of a mesh that communicate along axes, each group in the order of deviceOffsets. The
// groups are in the order of their first devices; the argument groups divides each of them further.
func deviceGroups(m jaxpr.Mesh, axes []string, groups prim.Groups) [][]int {
	offsets := deviceOffsets(m, axes)
	var out [][]int
	for first := range deviceCount(m) {
		whole := true
		for _, name := range axes {
			n, size := stride(m, name)
			whole = whole && first/n%size == 0
		}
		if !whole {
			continue
		}
		members := make([]int, len(offsets))
		for i, o := range offsets {
			members[i] = first + o
		}
		if groups.Size == 0 {
			out = append(out, members)
			continue
		}
		for at := 0; at < groups.Members.Len(); at += groups.Size {
			var part []int
			for k := range groups.Size {
				part = append(part, members[groups.Members.At(at+k)])
			}
			out = append(out, part)
		}
	}
	return out
}

func groupsText(groups [][]int) string {
	rows := make([]string, len(groups))
	for i, g := range groups {
		rows[i] = listText(dims(g))
	}
	return fmt.Sprintf("dense<[%s]> : tensor<%dx%dxi64>", strings.Join(rows, ", "), len(groups), len(groups[0]))
}

// channel returns the attribute of a channel that no other collective has.
func (b *block) channel() string {
	b.channels++
	return fmt.Sprintf("channel_handle = #stablehlo.channel_handle<handle = %d, type = 1>", b.channels)
}

// collective writes operations that name axes of the mesh. It returns nil if p is another operation, reduces axes of its operand
// too, or is outside of a mesh.
func (b *block) collective(p core.Primitive, in []operand, out []core.ShapedArray) []operand {
	if b.mesh == nil {
		return nil
	}
	m := *b.mesh
	groups := func(axes prim.Names, g prim.Groups) string {
		return "replica_groups = " + groupsText(deviceGroups(m, slices.Collect(axes.All()), g))
	}
	reduce := func(name string, axes prim.Names, g prim.Groups) []operand {
		dt := in[0].aval.DType
		return b.generic("stablehlo.all_reduce", b.channel()+", "+groups(axes, g)+", use_global_device_ids", out, []string{b.applies(name, dt)}, in...)
	}
	switch p := p.(type) {
	case prim.PvaryP:
		return in
	case prim.PsumInvariantP:
		return reduce("add", p.Axes, prim.Groups{})
	case prim.PsumP:
		if p.Axes.Positions.Len() == 0 {
			return reduce("add", p.Axes.Names, p.Groups)
		}
	case prim.PmaxP:
		if p.Axes.Positions.Len() == 0 {
			return reduce("maximum", p.Axes.Names, p.Groups)
		}
	case prim.PminP:
		if p.Axes.Positions.Len() == 0 {
			return reduce("minimum", p.Axes.Names, p.Groups)
		}
	case prim.AllGatherP:
		x := in[0]
		if !p.Tiled {
			shape := x.aval.Shape.Ints()
			x = b.reshape(x, dims(slices.Insert(shape, p.Dimension, 1)))
		}
		return b.generic("stablehlo.all_gather", fmt.Sprintf("all_gather_dim = %d : i64, %s, %s, use_global_device_ids", p.Dimension, b.channel(), groups(p.Axis, p.Groups)), out, nil, x)
	case prim.ReduceScatterP:
		part := in[0].aval.Shape.Ints()
		part[p.Dimension] /= p.Size
		y := b.generic("stablehlo.reduce_scatter", fmt.Sprintf("%s, %s, scatter_dimension = %d : i64, use_global_device_ids", b.channel(), groups(p.Axis, p.Groups), p.Dimension),
			[]core.ShapedArray{in[0].aval.WithShape(dims(part))}, []string{b.applies("add", in[0].aval.DType)}, in...)
		return []operand{b.reshape(y[0], out[0].Shape)}
	case prim.AllToAllP:
		g := deviceGroups(m, slices.Collect(p.Axis.All()), p.Groups)
		return b.generic("stablehlo.all_to_all", fmt.Sprintf("%s, concat_dimension = %d : i64, replica_groups = %s, split_count = %d : i64, split_dimension = %d : i64",
			b.channel(), p.Concat, groupsText(g), len(g[0]), p.Split), out, nil, in...)
	case prim.PpermuteP:
		var pairs [][]int
		for _, g := range deviceGroups(m, slices.Collect(p.Axis.All()), prim.Groups{}) {
			for i := 0; i < p.Perm.Len(); i += 2 {
				s, t := p.Perm.At(i), p.Perm.At(i+1)
				if s >= len(g) || t >= len(g) {
					core.Failf(core.ErrAxis, "perm contains the pair (%d, %d) along an axis of size %d; use indices below it", s, t, len(g))
				}
				pairs = append(pairs, []int{g[s], g[t]})
			}
		}
		if len(pairs) == 0 {
			return []operand{b.widen(b.number(0, out[0].DType), out[0].Shape)}
		}
		return b.generic("stablehlo.collective_permute", b.channel()+", source_target_pairs = "+groupsText(pairs), out, nil, in...)
	case prim.AxisIndexP:
		n, size := stride(m, p.Axis)
		a := core.Aval(core.Uint32)
		id := operand{b.fresh(), a}
		b.line("%s = stablehlo.partition_id : %s", id.name, id.typ())
		at := b.op("stablehlo.remainder", a, b.op("stablehlo.divide", a, id, b.number(float64(n), core.Uint32)), b.number(float64(size), core.Uint32))
		return []operand{b.op("stablehlo.convert", out[0], at)}
	}
	return nil
}
