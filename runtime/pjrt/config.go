package pjrt

import "fmt"

// A Config is an option of [Open].
type Config struct {
	name  string
	value any
	own   bool // the option is of this package (a name or a store), not of the plugin
}

// Option returns an option that the plugin reads when it is opened, such as cpu_device_count. The value
// is a string, int, int64, []int64, float32 or bool.
func Option(name string, value any) Config {
	if n, ok := value.(int); ok {
		value = int64(n)
	}
	return Config{name: name, value: value}
}

// Name returns an option that sets the first part of the names of devices, which is followed by a colon
// and a number. By default it is pjrt- and the platform; several plugins of one platform need different names.
func Name(name string) Config { return Config{value: name, own: true} }

// kinds contains, by name, a value of the type that an option of XLA's plugins has. Some plugins end the
// process if an option has another type.
var kinds = map[string]any{
	"cpu_device_count": int64(0), "max_inflight_computations": int64(0), "asynchronous": false, // processors
	"node_id": int64(0), "num_nodes": int64(0), "visible_devices": []int64(nil), "platform_name": "", "allocator": "", "memory_fraction": float32(0), "preallocate": false,
	"collective_memory_size": int64(0), "enable_mock_nccl": false, "mock_gpu_topology": "", "partition_index": int64(0), "slice_index": int64(0), // GPUs
}

// mostDevices bounds the devices that a processor is divided into: plugins end the process if the memory
// does not suffice.
const mostDevices = 1024

// check refuses values by which a plugin may end the process.
func (c Config) check() error {
	kind, known := kinds[c.name]
	if got, want := fmt.Sprintf("%T", c.value), fmt.Sprintf("%T", kind); known && got != want {
		return fmt.Errorf("option %s has type %s (want %s); convert it", c.name, got, want)
	}
	if n, ok := c.value.(int64); ok && c.name == "cpu_device_count" && (n < 1 || n > mostDevices) {
		return fmt.Errorf("option cpu_device_count is %d; pass 1 to %d", n, mostDevices)
	}
	return nil
}
