package stablehlo

import (
	"slices"
	"strconv"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
)

const maxDevices = 1 << 16

// mesh reads <["x"=2, "y"=4]>. ok is false for other forms, and for more than maxDevices devices.
func (p *parser) mesh() (m jaxpr.Mesh, ok bool) {
	text := strings.Trim(p.balanced("<"), "<>[] ")
	all := 1
	for part := range strings.SplitSeq(text, ",") {
		if strings.TrimSpace(part) == "" {
			continue
		}
		name, size, found := strings.Cut(part, "=")
		n, err := strconv.Atoi(strings.TrimSpace(size))
		if !found || err != nil || n < 1 || n > maxDevices {
			return m, false
		}
		if all *= n; all > maxDevices {
			return m, false
		}
		m.Axes = append(m.Axes, jaxpr.MeshAxis{Name: strings.Trim(strings.TrimSpace(name), `"`), Size: n})
	}
	return m, true
}

// shardings is an attribute: the specs of operands or results, and the name of their mesh.
type shardings struct {
	mesh  string
	specs []jaxpr.Spec
}

// manualComputation reads sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[…]
// manual_axes={"x"} (%b: type) { … } : types.
func (p *parser) manualComputation(o *op) {
	p.expect("(")
	o.in = p.uses(")")
	for _, key := range []string{"in_shardings", "out_shardings"} {
		if !p.acceptWord(key) {
			p.failf(p.pos, "expected %s, got %s", key, p.next())
		}
		p.expect("=")
		o.attrs = append(o.attrs, namedAttr{key, p.shardings()})
	}
	if !p.acceptWord("manual_axes") {
		p.failf(p.pos, "expected manual_axes, got %s", p.next())
	}
	p.expect("=")
	o.attrs = append(o.attrs, namedAttr{"manual_axes", p.axisSet()})
	var args []blockArg
	p.expect("(")
	for !p.accept(")") {
		p.expect("%")
		name := p.suffix("the name of a value")
		p.expect(":")
		args = append(args, blockArg{name: name, typ: p.typ()})
		if !p.accept(",") {
			p.expect(")")
			break
		}
	}
	o.regions = []*region{p.region(args)}
	p.expect(":")
	p.functionType(o)
}

// shardings reads [<@mesh, [{"x"}, {}]>, …].
func (p *parser) shardings() (s shardings) {
	p.expect("[")
	for !p.accept("]") {
		p.expect("<")
		mesh := p.symbol()
		if s.mesh != "" && s.mesh != mesh {
			p.failf(p.pos, "two meshes, %s and %s, cut the operands of one operation; use one mesh", s.mesh, mesh)
		}
		s.mesh = mesh
		p.expect(",")
		p.expect("[")
		spec := jaxpr.Spec{}
		for !p.accept("]") {
			spec = append(spec, p.axisSet())
			if !p.accept(",") {
				p.expect("]")
				break
			}
		}
		for !p.accept(">") { // replicated={…}, unreduced={…}
			p.expect(",")
			p.word()
			p.expect("=")
			p.axisSet()
		}
		s.specs = append(s.specs, spec)
		if !p.accept(",") {
			p.expect("]")
			break
		}
	}
	return s
}

// axisSet reads {"x", "y"}.
func (p *parser) axisSet() (axes []string) {
	p.expect("{")
	for !p.accept("}") {
		if p.accept("?") {
			continue
		}
		axes = append(axes, p.quoted())
		if p.peek() == ':' {
			p.failf(p.pos, "a part of an axis is not supported; cut along a whole axis")
		}
		if !p.accept(",") {
			p.expect("}")
			break
		}
	}
	return axes
}

