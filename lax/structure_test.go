package lax_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lax"
)

// expr is a Python expression of the golden sources: a name, a number, a list or
// tuple, or a call.
type expr struct {
	text string // of a name or number
	list []expr
	call bool
	keys map[string]expr // keyword arguments of a call
}

// readExpr reads one expression from the head of s.
func readExpr(s string) (e expr, rest string) {
	s = strings.TrimSpace(s)
	end := strings.IndexAny(s, "()[],= ")
	if end < 0 {
		end = len(s)
	}
	e.text, s = s[:end], s[end:]
	if s == "" || s[0] != '(' && s[0] != '[' {
		return e, s
	}
	e.call, e.keys = e.text != "", map[string]expr{}
	for s = s[1:]; ; {
		s = strings.TrimLeft(s, ", \n")
		if s[0] == ')' || s[0] == ']' {
			return e, s[1:]
		}
		if name, value, ok := strings.Cut(s, "="); ok && !strings.ContainsAny(name, "()[], ") {
			e.keys[name], s = readExpr(value)
			continue
		}
		var x expr
		x, s = readExpr(s)
		e.list = append(e.list, x)
	}
}

// python is a golden program that is one call of a lax function.
type python struct {
	t    *testing.T
	args map[string]array
	expr
}

func (p python) at(i int, key string) (expr, bool) {
	if e, ok := p.keys[key]; ok {
		return e, true
	}
	if i < len(p.list) {
		return p.list[i], true
	}
	return expr{}, false
}

// array is the array argument i.
func (p python) array(i int) array { return p.toArray(p.list[i]) }

func (p python) toArray(e expr) array {
	if x, ok := p.args[e.text]; ok {
		return x
	}
	return weft.Scalar(toInt(p.t, e))
}

func (p python) arrays(e expr) []array {
	var out []array
	for _, x := range e.list {
		out = append(out, p.toArray(x))
	}
	return out
}

func (p python) ints(i int, key string) []int {
	e, _ := p.at(i, key)
	return toInts(p.t, e)
}

// integer is an integer argument, or what it is when left out.
func (p python) integer(i int, key string, otherwise int) int {
	if e, ok := p.at(i, key); ok {
		return toInt(p.t, e)
	}
	return otherwise
}

func (p python) truth(i int, key string, otherwise bool) bool {
	if e, ok := p.at(i, key); ok {
		return e.text == "True"
	}
	return otherwise
}

func (p python) dtype(i int) weft.DType {
	dt, ok := dtypes[p.list[i].text]
	if !ok {
		dt, ok = core.ParseDType(strings.TrimPrefix(p.list[i].text, "np."))
	}
	require.True(p.t, ok, p.list[i].text)
	return dt
}

func toInt(t *testing.T, e expr) int {
	n, err := strconv.Atoi(e.text)
	require.NoError(t, err)
	return n
}

func toInts(t *testing.T, e expr) []int {
	var out []int
	for _, x := range e.list {
		out = append(out, toInt(t, x))
	}
	return out
}

// field is a dimension number, by keyword or by position in the call that makes them.
func (p python) field(i, k int, key string) []int {
	e, _ := p.at(i, "dimension_numbers")
	if f, ok := e.keys[key]; ok {
		return toInts(p.t, f)
	}
	if k < len(e.list) {
		return toInts(p.t, e.list[k])
	}
	return nil
}

func (p python) mode() lax.IndexMode {
	text := p.keys["mode"].text
	modes := map[string]lax.IndexMode{"": lax.DefaultMode, "CLIP": lax.Clip, "PROMISE_IN_BOUNDS": lax.PromiseInBounds, "FILL_OR_DROP": lax.FillOrDrop,
		`"clip"`: lax.Clip, `"fill"`: lax.FillOrDrop}
	m, ok := modes[text[strings.LastIndex(text, ".")+1:]]
	require.True(p.t, ok, text)
	return m
}

