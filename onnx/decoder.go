package onnx

import (
	"fmt"
	"slices"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lax"
	format "github.com/weft-go/weft/lower/onnx"
)

// A Decoder is a language model whose caches have room for a fixed number of tokens. Its file
// concatenates the keys and values of earlier tokens with those of the new token, so that shapes change
// with every token. A Decoder writes the new keys and values at their place in a cache instead.
//
//	d, err := model.Decoder(256)
//	prefill, step := weft.Jit(d.Prefill), weft.Jit(d.Step, weft.Donate(0))
//	out, caches := prefill([]weft.Array{ids, mask, positions})   // [batch, n] each
//	out, caches = step(caches, weft.Scalar(int32(n)), []weft.Array{id, mask, position}) // [batch, 1], [batch, 256], [batch, 1]
//
// Where a cache is not filled yet, its keys are masked by the model's own mask, and positions are
// inputs: so the model must take both, as exports of decoders with caches do. Whether it uses them is
// not checked: a model that derives positions from the size of its caches sees them full.
type Decoder struct {
	model *Model
	room  int
	grows []growth
}

// growth is a cache and the node that concatenates it with new elements.
type growth struct {
	input, output int // indices among the model's inputs and outputs
	axis          int
	node          *format.Node
}

// Decoder returns the model with caches that have room for a number of tokens. Caches are the
// inputs that the model concatenates with new elements, if it returns the result.
func (m *Model) Decoder(room int) (*Decoder, error) {
	d := &Decoder{model: m, room: room}
	if room < 2 {
		return nil, &core.Error{Kind: core.ErrStatic, Op: "Decoder", Pos: core.HerePos(), Msg: fmt.Sprintf("the caches have room for %s; want at least 2", core.Count(room, "token"))}
	}
	uses, others := usesOf(m.file.Graph), 0
	for i, v := range m.Inputs() {
		g := growth{input: i, output: -1}
		other := ""
		for _, u := range uses[v.Name] {
			n := u.node
			axis, ok := n.Attrs["axis"]
			switch {
			case n.Domain == "" && n.Op == "Concat" && len(n.Inputs) == 2 && len(n.Outputs) == 1 && n.Inputs[0] == v.Name && ok && v.Known && g.node == nil:
				g.node, g.axis = n, int(axis.Int)
				if g.axis < 0 {
					g.axis += len(v.Dims)
				}
				g.output = u.output(n.Outputs[0])
			case n.Domain == "" && (n.Op == "Shape" || n.Op == "Size"):
			default:
				other = label(n)
			}
		}
		if g.output < 0 || g.axis < 0 || g.axis >= len(v.Dims) || v.Dims[g.axis].Size >= 0 {
			if v.DType != weft.Bool || len(v.Dims) > 1 { // one truth value chooses between branches
				others++
			}
			continue
		}
		if other != "" {
			return nil, &core.Error{Kind: core.ErrNoRule, Op: "Decoder", Pos: core.HerePos(), Msg: fmt.Sprintf("the cache %q is also read by %s; only the node that lets it grow may read it", v.Name, other)}
		}
		d.grows = append(d.grows, g)
	}
	if d.grows == nil {
		return nil, &core.Error{Kind: core.ErrNoRule, Op: "Decoder", Pos: core.HerePos(), Msg: "no input is concatenated with new elements and returned; if caches keep their size, use Func and donate them"}
	}
	if others < 3 {
		return nil, &core.Error{Kind: core.ErrNoRule, Op: "Decoder", Pos: core.HerePos(), Msg: fmt.Sprintf("beside its caches the model takes %s, so it derives positions, perhaps from the caches' size; export it with tokens, a mask and positions as inputs", core.Count(others, "input"))}
	}
	return d, nil
}

// A use is a node that reads a value.
type use struct {
	node *format.Node
	in   *scope
}

