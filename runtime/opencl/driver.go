//go:build (linux || darwin || windows) && (amd64 || arm64)

package opencl

import (
	"fmt"
	"math"
	goruntime "runtime"
	"strings"
	"sync"

	"github.com/weft-go/weft/lower/opencl"
	"github.com/weft-go/weft/lower/simt"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/device"
	"github.com/weft-go/weft/runtime/opencl/internal/cl"
)

func init() {
	runtime.RegisterLater("opencl:", func() ([]runtime.Executor, error) {
		if err := cl.Load(); err != nil {
			return nil, err
		}
		ids, err := cl.Devices()
		if err != nil {
			return nil, err
		}
		var all []runtime.Executor
		for i, id := range ids {
			all = append(all, device.New(&driver{name: fmt.Sprintf("opencl:%d", i), id: id}))
		}
		return all, nil
	})
}

// Devices returns a line about each device: its name, its executor's name, and why it is
// not used if so. Without a driver it returns the reason.
func Devices() ([]string, error) {
	if err := cl.Load(); err != nil {
		return nil, err
	}
	ids, err := cl.Devices()
	if err != nil {
		return nil, err
	}
	var lines []string
	for i, id := range ids {
		d := &driver{name: fmt.Sprintf("opencl:%d", i), id: id}
		lines = append(lines, d.name+" "+d.Description())
	}
	return lines, nil
}

// exact returns nil, or why the device cannot compute the reference's bits.
func exact(id cl.Handle) error {
	bits, err := floats(id, cl.DeviceSingle)
	if err != nil {
		return err
	}
	for _, need := range []struct {
		bit  uint64
		what string
	}{{cl.Denormals, "subnormal numbers"}, {cl.RoundToNearest, "rounding to nearest"}, {cl.FMA, "fused multiply-add"}, {cl.RoundedDivide, "correctly rounded division"}} {
		if bits&need.bit == 0 {
			return fmt.Errorf("the device has no %s of f32; use another device", need.what)
		}
	}
	return nil
}

// floats returns the properties of a device's floats. Oclgrind, which looks for races in kernels,
// does not report that its fma rounds once and its quotients are correct, as tests show.
func floats(id cl.Handle, what int) (uint64, error) {
	bits, err := cl.Info(id, what)
	if err == nil && bits != 0 && cl.Text(id, cl.DeviceName) == "Oclgrind Simulator" {
		bits |= cl.FMA | cl.RoundedDivide
	}
	return bits, err
}

// driver reaches one device.
type driver struct {
	name string
	id   cl.Handle

	once    sync.Once
	failed  error
	context cl.Handle
	queue   cl.Handle
	doubles bool

	mu       sync.Mutex // arguments and the launch that reads them are one step, and so is a release
	launcher *cl.Launcher

	marks   marks
	garbage garbage
}

// Name returns opencl:i.
func (d *driver) Name() string { return d.name }

// Available opens the device.
func (d *driver) Available() error {
	d.once.Do(func() { d.failed = d.open() })
	return d.failed
}

func (d *driver) open() error {
	if err := exact(d.id); err != nil {
		return err
	}
	bits, err := floats(d.id, cl.DeviceDouble)
	d.doubles = err == nil && bits&(cl.Denormals|cl.FMA) == cl.Denormals|cl.FMA
	if d.context, err = cl.NewContext(d.id); err != nil {
		return err
	}
	d.queue, err = cl.NewQueue(d.context, d.id)
	d.launcher = &cl.Launcher{}
	return err
}

// Description returns the device's name and capabilities, and why it is not used if so.
func (d *driver) Description() string {
	why := d.Available()
	parts := []string{cl.Text(d.id, cl.DeviceName), cl.Text(d.id, cl.DeviceVersion), "driver " + cl.Text(d.id, cl.DriverVersion)}
	if n, err := cl.Info(d.id, cl.DeviceGlobalBytes); err == nil {
		parts = append(parts, device.Bytes(int(n))+" of memory")
	}
	if n, err := cl.Info(d.id, cl.DeviceLocalBytes); err == nil {
		parts = append(parts, device.Bytes(int(n))+" of local memory")
	}
	switch {
	case why != nil:
		parts = append(parts, "not used: "+why.Error())
	case d.doubles:
		parts = append(parts, "f64")
	default:
		parts = append(parts, "no f64")
	}
	return strings.Join(parts, ", ")
}

// Enter prepares nothing.
func (d *driver) Enter() error { return nil }

// Leave ends nothing.
func (d *driver) Leave() {}

// kernel is a kernel of a built program.
type kernel struct {
	handle  cl.Handle
	name    string
	threads int
}