func (p python) gather() []array {
	c := lax.GatherConfig{
		OffsetDims: p.field(2, 0, "offset_dims"), CollapsedSliceDims: p.field(2, 1, "collapsed_slice_dims"), StartIndexMap: p.field(2, 2, "start_index_map"),
		SliceSizes: p.ints(3, "slice_sizes"), Mode: p.mode(), Sorted: p.truth(9, "indices_are_sorted", false), Unique: p.truth(9, "unique_indices", false),
	}
	return results(lax.Gather(p.array(0), p.array(1), c))
}

func (p python) scatter(f func(x, idx, u array, c lax.ScatterConfig) array) []array {
	c := lax.ScatterConfig{
		UpdateWindowDims: p.field(3, 0, "update_window_dims"), InsertedWindowDims: p.field(3, 1, "inserted_window_dims"),
		ScatterDimsToOperandDims: p.field(3, 2, "scatter_dims_to_operand_dims"),
		Mode:                     p.mode(), Sorted: p.truth(9, "indices_are_sorted", false), Unique: p.truth(9, "unique_indices", false),
	}
	return results(f(p.array(0), p.array(1), p.array(2), c))
}

func (p python) pads() (config [][3]int) {
	for _, c := range p.list[2].list {
		config = append(config, [3]int(toInts(p.t, c)))
	}
	return config
}

// full is lax.full: its shape may be a tuple, its dtype is given.
func (p python) full() []array {
	return results(lax.Full(p.ints(0, "shape"), toInt(p.t, p.list[1]), p.dtype(2)))
}

// fullLike fills with a NumPy or Python number.
func (p python) fullLike() []array {
	e := p.list[1]
	if e.call {
		e = e.list[0]
	}
	if n, err := strconv.Atoi(e.text); err == nil {
		return results(lax.FullLike(p.array(0), n))
	}
	f, err := strconv.ParseFloat(e.text, 64)
	require.NoError(p.t, err)
	return results(lax.FullLike(p.array(0), f))
}

