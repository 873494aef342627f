package onnx

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	format "github.com/weft-go/weft/lower/onnx"
	"github.com/weft-go/weft/runtime"
)

// A Model is a loaded ONNX model. It is safe for concurrent use by multiple goroutines.
type Model struct {
	file      *format.Model
	functions map[opName]*format.Function
	weights   map[string]weft.Array // of the main graph, by name
	inputs    []*format.ValueInfo   // inputs without a weight
	bound     map[string]weft.Array
	sizes     map[string]int // of dimensions, by their names, as the option Bind fixes them
	folded    *folded
}

type opName struct{ domain, op, overload string }

// A Value is an input or output of a model.
type Value struct {
	Name  string
	DType weft.DType
	Dims  []Dim
	Known bool // the model states the rank
}

// A Dim is the size of an axis: a number, or −1 and perhaps a name.
type Dim struct {
	Size int
	Name string
}

// String returns the size, the name, or "?".
func (d Dim) String() string {
	switch {
	case d.Size >= 0:
		return fmt.Sprint(d.Size)
	case d.Name != "":
		return d.Name
	}
	return "?"
}

// String returns name and type, such as "x: f32[batch,3]".
func (v Value) String() string {
	if !v.Known {
		return fmt.Sprintf("%s: %v[…]", v.Name, v.DType)
	}
	dims := make([]string, len(v.Dims))
	for i, d := range v.Dims {
		dims[i] = d.String()
	}
	return fmt.Sprintf("%s: %v[%s]", v.Name, v.DType, strings.Join(dims, ","))
}

// An Option configures [Load], [LoadBytes] and [LoadFile].
type Option interface{ load(*loadOptions) }

type loadOptions struct {
	sizes map[string]int // of dimensions, by their names
	copy  bool           // files are read, not mapped
}

func optionsOf(op string, opts []Option) (loadOptions, error) {
	set := loadOptions{sizes: map[string]int{}}
	for _, o := range opts {
		if o == nil {
			return set, &core.Error{Kind: core.ErrStatic, Op: op, Pos: core.HerePos(), Msg: "an option is nil; leave it out"}
		}
		o.load(&set)
	}
	return set, nil
}

type bindOption struct {
	name string
	size int
}

func (o bindOption) load(l *loadOptions) { l.sizes[o.name] = o.size }

// Bind fixes the size of a dimension that the model names.
func Bind(name string, size int) Option { return bindOption{name, size} }

type copyOption struct{}

func (copyOption) load(l *loadOptions) { l.copy = true }

// Copy makes [LoadFile] read files into memory in place of mapping them. They may then be
// overwritten while the model is in use; weights take memory of the process's own.
func Copy() Option { return copyOption{} }

// Load reads a model from a stream. It cannot read external data: see [LoadFile].
func Load(r io.Reader, opts ...Option) (*Model, error) {
	if r == nil {
		return nil, &core.Error{Kind: core.ErrStatic, Op: "onnx.Load", Pos: core.HerePos(), Msg: "the reader is nil; open a file and pass it"}
	}
	set, err := optionsOf("onnx.Load", opts)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("onnx.Load: %w", err)
	}
	return load("onnx.Load", data, nil, set)
}

// LoadBytes reads a model from memory. The weights may share this memory, so it must not be written
// while the model is in use. open returns the contents of a file of external data; it may be nil if
// there are none.
func LoadBytes(data []byte, open func(name string) ([]byte, error), opts ...Option) (*Model, error) {
	set, err := optionsOf("onnx.LoadBytes", opts)
	if err != nil {
		return nil, err
	}
	return load("onnx.LoadBytes", data, open, set)
}

func load(op string, data []byte, open format.Opener, set loadOptions) (m *Model, err error) {
	file, err := format.Read(data, open)
	if err != nil {
		return nil, err
	}
	m = &Model{file: file, functions: map[opName]*format.Function{}, weights: map[string]weft.Array{}, bound: map[string]weft.Array{}, sizes: set.sizes, folded: &folded{}}
	for _, f := range file.Functions {
		m.functions[opName{f.Domain, f.Name, f.Overload}] = f
	}
	err = core.Catch(func() {
		m.check(op)
		for _, t := range file.Graph.Initializers {
			m.weights[t.Name] = arrayOf(t)
		}
		for _, s := range file.Graph.Sparse {
			m.weights[s.Values.Name] = dense(s)
		}
		for _, in := range file.Graph.Inputs {
			if _, ok := m.weights[in.Name]; !ok {
				m.inputs = append(m.inputs, in)
			}
		}
		for _, v := range slices.Concat(m.inputs, file.Graph.Outputs) {
			switch t := v.Type; {
			case t.Sequence != nil, t.Optional != nil, t.Map, t.Sparse != nil:
				core.FailOp(core.ErrNoRule, op, nil, "%q is a sequence, a map, an optional or sparse; only tensors are supported", v.Name)
			case t.Tensor == nil: // the file leaves the type to be inferred
				t.Tensor = &format.TensorType{}
			}
		}
		m.sort(op)
	})
	if err != nil {
		return nil, err
	}
	return m, nil
}

