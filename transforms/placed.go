package transforms

import (
	"fmt"
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
)

// Placed is an array that is cut into pieces on the devices of a mesh, outside of ShardMap. This
// process has the pieces of its own devices.
type Placed struct {
	Mesh jaxpr.Mesh
	Spec jaxpr.Spec // names at least one axis, and ends with an axis that is cut

	// Pieces has leading axes: those of the mesh that the spec names, in the order of the mesh,
	// as far as Parts has them. The axes of one piece follow.
	Pieces Value

	// Parts are the parts of the mesh's axes whose pieces are here, nil for all of an axis.
	Parts []*Part

	generation int // of the job in which Parts is what this process runs
	aval       core.ShapedArray
	shown      func(*Placed) string
}

// Place cuts an array that is whole in every process. An array that the spec does not cut stays
// whole. show returns the text of the result and of what is computed from it.
func Place(m jaxpr.Mesh, s jaxpr.Spec, v Value, show func(*Placed) string) Value {
	x := newPlaced(m, s, v.Aval(), show)
	x.Spec.Piece(m, "the array", x.aval)
	if len(x.Spec) == 0 {
		return v
	}
	x.Pieces = x.cut(v)
	return x
}

func newPlaced(m jaxpr.Mesh, s jaxpr.Spec, a core.ShapedArray, show func(*Placed) string) *Placed {
	return &Placed{Mesh: m, Spec: trimmed(s), Parts: PartsOf(m.Axes), generation: job.generation, aval: a, shown: show}
}

// PlaceOwn returns an array of type a. load makes the pieces of this process, given the type of the
// field Pieces.
func PlaceOwn(m jaxpr.Mesh, s jaxpr.Spec, a core.ShapedArray, show func(*Placed) string, load func(pieces core.ShapedArray) Value) Value {
	x := newPlaced(m, s, a, show)
	h := x.here()
	dims := s.Piece(m, "the array", a).Shape.Ints()
	var lead []int
	for k, named := range h.named(s) {
		if named {
			lead = append(lead, h.size(k))
		}
	}
	x.Pieces = load(a.WithShape(core.MakeDims(append(lead, dims...)...)))
	return x
}

func trimmed(s jaxpr.Spec) jaxpr.Spec {
	for len(s) > 0 && len(s[len(s)-1]) == 0 {
		s = s[:len(s)-1]
	}
	return s
}

// here is the part of the mesh whose pieces this process has.
func (x *Placed) here() here { return here{x.Mesh.Axes, x.Parts} }

func (x *Placed) complete() bool {
	for k, named := range x.here().named(x.Spec) {
		if named && x.Parts[k] != nil {
			return false
		}
	}
	return true
}

// Current returns the array with the pieces of the devices that this process runs now. It fails unless
// the array was cut in the current job, or where the process had every piece, as outside of jobs; op is
// the operation that needs them, "" if the caller names it.
func (x *Placed) Current(op string) *Placed {
	if x.generation == job.generation {
		return x
	}
	if err := x.ended(); err != nil {
		err.Op = op
		panic(err)
	}
	y := *x
	y.Parts, y.generation = PartsOf(x.Mesh.Axes), job.generation
	y.Pieces = y.here().local(x.Pieces, x.Spec)
	return &y
}

// ended returns an error if other processes of a job that has ended have pieces.
func (x *Placed) ended() *core.Error {
	if x.generation == job.generation || x.complete() {
		return nil
	}
	return &core.Error{Kind: core.ErrDevice, Pos: core.HerePos(), Avals: []core.ShapedArray{x.aval},
		Msg: fmt.Sprintf("%s, in a mesh.Run that has ended, and this process has only a part of the pieces; within that Run, bring them together with mesh.Gather, or write them with mesh.Save for mesh.Load", x.Describe())}
}

// currentOf returns the operands of an operation with the pieces of the devices that this process runs now.
func currentOf(p core.Primitive, vs []Value) []Value {
	out := vs
	for i, v := range vs {
		x, ok := v.(*Placed)
		if !ok || x.generation == job.generation {
			continue
		}
		if &out[0] == &vs[0] {
			out = slices.Clone(vs)
		}
		op := p.Name()
		if _, ok := p.(*jaxpr.ShardMap); ok {
			op = "ShardMap"
		}
		out[i] = x.Current(op)
	}
	return out
}

// Whole joins the pieces of all processes, which must all call it.
func (x *Placed) Whole() Value {
	h := x.here()
	pieces := x.Pieces
	if !x.complete() {
		x.Current("")
		h.beginRun("bring together: " + x.Describe())
		pieces = h.whole(pieces, h.named(x.Spec))
		h.end()
	}
	return join(h.axes, pieces, x.Spec)
}

// Aval returns the type of the whole array.
func (x *Placed) Aval() core.ShapedArray { return x.aval }