// manualOp runs a region on each device of a mesh.
func manualOp(f *frame, o *op, in []core.Value) []core.Value {
	f.regionCount(o, 1)
	f.arrays(in)
	get := func(key string) shardings {
		a, _ := o.attr(key)
		s, _ := a.(shardings)
		return s
	}
	ins, outs := get("in_shardings"), get("out_shardings")
	name := ins.mesh
	if name == "" {
		name = outs.mesh
	}
	if outs.mesh != "" && outs.mesh != name {
		f.fail(core.ErrCheck, "two meshes, %s and %s, cut the operands and the results; use one mesh", name, outs.mesh)
	}
	mesh, ok := f.m.meshes[name]
	if !ok {
		f.fail(core.ErrCheck, "there is no mesh %s, or it has another form; declare sdy.mesh @%s = <[\"x\"=2]>", name, name)
	}
	manual, _ := o.attr("manual_axes")
	axes, _ := manual.([]string)
	for _, n := range axes {
		if _, ok := mesh.Size(n); !ok {
			f.fail(core.ErrAxis, "the mesh %s has no axis %q; use one of its axes", name, n)
		}
	}
	if len(ins.specs) != len(in) || len(outs.specs) != len(o.types) {
		f.fail(core.ErrCheck, "has %d operands and %d results, with shardings of %d and %d; write one for each", len(in), len(o.types), len(ins.specs), len(outs.specs))
	}
	p := &jaxpr.ShardMap{Mesh: mesh, Manual: axes, In: cut(ins.specs, axes), Out: cut(outs.specs, axes)}
	pieces := make([]core.ShapedArray, len(in))
	for i, v := range in {
		pieces[i] = p.InPiece(i, "operand "+strconv.Itoa(i), v.Aval())
	}
	outer := f.mesh
	f.mesh = &mesh
	defer func() { f.mesh = outer }()
	var j *jaxpr.Jaxpr
	p.Region().Within(func() {
		j = trace.Stage("manual", pieces, func(in []core.Value) []core.Value { return f.region(o.regions[0], in) })
	})
	closed := trace.HoistAll(j)
	p.In = append(make([]jaxpr.Spec, len(closed)), p.In...)
	p.Jaxpr = j
	return core.Bind(p, append(closed, in...)...)
}

// cut restricts specs to the manual axes of a mesh: along its other axes, the region's arrays are whole.
func cut(specs []jaxpr.Spec, manual []string) []jaxpr.Spec {
	out := make([]jaxpr.Spec, len(specs))
	for i, s := range specs {
		for k, names := range s {
			for _, n := range names {
				if slices.Contains(manual, n) {
					out[i] = append(out[i], make(jaxpr.Spec, k+1-len(out[i]))...)
					out[i][k] = append(out[i][k], n)
				}
			}
		}
	}
	return out
}

// alone reports whether a collective stands outside of a mesh and its groups have one device each, as JAX writes
// collectives for a mesh of one device. It refuses other collectives outside of a mesh.
func (f *frame) alone(o *op) bool {
	if f.mesh != nil {
		return false
	}
	if _, ok := o.attr("replica_groups"); ok && len(f.rows(o, "replica_groups")[0]) == 1 {
		return true
	}
	f.requireMesh()
	return false
}

func (f *frame) requireMesh() {
	if f.mesh == nil {
		f.fail(core.ErrNoRule, "is outside of sdy.manual_computation, and programs run on one device; export without sharding, or with a mesh")
	}
}

// axesOf returns the axes of the mesh along which the devices of a collective's groups lie, the first axis the slowest. If
// no choice of up to four axes has these groups, it returns all axes, and the groups within them.
func (f *frame) axesOf(o *op, rows [][]int) (axes []string, groups prim.Groups) {
	want := slices.SortedFunc(slices.Values(rows), slices.Compare)
	equal := func(axes []string) bool {
		return slices.Equal(deviceOffsets(*f.mesh, axes), want[0]) && slices.EqualFunc(deviceGroups(*f.mesh, axes, prim.Groups{}), want, slices.Equal)
	}
	all := axisNames(*f.mesh)
	var search func(chosen []string, n int) []string
	search = func(chosen []string, n int) []string { // n more axes
		if n == 0 {
			if equal(chosen) {
				return chosen
			}
			return nil
		}
		for _, name := range all {
			if !slices.Contains(chosen, name) {
				if found := search(append(slices.Clone(chosen), name), n-1); found != nil {
					return found
				}
			}
		}
		return nil
	}
	for n := range min(len(all), 4) {
		if found := search(nil, n+1); found != nil {
			return found, prim.Groups{}
		}
	}
	return all, prim.MakeGroups(rows...)
}

