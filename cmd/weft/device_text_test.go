package main

import (
	"strings"
	"testing"
)

// The kernels of a program are shown as devices compile them.
func TestShowDeviceText(t *testing.T) {
	const text = "{ lambda ; a:f32[8,4] b:f32[4,3]. let\n    c:f32[8,3] = dot_general[dimension_numbers=(([1], [0]), ([], []))] a b\n    d:f32[8,3] = sin c\n  in (d,) }"
	for as, parts := range map[string][]string{
		"opencl": {"#pragma OPENCL FP_CONTRACT OFF", "k0_product(", "__kernel", "fma("},
		"ptx":    {".version 7.0", ".target sm_80", "k0_product(", "fma.rn.f32"},
	} {
		status, out, errs := weft(t, text, "show", "--as", as)
		if status != done {
			t.Fatalf("%s: status %d: %s", as, status, errs)
		}
		for _, p := range parts {
			if !strings.Contains(out, p) {
				t.Errorf("--as %s does not contain %q:\n%s", as, p, out)
			}
		}
	}
}