// Build compiles functions as one program.
func (d *driver) Build(fs []*simt.Func) (device.Code, error) {
	src := opencl.Print(fs...)
	code := device.Code{Bytes: len(src.Text)}
	if src.Doubles && !d.doubles {
		var names []string
		for _, f := range fs {
			names = append(names, f.Name)
		}
		return code, fmt.Errorf("the device has no f64, which one of the kernels %s needs; use f32, or another device", strings.Join(names, ", "))
	}
	p, err := cl.Build(d.context, d.id, src.Text, opencl.BuildOptions)
	if err != nil {
		return code, err
	}
	defer cl.ReleaseProgram(p)
	for i, f := range fs {
		h, err := cl.NewKernel(p, src.Names[i])
		if err != nil {
			return code, fmt.Errorf("kernel %s: %w", f.Name, err)
		}
		k := &kernel{h, f.Name, f.Threads}
		d.garbage.watchKernel(k)
		code.Kernels = append(code.Kernels, k)
	}
	return code, nil
}

// Capacity returns the bytes of the device's memory.
func (d *driver) Capacity() int {
	n, err := cl.Info(d.id, cl.DeviceGlobalBytes)
	if err != nil {
		return 0
	}
	return int(min(n, math.MaxInt))
}

// Alloc returns device memory.
func (d *driver) Alloc(n int) (device.Memory, error) {
	d.Trim() // memory that is garbage may be enough
	m, err := cl.NewMemory(d.context, n)
	return device.Memory(m), err
}

// Free releases device memory with the next command: the collector's goroutine calls it.
func (d *driver) Free(m device.Memory) { d.garbage.add(&d.garbage.memory, cl.Handle(m)) }

// Trim releases what is garbage now.
func (d *driver) Trim() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.garbage.release()
}

// Write copies to the device.
func (d *driver) Write(dst device.Memory, offset int, data []byte) error {
	return cl.Write(d.queue, cl.Handle(dst), offset, data)
}

// Read copies from the device.
func (d *driver) Read(data []byte, src device.Memory, offset int) error {
	return cl.Read(d.queue, cl.Handle(src), offset, data)
}

// Copy copies within the device.
func (d *driver) Copy(dst device.Memory, at int, src device.Memory, from, n int) error {
	return cl.Copy(d.queue, cl.Handle(src), cl.Handle(dst), from, at, n)
}

// Launch runs a kernel. A buffer is memory and an offset.
func (d *driver) Launch(k device.Kernel, groups int, buffers []device.Place, symbols []int64) error {
	kn := k.(*kernel)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.garbage.release()
	if err := d.launch(kn, groups, buffers, symbols); err != nil {
		return fmt.Errorf("kernel %s: %w", kn.name, err)
	}
	return nil
}

// launch sets a kernel's arguments and launches it.
func (d *driver) launch(k *kernel, groups int, buffers []device.Place, symbols []int64) error {
	i := 0
	for _, b := range buffers {
		if err := d.launcher.Set(k.handle, i, uint64(b.Memory)); err != nil {
			return err
		}
		if err := d.launcher.Set(k.handle, i+1, uint64(b.Offset)); err != nil {
			return err
		}
		i += 2
	}
	for _, s := range symbols {
		if err := d.launcher.Set(k.handle, i, uint64(s)); err != nil {
			return err
		}
		i++
	}
	err := d.launcher.Launch(d.queue, k.handle, groups, k.threads)
	goruntime.KeepAlive(k)
	return err
}

// marks are the events of the latest marks: mark m has event m modulo their number.
type marks struct {
	mu     sync.Mutex
	events [64]*event
	last   device.Mark
}

// event is an event of the queue.
type event struct{ handle cl.Handle }

// Mark returns a mark behind what was given.
func (d *driver) Mark() (device.Mark, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.garbage.release()
	h, err := cl.Mark(d.queue)
	if err != nil {
		return 0, err
	}
	e := &event{handle: h}
	d.garbage.watchEvent(e)
	d.marks.mu.Lock()
	defer d.marks.mu.Unlock()
	d.marks.last++
	d.marks.events[d.marks.last%device.Mark(len(d.marks.events))] = e
	return d.marks.last, nil
}

// Wait waits for a mark, or a later one.
func (d *driver) Wait(m device.Mark) error {
	d.marks.mu.Lock()
	e := d.marks.events[m%device.Mark(len(d.marks.events))]
	d.marks.mu.Unlock()
	err := cl.Wait(e.handle)
	goruntime.KeepAlive(e)
	return err
}
