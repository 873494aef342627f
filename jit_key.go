package weft

import (
	varint "encoding/binary"
	"fmt"
	"reflect"
	"sync"
	"sync/atomic"

	"github.com/weft-go/weft/core"
)

// jitKey is what tells programs of one function apart: the form and statics of the
// arguments, the types of their leaves, the settings, and the named axes in scope.
func jitKey(form string, avals []core.ShapedArray) string {
	b := make([]byte, 0, len(form)+12*len(avals)+16)
	b = append(b, form...)
	for _, a := range avals {
		b = varint.AppendUvarint(b, typeNumber(a))
	}
	b = varint.AppendUvarint(b, settingsNumber(current().tracing()))
	for _, i := range core.Active() {
		if n, ok := i.(interface{ AxisNameAndSize() (string, int) }); ok {
			if name, size := n.AxisNameAndSize(); name != "" {
				b = fmt.Appendf(b, "%q%d", name, size)
			}
		}
	}
	return string(b)
}

// numbering gives comparable values small numbers, the same for equal ones.
type numbering[K comparable] struct {
	m    sync.Map
	next atomic.Uint64
}

func (n *numbering[K]) of(k K) uint64 {
	if v, ok := n.m.Load(k); ok {
		return v.(uint64)
	}
	v, _ := n.m.LoadOrStore(k, n.next.Add(1))
	return v.(uint64)
}

var (
	typeNumbers     numbering[core.ShapedArray]
	settingsNumbers numbering[settings]
)

func typeNumber(a core.ShapedArray) uint64 { return typeNumbers.of(a) }
func settingsNumber(s settings) uint64     { return settingsNumbers.of(s) }

// explainer is called with the reason of every tracing after a function's first.
var explainer atomic.Pointer[func(string)]

// ExplainRetracing calls f, from now on and in the whole process, whenever a jitted
// function is traced again, with what differs from the time before; nil stops it.
func ExplainRetracing(f func(why string)) {
	if f == nil {
		explainer.Store(nil)
		return
	}
	explainer.Store(&f)
}

// explain tells why a function is traced again.
func (j *jitted) explain(at []reflect.Value, avals []core.ShapedArray) {
	f := explainer.Load()
	j.mu.Lock()
	old := j.recent
	j.misses++
	misses := j.misses
	j.mu.Unlock()
	if f == nil || old == nil {
		return
	}
	why := ""
	for i, p := range j.in {
		if p == nil {
			continue
		}
		if path, a, b, differ := p.Difference(old.args[i].UnsafePointer(), at[i].UnsafePointer()); differ {
			why = fmt.Sprintf("argument %d%s was %s, now %s", i, path, a, b)
			if at[i].Elem().Kind() == reflect.Func && misses > 3 {
				why += "; a function literal made anew for each call is a new function each time: make it once, outside"
			}
			break
		}
	}
	if why == "" && len(avals) == len(old.avals) {
		k := 0
		for i, p := range j.in {
			if p == nil {
				continue
			}
			for _, path := range p.Paths(at[i].UnsafePointer()) {
				if a, b := old.avals[k], avals[k]; why == "" && a != b {
					why = fmt.Sprintf("argument %d%s was %s, now %s", i, path, a.Full(), b.Full())
				}
				k++
			}
		}
	}
	if why == "" {
		why = "settings, named axes or captured tracers changed"
	}
	pos := core.HerePos()
	if pos != "" {
		pos += ": "
	}
	(*f)(fmt.Sprintf("%s%s retraced: %s", pos, j.name, why))
}
