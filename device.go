package weft

import (
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/nd"
	"github.com/weft-go/weft/runtime"
)

// Device is what runs programs. The zero Device is the default one.
type Device struct{ executor runtime.Executor }

// Devices returns the devices that there are: the reference executor, which every
// platform has, and those of packages that the program imports for them.
func Devices() []Device {
	var ds []Device
	for _, e := range runtime.Executors() {
		ds = append(ds, Device{e})
	}
	return ds
}

// DeviceNamed returns the device of that name.
func DeviceNamed(name string) Device {
	if e, ok := runtime.Named(name); ok {
		return Device{e}
	}
	var names []string
	for _, d := range Devices() {
		names = append(names, d.String())
	}
	core.FailOp(core.ErrDevice, "DeviceNamed", nil, "there is no device %q; there is %s. A device comes with the package that has it: is that imported?", name, strings.Join(names, ", "))
	return Device{}
}

// String returns the device's name.
func (d Device) String() string { return d.or().Name() }

// or returns the executor, the default one for the zero Device.
func (d Device) or() runtime.Executor {
	if d.executor == nil {
		return runtime.Default()
	}
	return d.executor
}

type onOption Device

func (d onOption) jit(o *jitOptions) { o.on = d.executor }

// On returns the device that runs a jitted function. In a call that is traced it does
// nothing: the whole program runs where its own call says.
func On(d Device) JitOption { return onOption(d) }

// To returns x in the memory of a device. All devices that there are work in the memory
// of the host, where x is.
func (x Array) To(Device) Array {
	nd.ValueOf("To", x)
	return x
}