// structure are lax functions by JAX's names.
var structure = map[string]func(p python) []array{
	"reshape":     func(p python) []array { return results(lax.Reshape(p.array(0), p.ints(1, "")...)) },
	"transpose":   func(p python) []array { return results(lax.Transpose(p.array(0), p.ints(1, "")...)) },
	"rev":         func(p python) []array { return results(lax.Rev(p.array(0), p.ints(1, "")...)) },
	"squeeze":     func(p python) []array { return results(lax.Squeeze(p.array(0), p.ints(1, "")...)) },
	"expand_dims": func(p python) []array { return results(lax.ExpandDims(p.array(0), p.ints(1, "")...)) },
	"tile":        func(p python) []array { return results(lax.Tile(p.array(0), p.ints(1, "")...)) },
	"broadcast":   func(p python) []array { return results(lax.Broadcast(p.array(0), p.ints(1, "")...)) },
	"full":        python.full,
	"full_like":   python.fullLike,
	"iota":        func(p python) []array { return results(lax.Iota(p.dtype(0), p.integer(1, "", 0))) },
	"gather":      python.gather,
	"scatter":     func(p python) []array { return p.scatter(lax.Scatter) },
	"scatter_add": func(p python) []array { return p.scatter(lax.ScatterAdd) },
	"scatter_sub": func(p python) []array { return p.scatter(lax.ScatterSub) },
	"scatter_mul": func(p python) []array { return p.scatter(lax.ScatterMul) },
	"scatter_min": func(p python) []array { return p.scatter(lax.ScatterMin) },
	"scatter_max": func(p python) []array { return p.scatter(lax.ScatterMax) },
	"sort":        python.sort,
	"split":       func(p python) []array { return lax.Split(p.array(0), p.integer(2, "axis", 0), p.ints(1, "")...) },
	"pad":         func(p python) []array { return results(lax.Pad(p.array(0), p.array(1), p.pads()...)) },
	"concatenate": func(p python) []array {
		return results(lax.Concatenate(p.integer(1, "dimension", 0), p.arrays(p.list[0])...))
	},
	"random.split": func(p python) []array { return results(lax.RandomSplit(p.array(0), p.integer(1, "", 2))) },
	"random.key":   func(p python) []array { return results(lax.RandomSeed(p.array(0))) },
	"random.clone": func(p python) []array { return results(lax.RandomClone(p.array(0))) },
	"random.bits": func(p python) []array {
		return results(lax.RandomBits(p.array(0), p.dtype(2).Bits(), p.ints(1, "")...))
	},
	"random.fold_in": func(p python) []array {
		return results(lax.RandomFoldIn(p.array(0), lax.ConvertElementType(p.array(1), weft.Uint32)))
	},
	"random.wrap_key_data": func(p python) []array { return results(lax.RandomWrap(p.array(0))) },
	"random.key_data":      func(p python) []array { return results(lax.RandomUnwrap(p.array(0))) },
	"broadcast_in_dim": func(p python) []array {
		return results(lax.BroadcastInDim(p.array(0), p.ints(1, ""), p.ints(2, "")))
	},
	"broadcasted_iota": func(p python) []array {
		return results(lax.BroadcastedIota(p.dtype(0), p.ints(1, ""), p.integer(2, "", 0)))
	},
	"empty": func(p python) []array { return results(lax.Empty(p.ints(0, ""), weft.Float32)) },
	"slice": func(p python) []array {
		return results(lax.Slice(p.array(0), p.ints(1, ""), p.ints(2, ""), p.ints(3, "")))
	},
	"slice_in_dim": func(p python) []array {
		return results(lax.SliceInDim(p.array(0), p.integer(1, "", 0), p.integer(2, "", 0), 1, p.integer(4, "axis", 0)))
	},
	"index_in_dim": func(p python) []array {
		return results(lax.IndexInDim(p.array(0), p.integer(1, "", 0), p.integer(2, "axis", 0), p.truth(3, "keepdims", true)))
	},
	"dynamic_slice": func(p python) []array {
		return results(lax.DynamicSlice(p.array(0), p.arrays(p.list[1]), p.ints(2, "")...))
	},
	"dynamic_update_slice": func(p python) []array {
		return results(lax.DynamicUpdateSlice(p.array(0), p.array(1), p.arrays(p.list[2])))
	},
	"dynamic_slice_in_dim": func(p python) []array {
		return results(lax.DynamicSliceInDim(p.array(0), p.array(1), p.integer(2, "", 0), p.integer(3, "axis", 0)))
	},
	"dynamic_index_in_dim": func(p python) []array {
		return results(lax.DynamicIndexInDim(p.array(0), p.array(1), p.integer(2, "axis", 0), p.truth(3, "keepdims", true)))
	},
	"dynamic_update_slice_in_dim": func(p python) []array {
		return results(lax.DynamicUpdateSliceInDim(p.array(0), p.array(1), p.array(2), p.integer(3, "axis", 0)))
	},
	"dynamic_update_index_in_dim": func(p python) []array {
		return results(lax.DynamicUpdateIndexInDim(p.array(0), p.array(1), p.array(2), p.integer(3, "axis", 0)))
	},
	"top_k": func(p python) []array {
		v, i := lax.TopK(p.array(0), p.integer(1, "k", 0), p.integer(2, "axis", -1))
		return results(v, i)
	},
}

// sort is lax.sort of one array or of a tuple.
func (p python) sort() []array {
	xs := p.arrays(p.list[0])
	if p.list[0].text != "" {
		xs = results(p.array(0))
	}
	return lax.SortBy(p.integer(1, "dimension", -1), p.integer(3, "num_keys", 1), p.truth(2, "is_stable", true), xs...)
}

