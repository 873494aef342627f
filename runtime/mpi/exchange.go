package mpi

import (
	"context"
	"encoding/binary"
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"
	"time"
	"unsafe"
)

// Kinds of exchanges.
const (
	gathered  = 'g'
	exchanged = 'x'
	permuted  = 'p'
	beginning = 'b'
	closing   = 'c'
)

// In an exchange a process sends another process a first message, which contains a header and the
// beginning of the data, and then messages with the rest. The header contains the kind of the
// exchange and the number of bytes, so that processes notice when they differ, and do not wait for
// messages that never come. First messages between processes of a machine go through boxes in
// memory that they share.
const (
	headerBytes = 16
	firstBytes  = 4096 // libraries send this much without asking the receiver
)

const (
	tagFirst = 1
	tagRest  = 2
)

// A process that waits spins, and then sleeps between polls. It spins longer while bytes move,
// because libraries move them when they are called.
const (
	spin  = 50 * time.Microsecond
	pause = 20 * time.Microsecond
	moves = time.Nanosecond // the time to move a byte
	looks = 64              // how often boxes are looked into between two looks at the clock
)

// An exchange is what a process sends and receives in one operation. The next operation reuses its memory.
type exchange struct {
	lib     *library
	kind    byte
	slots   []slot
	handles []byte // of the requests, in the order of slots
	done    []int32
	num     int32
	args    [7]uintptr
	pinned  runtime.Pinner
	err     error // of a request that the library did not accept

	failing atomic.Pointer[error] // why the process ends the job while it waits here

	active  int // requests that are not complete
	unknown int // first messages that have not arrived
	moving  int // bytes of the active requests that are not first messages

	// By rank: buffers of the first messages received and sent, the memory to fill with received data,
	// and the data to be sent to processes whose boxes are full.
	first, send, out, in [][]byte

	inbox, outbox []box // by rank; the memory is nil for processes that share none with this one
	come, full    []int // ranks whose first messages are to come through boxes, and those whose boxes are full
}

type slot struct {
	kind slotKind
	rank int
	n    int
}

type slotKind byte

const (
	sending slotKind = iota
	receivingFirst
	receivingRest
	complete
)

func newExchange(l *library, size int) *exchange {
	bytes := func() [][]byte { return make([][]byte, size) }
	return &exchange{lib: l, first: bytes(), send: bytes(), out: bytes(), in: bytes(), inbox: make([]box, size), outbox: make([]box, size)}
}

func (e *exchange) begin(kind byte) {
	e.kind, e.err, e.active, e.unknown, e.moving = kind, nil, 0, 0, 0
	e.slots, e.handles, e.come, e.full = e.slots[:0], e.handles[:0], e.come[:0], e.full[:0]
}

// receive starts to receive what a process sends, into out.
func (e *exchange) receive(rank int, out []byte) {
	e.out[rank] = out
	e.unknown++
	if e.inbox[rank].memory != nil {
		e.come = append(e.come, rank)
		return
	}
	if e.first[rank] == nil {
		e.first[rank] = make([]byte, firstBytes)
	}
	e.request(mpiIrecv, slot{receivingFirst, rank, 0}, e.first[rank], tagFirst)
}

// sends starts to send the bytes `in` to a process.
func (e *exchange) sends(rank int, in []byte) {
	if b := &e.outbox[rank]; b.memory != nil {
		if !b.put(e.kind, in) {
			e.in[rank] = in
			e.full = append(e.full, rank)
		}
	} else {
		if e.send[rank] == nil {
			e.send[rank] = make([]byte, firstBytes)
		}
		e.request(mpiIsend, slot{sending, rank, 0}, compose(e.send[rank], e.kind, in), tagFirst)
	}
	e.rest(mpiIsend, sending, rank, in[min(len(in), firstBytes-headerBytes):])
}

// compose writes the first message of the data `in` into m, and returns what it has written.
func compose(m []byte, kind byte, in []byte) []byte {
	m[0] = kind
	binary.LittleEndian.PutUint64(m[8:], uint64(len(in)))
	return m[:headerBytes+copy(m[headerBytes:], in)]
}

// rest starts the messages of b, the data that did not fit into the first message.
func (e *exchange) rest(f int, kind slotKind, rank int, b []byte) {
	if len(b) > 0 {
		e.pinned.Pin(&b[0])
	}
	for len(b) > 0 {
		n := min(len(b), e.lib.most)
		e.moving += n
		e.request(f, slot{kind, rank, n}, b[:n], tagRest)
		b = b[n:]
	}
}

func (e *exchange) request(f int, s slot, b []byte, tag uintptr) {
	if e.err != nil {
		return
	}
	l := e.lib
	at := len(e.handles)
	e.handles = append(e.handles, make([]byte, l.abi.request)...)
	// First messages and handles are on the heap, and the rest is pinned.
	e.args = [7]uintptr{uintptr(unsafe.Pointer(&b[0])), uintptr(len(b)), l.byte, uintptr(s.rank), tag, l.world, uintptr(unsafe.Pointer(&e.handles[at]))}
	if code := raw(l.functions[f], e.args[:]); code != 0 {
		e.err = l.failure(f, code)
		return
	}
	e.slots = append(e.slots, s)
	e.active++
}

