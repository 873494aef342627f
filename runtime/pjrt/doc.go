// Package pjrt runs programs on XLA, by any plugin with PJRT's C interface. Importing it loads
// nothing. [Open] loads a plugin, without cgo, and registers an executor for each of its devices:
//
//	p, err := pjrt.Open("pjrt_c_api_cpu_plugin.so", pjrt.Option("cpu_device_count", 4))
//	xla := weft.DeviceNamed(p.Devices()[0]) // pjrt-cpu:0
//	f := weft.Jit(f, weft.On(xla))
//
// Programs are passed to the plugin's compiler as StableHLO, as they were traced. Results are rounded as
// XLA rounds them, so such a device is never a default: users select it by name.
//
// The environment variable WEFT_PJRT lists files of plugins, separated as in PATH. They are opened when
// a device whose name begins with pjrt- is first looked up, or all devices are listed.
//
// Compiled programs are kept in the folder weft/pjrt of the user's cache directory, or in the folder
// that WEFT_PJRT_CACHE names; WEFT_PJRT_CACHE=off keeps none.
//
// Before version 1.0 anything in this package may change.
package pjrt
