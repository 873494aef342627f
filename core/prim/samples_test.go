package prim_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/hostcall"
	"github.com/weft-go/weft/core/prim/windows"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/jaxpr"
)

// what names a sample in a failure.
func what(s primtest.Sample) string {
	types := make([]string, len(s.In))
	for i, a := range s.In {
		types[i] = a.Full()
	}
	return fmt.Sprintf("%+v of %s", s.Prim, strings.Join(types, " "))
}

func TestEveryWordHasASample(t *testing.T) {
	var missing []string
	seen := map[string]bool{}
	for _, s := range primtest.All() {
		seen[s.Prim.Name()] = true
	}
	for name := range primtest.Words() {
		if !seen[name] {
			missing = append(missing, name)
		}
	}
	slices.Sort(missing)
	assert.Empty(t, missing, "primitives without a sample in internal/test/primtest")
}

func TestEverySampleHasAWord(t *testing.T) {
	words := primtest.Words()
	for _, s := range primtest.All() {
		assert.Contains(t, words, s.Prim.Name())
	}
}

// variadic are the samples' primitives that take one operand more, or one less.
var variadic = []string{
	"concatenate+", "concatenate-", "debug_callback+", "debug_callback-", "device_put+", "device_put-", "io_callback+", "io_callback-",
	"optimization_barrier+", "optimization_barrier-", "pure_callback+", "pure_callback-", "select_n+", "select_n-", "sort+", "sort-", "stack+", "stack-",
}

// Programs within a primitive can be replaced by others of the same types, one by one.
func TestWithPrograms(t *testing.T) {
	n := 0
	for _, s := range primtest.All() {
		h, ok := s.Prim.(jaxpr.Holder)
		if !ok {
			continue
		}
		var others []*jaxpr.Jaxpr
		for _, j := range h.Programs() {
			others = append(others, &jaxpr.Jaxpr{Consts: j.Consts, ConstVals: j.ConstVals, Ins: j.Ins, Eqns: j.Eqns, Outs: j.Outs})
		}
		p, ok := jaxpr.WithPrograms(s.Prim, others)
		if !assert.True(t, ok, "%s is no jaxpr.Rebuilder", what(s)) {
			continue
		}
		n++
		got := p.(jaxpr.Holder).Programs()
		assert.Equal(t, len(others), len(got), what(s))
		for i := range min(len(others), len(got)) {
			assert.Same(t, others[i], got[i], "%s: program %d", what(s), i)
		}
	}
	assert.Greater(t, n, 5)
}

// An operand too many and an operand too few are refused, without a crash.
func TestEveryPrimitiveCountsItsOperands(t *testing.T) {
	found := map[string]bool{}
	for _, s := range primtest.All() {
		types := func(in []core.ShapedArray) error { return core.Catch(func() { core.AbstractOf(s.Prim, in) }) }
		n := len(s.In)
		more := append(slices.Clone(s.In), core.Aval(core.Float32))
		if n > 0 {
			more[n] = s.In[n-1]
		}
		if types(more) == nil {
			found[s.Prim.Name()+"+"] = true
		}
		if n > 0 && types(s.In[:n-1]) == nil {
			found[s.Prim.Name()+"-"] = true
		}
	}
	assert.ElementsMatch(t, variadic, slices.Collect(maps.Keys(found)))
}

func TestEverySampleHasTypes(t *testing.T) {
	for _, s := range primtest.All() {
		var out []core.ShapedArray
		err := core.Catch(func() { out = core.AbstractOf(s.Prim, s.In) })
		if !assert.NoError(t, err, what(s)) {
			continue
		}
		for _, a := range out {
			assert.GreaterOrEqual(t, a.Size(), 0, what(s))
		}
		assert.True(t, s.Dom == nil || len(s.Dom) == len(s.In), "%s: one domain an operand", what(s))
	}
}

// A primitive states what its derivative is, or that it is zero, or why there is none;
// and how it works on a batch.
func TestEveryPrimitiveDeclaresItsRules(t *testing.T) {
	for _, s := range primtest.All() {
		p := s.Prim
		_, jvp := p.(core.JVPer)
		_, zero := p.(core.ZeroJVP)
		_, none := p.(core.NoJVP)
		n := 0
		for _, has := range []bool{jvp, zero, none} {
			if has {
				n++
			}
		}
		assert.Equal(t, 1, n, "%s must have one of JVP, ZeroJVP and NoJVP", p.Name())
		if len(s.In) == 0 {
			continue // nothing that could be mapped
		}
		_, each := p.(core.Elementwise)
		_, batch := p.(core.Batcher)
		assert.NotEqual(t, each, batch, "%s must be Elementwise or have Batch", p.Name())
	}
}

// Equal primitives are equal Go values: they can be keys.
func TestPrimitivesAreKeys(t *testing.T) {
	for _, s := range primtest.All() {
		m := map[core.Primitive]bool{}
		require.NotPanics(t, func() { m[s.Prim] = true }, what(s))
		assert.True(t, m[s.Prim])
	}
}

