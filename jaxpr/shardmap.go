package jaxpr

import (
	"iter"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr/internal/syntax"
)

// ShardMap runs a program on each device of a mesh. In cuts operands into the devices' pieces,
// and Out joins the pieces of results.
//
// Its meaning is that of the program mapped over the mesh's axes (Vmap with these names),
// between a cut and a join: see Stacked.
type ShardMap struct {
	Enclosed
	Jaxpr   *Jaxpr // pieces → pieces
	Mesh    Mesh
	Manual  []string // the axes of the mesh that the program is mapped over
	In, Out []Spec
	Check   bool // types state along which axes values vary: check_vma
	Within  bool // a device of another mesh runs it; not shown

	manual string       // Manual as it was read
	extra  []core.Param // further parameters that a text showed
}

// Mesh is an arrangement of devices along named axes. The index along the first axis varies slowest.
type Mesh struct {
	Axes []MeshAxis
	text string // as it was read
}

// MeshAxis is an axis of a mesh.
type MeshAxis struct {
	Name string
	Size int
}

// Size returns the size of an axis; ok is false if the mesh does not have it.
func (m Mesh) Size(axis string) (n int, ok bool) {
	for _, a := range m.Axes {
		if a.Name == axis {
			return a.Size, true
		}
	}
	return 0, false
}

// String returns the mesh as text has it: Mesh('x': 2, 'y': 4, axis_types=(Auto, Auto)).
func (m Mesh) String() string {
	if m.text != "" {
		return m.text
	}
	var axes, types []string
	for _, a := range m.Axes {
		axes = append(axes, "'"+a.Name+"': "+strconv.Itoa(a.Size))
		types = append(types, "Auto")
	}
	return "Mesh(" + strings.Join(append(axes, "axis_types="+pyTuple(types)), ", ") + ")"
}

func pyTuple(words []string) string {
	if len(words) == 1 {
		return "(" + words[0] + ",)"
	}
	return "(" + strings.Join(words, ", ") + ")"
}

func pyQuoted(names []string) []string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = "'" + n + "'"
	}
	return quoted
}

// Spec describes how an array is cut: for each of its axes the axes of the mesh that it is cut
// along, the slowest-varying first. Axes of the array after the end of the spec are not cut.
type Spec [][]string

// String returns the spec as text has it: P(None, 'x', ('y', 'z')).
func (s Spec) String() string {
	if len(s) == 0 {
		return "P()"
	}
	words := make([]string, len(s))
	for i, names := range s {
		quoted := pyQuoted(names)
		switch len(names) {
		case 0:
			words[i] = "None"
		case 1:
			words[i] = quoted[0]
		default:
			words[i] = pyTuple(quoted)
		}
	}
	return "P" + pyTuple(words)
}

// Names returns the axes of the mesh in the spec.
func (s Spec) Names() []string { return slices.Concat(s...) }

// Axes returns the set of the axes of the mesh in the spec.
func (s Spec) Axes() core.Axes {
	if len(s) == 0 {
		return 0
	}
	return core.MakeAxes(s.Names()...)
}

// validate refuses a spec that does not fit arrays of type a on the mesh m. The text what names the array
// in errors.
func (s Spec) validate(m Mesh, what string, a core.ShapedArray) {
	if len(s) > a.Rank() {
		core.Failf(core.ErrShape, "%s is %v, but its spec %v has %s; write one for each axis of the array, or fewer", what, a.Full(), s, core.Count(len(s), "entry"))
	}
	names := s.Names()
	for i, n := range names {
		if _, ok := m.Size(n); !ok {
			core.Failf(core.ErrAxis, "the spec %v of %s names the axis %q, which the mesh %v does not have; use one of its axes", s, what, n, m)
		}
		if slices.Contains(names[:i], n) {
			core.Failf(core.ErrAxis, "the spec %v of %s names the axis %q twice; an axis of the mesh cuts one axis of an array", s, what, n)
		}
	}
}

func (s Spec) parts(m Mesh, axis int) int {
	n := 1
	for _, name := range s[axis] {
		k, _ := m.Size(name)
		n *= k
	}
	return n
}

