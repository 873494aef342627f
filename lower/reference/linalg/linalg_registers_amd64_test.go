//go:build !purego

package linalg

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// Kernels return the same bits on processors with narrower registers: the tests of bits run again without AVX-512,
// and without AVX.
func TestLinalgRegisters(t *testing.T) {
	const debug = "GODEBUG"
	switch set := os.Getenv(debug); {
	case strings.Contains(set, "cpu.avx=off"):
		if fieldF32.lowerBlock != nil {
			t.Error("kernels use the machine's registers without AVX")
		}
		return
	case strings.Contains(set, "cpu.avx512f=off"):
		if fieldF32.lowerBlock != nil {
			t.Error("kernels use registers of 512 bits without AVX-512")
		}
		return
	}
	const tests = "^TestLinalgRegisters$|^TestBlocked|^TestRotations|^TestPivots$|^TestLessBits$|^TestLUOfNoColumns$"
	for _, off := range []string{"cpu.avx512f=off", "cpu.avx512f=off,cpu.avx=off"} {
		t.Run(off, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command(os.Args[0], "-test.run="+tests, "-test.short")
			cmd.Env = append(os.Environ(), debug+"="+strings.TrimPrefix(os.Getenv(debug)+","+off, ","))
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
