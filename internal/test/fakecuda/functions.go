//go:build linux && (amd64 || arm64)

package fakecuda

import (
	"bytes"
	"errors"
	"maps"
	goruntime "runtime"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/weft-go/weft/internal/test/ptxeval"
)

// library guards what drivers share: handles and texts.
var library sync.Mutex

// do runs a function of the library.
func do(name string, f func(d *Driver) int32) uintptr {
	library.Lock() // what is freed late calls the driver before
	defer library.Unlock()
	d := current.Load()
	d.mu.Lock()
	defer d.mu.Unlock()
	if code := d.call(name); code != 0 {
		return uintptr(code)
	}
	return uintptr(f(d))
}

// commandMs is what a command takes by the clock of events, in milliseconds.
const commandMs = 0.25

// hold keeps a thread that waits for an event whose commands have not run, if the driver holds such threads.
func hold(e uintptr) {
	library.Lock()
	d := current.Load()
	d.mu.Lock()
	ev, held := d.events[e], d.held
	if ev == nil || ev.stream == nil || ev.stream.done >= ev.at {
		held = nil
	}
	if held != nil && ev.sleeps {
		d.asleep++
	}
	d.mu.Unlock()
	library.Unlock()
	if held != nil {
		<-held
	}
}

// reuse uses Go's memory that is garbage for something else, if the driver is strict.
func (d *Driver) reuse() {
	if !d.Strict {
		return
	}
	goruntime.GC()
	for _, n := range []int{2, 3, 4} {
		for range 1 << 14 {
			s := make([]uintptr, n)
			for i := range s {
				s[i] = 0xdead
			}
			reused.Store(&s)
		}
	}
}

// reused keeps the compiler from placing what is stored on the stack.
var reused atomic.Pointer[[]uintptr]

// holds reports whether a graph or an instance of one has a node of a function.
func (d *Driver) holds(f *function) bool {
	for _, all := range []map[uintptr]*graph{d.graphs, d.runs} {
		for _, g := range all {
			if g.any(func(n *node) bool { return n.f == f }) {
				return true
			}
		}
	}
	return false
}

// errorNames are the errors that have names.
var errorNames = map[uintptr]string{1: "CUDA_ERROR_INVALID_VALUE", 2: "CUDA_ERROR_OUT_OF_MEMORY", 100: "CUDA_ERROR_NO_DEVICE", 201: "CUDA_ERROR_INVALID_CONTEXT",
	218: "CUDA_ERROR_INVALID_PTX", 221: "CUDA_ERROR_JIT_COMPILER_NOT_FOUND", 222: "CUDA_ERROR_UNSUPPORTED_PTX_VERSION", 400: "CUDA_ERROR_INVALID_HANDLE",
	500: "CUDA_ERROR_NOT_FOUND", 700: "CUDA_ERROR_ILLEGAL_ADDRESS", 701: "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"}

// texts are words with zeros behind them, which stay where they are.
var texts = map[string][]byte{}

func text(s string) *byte {
	b, ok := texts[s]
	if !ok {
		b = append([]byte(s), 0)
		texts[s] = b
	}
	return &b[0]
}

// nodeParams is CUDA_KERNEL_NODE_PARAMS_v2.
type nodeParams struct {
	function    uintptr
	grid, block [3]uint32
	shared      uint32
	_           uintptr
	extra       *[5]uintptr
	_, _        uintptr
}

// params returns the parameters that a launch passes in its extra argument.
func params(extra *[5]uintptr) []uint64 {
	if extra == nil || extra[0] != 1 || extra[2] != 2 || extra[4] != 0 {
		return nil
	}
	n := **(**uintptr)(unsafe.Pointer(&extra[3]))
	return slices.Clone(unsafe.Slice(*(**uint64)(unsafe.Pointer(&extra[1])), n/8))
}

// mostShared is the shared memory in bytes that a launch can have without an attribute of the
// function.
const mostShared = 48 << 10

// node returns a node with parameters.
func (d *Driver) node(p *nodeParams) *node {
	f := d.funcs[p.function]
	if f == nil || int(p.shared) > max(mostShared, f.shared) || p.grid[1] != 1 || p.grid[2] != 1 || p.block[1] != 1 || p.block[2] != 1 || p.grid[0] == 0 {
		return nil
	}
	return &node{handle: d.handle(), f: f, groups: int(p.grid[0]), threads: int(p.block[0]), shared: int(p.shared), params: params(p.extra)}
}

// functions are those of the library by name.
var functions = together(programFunctions, memoryFunctions, graphFunctions)

