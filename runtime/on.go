package runtime

import (
	"context"
	"slices"
	"sync"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
)

// registered are the executors that there are, the reference first.
var registered = struct {
	sync.RWMutex
	list []Executor
}{list: []Executor{Reference}}

// Register adds an executor to those that can be asked for by name. Packages that
// bring one call it when they are imported. A name that is taken is a mistake of
// whoever registers.
func Register(e Executor) {
	if _, taken := Named(e.Name()); taken {
		panic("BUG: two executors are named " + e.Name())
	}
	registered.Lock()
	defer registered.Unlock()
	registered.list = append(registered.list, e)
}

// Executors are the executors that there are, the reference first.
func Executors() []Executor {
	registered.RLock()
	defer registered.RUnlock()
	return slices.Clone(registered.list)
}

// Named is the executor of that name; ok is false if there is none.
func Named(name string) (e Executor, ok bool) {
	for _, e := range Executors() {
		if e.Name() == name {
			return e, true
		}
	}
	return nil, false
}

// CallOn is [Call] by the executor e.
func CallOn(ctx context.Context, e Executor, p *jaxpr.Jit, in []core.Value) []core.Value {
	arrays := make([]*Array, len(in))
	for i, v := range in {
		arrays[i] = concrete(p, v)
	}
	outs := compileFor(e, p.Jaxpr).Run(ctx, arrays)
	donate(p.Donated, arrays, outs)
	return typed(outs, p.Jaxpr.OutAvals())
}