// Interpreter returns the one interpreter of arrays on meshes.
func (x *Placed) Interpreter() core.Interpreter { return onMesh }

// Known returns false: Look fails.
func (x *Placed) Known() bool { return false }

// Look fails: the elements lie on several devices.
func (x *Placed) Look() (Value, error) {
	if err := x.ended(); err != nil {
		return nil, err
	}
	return nil, &core.Error{Kind: core.ErrDevice, Pos: core.HerePos(), Avals: []core.ShapedArray{x.aval},
		Msg: fmt.Sprintf("%s, so its elements lie on several devices; bring them together with mesh.Gather, or look at the pieces with mesh.Shards", x.Describe())}
}

// PiecesText returns the array as printing shows it: the pieces that are here.
func (x *Placed) PiecesText() string {
	if x.shown == nil {
		return x.Describe()
	}
	return x.shown(x)
}

// Describe returns the type and where the pieces are: f32[8,4] is cut as P('d',) on d=4.
func (x *Placed) Describe() string {
	return fmt.Sprintf("%s is cut as %v on %v", x.aval.Full(), x.Spec, SizesOf(x.Mesh))
}

// SizesOf returns the axes of a mesh and their sizes: x=2, y=4.
func SizesOf(m jaxpr.Mesh) string {
	text := ""
	for i, a := range m.Axes {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprintf("%s=%d", a.Name, a.Size)
	}
	return text
}

// Lies reports whether the array is cut by the spec on the mesh.
func (x *Placed) Lies(m jaxpr.Mesh, s jaxpr.Spec) bool {
	return x.alike(&Placed{Mesh: m, Spec: trimmed(s)})
}

func (x *Placed) alike(y *Placed) bool {
	return slices.Equal(x.Mesh.Axes, y.Mesh.Axes) && x.Spec.String() == y.Spec.String()
}

// like returns pieces of another array that are cut like those of x.
func (x *Placed) like(pieces Value, a core.ShapedArray) *Placed {
	y := *x
	y.Pieces, y.aval = pieces, a
	return &y
}

// cut returns this process's pieces of a whole array, cut like x. Axes of size 1 that x cuts
// are kept, since elementwise operations repeat them.
func (x *Placed) cut(v Value) Value {
	h := x.here()
	a := v.Aval()
	spec := slices.Clone(x.Spec)
	for i := range spec {
		if a.Shape.At(i) == 1 {
			spec[i] = nil
		}
	}
	v = h.cut(v, spec)
	// The axes of the mesh that no longer cut have size 1.
	had, want := h.named(spec), h.named(x.Spec)
	front := 0
	for k := range h.axes {
		if want[k] && !had[k] {
			v = prim.ExpandDims(v, core.MakeDims(front))
		}
		if want[k] {
			front++
		}
	}
	return v
}

// onMesh interprets operations on arrays that are cut into pieces. It is older than every
// transformation, so that it sees what these make of a program.
var onMesh = &placer{core.NextLevel()}

type placer struct{ level int64 }

func (p *placer) Level() int64 { return p.level }

func (*placer) Live() bool { return true }

// Interpret applies p to the pieces.
func (*placer) Interpret(p core.Primitive, in []Value) []Value {
	requireWhole(p)
	in = currentOf(p, in)
	if pointwise(p) {
		return placedElementwise(p, in)
	}
	switch q := p.(type) {
	case *jaxpr.Jit:
		return placedJit(q, in)
	case *jaxpr.ShardMap:
		// One operation outside of programs: it is compiled like a program.
		j := q.Jaxpr.Memo(shardProgramKey{fmt.Sprint(q.Mesh, q.Manual, q.In, q.Out, q.Check)}, func() any {
			return trace.Stage(p.Name(), core.AvalsOf(in), func(in []Value) []Value { return core.Bind(q, in...) })
		})
		return placedJit(&jaxpr.Jit{Fn: p.Name(), Jaxpr: j.(*jaxpr.Jaxpr)}, in)
	}
	return placedCall(p, in)
}

type shardProgramKey struct{ specs string }

// placedCall applies operations other than elementwise ones.
func placedCall(p core.Primitive, in []Value) []Value {
	switch q := p.(type) {
	case *jaxpr.ShardMap:
		return placedShardMap(q, in)
	case *jaxpr.Scan:
		return placedScan(q, in)
	case *jaxpr.While:
		return placedWhile(q, in)
	case *jaxpr.Cond:
		return placedCond(q, in)
	case *jaxpr.Jit:
		if q.Device != "" {
			return placedJit(q, in)
		}
		return evalPlaced(q.Jaxpr, in)
	case *jaxpr.CoreCall, *jaxpr.Remat, *jaxpr.CustomJVP, *jaxpr.CustomVJP, *jaxpr.CustomVmap, *jaxpr.LinearCall:
		if u, ok := p.(interface {
			Function() (func(in []Value) []Value, bool)
		}); ok {
			if f, ok := u.Function(); ok {
				return f(in)
			}
		}
		return evalPlaced(jaxpr.Programs(p)[0], in)
	}
	for i, v := range in {
		if x, ok := v.(*Placed); ok {
			core.FailOp(core.ErrDevice, p.Name(), core.AvalsOf(in), "operand %d, %s, and outside of ShardMap only elementwise operations run where pieces lie; do this in a ShardMap, or bring the pieces together with mesh.Gather", i, x.Describe())
		}
	}
	return core.Bind(p, in...)
}

