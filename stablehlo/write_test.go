package stablehlo_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/statement"
	"github.com/weft-go/weft/special"
	"github.com/weft-go/weft/stablehlo"
	"github.com/weft-go/weft/wefttest"
)

// A program with a captured array, and its gradient, are the same after Write and Load.
func TestWriteAndLoad(t *testing.T) {
	table := weft.Arange(1, 301, 1).AsType(weft.Float32).Mul(0.01)
	f := func(x weft.Array) weft.Array { return weft.Tanh(x.Mul(table)).Sum().Add(weft.Exp2(x.Mean())) }
	x := weft.Linspace(-1, 1, 300)
	for _, g := range []any{f, weft.Grad(f)} {
		ir, err := weft.Jaxpr(g, x)
		require.NoError(t, err)
		var b bytes.Buffer
		require.NoError(t, stablehlo.Write(&b, ir))
		m, err := stablehlo.Load(strings.NewReader(b.String()))
		require.NoError(t, err)
		got, err := m.Call(x)
		require.NoError(t, err)
		assert.True(t, got[0].Equal(g.(func(weft.Array) weft.Array)(x)))
	}
}

func TestWriteRefusals(t *testing.T) {
	ir, err := weft.Jaxpr(func(x weft.Array) weft.Array { weft.DebugPrint("{}", x); return x }, weft.Scalar(1.0))
	require.NoError(t, err)
	assert.ErrorContains(t, stablehlo.Write(&bytes.Buffer{}, ir), "debug_print: calls the host, which StableHLO cannot")
}

// Functions are dumped beside their jaxprs, staged by data dependence and whole: the toy, select_tril,
// and a function with two results. // O-4 O-5
func TestWriteDump(t *testing.T) {
	statement.Shows(t, "O-4", "the toy f(x) = (1+1)x, before and after")
	statement.Shows(t, "O-5", "select_tril returns the same array, before and after")
	toy := func(x weft.Array) weft.Array { return x.Mul(weft.Add(1, 1)) }
	selectTril := func(x weft.Array) weft.Array {
		mask := weft.Arange(x.Dim(0)).ExpandDims(1).Gt(weft.Arange(x.Dim(1)))
		return weft.Where(mask, x, weft.ZerosLike(x))
	}
	pair := func(x weft.Array) []weft.Array { return []weft.Array{x.Add(1), x.Mul(2)} }
	var dump strings.Builder
	for _, c := range []struct {
		name string
		f    any
		x    weft.Array
	}{
		{"toy", toy, weft.Scalar(int32(3))},
		{"select_tril", selectTril, weft.Arange(12).Reshape(3, 4).AsType(weft.Int32)},
		{"pair", pair, weft.Zeros(3)},
	} {
		for _, whole := range []bool{false, true} {
			weft.With(weft.Omnistaging(whole), func() {
				ir, err := weft.Jaxpr(c.f, c.x)
				require.NoError(t, err)
				var b bytes.Buffer
				require.NoError(t, stablehlo.Write(&b, ir))
				fmt.Fprintf(&dump, "%s, omnistaging %t\n\n%s\n%s\n", c.name, whole, ir.String(), b.String())
			})
		}
	}
	for _, word := range []string{"@main(%arg0: tensor<3x4xi32>)", "stablehlo.constant", "stablehlo.iota", "stablehlo.broadcast_in_dim", "stablehlo.compare",
		"stablehlo.select", "stablehlo.add", "stablehlo.multiply", "-> (tensor<3xf32>, tensor<3xf32>)"} {
		assert.Contains(t, dump.String(), word)
	}
	wefttest.Golden(t, "dump.txt", dump.String())
}

