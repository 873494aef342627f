// Package proflabel names stretches of a goroutine's work in CPU profiles, as runtime/pprof does,
// but without a context, which running code seldom has.
package proflabel

import (
	"context"
	"runtime/pprof"
	"sync"
	"unsafe"
)

// Key is the key of all labels.
const Key = "weft"

// Label is a name for profiles.
type Label struct {
	name string
	set  unsafe.Pointer // the runtime's form of the label
}

// A goroutine's labels, as package runtime/pprof reads and writes them. Package
// runtime promises to keep the two functions.
//
//go:linkname get runtime/pprof.runtime_getProfLabel
func get() unsafe.Pointer

//go:linkname set runtime/pprof.runtime_setProfLabel
func set(labels unsafe.Pointer)

// labels contains all labels that were made, one per name.
var labels sync.Map // name → *Label

// ours contains the runtime's pointers to these labels.
var ours sync.Map // unsafe.Pointer → struct{}

// New returns the label with that name.
func New(name string) *Label {
	if l, ok := labels.Load(name); ok {
		return l.(*Label)
	}
	old := get()
	defer set(old)
	pprof.SetGoroutineLabels(pprof.WithLabels(context.Background(), pprof.Labels(Key, name)))
	l := &Label{name: name, set: get()}
	if other, found := labels.LoadOrStore(name, l); found {
		return other.(*Label)
	}
	ours.Store(l.set, struct{}{})
	return l
}

// Do runs f under the label. A goroutine keeps labels that the user has set: they cannot be joined with this
// one without the user's context.
func (l *Label) Do(f func()) {
	defer l.Begin().End()
	f()
}

// Outer is what a goroutine's labels were before Begin.
type Outer struct {
	labels unsafe.Pointer
	ours   bool
}

// Begin puts what follows under the label until End, as Do does for a function.
func (l *Label) Begin() Outer {
	old := get()
	if old != nil {
		if _, own := ours.Load(old); !own {
			return Outer{}
		}
	}
	set(l.set)
	return Outer{old, true}
}

// End restores the labels.
func (o Outer) End() {
	if o.ours {
		set(o.labels)
	}
}

// DoContext runs f under the label and the labels of ctx.
func (l *Label) DoContext(ctx context.Context, f func()) {
	old := get()
	defer set(old)
	pprof.SetGoroutineLabels(pprof.WithLabels(ctx, pprof.Labels(Key, l.name)))
	f()
}
