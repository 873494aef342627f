package runtime

import (
	"slices"
	"sync/atomic"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
)

// An array that has been handed out may be read by many goroutines, and one of them may
// donate it. Its state word counts the readers and marks its death:
//
//   - A reader counts itself in before it reads, and out afterwards. A dead array refuses
//     new readers, which is an error.
//   - The call to which the array is donated marks it dead. If that call is its only
//     reader, the memory is the call's. If others are reading, they read on, and the last
//     one to finish releases the memory.
//
// Arrays of at most smallBytes are not counted: their memory is never taken, only their
// use is refused. Eager operations on them therefore cost one atomic load.
const (
	dead     = 1 << 31 // donated: no new readers
	gone     = 1 << 30 // the memory was released, or the call that took it will release it
	aliased  = 1 << 29 // other arrays have the same memory
	counted  = 1 << 28 // readers are counted
	outside  = 1 << 27 // the array is a *remote: see there
	pinned   = 1 << 26 // the user placed the array where it is
	hostView = 1 << 25 // the array is a host copy of a device's array, shared by its readers: see ofItsOwn
	readers  = hostView - 1
)

// smallBytes is the size up to which readers of an array are not counted.
const smallBytes = 64

// hold counts a reader in. It reports false if the array is dead.
func (a *Array) hold() bool {
	s := atomic.LoadUint32(&a.state)
	if s&counted == 0 {
		return s&dead == 0
	}
	if atomic.AddUint32(&a.state, 1)&dead == 0 {
		return true
	}
	a.drop()
	return false
}

// drop counts a reader out. The last reader of a dead array releases its memory.
func (a *Array) drop() {
	if atomic.LoadUint32(&a.state)&counted == 0 {
		return
	}
	if s := atomic.AddUint32(&a.state, ^uint32(0)); s&(dead|gone|readers) == dead && atomic.CompareAndSwapUint32(&a.state, s, s|gone) {
		a.discard()
	}
}

// discard releases the memory of a dead array that nothing reads.
func (a *Array) discard() {
	a.t.Data = nil
	if r := a.remote(); r != nil {
		r.discard()
	}
}

// Dead reports whether the array was donated.
func (a *Array) Dead() bool { return atomic.LoadUint32(&a.state)&dead != 0 }

// markAliased notes that other arrays have a's memory, so that nothing takes it.
func (a *Array) markAliased() { atomic.OrUint32(&a.state, aliased) }

// holdAll adds a reader to each array and returns −1. If an array is dead, it adds none and returns
// the index of that array.
func holdAll(as []*Array) (deadAt int) {
	for i, a := range as {
		if !a.hold() {
			dropAll(as[:i])
			return i
		}
	}
	return -1
}

func dropAll(as []*Array) {
	for _, a := range as {
		a.drop()
	}
}

// holdConsts adds a reader to each array that a program, or one within it, captured, and returns
// the arrays. The caller must drop them.
func holdConsts(j *jaxpr.Jaxpr) []*Array {
	consts := constsOf(j)
	if i := holdAll(consts); i >= 0 {
		t := consts[i].Aval()
		core.FailOp(core.ErrDevice, "jit", []core.ShapedArray{t},
			"an array of type %v that the program captured was donated to an earlier call, which has its memory now; pass it as an argument, or do not donate", t.Full())
	}
	return consts
}

type constsKey struct{}

// constsOf returns the arrays that a program and those within it captured.
func constsOf(j *jaxpr.Jaxpr) []*Array {
	return j.Memo(constsKey{}, func() any {
		w := &constsWalk{captures: map[*jaxpr.Jaxpr]bool{}, listed: map[*Array]bool{}}
		w.program(j)
		return w.list
	}).([]*Array)
}

type constsWalk struct {
	captures map[*jaxpr.Jaxpr]bool // of programs that were walked
	listed   map[*Array]bool
	list     []*Array
}

// capturesNothing is the key of a note in the memos of a program that contains others: neither it nor
// they captured an array. Without the note, nested programs that are compiled one after the other would
// each walk all programs within them.
type capturesNothing struct{}

