package weft

import (
	"reflect"
	"sync"
	"unsafe"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/tree"
	"github.com/weft-go/weft/internal/leaves"
	"github.com/weft-go/weft/runtime"
)

// treeCall is the memory of a call with trees. Calls use it again.
type treeCall struct {
	flat    tree.Flat[Array]
	words   []unsafe.Pointer // arguments that are one word: maps and pointers
	in, out []*runtime.Array
	results []Array
}

var treeCalls = sync.Pool{New: func() any { return new(treeCall) }}

// again runs the program of the latest call if the arguments have its form and types, all
// of them concrete, and nothing is written behind pointers. Otherwise ok is false, and
// nothing has happened.
func (j *jitted) again(args []reflect.Value) (results []reflect.Value, ok bool) {
	t := j.last.Load()
	if t == nil || t.caller == nil || t.writes || j.context >= 0 || core.Tracing() {
		return nil, false
	}
	if s := runtime.Current(); s.DebugKeys || t.settings != s.Tracing {
		return nil, false
	}
	c := treeCalls.Get().(*treeCall)
	if c.take(j, t, args) {
		c.out = append(c.out[:0], make([]*runtime.Array, t.outs)...)
		j.run(t, c.in, c.out)
		results, ok = c.rebuild(j, t), true
	}
	c.reset()
	treeCalls.Put(c)
	return results, ok
}

// take flattens the arguments and reports whether they are those of t.
func (c *treeCall) take(j *jitted, t *traced, args []reflect.Value) bool {
	if cap(c.words) < len(args) {
		c.words = make([]unsafe.Pointer, len(args))
	}
	words := c.words[:len(args)]
	defer leaves.NameOp(j.Op)
	for i, v := range args {
		switch v.Kind() {
		case reflect.Map, reflect.Pointer:
			words[i] = v.UnsafePointer()
			j.In[i].Flatten(&c.flat, unsafe.Pointer(&words[i]))
		default:
			a := reflect.New(j.In[i].Type())
			a.Elem().Set(v)
			j.In[i].Flatten(&c.flat, a.UnsafePointer())
		}
	}
	if len(c.flat.Leaves) != len(t.avals) || string(c.flat.Key()) != t.form {
		return false
	}
	for i, x := range c.flat.Leaves {
		if x.v == nil {
			return false
		}
		var a *runtime.Array
		switch v := (*x.v).(type) {
		case *runtime.Array:
			a = v
		case core.Literal:
			a = runtime.FromLiteral(v)
		default:
			return false
		}
		if a.Aval() != t.avals[i] {
			return false
		}
		c.in = append(c.in, a)
	}
	return true
}

// rebuild returns the results of the call.
func (c *treeCall) rebuild(j *jitted, t *traced) []reflect.Value {
	for _, a := range c.out {
		c.results = append(c.results, wrap(a))
	}
	return j.Rebuild(t.results, c.results)
}

// reset clears the arrays of the call.
func (c *treeCall) reset() {
	c.flat.Reset()
	clear(c.words)
	clear(c.in)
	clear(c.out)
	clear(c.results)
	c.in, c.out, c.results = c.in[:0], c.out[:0], c.results[:0]
}
