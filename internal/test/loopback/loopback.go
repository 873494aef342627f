// Package loopback carries bytes between the processes of a test, over TCP on this machine.
// Processes of a job die, lag and lie here on purpose; programs use MPI.
package loopback

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Transport connects a process with every other one of its job.
type Transport struct {
	Bytes atomic.Int64 // sent so far, without frames
	Calls atomic.Int64 // that communicated

	rank  int
	peers []*peer // by rank; nil for this one

	// What ended the job before its end.
	once   sync.Once
	broken chan struct{}
	reason error
}

// peer is the connection with another process. Its frames are read as they come, so that no
// process waits for the other to read.
type peer struct {
	rank   int
	c      net.Conn
	frames chan frame
}

// A frame is what a process sends to another at a time.
type frame struct {
	kind byte
	data []byte
	err  error // why no more frames come
}

// Kinds of frames.
const (
	gathered  = 'g'
	exchanged = 'x'
	permuted  = 'p'
	closing   = 'c' // with the reason, empty if there is none
)

// Addresses returns n addresses at which no process listens.
func Addresses(n int) ([]string, error) {
	var addrs []string
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer l.Close()
		addrs = append(addrs, l.Addr().String())
	}
	return addrs, nil
}

// Connect returns the transport of a process, once all have called it. Each process has an
// address.
func Connect(rank int, addrs []string, limit time.Duration) (*Transport, error) {
	t := &Transport{rank: rank, peers: make([]*peer, len(addrs)), broken: make(chan struct{})}
	l, err := net.Listen("tcp", addrs[rank])
	if err != nil {
		return nil, err
	}
	defer l.Close()
	end := time.Now().Add(limit)
	for k := range rank {
		c, err := net.Dial("tcp", addrs[k])
		for err != nil && time.Now().Before(end) {
			time.Sleep(5 * time.Millisecond)
			c, err = net.Dial("tcp", addrs[k])
		}
		if err != nil {
			return nil, fmt.Errorf("process %d does not answer: %w", k, err)
		}
		if err := binary.Write(c, binary.LittleEndian, uint32(rank)); err != nil {
			return nil, err
		}
		t.add(k, c)
	}
	for range len(addrs) - rank - 1 {
		l.(*net.TCPListener).SetDeadline(end)
		c, err := l.Accept()
		if err != nil {
			return nil, fmt.Errorf("not all processes connect: %w", err)
		}
		var k uint32
		if err := binary.Read(c, binary.LittleEndian, &k); err != nil {
			return nil, err
		}
		t.add(int(k), c)
	}
	return t, nil
}

func (t *Transport) add(rank int, c net.Conn) {
	p := &peer{rank, c, make(chan frame, 1024)}
	t.peers[rank] = p
	go t.read(p)
}

// read puts frames into the channel, the last one with an error.
func (t *Transport) read(p *peer) {
	for {
		var head [9]byte
		_, err := io.ReadFull(p.c, head[:])
		var data []byte
		if err == nil {
			data = make([]byte, binary.LittleEndian.Uint64(head[1:]))
			_, err = io.ReadFull(p.c, data)
		}
		switch {
		case err != nil:
			err = fmt.Errorf("process %d has left: %w", p.rank, err)
		case head[0] == closing && len(data) > 0:
			err = fmt.Errorf("process %d has ended: %s", p.rank, data)
		case head[0] == closing:
			err = fmt.Errorf("process %d has left the job; run as many exchanges in each process", p.rank)
		}
		p.frames <- frame{head[0], data, err}
		if err != nil {
			if head[0] != closing || len(data) > 0 {
				t.once.Do(func() { t.reason = err; close(t.broken) })
			}
			return
		}
	}
}

// write sends a frame.
func (p *peer) write(kind byte, data []byte) error {
	var head [9]byte
	head[0] = kind
	binary.LittleEndian.PutUint64(head[1:], uint64(len(data)))
	if _, err := (&net.Buffers{head[:], data}).WriteTo(p.c); err != nil {
		return fmt.Errorf("process %d has left: %w", p.rank, err)
	}
	return nil
}

