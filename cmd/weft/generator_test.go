package main

import "testing"

// A batch of rng_bit_generator is one draw from the first state, and only that state advances. JAX returns the same words.
func TestBatchOfGenerator(t *testing.T) {
	text := `{ lambda ; a:u32[4]. let
    b:u32[4] c:u32[] = rng_bit_generator[
      algorithm=RNG_DEFAULT
      dtype=uint32
      out_sharding=None
      shape=()
    ] a
  in (b, c) }
`
	status, batch, errs := weft(t, text, "vmap", "--size", "3", "--in", "0")
	if status != 0 {
		t.Fatalf("vmap: got %d, %s", status, errs)
	}
	const want = "u32[3,4]{{5,1,3,6},{6,5,1,2},{2,6,5,1}}\nu32[3]{1123081511,2253828793,3988360257}\n"
	if status, out, errs := weft(t, batch, "eval", "-", "{{5,1,2,6},{6,5,1,2},{2,6,5,1}}"); status != 0 || out != want {
		t.Errorf("got %d, %q, %q, want %q", status, out, errs, want)
	}
}
