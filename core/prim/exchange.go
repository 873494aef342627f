package prim

import (
	"iter"
	"slices"
	"strconv"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/internal/rule"
	"github.com/weft-go/weft/jaxpr"
)

// PpermuteP sends values along a named axis: index t gets the value of index s for
// every pair (s, t), and zeros if it is not a target.
type PpermuteP struct {
	Axis Names
	Perm core.Dims // source, target of each pair
}

// Ppermute sends x along a named axis: perm lists source, target, source, target, ….
func Ppermute(x Value, axis string, perm core.Dims) Value {
	return core.Bind1(PpermuteP{MakeNames(axis), perm}, x)
}

func (PpermuteP) Name() string { return "ppermute" }

func (PpermuteP) read(r *jaxpr.ParamReader) core.Primitive { return readPpermute(r) }

func (p PpermuteP) Params() []core.Param {
	return []core.Param{rule.Param("axis_name", p.Axis), rule.Param("perm", rule.Tuples(p.Perm, 2))}
}

func (p PpermuteP) AxisNames() iter.Seq[string] { return p.Axis.All() }

func (p PpermuteP) Abstract(in []ShapedArray) []ShapedArray {
	rule.Operands(in, 1)
	if p.Perm.Len()%2 != 0 {
		core.Failf(core.ErrAxis, "perm must contain pairs of source and target (got the indices %v); write ((0, 1), (1, 0))", p.Perm)
	}
	seen := map[[2]int]bool{}
	for i, v := range p.Perm.All() {
		if side := [2]int{i % 2, v}; v < 0 || seen[side] {
			core.Failf(core.ErrAxis, "sources and targets must be distinct (got %s); use each index once as source and once as target", rule.Tuples(p.Perm, 2))
		} else {
			seen[side] = true
		}
	}
	return []ShapedArray{in[0]}
}

func (p PpermuteP) JVP(in, _, t []Value) []Value { return rule.LinearFirst(p, in, t) }

// Transpose sends the cotangents back.
func (p PpermuteP) Transpose(ct, _ []Value, _ []bool, _ []ShapedArray) []Value {
	v := p.Perm.Ints()
	for i := 0; i < len(v); i += 2 {
		v[i], v[i+1] = v[i+1], v[i]
	}
	return rule.One(core.Bind1(PpermuteP{p.Axis, core.MakeDims(v...)}, ct[0]))
}

func (p PpermuteP) Batch(_ int, in []Value, _ []bool) ([]Value, []bool) { return rule.Bound(p, in[0]) }

// BatchAxis returns, for each index, the row of the index that sends to it, or zeros if none does.
func (p PpermuteP) BatchAxis(_ string, n int, in []Value, mapped []bool) ([]Value, []bool) {
	p.Axis.only()
	from := make([]int, n)
	for i := range from {
		from[i] = n // the row of zeros
	}
	for i := 0; i < p.Perm.Len(); i += 2 {
		s, t := p.Perm.At(i), p.Perm.At(i+1)
		if s >= n || t >= n {
			core.Failf(core.ErrAxis, "the pair (%d, %d) is out of range for an axis of size %d; indices count from 0", s, t, n)
		}
		from[t] = s
	}
	x := AtFront(n, in[0], mapped[0])
	if slices.Contains(from, n) {
		a := x.Aval()
		x = Concatenate(0, x, Zeros(a.WithShape(a.Shape.Slice(1, a.Rank()).Prepend(1))))
	}
	return []Value{TakeRows(x, from)}, []bool{true}
}

func readPpermute(r *jaxpr.ParamReader) core.Primitive {
	return PpermuteP{readNames(r, "axis_name"), rule.ReadPairs(r, "perm")}
}

// AllToAllP cuts the operand along one axis into as many parts as a named axis has
// indices; index i gets part i of every index, side by side along another axis.
type AllToAllP struct {
	Axis          Names
	Split, Concat int
	Size          int // of the named axis; 0 where Split equals Concat, unless the text has it
	Tiled         bool
	Groups        Groups
}

// AllToAll sends part i of x along split to index i of a named axis, where the
// parts are put together along concat.
func AllToAll(x Value, axis string, split, concat int, tiled bool) Value {
	p := AllToAllP{Axis: MakeNames(axis), Split: split, Concat: concat, Size: AxisSize(axis), Tiled: tiled}
	if split == concat { // no type depends on the size, so text need not show it
		core.AbstractOf(p, []ShapedArray{x.Aval()})
		p.Size = 0
	}
	return core.Bind1(p, x)
}

func (AllToAllP) Name() string { return "all_to_all" }

func (AllToAllP) read(r *jaxpr.ParamReader) core.Primitive { return readAllToAll(r) }

// Params returns all parameters; the size only where the types do not imply it and it is known.
func (p AllToAllP) Params() []core.Param {
	name, ok := p.Axis.single()
	if !ok {
		name = p.Axis.String()
	}
	ps := []core.Param{rule.Param("axis_index_groups", p.Groups), rule.Param("axis_name", name)}
	if p.Split == p.Concat && p.Size != 0 {
		ps = append(ps, rule.Param("axis_size", strconv.Itoa(p.Size)))
	}
	return append(ps,
		rule.Param("concat_axis", strconv.Itoa(p.Concat)),
		rule.Param("split_axis", strconv.Itoa(p.Split)),
		rule.Param("tiled", rule.PyBool(p.Tiled)),
	)
}

