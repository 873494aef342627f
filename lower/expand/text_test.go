package expand

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/irtext"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/lower/scalar"
)

// elementwisePrograms calls f for the program of every elementwise sample.
func elementwisePrograms(t *testing.T, f func(name string, p *scalar.Prog)) {
	t.Helper()
	n := 0
	for _, s := range primtest.All() {
		if !Has(s.Prim) {
			continue
		}
		out := core.AbstractOf(s.Prim, s.In)
		var in []core.DType
		for _, a := range s.In {
			in = append(in, a.DType)
		}
		var p *scalar.Prog
		err := core.Catch(func() { p, _ = Program(s.Prim, in, out[0].DType) })
		if err != nil {
			t.Errorf("%s %v: %v", s.Prim.Name(), in, err)
			continue
		}
		f(s.Prim.Name(), p)
		n++
	}
	require.Greater(t, n, 500)
}

// Programs print, and what is printed reads back as the same program.
func TestPrintParse(t *testing.T) {
	elementwisePrograms(t, func(name string, p *scalar.Prog) {
		text := p.String()
		q, err := irtext.Scalar(text)
		require.NoError(t, err, name)
		require.Equal(t, p, q, name)
		require.Equal(t, text, q.String(), name)
	})
}
