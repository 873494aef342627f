//go:build (amd64 || arm64) && !purego_goid

package core

import "sync"

// framePCs stores up to n return addresses at pcs, nearest first, by following the frame
// pointers that the compiler keeps, and returns how many it stored. It is much
// faster than runtime.Callers, but does not see inlined functions. While it runs, the goroutine is not
// preempted and its stack does not move.
//
//go:noescape
func framePCs(pcs *uintptr, n int) int

// nearFrames is how many frames are searched first: the user is usually near.
const nearFrames = 24

// siteByFrames returns the nearest of the user's sites by frame pointers; ok is false if it
// cannot be found so.
func siteByFrames() (s Site, ok bool) {
	var pcs [nearFrames]uintptr
	n := framePCs(&pcs[0], len(pcs))
	if s, ok := siteAmong(pcs[:n]); ok || n < len(pcs) {
		return s, ok
	}
	return siteByManyFrames()
}

// siteByManyFrames continues siteByFrames. Where the user is further than farFrames away, the
// site is that of the innermost trace.
//
//go:noinline
func siteByManyFrames() (s Site, ok bool) {
	var pcs [farFrames]uintptr
	n := framePCs(&pcs[0], len(pcs))
	if s, ok := siteAmong(pcs[nearFrames:n]); ok || n < len(pcs) {
		return s, ok
	}
	return traceSite(), true
}

// siteAmong returns the first of the user's sites among return addresses.
func siteAmong(pcs []uintptr) (s Site, ok bool) {
	for _, pc := range pcs {
		switch classOf(pc) {
		case pcUser:
			return Site(pc), true
		case pcMixed:
			return mixedSite(pc), true
		}
	}
	return 0, false
}

// mixedSites caches the user's site for addresses at which Weft's code is inlined into the
// user's.
var mixedSites sync.Map // uintptr → Site

// mixedSite returns the user's site at pc, the nearest address in the user's code. farSite finds
// it, since the runtime has records of inlining.
func mixedSite(pc uintptr) Site {
	if s, ok := mixedSites.Load(pc); ok {
		return s.(Site)
	}
	s := farSite()
	mixedSites.Store(pc, s)
	return s
}
