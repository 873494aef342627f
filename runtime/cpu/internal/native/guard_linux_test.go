//go:build linux && (amd64 || arm64) && !purego

package native_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// guarded is memory between two pages that must not be touched.
type guarded struct{ mem []byte }

const page = 4096

func newGuarded(t testing.TB, max int) *guarded {
	n := (max+page-1)/page*page + 2*page
	m, err := unix.Mmap(-1, 0, n, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	require.NoError(t, err)
	require.NoError(t, unix.Mprotect(m[:page], unix.PROT_NONE))
	require.NoError(t, unix.Mprotect(m[n-page:], unix.PROT_NONE))
	t.Cleanup(func() { _ = unix.Munmap(m) })
	return &guarded{m[page : n-page]}
}

// at returns n bytes that end at a guard page, or begin behind one.
func (g *guarded) at(n int, end bool) []byte {
	if end {
		return g.mem[len(g.mem)-n:]
	}
	return g.mem[:n:n]
}
