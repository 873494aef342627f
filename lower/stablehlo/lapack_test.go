package stablehlo_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/matrices"
	"github.com/weft-go/weft/lower/reference"
	"github.com/weft-go/weft/lower/stablehlo"
	"github.com/weft-go/weft/runtime"
)

// Options of LAPACK's functions that have no meaning here are refused, with the position.
func TestLAPACKRefusals(t *testing.T) {
	for _, c := range []struct {
		kind       error
		body, want string
	}{
		{core.ErrDType, `%0:3 = stablehlo.custom_call @lapack_dgetrf_ffi(%x) {mhlo.backend_config = {}} : (tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<3xi32>, tensor<i32>)
  return %0#0 : tensor<3x3xf32>`, "m:2:10: stablehlo.custom_call: the target lapack_dgetrf_ffi takes elements of type f64, operand 0 is tensor<3x3xf32>"},
		{core.ErrNoRule, `%0:3 = stablehlo.custom_call @lapack_sgehrd_ffi(%x) {mhlo.backend_config = {high = 2 : i32, low = 1 : i32}} : (tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<2xf32>, tensor<i32>)
  return %0#0 : tensor<3x3xf32>`, "rows 1 to 2 of 3 are not supported"},
		{core.ErrNoRule, `%0:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%x) {mhlo.backend_config = {mode = 83 : ui8}} : (tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<3xf32>, tensor<3x3xf32>, tensor<3x3xf32>, tensor<i32>)
  return %0#0 : tensor<3x3xf32>`, "result 0, what LAPACK leaves in its operand, is used"},
		{core.ErrNoRule, `%0:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%x) {mhlo.backend_config = {mode = 79 : ui8}} : (tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<3xf32>, tensor<3x3xf32>, tensor<3x3xf32>, tensor<i32>)
  return %0#2 : tensor<3x3xf32>`, `the configuration mode = 'O' is not supported (want one of "ASN"); export the factorization with one of these`},
		{core.ErrCheck, `%0:3 = stablehlo.custom_call @lapack_ssyevd_ffi(%x) : (tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<3xf32>, tensor<i32>)
  return %0#0 : tensor<3x3xf32>`, "the configuration has no uplo"},
		{core.ErrNoRule, `%p = stablehlo.constant dense<[0, 1, 0]> : tensor<3xi32>
  %0:3 = stablehlo.custom_call @lapack_sgeqp3_ffi(%x, %p) {mhlo.backend_config = {}} : (tensor<3x3xf32>, tensor<3xi32>) -> (tensor<3x3xf32>, tensor<3xi32>, tensor<3xf32>)
  return %0#0 : tensor<3x3xf32>`, "columns that come first are not supported"},
		{core.ErrShape, `%v = stablehlo.reshape %x : (tensor<3x3xf32>) -> tensor<9xf32>
  %0:2 = stablehlo.custom_call @lapack_sgeqrf_ffi(%v) {mhlo.backend_config = {}} : (tensor<9xf32>) -> (tensor<9xf32>, tensor<9xf32>)
  return %x : tensor<3x3xf32>`, "takes matrices, got tensor<9xf32>; correct the module, which stablehlo-opt verifies"},
		{core.ErrNoRule, `%0 = stablehlo.custom_call @cusolver_getrf_ffi(%x) {mhlo.backend_config = {}} : (tensor<3x3xf32>) -> tensor<3x3xf32>
  return %0 : tensor<3x3xf32>`, "there is no meaning for the target cusolver_getrf_ffi; export for the platform cpu, or with operations in the place of this custom call"},
	} {
		m, err := stablehlo.Parse("m", "func.func @main(%x: tensor<3x3xf32>) -> tensor<3x3xf32> {\n  "+c.body+"\n}")
		require.NoError(t, err, c.want)
		_, err = m.Program(m.Main(), []core.ShapedArray{core.Aval(core.Float32, 3, 3)}, options)
		assert.ErrorIs(t, err, c.kind)
		assert.ErrorContains(t, err, c.want)
	}
}

