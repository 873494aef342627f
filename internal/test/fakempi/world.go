//go:build linux && (amd64 || arm64)

// Package fakempi contains an MPI library for tests: functions that the process calls as it calls
// those of a real one, through the same convention. The ranks of a job are goroutines of the
// process. Requests complete as late as MPI allows, and wrong arguments are errors.
package fakempi

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/ebitengine/purego"
	"golang.org/x/sys/unix"
)

// Most is the largest number of ranks of a world.
const Most = 4

// An ABI is the one that a fake library has.
type ABI int

// The ABIs.
const (
	Standard ABI = iota
	MPICH
	OpenMPI // without functions that end in _c
)

// A World is a job. Only one is in use at a time.
type World struct {
	abi     ABI
	Version string // as the library describes itself
	Major   int32  // of the standard ABI
	Thread  int32  // the level of threads that is granted, 0: what is asked for

	mu      sync.Mutex
	ranks   []*Rank
	aborted int32 // the status with which the job was aborted
}

// A Rank is a process of a job.
type Rank struct {
	w    *World
	rank int

	inside   atomic.Int32 // calls in progress
	state    int          // 0, initialized, finalized
	thread   int          // that initialized
	messages []*message   // sent here and not received
	waiting  []*request   // that receive messages to come
	requests map[uint64]*request
	next     uint64
	failures map[string]*failure
	calls    map[string]int
	mistake  string // the first
}

type message struct {
	from, tag int
	data      []byte
	send      *request
}

type request struct {
	from, tag int
	buffer    []byte // that receives, nil for a send
	ready     bool   // the message was received, or need not be
	polled    bool   // and a poll has found it so
}

type failure struct {
	after int
	code  int32
}

var current atomic.Pointer[World]

// New returns a job of n ranks, which replaces the previous one.
func New(abi ABI, n int) *World {
	w := &World{abi: abi, Major: 1, Version: []string{"Fake MPICH 5", "MPICH Version:      4.0.2\nMPICH Release date: never", "Open MPI v5.0.11, package: fake"}[abi]}
	for k := range n {
		w.ranks = append(w.ranks, &Rank{w: w, rank: k, next: 1 << 20, requests: map[uint64]*request{}, failures: map[string]*failure{}, calls: map[string]int{}})
	}
	current.Store(w)
	return w
}

// Rank returns the process of a number.
func (w *World) Rank(k int) *Rank { return w.ranks[k] }

// Aborted returns the status with which the job was aborted, 0 if it was not.
func (w *World) Aborted() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return int(w.aborted)
}

// Kill ends the job, as a launcher does.
func (w *World) Kill() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.aborted == 0 {
		w.aborted = -1
	}
}

// Symbol returns the address of a function or variable, as dlsym does.
func (r *Rank) Symbol(name string) (uintptr, error) {
	if p, ok := variables()[name]; ok && r.w.abi == OpenMPI {
		return p, nil
	}
	if p, ok := callbacks()[r.rank][name]; ok && (r.w.abi != OpenMPI || name[len(name)-2:] != "_c") && (r.w.abi == Standard || name != "MPI_Abi_get_version") {
		return p, nil
	}
	return 0, fmt.Errorf("undefined symbol: %s", name)
}

// Names returns the names of the functions, in order.
func Names() []string { return slices.Sorted(maps.Keys(functions)) }

// Fail makes a function return code, once after calls have worked.
func (r *Rank) Fail(function string, after int, code int32) {
	r.w.mu.Lock()
	defer r.w.mu.Unlock()
	r.failures[function] = &failure{after, code}
}

// Calls returns how often a function was called.
func (r *Rank) Calls(function string) int {
	r.w.mu.Lock()
	defer r.w.mu.Unlock()
	return r.calls[function]
}

// Mistake returns the first thing that the process did that MPI forbids, "" for none.
func (r *Rank) Mistake() string {
	r.w.mu.Lock()
	defer r.w.mu.Unlock()
	return r.mistake
}

// Active returns the number of requests that are not complete.
func (r *Rank) Active() int {
	r.w.mu.Lock()
	defer r.w.mu.Unlock()
	return len(r.requests)
}

// callbacks are the functions' addresses by rank, made once: a process can have 2000.
var callbacks = sync.OnceValue(func() (all [Most]map[string]uintptr) {
	for k := range all {
		all[k] = map[string]uintptr{}
		for name, f := range functions {
			all[k][name] = purego.NewCallback(f(name, func() *Rank { return current.Load().ranks[k] }))
		}
	}
	return all
})

// Codes of errors.
const (
	errArgument = 12
	errState    = 16
	errAborted  = 60
)

// do runs a function of the library.
func (r *Rank) do(name string, f func() int32) uintptr {
	if r.inside.Add(1) > 1 {
		r.w.mu.Lock()
		r.wrong("two threads call at a time")
		r.w.mu.Unlock()
	}
	defer r.inside.Add(-1)
	r.w.mu.Lock()
	defer r.w.mu.Unlock()
	r.calls[name]++
	switch name {
	case "MPI_Get_library_version", "MPI_Initialized", "MPI_Abi_get_version", "MPI_Error_string":
	case "MPI_Init_thread":
		if r.state != 0 {
			return uintptr(r.wrong("initialized twice"))
		}
	default:
		if r.state != 1 {
			return uintptr(r.wrong(name + " is called outside of MPI's life"))
		}
		if r.w.aborted != 0 {
			return errAborted
		}
	}
	if x := r.failures[name]; x != nil {
		if x.after--; x.after < 0 {
			delete(r.failures, name)
			return uintptr(x.code)
		}
	}
	return uintptr(f())
}

// wrong records a mistake.
func (r *Rank) wrong(what string) int32 {
	if r.mistake == "" {
		r.mistake = what
	}
	return errArgument
}

func thread() int { return unix.Gettid() }
