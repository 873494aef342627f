package core

import (
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
)

// Site is a place in the user's program, as a program counter that is resolved
// when somebody asks. The zero Site is unknown.
type Site uintptr

const modulePath = "github.com/weft-go/weft"

// userPC remembers which program counters lie in the user's code.
var userPC sync.Map // uintptr → bool

// isUser reports whether a frame is the user's: not Weft's, unless it belongs to
// an example or a test, and not the Go runtime's or reflect's.
func isUser(f runtime.Frame) bool {
	name := f.Function
	if name == "" || strings.HasPrefix(name, "runtime.") || strings.HasPrefix(name, "reflect.") || strings.HasPrefix(name, "testing.") {
		return false
	}
	rest, ok := strings.CutPrefix(name, modulePath)
	if !ok || rest == "" || rest[0] != '.' && rest[0] != '/' && rest[0] != '_' {
		return true
	}
	return strings.HasPrefix(rest, "/examples/") || strings.HasSuffix(f.File, "_test.go")
}

func hasUser(pc uintptr) bool {
	if v, ok := userPC.Load(pc); ok {
		return v.(bool)
	}
	_, ok := frame(pc)
	userPC.Store(pc, ok)
	return ok
}

// frame is the innermost user's frame at pc, where inlining puts several.
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

// UserSite is the nearest place of the user's program on the stack. The stack is
// read in small pages, since the user is usually near.
func UserSite() Site {
	var page [32]uintptr
	for skip, n := 2, 8; ; skip, n = skip+n, len(page) {
		got := runtime.Callers(skip, page[:n])
		for _, pc := range page[:got] {
			if hasUser(pc) {
				return Site(pc)
			}
		}
		if got < n {
			return 0
		}
	}
}

// HerePos is HereSite as file:line.
func HerePos() string { return HereSite().String() }

// Resolve is the file, line and function of the site.
func (s Site) Resolve() (file string, line int, function string) {
	if s == 0 {
		return "", 0, ""
	}
	f, ok := frame(uintptr(s))
	if !ok {
		return "", 0, ""
	}
	return f.File, f.Line, f.Function
}

// String is base name of the file and line: main.go:12; "" if unknown.
func (s Site) String() string {
	file, line, _ := s.Resolve()
	if file == "" {
		return ""
	}
	return filepath.Base(file) + ":" + strconv.Itoa(line)
}
