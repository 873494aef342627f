package nn

import (
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/tree"
)

// LoadTorch reads a safetensors file of a PyTorch model into the layers of the model that p
// points to. Weights of [Linear] are transposed, the joint weights of a MultiheadAttention are
// split, and the two biases of LSTM and GRU are joined. Numbers are converted to the types that
// the model has.
//
// A field Blocks[0].FirstConv has the name blocks.0.first_conv; a tag weft:"name=conv1" renames
// its field. names maps such a name to the one in the file; nil keeps it. names is called for each
// layer and each Array outside of layers. []LSTM and []GRU are the layers of one PyTorch module.
//
// Settings are not in the file, and some defaults differ: set Eps of [LayerNorm] to PyTorch's 1e-5.
//
// LoadTorch returns the names in the file that the model does not use. If something is missing or
// has another shape, the error names it and nothing is changed.
func LoadTorch(r io.Reader, p any, names func(name string) string) (unused []string, err error) {
	tensors := map[string]weft.Array{}
	if err := weft.Load(r, &tensors); err != nil {
		return nil, err
	}
	v := reflect.ValueOf(p)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return nil, &core.Error{Kind: core.ErrTree, Op: "LoadTorch", Pos: core.HerePos(), Msg: fmt.Sprintf("the model must be a pointer to layers (got %T); pass &model", p)}
	}
	if names == nil {
		names = func(name string) string { return name }
	}
	t := &torchFile{tensors: tensors, used: map[string]bool{}, names: names}
	if err := core.Catch(func() { t.read(v.Elem(), "") }); err != nil {
		return nil, err
	}
	for _, set := range t.sets {
		set()
	}
	for name := range tensors {
		if !t.used[name] {
			unused = append(unused, name)
		}
	}
	slices.Sort(unused)
	return unused, nil
}

// torchFile contains a file's tensors while they are assigned to layers.
type torchFile struct {
	tensors map[string]weft.Array
	used    map[string]bool
	names   func(string) string
	sets    []func() // assignments, made after all parameters have been read
}

func (t *torchFile) has(name string) bool { _, ok := t.tensors[name]; return ok }

func (t *torchFile) get(name string) weft.Array {
	x, ok := t.tensors[name]
	if !ok {
		core.FailOp(core.ErrTree, "LoadTorch", nil, "the file has no %q; map the layer's name to the one in the file", name)
	}
	t.used[name] = true
	return x
}

// set assigns x to a parameter, in its type, when all parameters have been read.
func (t *torchFile) set(to *weft.Array, x weft.Array, name string) {
	if old := *to; !old.IsZero() {
		a, b := old.Value().Aval(), x.Value().Aval()
		if a.Shape != b.Shape {
			core.FailOp(core.ErrShape, "LoadTorch", []core.ShapedArray{a, b}, "%q does not fit (got %v, want %v, as the model has it); make the model with these sizes", name, b.Full(), a.Full())
		}
		x = x.AsType(a.DType)
	}
	t.sets = append(t.sets, func() { *to = x })
}

// setBias assigns a bias, which both the model and the file may lack.
func (t *torchFile) setBias(to *weft.Array, name string) {
	if t.has(name) || hasBias(*to) {
		t.set(to, t.get(name), name)
	}
}

func join(name, part string) string {
	if name == "" {
		return part
	}
	return name + "." + part
}

