//go:build !purego

package reference

import (
	"github.com/weft-go/weft/lower/reference/internal/product"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// Kernels return the same bits on processors with narrower registers: the tests of bits run again without AVX-512,
// and without AVX.
func TestNarrowerRegisters(t *testing.T) {
	const debug = "GODEBUG"
	switch set := os.Getenv(debug); {
	case strings.Contains(set, "cpu.avx=off"):
		if product.Tiles32 != nil {
			t.Error("kernels use the machine's registers without AVX")
		}
		return
	case strings.Contains(set, "cpu.avx512f=off"):
		if product.Tiles32 != nil && product.Tiles32.Rows != 4 {
			t.Error("kernels use registers of 512 bits without AVX-512")
		}
		return
	}
	const tests = "^TestNarrowerRegisters$|SameBits|DotOrder|ConvOrder|CholeskyOrder|TriangularSolveOrder|^TestProductsStop$"
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
