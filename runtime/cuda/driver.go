//go:build (linux || windows) && (amd64 || arm64)

package cuda

import (
	"fmt"
	goruntime "runtime"
	"strings"
	"sync"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/ptx"
	"github.com/weft-go/weft/lower/simt"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/cuda/internal/cu"
	"github.com/weft-go/weft/runtime/device"
	"github.com/weft-go/weft/runtime/internal/codecache"
)

func init() {
	runtime.RegisterLater("cuda:", func() ([]runtime.Executor, error) {
		l, err := cu.Load()
		if err != nil {
			return nil, err
		}
		ds, err := find(l, codecache.Dir(cacheVariable, "cuda"))
		if err != nil {
			return nil, err
		}
		var all []runtime.Executor
		for _, d := range ds {
			all = append(all, device.New(d))
		}
		return all, nil
	})
}

// Devices returns a line about each device: its executor's name, its own name, its
// capabilities, and the reason if it cannot be used. Without a driver it returns an error.
func Devices() ([]string, error) {
	l, err := cu.Load()
	if err != nil {
		return nil, err
	}
	ds, err := find(l, "")
	if err != nil {
		return nil, err
	}
	var lines []string
	for _, d := range ds {
		lines = append(lines, d.name+" "+d.Description())
	}
	return lines, nil
}

// find initializes a driver library and returns its devices. They keep machine code in the
// folder cache, if it is not "".
func find(l *cu.Library, cache string) ([]*driver, error) {
	version, err := l.Init()
	if err != nil {
		return nil, err
	}
	n, err := l.Devices()
	if err != nil {
		return nil, err
	}
	ds, folder := make([]*driver, n), codecache.In(cache, cacheSuffix)
	for i := range ds {
		ds[i] = &driver{name: fmt.Sprintf("cuda:%d", i), l: l, index: i, version: version, folder: folder}
	}
	return ds, nil
}

// driver is the [device.Driver] of one device.
type driver struct {
	name    string
	l       *cu.Library
	index   int
	version int               // of the driver
	folder  *codecache.Folder // of machine code

	once        sync.Once
	failed      error
	device      cu.Device
	context     cu.Handle
	stream      cu.Handle // of all commands but uploads and reads
	target      int       // compute capability that kernels are printed for
	capacity    int       // bytes of the device's memory
	async       bool      // memory is allocated in the order of the stream
	pool        cu.Handle
	cores       simt.TensorCores
	tried       sync.Once // tries to compile wgmma or tcgen05
	accelerated uintptr   // the target of accelerated modules (see ptx.Module); 0: that of the context
	refused     error     // the driver's error if it does not compile them
	conditions  conditions
	profiled    bool // a profiler runs

	mu       sync.Mutex // guards launcher and recent
	launcher *cu.Launcher
	recent   device.Recent

	up, down staging // from and to arrays of the host, each on a stream of its own
	inner    staging // to memory that commands of the stream use before and after
	marks    marks   // of the stream
	garbage  garbage
	modules  codecache.Shared[module] // that kernels use
}

// Name returns cuda:i.
func (d *driver) Name() string { return d.name }

// Available opens the device, once, and returns why that failed, if it did.
func (d *driver) Available() error {
	d.once.Do(func() { d.failed = d.open() })
	return d.failed
}

func (d *driver) open() error {
	if _, err := environment(); err != nil {
		return err
	}
	var err error
	if d.profiled, err = cu.Inject(); err != nil {
		return err
	}
	if d.device, err = d.l.Device(d.index); err != nil {
		return err
	}
	major, err := d.l.Attribute(d.device, cu.CapabilityMajor)
	if err != nil {
		return err
	}
	minor, err := d.l.Attribute(d.device, cu.CapabilityMinor)
	if err != nil {
		return err
	}
	if d.target, err = ptx.Target(10*major+minor, d.version); err != nil {
		return err
	}
	total, err := d.l.TotalMemory(d.device)
	if err != nil {
		return err
	}
	d.capacity = int(total)
	if d.context, err = d.l.Context(d.device); err != nil {
		return err
	}
	if err := d.enter(); err != nil {
		return err
	}
	defer d.Leave()
	if d.stream, err = d.l.NewStream(); err != nil {
		return err
	}
	d.marks.l, d.marks.stream = d.l, d.stream
	for _, way := range []*staging{&d.up, &d.down} {
		if way.stream, err = d.l.NewStream(); err != nil {
			return err
		}
	}
	d.inner.stream = d.stream
	for _, way := range []*staging{&d.up, &d.down, &d.inner} {
		way.marks.l, way.marks.stream = d.l, way.stream
	}
	d.openPool()
	d.openTensorCores(10*major + minor)
	d.launcher = cu.NewLauncher(d.l)
	return nil
}

// openPool finds out whether memory can be allocated in the order of streams. Where the device's pool fails, as a
// virtual GPU's may, memory is allocated by the function that every driver has.
func (d *driver) openPool() {
	pools, err := d.l.Attribute(d.device, cu.MemoryPools)
	if err != nil || pools == 0 || !d.l.Pools() {
		return
	}
	if d.pool, err = d.l.DefaultPool(d.device, uint64(d.capacity)); err != nil {
		return
	}
	p, err := d.l.AllocAsync(1, d.stream)
	if err != nil {
		return
	}
	d.async = d.l.FreeAsync(p, d.stream) == nil
}

