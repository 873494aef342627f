//go:build linux && (amd64 || arm64)

package fakempi

import (
	"encoding/binary"
	"fmt"
	"slices"
	"unsafe"
)

// Handles of the communicator of all ranks, the type of bytes, the handler that returns errors, and
// of no request; MPI_STATUSES_IGNORE.
type handles struct {
	world, byte, errorsReturn, none, ignore uint64
	size                                    int // bytes of a request's handle
}

// objects are what handles of Open MPI are addresses of.
var objects [4][64]byte

func address(i int) uint64 { return uint64(uintptr(unsafe.Pointer(&objects[i]))) }

func variables() map[string]uintptr {
	return map[string]uintptr{"ompi_mpi_comm_world": uintptr(address(0)), "ompi_mpi_byte": uintptr(address(1)), "ompi_mpi_errors_return": uintptr(address(2))}
}

func (w *World) handles() handles {
	switch w.abi {
	case Standard:
		return handles{0x101, 0x247, 0x143, 0x180, 0, 8}
	case MPICH:
		return handles{0x44000000, 0x4c00010d, 0x54000001, 0x2c000000, 1, 4}
	}
	return handles{address(0), address(1), address(2), address(3), 0, 8}
}

// handle reads a handle that is passed by value: an int, or as long as an address.
func (w *World) handle(h uintptr) uint64 {
	if w.abi == MPICH {
		return uint64(uint32(h))
	}
	return uint64(h)
}

func (h handles) read(p *byte) uint64 {
	if h.size == 4 {
		return uint64(binary.LittleEndian.Uint32(unsafe.Slice(p, 4)))
	}
	return binary.LittleEndian.Uint64(unsafe.Slice(p, 8))
}

func (h handles) write(p *byte, v uint64) {
	if h.size == 4 {
		binary.LittleEndian.PutUint32(unsafe.Slice(p, 4), uint32(v))
		return
	}
	binary.LittleEndian.PutUint64(unsafe.Slice(p, 8), v)
}

// functions make those of the library by name, for a rank.
var functions = map[string]func(name string, rank func() *Rank) any{
	"MPI_Get_library_version": func(name string, rank func() *Rank) any {
		return func(text *byte, n *int32) uintptr {
			r := rank()
			return r.do(name, func() int32 { *n = int32(copy(unsafe.Slice(text, 256), r.w.Version)); return 0 })
		}
	},
	"MPI_Abi_get_version": func(name string, rank func() *Rank) any {
		return func(major, minor *int32) uintptr {
			r := rank()
			return r.do(name, func() int32 { *major, *minor = r.w.Major, 0; return 0 })
		}
	},
	"MPI_Initialized": func(name string, rank func() *Rank) any {
		return func(flag *int32) uintptr {
			r := rank()
			return r.do(name, func() int32 { *flag = int32(min(r.state, 1)); return 0 })
		}
	},
	"MPI_Init_thread": func(name string, rank func() *Rank) any {
		return func(argc, argv uintptr, level int32, granted *int32) uintptr {
			r := rank()
			return r.do(name, func() int32 {
				r.state, r.thread, *granted = 1, thread(), level
				if r.w.Thread != 0 {
					*granted = r.w.Thread
				}
				return 0
			})
		}
	},
	"MPI_Comm_set_errhandler": func(name string, rank func() *Rank) any {
		return func(comm, handler uintptr) uintptr {
			r := rank()
			return r.do(name, func() int32 {
				if h := r.w.handles(); r.w.handle(comm) != h.world || r.w.handle(handler) != h.errorsReturn {
					return r.wrong("unknown error handler")
				}
				return 0
			})
		}
	},
	"MPI_Comm_rank": func(name string, rank func() *Rank) any {
		return func(comm uintptr, n *int32) uintptr {
			r := rank()
			return r.do(name, func() int32 { *n = int32(r.rank); return r.communicator(comm) })
		}
	},
	"MPI_Comm_size": func(name string, rank func() *Rank) any {
		return func(comm uintptr, n *int32) uintptr {
			r := rank()
			return r.do(name, func() int32 { *n = int32(len(r.w.ranks)); return r.communicator(comm) })
		}
	},
	"MPI_Isend":   func(name string, rank func() *Rank) any { return isend(name, rank, false) },
	"MPI_Isend_c": func(name string, rank func() *Rank) any { return isend(name, rank, true) },
	"MPI_Irecv":   func(name string, rank func() *Rank) any { return irecv(name, rank, false) },
	"MPI_Irecv_c": func(name string, rank func() *Rank) any { return irecv(name, rank, true) },
	"MPI_Testsome": func(name string, rank func() *Rank) any {
		return func(n int32, requests *byte, count, indices *int32, statuses uintptr) uintptr {
			r := rank()
			return r.do(name, func() int32 { return r.testsome(n, requests, count, indices, statuses) })
		}
	},
	"MPI_Iprobe": func(name string, rank func() *Rank) any {
		return func(peer, tag, comm uintptr, flag *int32, status uintptr) uintptr {
			r := rank()
			return r.do(name, func() int32 {
				if p := int(int32(peer)); p < 0 || p >= len(r.w.ranks) || uint64(status) != r.w.handles().ignore {
					return r.wrong("unknown arguments of MPI_Iprobe")
				}
				*flag = 0
				return r.communicator(comm)
			})
		}
	},
	"MPI_Error_string": func(name string, rank func() *Rank) any {
		return func(code int32, text *byte, n *int32) uintptr {
			r := rank()
			return r.do(name, func() int32 {
				*n = int32(copy(unsafe.Slice(text, 256), fmt.Sprintf("error %d of\n the fake library", code)))
				return 0
			})
		}
	},
	"MPI_Abort": func(name string, rank func() *Rank) any {
		return func(comm uintptr, status int32) uintptr {
			r := rank()
			return r.do(name, func() int32 { r.w.aborted = status; return r.communicator(comm) })
		}
	},
	"MPI_Finalize": func(name string, rank func() *Rank) any {
		return func() uintptr {
			r := rank()
			return r.do(name, func() int32 {
				switch {
				case len(r.requests) > 0:
					return r.wrong("MPI is finalized with active requests")
				case r.thread != thread():
					return r.wrong("MPI is finalized by another thread than began it")
				}
				r.state = 2
				return 0
			})
		}
	},
}

