package leaves

import (
	"reflect"
	"unsafe"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/tree"
)

// A Change is a leaf that a function replaced in memory which it shares with its caller:
// behind a pointer, in a slice or in a map.
type Change[L Leaf] struct {
	Leaf int // among the leaves of all arguments
	Now  core.Value
}

func leavesOf[L Leaf](op string, p *tree.Plan[L], v unsafe.Pointer) []L {
	defer NameOp(op)
	var flat tree.Flat[L]
	p.Flatten(&flat, v)
	return flat.Leaves
}

// NameOp adds the operation to an error about a tree that names none. It must be deferred.
func NameOp(op string) {
	if r := recover(); r != nil {
		if e, ok := r.(*core.Error); ok && e.Op == "" {
			e.Op = op
		}
		panic(r)
	}
}

// refuseWrites fails if the leaves of the tree at v are no longer the values `before`, with which a
// function received it: only Jit writes back.
func refuseWrites[L Leaf](s site, p *tree.Plan[L], v unsafe.Pointer, before []core.Value) {
	now := leavesOf(s.op, p, v)
	if len(now) != len(before) {
		core.FailOp(core.ErrTree, s.op, nil, "the function changes the structure of %s; under %s nothing is written back: give what is new as a result, as with GradAux, or change a copy", s.name(p.Type()), s.op)
	}
	for i, x := range now {
		if x.IsZero() || x.Value() != before[i] {
			core.FailOp(core.ErrTree, s.op, nil, "the function writes leaf %q of %s in a slice or map, or behind a pointer; under %s nothing is written back: give what is new as a result, as with GradAux, or write into a copy", p.Paths(v)[i], s.name(p.Type()), s.op)
		}
	}
}

// Changes returns the leaves that the function changed in args, which [Func.Call] returned: those
// that differ from the values `before`. It fails if the structure changed.
func (f *Func[L]) Changes(a *Args[L], args []reflect.Value, before []core.Value) (changes []Change[L]) {
	defer NameOp(f.Op)
	k := 0
	for i, n := range a.Counts {
		first := k
		k += n
		if !f.shared[i] {
			continue
		}
		p := f.In[i]
		v := pointerTo(p.Type(), args[i])
		if path, was, is, differ := p.Difference(a.At[i].UnsafePointer(), v); differ {
			core.FailOp(core.ErrTree, f.Op, nil, "%s changed the structure behind argument %d at %q: %s before, %s after; only arrays can be changed in what is the caller's: give the rest as a result", f.Name, i, path, was, is)
		}
		for m, x := range leavesOf(f.Op, p, v) {
			if x.IsZero() {
				core.FailOp(core.ErrTree, f.Op, nil, "%s set leaf %q behind argument %d to the zero Array; leave the array there", f.Name, p.Paths(v)[m], i)
			}
			if now := x.Value(); now != before[first+m] {
				changes = append(changes, Change[L]{first + m, now})
			}
		}
	}
	return changes
}

// Store writes changed leaves to the caller's memory: written marks the leaves, and outs
// begins with their values, in order.
func (f *Func[L]) Store(a *Args[L], written []bool, outs []core.Value) {
	k := 0
	for i, n := range a.Counts {
		now := a.Flat.Leaves[k : k+n : k+n]
		changed := false
		for l, w := range written[k : k+n] {
			if w {
				if !changed {
					now, changed = append([]L(nil), now...), true
				}
				now[l], outs = f.wrap(outs[0]), outs[1:]
			}
		}
		k += n
		if changed {
			f.In[i].Store(a.At[i].UnsafePointer(), now)
		}
	}
}

// RefuseAliases fails if two leaves of the arguments are one place in the caller's memory and the
// function writes either: the program has two arrays there, and only the one stored last would
// remain.
func (f *Func[L]) RefuseAliases(a *Args[L], written []bool) {
	var places []tree.Place
	for i, p := range f.In {
		if p != nil {
			places = p.Places(places, a.At[i].UnsafePointer())
		}
	}
	first := make(map[tree.Place]int, len(places))
	for i, p := range places {
		if p == (tree.Place{}) {
			continue
		}
		k, twice := first[p]
		if !twice {
			first[p] = i
		} else if written[i] || written[k] {
			one, in := f.Locate(a, k)
			two, on := f.Locate(a, i)
			core.FailOp(core.ErrTree, f.Op, nil, "argument %d%s and argument %d%s share memory, and %s writes it; pass a copy as one of them", one, in, two, on, f.Name)
		}
	}
}
