package pjrt

import "encoding/binary"

// Options of the compiler are a message of protocol buffers, of which few fields are needed.

func field(b []byte, number int, value int64) []byte {
	b = binary.AppendUvarint(b, uint64(number)<<3)
	return binary.AppendUvarint(b, uint64(value))
}

// message appends a field whose value is the message m to a message.
func message(b []byte, number int, m []byte) []byte {
	b = binary.AppendUvarint(b, uint64(number)<<3|2)
	b = binary.AppendUvarint(b, uint64(len(m)))
	return append(b, m...)
}

type target struct {
	ids  []int  // the numbers by which the plugin's compiler names the devices
	open []bool // of each result, whether the compiler chooses how it is cut among several devices
}

// divided reports whether XLA divides the program: each device runs a part.
func (t target) divided() bool { return len(t.ids) > 1 }

// options returns a serialized CompileOptionsProto.
func (t target) options() []byte {
	assignment := field(nil, 1, 1)                       // replica_count
	assignment = field(assignment, 2, int64(len(t.ids))) // computation_count
	for _, id := range t.ids {
		assignment = message(assignment, 3, field(nil, 1, int64(id))) // computation_devices: replica_device_ids
	}
	build := field(nil, 1, -1)                 // device_ordinal: any
	build = field(build, 4, 1)                 // num_replicas
	build = field(build, 5, int64(len(t.ids))) // num_partitions
	if t.divided() {
		build = field(build, 6, 1) // use_spmd_partitioning
	}
	build = message(build, 9, assignment) // device_assignment
	if t.divided() {
		for _, open := range t.open {
			n := int64(0)
			if open {
				n = 1
			}
			build = field(build, 12, n) // allow_spmd_sharding_propagation_to_output
		}
		build = field(build, 19, 1) // use_shardy_partitioner
	}
	return message(nil, 3, build) // executable_build_options
}
