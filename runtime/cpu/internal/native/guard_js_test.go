//go:build js && !purego

package native_test

import "testing"

// guarded is memory between two pages of canaries, which are compared when the test ends: no page can be protected.
type guarded struct {
	mem []byte
	all []byte
}

const (
	page   = 4096
	canary = 0xa5
)

// recent are the memories that were given out last. They are given out again: a kernel has fewer
// buffers, and a test that keeps them all would need more memory than there is.
var recent = map[int][]*guarded{}

const mostRecent = 320

func newGuarded(t testing.TB, max int) (g *guarded) {
	t.Cleanup(func() { g.check(t) })
	n := (max+page-1)/page*page + 2*page
	list := recent[n]
	if len(list) == mostRecent {
		g = list[0]
		recent[n] = append(list[1:], g)
		return g
	}
	all := make([]byte, n)
	for i := range all {
		all[i] = canary
	}
	g = &guarded{all[page : n-page], all}
	recent[n] = append(list, g)
	return g
}

func (g *guarded) check(t testing.TB) {
	for i := range page {
		if g.all[i] != canary || g.all[len(g.all)-1-i] != canary {
			t.Errorf("the code wrote outside of its memory")
			return
		}
	}
}

// at returns n bytes that end at a page of canaries, or begin behind one.
func (g *guarded) at(n int, end bool) []byte {
	if end {
		return g.mem[len(g.mem)-n:]
	}
	return g.mem[:n:n]
}
