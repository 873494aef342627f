// Package pjrt runs programs on XLA, by any plugin with PJRT's C interface. Importing it loads
// nothing. [Open] loads a plugin, without cgo, and registers an executor for each of its devices:
//
//	p, err := pjrt.Open("pjrt_c_api_cpu_plugin.so", pjrt.Option("cpu_device_count", 4))
//	xla := weft.DeviceNamed(p.Devices()[0]) // pjrt-cpu:0
//	f := weft.Jit(f, weft.On(xla))
//
// Programs go to the plugin's compiler as StableHLO, as they were traced. The bits of results are
// XLA's, so such a device is never a default: users select it by name.
//
// The variable WEFT_PJRT contains the files of plugins, separated as in PATH, that are opened once a
// device is asked for whose name begins with pjrt-, or all devices are.
//
// Compiled programs are kept in the folder weft/pjrt of the user's cache directory, or where
// WEFT_PJRT_CACHE states; WEFT_PJRT_CACHE=off keeps none.
//
// Before version 1.0 nothing here is promised to stay.
package pjrt