// aStructureCall is the program of a record that is one call of a structure
// function, else nil.
func aStructureCall(t *testing.T) func(record) program {
	return func(r record) program {
		source, ok := strings.CutPrefix(r.Source, "f = lambda")
		if !ok || strings.Contains(source, "\n") {
			return nil
		}
		names, body, _ := strings.Cut(source, ": ")
		e, rest := readExpr(body)
		name := strings.TrimPrefix(e.text, "lax.")
		f := structure[name]
		if f == nil || rest != "" {
			return nil
		}
		return func(x ...array) []array {
			args := map[string]array{}
			for i, n := range strings.Split(names, ",") {
				if i < len(x) {
					args[strings.TrimSpace(n)] = x[i]
				}
			}
			return f(python{t, args, e})
		}
	}
}

func TestShapeText(t *testing.T) {
	n, of := sameText(t, "shape", aStructureCall(t))
	require.Equal(t, of, n)
}

func TestIndexingText(t *testing.T) {
	n, of := sameText(t, "indexing", aStructureCall(t))
	require.Equal(t, of, n)
}

func TestRandomText(t *testing.T) {
	n, of := sameText(t, "rng", aStructureCall(t))
	t.Logf("%d of %d records; the others need rng_bit_generator", n, of)
	require.GreaterOrEqual(t, n, 10)
}

func TestMoreText(t *testing.T) {
	second := func(f func(x array) (array, array)) program {
		return of1(func(x array) array { _, y := f(x); return y })
	}
	n, of := sameText(t, "more", either(aStructureCall(t), aCall, named(t, "more", map[string]program{
		"argsort_like": second(func(x array) (array, array) { return lax.SortKeyVal(x, lax.Iota(weft.Int32, 5), -1) }),
		"scatter_apply": of2(func(x, idx array) array {
			return lax.ScatterApply(x, idx, lax.Sin, []int{2}, lax.ScatterConfig{InsertedWindowDims: []int{0}, ScatterDimsToOperandDims: []int{0}})
		}),
		"reduce_precision_bf16": of1(func(x array) array { return lax.ReducePrecision(x, 8, 7) }),
		"clamp_scalars":         of1(func(x array) array { return lax.Clamp(float32(0), x, float32(1)) }),
		"mulhi":                 of2(lax.MulHi[array, array]),
		"shift_weird":           of2(func(x, y array) array { return lax.ShiftRightLogical(lax.ShiftLeft(x, y), y) }),
		"complex_round_trip":    of2(func(x, y array) array { return lax.Imag(lax.Conj(lax.Complex(x, y))) }),
		"population":            of1(func(x array) array { return lax.Sub(lax.Clz(x), lax.PopulationCount(x)) }),
		"erf_inv_f64":           of1(func(x array) array { return lax.ErfInv(lax.Erf(x)) }),
		"jnp_stack_unstack": of1(func(x array) array {
			p := lax.Unstack(x, 0)
			return lax.Stack(1, p[1], p[0])
		}),
	})))
	t.Logf("%d of %d records; the others need other families", n, of)
	require.GreaterOrEqual(t, n, 15)
}

func TestLayoutText(t *testing.T) {
	find := func(r record) program {
		switch name, _, _ := strings.Cut(r.Name, "_"); {
		case strings.HasPrefix(r.Name, "many_args"):
			return func(x ...array) []array { return x }
		case name == "concat":
			return func(x ...array) []array { return results(lax.Concatenate(0, x...)) }
		case strings.HasPrefix(r.Name, "edge_two"):
			return of1(func(x array) array { return lax.Cos(lax.Sin(x)) })
		case name == "edge" && !strings.HasPrefix(r.Name, "edge_param"):
			return of1(lax.Sin)
		}
		return nil
	}
	n, of := sameText(t, "layout", either(find, named(t, "layout", map[string]program{
		"sort_many":     func(x ...array) []array { return lax.SortBy(-1, 2, true, x...) },
		"sort_many_big": func(x ...array) []array { return lax.SortBy(-1, 1, true, x...) },
		"gather_layout": of2(func(x, i array) array {
			return lax.Gather(x, i, lax.GatherConfig{OffsetDims: []int{1}, CollapsedSliceDims: []int{0, 1}, StartIndexMap: []int{0, 1},
				SliceSizes: []int{1, 1, 30}, Mode: lax.Clip})
		}),
		"gather_batched": of2(func(x, i array) array {
			return lax.Gather(x, i, lax.GatherConfig{CollapsedSliceDims: []int{1}, StartIndexMap: []int{1},
				OperandBatchingDims: []int{0}, StartIndicesBatchingDims: []int{0}, SliceSizes: []int{1, 1}, Mode: lax.FillOrDrop, Fill: 7})
		}),
	})))
	t.Logf("%d of %d records; the others need reductions, jit and scan", n, of)
	require.GreaterOrEqual(t, n, 15)
}