// evalPlaced evaluates a program, some of whose arguments are placed. The pieces may be tracers
// of a program that is being recorded.
func evalPlaced(j *jaxpr.Jaxpr, args []Value) []Value {
	return jaxpr.Walk(j, func(v Value) Value { return v }, args, func(e *jaxpr.Eqn, in []Value) []Value {
		in = currentOf(e.Prim, in)
		switch {
		case !anyPlaced(in):
			return core.Bind(e.Prim, in...)
		case pointwise(e.Prim):
			return placedElementwise(e.Prim, in)
		}
		return placedCall(e.Prim, in)
	})
}

func anyPlaced(vs []Value) bool {
	return slices.ContainsFunc(vs, func(v Value) bool { _, ok := v.(*Placed); return ok })
}

// pointwise reports whether each element of the results depends only on the elements of the operands at the same place, and
// on operands without axes.
func pointwise(p core.Primitive) bool {
	switch p.(type) {
	case core.Elementwise, prim.SelectNP, prim.ClampP:
		return true
	}
	return false
}

// placedElementwise applies an elementwise operation to the pieces of arrays that are cut alike.
// The other operands, which every process has whole, are cut likewise, except scalars.
func placedElementwise(p core.Primitive, in []Value) []Value {
	types := core.AbstractOf(p, core.AvalsOf(in))
	var first *Placed
	for i, v := range in {
		x, ok := v.(*Placed)
		switch {
		case !ok:
		case first == nil:
			first = x
		case !first.alike(x) || x.aval.Shape != first.aval.Shape:
			core.FailOp(core.ErrDevice, p.Name(), core.AvalsOf(in), "operands must be cut alike, but %s, and operand %d, %s; cut one like the other with mesh.Put", first.Describe(), i, x.Describe())
		}
	}
	pieces := make([]Value, len(in))
	for i, v := range in {
		switch x, ok := v.(*Placed); {
		case ok:
			pieces[i] = x.Pieces
		case v.Aval().Rank() == 0:
			pieces[i] = v
		case v.Aval().Rank() != first.aval.Rank():
			core.FailOp(core.ErrDevice, p.Name(), core.AvalsOf(in), "%s, and operand %d, %s, has other axes; cut it with mesh.Put", first.Describe(), i, v.Aval().Full())
		default:
			pieces[i] = first.cut(v)
		}
	}
	outs := core.Bind(p, pieces...)
	for i, v := range outs {
		outs[i] = first.like(v, types[i])
	}
	return outs
}

// placedShardMap runs a program over the mesh on pieces that lie as its specs demand. Results
// that their specs cut stay on the devices.
func placedShardMap(p *jaxpr.ShardMap, in []Value) []Value {
	h := hereFor(p)
	communicates := !p.Check || h.communicates(p)
	if communicates {
		h.begin(p)
	}
	args := make([]Value, len(in))
	var first *Placed
	for i, v := range in {
		x, ok := v.(*Placed)
		if !ok {
			args[i] = h.cut(v, p.In[i])
			continue
		}
		if first = x; len(p.In[i].Names()) == 0 {
			core.FailOp(core.ErrDevice, "ShardMap", core.AvalsOf(in), "operand %d, %s, but each device takes all of it; name the axes in its spec, which an array that the function closes over does not have, or bring it together with mesh.Gather", i, x.Describe())
		}
		if !x.Lies(jaxpr.Mesh{Axes: h.axes}, p.In[i]) {
			core.FailOp(core.ErrDevice, "ShardMap", core.AvalsOf(in), "operand %d, %s, but the function takes it cut as %v on %v; cut it so with mesh.Put", i, x.Describe(), p.In[i], SizesOf(jaxpr.Mesh{Axes: h.axes}))
		}
		args[i] = x.Pieces
	}
	types := core.AbstractOf(p, core.AvalsOf(in))
	outs, mapped := h.run(p, args)
	for i, v := range outs {
		outs[i] = h.fit(v, p.Out[i], mapped[i])
		if spec := trimmed(p.Out[i]); len(spec) > 0 {
			y := first.like(outs[i], types[i])
			y.Spec = spec
			outs[i] = y
		}
	}
	if communicates {
		h.end()
	}
	return outs
}