func axisNames(m jaxpr.Mesh) []string {
	names := make([]string, len(m.Axes))
	for i, a := range m.Axes {
		names[i] = a.Name
	}
	return names
}

// rows returns the rows of a matrix of integers that an attribute holds.
func (f *frame) rows(o *op, key string) [][]int {
	a, ok := o.attr(key)
	if !ok {
		f.missing(key)
	}
	d, ok := f.resolve(a).(denseAttr)
	if !ok || len(d.typ.dims) != 2 || d.typ.elem != core.Int64 {
		f.fail(core.ErrCheck, "the attribute %s is no matrix of i64; write dense<[[0, 1]]> : tensor<1x2xi64>", key)
	}
	n, k := d.typ.dims[0], d.typ.dims[1]
	if n < 1 || k < 1 || n > maxDevices || k > maxDevices || n*k > maxDevices {
		f.fail(core.ErrCheck, "the attribute %s has %d rows of %d devices, at most %d devices are supported; use fewer", key, n, k, maxDevices)
	}
	data := make([]byte, 8*n*k)
	if d.isSplat() {
		one := d.one(f.m.src)
		for i := 0; i < len(data); i += 8 {
			copy(data[i:], one[:8])
		}
	} else {
		d.fill(f.m, data)
	}
	out := make([][]int, n)
	for i := range n * k {
		x, _ := elem.Get(data[8*i:], core.Int64)
		out[i/k] = append(out[i/k], int(x.Int64()))
	}
	return out
}

// allReduceOp computes sums, maxima or minima over devices.
func allReduceOp(f *frame, o *op, in []core.Value) []core.Value {
	if f.alone(o) {
		return in
	}
	f.arrays(in)
	f.regionCount(o, 1)
	axes, groups := f.axesOf(o, f.rows(o, "replica_groups"))
	out := make([]core.Value, len(in))
	for i, x := range in {
		named := prim.NamedAxes{Names: prim.MakeNames(axes...)}
		switch name := f.single(o.regions[0]); name {
		case "stablehlo.add":
			out[i] = core.Bind1(prim.PsumP{Axes: named, Groups: groups}, x)
		case "stablehlo.maximum":
			out[i] = core.Bind1(prim.PmaxP{Axes: named, Groups: groups}, x)
		case "stablehlo.minimum":
			out[i] = core.Bind1(prim.PminP{Axes: named, Groups: groups}, x)
		default:
			f.fail(core.ErrNoRule, "devices combine by a program other than an addition, a maximum or a minimum; use one of these")
		}
	}
	return out
}

// single returns the name of the operation of a region that is a single operation on its two arguments, and "" for any
// other region.
func (f *frame) single(r *region) string {
	if len(r.args) != 2 || len(r.ops) != 2 || len(r.ops[0].in) != 2 || len(r.ops[1].in) != 1 || r.ops[1].in[0] != r.ops[0].result {
		return ""
	}
	if a, b := r.ops[0].in[0], r.ops[0].in[1]; a == b || a != r.args[0].id && a != r.args[1].id || b != r.args[0].id && b != r.args[1].id {
		return ""
	}
	return r.ops[0].name
}

