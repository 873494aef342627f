package prim_test

import (
	"encoding/json"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/rng"
)

// draws is a line of prng.jsonl.
type draws struct {
	ID            int
	Fn            string
	Key           *stored
	X64           bool
	Partitionable *bool
	Args          map[string]json.RawMessage
	Out           json.RawMessage
}

// Keys and bits are JAX's, bit for bit.
func TestRandomValues(t *testing.T) {
	withNaive(t)
	n := 0
	for _, line := range records(t, "jax/prng.jsonl", "structure_prng.jsonl") {
		var r draws
		require.NoError(t, json.Unmarshal(line, &r))
		if r.Partitionable != nil && !*r.Partitionable {
			continue
		}
		var key core.Value
		if r.Key != nil {
			key = prim.RandomWrap(r.Key.array(t))
		}
		var got core.Value
		switch r.Fn {
		case "key":
			got = r.seed(t)
		case "split":
			var num int
			var shape []int
			if json.Unmarshal(r.Args["num"], &num) == nil {
				shape = []int{num}
			} else {
				require.NoError(t, json.Unmarshal(r.Args["num"], &shape))
			}
			got = rng.RandomSplit(key, core.MakeDims(shape...))
		case "fold_in":
			var data int64
			require.NoError(t, json.Unmarshal(r.Args["data"], &data))
			got = rng.RandomFoldIn(key, core.Lit(core.UintNumber(uint64(uint32(data))), core.Uint32))
		case "bits":
			var name string
			var shape []int
			require.NoError(t, json.Unmarshal(r.Args["dtype"], &name))
			require.NoError(t, json.Unmarshal(r.Args["shape"], &shape))
			dt, _ := core.ParseDType(name)
			got = rng.RandomBits(key, dt.Bits(), core.MakeDims(shape...))
		case "threefry2x32":
			var count stored
			require.NoError(t, json.Unmarshal(r.Args["count"], &count))
			got = flatHash(r.Key.array(t), count.array(t))
		}
		if got == nil {
			continue
		}
		n++
		want := list(t, r.Out)[0]
		require.Equal(t, want.ShapedArray, got.Aval(), "%s %d", r.Fn, r.ID)
		require.Equal(t, want.e, concrete(got).e, "%s %d", r.Fn, r.ID)
	}
	require.Greater(t, n, 20)
}

// flatHash hashes a vector of counts, a zero added if they are odd in number: the
// first half is one word of the counters, the second the other.
func flatHash(key, count *array) core.Value {
	e := count.e
	if len(e)%2 == 1 {
		e = append(slices.Clone(e), core.UintNumber(0))
	}
	half := len(e) / 2
	words := core.Aval(core.Uint32, half)
	k := prim.Unstack(key, 0)
	y0, y1 := rng.Threefry2x32(k[0], k[1], &array{words, e[:half]}, &array{words, e[half:]})
	return prim.Slice(prim.Concatenate(0, y0, y1), core.MakeDims(0), count.Shape, core.Dims{})
}

// seed makes the key of a record, nil if JAX refused the seed.
func (r draws) seed(t *testing.T) core.Value {
	var text, kind string
	require.NoError(t, json.Unmarshal(r.Args["seed"], &text))
	require.NoError(t, json.Unmarshal(r.Args["type"], &kind))
	if r.Out == nil {
		return nil
	}
	dt := core.Int64
	if kind != "int" {
		var ok bool
		dt, ok = core.ParseDType(kind)
		require.True(t, ok, kind)
	}
	dt = width(dt, r.X64) // the high word is dropped
	v, err := strconv.ParseInt(text, 10, 64)
	n := core.IntNumber(v)
	if err != nil {
		u, err := strconv.ParseUint(text, 10, 64)
		require.NoError(t, err)
		n = core.UintNumber(u)
	}
	return rng.RandomSeed(&array{core.Aval(dt), []core.Number{wrap(dt, n)}})
}

// complexes returns the elements of an array as complex numbers, in which both zeros are equal.
func complexes(v core.Value) []complex128 {
	var out []complex128
	for _, e := range v.(*array).e {
		out = append(out, e.Complex()+0)
	}
	return out
}