// program lists the arrays that j and the programs within it captured, and reports whether there are any.
func (w *constsWalk) program(j *jaxpr.Jaxpr) bool {
	if captures, ok := w.captures[j]; ok {
		return captures
	}
	if _, ok := j.Memoized(capturesNothing{}); ok {
		return false
	}
	captures, contains := false, false
	for _, v := range j.ConstVals {
		if a, ok := v.(*Array); ok {
			captures = true
			if !w.listed[a] {
				w.listed[a] = true
				w.list = append(w.list, a)
			}
		}
	}
	for _, e := range j.Eqns {
		for _, q := range jaxpr.Programs(e.Prim) {
			contains = true
			if w.program(q) {
				captures = true
			}
		}
	}
	if contains && !captures {
		j.Memo(capturesNothing{}, func() any { return true })
		return false
	}
	w.captures[j] = captures
	return captures
}

type donation struct {
	arrays []*Array
	taken  []bool // the call has the memory
	all    bool   // the call has the memory of all whose readers are counted
	host   bool   // the executor uses host memory, so memory that is not returned can be freed after the call
}

// donate marks the donated arguments dead. The caller holds every argument once for each
// position in which it is passed. The arrays stay as they are until commit or undo.
func donate(donated []bool, args []*Array) donation {
	var d donation
	d.all = true
	for i, is := range donated {
		if !is {
			continue
		}
		a := args[i]
		d.arrays = append(d.arrays, a)
		s := atomic.LoadUint32(&a.state)
		sole := s&(counted|readers|dead|aliased) == counted|1 && atomic.CompareAndSwapUint32(&a.state, s, s|dead|gone)
		d.taken = append(d.taken, sole)
		if sole {
			continue
		}
		d.all = d.all && s&counted == 0
		if atomic.OrUint32(&a.state, dead)&dead != 0 && !d.has(a) {
			d.arrays, d.taken = d.arrays[:len(d.arrays)-1], d.taken[:len(d.taken)-1]
			d.undo()
			a.Live("jit")
		}
	}
	return d
}

// has reports whether the array was donated to this call before: it was passed twice.
func (d *donation) has(a *Array) bool {
	for _, b := range d.arrays[:len(d.arrays)-1] {
		if a == b {
			return true
		}
	}
	return false
}

// undo makes the arrays alive again after a call that failed.
func (d *donation) undo() {
	for i, a := range d.arrays {
		mask := uint32(dead)
		if d.taken[i] {
			mask |= gone
		}
		atomic.AndUint32(&a.state, ^mask)
	}
}

// separate makes results distinct: where one is also an earlier result, an argument that is not
// donated, or a constant of the program, it puts a new array with the same memory in its place.
// Donating one then leaves the others alive.
func (d *donation) separate(p *jaxpr.Jit, args, outs []*Array) {
	kept := map[*Array]bool{}
	for _, a := range args {
		kept[a] = true
	}
	for _, a := range constsOf(p.Jaxpr) {
		kept[a] = true
	}
	for _, a := range d.arrays {
		delete(kept, a) // see commit
	}
	for i, a := range outs {
		if kept[a] && a.hold() { // another goroutine may have donated it meanwhile; then the result is dead, too
			outs[i] = a.successor(false)
			a.drop()
		}
		kept[a] = !slices.Contains(d.arrays, a)
	}
}

// commit ends a call that succeeded. Results that are a donated argument get new arrays of the
// results' types with its memory. The memory of the other donated arguments is released: here if the
// call has it, else by the last reader.
func (d *donation) commit(outs []*Array, types []core.ShapedArray) {
	moved := make([]bool, len(d.arrays))
	for i, a := range d.arrays {
		var next *Array
		for k, o := range outs {
			switch {
			case o != a:
			case next == nil:
				next = a.successor(d.taken[i])
				outs[k] = next
			default:
				outs[k] = next.successor(false)
			}
			if o == a {
				outs[k].t.ShapedArray = types[k]
			}
		}
		moved[i] = next != nil
	}
	for i, a := range d.arrays {
		if d.taken[i] {
			if d.host && !moved[i] {
				a.release()
			}
			a.discard()
		}
	}
}

// lose ends a call whose executor ran, and may have overwritten the donated arguments, but
// returned results that are refused.
func (d *donation) lose() {
	d.host = false
	d.commit(nil, nil)
}
