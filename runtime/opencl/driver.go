//go:build (linux || darwin || windows) && (amd64 || arm64)

package opencl

import (
	"fmt"
	"math"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/device"
	"github.com/weft-go/weft/runtime/internal/codecache"
	"github.com/weft-go/weft/runtime/opencl/internal/cl"
)

func init() {
	runtime.RegisterLater("opencl:", func() ([]runtime.Executor, error) {
		if err := cl.Load(); err != nil {
			return nil, err
		}
		ds, err := find(codecache.Dir(cacheVariable, "opencl"))
		if err != nil {
			return nil, err
		}
		var all []runtime.Executor
		for _, d := range ds {
			d.folder = folderOf(d.id, d.folder)
			all = append(all, device.New(d))
		}
		return all, nil
	})
}

// Devices returns a line about each device: its executor's name, its own name, its
// capabilities, and the reason if it cannot be used. Without a driver it returns an error.
func Devices() ([]string, error) {
	if err := cl.Load(); err != nil {
		return nil, err
	}
	ds, err := find("")
	if err != nil {
		return nil, err
	}
	var lines []string
	for _, d := range ds {
		lines = append(lines, d.name+" "+d.Description())
	}
	return lines, nil
}

// find returns the devices. They keep compiled programs in the folder cache, if it is not "".
func find(cache string) ([]*driver, error) {
	ids, err := cl.Devices()
	if err != nil {
		return nil, err
	}
	ds, folder := make([]*driver, len(ids)), codecache.In(cache, cacheSuffix)
	for i, id := range ids {
		ds[i] = &driver{name: fmt.Sprintf("opencl:%d", i), id: id, folder: folder}
	}
	return ds, nil
}

// exact returns nil, or an error that says why the device cannot compute the reference's bits.
func exact(id cl.Handle) error {
	bits, err := floats(id, cl.DeviceSingle)
	if err != nil {
		return err
	}
	var lacks []string
	for _, need := range []struct {
		bit  uint64
		what string
	}{{cl.Denormals, "subnormal numbers"}, {cl.RoundToNearest, "rounding to nearest"}, {cl.FMA, "fused multiply-add"}, {cl.RoundedDivide, "correctly rounded division"}} {
		if bits&need.bit == 0 {
			lacks = append(lacks, need.what)
		}
	}
	if len(lacks) == 0 {
		return nil
	}
	why, instead := "its results would not have the reference executor's bits", "use another device, or the processor"
	if bits&cl.Denormals == 0 {
		why = "it replaces numbers below 1.2e-38 by 0, so that " + why
	}
	if strings.Contains(cl.Text(id, cl.DeviceVendor), "Apple") {
		instead = "Apple's GPUs have none through OpenCL, run on the processor"
	}
	return fmt.Errorf("the device has no %s of f32 (%s); %s", strings.Join(lacks, " and no "), why, instead)
}

// floats returns the properties of a device's floats. Oclgrind, which looks for races in kernels,
// does not report that its fma rounds once and that its quotients are correct; tests show both.
func floats(id cl.Handle, what int) (uint64, error) {
	bits, err := cl.Info(id, what)
	if err == nil && bits != 0 && cl.Text(id, cl.DeviceName) == "Oclgrind Simulator" {
		bits |= cl.FMA | cl.RoundedDivide
	}
	return bits, err
}

// driver is the [device.Driver] of one device.
type driver struct {
	name   string
	id     cl.Handle
	folder *codecache.Folder // of compiled programs

	once     sync.Once
	failed   error
	context  cl.Handle
	queue    cl.Handle // of all commands but reads
	reads    cl.Handle // of reads of computed elements; the commands of neither queue wait for those of the other
	doubles  bool
	compiler string // what compiled programs depend on besides their text

	mu       sync.Mutex // guards the fields up to epoch; held from setting arguments to the launch that reads them, and during a release
	launcher *cl.Launcher
	recent   device.Recent
	marks    marks
	epoch    int // grows when memory is released: new memory may get the same handle

	garbage   garbage
	modules   codecache.Shared[module] // that kernels use
	allocated atomic.Int64             // bytes of memory
	sizes     sync.Map                 // from device.Memory to its bytes
}

// Name returns opencl:i.
func (d *driver) Name() string { return d.name }

// Available opens the device, once, and returns why that failed, if it did.
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
	if d.queue, err = cl.NewQueue(d.context, d.id); err != nil {
		return err
	}
	d.reads, err = cl.NewQueue(d.context, d.id)
	d.launcher = &cl.Launcher{}
	if d.compiler = compilerOf(d.id); d.compiler == "" {
		d.folder = nil
	}
	return err
}

// Description returns the device's name and capabilities, and the reason if it cannot be used.
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

func (d *driver) Enter() error { return nil }

func (d *driver) Leave() {}

// Capacity returns the bytes of the device's memory, 0 if the driver does not report them.
func (d *driver) Capacity() int {
	n, err := cl.Info(d.id, cl.DeviceGlobalBytes)
	if err != nil {
		return 0
	}
	return int(min(n, math.MaxInt))
}

func (d *driver) Alloc(n int) (device.Memory, error) {
	d.Trim() // memory that is garbage may be enough
	m, err := cl.NewMemory(d.context, n)
	if err != nil {
		return 0, d.explain(err)
	}
	d.allocated.Add(int64(n))
	d.sizes.Store(device.Memory(m), n)
	return device.Memory(m), nil
}

// Free lets a later command release device memory: it may be called by the collector's goroutine.
func (d *driver) Free(m device.Memory) {
	if n, ok := d.sizes.LoadAndDelete(m); ok {
		d.allocated.Add(-int64(n.(int)))
	}
	d.garbage.add(&d.garbage.memory, cl.Handle(m))
}

// Trim releases all garbage.
func (d *driver) Trim() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.release()
}

// Write copies to memory, after the commands given before. data may be changed when it returns.
func (d *driver) Write(dst device.Memory, offset int, data []byte) error {
	return d.explain(cl.Write(d.queue, cl.Handle(dst), offset, data))
}

// Read copies elements from the device. They must have been computed: Read does not wait for other
// commands.
func (d *driver) Read(data []byte, src device.Memory, offset int) error {
	return d.explain(cl.Read(d.reads, cl.Handle(src), offset, data))
}

// Copy copies within the device.
func (d *driver) Copy(dst device.Memory, at int, src device.Memory, from, n int) error {
	return d.explain(cl.Copy(d.queue, cl.Handle(src), cl.Handle(dst), from, at, n))
}