// arrayOf returns a tensor as an array, which shares the tensor's memory if that is aligned or the elements are
// bytes.
func arrayOf(t *format.Tensor) weft.Array {
	if t.Elem == format.String {
		core.FailOp(core.ErrNoRule, "onnx", nil, "tensor %q consists of texts, which arrays cannot hold; export the model without it", t.Name)
	}
	dims := make([]int, len(t.Dims))
	for i, d := range t.Dims {
		dims[i] = int(d)
	}
	a := core.ShapedArray{Shape: core.MakeDims(dims...), DType: t.Elem.DType()}
	if aligned(t.Data) || len(t.Data) > 0 && a.DType.Size() == 1 {
		return weft.FromValue(runtime.Shared(a, t.Data))
	}
	x := runtime.NewUncleared(a)
	copy(x.Tensor().Data, t.Data)
	return weft.FromValue(x)
}

func dense(s *format.SparseTensor) weft.Array {
	size, dims := 1, make([]int, len(s.Dims))
	for i, d := range s.Dims {
		if d < 0 || d > math.MaxInt32 || d > 0 && size > math.MaxInt32/int(d) {
			core.FailOp(core.ErrShape, "onnx", nil, "sparse tensor %q has the shape %v, whose elements cannot be counted in 31 bits; store it as dense external data", s.Values.Name, s.Dims)
		}
		dims[i] = int(d)
		size *= int(d)
	}
	values, indices := arrayOf(s.Values), arrayOf(s.Indices)
	flat := make([]int64, 0, values.Size())
	at := weft.ToSlice[int64](indices.AsType(weft.Int64))
	for i := range values.Size() {
		k := int64(0)
		if indices.Rank() == 1 && i < len(at) {
			k = at[i]
		} else if indices.Rank() == 2 && indices.Dim(1) == len(dims) && indices.Dim(0) == values.Size() {
			for j, d := range dims {
				k = k*int64(d) + at[i*len(dims)+j]
			}
		} else {
			core.FailOp(core.ErrShape, "onnx", nil, "sparse tensor %q has %v values and indices of shape %v; it takes an index for each value, flat or one for each axis", s.Values.Name, values.Size(), indices.Shape())
		}
		if k < 0 || k >= int64(size) {
			core.FailOp(core.ErrIndex, "onnx", nil, "sparse tensor %q has an index outside of its shape %v; export the model again", s.Values.Name, s.Dims)
		}
		flat = append(flat, k)
	}
	return weft.ZerosOf(values.DType(), size).At(weft.Of(flat...)).Set(values).Reshape(dims...)
}

// Inputs returns the model's inputs, without those that are bound or have a default.
func (m *Model) Inputs() []Value {
	var vs []Value
	for _, in := range m.free() {
		vs = append(vs, m.value(in))
	}
	return vs
}

// Outputs returns the model's outputs.
func (m *Model) Outputs() []Value {
	var vs []Value
	for _, out := range m.file.Graph.Outputs {
		vs = append(vs, m.value(out))
	}
	return vs
}

func (m *Model) free() []*format.ValueInfo {
	return slices.DeleteFunc(slices.Clone(m.inputs), func(v *format.ValueInfo) bool { return !m.bound[v.Name].IsZero() })
}

func (m *Model) value(v *format.ValueInfo) Value {
	t := v.Type.Tensor
	out := Value{Name: v.Name, DType: t.Elem.DType(), Known: t.Known, Dims: make([]Dim, len(t.Shape))}
	for i, d := range t.Shape {
		out.Dims[i] = Dim{Size: int(d.Size), Name: d.Name}
		if n, ok := m.sizes[d.Name]; ok && d.Size < 0 {
			out.Dims[i] = Dim{Size: n}
		}
	}
	return out
}

// Weights returns the initializers of the main graph by name, as they were loaded.
func (m *Model) Weights() map[string]weft.Array { return maps.Clone(m.weights) }