// What writes nothing, what writes although nothing happens, and who is not used.
func TestStructureFormsText(t *testing.T) {
	n, _ := sameText(t, "forms", either(named(t, "forms", map[string]program{
		"dead_multi":        of1(func(x array) array { v, _ := lax.TopK(x, 2, -1); return v }),
		"dead_multi_second": of1(func(x array) array { _, i := lax.TopK(x, 2, -1); return i }),
		"dead_both": of1(func(x array) array {
			lax.TopK(x, 2, -1)
			return x
		}),
		"pad_noop":        of1(func(x array) array { return lax.Pad(x, float32(0), [3]int{}) }),
		"iota_then_use":   of1(func(x array) array { return lax.Add(x, lax.Iota(weft.Float32, 4)) }),
		"zeros_like":      of1(func(x array) array { return lax.FullLike(x, 0) }),
		"full_scalar":     func(...array) []array { return results(lax.Broadcast(2.5)) },
		"full_shape":      func(...array) []array { return results(lax.Broadcast(2.5, 2, 3)) },
		"full_tracer":     of1(func(x array) array { return lax.Full([]int{2, 3}, x, weft.Float32) }),
		"full_like_shape": of1(func(x array) array { return lax.Full([]int{2}, 1, x.DType()) }),
	}), aStructureCall(t)))
	require.GreaterOrEqual(t, n, 15)
}

// Mistakes are refused at the user's line, in a sentence.
func TestStructureRefusals(t *testing.T) {
	x := weft.FromSlice([]float32{1, 2, 3, 4, 5, 6}, 2, 3)
	for _, c := range []struct {
		f    func()
		want string
	}{
		{func() { lax.Reshape(x, 4) }, "structure_test.go:"},
		{func() { lax.Reshape(x, 4) }, "reshape: f32[2,3] has 6 elements, the new shape (4,) has 4"},
		{func() { lax.Squeeze(x, -1) }, "squeeze: axis 1 of f32[2,3] has size 3"},
		{func() { lax.Squeeze(x, -3) }, "squeeze: the axes (-3,) must be distinct axes of f32[2,3]"},
		{func() { lax.Pad(x, 0, [3]int{}, [3]int{}) }, "pad: the Go number 0 is i32 here and meets f32[2,3]"},
		{func() { lax.IndexInDim(x, 3, 1, false) }, "index_in_dim: index 3 is out of range for axis 1 of f32[2,3]"},
		{func() { lax.SliceInDim(x, 0, 1, 1, 2) }, "slice_in_dim: axis 2 is out of range for f32[2,3], which has 2 axes"},
		{func() { lax.DynamicSlice(x, lax.Starts(0), 1, 1) }, "dynamic_slice: f32[2,3] needs 2 start indices, one an axis, got 1"},
		{func() { lax.Starts(0.5) }, "Starts: a start index is an int or an integer scalar, not a float64"},
		{func() { lax.DynamicSlice(x, lax.Starts(0, int64(0)), 1, 1) }, "dynamic_slice: index operands must be integer scalars of one dtype, got i32[] and i64[]"},
		{func() { lax.Gather(x, x, lax.GatherConfig{Mode: 9}) }, "gather: there is no index mode 9"},
		{func() { lax.RandomBits(x, 32) }, "random_bits: takes keys of type key<fry>, got f32[2,3]"},
	} {
		require.ErrorContains(t, core.Catch(c.f), c.want)
	}
}
