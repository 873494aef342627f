package keyreuse

import (
	"sync"
	"weak"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/runtime"
)

var install sync.Once

// Install makes operations watch keys where settings request it. Until it is called, watching
// costs nothing.
func Install() { install.Do(func() { core.Watch(watcher{}) }) }

// watcher is an interpreter in front of the bottom interpreter. Where keys are watched, it fails when one is used twice.
type watcher struct{}

func (watcher) Level() int64 { return core.Bottom.Level() }

func (watcher) Live() bool { return core.Bottom.Live() }

// Interpret follows the operation, then evaluates it.
func (watcher) Interpret(p core.Primitive, in []core.Value) []core.Value {
	return Follow(p, in, func() []core.Value { return core.Bottom.Interpret(p, in) })
}

// Apply is Interpret for one or two operands. Where keys are not watched it only looks at the
// settings and passes the operation on.
func (w watcher) Apply(p core.Primitive, x, y core.Value) core.Value {
	if a, ok := core.Bottom.(core.Applier); ok && !runtime.Current().DebugKeys {
		return a.Apply(p, x, y)
	}
	in := []core.Value{x, y}
	if y == nil {
		in = in[:1]
	}
	return w.Interpret(p, in)[0]
}

// Follow evaluates an operation by run. If keys are watched, it follows the operation first.
func Follow(p core.Primitive, in []core.Value, run func() []core.Value) []core.Value {
	if !runtime.Current().DebugKeys || isCall(p) {
		return run()
	}
	keys := holdsKeys(p)
	for _, v := range in {
		keys = keys || v.Aval().DType.IsKey()
	}
	if !keys {
		return run()
	}
	avals := core.AvalsOf(in)
	site := core.HereSite()
	args := make([]cells, len(in))
	for i, v := range in {
		if avals[i].DType.IsKey() {
			args[i] = known.of(v)
		}
	}
	c := &checker{}
	if len(jaxpr.Programs(p)) > 0 {
		c.call = site
	}
	done := false
	defer func() {
		if !done { // an operation that failed used no keys up
			c.undo(0)
		}
	}()
	types := core.AbstractOf(p, avals)
	result := c.operation(p, args, avals, types, site)
	outs := run()
	done = true
	for i, v := range outs {
		if result[i] != nil {
			known.set(v, result[i])
		}
	}
	return outs
}

// isCall reports whether p runs a Go function of the user's, whose operations are followed one by
// one.
func isCall(p core.Primitive) bool {
	switch p := p.(type) {
	case *jaxpr.CustomJVP:
		return p.Jaxpr == nil
	case *jaxpr.CustomVJP:
		return p.Jaxpr == nil
	case *jaxpr.CustomVmap:
		return p.Jaxpr == nil
	}
	return false
}

// arrays are the keys of concrete arrays.
type arrays struct {
	mu    sync.Mutex
	keys  map[weak.Pointer[runtime.Array]]cells
	sweep int // the size at which the keys of dead arrays are removed
}

var known = &arrays{keys: map[weak.Pointer[runtime.Array]]cells{}, sweep: 1024}

// of returns the keys of an array: new ones if the array is not known.
func (a *arrays) of(v core.Value) cells {
	x, ok := v.(*runtime.Array)
	if !ok {
		return fresh(v.Aval().Size())
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	k, ok := a.keys[weak.Make(x)]
	if !ok {
		k = fresh(x.Aval().Size())
		a.put(x, k)
	}
	return k
}

func (a *arrays) set(v core.Value, keys cells) {
	if x, ok := v.(*runtime.Array); ok && x.Aval().DType.IsKey() {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.put(x, keys)
	}
}

func (a *arrays) put(x *runtime.Array, keys cells) {
	if len(a.keys) >= a.sweep {
		for p := range a.keys {
			if p.Value() == nil {
				delete(a.keys, p)
			}
		}
		a.sweep = max(1024, 2*len(a.keys))
	}
	a.keys[weak.Make(x)] = keys
}

// holds is the key under which a program stores the result of hold.
type holds struct{}

// hold reports whether a program, or one within it, has a key.
func hold(j *jaxpr.Jaxpr) bool {
	return j.Memo(holds{}, func() any {
		for _, v := range append(j.Ins[:len(j.Ins):len(j.Ins)], j.Consts...) {
			if v.Type.DType.IsKey() {
				return true
			}
		}
		for _, e := range j.Eqns {
			for _, v := range e.Outs {
				if v.Type.DType.IsKey() {
					return true
				}
			}
			if holdsKeys(e.Prim) {
				return true
			}
		}
		return false
	}).(bool)
}