// A scope is a graph: the main graph, or one within a node of another graph.
type scope struct {
	graph *format.Graph
	node  *format.Node
	outer *scope // nil for the main graph
}

// usesOf maps the name of a value to the nodes that read it, in a graph and in the graphs within it.
func usesOf(main *format.Graph) map[string][]use {
	uses := map[string][]use{}
	var walk func(s *scope)
	walk = func(s *scope) {
		for _, n := range s.graph.Nodes {
			for _, name := range n.Inputs {
				uses[name] = append(uses[name], use{n, s})
			}
			for _, g := range graphs(n) {
				walk(&scope{g, n, s})
			}
		}
	}
	walk(&scope{graph: main})
	return uses
}

// output returns the index of the main graph's output that a value becomes, or −1.
func (u use) output(name string) int {
	for s := u.in; ; s = s.outer {
		for _, n := range s.graph.Nodes {
			if n.Domain == "" && n.Op == "Identity" && len(n.Inputs) == 1 && len(n.Outputs) == 1 && n.Inputs[0] == name && !slices.Contains(names(s.graph.Outputs), name) {
				name = n.Outputs[0]
			}
		}
		i := slices.Index(names(s.graph.Outputs), name)
		if i < 0 || s.outer == nil {
			return i
		}
		if s.node.Op != "If" || i >= len(s.node.Outputs) {
			return -1
		}
		name = s.node.Outputs[i]
	}
}

// Room returns the number of tokens for which the caches have room.
func (d *Decoder) Room() int { return d.room }

// Caches returns empty caches for a number of sequences.
func (d *Decoder) Caches(batch int) []weft.Array { return d.zeros(batch, d.room) }

// zeros returns caches of n tokens. Other sizes that the model does not fix are batch.
func (d *Decoder) zeros(batch, n int) []weft.Array {
	in, out := d.model.Inputs(), make([]weft.Array, len(d.grows))
	for i, g := range d.grows {
		v := in[g.input]
		dims := make([]int, len(v.Dims))
		for k, x := range v.Dims {
			dims[k] = x.Size
			if x.Size < 0 {
				dims[k] = batch
			}
		}
		dims[g.axis] = n
		out[i] = weft.ZerosOf(v.DType, dims...)
	}
	return out
}

// Prefill evaluates the model on the first tokens of each sequence at once. Its argument has the model's inputs without the
// caches, in their order. It returns the model's outputs without the caches, and the caches.
func (d *Decoder) Prefill(in []weft.Array) (out, caches []weft.Array) {
	if len(in) == 0 || in[0].IsZero() || in[0].Rank() == 0 {
		core.FailOp(core.ErrTree, "Prefill", nil, "the first input has no axis of sequences; pass the model's inputs without the caches")
	}
	f := d.model.Func()
	out, caches = d.parted(f(d.joined("Prefill", in, d.zeros(in[0].Dim(0), 0))))
	for i, x := range caches {
		axis := d.grows[i].axis
		more := make([][3]int, x.Rank())
		more[axis][1] = d.room - x.Dim(axis)
		if more[axis][1] < 1 {
			core.FailOp(core.ErrShape, "Prefill", nil, "there are %s and room for %d; pass fewer, or make more room", core.Count(x.Dim(axis), "token"), d.room)
		}
		caches[i] = lax.Pad(x, scalar(0, x.DType()), more...)
	}
	return out, caches
}

