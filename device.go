package weft

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/nd"
	"github.com/weft-go/weft/runtime"
	_ "github.com/weft-go/weft/runtime/cpu" // the native executor registers itself
)

// Device runs programs. The zero Device is the default one.
type Device struct{ executor runtime.Executor }

// Devices returns the available devices: the reference executor, which every platform has, native
// executors that can run on this processor, and the devices of drivers that the program imports.
func Devices() []Device {
	var ds []Device
	for _, e := range runtime.Executors() {
		if e.Memory() == runtime.Host && e.Available() != nil {
			continue
		}
		ds = append(ds, Device{e})
	}
	return ds
}

// DeviceNamed returns the device of that name. It panics if there is none, or if this processor
// cannot run that native executor. The error lists the devices, and the reason why a driver could
// not be used.
func DeviceNamed(name string) Device {
	e, err := runtime.Lookup(name)
	if err == nil && e.Memory() == runtime.Host {
		e, err = runtime.Select(name)
	}
	if err != nil {
		no := *err.(*core.Error)
		no.Op, no.Pos = "DeviceNamed", core.HerePos()
		panic(&no)
	}
	return Device{e}
}

// String returns the device's name.
func (d Device) String() string { return d.executorOrDefault().Name() }

func (d Device) executorOrDefault() runtime.Executor {
	if d.executor == nil {
		return runtime.Default()
	}
	return d.executor
}

type onOption Device

func (d onOption) jit(o *jitOptions) { o.on = d.executor }

// On returns an option of [Jit] that selects the device that runs the function, also
// where it is called within another jitted function or under a transformation. Operands
// in host memory, and those on the default device that [Array.To] did not place, are copied there.
func On(d Device) JitOption { return onOption(d) }

// DefaultDevice returns a setting that selects the device for the goroutine's operations,
// control flow and jitted functions. Operations on arrays with axes that [Array.To]
// placed on another device run there instead.
//
//	weft.With(weft.DefaultDevice(gpu), func() { … })
//
// Without it, the process's default device runs them: the one that the environment
// variable WEFT_EXECUTOR names, or the fastest that works.
func DefaultDevice(d Device) Setting {
	return setting(func(s *runtime.Settings) { s.Executor = d.executor })
}

// To returns x placed in the memory of a device. Operands that To placed in different memories
// are an error. An array that To did not place is copied to the other operands' device from host
// memory or the default device; on another device it counts as placed.
//
// To may return before the copy is complete: readers wait for it. For a traced value To is the
// identity, since its program runs in one place.
func (x Array) To(d Device) Array { return FromValue(nd.To(d.executor, x.value())) }