func together(parts ...map[string]any) map[string]any {
	all := map[string]any{}
	for _, p := range parts {
		maps.Copy(all, p)
	}
	return all
}

// programFunctions are those of devices, modules, launches, streams and events.
var programFunctions = map[string]any{
	"cuInit": func(flags uintptr) uintptr {
		return do("cuInit", func(*Driver) int32 { return 0 })
	},
	"cuDriverGetVersion": func(v *int32) uintptr {
		return do("cuDriverGetVersion", func(d *Driver) int32 { *v = int32(d.Version); return 0 })
	},
	"cuDeviceGetCount": func(n *int32) uintptr {
		return do("cuDeviceGetCount", func(d *Driver) int32 { *n = int32(d.Devices); return 0 })
	},
	"cuDeviceGet": func(dev *int32, i uintptr) uintptr {
		return do("cuDeviceGet", func(d *Driver) int32 {
			if int(i) >= d.Devices {
				return 101
			}
			*dev = int32(i)
			return 0
		})
	},
	"cuDeviceGetName": func(name *byte, n, dev uintptr) uintptr {
		return do("cuDeviceGetName", func(*Driver) int32 { copy(unsafe.Slice(name, n), "Fake GPU\x00"); return 0 })
	},
	"cuDeviceGetAttribute": func(x *int32, what, dev uintptr) uintptr {
		return do("cuDeviceGetAttribute", func(d *Driver) int32 {
			*x = map[uintptr]int32{75: int32(d.Capability / 10), 76: int32(d.Capability % 10), 16: 2, 38: 1 << 20, 97: 227 << 10}[what]
			if what == 115 && d.Pools {
				*x = 1
			}
			return 0
		})
	},
	"cuDeviceTotalMem_v2": func(n *uint64, dev uintptr) uintptr {
		return do("cuDeviceTotalMem_v2", func(d *Driver) int32 { *n = uint64(d.Total); return 0 })
	},
	"cuDevicePrimaryCtxRetain": func(c *uintptr, dev uintptr) uintptr {
		return do("cuDevicePrimaryCtxRetain", func(*Driver) int32 { *c = 0x1000 + dev; return 0 })
	},
	"cuCtxPushCurrent_v2": func(c uintptr) uintptr {
		return do("cuCtxPushCurrent_v2", func(d *Driver) int32 {
			thread := unix.Gettid()
			d.current[thread] = append(d.current[thread], c)
			return 0
		})
	},
	"cuCtxPopCurrent_v2": func(c *uintptr) uintptr {
		return do("cuCtxPopCurrent_v2", func(d *Driver) int32 {
			if *c = d.context(); *c == 0 {
				return invalidContext
			}
			thread := unix.Gettid()
			d.current[thread] = d.current[thread][:len(d.current[thread])-1]
			return 0
		})
	},
	"cuGetErrorName": func(code uintptr, p **byte) uintptr {
		name, ok := errorNames[code]
		if !ok {
			return invalidValue
		}
		*p = text(name)
		return 0
	},
	"cuGetErrorString": func(code uintptr, p **byte) uintptr {
		if _, ok := errorNames[code]; !ok {
			return invalidValue
		}
		*p = text("the fake's words")
		return 0
	},
	"cuLinkCreate_v2": func(n uintptr, options *int32, values *uintptr, state *uintptr) uintptr {
		return do("cuLinkCreate_v2", func(d *Driver) int32 {
			if d.context() == 0 {
				return invalidContext
			}
			*state = d.handle()
			l := &link{}
			for i := range n {
				switch unsafe.Slice(options, n)[i] {
				case 5:
					log := *(**byte)(unsafe.Pointer(&unsafe.Slice(values, n)[i]))
					l.text = unsafe.Slice(log, 16<<10)
				case 9:
					if d.Unnamed {
						return invalidValue
					}
					l.target = unsafe.Slice(values, n)[i]
				}
			}
			l.values = uintptr(unsafe.Pointer(values))
			l.given = slices.Clone(unsafe.Slice(values, n))
			d.links[*state] = l
			return 0
		})
	},
	"cuLinkAddData_v2": func(state, kind uintptr, data *byte, n uintptr, name *byte, options, a, b uintptr) uintptr {
		return do("cuLinkAddData_v2", func(d *Driver) int32 {
			l := d.links[state]
			if l == nil || kind != 1 {
				return invalidHandle
			}
			source := bytes.TrimRight(unsafe.Slice(data, n), "\x00")
			want := uintptr(0) // the target that must be named
			switch {
			case bytes.Contains(source, []byte("\n.target sm_90a\n")):
				want = 0x10000 + 90
			case bytes.Contains(source, []byte("\n.target sm_100f\n")):
				want = 0x20000 + 100
			}
			if l.target != want && !(d.Unnamed && l.target == 0) {
				copy(l.text, "ptxas fatal: the target is not the one that is assembled for\x00")
				return invalidPTX
			}
			if _, err := parse(source); err != nil {
				copy(l.text, "ptxas weft.ptx, "+err.Error()+"\x00")
				return invalidPTX
			}
			l.code = append(append([]byte("code\n"), source...), 0)
			return 0
		})
	},
	"cuLinkComplete": func(state uintptr, code **byte, n *uintptr) uintptr {
		return do("cuLinkComplete", func(d *Driver) int32 {
			l := d.links[state]
			if l == nil || l.code == nil {
				return invalidHandle
			}
			*code, *n = &l.code[0], uintptr(len(l.code)-1)
			return 0
		})
	},
	"cuLinkDestroy": func(state uintptr) uintptr {
		return do("cuLinkDestroy", func(d *Driver) int32 {
			if l := d.links[state]; l != nil {
				d.reuse()
				values := *(**uintptr)(unsafe.Pointer(&l.values)) // as C keeps it: the collector does not see it
				if !slices.Equal(unsafe.Slice(values, len(l.given)), l.given) {
					lastFault = errors.New("cuLinkDestroy: the values of the options are garbage; keep them until the linker is destroyed")
				}
				for i := range l.code {
					l.code[i] = 0xff // it must have been copied
				}
			}
			delete(d.links, state)
			return 0
		})
	},
	"cuModuleLoadData": func(m *uintptr, image *byte) uintptr {
		return do("cuModuleLoadData", func(d *Driver) int32 {
			if d.context() == 0 {
				return invalidContext
			}
			n := 0
			for *(*byte)(unsafe.Add(unsafe.Pointer(image), n)) != 0 {
				n++
			}
			source, ok := bytes.CutPrefix(unsafe.Slice(image, n), []byte("code\n"))
			if !ok && !bytes.HasPrefix(source, []byte(".version")) {
				return invalidImage
			}
			module, err := parse(source)
			if err != nil {
				return invalidImage
			}
			*m = d.handle()
			d.modules[*m] = module
			return 0
		})
	},
	"cuModuleGetFunction": func(f *uintptr, m uintptr, name *byte) uintptr {
		return do("cuModuleGetFunction", func(d *Driver) int32 {
			n := 0
			for *(*byte)(unsafe.Add(unsafe.Pointer(name), n)) != 0 {
				n++
			}
			module := d.modules[m]
			if module == nil {
				return invalidHandle
			}
			x := &function{module: module, name: string(unsafe.Slice(name, n))}
			if _, _, ok := module.Parameters(x.name); !ok {
				return notFound
			}
			*f = d.handle()
			d.funcs[*f] = x
			return 0
		})
	},
	"cuModuleUnload": func(m uintptr) uintptr {
		return do("cuModuleUnload", func(d *Driver) int32 {
			for f, x := range d.funcs {
				if x.module == d.modules[m] {
					if d.holds(x) {
						lastFault = errors.New("cuModuleUnload: a graph holds a kernel of the module; destroy the graph first")
					}
					delete(d.funcs, f)
				}
			}
			if d.modules[m] == nil || d.context() == 0 {
				return invalidHandle
			}
			delete(d.modules, m)
			return 0
		})
	},
	"cuLaunchKernel": func(f, gx, gy, gz, bx, by, bz, shared, stream, kernelParams uintptr, extra *[5]uintptr) uintptr {
		return do("cuLaunchKernel", func(d *Driver) int32 {
			n := d.node(&nodeParams{function: f, grid: [3]uint32{uint32(gx), uint32(gy), uint32(gz)}, block: [3]uint32{uint32(bx), uint32(by), uint32(bz)}, shared: uint32(shared), extra: extra})
			if n == nil {
				return invalidValue
			}
			c := d.context()
			return d.add(stream, func() int32 { return d.execute(c, n) })
		})
	},
	"cuFuncSetAttribute": func(f, what, value uintptr) uintptr {
		return do("cuFuncSetAttribute", func(d *Driver) int32 {
			if d.funcs[f] == nil || what != 8 || value > 227<<10 {
				return invalidValue
			}
			d.funcs[f].shared = int(value)
			return 0
		})
	},
	"cuOccupancyMaxActiveBlocksPerMultiprocessor": func(n *int32, f, threads, shared uintptr) uintptr {
		return do("cuOccupancyMaxActiveBlocksPerMultiprocessor", func(d *Driver) int32 {
			if d.funcs[f] == nil {
				return invalidHandle
			}
			*n = int32(1536 / threads)
			return 0
		})
	},
	"cuTensorMapEncodeTiled": func(m *[16]uint64, kind, rank, address uintptr, dims *[5]uint64, strides *[4]uint64, box, steps *[5]uint32, interleave, exchange, promotion, fill uintptr) uintptr {
		return do("cuTensorMapEncodeTiled", func(d *Driver) int32 {
			size := map[uintptr]int{6: 2, 9: 2, 11: 4}[kind]
			if size == 0 || rank < 2 || rank > 5 || address%16 != 0 || uintptr(unsafe.Pointer(m))%64 != 0 || exchange != 3 || int(box[0])*size > 128 {
				return invalidValue
			}
			for i := range rank {
				if dims[i] == 0 || dims[i] > 1<<32 || box[i] == 0 || box[i] > 256 || steps[i] != 1 || i > 0 && (strides[i-1]%16 != 0 || strides[i-1] >= 1<<40) {
					return invalidValue
				}
			}
			*m = ptxeval.EncodeMap(uint64(address), size, int(rank), *dims, *strides, *box)
			return 0
		})
	},
	"cuStreamCreate": func(s *uintptr, flags uintptr) uintptr {
		return do("cuStreamCreate", func(d *Driver) int32 {
			if d.context() == 0 {
				return invalidContext
			}
			*s = d.handle()
			d.streams[*s] = &stream{context: d.context()}
			return 0
		})
	},
	"cuStreamWaitEvent": func(h, e, flags uintptr) uintptr {
		return do("cuStreamWaitEvent", func(d *Driver) int32 {
			ev := d.events[e]
			if ev == nil {
				return invalidHandle
			}
			behind, at := ev.stream, ev.at // as it is recorded now
			s := d.streams[h]
			if s == nil {
				return invalidHandle
			}
			ready := func() bool {
				if behind != nil {
					d.run(behind, at)
				}
				return behind == nil || behind.done >= at || d.lost != 0
			}
			s.queue = append(s.queue, command{func() int32 { return 0 }, ready})
			return 0
		})
	},
	"cuEventCreate": func(e *uintptr, flags uintptr) uintptr {
		return do("cuEventCreate", func(d *Driver) int32 {
			if d.context() == 0 {
				return invalidContext
			}
			*e = d.handle()
			d.events[*e] = &event{sleeps: flags&1 != 0, clock: flags&2 == 0}
			return 0
		})
	},
	"cuEventRecord": func(e, h uintptr) uintptr {
		return do("cuEventRecord", func(d *Driver) int32 {
			ev, s := d.events[e], d.streams[h]
			if ev == nil || s == nil || s.context != d.context() {
				return invalidHandle
			}
			ev.stream, ev.at = s, s.done+len(s.queue)
			return 0
		})
	},
	"cuEventQuery": func(e uintptr) uintptr {
		return do("cuEventQuery", func(d *Driver) int32 {
			ev := d.events[e]
			switch {
			case ev == nil:
				return invalidHandle
			case ev.stream != nil && ev.stream.done < ev.at:
				return notReady
			}
			return d.lost
		})
	},
	"cuEventElapsedTime": func(ms *float32, from, to uintptr) uintptr {
		return do("cuEventElapsedTime", func(d *Driver) int32 {
			a, b := d.events[from], d.events[to]
			if a == nil || b == nil || !a.clock || !b.clock || a.stream != b.stream {
				return invalidHandle
			}
			*ms = float32(b.at-a.at) * commandMs
			return 0
		})
	},
	"cuEventDestroy_v2": func(e uintptr) uintptr {
		return do("cuEventDestroy_v2", func(d *Driver) int32 {
			if d.events[e] == nil || d.context() == 0 {
				return invalidHandle
			}
			delete(d.events, e)
			return 0
		})
	},
	"cuEventSynchronize": func(e uintptr) uintptr {
		hold(e)
		return do("cuEventSynchronize", func(d *Driver) int32 {
			ev := d.events[e]
			if ev == nil {
				return invalidHandle
			}
			if ev.stream != nil {
				d.run(ev.stream, ev.at)
			}
			return d.lost
		})
	},
}
