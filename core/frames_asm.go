//go:build (amd64 || arm64) && !purego_goid

package core

import "sync"

// framePCs fills pcs with return addresses, nearest first, by following the frame
// pointers that the compiler keeps, and returns how many there are. It does in
// nanoseconds what runtime.Callers does in a microsecond, but has no record of
// inlining.
//
//go:noescape
func framePCs(pcs *[24]uintptr) int

// nearSite returns the nearest place of the user's by frame pointers; ok is false if it
// is not found so.
func nearSite() (s Site, ok bool) {
	var pcs [24]uintptr
	for _, pc := range pcs[:framePCs(&pcs)] {
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