// program returns the program of one equation.
func program(s primtest.Sample) *jaxpr.Jaxpr {
	j := &jaxpr.Jaxpr{}
	e := jaxpr.Eqn{Prim: s.Prim}
	for _, a := range s.In {
		v := jaxpr.NewVar(a.Strong())
		j.Ins = append(j.Ins, v)
		e.Ins = append(e.Ins, v)
	}
	for _, a := range core.AbstractOf(s.Prim, s.In) {
		v := jaxpr.NewVar(a.Strong())
		e.Outs = append(e.Outs, v)
		j.Outs = append(j.Outs, v)
	}
	j.Eqns = []*jaxpr.Eqn{&e}
	return j
}

// What is printed reads back as the same primitive and prints the same again.
func TestSamplesReadBack(t *testing.T) {
	for _, s := range primtest.All() {
		text := program(s).String()
		j, err := jaxpr.Parse(text, prim.Vocabulary)
		if !assert.NoError(t, err, text) {
			continue
		}
		if assert.Len(t, j.Eqns, 1, text) {
			assert.Equal(t, text, j.String())
			if h, ok := s.Prim.(interface{ Host() *hostcall.HostFunc }); ok {
				// A text has only the name of a Go function.
				assert.Equal(t, h.Host().Name, j.Eqns[0].Prim.(interface{ Host() *hostcall.HostFunc }).Host().Name)
			} else if len(jaxpr.Programs(s.Prim)) == 0 {
				assert.Equal(t, s.Prim, j.Eqns[0].Prim, text)
			}
		}
	}
}

// Texts that differ from what this version prints, and what they read as.
func TestOlderTexts(t *testing.T) {
	for _, c := range []struct{ eqn, want string }{
		{"b:f32[2,1] c:i32[2,1] = top_k[k=1] a", "top_k[axis=1 k=1]"},
		{"b:i32[] = platform_index[platforms=(('cpu',), ('cuda',))]  ; c:i32[] = neg b", "platform_index[platforms=(('cpu',), ('cuda',))]"},
		{"b:i32[] = platform_index[platforms=(('cuda',), None)]  ; c:i32[] = neg b", "platform_index[platforms=(('cuda',), None)]"},
	} {
		j, err := jaxpr.Parse("{ lambda ; a:f32[2,3]. let "+c.eqn+" in (c,) }", prim.Vocabulary)
		if !assert.NoError(t, err, c.eqn) {
			continue
		}
		why, outside := jaxpr.Outside(j.Eqns[0].Prim)
		assert.False(t, outside, "%s: %s", c.eqn, why)
		assert.Contains(t, j.String(), c.want)
	}
}

func TestMakeGroups(t *testing.T) {
	assert.Equal(t, prim.Groups{Members: core.MakeDims(2, 0, 1), Size: 3}, prim.MakeGroups([]int{2, 0, 1}))
	assert.Equal(t, prim.Groups{Members: core.MakeDims(0, 2, 1, 3), Size: 2}, prim.MakeGroups([]int{0, 2}, []int{1, 3}))
	for _, bad := range [][][]int{{{0, 1}, {2}}, {{}}, {{0}, {1, 2}, {3}}} {
		assert.ErrorContains(t, core.Catch(func() { prim.MakeGroups(bad...) }), "equal sizes")
	}
}

// The program of a scatter is the operation that its name states, and nothing else.
func TestScatterPrograms(t *testing.T) {
	text := func(op string) string {
		return "{ lambda ; a:i32[3] b:i32[2,1] c:i32[2]. let d:i32[3] = scatter-add[dimension_numbers=ScatterDimensionNumbers(update_window_dims=(), inserted_window_dims=(0,), " +
			"scatter_dims_to_operand_dims=(0,), operand_batching_dims=(), scatter_indices_batching_dims=()) indices_are_sorted=False mode=GatherScatterMode.FILL_OR_DROP " +
			"unique_indices=False update_consts=() update_jaxpr={ lambda ; e:i32[] f:i32[]. let g:i32[] = " + op + " in (g,) }] a b c in (d,) }"
	}
	_, err := jaxpr.Parse(text("add e f"), prim.Vocabulary)
	assert.NoError(t, err)
	for _, op := range []string{"mul e f", "add f e", "add e e", "neg e"} {
		_, err := jaxpr.Parse(text(op), prim.Vocabulary)
		assert.ErrorContains(t, err, "must be the program of add", op)
	}
}

// The programs of windows take two elements, each of the array's type.
func TestSelectAndScatterPrograms(t *testing.T) {
	n := 0
	for _, s := range primtest.All() {
		p, ok := s.Prim.(windows.SelectAndScatterP)
		if !ok {
			continue
		}
		n++
		for k := range 2 {
			b := jaxpr.NewBuilder()
			var in [2]*jaxpr.Var
			for i := range in {
				in[i] = b.Input(core.Aval(s.In[0].DType))
				if i == k {
					in[i] = b.Input(core.Aval(core.Uint16))
				}
			}
			q := p
			q.Select = &jaxpr.Jaxpr{Ins: in[:], Eqns: p.Select.Eqns, Outs: p.Select.Outs}
			assert.ErrorContains(t, core.Catch(func() { core.AbstractOf(q, s.In) }), "must map two", "operand %d", k)
		}
	}
	assert.Positive(t, n)
}