// Description returns the device's name and capabilities, and the reason if it cannot be used.
func (d *driver) Description() string {
	why := d.Available()
	parts := []string{"a device"}
	if dev, err := d.l.Device(d.index); err == nil {
		if name, err := d.l.Name(dev); err == nil {
			parts[0] = name
		}
		attribute := func(what int) int {
			n, err := d.l.Attribute(dev, what)
			if err != nil {
				return 0
			}
			return n
		}
		parts = append(parts, fmt.Sprintf("compute capability %d.%d", attribute(cu.CapabilityMajor), attribute(cu.CapabilityMinor)))
		if total, err := d.l.TotalMemory(dev); err == nil {
			parts = append(parts, device.Bytes(int(total))+" of memory")
		}
		parts = append(parts, core.Count(attribute(cu.Multiprocessors), "multiprocessor"), device.Bytes(attribute(cu.L2Bytes))+" of L2")
	}
	parts = append(parts, fmt.Sprintf("driver for CUDA %d.%d", d.version/1000, d.version%1000/10))
	switch {
	case why != nil:
		parts = append(parts, "not used: "+why.Error())
	default:
		parts = append(parts, fmt.Sprintf("kernels for sm_%d", d.target))
		if d.async {
			parts = append(parts, "memory pools")
		}
		if d.l.Graphs() {
			parts = append(parts, d.graphsText())
		}
		switch cores := d.TensorCores(); {
		case cores.WGMMA:
			parts = append(parts, "tensor cores (wgmma)")
		case cores.TCGEN05:
			parts = append(parts, "tensor cores (tcgen05)")
		case cores.MMA && d.refused != nil:
			parts = append(parts, "tensor cores (mma.sync; "+strings.ReplaceAll(d.refused.Error(), "\n", " ")+")")
		case cores.MMA:
			parts = append(parts, "tensor cores (mma.sync)")
		}
	}
	return strings.Join(parts, ", ")
}

// Enter binds the goroutine to a thread whose context is the device's. Calls nest, also for several devices: code that
// runs between two launches may use another device.
func (d *driver) Enter() error { return d.explain(d.enter()) }

func (d *driver) enter() error {
	goruntime.LockOSThread()
	if err := d.l.Push(d.context); err != nil {
		goruntime.UnlockOSThread()
		return err
	}
	return nil
}

// Leave undoes Enter: the thread gets back the context that it had before. An error means that the context is lost,
// which the next call reports.
func (d *driver) Leave() {
	_ = d.l.Pop()
	goruntime.UnlockOSThread()
}

func (d *driver) within(f func() error) error {
	if err := d.enter(); err != nil {
		return err
	}
	defer d.Leave()
	return f()
}

// Capacity returns the bytes of the device's memory.
func (d *driver) Capacity() int { return d.capacity }

// Alloc returns device memory. With pools it is allocated on the stream of uploads, and d.stream waits for the allocation:
// so an upload to it need not wait for d.stream.
func (d *driver) Alloc(n int) (device.Memory, error) {
	var p uintptr
	err := d.within(func() (err error) {
		if !d.async {
			p, err = d.l.Alloc(n)
			return err
		}
		if p, err = d.l.AllocAsync(n, d.up.stream); err != nil {
			return err
		}
		m, err := d.up.marks.add()
		if err == nil {
			err = d.up.marks.hold(d.stream, m)
		}
		if err != nil {
			_ = d.l.FreeAsync(p, d.up.stream)
		}
		return err
	})
	return device.Memory(p), d.explainFor(n, err)
}

// Free releases device memory. It ignores errors: they mean that the context is lost, and the memory with it.
func (d *driver) Free(m device.Memory) {
	if !d.async { // here, freeing would wait for the device
		d.garbage.add(func(r *refuse) { r.memory = append(r.memory, uintptr(m)) })
		return
	}
	_ = d.within(func() error { return d.l.FreeAsync(uintptr(m), d.stream) })
}

// Trim waits for the device, destroys garbage and releases memory that the driver keeps.
func (d *driver) Trim() {
	_ = d.within(func() error {
		if err := d.sweepAll(); err != nil || !d.async {
			return err
		}
		return d.l.Trim(d.pool)
	})
}

// Copy copies within the device.
func (d *driver) Copy(dst device.Memory, at int, src device.Memory, from, n int) error {
	return d.explain(d.l.Copy(uintptr(dst)+uintptr(at), uintptr(src)+uintptr(from), n, d.stream))
}

func (d *driver) Launch(k device.Kernel, groups int, buffers []device.Place, symbols []int64) error {
	kn := k.(*kernel)
	d.mu.Lock()
	defer d.mu.Unlock()
	err := d.params(kn, buffers, symbols)
	if err == nil {
		err = d.launcher.Launch(kn.handle, kn.groups(groups), kn.threads, d.stream)
	}
	if err != nil {
		return d.kernelError(kn.Label, err)
	}
	d.recent.Add(kn.Label)
	return nil
}

func (d *driver) params(kn *kernel, buffers []device.Place, symbols []int64) error {
	n := len(buffers) + len(symbols)
	p, err := d.launcher.Params(kn.words(n))
	if err != nil {
		return err
	}
	d.launcher.Shared(kn.shared)
	if err := d.encode(kn, p[n:], buffers); err != nil {
		return err
	}
	for i, b := range buffers {
		p[i] = uint64(b.Memory) + uint64(b.Offset)
	}
	for i, s := range symbols {
		p[len(buffers)+i] = uint64(s)
	}
	return nil
}