// Piece returns the type of a device's piece of an array. The text what names the array in errors.
func (s Spec) Piece(m Mesh, what string, a core.ShapedArray) core.ShapedArray {
	s.validate(m, what, a)
	dims := a.Shape.Ints()
	for i := range s {
		n := s.parts(m, i)
		if n == 0 || dims[i]%n != 0 {
			core.Failf(core.ErrShape, "axis %d of %s, a %v, is cut along %s into %s, which do not divide its size %d; pad the array, or cut another axis", i, what, a.Full(), quotedList(s[i]), core.Count(n, "piece"), dims[i])
		}
		dims[i] /= n
	}
	return a.WithShape(core.MakeDims(dims...))
}

// Whole returns the type of an array whose pieces on the devices have type a.
func (s Spec) Whole(m Mesh, what string, a core.ShapedArray) core.ShapedArray {
	s.validate(m, what, a)
	dims := a.Shape.Ints()
	for i := range s {
		dims[i] *= s.parts(m, i)
	}
	return a.WithShape(core.MakeDims(dims...))
}

func quotedList(names []string) string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = strconv.Quote(n)
	}
	return strings.Join(quoted, ", ")
}

func (*ShardMap) Name() string { return "shard_map" }

// ManualAxes returns the axes that the program is mapped over, in the order of the mesh.
func (p *ShardMap) ManualAxes() []MeshAxis {
	core.RequireReceiver("jaxpr.ShardMap.ManualAxes", p == nil)
	var axes []MeshAxis
	for _, a := range p.Mesh.Axes {
		if slices.Contains(p.Manual, a.Name) {
			axes = append(axes, a)
		}
	}
	return axes
}

// Region returns a region to trace programs like p's in.
func (p *ShardMap) Region() *core.Region {
	core.RequireReceiver("jaxpr.ShardMap.Region", p == nil)
	var names []string
	var sizes []int
	for _, a := range p.ManualAxes() {
		names, sizes = append(names, a.Name), append(sizes, a.Size)
	}
	return core.NewRegion(names, sizes, p.Check)
}

func (p *ShardMap) manualSet() core.Axes { return core.MakeAxes(p.Manual...) }

func (p *ShardMap) requireManual(s Spec, what string) {
	for _, n := range s.Names() {
		if !slices.Contains(p.Manual, n) {
			core.Failf(core.ErrAxis, "the spec %v of %s names the axis %q, which the program is not mapped over (its axes are [%s]); map it over that axis, too", s, what, n, quotedList(p.Manual))
		}
	}
}

// InPiece returns the type of the program's input for an operand of type a. The text what
// names the operand in errors.
func (p *ShardMap) InPiece(i int, what string, a core.ShapedArray) core.ShapedArray {
	core.RequireReceiver("jaxpr.ShardMap.InPiece", p == nil)
	piece := p.In[i].Piece(p.Mesh, what, a)
	p.requireManual(p.In[i], what)
	if p.Check {
		piece.Vary = piece.Vary.Union(p.In[i].Axes())
	}
	return piece
}

// RequireSame refuses a result of type a that differs along axes that the program is mapped
// over and the result's spec does not name. The text what names the result in errors.
func (p *ShardMap) RequireSame(i int, what string, a core.ShapedArray) {
	core.RequireReceiver("jaxpr.ShardMap.RequireSame", p == nil)
	if hidden := a.Vary.Minus(p.Out[i].Axes()).Minus(a.Vary.Minus(p.manualSet())); hidden != 0 {
		axis := slices.Collect(hidden.All())[0]
		n, _ := p.Mesh.Size(axis)
		core.Failf(core.ErrAxis, "%s is %v, which differs along the axis %q of size %d, but its spec %v says that all devices there have the same; add up with Psum(…, %q), or name the axis in the spec", what, a.Full(), axis, n, p.Out[i], axis)
	}
}