func allGatherOp(f *frame, o *op, in []core.Value) []core.Value {
	if f.alone(o) {
		return in
	}
	f.arrays(in)
	rows := f.rows(o, "replica_groups")
	axes, groups := f.axesOf(o, rows)
	out := make([]core.Value, len(in))
	for i, x := range in {
		out[i] = core.Bind1(prim.AllGatherP{Axis: prim.MakeNames(axes...), Dimension: f.int(o, "all_gather_dim"), Size: len(rows[0]), Tiled: true, Groups: groups}, x)
	}
	return out
}

func reduceScatterOp(f *frame, o *op, in []core.Value) []core.Value {
	if f.alone(o) {
		return in
	}
	f.want(in, 1)
	f.arrays(in)
	f.regionCount(o, 1)
	if f.single(o.regions[0]) != "stablehlo.add" {
		f.fail(core.ErrNoRule, "devices combine by a program other than an addition; use one")
	}
	rows := f.rows(o, "replica_groups")
	axes, groups := f.axesOf(o, rows)
	return []core.Value{core.Bind1(prim.ReduceScatterP{Axis: prim.MakeNames(axes...), Dimension: f.int(o, "scatter_dimension"), Size: len(rows[0]), Tiled: true, Groups: groups}, in[0])}
}

func allToAllOp(f *frame, o *op, in []core.Value) []core.Value {
	if f.alone(o) {
		return in
	}
	f.arrays(in)
	rows := f.rows(o, "replica_groups")
	axes, groups := f.axesOf(o, rows)
	out := make([]core.Value, len(in))
	for i, x := range in {
		out[i] = core.Bind1(prim.AllToAllP{Axis: prim.MakeNames(axes...), Split: f.int(o, "split_dimension"), Concat: f.int(o, "concat_dimension"), Size: len(rows[0]), Tiled: true, Groups: groups}, x)
	}
	return out
}

// permuteOp sends values from device to device. It names the devices along one axis if that is possible, or else along
// all axes of the mesh.
func permuteOp(f *frame, o *op, in []core.Value) []core.Value {
	f.requireMesh()
	f.want(in, 1)
	f.arrays(in)
	names := axisNames(*f.mesh)
	pairs := f.rows(o, "source_target_pairs")
	if len(pairs[0]) != 2 {
		f.fail(core.ErrCheck, "the attribute source_target_pairs has %d columns; write a source and a target in each row", len(pairs[0]))
	}
	for _, n := range names {
		g := deviceGroups(*f.mesh, []string{n}, prim.Groups{})
		if short, ok := alongAxis(g, pairs); ok {
			return []core.Value{core.Bind1(prim.PpermuteP{Axis: prim.MakeNames(n), Perm: dims(short)}, in[0])}
		}
	}
	return []core.Value{core.Bind1(prim.PpermuteP{Axis: prim.MakeNames(names...), Perm: dims(slices.Concat(pairs...))}, in[0])}
}

// alongAxis returns pairs of devices as pairs of indices within their groups. ok is false if these differ from group to
// group, or if a pair lies in no group.
func alongAxis(groups, pairs [][]int) (perm []int, ok bool) {
	var first []int
	seen := 0
	for k, g := range groups {
		var own []int
		for _, p := range pairs {
			s, t := slices.Index(g, p[0]), slices.Index(g, p[1])
			if s < 0 {
				continue
			}
			if t < 0 {
				return nil, false
			}
			seen++
			own = append(own, s, t)
		}
		if k == 0 {
			first = own
		} else if !slices.Equal(first, own) {
			return nil, false
		}
	}
	return first, seen == len(pairs)
}

// partitionOp returns the number of the device.
func partitionOp(f *frame, o *op, in []core.Value) []core.Value {
	if f.mesh == nil {
		return zeroIDOp(f, o, in)
	}
	var id core.Value = core.Lit(core.IntNumber(0), core.Int32)
	for _, a := range f.mesh.Axes {
		id = prim.Add(prim.Mul(id, core.Lit(core.IntNumber(int64(a.Size)), core.Int32)), prim.AxisIndex(a.Name))
	}
	return []core.Value{convert(id, core.Uint32)}
}