// Calls of geqrf and orgqr become qr if nothing else than R's triangle of their results is read.
func TestQRCalls(t *testing.T) {
	const (
		geqrf = `%0:2 = stablehlo.custom_call @lapack_sgeqrf_ffi(%x) {mhlo.backend_config = {}} : (tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<3xf32>)
  `
		geqp3 = `%free = stablehlo.constant dense<0> : tensor<3xi32>
  %0:3 = stablehlo.custom_call @lapack_sgeqp3_ffi(%x, %free) {mhlo.backend_config = {}} : (tensor<3x3xf32>, tensor<3xi32>) -> (tensor<3x3xf32>, tensor<3xi32>, tensor<3xf32>)
  `
		orgqr = `%q = stablehlo.custom_call @lapack_sorgqr_ffi(%0#0, %0#1) {mhlo.backend_config = {}} : (tensor<3x3xf32>, tensor<3xf32>) -> tensor<3x3xf32>
  `
		mask = `%row = stablehlo.iota dim = 0 : tensor<3x3xi32>
  %one = stablehlo.constant dense<-1> : tensor<i32>
  %ones = stablehlo.broadcast_in_dim %one, dims = [] : (tensor<i32>) -> tensor<3x3xi32>
  %before = stablehlo.add %row, %ones : tensor<3x3xi32>
  %column = stablehlo.iota dim = 1 : tensor<3x3xi32>
  %below = stablehlo.compare GE, %before, %column, SIGNED : (tensor<3x3xi32>, tensor<3x3xi32>) -> tensor<3x3xi1>
  `
		triangle = `%r = stablehlo.select %below, %x, %0#0 : tensor<3x3xi1>, tensor<3x3xf32>
  `
		upper = `%column = stablehlo.iota dim = 1 : tensor<3x3xi32>
  %row = stablehlo.iota dim = 0 : tensor<3x3xi32>
  %upper = stablehlo.compare LE, %row, %column, SIGNED : (tensor<3x3xi32>, tensor<3x3xi32>) -> tensor<3x3xi1>
  %r = stablehlo.select %upper, %0#0, %x : tensor<3x3xi1>, tensor<3x3xf32>
  `
		sum    = "%y = stablehlo.add %q, %r : tensor<3x3xf32>\n  return %y : tensor<3x3xf32>"
		inside = `%p = stablehlo.constant dense<true> : tensor<i1>
  %z = "stablehlo.if"(%p) ({
    "stablehlo.return"(%0#0) : (tensor<3x3xf32>) -> ()
  }, {
    "stablehlo.return"(%x) : (tensor<3x3xf32>) -> ()
  }) : (tensor<i1>) -> tensor<3x3xf32>
  `
	)
	for name, c := range map[string]struct {
		body string
		qr   bool
	}{
		"Q and R":               {geqrf + orgqr + mask + triangle + sum, true},
		"Q":                     {geqrf + orgqr + "return %q : tensor<3x3xf32>", true},
		"R":                     {geqrf + mask + triangle + "return %r : tensor<3x3xf32>", true},
		"the reflectors":        {geqrf + orgqr + mask + triangle + "%y = stablehlo.add %0#0, %r : tensor<3x3xf32>\n  return %y : tensor<3x3xf32>", false},
		"reflectors in regions": {geqrf + orgqr + mask + triangle + inside + sum, false},
		"the numbers":           {geqrf + orgqr + "%y = stablehlo.broadcast_in_dim %0#1, dims = [1] : (tensor<3xf32>) -> tensor<3x3xf32>\n  return %y : tensor<3x3xf32>", false},
		"the lower triangle":    {geqrf + orgqr + mask + "%r = stablehlo.select %below, %0#0, %x : tensor<3x3xi1>, tensor<3x3xf32>\n  " + sum, false},
		"a lower diagonal":      {geqrf + orgqr + strings.Replace(mask, "<-1>", "<-2>", 1) + triangle + sum, false},
		"the other axis":        {geqrf + orgqr + strings.NewReplacer("dim = 0", "dim = 1", "dim = 1", "dim = 0").Replace(mask) + triangle + sum, false},
		"the upper triangle":    {geqrf + orgqr + upper + sum, true},
		"the strictly upper":    {geqrf + orgqr + strings.Replace(upper, "LE", "LT", 1) + sum, false},
		"below the diagonal":    {geqrf + orgqr + strings.Replace(upper, "%0#0, %x", "%x, %0#0", 1) + sum, false},
		"pivoting":              {geqp3 + strings.Replace(orgqr, "0#1", "0#2", 1) + mask + triangle + sum, true},
		"pivoting, reflectors":  {geqp3 + strings.Replace(orgqr, "0#1", "0#2", 1) + mask + triangle + "%y = stablehlo.add %0#0, %r : tensor<3x3xf32>\n  return %y : tensor<3x3xf32>", false},
		"another comparison":    {geqrf + orgqr + strings.Replace(mask, "GE", "GT", 1) + triangle + sum, false},
	} {
		m, err := stablehlo.Parse("m", "func.func @main(%x: tensor<3x3xf32>) -> tensor<3x3xf32> {\n  "+c.body+"\n}")
		require.NoError(t, err, name)
		p, err := m.Program(m.Main(), []core.ShapedArray{core.Aval(core.Float32, 3, 3)}, options)
		require.NoError(t, err, name)
		text := p.Jaxpr.String()
		assert.Equal(t, c.qr || strings.HasPrefix(name, "pivoting"), strings.Contains(text, "= qr["), "%s: %s", name, text)
		assert.Equal(t, !c.qr, strings.Contains(text, "= geqrf"), "%s: %s", name, text)
	}
}

