package runtime_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/golden"
	"github.com/weft-go/weft/internal/test/goldenfile"
	"github.com/weft-go/weft/jaxpr"
)

// TestKeysOfOtherKinds runs programs over rbg, urbg and Philox keys and over states of rng_bit_generator:
// the bits are those of JAX on CPU. testdata/keys.py wrote them.
func TestKeysOfOtherKinds(t *testing.T) {
	n := 0
	for r := range goldenfile.Records[textRecord](t, goldenfile.OpenFile(t, "testdata/keys.jsonl")) {
		j, err := jaxpr.Parse(r.Text, prim.Vocabulary)
		require.NoError(t, err, r.Text)
		require.Equal(t, r.Text, j.String())
		var got []core.Value
		in := r.In.Values()
		err = core.Catch(func() { got = jaxpr.Eval(j, in[:len(j.Consts)], in[len(j.Consts):]) })
		require.NoError(t, err, r.Text)
		require.Len(t, got, len(r.Out))
		for i := range got {
			if d := golden.CompareAt(got[i], r.Out[i], 0, 0); d != "" {
				t.Errorf("%s\nresult %d: %s", r.Text, i, d)
			}
		}
		n++
	}
	if n != 227 {
		t.Errorf("ran %d programs, want 227", n)
	}
}