// Operations that StableHLO lacks are written as the caller chooses.
func TestWriteMissing(t *testing.T) {
	ir, err := weft.Jaxpr(func(x weft.Array) weft.Array { return special.Gammaln(x) }, weft.Zeros(3))
	require.NoError(t, err)
	written := func(config ...stablehlo.WriteConfig) (string, error) {
		var b bytes.Buffer
		err := stablehlo.Write(&b, ir, config...)
		return b.String(), err
	}
	text, err := written()
	require.NoError(t, err)
	assert.Contains(t, text, "chlo.lgamma")
	text, err = written(stablehlo.WriteConfig{Missing: stablehlo.Decompose})
	require.NoError(t, err)
	assert.Contains(t, text, `stablehlo.composite "weft.lgamma"`)
	assert.NotContains(t, text, "chlo.")
	_, err = written(stablehlo.WriteConfig{Missing: stablehlo.Refuse})
	assert.ErrorContains(t, err, "lgamma: has no counterpart in StableHLO; write it as CHLO or decomposed")
	_, err = written(stablehlo.WriteConfig{}, stablehlo.WriteConfig{})
	assert.ErrorContains(t, err, "takes one config (got 2)")
}

// An operation that neither StableHLO nor CHLO has is a composite with its decomposition.
func TestWriteDecomposed(t *testing.T) {
	ir, err := weft.Jaxpr(weft.Exp2, weft.Zeros(3))
	require.NoError(t, err)
	for _, missing := range []stablehlo.Missing{stablehlo.CHLO, stablehlo.Decompose} {
		var b bytes.Buffer
		require.NoError(t, stablehlo.Write(&b, ir, stablehlo.WriteConfig{Missing: missing}))
		assert.Contains(t, b.String(), `stablehlo.composite "weft.exp2"`)
		assert.Contains(t, b.String(), "func.func private @weft.exp2(")
	}
	err = stablehlo.Write(&bytes.Buffer{}, ir, stablehlo.WriteConfig{Missing: stablehlo.Refuse})
	assert.ErrorContains(t, err, "exp2: has no counterpart in StableHLO; write it as CHLO or decomposed")
}

// With locations each operation names the line that wrote it, and the module reads back.
func TestWriteLocations(t *testing.T) {
	ir, err := weft.Jaxpr(func(x weft.Array) weft.Array {
		y := weft.Sin(x)
		return y.Mul(y)
	}, weft.Zeros(3))
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, stablehlo.Write(&b, ir, stablehlo.WriteConfig{Locations: true}))
	assert.Regexp(t, `stablehlo\.sine .* loc\(".*write_test\.go":\d+:1\)`, b.String())
	assert.Regexp(t, `stablehlo\.multiply .* loc\(".*write_test\.go":\d+:1\)`, b.String())
	m, err := stablehlo.Load(&b)
	require.NoError(t, err)
	out, err := m.Call(weft.Ones(3))
	require.NoError(t, err)
	assert.Equal(t, weft.Square(weft.Sin(weft.Ones(3))).String(), out[0].String())
}

// The arguments of a written module keep the names of fields, as those of a module that JAX exports keep
// the keys of dictionaries.
func TestWriteNames(t *testing.T) {
	type layer struct{ W, B weft.Array }
	type model struct {
		Layers []layer
		Scale  map[string]weft.Array
	}
	m := model{[]layer{{weft.Ones(3, 2), weft.Zeros(2)}}, map[string]weft.Array{"a b": weft.Of(2.)}}
	apply := func(m model, x weft.Array) weft.Array {
		return x.MatMul(m.Layers[0].W).Add(m.Layers[0].B).Mul(m.Scale["a b"])
	}
	x := weft.Ones(4, 3)
	for name, c := range map[string]struct {
		f    any
		args []any
		want []string
	}{
		"one argument":      {func(m model) weft.Array { return apply(m, weft.Ones(4, 3)) }, []any{m}, []string{"Layers[0].W", "Layers[0].B", `Scale['a b']`}},
		"several arguments": {apply, []any{m, x}, []string{"arg0.Layers[0].W", "arg0.Layers[0].B", `arg0.Scale['a b']`, "arg1"}},
		"an array":          {func(x weft.Array) weft.Array { return weft.Exp(x) }, []any{x}, []string{"arg0"}},
	} {
		for how, stage := range map[string]func(any, ...any) (*weft.IR, error){"Jaxpr": weft.Jaxpr, "Lower": weft.Lower} {
			ir, err := stage(c.f, c.args...)
			require.NoError(t, err)
			var text bytes.Buffer
			require.NoError(t, stablehlo.Write(&text, ir))
			loaded := load(t, text.String())
			assert.Equal(t, c.want, loaded.Args(""), "%s, %s\n%s", name, how, text.String())
		}
	}
}
