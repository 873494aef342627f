//go:build linux && (amd64 || arm64)

// Package fakecuda contains a driver library for tests: functions that the process calls as it
// calls NVIDIA's, through the same convention, and which interpret the PTX that they receive.
// Commands run as late as the driver allows, so that a missing wait shows.
package fakecuda

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/ebitengine/purego"
	"golang.org/x/sys/unix"

	"github.com/weft-go/weft/internal/test/ptxeval"
)

// A Driver is the state of a fake library. Only one is in use at a time.
type Driver struct {
	mu sync.Mutex

	Version    int // as 13000
	Capability int // of each device, as 80
	Devices    int
	Total      int // bytes of each device's memory
	Pools      bool
	Strict     bool // what the process must keep for the driver is written over if it is garbage
	Unnamed    bool // the linker takes its target from the context alone: otherwise sm_90a and sm_100f must be named

	held   chan struct{} // see Hold
	asleep int           // threads that it keeps

	current  map[int][]uintptr // contexts by thread, the current one last
	memory   []*memory         // by address
	host     [][]byte
	used     map[uintptr]int // bytes by context
	streams  map[uintptr]*stream
	events   map[uintptr]*event
	links    map[uintptr]*link
	modules  map[uintptr]*ptxeval.Module
	funcs    map[uintptr]*function
	graphs   map[uintptr]*graph
	bodies   map[uintptr]*graph // of conditional nodes
	runs     map[uintptr]*graph // instances
	values   map[uint64]uint32  // of conditions
	lost     int32              // error that every call returns
	failures map[string]*failure
	calls    map[string]int
}

type memory struct {
	ptxeval.Region
	context uintptr
}

type stream struct {
	context uintptr
	queue   []command
	done    int  // commands that have run
	busy    bool // the first one of queue runs
}

type command struct {
	run   func() int32
	ready func() bool // whether what it waits for has run, or can be run; nil: it waits for nothing
}

type event struct {
	stream *stream // nil: never recorded
	at     int     // number of commands before it
	sleeps bool    // threads that wait for it
	clock  bool
}

type link struct {
	text, code []byte
	target     uintptr   // 0: the context's
	values     uintptr   // of the options: where the process keeps them
	given      []uintptr // … as they were
}

type function struct {
	module *ptxeval.Module
	name   string
	shared int // bytes of shared memory that launches may have, if more than mostShared
}

type graph struct{ nodes []*node }

// A node is a kernel, or a condition with a body.
type node struct {
	handle    uintptr
	condition uint64
	repeats   bool
	body      *graph // nil: the node is a kernel

	f       *function
	groups  int
	threads int
	shared  int
	params  []uint64
}

type failure struct {
	after int
	code  int32
	times int
}

// current is the driver whose functions are called.
var current atomic.Pointer[Driver]

// next is the latest handle or address. No two drivers share any, because objects of the previous
// driver may still be destroyed.
var next uintptr = 0x7f0000000000

// New returns a driver with a device of compute capability 8.0 and 1 GB, which replaces the
// previous one.
func New() *Driver {
	d := &Driver{Version: 13000, Capability: 80, Devices: 1, Total: 1 << 30, Pools: true,
		current: map[int][]uintptr{}, used: map[uintptr]int{}, streams: map[uintptr]*stream{}, events: map[uintptr]*event{},
		links: map[uintptr]*link{}, modules: map[uintptr]*ptxeval.Module{}, funcs: map[uintptr]*function{}, graphs: map[uintptr]*graph{},
		bodies: map[uintptr]*graph{}, runs: map[uintptr]*graph{}, values: map[uint64]uint32{}, failures: map[string]*failure{}, calls: map[string]int{}}
	current.Store(d)
	return d
}

// Current returns the driver that New has returned last.
func Current() *Driver { return current.Load() }

// callbacks are the functions' addresses, made once: a process can have 2000.
var callbacks = sync.OnceValue(func() map[string]uintptr {
	all := map[string]uintptr{}
	for name, f := range functions {
		all[name] = purego.NewCallback(f)
	}
	return all
})

// Symbol returns the address of a function, as dlsym does.
func (d *Driver) Symbol(name string) (uintptr, error) {
	if p, ok := callbacks()[name]; ok {
		return p, nil
	}
	return 0, fmt.Errorf("undefined symbol: %s", name)
}

// Names returns the names of the functions, in order.
func Names() []string { return slices.Sorted(maps.Keys(functions)) }

// Fail makes a function return code in as many calls as times says. after calls before them work.
func (d *Driver) Fail(function string, after int, code int32, times int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.failures[function] = &failure{after, code, times}
}

// Calls returns how often a function was called.
func (d *Driver) Calls(function string) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.calls[function]
}

// Texts returns the names of the functions of all modules that are loaded, a line each.
func (d *Driver) Texts() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	var names []string
	for _, f := range d.funcs {
		names = append(names, f.name)
	}
	slices.Sort(names)
	return strings.Join(names, "\n")
}

// Hold keeps threads that wait for an event, where commands before it have not run, until release is called.
func (d *Driver) Hold() (release func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.held = make(chan struct{})
	return sync.OnceFunc(func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		close(d.held)
		d.held, d.asleep = nil, 0
	})
}

// Asleep returns the number of threads that are held and take no processor: their events were created so.
func (d *Driver) Asleep() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.asleep
}

// Waiting returns the number of commands that have been given but have not run.
func (d *Driver) Waiting() (n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, s := range d.streams {
		n += len(s.queue)
	}
	return n
}