func (p *ShardMap) Abstract(in []core.ShapedArray) []core.ShapedArray {
	core.RequireReceiver("jaxpr.ShardMap.Abstract", p == nil)
	if p.Jaxpr == nil || len(p.In) != len(p.Jaxpr.Ins) || len(p.Out) != len(p.Jaxpr.Outs) {
		core.Failf(core.ErrCheck, "shard_map has %s and %s for its program; give one for each input and result", core.Count(len(p.In), "input spec"), core.Count(len(p.Out), "result spec"))
	}
	if len(in) != len(p.In) {
		core.Failf(core.ErrCheck, "shard_map has %s (got %s); pass one for each", core.Count(len(p.In), "input spec"), core.Count(len(in), "operand"))
	}
	for i, v := range p.Jaxpr.Ins {
		piece := p.InPiece(i, "operand "+strconv.Itoa(i), in[i])
		if !piece.SameType(v.Type) || p.Check && piece.Vary != v.Type.Vary {
			core.Failf(core.ErrCheck, "a device's piece of operand %d is %v, but the program takes %v; convert the operand, or correct its spec %v", i, piece.Full(), v.Type.Full(), p.In[i])
		}
	}
	out := p.Jaxpr.OutAvals()
	for i, a := range out {
		what := "result " + strconv.Itoa(i)
		if p.Check {
			p.RequireSame(i, what, a)
		}
		out[i] = p.Out[i].Whole(p.Mesh, what, a)
		p.requireManual(p.Out[i], what)
		out[i].Vary = a.Vary.Minus(p.manualSet())
	}
	return out
}

// Programs returns the one program.
func (p *ShardMap) Programs() []*Jaxpr {
	core.RequireReceiver("jaxpr.ShardMap.Programs", p == nil)
	return []*Jaxpr{p.Jaxpr}
}

func (p *ShardMap) Effects() core.Effect {
	core.RequireReceiver("jaxpr.ShardMap.Effects", p == nil)
	return p.Jaxpr.Effects()
}

// AxisNames ranges over the axes that the program names and the mesh does not bind.
func (p *ShardMap) AxisNames() iter.Seq[string] {
	core.RequireReceiver("jaxpr.ShardMap.AxisNames", p == nil)
	return func(yield func(string) bool) {
		for _, n := range p.Jaxpr.axes() {
			if !slices.Contains(p.Manual, n) && !yield(n) {
				return
			}
		}
	}
}

func (p *ShardMap) Closureful() bool {
	core.RequireReceiver("jaxpr.ShardMap.Closureful", p == nil)
	return p.Jaxpr.Closureful()
}

// Stacked evaluates a ShardMap as one program over all devices: package transforms sets it.
var Stacked func(p *ShardMap, in []core.Value) []core.Value

var setAnew atomic.Pointer[func(j *Jaxpr) *Jaxpr]

// SetAnew sets the function by which Anew chooses programs: package transforms does it in a process that joins a job.
func SetAnew(f func(j *Jaxpr) *Jaxpr) { setAnew.Store(&f) }

// Anew returns the program to compile in place of j. In a job, where each process compiles for the devices that it
// runs, this is a program for that job alone if j runs over a mesh; otherwise it is j.
func (j *Jaxpr) Anew() *Jaxpr {
	core.RequireReceiver("jaxpr.Jaxpr.Anew", j == nil)
	if f := setAnew.Load(); f != nil {
		return (*f)(j)
	}
	return j
}

// Expand runs the program for all devices at once.
func (p *ShardMap) Expand(in []core.Value) []core.Value {
	core.RequireReceiver("jaxpr.ShardMap.Expand", p == nil)
	if Stacked == nil {
		core.FailOp(core.ErrNoRule, p.Name(), core.AvalsOf(in), "programs over meshes need package transforms; import it")
	}
	return Stacked(p, in)
}

func (p *ShardMap) Params() []core.Param {
	core.RequireReceiver("jaxpr.ShardMap.Params", p == nil)
	specs := func(ss []Spec) string {
		words := make([]string, len(ss))
		for i, s := range ss {
			words[i] = s.String()
		}
		return pyTuple(words)
	}
	manual := p.manual
	if manual == "" {
		manual = "frozenset({" + strings.Join(pyQuoted(p.Manual), ", ") + "})"
	}
	return sorted(append(slices.Clone(p.extra),
		boolParam("check_vma", p.Check), param("in_specs", specs(p.In)), param("jaxpr", p.Jaxpr),
		param("mesh", p.Mesh), param("newly_manual_axes", manual), param("out_specs", specs(p.Out))))
}