// Step evaluates the model on the next token of each sequence. length is the number of tokens in
// the caches, which must be less than their room. Under Jit this is not checked, and a larger
// length overwrites the last token. `in` has the model's inputs without the caches, in their order,
// for one token. The mask has an entry for each position of the caches; it must allow no more than
// the first length + 1. It returns the model's outputs without the caches, and the caches.
func (d *Decoder) Step(caches []weft.Array, length weft.Array, in []weft.Array) (out, next []weft.Array) {
	if len(caches) != len(d.grows) {
		core.FailOp(core.ErrTree, "Step", nil, "the model has %s (got %d); pass those of Prefill, Step or Caches", core.Count(len(d.grows), "cache"), len(caches))
	}
	if length.IsZero() || length.Rank() != 0 || !length.DType().IsInteger() {
		core.FailOp(core.ErrDType, "Step", nil, "the length is no integer; pass the number of tokens in the caches")
	}
	var n int
	if err := core.Catch(func() { n = length.Int() }); err == nil && (n < 0 || n >= d.room) { // not known under Jit
		core.FailOp(core.ErrStatic, "Step", nil, "the length is %d, want 0 to %d; make more room", n, d.room-1)
	}
	if !slices.ContainsFunc(in, func(x weft.Array) bool { return !x.IsZero() && slices.Contains(x.Shape(), d.room) }) {
		core.FailOp(core.ErrShape, "Step", nil, "no input has an axis of %d, the places of the caches; pass the mask of all of them. A model without one cannot leave places free", d.room)
	}
	p := &places{at: length, of: map[*format.Node]weft.Array{}}
	before := make([]weft.Array, len(caches)) // the model reads only the shapes of these
	for i, g := range d.grows {
		x := caches[i]
		if x.IsZero() || x.Rank() <= g.axis || x.Dim(g.axis) != d.room {
			core.FailOp(core.ErrShape, "Step", nil, "cache %d has no room for %d on axis %d; pass those of Prefill, Step or Caches", i, d.room, g.axis)
		}
		before[i] = lax.SliceInDim(x, 0, d.room-1, 1, g.axis)
		p.of[g.node] = x
	}
	return d.parted(d.model.evaluate(nil, d.joined("Step", in, before), p))
}

// joined returns the model's inputs: those of `in`, with the caches at their positions.
func (d *Decoder) joined(op string, in, caches []weft.Array) []weft.Array {
	n := len(d.model.free())
	if len(in)+len(caches) != n {
		core.FailOp(core.ErrTree, op, nil, "the model takes %s without the caches (got %d); pass one array for each", core.Count(n-len(caches), "input"), len(in))
	}
	out := slices.Clone(in)
	for i, g := range d.grows { // in the order of the inputs
		out = slices.Insert(out, g.input, caches[i])
	}
	return out
}

// parted returns the model's outputs without the caches, and the caches.
func (d *Decoder) parted(all []weft.Array) (out, caches []weft.Array) {
	caches = make([]weft.Array, len(d.grows))
	isCache := map[int]bool{}
	for i, g := range d.grows {
		caches[i] = all[g.output]
		isCache[g.output] = true
	}
	for i, x := range all {
		if !isCache[i] {
			out = append(out, x)
		}
	}
	return out, caches
}

// places states where the nodes that let caches grow write: into the cache that the map `of` has for the node, at the
// position `at`.
type places struct {
	at weft.Array
	of map[*format.Node]weft.Array
}

// grown writes the new element of a node that lets a cache grow into the cache, and reports whether it did.
func (f *frame) grown(n *format.Node) bool {
	if f.places == nil {
		return false
	}
	cache, ok := f.places.of[n]
	if !ok {
		return false
	}
	x, ok := f.lookup(n.Inputs[1])
	if !ok {
		return false
	}
	axis := int(n.Attrs["axis"].Int)
	if axis < 0 {
		axis += cache.Rank()
	}
	if x.Rank() != cache.Rank() || x.Dim(axis) != 1 {
		core.FailOp(core.ErrShape, "", nil, "a step has %v for the cache %v; pass one token of each sequence", x.Shape(), cache.Shape())
	}
	at := make([]weft.Array, x.Rank())
	for i := range at {
		at[i] = weft.ZerosLike(f.places.at)
	}
	at[axis] = f.places.at
	f.values[n.Outputs[0]] = lax.DynamicUpdateSlice(cache, x, at)
	return true
}
