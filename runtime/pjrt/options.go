package pjrt

import "encoding/binary"

// Options of the compiler are a message of protocol buffers, of which few fields are needed.

// field appends a field of a number.
func field(b []byte, number int, value int64) []byte {
	b = binary.AppendUvarint(b, uint64(number)<<3)
	return binary.AppendUvarint(b, uint64(value))
}

// message appends a field of a message.
func message(b []byte, number int, m []byte) []byte {
	b = binary.AppendUvarint(b, uint64(number)<<3|2)
	b = binary.AppendUvarint(b, uint64(len(m)))
	return append(b, m...)
}

// compileOptions returns the options of a program for devices. If sharded is true each of them runs a
// part, and Shardy divides the program.
func compileOptions(sharded bool, ids ...int) []byte {
	assignment := field(nil, 1, 1)                     // replica_count
	assignment = field(assignment, 2, int64(len(ids))) // computation_count
	for _, id := range ids {
		assignment = message(assignment, 3, field(nil, 1, int64(id))) // computation_devices: replica_device_ids
	}
	build := field(nil, 1, -1)               // device_ordinal: any
	build = field(build, 4, 1)               // num_replicas
	build = field(build, 5, int64(len(ids))) // num_partitions
	if sharded {
		build = field(build, 6, 1) // use_spmd_partitioning
	}
	build = message(build, 9, assignment) // device_assignment
	if sharded {
		build = field(build, 19, 1) // use_shardy_partitioner
	}
	return message(nil, 3, build) // executable_build_options
}
