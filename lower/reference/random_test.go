package reference

import (
	"encoding/json"
	"strconv"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/rng"
	"github.com/weft-go/weft/internal/test/goldenfile"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// TestThreefryVectors are the known answers of the cipher's authors.
func TestThreefryVectors(t *testing.T) {
	for _, c := range [][6]uint32{
		{0, 0, 0, 0, 0x6b200159, 0x99ba4efe},
		{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0x1cb996fc, 0xbb002be7},
		{0x13198a2e, 0x03707344, 0x243f6a88, 0x85a308d3, 0xc4923a9c, 0x483df7a0},
	} {
		if a, b := threefry(c[0], c[1], c[2], c[3]); a != c[4] || b != c[5] {
			t.Errorf("%#x: got %#x %#x", c, a, b)
		}
	}
}

// TestRandomGoldens compares keys and raw bits with JAX's, exactly.
func TestRandomGoldens(t *testing.T) {
	seen := map[string]int{}
	for line := range goldenfile.Lines(t, goldenfile.Open(t, "jax/prng.jsonl", "testdata/prng.jsonl")) {
		var head struct {
			Fn            string
			Partitionable *bool
			Error         string
		}
		if err := json.Unmarshal(line, &head); err != nil {
			t.Fatal(err)
		}
		switch head.Fn {
		case "key", "split", "fold_in", "bits", "threefry2x32":
		default:
			continue // above this floor
		}
		if head.Partitionable != nil || head.Error != "" {
			continue // the scheme before 0.5, and seeds that Go's types refuse
		}
		var r struct {
			ID   int
			X64  bool
			Args struct {
				Seed, Type, DType string
				Num               any
				Data              uint32
				Shape             []int
				Count             goldenArray
			}
			Key goldenArray
			Out goldenArray
		}
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatal(err)
		}
		seen[head.Fn]++
		var key *block.Tensor
		if head.Fn != "key" {
			key = apply(t, prim.RandomWrapP{}, r.Key.tensor(t))[0]
		}
		var got *block.Tensor
		switch head.Fn {
		case "key":
			got = apply(t, rng.RandomSeedP{}, seedOf(t, r.Args.Seed, r.Args.Type, r.X64))[0]
		case "split":
			got = apply(t, rng.RandomSplitP{Shape: core.MakeDims(flatInts(r.Args.Num)...)}, key)[0]
		case "fold_in":
			d := block.NewTensor(core.Aval(core.Uint32))
			block.View[uint32](d)[0] = r.Args.Data
			got = apply(t, rng.RandomFoldInP{}, key, d)[0]
		case "bits":
			dt, _ := core.ParseDType(r.Args.DType)
			got = apply(t, rng.RandomBitsP{BitWidth: dt.Bits(), Shape: core.MakeDims(r.Args.Shape...)}, key)[0]
		case "threefry2x32":
			got = flatHash(t, key, r.Args.Count.tensor(t))
		}
		if want := r.Out.tensor(t); got.ShapedArray != want.ShapedArray || string(got.Data) != string(want.Data) {
			t.Errorf("%d: %s %+v: got %v %x, want %v %x", r.ID, head.Fn, r.Args, got, got.Data, want, want.Data)
		}
	}
	if len(seen) != 5 {
		t.Errorf("records of only %v", seen)
	}
}

// seedOf returns a seed as JAX reads it: a Python integer has 64 bits, and without x64
// of 64 the low 32 are left.
func seedOf(t *testing.T, text, typ string, x64 bool) *block.Tensor {
	dt, ok := core.ParseDType(typ)
	if typ == "int" {
		dt, ok = core.Int64, true
	}
	if dt.Bits() == 64 && !x64 {
		dt = core.Int32
	}
	if !ok {
		t.Fatalf("type of seed %q", typ)
	}
	v, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		u, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		v = int64(u)
	}
	x := block.NewTensor(core.Aval(dt))
	switch dt.Size() {
	case 1:
		block.View[uint8](x)[0] = uint8(v)
	case 4:
		block.View[uint32](x)[0] = uint32(v)
	default:
		block.View[uint64](x)[0] = uint64(v)
	}
	return x
}

// flatHash hashes counters, padded to an even number, the first half of which is
// the first word and the second half the second.
func flatHash(t *testing.T, key, count *block.Tensor) *block.Tensor {
	n := count.Size()
	c := append(append([]uint32(nil), block.View[uint32](count)...), make([]uint32, n%2)...)
	half := len(c) / 2
	x0, x1 := block.NewTensor(core.Aval(core.Uint32, half)), block.NewTensor(core.Aval(core.Uint32, half))
	copy(block.View[uint32](x0), c[:half])
	copy(block.View[uint32](x1), c[half:])
	words := apply(t, prim.RandomUnwrapP{}, key)[0]
	k0, k1 := block.NewTensor(core.Aval(core.Uint32)), block.NewTensor(core.Aval(core.Uint32))
	block.View[uint32](k0)[0], block.View[uint32](k1)[0] = block.View[uint32](words)[0], block.View[uint32](words)[1]
	out := apply(t, rng.Threefry2x32P{}, k0, k1, x0, x1)
	y := block.NewTensor(count.ShapedArray)
	copy(block.View[uint32](y), append(append([]uint32(nil), block.View[uint32](out[0])...), block.View[uint32](out[1])...)[:n])
	return y
}