// Bind returns the model with some of its inputs or weights fixed.
func (m *Model) Bind(values map[string]weft.Array) (*Model, error) {
	b := *m
	b.bound = maps.Clone(m.bound)
	for _, name := range slices.Sorted(maps.Keys(values)) {
		_, weight := m.weights[name]
		if !weight && !slices.ContainsFunc(m.inputs, func(v *format.ValueInfo) bool { return v.Name == name }) {
			return nil, &core.Error{Kind: core.ErrTree, Op: "Bind", Pos: core.HerePos(), Msg: fmt.Sprintf("no input or weight is called %q; inputs are %s", name, strings.Join(names(m.inputs), ", "))}
		}
		if values[name].IsZero() {
			return nil, &core.Error{Kind: core.ErrTree, Op: "Bind", Pos: core.HerePos(), Msg: fmt.Sprintf("%q contains no array; give one", name)}
		}
		b.bound[name] = values[name]
	}
	return &b, nil
}

func names(vs []*format.ValueInfo) []string {
	out := make([]string, len(vs))
	for i, v := range vs {
		out[i] = v.Name
	}
	return out
}

// Call runs the model on arrays, one for each of [Model.Inputs].
func (m *Model) Call(args ...weft.Array) (out []weft.Array, err error) {
	err = core.Catch(func() { out = m.Func()(args) })
	return out, err
}

// Func returns the model as a function of its inputs, which can be passed to Jit, Grad or Vmap.
// Like all traced code it panics with a [core.Error] where the arguments do not match.
func (m *Model) Func() func([]weft.Array) []weft.Array {
	return func(args []weft.Array) []weft.Array { return m.evaluate(nil, args, nil) }
}

// FuncOf returns the model as a function of weights, by name, and inputs. Weights that are left
// out are the model's. The gradient with respect to the weights trains them.
func (m *Model) FuncOf() func(weights map[string]weft.Array, inputs []weft.Array) []weft.Array {
	return func(weights map[string]weft.Array, inputs []weft.Array) []weft.Array {
		return m.evaluate(weights, inputs, nil)
	}
}

// evaluate returns the graph's outputs. The nodes in p write to caches with room; if p is nil, all nodes
// concatenate as the file says.
func (m *Model) evaluate(weights map[string]weft.Array, args []weft.Array, p *places) []weft.Array {
	in := m.free()
	if len(args) != len(in) {
		core.FailOp(core.ErrTree, "onnx", nil, "the model takes %s (got %d): %s; pass one array for each", core.Count(len(in), "input"), len(args), strings.Join(names(in), ", "))
	}
	f := &frame{model: m, opsets: m.file.Opsets, values: make(map[string]weft.Array, len(m.weights)+len(args)), last: map[string]weft.Array{}, quanta: map[string]*quantum{}, kept: map[string]*stored{}, places: p}
	maps.Copy(f.values, m.weights)
	maps.Copy(f.values, m.bound)
	for name, w := range weights {
		if _, ok := m.weights[name]; !ok {
			core.FailOp(core.ErrTree, "onnx", nil, "no weight is called %q; Model.Weights lists them", name)
		}
		f.values[name] = w
	}
	for i, v := range in {
		m.fits(m.value(v), args[i])
		f.values[v.Name] = args[i]
	}
	line := core.StartReplay() // the line of the call is looked up once, not for each operation
	line.At(core.HereSite())
	defer line.End()
	return f.graph(m.file.Graph)
}

// fits refuses an argument that is not of its input's type. Of named dimensions it demands the sizes
// that the option Bind fixes.
func (m *Model) fits(v Value, x weft.Array) {
	if x.IsZero() {
		core.FailOp(core.ErrTree, "onnx", nil, "input %q contains no array; set it", v.Name)
	}
	if v.DType != 0 && x.DType() != v.DType {
		core.FailOp(core.ErrDType, "onnx", nil, "input %v got %v; convert it with AsType", v, x.Value().Aval())
	}
	if !v.Known {
		return
	}
	if len(v.Dims) != x.Rank() {
		core.FailOp(core.ErrShape, "onnx", nil, "input %v got %v; reshape it", v, x.Value().Aval())
	}
	for i, d := range v.Dims {
		if n := m.sizes[d.Name]; d.Size < 0 && d.Name != "" && n > 0 {
			d.Size = n
		}
		if d.Size >= 0 && d.Size != x.Dim(i) {
			core.FailOp(core.ErrShape, "onnx", nil, "input %v got %v; axis %d must have size %d", v, x.Value().Aval(), i, d.Size)
		}
	}
}
