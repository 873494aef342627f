package core

import (
	"math/bits"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

// Site is a place in the user's program: a program counter that is resolved on demand, or an
// offset in the text that a program was read from. The zero Site is unknown.
type Site uintptr

// inText marks a Site that is a place in the text that a program was read from: no
// program counter has the highest bit.
const inText = Site(1) << (bits.UintSize - 1)

// TextSite returns the site of an offset in a text that no [Text] describes.
func TextSite(offset int) Site { return inText | Site(offset) }

const textWords = "text offset "

// TextOffset returns the offset that the Pos of an Error names if it is a [TextSite].
func TextOffset(pos string) (offset int, ok bool) {
	s, ok := strings.CutPrefix(pos, textWords)
	if !ok {
		return 0, false
	}
	offset, err := strconv.Atoi(s)
	return offset, err == nil
}

const modulePath = "github.com/weft-go/weft"

// callers are prefixes of names of functions of the standard library whose frames are not the
// user's: of the runtime, and of packages that call functions, or methods of arrays, for the user.
var callers = [...]string{"runtime.", "reflect.", "testing.", "sync.", "iter.", "slices.", "maps.", "sort.", "context.", "encoding/json.", "encoding/gob.", "fmt.", "log/slog."}

// isUser reports whether a frame is the user's: not Weft's, unless it belongs to an example, a
// benchmark or a test, and not of a package in callers.
func isUser(f runtime.Frame) bool {
	name := f.Function
	if name == "" || slices.ContainsFunc(callers[:], func(p string) bool { return strings.HasPrefix(name, p) }) {
		return false
	}
	if file, ok := strings.CutPrefix(f.File, moduleRoot); ok && isLibrary(file) {
		return false // by its name it may be the user's: see isLibrary
	}
	rest, ok := strings.CutPrefix(name, modulePath)
	if !ok || rest == "" || rest[0] != '.' && rest[0] != '/' && rest[0] != '_' {
		return true
	}
	return strings.HasPrefix(rest, "/examples/") || strings.HasPrefix(rest, "/bench/") || strings.HasSuffix(f.File, "_test.go")
}

// moduleRoot is where Weft's files lie, as the compiler names them, with the slash
// at the end; a name that no file begins with if that cannot be determined.
var moduleRoot = func() string {
	_, file, _, _ := runtime.Caller(0)
	if root, ok := strings.CutSuffix(file, "core/site.go"); ok && root != "" {
		return root
	}
	return "\x00"
}()

// isLibrary reports whether a file of the module, named from its root, is part of the library. A
// function literal of the library that is inlined into the user's function is named after that
// function, as main.main.Array.Sum.func1: only its file shows that the library has it.
func isLibrary(file string) bool {
	return !strings.HasPrefix(file, "examples/") && !strings.HasPrefix(file, "cmd/") && !strings.HasPrefix(file, "bench/") && !strings.HasSuffix(file, "_test.go")
}

// frame returns the innermost of the user's frames at pc; inlining puts several frames there.
func frame(pc uintptr) (runtime.Frame, bool) {
	frames := runtime.CallersFrames([]uintptr{pc})
	for {
		f, more := frames.Next()
		if isUser(f) {
			return f, true
		}
		if !more {
			return runtime.Frame{}, false
		}
	}
}

// UserSite returns the nearest of the user's sites on the stack.
func UserSite() Site {
	if s, ok := siteByFrames(); ok {
		return s
	}
	return farSite()
}

// farFrames is how many frames are searched for one of the user's. Traces within traces
// make deep stacks, and each equation would walk through all of them.
const farFrames = 512

// farSite calls the runtime, which considers inlining: first for a few frames, since the
// user is usually near. Where the user is further than farFrames away, the site is that of
// the innermost trace.
func farSite() Site {
	var few [16]uintptr
	if site, ok := userAmong(few[:runtime.Callers(2, few[:])]); ok {
		return site
	}
	var many [farFrames]uintptr
	got := runtime.Callers(2+len(few), many[:])
	if site, ok := userAmong(many[:got]); ok {
		return site
	}
	return traceSite()
}

// traceSite returns the site at which the innermost trace around the caller was started, 0 if
// there is none: the frames between them are the library's.
func traceSite() Site {
	for i := range Active() {
		if x, ok := i.(interface{ StartedAt() Site }); ok && x.StartedAt() != 0 {
			return x.StartedAt()
		}
	}
	return 0
}

func userAmong(pcs []uintptr) (Site, bool) {
	for _, pc := range pcs {
		if isUserPC(pc) {
			return Site(pc), true
		}
	}
	return 0, false
}

// userPCs caches which program counters, as runtime.Callers returns them, are the
// user's.
var userPCs sync.Map // uintptr → bool

func isUserPC(pc uintptr) bool {
	if v, ok := userPCs.Load(pc); ok {
		return v.(bool)
	}
	_, user := frame(pc)
	userPCs.Store(pc, user)
	return user
}

type pcClass uint8

const (
	pcUnknown pcClass = iota
	pcWeft            // Weft's or the runtime's, inlined functions included
	pcUser            // the user's
	pcMixed           // a function of Weft inlined into one of the user's
)

var classes sync.Map // uintptr → pcClass

// classCache holds a part of classes, at an index computed from the address.
var classCache [1024]atomic.Uint64 // the address shifted by 2, and its class

func classOf(pc uintptr) pcClass {
	slot := &classCache[(pc>>2^pc>>12)%uintptr(len(classCache))]
	if x := slot.Load(); x>>2 == uint64(pc) {
		return pcClass(x & 3)
	}
	v, ok := classes.Load(pc)
	if !ok {
		v = classify(pc)
		classes.Store(pc, v)
	}
	c := v.(pcClass)
	slot.Store(uint64(pc)<<2 | uint64(c))
	return c
}

// classify looks at the function that a return address is in and at the one that
// is innermost there by inlining.
func classify(pc uintptr) pcClass {
	if _, ok := frame(pc); ok {
		return pcUser
	}
	inner := runtime.FuncForPC(pc - 1)
	if inner == nil {
		return pcWeft
	}
	outer := runtime.FuncForPC(inner.Entry())
	if outer == nil || outer.Name() == inner.Name() {
		return pcWeft
	}
	if file, _ := outer.FileLine(inner.Entry()); isUser(runtime.Frame{Function: outer.Name(), File: file}) {
		return pcMixed
	}
	return pcWeft
}

// HerePos returns the text of HereSite, for errors. If the site is unknown, it searches the whole
// stack, up to 65,536 frames.
func HerePos() string {
	s := HereSite()
	if s == 0 {
		all := make([]uintptr, 1<<16)
		s, _ = userAmong(all[:runtime.Callers(2, all)])
	}
	return s.String()
}

// Resolve returns the file, line and function of the site.
func (s Site) Resolve() (file string, line int, function string) {
	if s&inText != 0 {
		file, line, _, _ = describeSite(s)
		return file, line, ""
	}
	if s == 0 {
		return "", 0, ""
	}
	f, ok := frame(uintptr(s))
	if !ok {
		return "", 0, ""
	}
	return f.File, f.Line, f.Function
}

// String returns the base name of the file and the line, main.go:12, or the place in a text that
// programs were read from; "" if unknown.
func (s Site) String() string {
	if s&inText != 0 {
		if _, _, place, ok := describeSite(s); ok {
			return place
		}
		if uintptr(s&^inText) >= firstBase {
			return "" // the text is gone
		}
		return textWords + strconv.FormatUint(uint64(s&^inText), 10)
	}
	file, line, _ := s.Resolve()
	if file == "" {
		return ""
	}
	return filepath.Base(file) + ":" + strconv.Itoa(line)
}
