// Package loopback carries bytes between the processes of a test, over TCP on this machine.
// Processes of a job die, lag and lie here on purpose; programs use MPI.
package loopback

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"time"
)

// Transport connects a process with every other one of its job.
type Transport struct {
	Limit time.Duration // how long another process may take; 0: any time

	rank  int
	peers []net.Conn // by rank; nil for this one
}

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
	t := &Transport{rank: rank, peers: make([]net.Conn, len(addrs))}
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
		t.peers[k] = c
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
		t.peers[k] = c
	}
	return t, nil
}

// Rank returns the number of this process, and how many there are.
func (t *Transport) Rank() (rank, size int) { return t.rank, len(t.peers) }

// Gather sends piece to the processes of the group and returns theirs.
func (t *Transport) Gather(group []int, piece []byte) ([][]byte, error) {
	out := make([][]byte, len(group))
	errs := make([]error, len(group))
	var wait sync.WaitGroup
	for i, k := range group {
		if k == t.rank {
			out[i] = piece
			continue
		}
		wait.Go(func() { out[i], errs[i] = t.swap(k, piece) })
	}
	wait.Wait()
	return out, errors.Join(errs...)
}

// swap sends a piece to a process and receives one from it.
func (t *Transport) swap(k int, piece []byte) ([]byte, error) {
	c := t.peers[k]
	if t.Limit > 0 {
		c.SetDeadline(time.Now().Add(t.Limit))
	}
	sent := make(chan error, 1)
	go func() {
		var n [8]byte
		binary.LittleEndian.PutUint64(n[:], uint64(len(piece)))
		_, err := (&net.Buffers{n[:], piece}).WriteTo(c)
		sent <- err
	}()
	var n uint64
	err := binary.Read(c, binary.LittleEndian, &n)
	var got []byte
	if err == nil {
		got = make([]byte, n)
		_, err = io.ReadFull(c, got)
	}
	if err == nil {
		err = <-sent
	}
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, fmt.Errorf("process %d is late: nothing came within %v", k, t.Limit)
	case err != nil:
		return nil, fmt.Errorf("process %d has left: %w", k, err)
	}
	return got, nil
}

// Close ends the connections.
func (t *Transport) Close() error {
	var errs []error
	for _, c := range t.peers {
		if c != nil {
			errs = append(errs, c.Close())
		}
	}
	return errors.Join(errs...)
}