// read assigns the tensors of a layer, or of a tree of layers.
func (t *torchFile) read(v reflect.Value, path string) {
	switch layer := v.Addr().Interface().(type) {
	case *weft.Array:
		name := t.names(path)
		t.set(layer, t.get(name), name)
	case *Linear:
		t.linear(layer, t.names(path))
	case *Conv:
		t.conv(layer, t.names(path))
	case *Embedding:
		name := join(t.names(path), "weight")
		t.set(&layer.W, t.get(name), name)
	case *LayerNorm:
		t.scaleAndShift(&layer.Scale, &layer.Shift, t.names(path))
	case *GroupNorm:
		t.scaleAndShift(&layer.Scale, &layer.Shift, t.names(path))
	case *RMSNorm:
		name := join(t.names(path), "weight")
		t.set(&layer.Scale, t.get(name), name)
	case *BatchNorm:
		t.batchNorm(layer, t.names(path))
	case *MultiHead:
		t.multiHead(layer, path)
	case *LSTM:
		t.lstm(layer, t.names(path), 0)
	case *GRU:
		t.gru(layer, t.names(path), 0)
	case *[]LSTM:
		for i := range *layer {
			t.lstm(&(*layer)[i], t.names(path), i)
		}
	case *[]GRU:
		for i := range *layer {
			t.gru(&(*layer)[i], t.names(path), i)
		}
	default:
		t.children(v, path)
	}
}

// children reads the parts of a struct, slice, array, map, pointer or interface.
func (t *torchFile) children(v reflect.Value, path string) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if !f.IsExported() {
				continue
			}
			name := tree.FileName(f)
			if name == f.Name {
				name = snakeCase(name)
			}
			t.read(v.Field(i), join(path, name))
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			t.read(v.Index(i), join(path, strconv.Itoa(i)))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			t.read(v.Elem(), path)
		}
	case reflect.Map:
		if v.Type().Key().Kind() != reflect.String {
			return
		}
		for _, k := range v.MapKeys() {
			// An element of a map has no address: a copy is read and put back.
			part := reflect.New(v.Type().Elem())
			part.Elem().Set(v.MapIndex(k))
			t.read(part.Elem(), join(path, k.String()))
			t.sets = append(t.sets, func() { v.SetMapIndex(k, part.Elem()) })
		}
	case reflect.Interface:
		if !v.IsNil() {
			part := reflect.New(v.Elem().Type())
			part.Elem().Set(v.Elem())
			t.read(part.Elem(), path)
			t.sets = append(t.sets, func() { v.Set(part.Elem()) })
		}
	}
}

// snakeCase returns a Go name in the style of Python: FirstConv1 is first_conv1.
func snakeCase(name string) string {
	var b strings.Builder
	runes := []rune(name)
	for i, r := range runes {
		if unicode.IsUpper(r) {
			next := i+1 < len(runes) && unicode.IsLower(runes[i+1])
			if i > 0 && (!unicode.IsUpper(runes[i-1]) || next) {
				b.WriteByte('_')
			}
			r = unicode.ToLower(r)
		}
		b.WriteRune(r)
	}
	return b.String()
}

func (t *torchFile) linear(l *Linear, name string) {
	t.set(&l.W, t.matrix(join(name, "weight")).T(), join(name, "weight"))
	t.setBias(&l.B, join(name, "bias"))
}

// matrix returns a tensor of two axes.
func (t *torchFile) matrix(name string) weft.Array {
	x := t.get(name)
	if a := x.Value().Aval(); a.Rank() != 2 {
		core.FailOp(core.ErrShape, "LoadTorch", []core.ShapedArray{a}, "%q must be a matrix (got %v); map the layer's name to another tensor", name, a.Full())
	}
	return x
}

func (t *torchFile) conv(l *Conv, name string) {
	w := t.get(join(name, "weight"))
	if layout := kernelLayout(l.Config.Layout); layout != "" {
		if len(layout) != w.Rank() {
			core.FailOp(core.ErrShape, "LoadTorch", []core.ShapedArray{w.Value().Aval()}, "%q does not fit the layout %q (got %v); check the name map", join(name, "weight"), l.Config.Layout, w.Value().Aval().Full())
		}
		axes, spatial := make([]int, len(layout)), 2
		for i, letter := range layout {
			switch letter {
			case 'O':
				axes[i] = 0
			case 'I':
				axes[i] = 1
			default:
				axes[i] = spatial
				spatial++
			}
		}
		w = w.Transpose(axes...)
	}
	t.set(&l.W, w, join(name, "weight"))
	t.setBias(&l.B, join(name, "bias"))
}