func readShardMap(r *ParamReader) core.Primitive {
	p := &ShardMap{Jaxpr: r.Jaxpr("jaxpr")}
	p.Mesh.text = r.Text("mesh")
	devices := 1
	for _, a := range meshAxes(p.Mesh.text) {
		n, err := strconv.Atoi(a.size)
		if err != nil || n < 1 || n > maxDevices/devices {
			r.fail("mesh", "has the axis %q of size %s; write a size from 1, and at most %d devices", a.name, a.size, maxDevices)
		}
		if _, ok := p.Mesh.Size(a.name); ok {
			r.fail("mesh", "has two axes %q; name them differently", a.name)
		}
		devices *= n
		p.Mesh.Axes = append(p.Mesh.Axes, MeshAxis{a.name, n})
	}
	if r.Has("newly_manual_axes") {
		p.manual = r.Text("newly_manual_axes")
		p.Manual = quotedNames(p.manual)
	} else {
		r.Unsupported("it has no newly_manual_axes, as texts of versions of JAX before 0.7; write them")
	}
	p.Check = r.Has("check_vma") && r.Bool("check_vma")
	p.In, p.Out = readSpecs(r, "in_specs"), readSpecs(r, "out_specs")
	p.extra = r.Rest()
	return p
}

const maxDevices = 1 << 20

func quotedNames(s string) (names []string) {
	for {
		_, rest, ok := strings.Cut(s, "'")
		if !ok {
			return names
		}
		var name string
		if name, s, ok = strings.Cut(rest, "'"); ok {
			names = append(names, name)
		}
	}
}

// readSpecs reads a tuple of specs: (P('x', None), P(('x', 'y'),), P()).
func readSpecs(r *ParamReader, key string) []Spec {
	s := strings.Join(strings.Fields(r.Text(key)), "")
	bad := func() { r.fail(key, "must be a tuple of specs (got %q); write (P('x', None), P())", r.Text(key)) }
	body, ok := syntax.Unbracket(s)
	if !ok {
		bad()
	}
	specs := []Spec{}
	for body != "" {
		rest, ok := strings.CutPrefix(body, "P(")
		if !ok {
			bad()
		}
		spec := Spec{}
		for {
			if after, done := strings.CutPrefix(rest, ")"); done {
				body = strings.TrimPrefix(after, ",")
				break
			}
			var names []string
			switch {
			case strings.HasPrefix(rest, "None"):
				rest = rest[len("None"):]
			case strings.HasPrefix(rest, "("):
				inside, after, ok := strings.Cut(rest, ")")
				if !ok {
					bad()
				}
				names, rest = quotedNames(inside), after
			case strings.HasPrefix(rest, "'"):
				name, after, ok := strings.Cut(rest[1:], "'")
				if !ok {
					bad()
				}
				names, rest = []string{name}, after
			default:
				if strings.Contains(rest, "=") || strings.HasPrefix(rest, "U") {
					r.Unsupported("its spec %q has unreduced or unconstrained axes; write axes of the mesh", s)
				}
				bad()
			}
			spec = append(spec, names)
			rest = strings.TrimPrefix(rest, ",")
		}
		specs = append(specs, spec)
	}
	return specs
}

// A textAxis is an axis of a mesh, its size as the text has it.
type textAxis struct{ name, size string }

// meshAxes returns the axes of a mesh in a text: Mesh('x': 1, 'y': 1, axis_types=(Auto, Auto)).
// It does without a regular expression, whose package no other file of the library needs.
func meshAxes(mesh string) []textAxis {
	var axes []textAxis
	for {
		_, rest, _ := strings.Cut(mesh, "'")
		name, after, ok := strings.Cut(rest, "'")
		if !ok {
			return axes
		}
		mesh = rest[len(name):] // the quote that ends this name may begin the next
		if size, ok := strings.CutPrefix(after, ": "); ok {
			n := len(size) - len(strings.TrimLeft(size, "0123456789"))
			if n > 0 {
				axes, mesh = append(axes, textAxis{name, size[:n]}), size[n:]
			}
		}
	}
}

func oneDevice(mesh string) bool {
	return !slices.ContainsFunc(meshAxes(mesh), func(a textAxis) bool { return a.size != "1" })
}
