package core

import (
	"runtime"
	"slices"
	"sync"
	"weak"
)

// A Text is a text or file that programs were read from and whose places have names. Its
// sites print as those names while the Text is reachable.
type Text struct {
	base     uintptr
	describe func(offset int) (file string, line int, place string)
}

// texts are the Texts that are alive, in the order of their bases. Offsets below firstBase
// are those of texts without names.
var texts = struct {
	sync.RWMutex
	list []textRange
	next uintptr
}{next: firstBase}

const firstBase = uintptr(inText) >> 1

type textRange struct {
	base, end uintptr
	text      weak.Pointer[Text]
}

// NewText returns a Text of a size. describe returns the file, line and place of an offset;
// the place is what messages print, such as model.mlir:3:8.
func NewText(size int, describe func(offset int) (file string, line int, place string)) *Text {
	t := &Text{describe: describe}
	texts.Lock()
	defer texts.Unlock()
	if end := texts.next + uintptr(size) + 1; size >= 0 && end > texts.next && end <= uintptr(inText) {
		t.base = texts.next
		texts.list = append(texts.list, textRange{t.base, end, weak.Make(t)})
		texts.next = end
		runtime.AddCleanup(t, forgetText, t.base)
	}
	return t
}

func forgetText(base uintptr) {
	texts.Lock()
	defer texts.Unlock()
	texts.list = slices.DeleteFunc(texts.list, func(r textRange) bool { return r.base == base })
}

// Site returns the place at an offset.
func (t *Text) Site(offset int) Site {
	if t.base == 0 { // addresses ran out
		return TextSite(offset)
	}
	return inText | Site(t.base+uintptr(offset))
}

// textOf returns the Text that a Site in a text belongs to, and the offset there; nil if the
// text has no names or is gone.
func textOf(s Site) (t *Text, offset int) {
	at := uintptr(s &^ inText)
	texts.RLock()
	defer texts.RUnlock()
	i, _ := slices.BinarySearchFunc(texts.list, at, func(r textRange, at uintptr) int {
		switch {
		case r.end <= at:
			return -1
		case r.base > at:
			return 1
		}
		return 0
	})
	if i == len(texts.list) || at < texts.list[i].base {
		return nil, 0
	}
	return texts.list[i].text.Value(), int(at - texts.list[i].base)
}
