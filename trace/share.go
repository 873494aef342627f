package trace

import (
	"slices"
	"sync"
	"unsafe"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
)

// Func is a function over flat lists of values.
type Func = func([]core.Value) []core.Value

// Body is a function that becomes a program within the program that is recorded. Of is the function
// value of the user's that F stands for, nil if there is none. If the same function value is staged
// twice within a trace, and writes the same program, both uses share one program, which text shows
// once.
type Body struct {
	F  Func
	Of any
}

// shared are the programs that function values have written within a trace.
type shared struct {
	mu   sync.Mutex
	seen map[unsafe.Pointer][]sharedProgram
}

type sharedProgram struct {
	of any // keeps the function, and so its address, alive
	j  *jaxpr.Jaxpr
}

// Share returns the earlier program that equals j, written by the same function value in the
// outermost trace of this goroutine; else j.
func Share(of any, j *jaxpr.Jaxpr) *jaxpr.Jaxpr {
	if of == nil {
		return j
	}
	outermost, ok := core.OutermostRecorder().(*Recorder)
	if !ok {
		return j
	}
	s := &outermost.shared
	s.mu.Lock()
	defer s.mu.Unlock()
	// The word behind a function in an interface is the function itself: its code and
	// what it captured.
	key := (*[2]unsafe.Pointer)(unsafe.Pointer(&of))[1]
	for _, p := range s.seen[key] {
		if sameProgram(p.j, j) {
			return p.j
		}
	}
	if s.seen == nil {
		s.seen = map[unsafe.Pointer][]sharedProgram{}
	}
	s.seen[key] = append(s.seen[key], sharedProgram{of, j})
	return j
}

// sameProgram reports whether one program can stand for the other: their equations and constants
// are the same, and neither holds a Go function.
func sameProgram(a, b *jaxpr.Jaxpr) bool {
	return !a.Closureful() && !b.Closureful() && jaxpr.Equal(a, b) && slices.Equal(constantsOf(a), constantsOf(b))
}

func constantsOf(j *jaxpr.Jaxpr) []core.Value {
	vals := j.ConstVals
	for _, e := range j.Eqns {
		for _, k := range jaxpr.Programs(e.Prim) {
			vals = append(vals[:len(vals):len(vals)], constantsOf(k)...)
		}
	}
	return vals
}