// Rank returns the number of this process, and how many there are.
func (t *Transport) Rank() (rank, size int) { return t.rank, len(t.peers) }

// Gather sends in to the processes of the group and fills out with what each of them sends.
func (t *Transport) Gather(ctx context.Context, group []int, in, out []byte) error {
	n := len(in)
	copy(out[n*slices.Index(group, t.rank):], in)
	return t.swap(ctx, gathered, group, group, func(int) []byte { return in }, func(i int) []byte { return out[i*n : (i+1)*n] })
}

// Exchange sends each process of the group its part of in.
func (t *Transport) Exchange(ctx context.Context, group []int, in, out []byte) error {
	n := len(in) / len(group)
	own := n * slices.Index(group, t.rank)
	copy(out[own:own+n], in[own:])
	part := func(b []byte) func(i int) []byte { return func(i int) []byte { return b[i*n : (i+1)*n] } }
	return t.swap(ctx, exchanged, group, group, part(in), part(out))
}

// Permute sends in to one process and fills out with what another sends.
func (t *Transport) Permute(ctx context.Context, to, from int, in, out []byte) error {
	if to == t.rank {
		copy(out, in)
	}
	ranks := func(k int) []int {
		if k < 0 {
			return nil
		}
		return []int{k}
	}
	return t.swap(ctx, permuted, ranks(to), ranks(from), func(int) []byte { return in }, func(int) []byte { return out })
}

// swap sends parts to processes and fills others with what processes send. What a process has for
// itself has been copied.
func (t *Transport) swap(ctx context.Context, kind byte, to, from []int, in, out func(i int) []byte) error {
	t.Calls.Add(1)
	sent := make(chan error, len(to))
	for i, k := range to {
		if k == t.rank {
			sent <- nil
			continue
		}
		t.Bytes.Add(int64(len(in(i))))
		go func() { sent <- t.peers[k].write(kind, in(i)) }()
	}
	var errs []error
	var late []int
	for i, k := range from {
		if k == t.rank {
			continue
		}
		f, err := t.next(ctx, k)
		switch {
		case errors.Is(err, errLate):
			late = append(late, k)
		case err != nil:
			errs = append(errs, err)
		case f.kind != kind || len(f.data) != len(out(i)):
			errs = append(errs, fmt.Errorf("process %d sends %d bytes of kind %c, not %d of kind %c; run the same program in each process", k, len(f.data), f.kind, len(out(i)), kind))
		default:
			copy(out(i), f.data)
		}
	}
	if late != nil {
		errs = append(errs, fmt.Errorf("waiting for processes %v: %w", late, context.Cause(ctx)))
	}
	if errs != nil {
		t.hangUp() // so that what is being sent ends
	}
	for range to {
		if err := <-sent; err != nil && errs == nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// errLate is the error of a frame that has not come when the context ends.
var errLate = errors.New("late")

// next returns the next frame of a process.
func (t *Transport) next(ctx context.Context, k int) (frame, error) {
	frames := t.peers[k].frames
	select {
	case f := <-frames:
		return f, f.err
	default:
	}
	select {
	case f := <-frames:
		return f, f.err
	case <-t.broken:
		return frame{}, t.reason
	case <-ctx.Done():
		return frame{}, errLate
	}
}

// hangUp makes writes fail that wait for another process to read.
func (t *Transport) hangUp() {
	for _, p := range t.peers {
		if p != nil {
			p.c.SetWriteDeadline(time.Now())
		}
	}
}

// Close ends the connections. The other processes learn the cause.
func (t *Transport) Close(cause error) error {
	text := ""
	if cause != nil {
		text = cause.Error()
	}
	var errs []error
	for _, p := range t.peers {
		if p == nil {
			continue
		}
		p.c.SetWriteDeadline(time.Now().Add(time.Second))
		p.write(closing, []byte(text)) // a process that has left needs none
		errs = append(errs, p.c.Close())
	}
	return errors.Join(errs...)
}