func (t *torchFile) scaleAndShift(scale, shift *weft.Array, name string) {
	t.set(scale, t.get(join(name, "weight")), join(name, "weight"))
	t.setBias(shift, join(name, "bias"))
}

func (t *torchFile) batchNorm(l *BatchNorm, name string) {
	t.scaleAndShift(&l.Scale, &l.Shift, name)
	t.set(&l.Mean, t.get(join(name, "running_mean")), join(name, "running_mean"))
	t.set(&l.Var, t.get(join(name, "running_var")), join(name, "running_var"))
	t.used[join(name, "num_batches_tracked")] = true // PyTorch's count, which the averages do not need
}

// multiHead reads a MultiheadAttention, or four linear layers named q, k, v and o.
func (t *torchFile) multiHead(l *MultiHead, path string) {
	name := t.names(path)
	whole, bias := join(name, "in_proj_weight"), join(name, "in_proj_bias")
	if !t.has(whole) {
		for part, to := range map[string]*Linear{"q": &l.Q, "k": &l.K, "v": &l.V, "o": &l.O} {
			t.linear(to, t.names(join(path, part)))
		}
		return
	}
	w := t.matrix(whole)
	if w.Dim(0)%3 != 0 {
		core.FailOp(core.ErrShape, "LoadTorch", []core.ShapedArray{w.Value().Aval()}, "%q must consist of three parts of equal size (got %v); check the name map", whole, w.Value().Aval().Full())
	}
	parts := weft.SplitEvenly(w, 0, 3)
	for i, to := range []*Linear{&l.Q, &l.K, &l.V} {
		t.set(&to.W, parts[i].T(), whole)
		if t.has(bias) || hasBias(to.B) {
			t.set(&to.B, weft.SplitEvenly(t.get(bias), 0, 3)[i], bias)
		}
	}
	t.linear(&l.O, join(name, "out_proj"))
}

// gates reads the weights of layer i of a recurrent module. The function that it returns gives the
// name in the file of a parameter of this layer, such as bias_ih.
func (t *torchFile) gates(wx, wh *weft.Array, name string, i int) (bias func(part string) string) {
	bias = func(part string) string { return join(name, fmt.Sprintf("%s_l%d", part, i)) }
	t.set(wx, t.matrix(bias("weight_ih")).T(), bias("weight_ih"))
	t.set(wh, t.matrix(bias("weight_hh")).T(), bias("weight_hh"))
	return bias
}

func (t *torchFile) lstm(l *LSTM, name string, i int) {
	part := t.gates(&l.Wx, &l.Wh, name, i)
	if t.has(part("bias_ih")) || hasBias(l.B) {
		t.set(&l.B, t.get(part("bias_ih")).Add(t.get(part("bias_hh"))), part("bias_ih"))
	}
}

func (t *torchFile) gru(l *GRU, name string, i int) {
	part := t.gates(&l.Wx, &l.Wh, name, i)
	if !t.has(part("bias_ih")) && !hasBias(l.B) {
		return
	}
	bx, bh := t.get(part("bias_ih")), t.get(part("bias_hh"))
	if bx.Rank() != 1 || bx.Dim(0)%3 != 0 || bh.Shape().Size() != bx.Size() {
		core.FailOp(core.ErrShape, "LoadTorch", []core.ShapedArray{bx.Value().Aval(), bh.Value().Aval()}, "%q must consist of three parts of equal size (got %v); check the name map", part("bias_ih"), bx.Value().Aval().Full())
	}
	// The state's biases of the reset and update gates are added to the input's.
	n := bx.Size() / 3
	t.set(&l.B, bx.At(weft.R(0, 2*n)).Add(bh.Index(weft.R(0, 2*n))), part("bias_ih"))
	t.set(&l.Bn, bh.Index(weft.R(2*n, 3*n)), part("bias_hh"))
}
