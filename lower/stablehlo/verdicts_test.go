package stablehlo_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft/internal/test/goldenfile"
	"github.com/weft-go/weft/internal/test/primtest"
)

// xlaTolerance is how many ε of the largest element XLA's results of written modules may be
// away from weft's.
const xlaTolerance = 4

// farther are the operations whose results on XLA's CPU backend are farther away, how far, and why.
var farther = map[string]struct {
	epsilons float64
	why      string
}{
	"atan2":                       {32, "XLA's formula for complex numbers cancels"},
	"atanh":                       {8, "XLA's expansion of chlo.atanh"},
	"digamma":                     {8, "XLA's expansion of chlo.digamma cancels near the zero"},
	"erf_inv":                     {16, "XLA's expansion of chlo.erf_inv"},
	"lgamma":                      {32, "XLA's expansion of chlo.lgamma cancels near the zeros; the decomposition has weft's bits"},
	"polygamma":                   {8, "XLA's expansion of chlo.polygamma"},
	"igammac":                     {8, "XLA's expansion in f64; weft's numbers are mpmath's, rounded"},
	"igamma_grad_a":               {16, "a loop in f64, whose exponent cancels"},
	"random_gamma_grad":           {16, "a loop in f64, whose exponent cancels"},
	"regularized_incomplete_beta": {8, "XLA's lgamma in the exponent"},
	"conv_general_dilated":        {8, "the order of sums"},
	"reduce_sum":                  {16, "the order of 5000 numbers that cancel"},
	"eig":                         {96, "LAPACK's error; parts of complex numbers are compared one by one"},
	"eigh":                        {64, "LAPACK's error, four times weft's on this matrix"},
	"hessenberg":                  {8, "LAPACK's error"},
	"schur":                       {32, "LAPACK's error"},
	"svd":                         {32, "LAPACK's error"},
	"tridiagonal":                 {32, "LAPACK's error: the difference of two products"},
	"export.attention_grad":       {8, "TestExports has the reason of these"},
	"export.factorizations":       {16, ""},
	"export.forms":                {16, ""},
	"export.lenet_grad":           {8, ""},
	"export.transformer_step":     {24, ""},
}

// The tables record what jaxlib's parser and verifier, and XLA on CPUs, made of the modules that are written for all
// samples, also decomposed, and for the exported programs. testdata/verdicts.py and testdata/xla.py, run by hand, wrote
// them.
func TestVerdicts(t *testing.T) {
	accepted := verdictRows(t, "testdata/verdicts.txt", 3)
	for name, row := range accepted {
		assert.Positive(t, row[0], name)
		assert.Zero(t, row[1], "jaxlib refuses samples of %s", name)
	}
	ran := verdictRows(t, "testdata/xla.txt", 5)
	for name, row := range ran {
		bound := float64(xlaTolerance)
		if f, ok := farther[strings.TrimSuffix(name, "+decomposed")]; ok {
			bound = f.epsilons
		}
		assert.Positive(t, row[0], name)
		assert.LessOrEqual(t, row[2], bound, "%s: ε of the largest element", name)
		if name != "convert_element_type" { // XLA's CPU backend has no floats of six bits
			assert.Zero(t, row[3], "XLA refuses samples of %s", name)
		}
	}
	missing := map[string]bool{}
	for _, s := range primtest.All() {
		if name := s.Prim.Name(); unwritten[name] == "" && !hasNoElements(s) {
			missing[name] = accepted[name] == nil || ran[name] == nil
		}
	}
	for name := range exportedRows {
		missing["export."+name] = ran["export."+name] == nil
	}
	for name, is := range missing {
		if is {
			t.Errorf("lower/stablehlo/testdata/verdicts.txt and xla.txt have no rows for %s; run verdicts.py and xla.py beside them, or give the reason in unwritten", name)
		}
	}
}

// exportedRows are the exported programs that are written again.
var exportedRows = map[string]bool{"mlp": true, "mlp_step": true, "lenet": true, "lenet_grad": true, "transformer": true, "transformer_step": true, "lstm": true, "while": true,
	"filter": true, "sample": true, "sort": true, "custom_vjp": true, "attention_grad": true, "dynamic": true, "solve": true, "cholesky_solve": true, "factorizations": true, "forms": true, "qr": true}

// verdictRows reads a table: a name and numbers, then words.
func verdictRows(t *testing.T, file string, columns int) map[string][]float64 {
	t.Helper()
	rows := map[string][]float64{}
	for line := range goldenfile.Lines(t, goldenfile.OpenFile(t, file)) {
		words := strings.Fields(string(line))
		if words[0] == "#" {
			continue
		}
		row := make([]float64, columns-1)
		for i := range row {
			_, err := fmt.Sscan(words[1+i], &row[i])
			require.NoError(t, err, string(line))
		}
		rows[words[0]] = row
	}
	return rows
}