func (p AllToAllP) AxisNames() iter.Seq[string] { return p.Axis.All() }

func (p AllToAllP) Abstract(in []ShapedArray) []ShapedArray {
	rule.Operands(in, 1)
	x := in[0]
	for _, a := range []int{p.Split, p.Concat} {
		if a < 0 || a >= x.Rank() {
			core.Failf(core.ErrShape, "axis %d is out of range for %v; use an axis from 0 to the rank - 1", a, x.Full())
		}
	}
	if p.Split == p.Concat && p.Size == 0 {
		return []ShapedArray{x}
	}
	s := x.Shape.Ints()
	if p.Size <= 0 || s[p.Split]%p.Size != 0 {
		core.Failf(core.ErrShape, "axis %d of %v is not a multiple of the %s of the named axis; pad or reshape it", p.Split, x.Full(), core.Count(p.Size, "part"))
	}
	s[p.Split] /= p.Size
	s[p.Concat] *= p.Size
	return []ShapedArray{x.WithShape(core.MakeDims(s...))}
}

func (p AllToAllP) JVP(in, _, t []Value) []Value { return rule.LinearFirst(p, in, t) }

// Transpose sends the cotangents back: the axes change places.
func (p AllToAllP) Transpose(ct, _ []Value, _ []bool, _ []ShapedArray) []Value {
	p.Split, p.Concat = p.Concat, p.Split
	return rule.One(core.Bind1(p, ct[0]))
}

func (p AllToAllP) Batch(_ int, in []Value, _ []bool) ([]Value, []bool) {
	p.Split++
	p.Concat++
	return rule.Bound(p, in[0])
}

// BatchAxis moves the axis that counts the parts to the front, and merges the former leading axis
// into axis Concat, as the slower-varying index.
func (p AllToAllP) BatchAxis(_ string, n int, in []Value, mapped []bool) ([]Value, []bool) {
	p.Axis.only()
	if p.Groups.Size > 0 {
		core.Failf(core.ErrAxis, "all_to_all within groups %v of a mapped axis is not supported; map over two axes instead", p.Groups)
	}
	x := SplitFront(AtFront(n, in[0], mapped[0]), p.Split+1, n) // [part, source, …]
	return []Value{MergeSecond(x, p.Concat)}, []bool{true}
}

func readAllToAll(r *jaxpr.ParamReader) core.Primitive {
	p := AllToAllP{readNames(r, "axis_name"), r.Int("split_axis"), r.Int("concat_axis"), 1, r.Bool("tiled"), readGroups(r)}
	if p.Split == p.Concat {
		p.Size = 0
	}
	switch {
	case r.Has("axis_size"):
		p.Size = r.Int("axis_size")
	case len(r.In) == 1 && len(r.Out) == 1 && p.Split != p.Concat && max(p.Split, p.Concat) < min(r.In[0].Rank(), r.Out[0].Rank()):
		in, out := r.In[0].Shape, r.Out[0].Shape
		if n := out.At(p.Split); n > 0 {
			p.Size = in.At(p.Split) / n
		} else if n := in.At(p.Concat); n > 0 {
			p.Size = out.At(p.Concat) / n
		}
	}
	return p
}

// AxisIndexP is the index along a named axis, as an i32.
type AxisIndexP struct {
	Axis string
	Vary core.Axes // the axis, in a region that checks how values vary; not shown
}

// AxisIndex returns the index along a named axis.
func AxisIndex(axis string) Value {
	p := AxisIndexP{Axis: axis}
	if r := core.ActiveRegion(); r.Checks() {
		p.Vary = r.Varying(p.AxisNames())
	}
	return core.Bind1(p)
}

func (AxisIndexP) Name() string { return "axis_index" }

func (AxisIndexP) read(r *jaxpr.ParamReader) core.Primitive {
	return AxisIndexP{r.Text("axis_name"), core.VaryOf(r.Out)}
}

func (p AxisIndexP) Params() []core.Param { return []core.Param{rule.Param("axis_name", p.Axis)} }

func (p AxisIndexP) AxisNames() iter.Seq[string] { return slices.Values([]string{p.Axis}) }

func (p AxisIndexP) Abstract(in []ShapedArray) []ShapedArray {
	rule.Operands(in, 0)
	a := core.Aval(core.Int32)
	a.Vary = p.Vary
	return []ShapedArray{a}
}

func (AxisIndexP) ZeroJVP() {}

// Expand fails: nothing binds the axis.
func (p AxisIndexP) Expand([]Value) []Value {
	unbound(p.Axis)
	return nil
}

// BatchAxis counts along the leading axis.
func (AxisIndexP) BatchAxis(_ string, n int, _ []Value, _ []bool) ([]Value, []bool) {
	return []Value{Iota(core.Int32, core.MakeDims(n), 0)}, []bool{true}
}
