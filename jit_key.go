package weft

import (
	varint "encoding/binary"
	"fmt"
	"log/slog"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/runtime"
)

// jitKey returns what distinguishes programs of one function: the form and statics of the
// arguments, the types of their leaves, the settings, and the named axes in scope.
func jitKey(form string, avals []core.ShapedArray) string {
	b := make([]byte, 0, len(form)+12*len(avals)+16)
	b = append(b, form...)
	for _, a := range avals {
		b = appendType(b, a)
	}
	b = varint.AppendUvarint(b, settingsNumber(runtime.Current().Tracing))
	for i := range core.Active() {
		if n, ok := i.(interface{ AxisNameAndSize() (string, int) }); ok {
			if name, size := n.AxisNameAndSize(); name != "" {
				b = fmt.Appendf(b, "%q%d", name, size)
			}
		}
		if r, ok := i.(*core.Region); ok {
			for name, size := range r.AxesAndSizes() {
				b = fmt.Appendf(b, "%q%d%v", name, size, r.Checks())
			}
		}
	}
	return string(b)
}

// appendType appends a type, so that different lists of types are different bytes.
func appendType(b []byte, a core.ShapedArray) []byte {
	weak := byte(0)
	if a.Weak {
		weak = 1
	}
	b = append(b, byte(a.DType), weak)
	b = varint.AppendUvarint(b, uint64(a.Vary))
	b = varint.AppendUvarint(b, uint64(a.Shape.Len()))
	for _, n := range a.Shape.All() {
		b = varint.AppendUvarint(b, uint64(n))
	}
	return b
}

// settingsNumbers assigns small numbers to settings, the same for equal ones. A process uses few
// settings; shapes may be many, so a key contains them in full.
var settingsNumbers struct {
	m    sync.Map
	next atomic.Uint64
}

func settingsNumber(s runtime.Tracing) uint64 {
	if v, ok := settingsNumbers.m.Load(s); ok {
		return v.(uint64)
	}
	v, _ := settingsNumbers.m.LoadOrStore(s, settingsNumbers.next.Add(1))
	return v.(uint64)
}

// explainer is the function of ExplainRetracing, nil if there is none.
var explainer atomic.Pointer[func(string)]

// ExplainRetracing has f called from now on, for all jitted functions of the process: whenever one
// is traced again, with what differs from the time before, and whenever its cache drops programs
// (see [ProgramCache]). If f is nil, the calls end.
func ExplainRetracing(f func(why string)) {
	if f == nil {
		explainer.Store(nil)
		return
	}
	explainer.Store(&f)
}

// manyMisses is how often in a row a function may be traced again because a static function
// differs, before it is reported.
const manyMisses = 8

// explain reports why a function is traced again: to the function of ExplainRetracing, or else to
// the log if a static function differs many times in a row.
func (j *jitted) explain(at []reflect.Value, avals []core.ShapedArray) {
	f := explainer.Load()
	j.mu.Lock()
	old := j.recent
	j.mu.Unlock()
	if old == nil || f == nil && !j.holdsFuncs {
		return
	}
	why, function := j.difference(old, at, avals)
	j.mu.Lock()
	if j.misses++; !function {
		j.misses = 0
	}
	often := j.misses == manyMisses
	j.mu.Unlock()
	if function && (often || j.misses > 2) {
		why += "; a function made anew for each call is a new static each time: make it once, outside"
	}
	if f == nil && !often {
		return
	}
	pos := core.HerePos()
	if pos != "" {
		pos += ": "
	}
	if f != nil {
		(*f)(fmt.Sprintf("%s%s retraced: %s", pos, j.Name, why))
	} else {
		slog.Warn(fmt.Sprintf("weft: %s%s was traced %d times in a row for the same types: %s", pos, j.Name, manyMisses+1, why))
	}
}

// explainDropped reports programs that the cache has dropped: to the function of
// ExplainRetracing, or once to the log.
func (j *jitted) explainDropped(dropped []*traced) {
	if len(dropped) == 0 {
		return
	}
	for _, t := range dropped {
		j.last.CompareAndSwap(t, nil)
	}
	programs, bytes := j.programs.stats()
	why := fmt.Sprintf("%s dropped %s, the least recently used (%d with %d KiB remain); raise the bounds with weft.ProgramCache, or pass arrays as arguments instead of capturing them",
		j.Name, core.Count(len(dropped), "program"), programs, bytes>>10)
	first := j.programs.firstDrop()
	if f := explainer.Load(); f != nil {
		pos := core.HerePos()
		if pos != "" {
			pos += ": "
		}
		(*f)(pos + why)
	} else if first {
		slog.Warn("weft: " + why)
	}
}

// difference returns what differs from the call of an earlier program, and whether it
// is a function.
func (j *jitted) difference(old *traced, at []reflect.Value, avals []core.ShapedArray) (why string, function bool) {
	for i, p := range j.In {
		if p == nil {
			continue
		}
		if path, a, b, differ := p.Difference(old.args[i].UnsafePointer(), at[i].UnsafePointer()); differ {
			function = strings.HasPrefix(a, "static func ") && strings.HasPrefix(b, "static func ")
			return fmt.Sprintf("argument %d%s was %s, now %s", i, path, a, b), function
		}
	}
	if len(avals) == len(old.avals) {
		k := 0
		for i, p := range j.In {
			if p == nil {
				continue
			}
			for _, path := range p.Paths(at[i].UnsafePointer()) {
				if a, b := old.avals[k], avals[k]; a != b {
					return fmt.Sprintf("argument %d%s was %s, now %s", i, path, a.Full(), b.Full()), false
				}
				k++
			}
		}
	}
	return "settings, named axes, captured tracers or what a static pointer points to changed", false
}

func holdsFunc(t reflect.Type, seen map[reflect.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Func, reflect.Interface:
		return true
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return holdsFunc(t.Elem(), seen)
	case reflect.Struct:
		if t == reflect.TypeFor[Array]() {
			return false
		}
		for i := range t.NumField() {
			if holdsFunc(t.Field(i).Type, seen) {
				return true
			}
		}
	}
	return false
}