// Where matrices have columns but no rows, a decomposition with pivots keeps the columns' order.
func TestOrderOfEmptyColumns(t *testing.T) {
	for _, shape := range [][]int{{0, 3}, {2, 0, 3}, {3, 0}} {
		x := core.Aval(core.Float32, shape...)
		j := equation(matrices.QRP{Pivoting: true, Full: true}, []core.ShapedArray{x})
		o := writing
		o.Missing = stablehlo.Decompose
		text, err := stablehlo.Write(j, o)
		require.NoError(t, err)
		m, err := stablehlo.Parse("m", compositeEquation.ReplaceAllString(text, ""))
		require.NoError(t, err)
		p, err := m.Program(m.Main(), j.InAvals(), options)
		require.NoError(t, err)
		args := []*runtime.Array{runtime.New(x)}
		want, err := runtime.Evaluate(context.Background(), runtime.Reference, j, args)
		require.NoError(t, err)
		got, err := runtime.Evaluate(context.Background(), runtime.Reference, p.Jaxpr, args)
		require.NoError(t, err)
		require.Len(t, got, 3)
		for i := range want {
			assert.Equal(t, want[i].Tensor().Data, got[i].Tensor().Data, "result %d of %v", i, x)
		}
	}
}

// A written permutation is that of the primitive, where pivots count from the end or are outside, too.
func TestWritePivots(t *testing.T) {
	x := core.Aval(core.Int32, 6, 3)
	o := writing
	o.Missing = stablehlo.Decompose
	text, err := stablehlo.Write(equation(matrices.LUPivotsToPermutationP{Size: 4}, []core.ShapedArray{x}), o)
	require.NoError(t, err)
	m, err := stablehlo.Parse("m", compositeEquation.ReplaceAllString(text, ""))
	require.NoError(t, err)
	pivots := runtime.New(x)
	copy(reference.View[int32](pivots.Tensor()), []int32{
		2, 3, 2, 5, -1, 100, 2, -3, 1, 1, 2, 7, -100, 3, math.MaxInt32, math.MinInt32, 1, 2,
	})
	p, err := m.Program(m.Main(), []core.ShapedArray{x}, options)
	require.NoError(t, err)
	got, err := runtime.Evaluate(context.Background(), runtime.Reference, p.Jaxpr, []*runtime.Array{pivots})
	require.NoError(t, err)
	want := []int32{2, 3, 0, 1, 3, 3, 1, 1, 2, 0, 1, 3, 1, 2, 3, 3, 0, 3, 1, 1, 0, 1, 2, 3}
	assert.Equal(t, want, reference.View[int32](got[0].Tensor()))
}
