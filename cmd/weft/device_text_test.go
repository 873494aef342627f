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

// The plan for devices lists the operations that run on the host, with the reason. Operations that devices
// express by other operations are not listed there.
func TestShowDevicePlan(t *testing.T) {
	const text = "{ lambda ; a:c64[8,8] b:i8[3,4] z:c64[8]. let\n    c:c64[8,8] h:c64[7] = hessenberg a\n    d:i32[3] = bitcast_convert_type[new_dtype=int32] b\n    e:c64[8] = fft[fft_lengths=(8,) fft_type=0] z\n  in (c, d, e) }"
	for on, host := range map[string]bool{"cuda": false, "opencl": false, "opencl:0": false, "": true} {
		words := []string{"show", "--as", "plan"}
		if on != "" {
			words = append(words, "--on", on)
		}
		status, out, errs := weft(t, text, words...)
		if status != done {
			t.Fatalf("--on %q: status %d: %s", on, status, errs)
		}
		if !strings.Contains(out, "hessenberg") || strings.Contains(out, "bitcast between sizes") != host || strings.Contains(out, "on the device, 1 kernel") == host || strings.Contains(out, ": on the host, no kernel") == host {
			t.Errorf("--on %q:\n%s", on, out)
		}
	}
}