// Objects counts the objects that exist.
type Objects struct{ Memory, Bytes, Streams, Events, Modules, Links, Graphs int }

// Objects returns the numbers of objects that exist after all commands have run.
func (d *Driver) Objects() Objects {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, s := range d.streams {
		d.run(s, s.done+len(s.queue))
	}
	bytes := 0
	for _, m := range d.memory {
		bytes += len(m.Data)
	}
	return Objects{len(d.memory), bytes, len(d.streams), len(d.events), len(d.modules), len(d.links), len(d.graphs) + len(d.runs)}
}

// call records a call and returns the code with which it must fail, 0 if it need not.
func (d *Driver) call(name string) int32 {
	d.calls[name]++
	if f := d.failures[name]; f != nil {
		if f.after > 0 {
			f.after--
		} else if f.times > 0 {
			f.times--
			return f.code
		}
	}
	return d.lost
}

// handle returns a new handle.
func (d *Driver) handle() uintptr {
	next += 16
	return next
}

// context returns the context of the calling thread, 0 for none.
func (d *Driver) context() uintptr {
	if all := d.current[unix.Gettid()]; len(all) > 0 {
		return all[len(all)-1]
	}
	return 0
}

// The codes of errors.
const (
	invalidValue   = 1
	outOfMemory    = 2
	invalidContext = 201
	invalidPTX     = 218
	invalidImage   = 200
	invalidHandle  = 400
	notFound       = 500
	notReady       = 600
	illegalAddress = 700
)

// add appends a command to a stream.
func (d *Driver) add(handle uintptr, f func() int32) int32 {
	if s := d.streams[handle]; s != nil && s.context != d.context() {
		return invalidContext
	}
	return d.addAnywhere(handle, f)
}

// addAnywhere is add for commands that a thread of any context may give.
func (d *Driver) addAnywhere(handle uintptr, f func() int32) int32 {
	s := d.streams[handle]
	if s == nil {
		return invalidHandle
	}
	s.queue = append(s.queue, command{run: f})
	return 0
}

// run runs the commands of a stream up to a number.
func (d *Driver) run(s *stream, to int) {
	for s.done < to && len(s.queue) > 0 && !s.busy {
		c := s.queue[0]
		if c.ready != nil && !c.ready() {
			return
		}
		s.busy = true
		if d.lost == 0 {
			d.lost = c.run()
		}
		s.busy = false
		s.queue = s.queue[1:]
		s.done++
	}
}

// find returns the memory of a context that contains an address.
func (d *Driver) find(context uintptr, address uint64) *memory {
	i, ok := slices.BinarySearchFunc(d.memory, address, func(m *memory, a uint64) int {
		switch {
		case m.Base > a:
			return 1
		case a-m.Base >= uint64(len(m.Data)):
			return -1
		}
		return 0
	})
	if !ok || d.memory[i].context != context {
		return nil
	}
	return d.memory[i]
}

// bytes returns n bytes at an address, nil if no one memory contains them all.
func (d *Driver) bytes(context, address uintptr, n int) []byte {
	m := d.find(context, uint64(address))
	if m == nil {
		return nil
	}
	at := int(uint64(address) - m.Base)
	if at+n > len(m.Data) {
		return nil
	}
	return m.Data[at : at+n]
}

// alloc returns the address of new memory, filled with a pattern.
func (d *Driver) alloc(n int) (uintptr, int32) {
	c := d.context()
	if c == 0 {
		return 0, invalidContext
	}
	if n <= 0 {
		return 0, invalidValue
	}
	if d.used[c]+n > d.Total {
		return 0, outOfMemory
	}
	d.used[c] += n
	next = (next + 4096 + 255) &^ 255
	m := &memory{Region: ptxeval.Region{Base: uint64(next), Data: make([]byte, n)}, context: c}
	for i := range m.Data {
		m.Data[i] = 0xa5
	}
	next += uintptr(n)
	d.memory = append(d.memory, m) // addresses grow
	return uintptr(m.Base), 0
}

// free releases memory.
func (d *Driver) free(address uintptr) int32 {
	for i, m := range d.memory {
		if m.Base == uint64(address) {
			d.used[m.context] -= len(m.Data)
			d.memory = slices.Delete(d.memory, i, i+1)
			return 0
		}
	}
	return invalidValue
}

// pinned returns n bytes of host memory that was allocated here, nil for other memory.
func (d *Driver) pinned(p *byte, n int) []byte {
	for _, h := range d.host {
		if at := int(uintptr(unsafe.Pointer(p)) - uintptr(unsafe.Pointer(&h[0]))); at >= 0 && at+n <= len(h) {
			return h[at : at+n]
		}
	}
	return nil
}

// execute runs a kernel.
func (d *Driver) execute(context uintptr, n *node) int32 {
	n.f.module.SetCondition = d.setCondition
	params, threads, _ := n.f.module.Parameters(n.f.name)
	if params > len(n.params) || threads != n.threads {
		return invalidValue
	}
	err := n.f.module.RunAt(n.f.name, n.groups, n.shared, n.params[:params], func(address uint64) *ptxeval.Region {
		if m := d.find(context, address); m != nil {
			return &m.Region
		}
		return nil
	})
	if err != nil {
		lastFault = err
		return illegalAddress
	}
	return 0
}

// lastFault is what the interpreter reported last.
var lastFault error

// Fault returns what the interpreter reported last, nil if it reported nothing.
func (d *Driver) Fault() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	err := lastFault
	lastFault = nil
	return err
}
