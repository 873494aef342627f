package main

import (
	"strings"
	"testing"
)

const dataParallel = `{ lambda ; a:f32[1024] b:f32[8,1024]. let
    c:f32[1024] = shard_map[
      check_vma=True
      in_specs=(P(), P('d',))
      jaxpr={ lambda ; d:f32[1024] e:f32[2,1024]{V:d}. let
          f:f32[1024]{V:d} = pvary[axes=('d',)] d
          g:f32[2]{V:d} = dot_general[dimension_numbers=(([1], [0]), ([], [])) preferred_element_type=float32] e f
          h:f32[1024]{V:d} = dot_general[dimension_numbers=(([0], [0]), ([], [])) preferred_element_type=float32] g e
          i:f32[1024] = psum_invariant[axes=('d',)] h
        in (i,) }
      mesh=Mesh('d': 4, axis_types=(Auto,))
      newly_manual_axes=frozenset({'d'})
      out_specs=(P(),)
    ] a b
  in (c,) }
`

// The plan of a mesh is computed from the program of one device: 1024 devices in nodes of 8 are 128 nodes, a large sum among them is
// two exchanges, each of 127/128 of the bytes.
func TestPlanOfMesh(t *testing.T) {
	status, out, errs := weft(t, dataParallel, "show", "--as", "plan", "--mesh", "d=1024", "--net", "alpha=1us,beta=1MB/s,node=8,flops=1M", "-")
	if status != 0 {
		t.Fatalf("got %d, %q", status, errs)
	}
	words := strings.Join(strings.Fields(out), " ")
	for _, want := range []string{
		"1024 devices on 128 nodes",
		"4064 1 128 4.07 ms exchange f32[128,8] of psum over d",
		"4064 1 128 4.07 ms gather f32[1,8] of psum over d",
		"4064 1 128 4.07 ms when the run begins", // 127·32 bytes
		"3 exchanges, 12192 bytes from the node that sends most; 8192 operations on numbers", "a step takes 20.4 ms, of which 8.19 ms computing",
		"d pieces as they are efficiency a fixed batch efficiency",
		"8 8.19 ms 100 % 4.1 ms 100 %", // one node
		"4096 32.7 ms 25 %",            // 512 nodes: 8.192 ms, 2·511/512 of 4096 bytes at 1 MB/s and 511·32 bytes
	} {
		if !strings.Contains(words, want) {
			t.Errorf("got\n%s\nwant %q", out, want)
		}
	}
	for want, words := range map[string][]string{
		"has no axis":          {"--mesh", "x=2"},
		"more than 1048576":    {"--mesh", "d=1048577"},
		`"d" is no size`:       {"--mesh", "d"},
		`the network has no`:   {"--mesh", "d=2", "--net", "gamma=1"},
		"is no value of beta":  {"--mesh", "d=2", "--net", "beta=fast"},
		"--net with --mesh":    {"--net", "node=2"},
		"is no value of flops": {"--mesh", "d=2", "--net", "flops=0"},
	} {
		if status, _, errs := weft(t, dataParallel, append(append([]string{"show", "--as", "plan"}, words...), "-")...); status == 0 || !strings.Contains(errs, want) {
			t.Errorf("%v: got %d, %q, want %q", words, status, errs, want)
		}
	}
	if status, _, errs := weft(t, "{ lambda ; a:f32[]. let in (a,) }", "show", "--as", "plan", "--mesh", "d=2", "-"); status == 0 || !strings.Contains(errs, "no shard_map") {
		t.Errorf("got %d, %q", status, errs)
	}
}
