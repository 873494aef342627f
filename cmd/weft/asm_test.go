package main

import (
	"strings"
	"testing"
)

const rootProgram = "{ lambda ; a:f32[1000]. let b:f32[1000] = mul a 2.0:f32[]; c:f32[1000] = sqrt b in (c,) }"

// Machine code is shown with the statements that it computes, on any machine.
func TestShowAsm(t *testing.T) {
	for on, parts := range map[string][]string{
		"avx512":  {"kernel k0_sqrt: avx512, ", "; %2 = mul f32 %0, %1\n", "vsqrtps zmm", "vzeroupper\n", "\tret\n"},
		"avx2":    {"kernel k0_sqrt: avx2, ", "; vector loop a0: 8 lanes", "vsqrtps ymm"},
		"neon":    {"kernel k0_sqrt: neon, ", "; vector loop a0: 4 lanes", "fsqrt v"},
		"simd128": {"kernel k0_sqrt: simd128, ", "; vector loop a0: 4 lanes", "f32x4.sqrt\n"},
	} {
		status, out, errs := weft(t, rootProgram, "show", "--as", "asm", "--on", on)
		if status != done || errs != "" {
			t.Fatalf("show --as asm --on %s: got status %d and %q", on, status, errs)
		}
		for _, part := range parts {
			if !strings.Contains(out, part) {
				t.Errorf("show --as asm --on %s: got\n%s\nwant it to contain %q", on, out, part)
			}
		}
	}
	if _, a, _ := weft(t, rootProgram, "show", "--as", "asm"); !strings.Contains(a, "zmm") {
		t.Errorf("show --as asm: got\n%s\nwant the code of avx512", a)
	}
	for _, words := range [][]string{{"show", "--as", "asm", "--on", "sve"}, {"show", "--as", "kernels", "--on", "avx2"}, {"show", "--as", "plan", "--on", "opencl:"}} {
		if status, _, errs := weft(t, rootProgram, words...); status != usage || !strings.Contains(errs, "shows the code of avx512, avx2, neon or simd128") {
			t.Errorf("%v: got status %d and %q, want a refusal", words, status, errs)
		}
	}
}

// The plan ends with the size of the code, and names the operations that the reference runs.
func TestShowPlanAccount(t *testing.T) {
	_, out, _ := weft(t, "{ lambda ; a:f32[8,8]. let b:f32[8,8] = cholesky a; c:f32[8,8] = sin b in (c,) }", "show", "--as", "plan", "--on", "avx2")
	for _, part := range []string{"call cholesky f32[8,8]@in0", ": no kernel\n", "avx2: 1 kernel, ", " bytes of code and constants\n"} {
		if !strings.Contains(out, part) {
			t.Errorf("got\n%s\nwant it to contain %q", out, part)
		}
	}
}
