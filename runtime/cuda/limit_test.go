//go:build linux && (amd64 || arm64) && !drivers

package cuda

import (
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/fakecuda"
)

// LimitMemory bounds memory: garbage makes room, and an error beyond the limit names the largest arrays with their lines.
func TestLimitMemory(t *testing.T) {
	defer limited.Store(0)
	LimitMemory(1 << 16)
	f := fakecuda.New()
	dev, _ := registered(t, f)
	scale := weft.Jit(func(x weft.Array) weft.Array {
		return x.Mul(3)
	}, weft.On(dev))
	for range 20 {
		scale(weft.Ones(1 << 12)) // 16 KiB
	}
	kept := []weft.Array{scale(weft.Ones(1 << 12)), weft.Ones(1 << 13).To(dev)}
	_, err := weft.Try(func() weft.Array { return weft.Ones(1 << 14).To(dev) })
	for _, want := range []string{"no memory for 64 KiB", "cuda.LimitMemory limits memory to 64 KiB", "the largest arrays are f32[8192], 32 KiB; f32[4096] (mul, ", "limit_test.go:", "), 16 KiB"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	LimitMemory(0)
	if _, err := weft.Try(func() weft.Array { return weft.Ones(1 << 14).To(dev) }); err != nil {
		t.Errorf("without a limit: %v", err)
	}
	if n := f.Objects().Bytes; n < 1<<16 {
		t.Errorf("%d bytes are in use", n)
	}
	for _, a := range kept {
		_ = a.String()
	}
	if _, err := weft.Try(func() int { LimitMemory(-1); return 0 }); err == nil {
		t.Error("a negative limit is taken")
	}
}

// Values that WEFT_CUDA_MEMORY may have.
func TestMemoryVariable(t *testing.T) {
	for text, want := range map[string]share{
		"": {}, "1000": {bytes: 1000}, "8GiB": {bytes: 8 << 30}, "1.5 KiB": {bytes: 1536}, "500MB": {bytes: 5e8}, "7B": {bytes: 7}, "50%": {fraction: 0.5}, " 2TB ": {bytes: 2e12},
	} {
		if got, err := parseShare(text); err != nil || got != want {
			t.Errorf("%q: got %v, %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"x", "-1", "0", "0%", "101%", "NaN", "1e30", "GiB", "%", "8Gib", "Inf", "0.5"} {
		if got, err := parseShare(text); err == nil || !strings.Contains(err.Error(), memoryVariable) {
			t.Errorf("%q: got %v, %v, want an error", text, got, err)
		}
	}
}
