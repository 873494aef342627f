//go:build (amd64 || arm64) && !purego_goid

package core

import "sync"

// framePCs stores up to n return addresses at pcs, nearest first, by following the frame
// pointers that the compiler keeps, and returns how many there are. It does in
// nanoseconds what runtime.Callers does in a microsecond, but has no record of
// inlining. The stack cannot grow or be preempted in between.
//
//go:noescape
func framePCs(pcs *uintptr, n int) int

// nearFrames is how many frames are searched first: the user is usually near.
const nearFrames = 24

// siteByFrames returns the nearest place of the user's by frame pointers; ok is false if it
// is not found so.
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

// siteAmong returns the first place of the user's among return addresses.
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

// mixedSites caches the user's place at addresses where inlining mixes.
var mixedSites sync.Map // uintptr → Site

// mixedSite returns the user's place at pc, the nearest address that is the user's: the
// runtime, which has records of inlining, finds the same.
func mixedSite(pc uintptr) Site {
	if s, ok := mixedSites.Load(pc); ok {
		return s.(Site)
	}
	s := farSite()
	mixedSites.Store(pc, s)
	return s
}