func (r *Rank) communicator(comm uintptr) int32 {
	if r.w.handle(comm) != r.w.handles().world {
		return r.wrong("unknown communicator")
	}
	return 0
}

// counted returns a count as a function takes it, which need not extend an int.
func counted(n uintptr, long bool) int {
	if long {
		return int(n)
	}
	return int(int32(n))
}

// check checks the arguments of a message, and stores the handle of a new request.
func (r *Rank) check(n int, typ, peer, comm uintptr, handle *byte, q *request) int32 {
	h := r.w.handles()
	if n < 0 || r.w.handle(typ) != h.byte || int(int32(peer)) < 0 || int(int32(peer)) >= len(r.w.ranks) || r.w.handle(comm) != h.world {
		return r.wrong("unknown arguments of a message")
	}
	r.next += 3
	r.requests[r.next] = q
	h.write(handle, r.next)
	return 0
}

// eager is the size in bytes up to which a send need not wait for its receiver.
const eager = 4096

func isend(name string, rank func() *Rank, long bool) any {
	return func(buffer *byte, count, typ, peer, tag, comm uintptr, handle *byte) uintptr {
		r := rank()
		return r.do(name, func() int32 {
			n := counted(count, long)
			q := &request{ready: n <= eager}
			if code := r.check(n, typ, peer, comm, handle, q); code != 0 {
				return code
			}
			m := &message{from: r.rank, tag: int(int32(tag)), data: unsafe.Slice(buffer, n), send: q}
			if q.ready {
				m.data = slices.Clone(m.data)
			}
			to := r.w.ranks[int32(peer)]
			for i, p := range to.waiting {
				if m.from == p.from && m.tag == p.tag {
					to.waiting = slices.Delete(to.waiting, i, i+1)
					return to.receive(p, m)
				}
			}
			to.messages = append(to.messages, m)
			return 0
		})
	}
}

func irecv(name string, rank func() *Rank, long bool) any {
	return func(buffer *byte, count, typ, peer, tag, comm uintptr, handle *byte) uintptr {
		r := rank()
		return r.do(name, func() int32 {
			n := counted(count, long)
			q := &request{from: int(int32(peer)), tag: int(int32(tag)), buffer: unsafe.Slice(buffer, n)}
			if code := r.check(n, typ, peer, comm, handle, q); code != 0 {
				return code
			}
			for i, m := range r.messages {
				if m.from == q.from && m.tag == q.tag {
					r.messages = slices.Delete(r.messages, i, i+1)
					return r.receive(q, m)
				}
			}
			r.waiting = append(r.waiting, q)
			return 0
		})
	}
}

// receive takes a message by the request that waits for it.
func (r *Rank) receive(q *request, m *message) int32 {
	if len(m.data) > len(q.buffer) {
		return r.wrong("a message is longer than the buffer that receives it")
	}
	copy(q.buffer, m.data)
	q.ready, m.send.ready = true, true
	return 0
}

// testsome completes requests that have been ready since the previous call.
func (r *Rank) testsome(n int32, requests *byte, count, indices *int32, statuses uintptr) int32 {
	h := r.w.handles()
	if n < 0 || uint64(statuses) != h.ignore {
		return r.wrong("unknown arguments of MPI_Testsome")
	}
	*count = 0
	found := false
	for i := range n {
		p := (*byte)(unsafe.Add(unsafe.Pointer(requests), int(i)*h.size))
		key := h.read(p)
		if key == h.none {
			continue
		}
		q := r.requests[key]
		if q == nil {
			return r.wrong("unknown request")
		}
		found = true
		if q.ready && q.polled {
			delete(r.requests, key)
			h.write(p, h.none)
			unsafe.Slice(indices, n)[*count] = i
			*count++
		}
		q.polled = q.ready
	}
	if !found {
		*count = -32766
	}
	return 0
}
