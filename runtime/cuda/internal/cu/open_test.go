//go:build linux && (amd64 || arm64)

package cu

import (
	"strings"
	"sync"
	"testing"
)

// The error of a missing library or function names it, also where goroutines move between threads.
func TestOpenErrorNamesLibrary(t *testing.T) {
	_, absent := open()
	var wg sync.WaitGroup
	for range 32 {
		wg.Go(func() {
			for range 200 {
				if _, err := symbol(0, "cuNoSuchFunction"); err == nil || !strings.Contains(err.Error(), "cuNoSuchFunction") {
					t.Errorf("symbol: got %v, want an error that names the function", err)
					return
				}
				if absent == nil {
					continue
				}
				if _, err := open(); err == nil || !strings.Contains(err.Error(), "libcuda") {
					t.Errorf("open: got %v, want an error that names the library", err)
					return
				}
			}
		})
	}
	wg.Wait()
}