// run waits until all requests are complete, and all messages of boxes are taken and put. After an
// error some requests may still be active.
func (e *exchange) run(ctx context.Context) error {
	var began time.Time // when the process became idle
	for idle := false; e.err == nil && e.active+len(e.come)+len(e.full) > 0; {
		n, err := e.progress()
		if err != nil {
			return err
		}
		if n > 0 {
			idle = false
			continue
		}
		if !idle {
			idle, began = true, time.Now()
		}
		if ctx.Err() != nil {
			return fmt.Errorf("mpi: waiting for %s: %w", e.late(), context.Cause(ctx))
		}
		if cause := e.failing.Load(); cause != nil {
			return *cause
		}
		limit := spin
		if e.unknown == 0 {
			limit += time.Duration(e.moving) * moves
		}
		if time.Since(began) > limit {
			nap(pause)
			if e.active == 0 {
				if err := e.probe(); err != nil {
					return err
				}
			}
		}
	}
	return e.err
}

// progress polls. It returns the number of requests completed plus that of messages taken from and put into boxes.
func (e *exchange) progress() (n int, err error) {
	for range looks {
		if n, err = e.look(); n > 0 || e.active > 0 || err != nil {
			break
		}
	}
	if e.active == 0 || err != nil {
		return n, err
	}
	polled, err := e.poll()
	return n + polled, err
}

// look takes the messages that are in boxes, and puts waiting messages into boxes that have room again.
func (e *exchange) look() (n int, err error) {
	for i := 0; i < len(e.come) && err == nil; {
		k := e.come[i]
		m := e.inbox[k].message()
		if m == nil {
			i++
			continue
		}
		e.come = slices.Delete(e.come, i, i+1)
		err = e.arrived(k, m)
		e.inbox[k].take()
		n++
	}
	for i := 0; i < len(e.full); {
		k := e.full[i]
		if !e.outbox[k].put(e.kind, e.in[k]) {
			i++
			continue
		}
		e.full = slices.Delete(e.full, i, i+1)
		n++
	}
	return n, err
}

// probe calls the library while the process waits for boxes only. In the call the library moves
// messages that earlier exchanges have sent to other machines, and it fails if the job has ended.
func (e *exchange) probe() error {
	l := e.lib
	e.args = [7]uintptr{uintptr(e.waitsFor()[0]), tagRest, l.world, uintptr(unsafe.Pointer(&e.num)), l.abi.statusesIgnore}
	if code := raw(l.functions[mpiIprobe], e.args[:5]); code != 0 {
		return l.failure(mpiIprobe, code)
	}
	return nil
}

// poll returns how many requests it has found complete.
func (e *exchange) poll() (int, error) {
	l := e.lib
	for len(e.done) < len(e.slots) {
		e.done = append(e.done, 0)
	}
	e.args = [7]uintptr{uintptr(len(e.slots)), uintptr(unsafe.Pointer(&e.handles[0])), uintptr(unsafe.Pointer(&e.num)), uintptr(unsafe.Pointer(&e.done[0])), l.abi.statusesIgnore}
	if code := raw(l.functions[mpiTestsome], e.args[:5]); code != 0 {
		return 0, l.failure(mpiTestsome, code)
	}
	if e.num == l.abi.undefined || e.num < 0 || int(e.num) > len(e.slots) {
		return 0, fmt.Errorf("mpi: %s of %s has lost %d requests; is the library another one than its name says?", l.names[mpiTestsome], l.file, e.active)
	}
	for _, i := range e.done[:e.num] {
		if i < 0 || int(i) >= len(e.slots) || e.slots[i].kind == complete {
			return 0, fmt.Errorf("mpi: %s of %s completes request %d of %d twice; is the library another one than its name says?", l.names[mpiTestsome], l.file, i, len(e.slots))
		}
		s := e.slots[i]
		e.slots[i].kind = complete
		e.active--
		e.moving -= s.n
		if s.kind == receivingFirst {
			if err := e.arrived(s.rank, e.first[s.rank]); err != nil {
				return 0, err
			}
		}
	}
	return int(e.num), e.err
}

// arrived handles the first message m of a process, and requests the rest of the data.
func (e *exchange) arrived(rank int, m []byte) error {
	e.unknown--
	out := e.out[rank]
	kind, n := m[0], binary.LittleEndian.Uint64(m[8:])
	const same = "run the same program in each process"
	switch {
	case kind == closing && e.kind != closing:
		return fmt.Errorf("mpi: process %d has left the job at an exchange of this one; %s", rank, same)
	case kind != closing && e.kind == closing:
		return fmt.Errorf("mpi: process %d is at an exchange, and this one leaves the job; %s", rank, same)
	case kind != e.kind || n != uint64(len(out)):
		return fmt.Errorf("mpi: process %d sends %d bytes of kind %c (want %d of kind %c); %s", rank, n, kind, len(out), e.kind, same)
	}
	k := copy(out, m[headerBytes:])
	e.rest(mpiIrecv, receivingRest, rank, out[k:])
	return nil
}

// late names the processes that the exchange waits for.
func (e *exchange) late() string {
	if ranks := e.waitsFor(); len(ranks) > 1 {
		return fmt.Sprintf("processes %v", ranks)
	}
	return fmt.Sprintf("process %d", e.waitsFor()[0])
}

func (e *exchange) waitsFor() []int {
	ranks := slices.Concat(e.come, e.full)
	for _, s := range e.slots {
		if s.kind != complete {
			ranks = append(ranks, s.rank)
		}
	}
	slices.Sort(ranks)
	return slices.Compact(ranks)
}
