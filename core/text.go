package core

import (
	"runtime"
	"slices"
	"sync"
)

// A Text is a text or file that programs were read from and whose places have names. Its
// sites print as those names while the Text is reachable, and after that while it is one of
// the last unreachable texts, up to maxGone bytes: programs keep sites, but no Texts.
type Text struct {
	base uintptr
	_    *byte // small objects without pointers share blocks, in which they outlive their last use
}

// texts are the Texts, in the order of their bases. Offsets below firstBase are those of
// texts without names.
var texts = struct {
	sync.RWMutex
	list     []textRange
	next     uintptr
	gone     []uintptr // bases of unreachable Texts, in the order in which they became so
	goneSize uintptr   // of all of them
}{next: firstBase}

const firstBase = uintptr(inText) >> 1

// maxGone is the total size of unreachable texts that are kept, in bytes.
const maxGone = 4 << 20

type textRange struct {
	base, end uintptr
	describe  func(offset int) (file string, line int, place string)
}

// NewText returns a Text of size bytes. describe returns the file, line and place of an offset;
// the place is what messages print, such as model.mlir:3:8. It must not refer to the Text.
func NewText(size int, describe func(offset int) (file string, line int, place string)) *Text {
	t := &Text{}
	texts.Lock()
	defer texts.Unlock()
	if end := texts.next + uintptr(size) + 1; size >= 0 && end > texts.next && end <= uintptr(inText) {
		t.base = texts.next
		texts.list = append(texts.list, textRange{t.base, end, describe})
		texts.next = end
		runtime.AddCleanup(t, forgetText, t.base)
	}
	return t
}

// forgetText notes that a Text is unreachable, and removes the oldest ones if they are too long
// together, or the Text itself if it is too long alone.
func forgetText(base uintptr) {
	texts.Lock()
	defer texts.Unlock()
	i := textIndex(base)
	size := texts.list[i].size()
	if size > maxGone {
		texts.list = slices.Delete(texts.list, i, i+1)
		return
	}
	texts.gone = append(texts.gone, base)
	for texts.goneSize += size; texts.goneSize > maxGone; {
		i := textIndex(texts.gone[0])
		texts.goneSize -= texts.list[i].size()
		texts.list = slices.Delete(texts.list, i, i+1)
		texts.gone = texts.gone[1:]
	}
}

// size returns the size of a text as maxGone counts it: even an empty one has a description.
func (r textRange) size() uintptr { return r.end - r.base + 1<<10 }

// Site returns the place at an offset.
func (t *Text) Site(offset int) Site {
	if t.base == 0 { // addresses ran out
		return TextSite(offset)
	}
	return inText | Site(t.base+uintptr(offset))
}

// describeSite returns the file, line and place of a Site in a text; ok is false if the Site is
// that of a [TextSite], or the Text is gone.
func describeSite(s Site) (file string, line int, place string, ok bool) {
	at := uintptr(s &^ inText)
	texts.RLock()
	i := textIndex(at)
	if i == len(texts.list) || at < texts.list[i].base {
		texts.RUnlock()
		return "", 0, "", false
	}
	r := texts.list[i]
	texts.RUnlock()
	file, line, place = r.describe(int(at - r.base))
	return file, line, place, true
}

// textIndex returns the index of the first text that does not end before an address. The
// caller holds the lock.
func textIndex(at uintptr) int {
	i, _ := slices.BinarySearchFunc(texts.list, at, func(r textRange, at uintptr) int {
		switch {
		case r.end <= at:
			return -1
		case r.base > at:
			return 1
		}
		return 0
	})
	return i
}
