package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/weft-go/weft/runtime"
)

// weft show --as plan --time lists each step with its time, the slowest first, and the machine's own speed, and the steps without
// machine code; a loop's row does not count the steps in it.
func TestShowTimes(t *testing.T) {
	if _, err := runtime.Select("avx2"); err != nil {
		t.Skip("needs an executor with machine code")
	}
	const text = `{ lambda ; a:f32[32,32] n:i32[]. let
    b:f32[32,32] = scan[
      _split_transpose=False
      jaxpr={ lambda ; c:f32[32,32]. let d:f32[32,32] = dot_general[dimension_numbers=(([1], [0]), ([], [])) preferred_element_type=float32] c c in (d,) }
      length=5
      linear=(False,)
      num_carry=1
      num_consts=0
      reverse=False
      unroll=1
    ] a
    e:f32[32,32] = cholesky b
  in (e,) }`
	status, out, errs := weft(t, text, "show", "--as", "plan", "--time", "--on", "avx2")
	if status != 0 {
		t.Fatal(errs)
	}
	for _, want := range []string{
		`^[\d.]+ [nµm]?s a run, of \d+ runs on avx2, on arguments between 0 and 1\n`,
		`\nthe machine: [\d.]+[kMG] byte/s to add 1 to 128 MiB, [\d.]+[kMG] op/s to multiply`,
		`\n +[\d.]+ [nµm]?s +[\d.]+% +5 +[\d.]+[kMG] +[\d.]+[kMG]  product f32 32×32×32 `,
		`\n +[\d.]+ [nµm]?s +[\d.]+% +1 +– +–  loop scan `,
		`\nwithout machine code: cholesky: .+\n$`,
	} {
		if !regexp.MustCompile(want).MatchString(out) {
			t.Errorf("no %s in\n%s", want, out)
		}
	}
	status, out, errs = weft(t, "", "show", "--as", "plan", "--time", "-", "1")
	if status == 0 || out != "" {
		t.Errorf("an empty program: %d %q %q", status, out, errs)
	}
	for _, words := range [][]string{{"--time"}, {"--time", "--as", "text"}, {"--time", "--as", "plan", "--after", "all"}} {
		if status, _, errs := weft(t, text, append([]string{"show"}, words...)...); status != usage || !strings.Contains(errs, "--as plan") {
			t.Errorf("%v: %d %q", words, status, errs)
		}
	}
	if status, _, errs := weft(t, "{ lambda ; a:f32[9999999999]. let b:f32[] = reduce_sum[axes=(0,) out_sharding=None] a in (b,) }", "show", "--as", "plan", "--time"); status != wrong || !strings.Contains(errs, "pass the arguments") {
		t.Errorf("%d %q", status, errs)
	}
}
